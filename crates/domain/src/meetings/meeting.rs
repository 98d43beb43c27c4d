//! Meetings, as users see them.

use super::{Attendee, NewAttendee};
use crate::{
    AccountId, LocalizedTime, MeetingId, RoomId, Timestamp, Version,
    channel::ChannelEvent,
    event::Event,
    mail_limits::HeldMail,
    reminders::{MeetingReminder, Reminder},
    series::RuleFields,
    state::{ParseEnumError, string_enum},
    task::TaskRow,
    time::Disambiguation,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

string_enum! {
    /// State of a meeting.
    MeetingState {
        /// Its room is taken: it waits until the room is free, and holds nothing.
        Waiting = "waiting",
        /// Its room became free and is held until the organizer accepts, or the offer ends.
        Offered = "offered",
        /// Waits for an approval.
        Requested = "requested",
        /// Will take place.
        Confirmed = "confirmed",
        /// Takes place.
        InProgress = "in_progress",
        /// Has taken place.
        Ended = "ended",
        /// A reviewer or an admin refused the request.
        Rejected = "rejected",
        /// No user decided the request in time.
        Expired = "expired",
        /// The organizer or an admin cancelled it.
        Cancelled = "cancelled",
        /// No user checked in, and the room was released.
        Released = "released",
    }
}

impl MeetingState {
    /// Whether it is still to come or takes place.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Requested | Self::Confirmed | Self::InProgress)
    }

    /// Whether it waits for its room, or has the offer of it.
    #[must_use]
    pub const fn is_on_waiting_list(self) -> bool {
        matches!(self, Self::Waiting | Self::Offered)
    }

    /// What channels are notified of after a change with this verb that leads to this state; `None`: nothing.
    /// `from`: `None` if the meeting is new.
    #[must_use]
    pub fn channel_event(self, verb: &str, from: Option<Self>) -> Option<ChannelEvent> {
        let is_same = from == Some(self);
        Some(match self {
            _ if ["check_in", "hold", "keep", "remind"].contains(&verb) => return None,
            Self::Waiting | Self::Offered => return None,
            _ if !self.is_open() && from.is_some_and(Self::is_on_waiting_list) => return None,
            _ if is_same && self.is_open() => ChannelEvent::MeetingChanged,
            _ if is_same => return None,
            Self::Requested => ChannelEvent::MeetingRequested,
            Self::Confirmed => ChannelEvent::MeetingConfirmed,
            Self::InProgress => ChannelEvent::MeetingStarted,
            Self::Ended => ChannelEvent::MeetingEnded,
            Self::Rejected | Self::Expired | Self::Cancelled | Self::Released => {
                ChannelEvent::MeetingCancelled
            }
        })
    }
}

/// Start and end, as entered by a user or sent by a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MeetingTime {
    /// Exact instants.
    At {
        /// Start.
        starts_at: Timestamp,
        /// End.
        ends_at: Timestamp,
        /// IANA time zone of the meeting; `None`: that of the caller, or the meeting's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<String>,
    },
    /// Local times in a time zone.
    Local {
        /// Start, `YYYY-MM-DDTHH:MM[:SS]`, no offset.
        local_start: String,
        /// End, the same.
        local_end: String,
        /// IANA name, e.g. `Europe/Berlin`.
        zone: String,
        /// Needed only where one of them occurs twice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disambiguation: Option<Disambiguation>,
    },
}

/// Input for a new meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMeeting {
    /// 1 to [`crate::input_limits::MAX_TITLE_CHARS`] characters.
    pub title: String,
    /// Plain text, at most [`super::MAX_DESCRIPTION_BYTES`] bytes.
    #[serde(default)]
    pub description: String,
    /// Its room; `None`: it needs none.
    #[serde(default)]
    pub room_id: Option<RoomId>,
    /// Address of an online meeting; `None`: it has none.
    #[serde(default)]
    pub link: Option<String>,
    /// Start and end.
    #[serde(flatten)]
    pub time: MeetingTime,
    /// At most [`super::MAX_ATTENDEES`].
    #[serde(default)]
    pub attendees: Vec<NewAttendee>,
    /// Reminders, at most [`crate::reminders::MAX_MEETING_REMINDERS`]; `None`: the usual ones of its room, else of
    /// its organizer.
    pub reminders: Option<Vec<MeetingReminder>>,
}

/// Changes to a meeting. `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingEdit {
    /// New title.
    pub title: Option<String>,
    /// New description.
    pub description: Option<String>,
    /// New room; `Some(None)`: it needs none any more.
    pub room_id: Option<Option<RoomId>>,
    /// New link; `Some(None)`: it has none any more.
    pub link: Option<Option<String>>,
    /// New start and end.
    pub time: Option<MeetingTime>,
    /// All attendees. Those who stay keep their answers.
    pub attendees: Option<Vec<NewAttendee>>,
    /// All reminders.
    pub reminders: Option<Vec<MeetingReminder>>,
}

/// A change of the state of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum MeetingChange {
    /// Takes the room that is offered.
    Accept,
    /// Leaves the room that is offered to the next who wait.
    Decline,
    /// Confirms a request.
    Approve,
    /// Refuses a request.
    Reject {
        /// Why; may be empty.
        #[serde(default)]
        reason: String,
    },
    /// Cancels it and frees the room.
    Cancel {
        /// Why; may be empty.
        #[serde(default)]
        reason: String,
    },
    /// A user is in the room, so it is not released.
    CheckIn,
    /// Ends it now.
    End,
    /// Ends it later, if the room is free.
    Extend {
        /// By how many minutes.
        minutes: i32,
    },
    /// Reverts the last change.
    Undo,
}

/// One row of the meeting list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeetingRow {
    /// Id.
    pub id: MeetingId,
    /// Title.
    pub title: String,
    /// State.
    pub state: MeetingState,
    /// Increases with every change; clients send it back with the next one.
    pub version: Version,
    /// Its room; `None`: it has none.
    pub room_id: Option<RoomId>,
    /// Name of the room; empty: it has none.
    pub room: String,
    /// Address of an online meeting.
    pub link: Option<String>,
    /// Account that organizes it.
    pub organizer_id: AccountId,
    /// Display name of the organizer.
    pub organizer: String,
    /// When it starts.
    pub starts: LocalizedTime,
    /// When it ends.
    pub ends: LocalizedTime,
    /// IANA time zone in which it was planned.
    pub zone: String,
    /// Start in that zone, `YYYY-MM-DDTHH:MM`, as a form shows it.
    pub local_start: String,
    /// End in that zone.
    pub local_end: String,
    /// Its series; `None`: it does not repeat.
    pub series_id: Option<Uuid>,
    /// How it repeats; `None`: it does not.
    #[serde(default)]
    pub repeats: Option<Repeats>,
    /// For a request: when it is decided by itself. For one that waits for its room, or has the
    /// offer: when that ends.
    pub decides: Option<LocalizedTime>,
    /// What happens then.
    pub decision: Option<super::DeadlineDecision>,
    /// Whether the deadline has passed and the request waits for an admin.
    pub is_held: bool,
    /// When a user checked in, or from when on it counts as checked in.
    pub checked_in: Option<LocalizedTime>,
    /// When the room is released unless a user checks in before.
    pub releases: Option<LocalizedTime>,
    /// Why it was rejected or cancelled; empty: no reason was given.
    pub reason: String,
    /// Number of attendees.
    pub attendee_count: u32,
    /// The change that can be undone now by the caller, if any.
    pub undo: Option<MeetingUndo>,
    /// Whether the caller may change, move, cancel and end it.
    pub may_change: bool,
    /// Whether the caller may approve and reject it now.
    pub may_approve: bool,
    /// Whether the caller may check in now.
    pub may_check_in: bool,
}

/// How a meeting repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeats {
    /// When.
    pub rule: RuleFields,
    /// IANA time zone of the rule.
    pub zone: String,
}

/// The change that an undo would revert.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingUndo {
    /// `book`, `move`, `approve`, `reject`, `cancel`, `decline`, `check_in`, `end`, `extend`, `release`.
    pub verb: String,
    /// When the change was made; the button is shown for [`crate::input_limits::UNDO_OFFER_MS`].
    pub changed_at: Timestamp,
    /// Until when it can be undone.
    pub until: Timestamp,
}

/// A meeting with its details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meeting {
    /// The list row.
    pub row: MeetingRow,
    /// Plain text.
    pub description: String,
    /// Attendees, by address.
    pub attendees: Vec<Attendee>,
    /// Mails about it that a limit holds, those that are sent next first. Empty unless the caller may change it.
    #[serde(default)]
    pub held_mails: Vec<HeldMail>,
    /// Whether the desk has a mail server, through which attendees are invited.
    #[serde(default)]
    pub has_mail_server: bool,
    /// Whether the desk has an active SMS channel.
    #[serde(default)]
    pub has_sms_channel: bool,
    /// Its scheduled tasks, next first.
    pub tasks: Vec<TaskRow>,
    /// Its reminders, by due time; without those that were removed.
    pub reminders: Vec<Reminder>,
    /// When it was booked.
    pub created: LocalizedTime,
    /// Its events, oldest first.
    pub timeline: Vec<Event>,
}

string_enum! {
    /// Which meetings a list contains.
    MeetingScope {
        /// All.
        All = "all",
        /// Those that the caller organizes or attends.
        Mine = "mine",
        /// Requests that the caller may decide.
        ToApprove = "to_approve",
    }
}

/// Number of meetings that match a query, whatever its scope, each counted up to
/// [`crate::engine::MAX_COUNTED`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingCounts {
    /// Those that the caller organizes or attends.
    pub mine: u64,
    /// Requests that the caller may decide.
    pub to_approve: u64,
    /// All.
    pub all: u64,
}

/// Query of the meeting list, which is ordered by start, then id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingQuery {
    /// Which meetings; `None`: all.
    pub scope: Option<MeetingScope>,
    /// Only meetings that end after this time.
    pub from: Option<Timestamp>,
    /// Only meetings that start before this time.
    pub to: Option<Timestamp>,
    /// Only meetings in this room.
    pub room_id: Option<RoomId>,
    /// Only meetings in this state.
    pub state: Option<MeetingState>,
    /// Only meetings of this series.
    pub series_id: Option<Uuid>,
    /// Whether a series is one meeting: the next open one that matches, else the first one. Requests to
    /// approve are listed one by one.
    #[serde(default)]
    pub is_one_per_series: bool,
    /// Only meetings whose title contains this text.
    pub q: Option<String>,
    /// Whether the latest start comes first.
    #[serde(default)]
    pub is_latest_first: bool,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}
