//! The part of a meeting that decisions and tasks depend on.

use super::{DeadlineDecision, MeetingState};
use crate::{
    RoomId, Timestamp,
    state::{ParseEnumError, string_enum},
    time::warnings_before,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// How long before a room is released a warning is sent, milliseconds.
const RELEASE_WARNING_MS: i64 = 5 * 60_000;

string_enum! {
    /// What happens to a meeting by itself: a kind of task.
    MeetingTask {
        /// Approvers and organizer are warned half-way to the deadline.
        Warn = "meeting.warn",
        /// They are warned again before the deadline.
        WarnAgain = "meeting.warn_again",
        /// The wait for a room ends, at the start of the meeting.
        Wait = "meeting.wait",
        /// The offer of a room ends.
        Offer = "meeting.offer",
        /// The deadline of the approval decides.
        Decide = "meeting.decide",
        /// The meeting is in progress from its start on.
        Start = "meeting.start",
        /// Organizer and attendees are warned that the room will be released.
        WarnRelease = "meeting.warn_release",
        /// The room is released because no user checked in.
        Release = "meeting.release",
        /// The meeting ends.
        End = "meeting.end",
    }
}

impl MeetingTask {
    /// Whether it warns of the deadline of a request. Its moment follows from the deadline and from when
    /// that was set.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        matches!(self, Self::Warn | Self::WarnAgain)
    }
}

/// A task that a booking needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookingTask {
    /// What it does.
    pub task: MeetingTask,
    /// When.
    pub due_at: Timestamp,
}

/// State, room and times of a meeting. A change replaces it as a whole, and undo brings it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    /// State.
    pub state: MeetingState,
    /// Its room; `None`: it has none.
    pub room_id: Option<RoomId>,
    /// When it starts.
    pub starts_at: Timestamp,
    /// When it ends; half-open, the next booking may start at this moment.
    pub ends_at: Timestamp,
    /// When the room is free again: the end and the buffer.
    pub free_at: Timestamp,
    /// Local times and zone as entered; `None`: exact instants were given.
    #[serde(default)]
    pub local: Option<LocalSpan>,
    /// Whether no user else can book its room from `starts_at` to `free_at`.
    pub holds: bool,
    /// When a user checked in, or from when on it counts as checked in.
    #[serde(default)]
    pub checked_in_at: Option<Timestamp>,
    /// When the room is released unless a user checks in; `None`: never.
    #[serde(default)]
    pub release_at: Option<Timestamp>,
    /// When a request is decided by itself; `None`: it is not a request.
    #[serde(default)]
    pub decide_at: Option<Timestamp>,
    /// What happens then.
    pub decision: DeadlineDecision,
    /// Whether the deadline has passed and the request waits for an admin.
    #[serde(default)]
    pub is_held: bool,
}

/// Start and end as a person gave them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalSpan {
    /// Local start, `YYYY-MM-DDTHH:MM[:SS]`.
    pub start: String,
    /// Local end, the same.
    pub end: String,
    /// IANA time zone.
    pub zone: String,
}

impl Booking {
    /// The tasks that it needs, by due time, if its deadline is set at `now`. All others are cancelled.
    #[must_use]
    pub fn tasks(&self, now: Timestamp) -> Vec<BookingTask> {
        let task = |task, due_at| BookingTask { task, due_at };
        let release_at = self.release_at.filter(|_| self.checked_in_at.is_none());
        let release = release_at.map(|at| task(MeetingTask::Release, at));
        let warning_at = release_at.map(|at| at.plus(-RELEASE_WARNING_MS)).filter(|at| *at > now);
        let warning = warning_at.map(|at| task(MeetingTask::WarnRelease, at));
        let end = task(MeetingTask::End, self.ends_at);
        match self.state {
            MeetingState::Waiting => vec![task(MeetingTask::Wait, self.starts_at)],
            MeetingState::Offered => {
                let ends = self.decide_at.filter(|at| *at < self.starts_at);
                let offer = ends.map(|at| task(MeetingTask::Offer, at));
                offer.into_iter().chain([task(MeetingTask::Wait, self.starts_at)]).collect()
            }
            MeetingState::Requested => {
                let decide = self.decide_at.map(|at| task(MeetingTask::Decide, at));
                self.warnings(now).into_iter().chain(decide).collect()
            }
            MeetingState::Confirmed => {
                let start = task(MeetingTask::Start, self.starts_at);
                let mut all: Vec<BookingTask> =
                    [Some(start), warning, release, Some(end)].into_iter().flatten().collect();
                all.sort_by_key(|one| one.due_at);
                all
            }
            MeetingState::InProgress => warning.into_iter().chain(release).chain([end]).collect(),
            MeetingState::Ended
            | MeetingState::Rejected
            | MeetingState::Expired
            | MeetingState::Cancelled
            | MeetingState::Released => Vec::new(),
        }
    }

    /// The warnings before the deadline of a request, see [`warnings_before`]. None if an admin must decide.
    fn warnings(&self, now: Timestamp) -> Vec<BookingTask> {
        let end = self.decide_at.filter(|_| !self.is_held);
        let Some([first, last]) = end.and_then(|end| warnings_before(end, now)) else { return Vec::new() };
        vec![
            BookingTask { task: MeetingTask::Warn, due_at: first },
            BookingTask { task: MeetingTask::WarnAgain, due_at: last },
        ]
    }

    /// Whether it takes time of a room that `before` did not take: then the room must be free.
    #[must_use]
    pub fn takes_more_than(&self, before: &Self) -> bool {
        self.holds
            && !(before.holds
                && before.room_id == self.room_id
                && before.starts_at <= self.starts_at
                && before.free_at >= self.free_at)
    }
}
