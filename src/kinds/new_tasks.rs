//! Stores tasks that an execution adds in its own transaction.

use domain::{State, Timestamp, Version};
use serde_json::json;
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::SideEffects,
    task::{self, NewTaskRow},
};

/// Returns the event of a new task.
pub fn scheduled(task: &NewTaskRow, at: Timestamp) -> NewEvent {
    NewEvent {
        to_state: Some(State::Scheduled.as_str()),
        version: Some(Version::FIRST.0),
        detail: json!({ "due_at": task.due_at }).to_string(),
        ..NewEvent::simple(at, None, "task", task.id.0, "schedule")
    }
}

/// Stores tasks; their events and hints follow the transaction.
pub async fn store_tasks(
    tx: &mut Tx,
    tasks: &[NewTaskRow],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    if tasks.is_empty() {
        return Ok(());
    }
    for task in tasks {
        after.log.push(scheduled(task, at));
        after.hints.push(task.hint());
    }
    task::insert(tx.conn(), tasks, at, &[]).await
}
