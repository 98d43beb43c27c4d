//! Service for tasks.

use crate::{
    Actor, ArticleId, BatchId, DomainError, LocalizedTime, Page, State, TaskId, TimePresets, Timestamp,
    Version, When,
    activity::{ActivityEntry, ActivityQuery},
    base::when::{TypedWords, WordsMeaning},
    bulk_change::{BulkChange, BulkOutcome, BulkSelection},
    event::Event,
    task::{
        AttentionGroup, BulkResult, Change, Dashboard, NewTask, RevisionChoice, Task, TaskCounts, TaskQuery,
        TaskRow,
    },
};
use async_trait::async_trait;

/// Scheduled tasks. Every account may read all; owners and admins may change.
#[async_trait]
pub trait Tasks: Send + Sync {
    /// Data of the dashboard. `is_own`: only what belongs to the actor.
    async fn dashboard(&self, actor: &Actor, is_own: bool) -> Result<Dashboard, DomainError>;
    /// One page of the list, earliest due time first unless the query says otherwise.
    async fn list(&self, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, DomainError>;
    /// Number of tasks in each state.
    async fn counts(&self, actor: &Actor) -> Result<TaskCounts, DomainError>;
    /// One task with its history.
    async fn find(&self, actor: &Actor, id: TaskId) -> Result<Task, DomainError>;
    /// Tasks that need a person, grouped by cause. For non-admins, only their own.
    async fn attention(&self, actor: &Actor) -> Result<Vec<AttentionGroup>, DomainError>;
    /// Dismisses the notices about tasks moved by newer time-zone data before `seen_at`, as far as
    /// the actor may change them. Returns their number.
    async fn dismiss_zone_moves(&self, actor: &Actor, seen_at: Timestamp) -> Result<u64, DomainError>;
    /// Schedules a task. Publishing pins the chosen revision, see [`NewTask::revision`], and approves it
    /// without a review workflow.
    async fn schedule(&self, actor: &Actor, new: NewTask) -> Result<TaskRow, DomainError>;
    /// Publishes an article now: publishes it, updates the public text, or moves the scheduled publish
    /// to now. With the current revision or, if that needs an approval, the newest approved one.
    async fn publish_now(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, DomainError>;
    /// Does the same with a chosen revision.
    async fn publish_revision_now(
        &self,
        actor: &Actor,
        article: ArticleId,
        revision: RevisionChoice,
    ) -> Result<TaskRow, DomainError>;
    /// Unpublishes the article now.
    async fn unpublish_now(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, DomainError>;
    /// Schedules all or none, at most [`crate::input_limits::MAX_BULK_ITEMS`]; `Bulk` lists the
    /// invalid ones by index.
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, DomainError>;
    /// Refuses what [`Self::schedule_all`] would refuse; stores nothing.
    async fn check_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<(), DomainError>;
    /// Changes a task. `TaskConflict` if `seen` is not its version or its state does not allow the
    /// change.
    async fn change(
        &self,
        actor: &Actor,
        id: TaskId,
        change: Change,
        seen: Version,
    ) -> Result<TaskRow, DomainError>;
    /// Changes (retries, reschedules or cancels), each independently, the failed or missed tasks of
    /// one cause that the actor may change: the newest `most`, at most
    /// [`crate::input_limits::MAX_RETRY_ITEMS`].
    async fn change_group(
        &self,
        actor: &Actor,
        group: (State, &str),
        change: Change,
        most: u64,
    ) -> Result<BulkResult, DomainError>;
    /// Undoes the dismissals of failed or missed tasks by the actor between two moments, each
    /// independently, unless a task was changed since. `CannotUndo`: there are none.
    async fn undo_dismissal(
        &self,
        actor: &Actor,
        state: State,
        between: (Timestamp, Timestamp),
    ) -> Result<BulkResult, DomainError>;
    /// Makes one change to many tasks, each independently, at most
    /// [`crate::input_limits::MAX_BULK_ITEMS`]. `is_dry_run`: changes nothing and says what it would
    /// do.
    async fn bulk_change(
        &self,
        actor: &Actor,
        selection: BulkSelection,
        change: BulkChange,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError>;
    /// Undoes such a change, as far as its tasks were not changed or executed since. `CannotUndo`: it
    /// was undone before.
    async fn undo_batch(&self, actor: &Actor, id: BatchId) -> Result<BulkOutcome, DomainError>;
    /// Resolves a time without using it: the instant with both offsets, or why it is invalid.
    async fn resolve(&self, actor: &Actor, when: &When) -> Result<LocalizedTime, DomainError>;
    /// Reads a time in words without using it: its readings, or what is not understood.
    async fn read_words(&self, actor: &Actor, words: TypedWords) -> Result<WordsMeaning, DomainError>;
    /// Names of the available time zones. Needs no actor: the first admin chooses one during setup.
    async fn time_zones(&self) -> Vec<String>;
    /// Preset times in `zone`; in the actor's own zone if `zone` is invalid.
    async fn time_presets(&self, actor: &Actor, zone: &str) -> Result<TimePresets, DomainError>;
    /// What was done at the desk, newest first; only what the actor may see.
    async fn activity(&self, actor: &Actor, query: ActivityQuery)
    -> Result<Page<ActivityEntry>, DomainError>;
    /// The log after sequence number `after`, in its order, at most `limit` events.
    async fn events(&self, actor: &Actor, after: i64, limit: u32) -> Result<Page<Event>, DomainError>;
}
