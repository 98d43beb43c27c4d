//! Tasks: dashboard, list, one task, and changes.

pub use crate::server_fns::result_url::with_changed;
#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused, time_of_form::TimeOfForm};
#[cfg(feature = "ssr")]
use domain::Version;
use domain::{
    DomainError, TaskId,
    error::ValidationError,
    task::{Change, Task, TaskRow},
};
use leptos::prelude::*;

/// A task with its history.
#[server(name = FindTask, prefix = "/fn", endpoint = "task", output = JsonOutput)]
pub async fn find_task(id: String) -> Result<Task, Refused> {
    ssr::respond(
        async {
            let id: TaskId = id.parse().map_err(|_| DomainError::no_such("task"))?;
            ssr::services()?.tasks.find(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// Changes a task; `what` is `cancel`, `publish_now`, `undo`, `retry` or `replace_revision`.
#[server(name = ChangeTask, prefix = "/fn", endpoint = "change_task", output = JsonOutput)]
pub async fn change_task(id: TaskId, seen: i32, what: String, from: String) -> Result<TaskRow, Refused> {
    ssr::respond(apply_change(id, seen, &what, &from).await)
}

/// Changes a task and redirects to the page of the form.
#[cfg(feature = "ssr")]
pub(super) async fn apply_change(
    id: TaskId,
    seen: i32,
    what: &str,
    from: &str,
) -> Result<TaskRow, DomainError> {
    let change = change_named(what)?;
    let result = ssr::services()?.tasks.change(&ssr::actor()?, id, change.clone(), Version(seen)).await;
    let row = ssr::accept_duplicate(result, &change, Version(seen))?;
    ssr::redirect_back(&with_changed(from, row.id));
    Ok(row)
}

/// Reschedules a task.
#[server(name = MoveTask, prefix = "/fn", endpoint = "move_task", output = JsonOutput)]
pub async fn move_task(
    id: TaskId,
    seen: i32,
    #[server(flatten)] time: TimeOfForm,
    from: String,
) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let when = ssr::time_of_form(&ssr::services()?, &ssr::actor()?, &time).await?;
            let due_at = ssr::services()?.tasks.resolve(&ssr::actor()?, &when).await?.at;
            let change = Change::Reschedule { when };
            let result = ssr::services()?.tasks.change(&ssr::actor()?, id, change, Version(seen)).await;
            let row =
                ssr::accept_duplicate(result, &Change::Reschedule { when: due_at.into() }, Version(seen))?;
            ssr::redirect_back(&with_changed(&from, row.id));
            Ok(row)
        }
        .await,
    )
}

/// Returns the change that a form value names; `Invalid` for an unknown value.
pub fn change_named(what: &str) -> Result<Change, DomainError> {
    Ok(match what {
        "cancel" => Change::Cancel,
        "publish_now" => Change::PublishNow,
        "undo" => Change::Undo,
        "retry" => Change::Retry,
        "replace_revision" => Change::ReplaceRevision,
        _ => {
            let words = "cancel, publish_now, undo, retry, replace_revision".to_owned();
            return Err(DomainError::invalid("what", ValidationError::NotOneOf { words }));
        }
    })
}
