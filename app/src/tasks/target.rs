//! What a task acts on, as far as pages link to it.

use crate::{meetings::texts::MeetingTexts, messages::texts::MessageTexts, tasks::texts::TaskTexts};
use domain::task::TaskRow;

/// Page of the target of a task.
#[must_use]
pub fn target_page(row: &TaskRow) -> String {
    let folder = match row.kind.as_str() {
        "message.send" => "messages",
        // A page of a rule is found by its waits too.
        "rule.fire" | "rule.update_waits" => "rules",
        kind if kind.starts_with("release.") => "releases",
        kind if kind.starts_with("signal.") => return "/rules".to_owned(),
        kind if kind.starts_with("reminder.") => return "/reminders".to_owned(),
        kind if kind.starts_with("review.") => return "/review".to_owned(),
        // A series has no page of its own; its meetings have.
        kind if kind.starts_with("series.") => return "/meetings".to_owned(),
        _ if is_of_meeting(row) => "meetings",
        _ => "articles",
    };
    format!("/{folder}/{}", row.target_id)
}

/// Label of the link to the page of the target.
#[must_use]
pub fn open_label(row: &TaskRow) -> &'static str {
    match row.kind.as_str() {
        "message.send" => MessageTexts::here().open(),
        "rule.fire" | "rule.update_waits" => TaskTexts::here().open_rule(),
        "release.publish" | "release.revert" => TaskTexts::here().open_release(),
        "signal.send" => TaskTexts::here().open_rules(),
        _ if is_of_meeting(row) => MeetingTexts::here().open(),
        _ => TaskTexts::here().open_article(),
    }
}

/// Whether the target of a task is a meeting or a series of meetings.
#[must_use]
pub fn is_of_meeting(row: &TaskRow) -> bool {
    ["meeting.", "series."].iter().any(|kind| row.kind.as_str().starts_with(kind))
}
