//! Reminders: texts that reach a person at a moment; and notifications, which an account sees in the
//! bell.

mod bulk;
pub mod decide;
mod line;
mod meeting;
mod notification;
mod notification_choices;
mod reminder;
mod repeats;
pub mod use_cases;
mod usual;

pub use bulk::{MAX_BULK_REMINDERS, ReminderSelection, RemindersChange};
pub use line::ReminderLine;
pub use meeting::{MAX_MEETING_REMINDERS, MAX_MINUTES_BEFORE, MeetingReminder, RemindBy};
pub use notification::{Notification, NotificationList, NotificationUndo, UndoneThing};
pub use notification_choices::{
    MailTime, NotificationChoice, NotificationChoices, NotificationEvent, QuietHours,
};
pub use reminder::{
    Anchor, BELL_TEXT, LocalTimeInZone, NewReminder, Plan, Recipient, RelativeTime, Reminder, ReminderAbout,
    ReminderChange, ReminderCounts, ReminderEdit, ReminderQuery, ReminderState, ReminderTime, ReminderView,
    SnoozeTime, Subject,
};
pub use repeats::{ReminderWords, Repeats};
pub use usual::{
    MAX_USUAL_REMINDERS, UsualMinutes, check_usual_minutes, minutes_text, typed_minutes, usual_minutes,
    usual_reminders,
};

/// Maximum length of the text of a reminder, in characters.
pub const MAX_TEXT_CHARS: usize = 1_000;
/// Maximum number of scheduled reminders of an account.
pub const MAX_OPEN_REMINDERS: i64 = 5_000;
/// Maximum number of scheduled reminders of users about one article or meeting.
pub const MAX_REMINDERS_ABOUT: i64 = 50;
/// How far ahead a reminder may be, in months.
pub const MAX_MONTHS_AHEAD: u32 = 60;
/// The same in milliseconds: five years with two leap days.
pub const MAX_AHEAD_MS: i64 = (5 * 365 + 2) * 24 * 3_600_000;
/// Maximum duration of a snooze, in minutes: a year.
pub const MAX_SNOOZE_MINUTES: i32 = 366 * 24 * 60;
/// Hour of the day to which *tomorrow* snoozes a reminder.
pub const TOMORROW_HOUR: u32 = 9;
