//! Notices: records that they were acknowledged.

use crate::{Conn, StoreError, db::with_conn, failing};
use domain::{DeliveryId, MessageId, TaskId, Timestamp};
use uuid::Uuid;

/// Locks the deliveries of a message until the transaction ends, so that no attempt is recorded
/// meanwhile.
async fn lock(conn: Conn<'_>, task: TaskId, id: MessageId) -> Result<(), StoreError> {
    // SQLite has one writer, which holds the only lock.
    if let Conn::Postgres(c) = conn {
        sqlx::query(
            "select id from delivery where task_id = $1 and message_id = $2 order by id for no key update",
        )
        .bind(task.0)
        .bind(id.0)
        .execute(c)
        .await?;
    }
    Ok(())
}

/// Records that a notice was acknowledged, and ends its delivery unless it was delivered or
/// cancelled; one that is being sent ends with its attempt. `None`: it was acknowledged before; else
/// the deliveries that ended.
pub async fn acknowledge(
    mut conn: Conn<'_>,
    id: MessageId,
    task: TaskId,
    at: Timestamp,
) -> Result<Option<Vec<Uuid>>, StoreError> {
    lock(conn.reborrow(), task, id).await?;
    let is_first = with_conn!(conn.reborrow(), c => sqlx::query(
        "update message set acknowledged_at = $2 where id = $1 and acknowledged_at is null")
        .bind(id.0).bind(at.millis()).execute(c).await?.rows_affected())
        == 1;
    if !is_first {
        return Ok(None);
    }
    let ended: Vec<Uuid> = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "update delivery
            set state = 'delivered', ended_at = $3
          where task_id = $1 and message_id = $2 and state in ('pending', 'held', 'failed', 'unconfirmed')
         returning id")
        .bind(task.0).bind(id.0).bind(at.millis()).fetch_all(c).await)?;
    let ids: Vec<DeliveryId> = ended.iter().copied().map(DeliveryId).collect();
    if !ids.is_empty() {
        failing::delete(conn, &ids).await?;
    }
    Ok(Some(ended))
}
