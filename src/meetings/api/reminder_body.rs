//! Reminders of meetings as the API reads and returns them.

use crate::{
    deliveries::outside::api::HeldMailBody,
    http::api::{extract::word, numbers::required_integer},
};
use domain::{
    DomainError, Timestamp,
    reminders::{Anchor, MeetingReminder, RemindBy, Reminder},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A reminder of a meeting.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingReminderBody {
    /// `start` or `end`: what it counts from.
    before: String,
    /// How long before, in minutes; at most a year.
    #[serde(deserialize_with = "required_integer")]
    #[schema(minimum = 1, maximum = 527_040)]
    minutes: i32,
    /// `bell` (in the desk, for the organizer and the attendees who have an account), `mail` (to the organizer and
    /// the attendees) or `sms` (to the recipients of the first SMS channel).
    by: String,
}

/// Reads reminders.
pub fn reminders(bodies: Vec<MeetingReminderBody>) -> Result<Vec<MeetingReminder>, DomainError> {
    let one = |body: MeetingReminderBody| {
        Ok(MeetingReminder {
            before: word("reminders", &body.before, Anchor::NAMES)?,
            minutes: body.minutes,
            by: word("reminders", &body.by, RemindBy::NAMES)?,
        })
    };
    bodies.into_iter().map(one).collect()
}

/// A reminder of a meeting, as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingReminderItem {
    /// Id of the reminder.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `start` or `end`: what it counts from.
    before: &'static str,
    /// How long before, in minutes.
    minutes: i32,
    /// `bell`, `mail`, `sms`, or another recipient of a reminder.
    by: &'static str,
    /// When it is or was due.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// `scheduled`, `sent`, `done`, `cancelled` (with the meeting), `skipped` (its moment had passed)
    /// or `failed`.
    state: &'static str,
    /// Why it is in its state.
    reason: Option<String>,
    /// Its mails that a limit holds, those that are sent next first. Empty unless the caller may change it.
    held_mails: Vec<HeldMailBody>,
}

impl From<Reminder> for MeetingReminderItem {
    fn from(row: Reminder) -> Self {
        let by = match row.recipient.kind() {
            "attendees" => "mail",
            other => other,
        };
        Self {
            id: row.id.0,
            before: row.about.as_ref().map_or("start", |about| about.anchor.as_str()),
            minutes: row.about.as_ref().map_or(0, |about| -about.offset_minutes),
            by,
            due_at: row.due.at,
            state: row.state.as_str(),
            reason: row.reason,
            held_mails: row.held_mails.into_iter().map(HeldMailBody::from).collect(),
        }
    }
}
