//! Deliveries that were attempted and are not delivered yet, and channels that do not accept
//! messages.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{ChannelId, DeliveryId, Timestamp};
use uuid::Uuid;

/// A delivery that is still pending this long after its first failed attempt is shown,
/// milliseconds.
pub const SHOWN_AFTER_MS: i64 = 60_000;

/// Records that attempts of the deliveries `failed` failed at `at`, and that the deliveries `ended`
/// have ended.
pub(crate) async fn record(
    mut conn: Conn<'_>,
    failed: &[(DeliveryId, ChannelId)],
    ended: &[DeliveryId],
    at: Timestamp,
) -> Result<(), StoreError> {
    delete(conn.reborrow(), ended).await?;
    if failed.is_empty() {
        return Ok(());
    }
    let shown_at = at.plus(SHOWN_AFTER_MS).millis();
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
                 select unhex(value ->> 0), unhex(value ->> 1), $2, $3 from jsonb_each($1) where true on conflict do nothing",
            )
            .bind(encode(failed.iter().map(|(id, channel)| (id.0.simple(), channel.0.simple())))?)
            .bind(at.millis())
            .bind(shown_at)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
                 select id, channel_id, $3, $4 from unnest($1::uuid[], $2::uuid[])
                        as failed (id, channel_id)
                 on conflict do nothing",
            )
            .bind(failed.iter().map(|(id, _)| id.0).collect::<Vec<_>>())
            .bind(failed.iter().map(|(_, channel)| channel.0).collect::<Vec<_>>())
            .bind(at.millis())
            .bind(shown_at)
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Records again that attempts of these deliveries have failed, as far as they wait for another one.
pub(crate) async fn restore(conn: Conn<'_>, ids: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if ids.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
                 select id, channel_id, $2, $2 from delivery
                  where id in (select unhex(value) from jsonb_each($1)) and attempts > 0 and state in ('pending', 'held')
                     on conflict do nothing",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
                 select id, channel_id, $2, $2 from delivery
                  where id = any($1) and attempts > 0 and state in ('pending', 'held')
                     on conflict do nothing",
            )
            .bind(ids)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

/// Deletes deliveries that have ended.
pub(crate) async fn delete(conn: Conn<'_>, ended: &[DeliveryId]) -> Result<(), StoreError> {
    match conn {
        _ if ended.is_empty() => {}
        Conn::Sqlite(c) => {
            let ids = encode(ended.iter().map(|id| id.0.simple()))?;
            sqlx::query(
                "delete from failing_delivery where delivery_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(ids)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            let ids: Vec<Uuid> = ended.iter().map(|id| id.0).collect();
            sqlx::query("delete from failing_delivery where delivery_id = any($1)")
                .bind(ids)
                .execute(c)
                .await?;
        }
    }
    Ok(())
}

/// Shows the pending deliveries of this channel at once, however recently they failed. An admin has
/// requested a new attempt and wants to see whether it succeeds.
pub(crate) async fn show_now(conn: Conn<'_>, channel: ChannelId, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update failing_delivery set shown_at = $2 where channel_id = $1 and shown_at > $2")
        .bind(channel.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether the channel `c` does not accept messages at the time bound to `$now`: three failures in
/// a row with messages pending, an open circuit breaker, a wait of more than an hour requested by
/// the receiver, or a delivery that is shown as failing.
macro_rules! is_failing {
    ($now:literal) => {
        concat!(
            "c.state = 'active'
             and (c.failures >= 3
                    and exists (select 1 from delivery d
                                 where d.channel_id = c.id and d.state = 'pending' and d.event <> 'test' limit 1)
                  or c.failures >= 5 and c.breaker_open_until > ",
            $now,
            "     or c.breaker_open_until - c.failed_at > 3600000 and c.breaker_open_until > ",
            $now,
            "     or exists (select 1
                               from failing_delivery f
                               join delivery d on d.id = f.delivery_id
                              where f.channel_id = c.id and f.shown_at <= ",
            $now,
            "                   and d.state in ('pending', 'sending')
                              limit 1))"
        )
    };
}
pub(crate) use is_failing;

/// Whether the channel `c` has a failed or unconfirmed message that Attention still shows: it ended
/// at the time bound to `$since` or later. They are read by their end, once for all channels.
macro_rules! has_ended {
    ($since:literal) => {
        concat!(
            "c.id in (select d.channel_id
                        from delivery d
                       where d.state in ('failed', 'unconfirmed') and d.event <> 'test' and d.ended_at >= ",
            $since,
            "          limit 10001)"
        )
    };
}
pub(crate) use has_ended;

/// Returns when an attempt starts that may not start before `not_before`, nor before the circuit breaker of
/// its channel closes; milliseconds.
pub(super) fn next_attempt(not_before: i64, breaker_open_until: Option<i64>) -> Timestamp {
    Timestamp::from_millis(breaker_open_until.map_or(not_before, |until| until.max(not_before)))
}

/// Number of the channels `$and` that do not deliver and have a card on Attention at `$now`: those
/// that are switched off or do not accept messages, and those whose last attempt failed and that
/// have a message which ended undelivered at `$since` or later.
macro_rules! failing_total {
    ($since:literal, $now:literal, $and:expr) => {
        concat!(
            "(select count(*) from channel c
               where (c.state = 'off' and c.unfinished is distinct from 'delete' or ",
            $crate::failing::is_failing!($now),
            "        or c.state = 'active' and c.failures > 0 and ",
            $crate::failing::has_ended!($since),
            ")",
            $and,
            ")"
        )
    };
}
pub(crate) use failing_total;

/// Number of messages of the channel `c` that are pending, in flight or held; counted up to one
/// more than 10,000.
macro_rules! undelivered {
    () => {
        "(select count(*)
            from (select 1 from delivery d
                   where d.channel_id = c.id and d.state = 'pending' and d.event <> 'test' limit 10001) as counted)
         + (select count(*) from delivery d where d.state = 'sending' and d.channel_id = c.id and d.event <> 'test')
         + case when c.state = 'off'
                then (select count(*)
                        from (select 1 from delivery d
                               where d.channel_id = c.id and d.state = 'held' and d.event <> 'test' limit 10001) as counted)
                else 0 end"
    };
}
pub(crate) use undelivered;

row! {
    /// A channel that does not accept messages.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FailingChannel {
        /// Id of the channel.
        pub id: Uuid,
        /// Name of the channel.
        pub name: String,
        /// `active` or `off`.
        pub state: String,
        /// No attempt before this time, milliseconds.
        pub breaker_open_until: Option<i64>,
        /// When an attempt last failed, milliseconds.
        pub failed_at: Option<i64>,
        /// Status of the last response that was a refusal.
        pub last_status: Option<i32>,
        /// Beginning of that response, or the error.
        pub last_response_body: Option<String>,
        /// Number of messages that are pending, in flight or held.
        pub undelivered: i64,
        /// Number of them that were attempted.
        pub retried: i64,
        /// First failure of the oldest of them, milliseconds.
        pub since: Option<i64>,
        /// When the next attempt may be made, milliseconds.
        pub next_at: Option<i64>,
    }
}

/// Returns the channels that do not accept messages and those that are switched off, by name.
pub async fn channels(conn: Conn<'_>, now: Timestamp) -> Result<Vec<FailingChannel>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select c.id, c.name, c.state, c.breaker_open_until, c.failed_at, c.last_status, c.last_response_body,
                ", undelivered!(), " as undelivered,
                (select count(*)
                   from failing_delivery f
                   join delivery d on d.id = f.delivery_id
                  where f.channel_id = c.id and d.state in ('pending', 'sending', 'held')) as retried,
                (select min(f.first_failed_at) from failing_delivery f where f.channel_id = c.id) as since,
                (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at
           from channel c
          where c.state = 'off' and c.unfinished is distinct from 'delete' or ", is_failing!("$1"), "
          order by lower(c.name), c.id"))
        .bind(now.millis()).fetch_all(c).await)?)
}
