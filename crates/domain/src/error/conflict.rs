//! What is in the way of a booking, and of the occurrences of a series.

use crate::{
    LocalizedTime, MeetingId,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A booking that is in the way of another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingConflict {
    /// The meeting that holds the room.
    pub id: MeetingId,
    /// Its title.
    pub title: String,
    /// When it starts.
    pub starts: LocalizedTime,
    /// When it ends.
    pub ends: LocalizedTime,
}

string_enum! {
    /// Why an occurrence is not booked.
    SkipReason {
        /// Another booking holds the room.
        RoomTaken = "room_taken",
        /// The room is closed.
        Closed = "closed",
        /// The room was archived.
        NoRoom = "no_room",
        /// No node ran in time.
        Missed = "missed",
    }
}

/// An occurrence that cannot be booked, or was not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OccurrenceConflict {
    /// Local time by the rule.
    pub original_local: String,
    /// When it would start.
    pub starts: LocalizedTime,
    /// When it would end.
    pub ends: LocalizedTime,
    /// Why it is not booked.
    pub reason: SkipReason,
    /// What is in the way, by start; at most [`crate::meetings::MAX_CONFLICTS_EACH`].
    pub meetings: Vec<BookingConflict>,
}
