//! The calendar: every user reads it. Tasks of kinds that belong to admins are shown to admins only.

pub mod api;
pub mod feeds;
mod page;
pub mod slot_shift;
pub mod slot_task;
pub mod slots_api;

use crate::{app_state::AppState, tasks::slots};
use async_trait::async_trait;
use domain::{
    AccountId, Actor, DomainError, TaskId, Version,
    bulk_change::BulkOutcome,
    calendar::{
        CalendarPage, CalendarQuery, CreatedFeed, Feed, FreeSlot, NewFeed, NewSlotTask, SlotGap, SlotPlan,
        SlotSettings, SlotShift, SlotTask,
        use_cases::{Calendar, Feeds, Slots},
    },
};
use uuid::Uuid;

/// The calendar service.
#[derive(Clone)]
pub struct CalendarService {
    /// Shared state of the process.
    pub parts: AppState,
}

impl CalendarService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Calendar for CalendarService {
    async fn page(&self, actor: &Actor, query: CalendarQuery) -> Result<CalendarPage, DomainError> {
        page::page(&self.parts, actor, query).await
    }
    async fn people(&self, _actor: &Actor) -> Result<Vec<(AccountId, String)>, DomainError> {
        page::people(&self.parts).await
    }
}

#[async_trait]
impl Feeds for CalendarService {
    async fn list(&self, actor: &Actor) -> Result<Vec<Feed>, DomainError> {
        feeds::list(&self.parts, actor).await
    }
    async fn create(&self, actor: &Actor, new: NewFeed) -> Result<CreatedFeed, DomainError> {
        feeds::create(&self.parts, actor, new).await
    }
    async fn revoke(&self, actor: &Actor, id: Uuid) -> Result<(), DomainError> {
        feeds::revoke(&self.parts, actor, id).await
    }
}

#[async_trait]
impl Slots for CalendarService {
    async fn plan(&self, _actor: &Actor) -> Result<SlotPlan, DomainError> {
        slots::plan(&self.parts).await
    }
    async fn save(
        &self,
        actor: &Actor,
        settings: SlotSettings,
        seen: Version,
    ) -> Result<SlotPlan, DomainError> {
        slots::save(&self.parts, actor, settings, seen).await
    }
    async fn next_free(&self, actor: &Actor, limit: u32) -> Result<Vec<FreeSlot>, DomainError> {
        slots::next(&self.parts, actor, limit).await
    }
    async fn schedule_next(&self, actor: &Actor, new: NewSlotTask) -> Result<SlotTask, DomainError> {
        slot_task::create(&self.parts, actor, new).await
    }
    async fn shift(
        &self,
        actor: &Actor,
        shift: SlotShift,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError> {
        slot_shift::shift(&self.parts, actor, shift, is_dry_run).await
    }
    async fn gap_after(&self, actor: &Actor, task: TaskId) -> Result<Option<SlotGap>, DomainError> {
        slot_shift::gap_after(&self.parts, actor, task).await
    }
}
