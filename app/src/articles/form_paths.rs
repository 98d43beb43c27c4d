//! Helpers for the forms of the article page.

use domain::{ArticleId, TaskId};

/// Converts line endings to `\n`; forms submit `\r\n`.
pub fn normalize_newlines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Returns the path after the editor's form was saved.
pub fn editor_path(id: ArticleId, then: Option<&str>) -> String {
    match then {
        Some("preview") => format!("/articles/{id}?view=preview"),
        Some("schedule") => format!("/articles/{id}?view=schedule"),
        Some("write") => format!("/articles/{id}"),
        _ => format!("/articles/{id}?done=save"),
    }
}

/// Returns the path after a change of the schedule. The page describes the change and offers undo
/// of the task.
pub fn schedule_path(id: ArticleId, done: &str, changed: Option<TaskId>) -> String {
    let changed = changed.map(|task| format!("&changed={task}")).unwrap_or_default();
    format!("/articles/{id}?view=schedule&done={done}{changed}")
}
