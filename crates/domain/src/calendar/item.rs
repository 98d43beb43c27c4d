//! What the calendar holds.

use super::{HourOfDay, View};
use crate::{
    AccountId, ChannelId, RoomId, State, Timestamp, Version,
    meetings::MeetingState,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Kind of the items that are meetings. All other kinds are those of tasks.
pub const MEETING: &str = "meeting";

string_enum! {
    /// State of an item, whatever its kind. Each item is in exactly one.
    CalendarStatus {
        /// Still to come.
        Upcoming = "upcoming",
        /// Due and about to be executed, or a meeting that takes place.
        Running = "running",
        /// Executed or ended.
        Done = "done",
        /// Needs a person: failed, missed, or a request whose deadline has passed.
        Attention = "attention",
        /// Will not happen: cancelled, rejected, expired or released.
        Cancelled = "cancelled",
    }
}

impl CalendarStatus {
    /// Status of a task. The statement of `store::calendar` mirrors it.
    #[must_use]
    pub fn of_task(state: State, due_at: Timestamp, now: Timestamp) -> Self {
        match state {
            State::Scheduled if due_at > now => Self::Upcoming,
            State::Scheduled => Self::Running,
            State::Executed => Self::Done,
            State::Failed | State::Missed => Self::Attention,
            State::Cancelled => Self::Cancelled,
        }
    }

    /// Status of a meeting. The statement of `store::calendar` mirrors it.
    #[must_use]
    pub fn of_meeting(state: MeetingState, is_held: bool) -> Self {
        match state {
            MeetingState::Requested if is_held => Self::Attention,
            MeetingState::Waiting
            | MeetingState::Offered
            | MeetingState::Requested
            | MeetingState::Confirmed => Self::Upcoming,
            MeetingState::InProgress => Self::Running,
            MeetingState::Ended => Self::Done,
            MeetingState::Rejected
            | MeetingState::Expired
            | MeetingState::Cancelled
            | MeetingState::Released => Self::Cancelled,
        }
    }
}

/// Which days, and which of their items.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarQuery {
    /// A day, `YYYY-MM-DD`; `None`: today.
    pub date: Option<String>,
    /// The view that shows that day, and the day on which weeks begin, Monday is 0; `None`: `days`
    /// from that day on.
    pub view: Option<(View, u8)>,
    /// Number of days, 1 to [`super::MAX_DAYS`]; 0: one. Ignored with a view.
    pub days: u16,
    /// IANA time zone whose days are meant; `None`: that of the actor.
    pub zone: Option<String>,
    /// Only items of this kind: a kind of tasks, or [`MEETING`].
    pub kind: Option<String>,
    /// Only items with this status; `None`: all but cancelled ones.
    pub status: Option<CalendarStatus>,
    /// Only items of this account: owner of the task, organizer of the meeting.
    pub owner: Option<AccountId>,
    /// Whether meetings that `owner` attends belong to them, unless declined.
    pub is_attended: bool,
    /// Only meetings in this room.
    pub room: Option<RoomId>,
    /// Only tasks of articles with this tag.
    pub tag: Option<String>,
    /// Only messages to this channel.
    pub channel: Option<ChannelId>,
    /// Maximum number of items of each day; `None`: [`super::DEFAULT_DAY_ITEMS`].
    pub day_items: Option<u32>,
    /// Number of items of each day that are skipped.
    pub skip: u32,
}

/// Days and their items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalendarPage {
    /// IANA time zone of the days.
    pub zone: String,
    /// The day of the query, `YYYY-MM-DD`.
    pub date: String,
    /// Today in that zone, `YYYY-MM-DD`.
    pub today: String,
    /// The moment of the response.
    pub now: Timestamp,
    /// The kinds that the caller sees.
    pub kinds: Vec<String>,
    /// The days in their order, also those without items.
    pub days: Vec<CalendarDay>,
}

/// One day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalendarDay {
    /// `YYYY-MM-DD`.
    pub date: String,
    /// Its first instant.
    pub begins_at: Timestamp,
    /// The first instant of the next day.
    pub ends_at: Timestamp,
    /// Minutes east of UTC at its begin.
    pub offset: i32,
    /// Minutes east of UTC at its end; differs from `offset` on the day of a time change.
    pub end_offset: i32,
    /// Its hours; empty unless it is the only day of the query or has a clock change.
    pub hours: Vec<HourOfDay>,
    /// Number of items on this day that match the query.
    pub count: u64,
    /// How many of them need a person.
    pub attention: u64,
    /// The items, by time; the first ones after those that were skipped.
    pub items: Vec<CalendarItem>,
    /// The posting slots of the day that are free, by time: when, and minutes east of UTC then.
    pub free_slots: Vec<(Timestamp, i32)>,
}

/// A task or a meeting on one day. A meeting that lasts until another day is on each of its days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalendarItem {
    /// Id of the task or the meeting.
    pub id: Uuid,
    /// Kind of the task, or [`MEETING`].
    pub kind: String,
    /// What the task acts on; the meeting itself.
    pub target_id: Uuid,
    /// Title of the target.
    pub title: String,
    /// State of the task or the meeting: a word.
    pub state: String,
    /// Its status.
    pub status: CalendarStatus,
    /// Increases with every change.
    pub version: Version,
    /// When it is due or starts.
    pub at: Timestamp,
    /// Minutes east of UTC then, in the zone of the days.
    pub offset: i32,
    /// When it ends; `None`: it has no duration.
    pub ends_at: Option<Timestamp>,
    /// Minutes east of UTC at its end; of its begin if it has no duration.
    pub end_offset: i32,
    /// Owner of the task, organizer of the meeting.
    pub owner_id: AccountId,
    /// Name of that account.
    pub owner: String,
    /// Name of the room; empty: it has none.
    pub room: String,
    /// Number of items that start in the same hour of the day, with this one.
    pub together: u32,
    /// Whether the caller may move it.
    pub may_move: bool,
    /// Whether it is a publication in a posting slot that is still to come.
    #[serde(default)]
    pub is_in_slot: bool,
}

impl CalendarItem {
    /// Whether it is a meeting.
    #[must_use]
    pub fn is_meeting(&self) -> bool {
        self.kind == MEETING
    }

    /// Whether nothing more will happen to it by itself.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self.status, CalendarStatus::Done | CalendarStatus::Cancelled)
    }
}
