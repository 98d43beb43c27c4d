//! The services of rooms and meetings.

use super::{
    BookedSeries, Busy, ChangedSeries, FreeQuery, FreeRoom, ImportReport, Meeting, MeetingChange,
    MeetingCounts, MeetingEdit, MeetingImport, MeetingQuery, MeetingRow, MeetingSelection, MeetingSeries,
    MeetingsChange, NewMeeting, NewMeetingSeries, PersonBusy, Room, RoomDay, RoomSettings, SeriesDryRun,
    SeriesEdit,
};
use crate::{
    Actor, DomainError, LocalizedTime, MeetingId, Page, RoomId, Timestamp, Version, bulk_change::BulkOutcome,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Rooms. Every account may read; admins may change.
#[async_trait]
pub trait Rooms: Send + Sync {
    /// All rooms in their order; `with_archived`: archived ones too.
    async fn list(&self, actor: &Actor, with_archived: bool) -> Result<Vec<Room>, DomainError>;
    /// One room, also an archived one.
    async fn find(&self, actor: &Actor, id: RoomId) -> Result<Room, DomainError>;
    /// Creates a room, last in the order. `Taken` if a room has this name. Admins only.
    async fn add(&self, actor: &Actor, new: RoomSettings) -> Result<Room, DomainError>;
    /// Changes a room. Existing bookings stay as they are. `Changed` if `seen` is not its version.
    /// Admins only.
    async fn edit(
        &self,
        actor: &Actor,
        id: RoomId,
        settings: RoomSettings,
        seen: Version,
    ) -> Result<Room, DomainError>;
    /// Archives a room, or brings it back. Existing bookings stay. Admins only.
    async fn archive(
        &self,
        actor: &Actor,
        id: RoomId,
        is_archived: bool,
        seen: Version,
    ) -> Result<Room, DomainError>;
    /// Puts the rooms into this order; rooms that are not named follow in their present order.
    /// Returns all. Admins only.
    async fn reorder(&self, actor: &Actor, order: Vec<RoomId>) -> Result<Vec<Room>, DomainError>;
    /// Rooms that the caller may book and that are free in the whole range, smallest first; those of unknown
    /// capacity follow.
    async fn free(&self, actor: &Actor, query: FreeQuery) -> Result<Vec<FreeRoom>, DomainError>;
    /// What holds a room between two moments, by start. At most [`super::MAX_RANGE_DAYS`] days.
    async fn busy(
        &self,
        actor: &Actor,
        id: RoomId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Busy>, DomainError>;
    /// Bookings of whole days in the actor's time zone.
    async fn grid(&self, actor: &Actor, query: GridQuery) -> Result<RoomGrid, DomainError>;
    /// The first moment at or after `from` from which the room is free and open for this number of
    /// minutes; `None`: not within 14 days.
    async fn next_free(
        &self,
        actor: &Actor,
        id: RoomId,
        from: Timestamp,
        minutes: i32,
    ) -> Result<Option<LocalizedTime>, DomainError>;
}

/// Door pages of rooms, which need no log-in but a secret link. Admins only.
#[async_trait]
pub trait Doors: Send + Sync {
    /// Creates the link of a room's door page, in place of the one before, and returns its path,
    /// which is shown once. `pin`: 4 to 8 digits; empty: the room cannot be booked at the door.
    async fn create(&self, actor: &Actor, room: RoomId, pin: &str) -> Result<String, DomainError>;
    /// Revokes the link. `NoSuch` if there is none.
    async fn revoke(&self, actor: &Actor, room: RoomId) -> Result<(), DomainError>;
}

/// Meetings. Every account may read and book; organizers and admins may change; reviewers and
/// admins decide requests, reviewers not their own.
#[async_trait]
pub trait Meetings: Send + Sync {
    /// One page of the list, earliest start first unless the query says otherwise.
    async fn list(&self, actor: &Actor, query: MeetingQuery) -> Result<Page<MeetingRow>, DomainError>;
    /// Number of meetings that the query matches, for each scope.
    async fn counts(&self, actor: &Actor, query: MeetingQuery) -> Result<MeetingCounts, DomainError>;
    /// The people of the desk by name, at most [`crate::calendar::MAX_FILTER_PEOPLE`], each with the first
    /// meeting between two moments that the person organizes, or attends and has not declined.
    async fn people(
        &self,
        actor: &Actor,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<PersonBusy>, DomainError>;
    /// One meeting with its details.
    async fn find(&self, actor: &Actor, id: MeetingId) -> Result<Meeting, DomainError>;
    /// Books a meeting: confirmed, or requested if its room requires an approval. `RoomTaken` lists
    /// what is in the way; `Invalid` names the field.
    async fn book(&self, actor: &Actor, new: NewMeeting) -> Result<Meeting, DomainError>;
    /// Books a meeting, or lets it wait for its room if that is taken. `RoomTaken` if too many wait.
    async fn book_or_wait(&self, actor: &Actor, new: NewMeeting) -> Result<Meeting, DomainError>;
    /// Imports a calendar file as meetings in one transaction, or says what that would do. `Invalid` if it
    /// cannot be read.
    async fn import(&self, actor: &Actor, file: MeetingImport) -> Result<ImportReport, DomainError>;
    /// Changes text, attendees, time or room. `Changed` if `seen` is not its version, `RoomTaken`
    /// if the room is not free, `WrongState` if the meeting is over.
    async fn edit(
        &self,
        actor: &Actor,
        id: MeetingId,
        edit: MeetingEdit,
        seen: Version,
    ) -> Result<Meeting, DomainError>;
    /// Changes the state. `Changed` if `seen` is not its version, `WrongState` if its state does not
    /// allow the change, `RoomTaken` if the room is not free, `CannotUndo` for an undo that comes
    /// too late.
    async fn change(
        &self,
        actor: &Actor,
        id: MeetingId,
        change: MeetingChange,
        seen: Version,
    ) -> Result<Meeting, DomainError>;
    /// Changes up to [`super::MAX_BULK_MEETINGS`] meetings, each that can be changed. `is_dry_run`: changes
    /// nothing and lists what would happen.
    async fn change_many(
        &self,
        actor: &Actor,
        selection: MeetingSelection,
        change: MeetingsChange,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError>;
    /// Books a series: its next [`crate::series::MAX_STORED_AHEAD`] occurrences at once, the others
    /// when their time comes closer. `OccurrencesTaken` lists every occurrence that is not possible,
    /// if the caller does not skip them or none is possible.
    async fn book_series(&self, actor: &Actor, new: NewMeetingSeries) -> Result<BookedSeries, DomainError>;
    /// What booking a series would do. Changes nothing.
    async fn dry_run_series(&self, actor: &Actor, new: NewMeetingSeries)
    -> Result<SeriesDryRun, DomainError>;
    /// The series of a meeting; `None`: it does not repeat.
    async fn series(&self, actor: &Actor, id: MeetingId) -> Result<Option<MeetingSeries>, DomainError>;
    /// Makes another account the organizer of a meeting; of one that repeats, of all of its series that have not
    /// ended. `to`: id or name of the account, or `me`. `Invalid` if there is none, `Changed` if `seen` is not the
    /// version of the meeting.
    async fn hand_over(
        &self,
        actor: &Actor,
        id: MeetingId,
        to: &str,
        seen: Version,
    ) -> Result<Meeting, DomainError>;
    /// Changes a meeting and others of its series in one change, which one undo reverts. `seen`: the
    /// version of the meeting. `OccurrencesTaken` lists the occurrences whose room is not free.
    async fn edit_series(
        &self,
        actor: &Actor,
        id: MeetingId,
        edit: SeriesEdit,
        seen: Version,
    ) -> Result<ChangedSeries, DomainError>;
}

/// Which days of which rooms.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridQuery {
    /// First day, `YYYY-MM-DD`; `None`: today.
    pub date: Option<String>,
    /// Number of days, 1 to 31; 0: one.
    pub days: u8,
    /// Only this room; `None`: all that are not archived.
    pub room_id: Option<RoomId>,
}

/// Bookings of whole days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoomGrid {
    /// First day, `YYYY-MM-DD`.
    pub date: String,
    /// First day of the grid before.
    pub previous: String,
    /// First day of the grid after.
    pub next: String,
    /// Begin of each day, and the end of the last one.
    pub days: Vec<LocalizedTime>,
    /// The rooms in their order.
    pub rooms: Vec<RoomDay>,
}
