//! The canary: one task of the engine's own that waits for ever anew. It goes the whole road each second and does nothing;
//! how long ago it was due says whether publishing lives, before anything of anybody's is late.

use crate::{Conn, StoreError, db::on};
use domain::{Hint, Lane, TaskId, Timestamp, Version};
use uuid::Uuid;

/// Its identity, in every database.
pub const ID: TaskId = TaskId(Uuid::from_u128(0xCA));
/// Its kind. People never see a task of it.
pub const KIND: &str = "engine.canary";
/// How often it is due, milliseconds.
pub const EVERY_MS: i64 = 1_000;
/// Due so far ahead it has gone astray, milliseconds.
pub const ASTRAY_MS: i64 = 60_000;
/// It is never too late for it, milliseconds: a hundred years.
const GRACE_MS: i64 = 3_155_760_000_000;

/// Its hint, with the bucket it lives in.
#[must_use]
pub fn hint(due_at: Timestamp, bucket: u16) -> Hint {
    Hint { task: ID, version: Version(1), due_at, lane: Lane::High, bucket }
}

/// Makes it, or lets it wait anew if it has come to an end or gone astray; due at once.
pub async fn plant(conn: Conn<'_>, bucket: u16, now: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "insert into task (id, kind, lane, bucket, target_id, owner_id, due_at, state, version, approved_version,
                           late_grace, created_at)
         values ($1, $2, 'high', $3, $1, $1, $4, 'scheduled', 1, 1, $5, $4)
         on conflict (id) do update
            set state = 'scheduled', due_at = excluded.due_at, executed_at = null, not_before = null, strikes = 0,
                reason = null
          where task.state <> 'scheduled' or task.due_at >= excluded.due_at + $6")
        .bind(ID.0)
        .bind(KIND)
        .bind(i32::from(bucket))
        .bind(now.millis())
        .bind(GRACE_MS)
        .bind(ASTRAY_MS)
        .execute(c)
        .await?
        .rows_affected());
    Ok(())
}

/// In the transaction that has taken it: it waits again, for `next`.
pub async fn wait_again(conn: Conn<'_>, next: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
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
