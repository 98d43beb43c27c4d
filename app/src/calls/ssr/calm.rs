//! A form that was sent twice: the second time is answered with what the first one did.

use domain::{
    Actor, ArticleId, Desk, Kind, Refusal, State, Timestamp, Version, When,
    task::{Change, TaskRow},
};

/// The answer to a change of the task that was seen in this version; if it was refused because the task stands already as the change
/// would have it, one version on, the task.
pub fn calm(answer: Result<TaskRow, Refusal>, change: &Change, seen: Version) -> Result<TaskRow, Refusal> {
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
    match answer {
        Err(Refusal::TaskConflict { task }) if is_done(&task) => Ok(*task),
        other => other,
    }
}

/// The answer to a wish for a new task at `due_at`; if it was refused because the same waits already, with the same text, that.
pub async fn calm_schedule(
    answer: Result<TaskRow, Refusal>,
    (desk, actor): (&Desk, &Actor),
    (article, kind): (ArticleId, Kind),
    due_at: Timestamp,
) -> Result<TaskRow, Refusal> {
    let Err(Refusal::AlreadyScheduled { task }) = answer else { return answer };
    if task.due.at != due_at {
        return Err(Refusal::AlreadyScheduled { task });
    }
    let pinned = desk.tasks.find(actor, task.id).await?.revision;
    let current = desk.articles.find(actor, article).await?.row.revision;
    let is_same = kind == Kind::ArticleUnpublish || pinned == Some(current);
    if is_same { Ok(*task) } else { Err(Refusal::AlreadyScheduled { task }) }
}
