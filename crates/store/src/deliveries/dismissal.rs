//! Dismisses undelivered messages of a channel, and undoes that.

use crate::{Conn, StoreError, db::with_conn, failing, json_rows::encode, row::row};
use domain::{
    ChannelId, DeliveryId, Timestamp,
    delivery::{DeliveryState, Undelivered},
};
use uuid::Uuid;

row! {
    /// A message before it was dismissed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DismissedDelivery {
        /// Id of the delivery.
        pub id: Uuid,
        /// Task that caused it; `None`: a test message.
        pub task_id: Option<Uuid>,
        /// Name of its channel.
        pub channel: String,
        /// Its state.
        pub state: String,
        /// When it ended, milliseconds; `None`: it had not.
        pub ended_at: Option<i64>,
    }
}

/// A dismissed message that becomes undelivered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reopening {
    /// Id of the delivery.
    pub id: Uuid,
    /// Its state before.
    pub state: String,
    /// When it had ended, milliseconds.
    pub ended_at: Option<i64>,
    /// When it was dismissed, milliseconds. It is left alone if it was changed since.
    pub dismissed_at: i64,
}

macro_rules! undelivered {
    ($lock:literal) => {
        concat!(
            "select id, task_id, channel, state, ended_at
               from delivery
              where state in ('pending', 'held', 'failed', 'unconfirmed')
                and id in (select id
                             from (select d.id
                                     from delivery d
                                    where d.state in ('failed', 'unconfirmed') and d.state = $2 and d.ended_at >= $3
                                      and d.channel_id = $1 and d.event <> 'test' and d.created_at <= $4
                                    union all
                                   select d.id
                                     from delivery d
                                    where $6 = 1 and d.state = 'pending'
                                      and d.channel_id = $1 and d.event <> 'test' and d.created_at <= $4
                                    union all
                                   select d.id
                                     from delivery d
                                    where $6 = 1 and d.state = 'held'
                                      and d.channel_id = $1 and d.event <> 'test' and d.created_at <= $4) as seen
                            order by id desc
                            limit $5)
              order by id",
            $lock
        )
    };
}

/// Cancels the newest `most` deliveries of a channel that were written until `seen_at`. Those that
/// ended before `since` are left alone. Returns them as they were.
pub async fn dismiss_all(
    mut conn: Conn<'_>,
    (channel, which): (ChannelId, Undelivered),
    (since, seen_at): (Timestamp, Timestamp),
    most: i64,
    at: Timestamp,
) -> Result<Vec<DismissedDelivery>, StoreError> {
    let state = match which {
        Undelivered::All | Undelivered::Failed => DeliveryState::Failed,
        Undelivered::Unconfirmed => DeliveryState::Unconfirmed,
    };
    let select = match conn {
        Conn::Sqlite(_) => undelivered!(""),
        Conn::Postgres(_) => undelivered!(" for no key update"),
    };
    let found: Vec<DismissedDelivery> = with_conn!(conn.reborrow(), c => sqlx::query_as(select)
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(seen_at.millis()).bind(most)
        .bind(i32::from(which == Undelivered::All))
        .fetch_all(c).await)?;
    let ids: Vec<DeliveryId> = found.iter().map(|one| DeliveryId(one.id)).collect();
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            sqlx::query(
                "update delivery set state = 'cancelled', ended_at = $2
                  where id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.iter().map(|id| id.0.simple()))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query("update delivery set state = 'cancelled', ended_at = $2 where id = any($1)")
                .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
                .bind(at.millis())
                .execute(c)
                .await?;
        }
    }
    failing::delete(conn, &ids).await?;
    Ok(found)
}

// A message that was held is sent if its channel was resumed since; one of a deleted channel that
// was not sent stays cancelled.
macro_rules! reopen {
    ($rows:literal) => {
        concat!(
            "update delivery
                set state = case when was.state = 'held'
                                  and not exists (select 1 from channel c
                                                   where c.id = delivery.channel_id and c.state = 'off')
                                 then 'pending' else was.state end,
                    ended_at = was.ended_at
               from (",
            $rows,
            ") as was
              where delivery.id = was.id
                and delivery.state = 'cancelled'
                and delivery.ended_at = was.dismissed_at
                and (was.state in ('failed', 'unconfirmed')
                     or exists (select 1 from channel c
                                 where c.id = delivery.channel_id and c.unfinished is distinct from 'delete'))
            returning delivery.id"
        )
    };
}

/// Undoes the dismissal of deliveries that were not changed since. Returns their ids.
pub async fn reopen_all(
    mut conn: Conn<'_>,
    rows: &[Reopening],
    at: Timestamp,
) -> Result<Vec<Uuid>, StoreError> {
    let reopened: Vec<Uuid> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            let rows = rows.iter().map(|row| (row.id.simple(), &row.state, row.ended_at, row.dismissed_at));
            sqlx::query_scalar(reopen!(
                "select unhex(value ->> 0) as id, value ->> 1 as state, value ->> 2 as ended_at,
                        value ->> 3 as dismissed_at
                   from jsonb_each($1)"
            ))
            .bind(encode(rows)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(reopen!(
                "select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[])
                          as rows (id, state, ended_at, dismissed_at)"
            ))
            .bind(rows.iter().map(|row| row.id).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.state.clone()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.ended_at).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.dismissed_at).collect::<Vec<_>>())
            .fetch_all(c)
            .await?
        }
    };
    failing::restore(conn, &reopened, at).await?;
    Ok(reopened)
}
