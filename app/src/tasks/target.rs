//! What a task acts on, as far as pages link to it.

use domain::task::TaskRow;

/// Page of the target of a task.
#[must_use]
pub fn target_page(row: &TaskRow) -> String {
    if row.kind.as_str().starts_with("review.") {
        return "/review".to_owned();
    }
    let folder = if is_of_meeting(row) { "meetings" } else { "articles" };
    format!("/{folder}/{}", row.target_id)
}

/// Whether the target of a task is a meeting.
#[must_use]
pub fn is_of_meeting(row: &TaskRow) -> bool {
    row.kind.as_str().starts_with("meeting.")
}
