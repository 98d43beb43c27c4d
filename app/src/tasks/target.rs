//! What a task acts on, as far as pages link to it.

use domain::task::TaskRow;

/// Page of the target of a task.
#[must_use]
pub fn target_page(row: &TaskRow) -> String {
    // A series has no page of its own; its meetings have.
    if row.kind.as_str().starts_with("series.") {
        return "/meetings".to_owned();
    }
    let folder = if is_of_meeting(row) { "meetings" } else { "articles" };
    format!("/{folder}/{}", row.target_id)
}

/// Whether the target of a task is a meeting or a series of meetings.
#[must_use]
pub fn is_of_meeting(row: &TaskRow) -> bool {
    ["meeting.", "series."].iter().any(|kind| row.kind.as_str().starts_with(kind))
}
