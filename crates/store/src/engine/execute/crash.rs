//! Counts crashes: a task that crashes its consumer while it runs alone is retried a few times and
//! then failed.

use super::{Claim, restore_schedule};
use crate::{
    Conn, PoolRole, Store, StoreError,
    db::with_conn,
    event::{self, NewEvent},
    report_outbox,
};
use domain::{Hint, TaskId, Timestamp, retry_schedule::RetrySchedule, task::reason};
use serde_json::json;
use uuid::Uuid;

/// Number of crashes after which the task fails, if its kind has no retry schedule.
const MAX_CRASHES: u32 = 5;
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
    let Some((crash_count, schedule)) = crashes(tx.conn(), claim.task).await? else {
        return Ok(CrashOutcome::Changed);
    };
    let schedule: Option<RetrySchedule> = schedule.and_then(|text| text.parse().ok());
    let retry_at = delay_ms(schedule.as_ref(), crash_count).map(|delay| now.plus(delay));
    let row: Option<(i64, Uuid, String)> = with_conn!(tx.conn(), c => sqlx::query_as(
        "update task
            set attempts = attempts + 1,
                crash_count = crash_count + 1,
                not_before = $3,
                state = case when cast($3 as bigint) is null then 'failed' else state end,
                reason = case when cast($3 as bigint) is null then $4 else reason end
          where id = $1
            and version = $2
            and crash_count = $5
            and state || '' = 'scheduled'
         returning due_at, target_id, kind")
        .bind(claim.task.0)
        .bind(claim.version.0)
        .bind(retry_at.map(Timestamp::millis))
        .bind(reason::POISON)
        .bind(crash_count)
        .fetch_optional(c)
        .await)?;
    let Some((due_at, target_id, kind)) = row else {
        return Ok(CrashOutcome::Changed);
    };
    let mut rescheduled = None;
    if retry_at.is_none() {
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
    Ok(retry_at.map_or(CrashOutcome::Failed, CrashOutcome::RetryAt))
}

/// Returns how often a task has crashed, and the retry schedule of its kind; `None`: it does not exist.
async fn crashes(conn: Conn<'_>, task: TaskId) -> Result<Option<(i32, Option<String>)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.crash_count, k.retry_schedule
           from task t
           left join kind_limit k on k.kind = t.kind
          where t.id = $1")
        .bind(task.0)
        .fetch_optional(c)
        .await)?)
}

/// Returns the delay after one more crash, milliseconds; `None`: that was the last attempt. `schedule`: the retry
/// schedule of the kind.
fn delay_ms(schedule: Option<&RetrySchedule>, crash_count: i32) -> Option<i64> {
    let crash_count = u32::try_from(crash_count).unwrap_or(0);
    match schedule {
        Some(schedule) => schedule.delay_ms(crash_count + 1),
        None => (crash_count + 1 < MAX_CRASHES).then(|| FIRST_BACKOFF_MS << crash_count),
    }
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
