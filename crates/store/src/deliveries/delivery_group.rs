//! Changes all deliveries of a channel that did not arrive: sends them again, or cancels them.

use crate::{Conn, StoreError, db::with_conn, failing};
use domain::{
    ChannelId, DeliveryId, Timestamp,
    delivery::{DeliveryState, Undelivered},
};
use uuid::Uuid;

/// Sends the newest `most` deliveries of a channel again that ended in this state after `since`.
/// Returns their ids and tasks.
pub async fn resend_all(
    mut conn: Conn<'_>,
    (channel, state): (ChannelId, DeliveryState),
    since: Timestamp,
    most: i64,
    at: Timestamp,
) -> Result<Vec<(Uuid, Option<Uuid>)>, StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into failing_delivery (delivery_id, channel_id, first_failed_at, shown_at)
         select d.id, d.channel_id, coalesce(d.ended_at, d.created_at), $5
           from delivery d
          where d.channel_id = $1 and d.state = $2 and d.event <> 'test' and d.ended_at >= $3
          order by d.ended_at desc, d.id desc
          limit $4
             on conflict (delivery_id) do update set shown_at = excluded.shown_at")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(most).bind(at.millis())
        .execute(c).await.map(drop))?;
    with_conn!(conn.reborrow(), c => sqlx::query(
        "delete from delivery_recipient
          where outcome <> 'delivered'
            and delivery_id in (select d.id
                                  from delivery d
                                 where d.channel_id = $1 and d.state = $2 and d.event <> 'test' and d.ended_at >= $3
                                 order by d.ended_at desc, d.id desc
                                 limit $4)")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(most)
        .execute(c).await.map(drop))?;
    Ok(with_conn!(conn, c => sqlx::query_as(
        "update delivery
            set state = 'pending', not_before = $5, attempts = 0, ended_at = null
          where state = $2
            and id in (select d.id
                         from delivery d
                        where d.channel_id = $1 and d.state = $2 and d.event <> 'test' and d.ended_at >= $3
                        order by d.ended_at desc, d.id desc
                        limit $4)
         returning id, task_id")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(most).bind(at.millis())
        .fetch_all(c).await)?)
}

/// Cancels the newest `most` deliveries of a channel that were written until `seen_at`. Those that
/// ended before `since` are left alone. Returns their ids, tasks and channel names.
pub async fn dismiss_all(
    mut conn: Conn<'_>,
    (channel, which): (ChannelId, Undelivered),
    (since, seen_at): (Timestamp, Timestamp),
    most: i64,
    at: Timestamp,
) -> Result<Vec<(Uuid, Option<Uuid>, String)>, StoreError> {
    let state = match which {
        Undelivered::All | Undelivered::Failed => DeliveryState::Failed,
        Undelivered::Unconfirmed => DeliveryState::Unconfirmed,
    };
    let dismissed: Vec<(Uuid, Option<Uuid>, String)> = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "update delivery
            set state = 'cancelled', ended_at = $5
          where state in ('pending', 'held', 'failed', 'unconfirmed')
            and id in (select id
                         from (select d.id
                                 from delivery d
                                where d.state in ('failed', 'unconfirmed') and d.state = $2 and d.ended_at >= $3
                                  and d.channel_id = $1 and d.event <> 'test' and d.created_at <= $4
                                union all
                               select d.id
                                 from delivery d
                                where $7 = 1 and d.state = 'pending'
                                  and d.channel_id = $1 and d.event <> 'test' and d.created_at <= $4
                                union all
                               select d.id
                                 from delivery d
                                where $7 = 1 and d.state = 'held'
                                  and d.channel_id = $1 and d.event <> 'test' and d.created_at <= $4) as seen
                        order by id desc
                        limit $6)
         returning id, task_id, channel")
        .bind(channel.0).bind(state.as_str()).bind(since.millis()).bind(seen_at.millis()).bind(at.millis())
        .bind(most).bind(i32::from(which == Undelivered::All))
        .fetch_all(c).await)?;
    let ids: Vec<DeliveryId> = dismissed.iter().map(|(id, ..)| DeliveryId(*id)).collect();
    failing::delete(conn, &ids).await?;
    Ok(dismissed)
}
