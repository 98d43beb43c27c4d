//! Sends all deliveries of a channel again that did not arrive.

use crate::{Conn, StoreError, db::with_conn};
use domain::{ChannelId, Timestamp, delivery::DeliveryState};
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
