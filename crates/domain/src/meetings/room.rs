//! Rooms and what they require of bookings.

use super::{OFFER_MINUTES, OpeningHours};
use crate::{
    Role, RoomId, Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Whether a booking of a room needs an approval.
    Approval {
        /// A booking is confirmed at once.
        None = "none",
        /// A reviewer or an admin must approve it.
        Required = "required",
    }
}

string_enum! {
    /// What happens to a request that no user has decided when its deadline comes.
    DeadlineDecision {
        /// It expires.
        Reject = "reject",
        /// It is confirmed.
        Confirm = "confirm",
        /// It waits for an admin until the end of the meeting.
        Hold = "hold",
    }
}

/// Deadline of the approval: the earlier of the two moments. With neither, or if both lie in the
/// past when the request is made, it is the start of the meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalDeadline {
    /// Minutes after the request.
    #[serde(default)]
    pub after_minutes: Option<i32>,
    /// Minutes before the start.
    #[serde(default)]
    pub before_start_minutes: Option<i32>,
    /// What happens then.
    pub decision: DeadlineDecision,
}

impl Default for ApprovalDeadline {
    fn default() -> Self {
        Self { after_minutes: None, before_start_minutes: None, decision: DeadlineDecision::Reject }
    }
}

/// When a room is released because no user checked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckInPolicy {
    /// Minutes after the start.
    pub grace_minutes: i32,
    /// Meetings of at least this number of minutes need no check-in.
    pub exempt_over_minutes: i32,
    /// Meetings that were booked less than this number of minutes before their start need no check-in.
    pub auto_if_booked_within_minutes: i32,
}

impl Default for CheckInPolicy {
    fn default() -> Self {
        Self { grace_minutes: 10, exempt_over_minutes: 8 * 60, auto_if_booked_within_minutes: 120 }
    }
}

/// What a room requires of bookings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomPolicy {
    /// Whether bookings need an approval.
    pub approval: Approval,
    /// Whether a request holds the room until it is decided.
    pub request_holds: bool,
    /// Deadline of the approval.
    pub deadline: ApprovalDeadline,
    /// Minutes between two bookings.
    pub buffer_minutes: i32,
    /// When it can be booked, in its zone; empty: always.
    pub opening_hours: Vec<OpeningHours>,
    /// Whether it is released if no user checks in; `None`: it is not.
    pub check_in: Option<CheckInPolicy>,
    /// How long the room is held for a meeting that waited for it, in minutes.
    #[serde(default = "usual_offer_minutes")]
    pub offer_minutes: i32,
    /// When organizer and attendees are reminded of a meeting for which no reminders were chosen, in minutes before
    /// the start; empty: as the organizer is used to.
    #[serde(default)]
    pub reminder_minutes: Vec<i32>,
}

const fn usual_offer_minutes() -> i32 {
    OFFER_MINUTES
}

impl Default for RoomPolicy {
    fn default() -> Self {
        Self {
            approval: Approval::None,
            request_holds: true,
            deadline: ApprovalDeadline::default(),
            buffer_minutes: 0,
            opening_hours: Vec::new(),
            check_in: None,
            offer_minutes: OFFER_MINUTES,
            reminder_minutes: Vec::new(),
        }
    }
}

/// What an admin enters about a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomSettings {
    /// Name, unique among rooms.
    pub name: String,
    /// Number of persons; `None`: unknown, not checked.
    pub capacity: Option<i32>,
    /// Where it is; may be empty.
    pub place: String,
    /// What it has, e.g. `projector`.
    pub equipment: Vec<String>,
    /// IANA time zone; `None`: that of the site.
    pub zone: Option<String>,
    /// Lowest role that may book it.
    pub booked_by: Role,
    /// What it requires of bookings.
    pub policy: RoomPolicy,
}

impl Default for RoomSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            capacity: None,
            place: String::new(),
            equipment: Vec::new(),
            zone: None,
            booked_by: Role::Creator,
            policy: RoomPolicy::default(),
        }
    }
}

/// A room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Id.
    pub id: RoomId,
    /// Increases with every change of the settings.
    pub version: Version,
    /// Settings; `zone` is always set.
    pub settings: RoomSettings,
    /// Place in the list, from 0.
    pub position: i32,
    /// Whether it is archived: it cannot be booked any more.
    pub is_archived: bool,
    /// Whether the caller may book it.
    pub may_book: bool,
}

impl Room {
    /// Its time zone.
    #[must_use]
    pub fn zone(&self) -> &str {
        self.settings.zone.as_deref().unwrap_or("UTC")
    }
}
