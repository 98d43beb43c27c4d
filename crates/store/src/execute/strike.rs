//! Strikes: a task that brings its consumer down, alone, is tried a few times and then failed.

use super::Claim;
use crate::{
    Store, StoreError, Who,
    db::on,
    event::{self, NewEvent},
};
use domain::{TaskId, Timestamp, task::reason};
use serde_json::json;
use uuid::Uuid;

/// So many strikes and the task is failed.
const MOST: i32 = 5;
/// Rest after the first strike, doubled with each further one, milliseconds.
const REST_MS: i64 = 500;

/// What became of a task that broke its consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strike {
    /// It is tried again at that moment.
    Again(Timestamp),
    /// That was once too often: it is *failed*.
    Out,
    /// It was changed meanwhile: nothing was noted.
    Changed,
}

/// Notes that executing the claim alone broke down; in a transaction of its own, since the other one is gone.
pub async fn strike(store: &Store, claim: &Claim, now: Timestamp) -> Result<Strike, StoreError> {
    let mut tx = store.begin(Who::Engine).await?;
    let row: Option<(String, i32, i64, Uuid, String)> = on!(tx.conn(), c => sqlx::query_as(
        "update task
            set attempts = attempts + 1,
                strikes = strikes + 1,
                not_before = $3 + ($4 << strikes),
                state = case when strikes + 1 >= $5 then 'failed' else state end,
                reason = case when strikes + 1 >= $5 then $6 else reason end
          where id = $1
            and version = $2
            and state || '' = 'scheduled'
         returning state, strikes, due_at, target_id, kind")
        .bind(claim.task.0)
        .bind(claim.version.0)
        .bind(now.millis())
        .bind(REST_MS)
        .bind(MOST)
        .bind(reason::POISON)
        .fetch_optional(c)
        .await)?;
    let Some((state, strikes, due_at, target_id, kind)) = row else {
        return Ok(Strike::Changed);
    };
    let is_out = state == "failed";
    if is_out {
        let due_at = Timestamp::from_millis(due_at);
        let detail =
            json!({"kind": kind, "target_id": target_id, "due_at": due_at, "reason": reason::POISON});
        event::append(tx.conn(), &[failed(claim.task, claim.version.0, now, detail.to_string())]).await?;
    }
    tx.commit().await?;
    Ok(if is_out { Strike::Out } else { Strike::Again(now.plus(REST_MS << (strikes - 1))) })
}

fn failed(task: TaskId, version: i32, now: Timestamp, detail: String) -> NewEvent {
    NewEvent {
        from_state: Some("scheduled"),
        to_state: Some("failed"),
        version: Some(version),
        detail,
        ..NewEvent::plain(now, None, "task", task.0, "fail")
    }
}
