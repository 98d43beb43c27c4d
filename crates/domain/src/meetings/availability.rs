//! Free and busy time of rooms.

use super::{MeetingState, Room};
use crate::{AccountId, LocalizedTime, MeetingId, Timestamp};
use serde::{Deserialize, Serialize};

/// Maximum number of bookings that are named for each occurrence that is not possible.
pub const MAX_CONFLICTS_EACH: usize = 3;

/// A booking that holds a room: no user else can book the room in this time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Busy {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: MeetingState,
    /// Its organizer.
    pub organizer_id: AccountId,
    /// Display name of the organizer.
    pub organizer: String,
    /// When it starts.
    pub starts: LocalizedTime,
    /// When it ends; the next meeting may start at this moment, unless there is a buffer.
    pub ends: LocalizedTime,
    /// When the room is free again: the end and the buffer.
    pub free: LocalizedTime,
    /// Whether the caller may change the meeting.
    pub may_change: bool,
}

/// The bookings of one room in a range of time, for the grid of all rooms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoomDay {
    /// The room.
    pub room: Room,
    /// What holds it, by start.
    pub busy: Vec<Busy>,
    /// Begin and end of its opening hours in the range, by begin; the whole range if it is always
    /// open.
    pub open: Vec<(LocalizedTime, LocalizedTime)>,
}

/// A person of the desk, and what the person has in a range of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonBusy {
    /// The account.
    pub account: AccountId,
    /// Display name.
    pub name: String,
    /// Address to which invitations go.
    pub email: String,
    /// Start and end of the first meeting in the range; `None`: there is none.
    pub busy: Option<(LocalizedTime, LocalizedTime)>,
}

/// Which rooms are free.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeQuery {
    /// Start of the meeting.
    pub from: Timestamp,
    /// End of the meeting.
    pub to: Timestamp,
    /// Only rooms for at least this number of persons. Rooms of unknown capacity are left out.
    pub capacity: Option<i32>,
    /// Only rooms that have all of this equipment, in upper or lower case.
    #[serde(default)]
    pub equipment: Vec<String>,
}

/// Reads equipment as it is typed, separated by commas.
#[must_use]
pub fn equipment_of(typed: &str) -> Vec<String> {
    let parts = typed.split([',', '，', '、', ';', '；', '\n']).map(str::trim);
    parts.filter(|one| !one.is_empty()).map(str::to_owned).collect()
}

/// A room that is free in the whole range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FreeRoom {
    /// The room.
    pub room: Room,
    /// Until when it stays free; `None`: no later booking.
    pub free_until: Option<LocalizedTime>,
}
