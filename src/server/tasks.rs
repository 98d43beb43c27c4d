//! The task service: tasks, and what other features do about their changes.

use crate::{
    app_state::AppState,
    articles::{
        self, ArticleService,
        review::workflow::{follow_new, followed},
    },
    attention::{dashboard, task_groups},
    meetings, reminders,
    services::idempotency::answered_once,
    tasks::{bulk, change, publish_now, query, schedule, words, zone_moves},
    zone,
};
use async_trait::async_trait;
use domain::{
    Actor, ArticleId, BatchId, DomainError, Kind, LocalizedTime, Page, State, TaskId, TimePresets, Timestamp,
    Version, When,
    activity::{ActivityEntry, ActivityQuery},
    base::when::{TypedWords, WordsMeaning},
    bulk_change::{BulkChange, BulkOutcome, BulkSelection},
    event::Event,
    services::Tasks,
    task::{
        AttentionGroup, BulkResult, Change, Dashboard, NewTask, RevisionChoice, Task, TaskCounts, TaskQuery,
        TaskRow,
    },
};

/// The task service.
#[derive(Clone)]
pub struct TaskService {
    /// Shared state of the process.
    pub parts: AppState,
}

impl TaskService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

/// Undoes a change of many, by the feature whose things it changed.
async fn undo_batch(parts: &AppState, actor: &Actor, id: BatchId) -> Result<BulkOutcome, DomainError> {
    let service = ArticleService::new(parts.clone());
    if let Some(outcome) = articles::bulk::undo(&service, actor, id).await? {
        return Ok(outcome);
    }
    if let Some(outcome) = meetings::undo_many(parts, actor, id).await? {
        return Ok(outcome);
    }
    match reminders::undo_many(parts, actor, id).await? {
        Some(outcome) => Ok(outcome),
        None => bulk::undo(parts, actor, id).await,
    }
}

#[async_trait]
impl Tasks for TaskService {
    async fn dashboard(&self, actor: &Actor, is_own: bool) -> Result<Dashboard, DomainError> {
        dashboard::board(&self.parts, actor, is_own).await
    }
    async fn list(&self, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, DomainError> {
        query::list(&self.parts, actor, query).await
    }
    async fn counts(&self, actor: &Actor) -> Result<TaskCounts, DomainError> {
        query::counts(&self.parts, actor).await
    }
    async fn find(&self, actor: &Actor, id: TaskId) -> Result<Task, DomainError> {
        query::find(&self.parts, actor, id).await
    }
    async fn attention(&self, actor: &Actor) -> Result<Vec<AttentionGroup>, DomainError> {
        task_groups::groups(&self.parts, actor).await
    }
    async fn dismiss_zone_moves(&self, actor: &Actor, seen_at: Timestamp) -> Result<u64, DomainError> {
        zone_moves::dismiss(&self.parts, actor, seen_at).await
    }
    async fn change_group(
        &self,
        actor: &Actor,
        group: (State, &str),
        change: Change,
        most: u64,
    ) -> Result<BulkResult, DomainError> {
        task_groups::change_all(&self.parts, actor, group, &change, most).await
    }
    async fn undo_dismissal(
        &self,
        actor: &Actor,
        state: State,
        between: (Timestamp, Timestamp),
    ) -> Result<BulkResult, DomainError> {
        task_groups::undo_dismissal(&self.parts, actor, state, between).await
    }
    async fn schedule(&self, actor: &Actor, new: NewTask) -> Result<TaskRow, DomainError> {
        let task = schedule::one(&self.parts, actor, new).await?;
        Ok(followed(&self.parts, actor, task).await)
    }
    async fn publish_now(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, DomainError> {
        let what = (article.0, Kind::ArticlePublish);
        let task = publish_now::run_now(&self.parts, actor, what, None).await?;
        Ok(followed(&self.parts, actor, task).await)
    }
    async fn publish_revision_now(
        &self,
        actor: &Actor,
        article: ArticleId,
        revision: RevisionChoice,
    ) -> Result<TaskRow, DomainError> {
        let what = (article.0, Kind::ArticlePublish);
        let task = publish_now::run_now(&self.parts, actor, what, Some(revision)).await?;
        Ok(followed(&self.parts, actor, task).await)
    }
    async fn unpublish_now(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, DomainError> {
        publish_now::run_now(&self.parts, actor, (article.0, Kind::ArticleUnpublish), None).await
    }
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, DomainError> {
        let tasks = schedule::all(&self.parts, actor, new).await?;
        Ok(follow_new(&self.parts, actor, tasks).await)
    }
    async fn check_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<(), DomainError> {
        schedule::check_all(&self.parts, actor, &new).await
    }
    async fn change(
        &self,
        actor: &Actor,
        id: TaskId,
        change: Change,
        seen: Version,
    ) -> Result<TaskRow, DomainError> {
        let task = change::change(&self.parts, actor, id, change, seen).await?;
        Ok(followed(&self.parts, actor, task).await)
    }
    async fn bulk_change(
        &self,
        actor: &Actor,
        selection: BulkSelection,
        change: BulkChange,
        is_dry_run: bool,
    ) -> Result<BulkOutcome, DomainError> {
        let change = Box::pin(bulk::change(&self.parts, actor, &selection, &change, is_dry_run));
        answered_once(&self.parts.store, actor, self.parts.clock.now(), change).await
    }
    async fn undo_batch(&self, actor: &Actor, id: BatchId) -> Result<BulkOutcome, DomainError> {
        let undo = Box::pin(undo_batch(&self.parts, actor, id));
        answered_once(&self.parts.store, actor, self.parts.clock.now(), undo).await
    }
    async fn resolve(&self, actor: &Actor, when: &When) -> Result<LocalizedTime, DomainError> {
        query::resolve(&self.parts, actor, when).await
    }
    async fn read_words(&self, actor: &Actor, words: TypedWords) -> Result<WordsMeaning, DomainError> {
        words::read(&self.parts, actor, &words).await
    }
    async fn time_zones(&self) -> Vec<String> {
        zone::names().into_iter().map(str::to_owned).collect()
    }
    async fn time_presets(&self, actor: &Actor, zone: &str) -> Result<TimePresets, DomainError> {
        query::time_presets(&self.parts, actor, zone).await
    }
    async fn activity(
        &self,
        actor: &Actor,
        query: ActivityQuery,
    ) -> Result<Page<ActivityEntry>, DomainError> {
        query::activity::page(&self.parts, actor, query).await
    }
    async fn events(&self, actor: &Actor, after: i64, limit: u32) -> Result<Page<Event>, DomainError> {
        query::events(&self.parts, actor, after, limit).await
    }
}
