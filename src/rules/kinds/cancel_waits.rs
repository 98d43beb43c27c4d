//! Cancels waits because of their rules, and the events and hints of their changed tasks.

use domain::{AccountId, Hint, KindClass, Priority, TaskId, Timestamp, Version, WaitId, task::reason};
use serde_json::json;
use store::{StoreError, Tx, event::NewEvent, rule_waits, wait};
use uuid::Uuid;

/// Cancels waits whose targets are locked. Returns the events of their tasks. `by`: who has decided;
/// `None`: the engine follows the decision.
pub async fn cancel(
    tx: &mut Tx,
    waits: &[WaitId],
    (by, at): (Option<AccountId>, Timestamp),
) -> Result<Vec<NewEvent>, StoreError> {
    let cancelled = rule_waits::cancel(tx.conn(), waits).await?;
    let event = |(task, version): (Uuid, i32)| NewEvent {
        from_state: Some("scheduled"),
        to_state: Some("cancelled"),
        version: Some(version),
        detail: json!({"reason": reason::RULE}).to_string(),
        ..NewEvent::simple(at, by, "task", task, "cancel")
    };
    Ok(cancelled.into_iter().map(event).collect())
}

/// Returns event and hint of a task that was moved.
pub fn moved_task(now: Timestamp, moved: &wait::MovedTask) -> (NewEvent, Hint) {
    let (task, version, due_at, priority, bucket) = moved;
    let due_at = Timestamp::from_millis(*due_at);
    let event = NewEvent {
        from_state: Some("scheduled"),
        to_state: Some("scheduled"),
        version: Some(*version),
        detail: json!({"due_at": due_at}).to_string(),
        ..NewEvent::simple(now, None, "task", *task, "reschedule")
    };
    let hint = Hint {
        task: TaskId(*task),
        version: Version(*version),
        due_at,
        priority: priority.parse().unwrap_or(Priority::Normal),
        class: KindClass::Machines,
        bucket: u16::try_from(*bucket).unwrap_or_default(),
    };
    (event, hint)
}
