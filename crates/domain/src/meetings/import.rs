//! Meetings from a calendar file.

use crate::{
    DomainError, LocalizedTime, MeetingId, RoomId,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum size of a calendar file, in bytes: 10 MiB.
pub const MAX_IMPORT_BYTES: usize = 10 * 1024 * 1024;
/// Maximum number of events of a calendar file.
pub const MAX_IMPORT_EVENTS: usize = 5_000;
/// Maximum number of events of a calendar file that repeat.
pub const MAX_IMPORT_SERIES: u32 = 100;
/// Maximum number of invitations of a calendar file: attendees of all its meetings.
pub const MAX_IMPORT_INVITATIONS: usize = 5_000;

string_enum! {
    /// What happens if an event of a file cannot become a meeting.
    OnProblem {
        /// Nothing is imported.
        Refuse = "refuse",
        /// The others are imported.
        Skip = "skip",
    }
}

string_enum! {
    /// What happens to the attendees of the events of a file.
    ImportAttendees {
        /// They are left out.
        Ignore = "none",
        /// They are invited.
        Invite = "invite",
    }
}

/// A calendar file to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeetingImport {
    /// iCalendar text (RFC 5545).
    pub text: String,
    /// The room of all events; `None`: each has the room that it names, or none.
    pub room_id: Option<RoomId>,
    /// Whether it is only checked.
    pub is_dry_run: bool,
    /// What happens if an event cannot become a meeting.
    pub on_problem: OnProblem,
    /// What happens to the attendees.
    pub attendees: ImportAttendees,
}

/// Why an event does not become a meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportProblem {
    /// It takes whole days.
    AllDay,
    /// It has no start, or one that cannot be read.
    NoStart,
    /// It is a moment, not a span.
    NoEnd,
    /// It has no UID, by which it would be known again.
    NoUid,
    /// Another event of the file has its UID.
    Duplicate,
    /// It does not take place.
    Cancelled,
    /// It has begun.
    Past,
    /// Its time zone is unknown.
    Zone {
        /// As the file names it.
        name: String,
    },
    /// An attendee has no valid e-mail address.
    Attendee {
        /// As the file names it.
        address: String,
    },
    /// Another meeting takes the room then.
    Taken {
        /// Title of that meeting.
        title: String,
    },
    /// Something else: a rule that cannot be expressed, a text that is too long.
    Invalid {
        /// The error.
        refusal: DomainError,
    },
}

impl ImportProblem {
    /// Its code in the API.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AllDay => "all_day",
            Self::NoStart => "no_start",
            Self::NoEnd => "no_end",
            Self::NoUid => "no_uid",
            Self::Duplicate => "duplicate",
            Self::Cancelled => "cancelled",
            Self::Past => "past",
            Self::Zone { .. } => "unknown_zone",
            Self::Attendee { .. } => "bad_attendee",
            Self::Taken { .. } => "room_taken",
            Self::Invalid { .. } => "invalid",
        }
    }
}

/// What becomes of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// It becomes a meeting; of a series, this is the first one.
    New(MeetingId),
    /// It was imported before, or comes from this desk. Nothing is changed.
    Known,
    /// It does not become a meeting.
    Refused(ImportProblem),
}

/// An event of a calendar file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportItem {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Title.
    pub title: String,
    /// When it starts, of a series the first one; `None`: unknown.
    pub starts: Option<LocalizedTime>,
    /// When it ends.
    pub ends: Option<LocalizedTime>,
    /// Name of its room; empty: it has none.
    pub room: String,
    /// Number of meetings that are booked at once.
    pub count: usize,
    /// Number of attendees who are invited to each.
    #[serde(default)]
    pub attendees: usize,
    /// What becomes of it.
    pub outcome: ImportOutcome,
}

/// What becomes of the events of a calendar file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportReport {
    /// Whether the new ones were written.
    pub is_written: bool,
    /// The events, by line.
    pub items: Vec<ImportItem>,
}

impl ImportReport {
    /// Numbers of events that are new, known and refused.
    #[must_use]
    pub fn counts(&self) -> (usize, usize, usize) {
        let count =
            |is_it: fn(&ImportOutcome) -> bool| self.items.iter().filter(|item| is_it(&item.outcome)).count();
        (
            count(|outcome| matches!(outcome, ImportOutcome::New(_))),
            count(|outcome| matches!(outcome, ImportOutcome::Known)),
            count(|outcome| matches!(outcome, ImportOutcome::Refused(_))),
        )
    }
}
