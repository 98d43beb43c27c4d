//! Rooms and meetings. Every user can read and book; organizers and admins can change their
//! meetings, reviewers and admins decide requests, admins manage rooms.

pub mod api;
mod availability;
mod book;
mod change;
mod check;
mod edit;
pub mod import;
pub(crate) mod invite;
pub mod kinds;
mod present;
mod read;
pub(crate) mod rooms;
mod series;
mod write;

pub use change::{bulk::undo as undo_many, disabled_owner::follow_cancelled};
pub use rooms::door::check_in::path_at_door;

use crate::{
    app_state::AppState,
    services::{idempotency::answered_once, internal_error},
};
use async_trait::async_trait;
use domain::{
    Actor, DomainError, LocalizedTime, MeetingId, Page, RoomId, Timestamp, Version,
    bulk_change::BulkOutcome,
    meetings::{
        BookedSeries, Busy, ChangedSeries, FreeQuery, FreeRoom, ImportReport, Meeting, MeetingChange,
        MeetingCounts, MeetingEdit, MeetingImport, MeetingQuery, MeetingRow, MeetingSelection, MeetingSeries,
        MeetingsChange, NewMeeting, NewMeetingSeries, PersonBusy, Room, RoomSettings, SeriesChange,
        SeriesDryRun, SeriesEdit,
        use_cases::{Doors, GridQuery, Meetings, RoomGrid, Rooms},
    },
};
use store::PoolRole;

/// The room service.
#[derive(Clone)]
pub struct RoomService {
    /// Shared state of the process.
    pub parts: AppState,
}

impl RoomService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

/// The meeting service.
#[derive(Clone)]
pub struct MeetingService {
    /// Shared state of the process.
    pub parts: AppState,
}

impl MeetingService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

/// Logs a warning if the database itself does not refuse overlapping bookings.
pub async fn report_missing_constraint(parts: &AppState) {
    let found = async {
        let mut lease = parts.store.read(PoolRole::Engine).await?;
        store::room::has_overlap_constraint(lease.conn()).await
    };
    if matches!(found.await, Ok(false)) {
        tracing::warn!(
            "PostgreSQL's extension btree_gist is missing: overlapping bookings of a room are refused by this \
             server, but not by the database itself; docs/OPERATIONS.md says how to add it"
        );
    }
}

#[async_trait]
impl Rooms for RoomService {
    async fn list(&self, actor: &Actor, with_archived: bool) -> Result<Vec<Room>, DomainError> {
        rooms::list(&self.parts, actor, with_archived).await
    }
    async fn find(&self, actor: &Actor, id: RoomId) -> Result<Room, DomainError> {
        rooms::find(&self.parts, actor, id).await
    }
    async fn add(&self, actor: &Actor, new: RoomSettings) -> Result<Room, DomainError> {
        rooms::add(&self.parts, actor, new).await
    }
    async fn edit(
        &self,
        actor: &Actor,
        id: RoomId,
        settings: RoomSettings,
        seen: Version,
    ) -> Result<Room, DomainError> {
        rooms::edit(&self.parts, actor, id, settings, seen).await
    }
    async fn archive(
        &self,
        actor: &Actor,
        id: RoomId,
        is_archived: bool,
        seen: Version,
    ) -> Result<Room, DomainError> {
        rooms::archive(&self.parts, actor, id, is_archived, seen).await
    }
    async fn reorder(&self, actor: &Actor, order: Vec<RoomId>) -> Result<Vec<Room>, DomainError> {
        rooms::reorder(&self.parts, actor, order).await
    }
    async fn free(&self, actor: &Actor, query: FreeQuery) -> Result<Vec<FreeRoom>, DomainError> {
        availability::free(&self.parts, actor, query).await
    }
    async fn busy(
        &self,
        actor: &Actor,
        id: RoomId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Busy>, DomainError> {
        availability::busy(&self.parts, actor, id, (from, to)).await
    }
    async fn grid(&self, actor: &Actor, query: GridQuery) -> Result<RoomGrid, DomainError> {
        rooms::grid::grid(&self.parts, actor, query).await
    }
    async fn next_free(
        &self,
        actor: &Actor,
        id: RoomId,
        from: Timestamp,
        minutes: i32,
    ) -> Result<Option<LocalizedTime>, DomainError> {
        availability::next_free(&self.parts, actor, id, from, minutes).await
    }
}

#[async_trait]
impl Doors for RoomService {
    async fn create(&self, actor: &Actor, room: RoomId, pin: &str) -> Result<String, DomainError> {
        rooms::door::link::create(&self.parts, actor, room, pin).await
    }
    async fn revoke(&self, actor: &Actor, room: RoomId) -> Result<(), DomainError> {
        rooms::door::link::revoke(&self.parts, actor, room).await
    }
}

#[async_trait]
impl Meetings for MeetingService {
    async fn list(&self, actor: &Actor, query: MeetingQuery) -> Result<Page<MeetingRow>, DomainError> {
        read::list(&self.parts, actor, query).await
    }
    async fn counts(&self, actor: &Actor, query: MeetingQuery) -> Result<MeetingCounts, DomainError> {
        read::counts(&self.parts, actor, &query).await
    }
    async fn people(
        &self,
        actor: &Actor,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<PersonBusy>, DomainError> {
        availability::people(&self.parts, actor, (from, to)).await
    }
    async fn find(&self, actor: &Actor, id: MeetingId) -> Result<Meeting, DomainError> {
        read::find(&self.parts, actor, id).await
    }
    async fn book(&self, actor: &Actor, new: NewMeeting) -> Result<Meeting, DomainError> {
        (self.parts.hooks.check_texts)(&self.parts, &[&new.title, &new.description]).await?;
        book::book(&self.parts, actor, new, book::IfTaken::Refuse).await
    }
    async fn book_or_wait(&self, actor: &Actor, new: NewMeeting) -> Result<Meeting, DomainError> {
        (self.parts.hooks.check_texts)(&self.parts, &[&new.title, &new.description]).await?;
        book::book(&self.parts, actor, new, book::IfTaken::Wait).await
    }
    async fn edit(
        &self,
        actor: &Actor,
        id: MeetingId,
        edit: MeetingEdit,
        seen: Version,
    ) -> Result<Meeting, DomainError> {
        check_words(&self.parts, &edit).await?;
        edit::edit(&self.parts, actor, id, edit, seen).await
    }
    async fn change(
        &self,
        actor: &Actor,
        id: MeetingId,
        change: MeetingChange,
        seen: Version,
    ) -> Result<Meeting, DomainError> {
        match change {
            MeetingChange::Undo => series::undo(&self.parts, actor, id, seen).await,
            change => change::change(&self.parts, actor, id, change, seen).await,
        }
    }
    async fn import(&self, actor: &Actor, file: MeetingImport) -> Result<ImportReport, DomainError> {
        import::import(&self.parts, actor, file).await
    }
    async fn change_many(
        &self,
        actor: &Actor,
        selection: MeetingSelection,
        change: MeetingsChange,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError> {
        let change = Box::pin(change::bulk::change(&self.parts, actor, selection, &change, is_dry_run));
        answered_once(&self.parts.store, actor, self.parts.clock.now(), change).await
    }
    async fn book_series(&self, actor: &Actor, new: NewMeetingSeries) -> Result<BookedSeries, DomainError> {
        (self.parts.hooks.check_texts)(&self.parts, &[&new.meeting.title, &new.meeting.description]).await?;
        series::book(&self.parts, actor, new).await
    }
    async fn dry_run_series(
        &self,
        actor: &Actor,
        new: NewMeetingSeries,
    ) -> Result<SeriesDryRun, DomainError> {
        series::dry_run(&self.parts, actor, new).await
    }
    async fn series(&self, actor: &Actor, id: MeetingId) -> Result<Option<MeetingSeries>, DomainError> {
        series::find(&self.parts, actor, id).await
    }
    async fn hand_over(
        &self,
        actor: &Actor,
        id: MeetingId,
        to: &str,
        seen: Version,
    ) -> Result<Meeting, DomainError> {
        series::hand_over(&self.parts, actor, id, to, seen).await
    }
    async fn edit_series(
        &self,
        actor: &Actor,
        id: MeetingId,
        edit: SeriesEdit,
        seen: Version,
    ) -> Result<ChangedSeries, DomainError> {
        if let SeriesChange::Edit(edit) = &edit.change {
            check_words(&self.parts, edit).await?;
        }
        series::edit(&self.parts, actor, id, edit, seen).await
    }
}

/// Checks the changed texts against the word lists.
async fn check_words(parts: &AppState, edit: &MeetingEdit) -> Result<(), DomainError> {
    let (title, description) = (edit.title.as_deref(), edit.description.as_deref());
    (parts.hooks.check_texts)(parts, &[title.unwrap_or_default(), description.unwrap_or_default()]).await
}

/// Whether the actor may decide requests of this organizer. Admins may decide their own as well:
/// they could drop the approval of the room.
fn may_decide(actor: &Actor, organizer: domain::AccountId) -> bool {
    match actor.role {
        domain::Role::Admin => true,
        domain::Role::Reviewer => actor.account != organizer,
        domain::Role::Creator => false,
    }
}

/// Returns the refusal of a room that does not exist.
pub(crate) fn unknown_room() -> DomainError {
    rooms::locked::unknown_room()
}

/// Returns the refusal of a corrupt row.
fn corrupt(what: &str) -> DomainError {
    internal_error(store::StoreError::Corrupt(what.to_owned()))
}
