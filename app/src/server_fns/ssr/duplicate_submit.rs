//! Makes forms idempotent: the second submit of the same form gets the result of the first.

use domain::{
    Actor, ArticleId, DomainError, Kind, Services, State, Timestamp, Version, When,
    task::{Change, TaskRow},
};

/// Accepts a conflict if the change is already done: the task has the requested state and the next
/// version.
pub fn accept_duplicate(
    result: Result<TaskRow, DomainError>,
    change: &Change,
    seen: Version,
) -> Result<TaskRow, DomainError> {
    let is_done = |task: &TaskRow| {
        task.version.0 == seen.0 + 1
            && match change {
                Change::Cancel => task.state == State::Cancelled,
                Change::PublishNow | Change::Retry => {
                    matches!(task.state, State::Scheduled | State::Executed)
                        && task.undo.as_ref().is_none_or(|undo| undo.verb != "reschedule")
                }
                Change::Reschedule { when: When::At { due_at } } => {
                    task.state == State::Scheduled && task.due.at == *due_at
                }
                _ => false,
            }
    };
    match result {
        Err(DomainError::TaskConflict { task, .. }) if is_done(&task) => Ok(*task),
        other => other,
    }
}

/// Accepts a conflict if the same task is already scheduled at `due_at` with the same text.
pub async fn accept_duplicate_schedule(
    result: Result<TaskRow, DomainError>,
    (services, actor): (&Services, &Actor),
    (article, kind): (ArticleId, Kind),
    due_at: Timestamp,
) -> Result<TaskRow, DomainError> {
    let Err(DomainError::AlreadyScheduled { task }) = result else { return result };
    if task.due.at != due_at {
        return Err(DomainError::AlreadyScheduled { task });
    }
    let pinned = services.tasks.find(actor, task.id).await?.revision;
    let found = services.articles.find(actor, article).await?;
    let approved = found.approved.map(|approved| approved.revision);
    let is_same = kind == Kind::ArticleUnpublish
        || pinned == Some(found.row.revision)
        || (pinned.is_some() && pinned == approved);
    if is_same { Ok(*task) } else { Err(DomainError::AlreadyScheduled { task }) }
}
