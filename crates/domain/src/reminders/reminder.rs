//! Reminders, as users and programs see them.

use super::Repeats;
use crate::{
    AccountId, ChannelId, LocalizedTime, ReminderId, TaskId, Timestamp, Version, When,
    mail_limits::HeldMail,
    series::RuleFields,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

string_enum! {
    /// State of a reminder.
    ReminderState {
        /// Waits for its moment.
        Scheduled = "scheduled",
        /// Sent; the recipient has not marked it as done.
        Sent = "sent",
        /// Marked as done.
        Done = "done",
        /// Cancelled, by a user or with what it was about.
        Cancelled = "cancelled",
        /// Its moment had passed before it could be scheduled.
        Skipped = "skipped",
        /// It could not be sent.
        Failed = "failed",
    }
}

string_enum! {
    /// From where on the moment of a reminder counts.
    Anchor {
        /// The start of a meeting, or the publication of an article.
        Start = "start",
        /// The end of a meeting.
        End = "end",
    }
}

string_enum! {
    /// Part of the list of reminders.
    ReminderView {
        /// Those of today, and those that were sent and are not done.
        Today = "today",
        /// Those of later days.
        Coming = "coming",
        /// Done, cancelled and skipped ones, latest first.
        Done = "done",
    }
}

string_enum! {
    /// What a reminder can be about.
    Subject {
        /// An article.
        Article = "article",
        /// A meeting.
        Meeting = "meeting",
    }
}

/// A moment that follows an article or a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelativeTime {
    /// What it follows.
    pub subject: Subject,
    /// Id of the article or meeting.
    pub id: Uuid,
    /// From where on it counts; an article has only a start, its publication.
    pub anchor: Anchor,
    /// Minutes after that; negative: before.
    pub offset_minutes: i32,
}

/// Stored text of a reminder for [`Recipient::Bell`]. The table has one kind for attendees, whose text is empty
/// if they get a mail.
pub const BELL_TEXT: &str = "bell";

/// Whom a reminder reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "value")]
pub enum Recipient {
    /// An account: a notification in the desk.
    Account(AccountId),
    /// A mail address.
    Mail(String),
    /// A channel.
    Channel(ChannelId),
    /// The organizer and the attendees of its meeting, by mail.
    Attendees,
    /// The organizer and the attendees of its meeting who have an account: notifications in the desk.
    Bell,
    /// The recipients of the first SMS channel.
    Sms,
}

impl Recipient {
    /// Word in JSON.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Account(_) => "account",
            Self::Mail(_) => "mail",
            Self::Channel(_) => "channel",
            Self::Attendees => "attendees",
            Self::Bell => "bell",
            Self::Sms => "sms",
        }
    }

    /// Word in SQL, see [`BELL_TEXT`].
    #[must_use]
    pub const fn stored_kind(&self) -> &'static str {
        match self {
            Self::Bell => "attendees",
            other => other.kind(),
        }
    }

    /// The account or channel.
    #[must_use]
    pub const fn id(&self) -> Option<Uuid> {
        match self {
            Self::Account(id) => Some(id.0),
            Self::Channel(id) => Some(id.0),
            Self::Mail(_) | Self::Attendees | Self::Bell | Self::Sms => None,
        }
    }

    /// The mail address.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::Mail(address) => Some(address),
            _ => None,
        }
    }
}

/// When a reminder is sent, as a user says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReminderTime {
    /// At an instant or a local time.
    At(When),
    /// In words, such as `tomorrow 9am`, or `every monday 9am` for a series.
    Words {
        /// The words.
        text: String,
        /// Time zone unless the words name one; `None`: that of the user.
        zone: Option<String>,
    },
    /// Before or after a moment of an article or a meeting, with which it moves. Only for a new
    /// reminder.
    Relative(RelativeTime),
}

/// Input for a new reminder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewReminder {
    /// What it says.
    pub text: String,
    /// Whom it reaches; `None`: the user who creates it.
    pub recipient: Option<Recipient>,
    /// When it is sent.
    pub time: ReminderTime,
    /// How it repeats from that time on; `None`: as the words say, or not at all.
    #[serde(default)]
    pub repeats: Option<RuleFields>,
}

/// New values of a reminder; `None`: unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderEdit {
    /// What it says.
    pub text: Option<String>,
    /// Whom it reaches.
    pub recipient: Option<Recipient>,
    /// When it is sent.
    pub time: Option<ReminderTime>,
    /// How it repeats from that time on; `None`: as before, or as the words say.
    #[serde(default)]
    pub repeats: Option<Box<RuleFields>>,
    /// Whether all coming occurrences of its series change. Otherwise only the next one does, and
    /// leaves its series.
    #[serde(default)]
    pub is_whole_series: bool,
}

/// Until when a reminder is put off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SnoozeTime {
    /// By this number of minutes from now on.
    Minutes(i32),
    /// To the next morning in the user's zone.
    Tomorrow,
}

/// A change of a reminder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do", content = "value")]
pub enum ReminderChange {
    /// New text, time or recipient.
    Edit(ReminderEdit),
    /// Puts it off.
    Snooze(SnoozeTime),
    /// Marks it as done.
    Done,
    /// Cancels it. Its series goes on.
    Cancel,
    /// Cancels it and all that would follow in its series.
    CancelSeries,
    /// Undoes the last change.
    Undo,
}

/// A local time and its zone, as entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalTimeInZone {
    /// `YYYY-MM-DDTHH:MM[:SS]`.
    pub local: String,
    /// IANA time zone.
    pub zone: String,
}

/// State and moment of a reminder. A change replaces it as a whole, and undo brings it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// State.
    pub state: ReminderState,
    /// When it is or was due.
    pub due_at: Timestamp,
    /// Local time as entered; `None`: an exact instant.
    #[serde(default)]
    pub local: Option<LocalTimeInZone>,
    /// Whether a user chose another moment than what it is about gives.
    #[serde(default)]
    pub is_snoozed: bool,
    /// Why it is in its state: a code, see [`crate::task::reason`].
    #[serde(default)]
    pub reason: Option<String>,
    /// How it repeats; `None`: it is not the coming occurrence of a series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
}

/// What a reminder is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderAbout {
    /// What it is.
    pub subject: Subject,
    /// The article or meeting.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// From where on the moment counts.
    pub anchor: Anchor,
    /// Minutes after that; negative: before.
    pub offset_minutes: i32,
}

/// A reminder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reminder {
    /// Id.
    pub id: ReminderId,
    /// What it says; empty: it says what when and where its meeting is.
    pub text: String,
    /// Whom it reaches.
    pub recipient: Recipient,
    /// Name of the account or channel, or the address; empty: it has none.
    pub recipient_name: String,
    /// State.
    pub state: ReminderState,
    /// Increases with every change.
    pub version: Version,
    /// When it is or was due.
    pub due: LocalizedTime,
    /// Local time as entered; `None`: an exact instant.
    pub local: Option<LocalTimeInZone>,
    /// How it repeats; `None`: it is not the coming occurrence of a series.
    pub repeats: Option<Repeats>,
    /// What it is about; `None`: nothing else.
    pub about: Option<ReminderAbout>,
    /// Why it is in its state: a code, see [`crate::task::reason`].
    pub reason: Option<String>,
    /// When it was sent.
    pub sent: Option<LocalizedTime>,
    /// Account that created it.
    pub owner_id: AccountId,
    /// Its name.
    pub owner: String,
    /// When it was created.
    pub created: LocalizedTime,
    /// Its task; `None`: it was never scheduled.
    pub task_id: Option<TaskId>,
    /// Verb of the last change, if it can be undone.
    pub undo: Option<String>,
    /// Whether the user may edit, cancel and undo.
    pub may_change: bool,
    /// Its mails that a limit holds, those that are sent next first. Empty unless the user may change it.
    pub held_mails: Vec<HeldMail>,
}

/// Query of the list: reminders that the user created or that are for the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderQuery {
    /// Part of the list; `None`: all, by due time.
    pub view: Option<ReminderView>,
    /// Only reminders in this state.
    pub state: Option<ReminderState>,
    /// Only reminders that contain this text: in their own, in the name of the recipient, or in the title
    /// of what they are about.
    pub q: Option<String>,
    /// Whether the latest comes first; `None`: only of those that are done.
    pub is_latest_first: Option<bool>,
    /// First day, `YYYY-MM-DD` in the user's time zone; the latest day if the latest comes first. Ignored
    /// with a cursor.
    pub day: Option<String>,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// Number of reminders in each part of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderCounts {
    /// Today's, and those that were sent and are not done.
    pub today: u64,
    /// Those of later days.
    pub coming: u64,
    /// Done, cancelled and skipped ones.
    pub done: u64,
}
