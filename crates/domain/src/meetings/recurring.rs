//! Meetings that repeat: what a series gives to each of its occurrences.

use super::{LocalSpan, Meeting, MeetingEdit, MeetingState, NewMeeting, OccurrenceConflict};
use crate::{
    LocalizedTime, MeetingId, RoomId, Timestamp,
    base::local_time::minute_text,
    reminders::MeetingReminder,
    series::{
        Choices, MovedOccurrences, Occurrence, OccurrenceMark, Reach, RuleFields, Series, SkippedTime,
        ZoneRules, instant_of,
    },
    state::{ParseEnumError, string_enum},
};
use jiff::{ToSpan as _, civil::DateTime};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;
/// Maximum number of occurrences of a series that its page lists.
pub const MAX_LISTED_OCCURRENCES: usize = 60;

string_enum! {
    /// What a new series does with occurrences whose room is not free.
    OnConflict {
        /// Nothing is booked.
        Refuse = "refuse",
        /// The others are booked.
        Skip = "skip",
    }
}

/// What each occurrence of a series gets, as stored with the series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingTemplate {
    /// Plain text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its room; `None`: it needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    /// Address of an online meeting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Length in wall-clock time.
    pub length_minutes: i32,
    /// Addresses and names; an empty name: that of the account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attendees: Vec<(String, String)>,
    /// Reminders of each occurrence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reminders: Vec<MeetingReminder>,
}

/// When an occurrence takes place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Local time by the rule, `YYYY-MM-DDTHH:MM`; with the series, its identity.
    pub original_local: String,
    /// Start.
    pub starts_at: Timestamp,
    /// End.
    pub ends_at: Timestamp,
    /// The same in wall-clock time.
    pub local: LocalSpan,
}

impl Series {
    /// Start and end of an occurrence: both in wall-clock time, so that a meeting until 10:00 ends at
    /// 10:00 also when the clocks change. One that a gap moves keeps its length.
    #[must_use]
    pub fn slot(&self, zone: &dyn ZoneRules, occurrence: &Occurrence, length_minutes: i32) -> Slot {
        let length = i64::from(length_minutes) * MINUTE_MS;
        let starts_at = occurrence.at;
        let end = occurrence.original_local.checked_add(i64::from(length_minutes).minutes()).ok();
        let choices = Choices { skipped_time: SkippedTime::NextValid, ..self.rule.choices };
        let ends_at = end.and_then(|end| instant_of(end, choices, zone)).map(|(at, _)| at);
        let is_moved = occurrence.mark == Some(OccurrenceMark::MovedByGap);
        let ends_at = ends_at.filter(|at| *at > starts_at && !is_moved);
        let ends_at = ends_at.unwrap_or_else(|| starts_at.plus(length));
        let text = |at: Timestamp, or: DateTime| minute_text(zone.local_at(at).unwrap_or(or));
        let local = occurrence.original_local;
        Slot {
            original_local: minute_text(local),
            starts_at,
            ends_at,
            local: LocalSpan {
                start: text(starts_at, local),
                end: text(ends_at, local),
                zone: self.zone.clone(),
            },
        }
    }
}

/// Input for a new series of meetings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMeetingSeries {
    /// The first meeting. Exact instants repeat in the zone that is named, or in the
    /// caller's.
    pub meeting: NewMeeting,
    /// When it repeats.
    pub rule: RuleFields,
    /// What happens where the room is not free.
    pub on_conflict: OnConflict,
}

/// An occurrence that would be booked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedOccurrence {
    /// Local time by the rule.
    pub original_local: String,
    /// When it starts.
    pub starts: LocalizedTime,
    /// When it ends.
    pub ends: LocalizedTime,
    /// What is special about its time; `None`: nothing.
    pub mark: Option<OccurrenceMark>,
    /// Whether the clocks have changed since the occurrence before.
    pub has_other_offset: bool,
    /// Months (`2027-02`) and days that the rule leaves out before it.
    pub omitted: Vec<String>,
}

/// What booking a series would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesDryRun {
    /// The next occurrences, those that are not possible included; at most
    /// [`crate::series::PREVIEW_ITEMS`].
    pub next: Vec<PlannedOccurrence>,
    /// Number of all occurrences.
    pub count: usize,
    /// Number of those that are booked at once; the others follow when their time comes closer.
    pub booked_at_once: usize,
    /// Every occurrence that is not possible.
    pub conflicts: Vec<OccurrenceConflict>,
}

/// Another occurrence of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OccurrenceRef {
    /// The meeting.
    pub id: MeetingId,
    /// When it starts.
    pub starts: LocalizedTime,
    /// When it ends.
    pub ends: LocalizedTime,
    /// State.
    pub state: MeetingState,
}

/// The series of a meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeetingSeries {
    /// Id.
    pub id: Uuid,
    /// Local time from which on the rule applies.
    pub starts_local: String,
    /// IANA time zone.
    pub zone: String,
    /// When it repeats.
    pub rule: RuleFields,
    /// The occurrences that are booked and have not ended, and the last one before; by start, at most
    /// [`MAX_LISTED_OCCURRENCES`].
    pub occurrences: Vec<OccurrenceRef>,
    /// Occurrences that were not booked and are still to come, or passed within a day.
    pub skipped: Vec<OccurrenceConflict>,
    /// Number of occurrences that a change of this and the following ones reaches.
    pub following: usize,
    /// Number of occurrences that a change of all reaches.
    pub all: usize,
    /// Number of those that were moved one by one.
    pub moved: usize,
    /// Number of those of `following`, without this one, that were moved one by one.
    pub other_moved_following: usize,
    /// Number of those of `all`, without this one, that were moved one by one.
    pub other_moved: usize,
}

/// A new series and its first meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BookedSeries {
    /// The first meeting that was booked.
    pub meeting: Meeting,
    /// Number of meetings that were booked.
    pub booked: usize,
    /// Occurrences among them that were not booked.
    pub skipped: Vec<OccurrenceConflict>,
}

/// A change of several occurrences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesEdit {
    /// How far it reaches: [`Reach::Following`] or [`Reach::All`].
    pub reach: Reach,
    /// What happens to occurrences that were moved one by one.
    pub moved: MovedOccurrences,
    /// The change.
    pub change: SeriesChange,
}

/// What a change of several occurrences does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeriesChange {
    /// Changes text, time, room or reminders. Attendees can be changed for one meeting only.
    Edit(Box<MeetingEdit>),
    /// Cancels.
    Cancel {
        /// Why; may be empty.
        reason: String,
    },
}

/// A changed meeting, and what else was changed with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedSeries {
    /// The meeting.
    pub meeting: Meeting,
    /// Number of meetings with another time, text or room.
    pub changed: usize,
    /// Number of cancelled meetings.
    pub cancelled: usize,
    /// Number of new meetings.
    pub added: usize,
    /// Number of moved meetings that kept their own time.
    pub kept_moved: usize,
}
