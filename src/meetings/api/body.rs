//! Meetings as the API reads and returns them.

use super::{
    both_forms, disambiguation, present,
    recurrence::MeetingRecurrenceBody,
    reminder_body::{MeetingReminderBody, MeetingReminderItem, reminders},
    required, room_id,
};
use crate::{
    deliveries::outside::api::HeldMailBody,
    http::api::{extract::instant, numbers::required_integer},
};
use domain::{
    DomainError, Timestamp,
    meetings::{
        Attendee, Meeting, MeetingEdit, MeetingRow, MeetingTime, MeetingUndo, NewAttendee, NewMeeting,
    },
    task::TaskRow,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A new meeting: `starts_at` and `ends_at`, or `local_start` and `local_end`, with `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMeetingBody {
    /// 1 to 300 characters on one line.
    #[schema(min_length = 1, max_length = 300)]
    title: String,
    /// Plain text, at most 20,000 bytes.
    description: Option<String>,
    /// Id of its room; null: it needs none.
    #[schema(format = Uuid)]
    room_id: Option<String>,
    /// Address of an online meeting.
    link: Option<String>,
    /// Start, an instant, RFC 3339.
    starts_at: Option<String>,
    /// End, an instant; the next meeting in the room may start at this moment.
    ends_at: Option<String>,
    /// Start, a local time: `2027-03-28T09:00`.
    local_start: Option<String>,
    /// End, a local time.
    local_end: Option<String>,
    /// IANA time zone; required with local times, with instants that of the caller if absent.
    zone: Option<String>,
    /// `earlier` or `later`, if a local time occurs twice.
    disambiguation: Option<String>,
    /// At most 200.
    #[schema(max_items = 200)]
    attendees: Option<Vec<NewAttendeeBody>>,
    /// At most 10. Absent or null: the usual ones of the room, else of the caller.
    #[schema(max_items = 10)]
    reminders: Option<Vec<MeetingReminderBody>>,
    /// How it repeats; null: it does not.
    pub series: Option<MeetingRecurrenceBody>,
    /// If the room is taken: `refuse` (if absent), or `wait` until it is free; not with `series`.
    pub if_taken: Option<String>,
    /// With `series`, if an occurrence is not possible: `refuse` (if absent) or `skip` those.
    pub conflicts: Option<String>,
}

/// Changes to a meeting. Fields that are absent stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeetingEditBody {
    /// `version` of the meeting that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    pub seen_version: i32,
    /// 1 to 300 characters on one line.
    #[schema(min_length = 1, max_length = 300)]
    title: Option<String>,
    /// Plain text, at most 20,000 bytes.
    description: Option<String>,
    /// Id of its room; null: it needs none any more.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, format = Uuid)]
    room_id: Option<Option<String>>,
    /// Address of an online meeting; null: none any more.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    link: Option<Option<String>>,
    /// Start, an instant, RFC 3339. Without `ends_at` the end stays.
    starts_at: Option<String>,
    /// End, an instant. Without `starts_at` the start stays.
    ends_at: Option<String>,
    /// Start, a local time: `2027-03-28T09:00`.
    local_start: Option<String>,
    /// End, a local time.
    local_end: Option<String>,
    /// IANA time zone of the meeting; stays if absent. Without local times the instants stay.
    zone: Option<String>,
    /// `earlier` or `later`, if a local time occurs twice.
    disambiguation: Option<String>,
    /// All attendees; those who stay keep their answers.
    #[schema(max_items = 200)]
    attendees: Option<Vec<NewAttendeeBody>>,
    /// All reminders; those that stay keep their state.
    #[schema(max_items = 10)]
    reminders: Option<Vec<MeetingReminderBody>>,
    /// Of a meeting that repeats: `this` (if absent), `following` or `all`.
    pub reach: Option<String>,
    /// Meetings of the series that were moved one by one: `keep` (if absent) or `follow`.
    pub moved: Option<String>,
}

/// An attendee.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAttendeeBody {
    /// E-mail address.
    #[schema(max_length = 254)]
    email: String,
    /// Name.
    #[schema(max_length = 100)]
    name: Option<String>,
}

fn attendees(all: Vec<NewAttendeeBody>) -> Vec<NewAttendee> {
    all.into_iter().map(|one| NewAttendee { email: one.email, name: one.name }).collect()
}

impl TryFrom<NewMeetingBody> for NewMeeting {
    type Error = DomainError;
    fn try_from(new: NewMeetingBody) -> Result<Self, DomainError> {
        let is_local = new.local_start.is_some() || new.local_end.is_some();
        let time = match (new.starts_at, new.ends_at) {
            (None, None) if is_local || new.zone.is_some() => MeetingTime::Local {
                local_start: new.local_start.ok_or_else(|| required("local_start"))?,
                local_end: new.local_end.ok_or_else(|| required("local_end"))?,
                zone: new.zone.ok_or_else(|| required("zone"))?,
                disambiguation: disambiguation(new.disambiguation.as_deref())?,
            },
            _ if is_local => return Err(both_forms()),
            (starts_at, ends_at) => MeetingTime::At {
                starts_at: instant("starts_at", &starts_at.ok_or_else(|| required("starts_at"))?)?,
                ends_at: instant("ends_at", &ends_at.ok_or_else(|| required("ends_at"))?)?,
                zone: new.zone,
            },
        };
        Ok(Self {
            title: new.title,
            description: new.description.unwrap_or_default(),
            room_id: new.room_id.as_deref().map(room_id).transpose()?,
            link: new.link,
            time,
            attendees: attendees(new.attendees.unwrap_or_default()),
            reminders: new.reminders.map(reminders).transpose()?,
        })
    }
}

impl MeetingEditBody {
    /// Whether a part of the time is missing, so that the current meeting is needed.
    pub fn needs_current(&self) -> bool {
        let is_pair = |one: &Option<String>, other: &Option<String>| one.is_some() == other.is_some();
        let is_local = self.local_start.is_some() || self.local_end.is_some();
        !is_pair(&self.starts_at, &self.ends_at)
            || !is_pair(&self.local_start, &self.local_end)
            || is_local != self.zone.is_some()
    }

    /// Converts the changes; what is missing of the time is that of the current meeting.
    pub fn into_edit(self, current: Option<&MeetingRow>) -> Result<MeetingEdit, DomainError> {
        let is_local = self.local_start.is_some() || self.local_end.is_some();
        // A new zone alone leaves the instants as they are.
        let is_instant =
            self.starts_at.is_some() || self.ends_at.is_some() || (self.zone.is_some() && !is_local);
        let read = |field, text: Option<String>, now: Option<Timestamp>| match text {
            Some(text) => instant(field, &text),
            None => now.ok_or_else(|| required(field)),
        };
        let text =
            |field, text: Option<String>, now: Option<String>| text.or(now).ok_or_else(|| required(field));
        let start = current.map(|row| row.local_start.clone());
        let time = match (is_instant, is_local) {
            (true, true) => return Err(both_forms()),
            (true, false) => Some(MeetingTime::At {
                starts_at: read("starts_at", self.starts_at, current.map(|row| row.starts.at))?,
                ends_at: read("ends_at", self.ends_at, current.map(|row| row.ends.at))?,
                zone: self.zone,
            }),
            (false, true) => Some(MeetingTime::Local {
                local_start: text("local_start", self.local_start, start)?,
                local_end: text("local_end", self.local_end, current.map(|row| row.local_end.clone()))?,
                zone: text("zone", self.zone, current.map(|row| row.zone.clone()))?,
                disambiguation: disambiguation(self.disambiguation.as_deref())?,
            }),
            (false, false) => None,
        };
        let room = self.room_id.map(|room| room.as_deref().map(room_id).transpose()).transpose()?;
        Ok(MeetingEdit {
            title: self.title,
            description: self.description,
            room_id: room,
            link: self.link,
            time,
            attendees: self.attendees.map(attendees),
            reminders: self.reminders.map(reminders).transpose()?,
        })
    }
}

/// A meeting, as a list shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingItem {
    /// Id of the meeting.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Title.
    title: String,
    /// `waiting` (for its room), `offered` (the room is held for it), `requested`, `confirmed`,
    /// `in_progress`, `ended`, `rejected`, `expired`, `cancelled` or `released`.
    state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// When it starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    ends_at: Timestamp,
    /// IANA time zone in which it was planned.
    zone: String,
    /// Start in that zone.
    local_start: String,
    /// End in that zone.
    local_end: String,
    /// Id of its room; null: it has none.
    #[schema(value_type = Option<String>, format = Uuid)]
    room_id: Option<Uuid>,
    /// Name of the room; empty: it has none.
    room: String,
    /// Address of an online meeting.
    link: Option<String>,
    /// Account that organizes it.
    #[schema(value_type = String, format = Uuid)]
    organizer_id: Uuid,
    /// Display name of the organizer.
    organizer: String,
    /// Id of its series; null: it does not repeat.
    #[schema(value_type = Option<String>, format = Uuid)]
    series_id: Option<Uuid>,
    /// When the request is decided by itself, or the wait for the room or its offer ends; null: none of these.
    #[schema(value_type = Option<String>, format = DateTime)]
    decide_at: Option<Timestamp>,
    /// Of a request: `reject`, `confirm` or `hold`: what happens then.
    decision: Option<&'static str>,
    /// Whether the deadline has passed and the request waits for an admin.
    is_held: bool,
    /// When a user checked in, or from when on it counts as checked in.
    #[schema(value_type = Option<String>, format = DateTime)]
    checked_in_at: Option<Timestamp>,
    /// When the room is released unless a user checks in before.
    #[schema(value_type = Option<String>, format = DateTime)]
    release_at: Option<Timestamp>,
    /// Why it was rejected or cancelled; empty: no reason was given.
    reason: String,
    /// Number of attendees.
    attendee_count: u32,
    /// The change that can still be undone; null: none.
    undo: Option<MeetingUndoBody>,
}

/// A change of a meeting that can be undone.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingUndoBody {
    /// What was done.
    verb: String,
    /// Until when it can be undone.
    #[schema(value_type = String, format = DateTime)]
    until: Timestamp,
}

/// A meeting.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingBody {
    /// The meeting.
    #[serde(flatten)]
    item: MeetingItem,
    /// Plain text.
    description: String,
    /// By address.
    attendees: Vec<AttendeeBody>,
    /// Mails about it that a limit holds, those that are sent next first. Empty unless the caller may change the
    /// meeting. Its reminders have their own.
    held_mails: Vec<HeldMailBody>,
    /// Its scheduled tasks, next first.
    tasks: Vec<MeetingTaskBody>,
    /// Its reminders, by due time.
    reminders: Vec<MeetingReminderItem>,
    /// When it was booked.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// An attendee and the answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttendeeBody {
    /// E-mail address.
    email: String,
    /// Name; empty: unknown.
    name: String,
    /// `pending`, `accepted`, `tentative` or `declined`.
    answer: &'static str,
    /// Whether the address gets no mail from this desk: its owner or an admin has blocked it.
    is_blocked: bool,
}

/// A task of a meeting.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeetingTaskBody {
    /// Id of the task.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `meeting.wait`, `meeting.offer`, `meeting.warn`, `meeting.warn_again`, `meeting.decide`,
    /// `meeting.start`, `meeting.warn_release`, `meeting.release` or `meeting.end`. Values may be added.
    kind: &'static str,
    /// When it is due.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// `scheduled`.
    state: &'static str,
}

impl From<MeetingRow> for MeetingItem {
    fn from(row: MeetingRow) -> Self {
        Self {
            id: row.id.0,
            title: row.title,
            state: row.state.as_str(),
            version: row.version.0,
            starts_at: row.starts.at,
            ends_at: row.ends.at,
            zone: row.zone,
            local_start: row.local_start,
            local_end: row.local_end,
            room_id: row.room_id.map(|room| room.0),
            room: row.room,
            link: row.link,
            organizer_id: row.organizer_id.0,
            organizer: row.organizer,
            series_id: row.series_id,
            decide_at: row.decides.map(|at| at.at),
            decision: row.decision.map(|decision| decision.as_str()),
            is_held: row.is_held,
            checked_in_at: row.checked_in.map(|at| at.at),
            release_at: row.releases.map(|at| at.at),
            reason: row.reason,
            attendee_count: row.attendee_count,
            undo: row.undo.map(MeetingUndoBody::from),
        }
    }
}

impl From<MeetingUndo> for MeetingUndoBody {
    fn from(undo: MeetingUndo) -> Self {
        Self { verb: undo.verb, until: undo.until }
    }
}

impl From<Meeting> for MeetingBody {
    fn from(meeting: Meeting) -> Self {
        Self {
            item: meeting.row.into(),
            description: meeting.description,
            attendees: meeting.attendees.into_iter().map(AttendeeBody::from).collect(),
            held_mails: meeting.held_mails.into_iter().map(HeldMailBody::from).collect(),
            tasks: meeting.tasks.into_iter().map(MeetingTaskBody::from).collect(),
            reminders: meeting.reminders.into_iter().map(MeetingReminderItem::from).collect(),
            created_at: meeting.created.at,
        }
    }
}

impl From<Attendee> for AttendeeBody {
    fn from(one: Attendee) -> Self {
        Self { email: one.email, name: one.name, answer: one.answer.as_str(), is_blocked: one.is_blocked }
    }
}

impl From<TaskRow> for MeetingTaskBody {
    fn from(task: TaskRow) -> Self {
        Self { id: task.id.0, kind: task.kind.as_str(), due_at: task.due.at, state: task.state.as_str() }
    }
}
