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
/// Maximum number of meetings that a calendar file changes or cancels.
pub const MAX_IMPORT_CHANGES: usize = 1_000;
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

string_enum! {
    /// What happens to meetings that were imported before, if the file has a newer event.
    OnKnown {
        /// They are updated or cancelled.
        Update = "update",
        /// They are left as they are.
        Keep = "keep",
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
    /// What happens to meetings that are known.
    pub on_known: OnKnown,
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
    /// The file defines its time zone differently from the zone of this name.
    ZoneDiffers {
        /// As the file names it.
        name: String,
    },
    /// The file answers or asks something: it neither adds nor changes events.
    Method {
        /// `REPLY`, `COUNTER`, `REFRESH` and the like.
        name: String,
    },
    /// It changes the following times of a series that is not known.
    NoSeries,
    /// The series was changed here, or cannot be changed as the file wants.
    ChangedHere,
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
            Self::ZoneDiffers { .. } => "zone_differs",
            Self::Method { .. } => "method",
            Self::NoSeries => "no_series",
            Self::ChangedHere => "changed_here",
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
    /// What was imported before is changed; of a series, this is the first one that is still to come.
    Update(MeetingId),
    /// What was imported before is cancelled.
    Cancel(MeetingId),
    /// It is older than what was imported before, or than another event of the file. Nothing is changed.
    Older,
    /// It only changes a series of the file.
    Merged,
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
    /// When it starts before the change; `None`: it is new, or stays at its time.
    #[serde(default)]
    pub was: Option<LocalizedTime>,
    /// IANA time zone in which it is planned; empty: unknown.
    #[serde(default)]
    pub zone: String,
    /// Whether times of a series that have passed are left out.
    #[serde(default)]
    pub is_running: bool,
    /// Last date of a series that goes further ahead than allowed, `YYYY-MM-DD`; `None`: it does not.
    #[serde(default)]
    pub shortened_to: Option<String>,
    /// What becomes of it.
    pub outcome: ImportOutcome,
}

impl ImportItem {
    /// An event without a meeting.
    #[must_use]
    pub fn new(line: usize, title: String, outcome: ImportOutcome) -> Self {
        Self {
            line,
            title,
            starts: None,
            ends: None,
            room: String::new(),
            count: 0,
            attendees: 0,
            was: None,
            zone: String::new(),
            is_running: false,
            shortened_to: None,
            outcome,
        }
    }
}

/// What becomes of the events of a calendar file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportReport {
    /// Whether the new ones were written.
    pub is_written: bool,
    /// The events, by line.
    pub items: Vec<ImportItem>,
}

/// Numbers of events by what becomes of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// They become meetings.
    pub new: usize,
    /// They were imported before, or change nothing by themselves.
    pub known: usize,
    /// They change what was imported before.
    pub update: usize,
    /// They cancel what was imported before.
    pub cancel: usize,
    /// They cannot become meetings.
    pub refused: usize,
}

impl ImportCounts {
    /// Number of events that are written.
    #[must_use]
    pub fn written(self) -> usize {
        self.new + self.update + self.cancel
    }
}

impl ImportReport {
    /// Numbers of events by what becomes of them.
    #[must_use]
    pub fn counts(&self) -> ImportCounts {
        let mut counts = ImportCounts::default();
        for item in &self.items {
            let count = match item.outcome {
                ImportOutcome::New(_) => &mut counts.new,
                ImportOutcome::Known | ImportOutcome::Older | ImportOutcome::Merged => &mut counts.known,
                ImportOutcome::Update(_) => &mut counts.update,
                ImportOutcome::Cancel(_) => &mut counts.cancel,
                ImportOutcome::Refused(_) => &mut counts.refused,
            };
            *count += 1;
        }
        counts
    }
}
