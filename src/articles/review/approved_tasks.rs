//! Tasks that an approval releases.

use crate::articles::review::publishing;
use crate::kinds;
use domain::{AccountId, Hint, KindClass, TaskId, Timestamp, Version};
use serde_json::json;
use store::{
    StoreError, Tx,
    event::NewEvent,
    released_task::{self, ReleasedTask},
};
use uuid::Uuid;

/// Hints and events of released tasks.
#[derive(Default)]
pub struct Released {
    pub hints: Vec<Hint>,
    pub events: Vec<NewEvent>,
}

/// Releases the tasks that waited for the approval of these revisions; `by`: the user, or the engine.
/// What was held, and what is due, is published now.
pub async fn release(
    tx: &mut Tx,
    revisions: &[Uuid],
    (by, at): (Option<AccountId>, Timestamp),
) -> Result<Released, StoreError> {
    let waiting = released_task::release(tx.conn(), revisions, at).await?;
    suspend_refused(tx, revisions).await?;
    let taken = released_task::catch_up(tx.conn(), revisions, at).await?;
    let mut reopened = released_task::reopen(tx.conn(), revisions, at).await?;
    reopened.extend(kinds::resume_approved(tx, revisions, at).await?);
    let all = waiting.iter().chain(&taken).chain(&reopened);
    let hints = all.map(hint).collect::<Result<_, _>>()?;
    let events = taken.iter().map(|task| event(task, "take_approved", (by, at)));
    let events = events.chain(reopened.iter().map(|task| event(task, "retry", (by, at)))).collect();
    Ok(Released { hints, events })
}

/// Lets the tasks wait whose older text is approved, but would be held for its words: they take the one
/// that is approved now.
async fn suspend_refused(tx: &mut Tx, revisions: &[Uuid]) -> Result<(), StoreError> {
    let older = released_task::older_pins(tx.conn(), revisions).await?;
    let pinned: Vec<Uuid> = older.iter().map(|(_, revision)| *revision).collect();
    let refused = publishing::refusals(tx.conn(), &pinned).await?;
    let is_refused = |(_, revision): &&(Uuid, Uuid)| refused.contains_key(revision);
    let tasks: Vec<Uuid> = older.iter().filter(is_refused).map(|(task, _)| *task).collect();
    released_task::suspend(tx.conn(), &tasks).await
}

/// The hint of a released task.
pub fn hint(task: &ReleasedTask) -> Result<Hint, StoreError> {
    let corrupt = |_| StoreError::Corrupt(format!("priority of the task {}", task.id));
    Ok(Hint {
        task: TaskId(task.id),
        version: Version(task.version),
        due_at: task.due_at.into(),
        priority: task.priority.parse().map_err(corrupt)?,
        class: KindClass::Content,
        bucket: u16::try_from(task.bucket).unwrap_or_default(),
    })
}

/// The events of held tasks that are scheduled for now; `by`: the user, or the engine.
pub fn events(tasks: &[ReleasedTask], by: Option<AccountId>, at: Timestamp) -> Vec<NewEvent> {
    tasks.iter().map(|task| event(task, "retry", (by, at))).collect()
}

fn event(task: &ReleasedTask, verb: &'static str, (by, at): (Option<AccountId>, Timestamp)) -> NewEvent {
    NewEvent {
        to_state: Some("scheduled"),
        version: Some(task.version),
        detail: detail(task, verb).to_string(),
        ..NewEvent::simple(at, by, "task", task.id, verb)
    }
}

/// The channels are notified of an article that is no longer held.
fn detail(task: &ReleasedTask, verb: &str) -> serde_json::Value {
    let due_at = Timestamp::from_millis(task.due_at);
    if verb == "retry" {
        json!({ "due_at": due_at, "is_released": true })
    } else {
        json!({ "due_at": due_at })
    }
}
