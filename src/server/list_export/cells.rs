//! Columns and cells of the exported lists.

use domain::{
    LocalizedTime, article::ArticleRow, meetings::MeetingRow, message::MessageRow, reminders::Reminder,
    task::TaskRow,
};

/// Columns of the tasks.
pub const TASK: [&str; 9] =
    ["id", "title", "kind", "state", "due_at", "executed_at", "priority", "owner", "reason"];
/// Columns of the articles.
pub const ARTICLE: [&str; 8] =
    ["id", "title", "slug", "state", "published_at", "next_due_at", "changed_at", "owner"];
/// Columns of the meetings.
pub const MEETING: [&str; 9] =
    ["id", "title", "state", "starts_at", "ends_at", "zone", "room", "organizer", "attendees"];
/// Columns of the reminders.
pub const REMINDER: [&str; 8] = ["id", "text", "state", "due_at", "sent_at", "recipient", "about", "owner"];
/// Columns of the messages.
pub const MESSAGE: [&str; 9] =
    ["id", "key", "channel", "state", "due_at", "executed_at", "priority", "attempts", "reason"];

pub fn task(row: &TaskRow) -> [String; 9] {
    [
        row.id.to_string(),
        row.title.clone(),
        row.kind.as_str().to_owned(),
        row.state.as_str().to_owned(),
        row.due.at.to_string(),
        moment(row.executed),
        row.priority.as_str().to_owned(),
        row.owner.clone(),
        row.reason.clone().unwrap_or_default(),
    ]
}

pub fn article(row: &ArticleRow) -> [String; 8] {
    [
        row.id.to_string(),
        row.title.clone(),
        row.slug.clone(),
        row.state.as_str().to_owned(),
        moment(row.published),
        moment(row.waiting.as_ref().map(|task| task.due)),
        row.changed.at.to_string(),
        row.owner.clone(),
    ]
}

pub fn meeting(row: &MeetingRow) -> [String; 9] {
    [
        row.id.to_string(),
        row.title.clone(),
        row.state.as_str().to_owned(),
        row.starts.at.to_string(),
        row.ends.at.to_string(),
        row.zone.clone(),
        row.room.clone(),
        row.organizer.clone(),
        row.attendee_count.to_string(),
    ]
}

pub fn reminder(row: &Reminder) -> [String; 8] {
    [
        row.id.to_string(),
        row.text.clone(),
        row.state.as_str().to_owned(),
        row.due.at.to_string(),
        moment(row.sent),
        row.recipient_name.clone(),
        row.about.as_ref().map(|about| about.title.clone()).unwrap_or_default(),
        row.owner.clone(),
    ]
}

pub fn message(row: &MessageRow) -> [String; 9] {
    [
        row.id.to_string(),
        row.key.clone(),
        row.channel.clone().unwrap_or_default(),
        row.state.as_str().to_owned(),
        row.due.at.to_string(),
        moment(row.executed),
        row.priority.as_str().to_owned(),
        row.attempts.to_string(),
        row.reason.clone().unwrap_or_default(),
    ]
}

/// An instant; empty: there is none.
fn moment(at: Option<LocalizedTime>) -> String {
    at.map(|at| at.at.to_string()).unwrap_or_default()
}
