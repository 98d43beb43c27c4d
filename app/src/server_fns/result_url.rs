//! The URL of a page after a form: it names what was done, until the web layer moves that into a cookie.

use domain::{ArticleId, MeetingId, TaskId};

/// Parameter with the id of the result: its words are in the cookie of this id.
pub const ID: &str = "r";

/// Words that name a result. The web layer takes them out of a redirect and puts them into a cookie.
const RESULTS: [&str; 8] =
    ["changed", "deleted", "dismissed", "done", "meeting", "moved", "reopened", "retried"];
/// Words that say more about a result.
const DETAILS: [&str; 6] = ["account", "began", "card", "ended", "held", "refused"];

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

/// Replaces the result in a URL, and closes the form that was open.
fn with_result(from: &str, result: &str) -> String {
    let (path, query) = from.split_once('?').unwrap_or((from, ""));
    let is_result = |part: &str| {
        let name = name_of(part);
        RESULTS.contains(&name) || [ID, "move", "refused"].contains(&name)
    };
    let kept = query.split('&').filter(|part| !part.is_empty() && !is_result(part));
    let query: Vec<&str> = kept.chain([result]).collect();
    format!("{path}?{}", query.join("&"))
}

/// Takes the result out of a path on this server. Returns the path without result, and the words of the
/// result as a query; empty: the path names none.
#[must_use]
pub fn take_result(path: &str) -> (String, String) {
    let (address, anchor) = path.find('#').map_or((path, ""), |at| path.split_at(at));
    let (page, query) = address.split_once('?').unwrap_or((address, ""));
    let parts: Vec<&str> = query.split('&').filter(|part| !part.is_empty() && name_of(part) != ID).collect();
    let has_result = parts.iter().any(|part| RESULTS.contains(&name_of(part)));
    let is_word = |name: &str| RESULTS.contains(&name) || DETAILS.contains(&name);
    let (words, kept): (Vec<&str>, Vec<&str>) =
        parts.into_iter().partition(|part| has_result && is_word(name_of(part)));
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    (format!("{page}{query}{anchor}"), words.join("&"))
}

/// Returns the path with the id of the result that it shows.
#[must_use]
pub fn with_id(path: &str, id: &str) -> String {
    let (address, anchor) = path.find('#').map_or((path, ""), |at| path.split_at(at));
    let between = if address.contains('?') { '&' } else { '?' };
    format!("{address}{between}{ID}={id}{anchor}")
}

/// Name of a part of a query.
fn name_of(part: &str) -> &str {
    part.split('=').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{take_result, with_done, with_id};

    #[test]
    fn a_result_replaces_the_one_before() {
        assert_eq!(with_done("/tasks", "save"), "/tasks?done=save");
        assert_eq!(
            with_done("/tasks?q=a&changed=1&state=failed&done=x", "y"),
            "/tasks?q=a&state=failed&done=y"
        );
        assert_eq!(with_done("/tasks?r=1&q=a&move=7", "y"), "/tasks?q=a&done=y");
    }

    #[test]
    fn the_words_of_a_result_leave_the_path() {
        for (path, page, words) in [
            ("/tasks?q=a&done=bulk-moved.1.2", "/tasks?q=a", "done=bulk-moved.1.2"),
            ("/people?done=role&account=7", "/people", "done=role&account=7"),
            ("/channels/1?done=save&tab=settings#log", "/channels/1?tab=settings#log", "done=save"),
            ("/?retried=3&refused=0&held=true", "/", "retried=3&refused=0&held=true"),
            ("/people?account=7&r=old", "/people?account=7", ""),
            ("/", "/", ""),
        ] {
            assert_eq!(take_result(path), (page.to_owned(), words.to_owned()), "{path}");
        }
        assert_eq!(with_id("/tasks", "1f"), "/tasks?r=1f");
        assert_eq!(with_id("/tasks?q=a#log", "1f"), "/tasks?q=a&r=1f#log");
    }
}
