//! The services of the calendar and its posting slots.

use super::{
    CalendarPage, CalendarQuery, CreatedFeed, Feed, FreeSlot, NewFeed, NewSlotTask, SlotGap, SlotPlan,
    SlotSettings, SlotShift, SlotTask,
};
use crate::{AccountId, Actor, DomainError, TaskId, Version, bulk_change::BulkOutcome};
use async_trait::async_trait;
use uuid::Uuid;

/// The calendar. Every account may read it. Tasks of kinds that belong to admins are shown to admins
/// only.
#[async_trait]
pub trait Calendar: Send + Sync {
    /// Days and their items. `Invalid` names the field.
    async fn page(&self, actor: &Actor, query: CalendarQuery) -> Result<CalendarPage, DomainError>;
    /// The accounts whose items a filter can ask for, by name: at most [`super::MAX_FILTER_PEOPLE`] that
    /// are not disabled.
    async fn people(&self, actor: &Actor) -> Result<Vec<(AccountId, String)>, DomainError>;
}

/// Feeds. Every account may create feeds; each sees and revokes its own.
#[async_trait]
pub trait Feeds: Send + Sync {
    /// The caller's feeds, oldest first.
    async fn list(&self, actor: &Actor) -> Result<Vec<Feed>, DomainError>;
    /// Creates a feed; its secret is returned once. `Invalid` if the caller has
    /// [`super::MAX_FEEDS`] already.
    async fn create(&self, actor: &Actor, new: NewFeed) -> Result<CreatedFeed, DomainError>;
    /// Revokes a feed of the caller. `NoSuch` if there is none.
    async fn revoke(&self, actor: &Actor, id: Uuid) -> Result<(), DomainError>;
}

/// Posting slots of the desk. Every account may read them; admins may change them.
#[async_trait]
pub trait Slots: Send + Sync {
    /// The plan; without slots if none was set.
    async fn plan(&self, actor: &Actor) -> Result<SlotPlan, DomainError>;
    /// Changes the plan. What is scheduled keeps its time. `Changed` if `seen` is not its version.
    async fn save(
        &self,
        actor: &Actor,
        settings: SlotSettings,
        seen: Version,
    ) -> Result<SlotPlan, DomainError>;
    /// The next free slots, by time: at most `limit`, within [`super::SLOT_HORIZON_DAYS`] days.
    async fn next_free(&self, actor: &Actor, limit: u32) -> Result<Vec<FreeSlot>, DomainError>;
    /// Schedules a task in the next free slot, or makes room in another one. No two tasks take the same
    /// one. `NoSuch` if there is none; `Invalid` if the named time is no slot.
    async fn schedule_next(&self, actor: &Actor, new: NewSlotTask) -> Result<SlotTask, DomainError>;
    /// Moves publications by one slot, all or none: see [`SlotShift`]. Those that the actor may not change
    /// stay, and are listed as refused. `is_dry_run`: changes nothing and lists who would move where.
    /// `Invalid` if the time is no slot, or the gap is taken.
    async fn shift(
        &self,
        actor: &Actor,
        shift: SlotShift,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError>;
    /// The slot that a task left with its last change, if that leaves a gap which the actor can close.
    async fn gap_after(&self, actor: &Actor, task: TaskId) -> Result<Option<SlotGap>, DomainError>;
}
