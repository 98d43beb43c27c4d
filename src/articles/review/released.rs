//! Tasks that an approval releases.

use domain::{AccountId, Hint, KindClass, TaskId, Timestamp, Version};
use serde_json::json;
use store::{StoreError, approval::ReleasedTask, event::NewEvent};

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
    let event = |task: &ReleasedTask| NewEvent {
        to_state: Some("scheduled"),
        version: Some(task.version),
        // The channels are notified that the article is no longer held.
        detail: json!({ "due_at": at, "is_released": true }).to_string(),
        ..NewEvent::simple(at, by, "task", task.id, "retry")
    };
    tasks.iter().map(event).collect()
}
