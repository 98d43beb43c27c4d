//! Counts crashes: a task that crashes its consumer while it runs alone is retried a few times and
//! then failed.

use super::{Claim, restore_schedule};
use crate::{
    PoolRole, Store, StoreError,
    db::with_conn,
    event::{self, NewEvent},
    report_outbox,
};
use domain::{Hint, TaskId, Timestamp, task::reason};
use serde_json::json;
use uuid::Uuid;

/// Number of crashes after which the task fails.
const MAX_CRASHES: i32 = 5;
/// Backoff after the first crash, milliseconds; doubled with each further one.
const FIRST_BACKOFF_MS: i64 = 500;

/// What happens to a task after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashOutcome {
    /// The task is retried at this moment.
    RetryAt(Timestamp),
    /// The task has crashed too often and is *failed*.
    Failed,
    /// The task has crashed too often after "publish now"; it has its previous schedule again.
    Rescheduled(Hint),
    /// The task was changed meanwhile; the crash was not counted.
    Changed,
}

/// Records that executing the claim crashed, in a transaction of its own, since the other one was
/// rolled back.
pub async fn record_crash(store: &Store, claim: &Claim, now: Timestamp) -> Result<CrashOutcome, StoreError> {
    let mut tx = store.begin(PoolRole::Engine).await?;
    let row: Option<(String, i32, i64, Uuid, String)> = with_conn!(tx.conn(), c => sqlx::query_as(
        "update task
            set attempts = attempts + 1,
                crash_count = crash_count + 1,
                not_before = $3 + ($4 << crash_count),
                state = case when crash_count + 1 >= $5 then 'failed' else state end,
                reason = case when crash_count + 1 >= $5 then $6 else reason end
          where id = $1
            and version = $2
            and state || '' = 'scheduled'
         returning state, crash_count, due_at, target_id, kind")
        .bind(claim.task.0)
        .bind(claim.version.0)
        .bind(now.millis())
        .bind(FIRST_BACKOFF_MS)
        .bind(MAX_CRASHES)
        .bind(reason::POISON)
        .fetch_optional(c)
        .await)?;
    let Some((state, crash_count, due_at, target_id, kind)) = row else {
        return Ok(CrashOutcome::Changed);
    };
    let is_failed = state == "failed";
    let mut rescheduled = None;
    if is_failed {
        let due_at = Timestamp::from_millis(due_at);
        let detail =
            json!({"kind": kind, "target_id": target_id, "due_at": due_at, "reason": reason::POISON});
        let events = [failed(claim.task, claim.version.0, now, detail.to_string())];
        report_outbox::report_events(&mut tx, &events, now).await?;
        event::append(tx.conn(), &events).await?;
        rescheduled = restore_schedule::restore(tx.conn(), claim.task, now).await?;
    }
    tx.commit().await?;
    if let Some(hint) = rescheduled {
        return Ok(CrashOutcome::Rescheduled(hint));
    }
    Ok(if is_failed {
        CrashOutcome::Failed
    } else {
        CrashOutcome::RetryAt(now.plus(FIRST_BACKOFF_MS << (crash_count - 1)))
    })
}

fn failed(task: TaskId, version: i32, now: Timestamp, detail: String) -> NewEvent {
    NewEvent {
        from_state: Some("scheduled"),
        to_state: Some("failed"),
        version: Some(version),
        detail,
        ..NewEvent::simple(now, None, "task", task.0, "fail")
    }
}
