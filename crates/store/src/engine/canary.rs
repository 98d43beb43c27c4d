//! The canary: a task of the engine that is rescheduled each second. It takes the whole path of a
//! task and has no effect. Its delay shows that publishing has stopped before a user's task is
//! late.

use crate::{Conn, StoreError, db::with_conn};
use domain::{Hint, KindClass, Priority, TaskId, Timestamp, Version};

/// Id of the canary, the same in every database.
pub const ID: TaskId = domain::task::CANARY_ID;
/// Kind of the canary. Users never see tasks of this kind.
pub const KIND: &str = "engine.canary";
/// Interval of the canary, milliseconds.
pub const INTERVAL_MS: i64 = 1_000;
/// A canary due later than this is reset, milliseconds.
pub const MAX_AHEAD_MS: i64 = 60_000;
/// Grace period of the canary, milliseconds: a hundred years, so that it is never missed.
const GRACE_MS: i64 = 3_155_760_000_000;

/// Returns the hint of the canary.
#[must_use]
pub fn hint(due_at: Timestamp, bucket: u16) -> Hint {
    let (priority, class) = (Priority::High, KindClass::Content);
    Hint { task: ID, version: Version(1), due_at, priority, class, bucket }
}

/// Creates the canary, due now. Resets it if it has ended or is due too far ahead.
pub async fn ensure_exists(conn: Conn<'_>, bucket: u16, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into task (id, kind, priority, bucket, target_id, owner_id, due_at, state, version, approved_version,
                           grace_ms, created_at)
         values ($1, $2, 'high', $3, $1, $1, $4, 'scheduled', 1, 1, $5, $4)
         on conflict (id) do update
            set state = 'scheduled', due_at = excluded.due_at, executed_at = null, not_before = null, crash_count = 0,
                reason = null
          where task.state <> 'scheduled' or task.due_at >= excluded.due_at + $6")
        .bind(ID.0)
        .bind(KIND)
        .bind(i32::from(bucket))
        .bind(now.millis())
        .bind(GRACE_MS)
        .bind(MAX_AHEAD_MS)
        .execute(c)
        .await?
        .rows_affected());
    Ok(())
}

/// Schedules the canary for `next`. Call it in the transaction that executed it.
pub async fn reschedule(conn: Conn<'_>, next: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update task
            set state = 'scheduled', executed_at = null, due_at = $2, attempts = 0
          where id = $1 and state || '' = 'executed'")
        .bind(ID.0)
        .bind(next.millis())
        .execute(c)
        .await?
        .rows_affected());
    Ok(())
}
