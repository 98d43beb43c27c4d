//! The URL of a page after a form: it names what was done.

use domain::{ArticleId, MeetingId, TaskId};

/// Parameters that name a result, or the form that was open.
const RESULTS: [&str; 9] =
    ["changed", "done", "deleted", "retried", "dismissed", "moved", "refused", "move", "meeting"];

/// Returns the URL of the form's page, with the parameter that makes it offer undo of the task.
#[must_use]
pub fn with_changed(from: &str, id: TaskId) -> String {
    with_result(from, &format!("changed={id}"))
}

/// Returns the URL of the form's page, with the parameter that names what was done.
#[must_use]
pub fn with_done(from: &str, done: &str) -> String {
    with_result(from, &format!("done={done}"))
}

/// Returns the URL of the form's page, with the parameter that names a meeting and what was done.
#[must_use]
pub fn with_meeting(from: &str, what: &str, id: MeetingId) -> String {
    with_result(from, &format!("meeting={what}.{id}"))
}

/// Returns the path after a change of the schedule. The page describes the change and offers undo
/// of the task.
#[must_use]
pub fn schedule_path(id: ArticleId, done: &str, changed: Option<TaskId>) -> String {
    let changed = changed.map(|task| format!("&changed={task}")).unwrap_or_default();
    format!("/articles/{id}?view=schedule&done={done}{changed}")
}

/// Replaces the result in a URL.
fn with_result(from: &str, result: &str) -> String {
    let (path, query) = from.split_once('?').unwrap_or((from, ""));
    let is_result = |part: &str| part.split_once('=').is_some_and(|(name, _)| RESULTS.contains(&name));
    let kept = query.split('&').filter(|part| !part.is_empty() && !is_result(part));
    let query: Vec<&str> = kept.chain([result]).collect();
    format!("{path}?{}", query.join("&"))
}

#[cfg(test)]
mod tests {
    use super::with_done;

    #[test]
    fn a_result_replaces_the_one_before() {
        assert_eq!(with_done("/tasks", "save"), "/tasks?done=save");
        assert_eq!(
            with_done("/tasks?q=a&changed=1&state=failed&done=x", "y"),
            "/tasks?q=a&state=failed&done=y"
        );
    }
}
