//! Tasks: what happens when. Everybody with an account reads all; owners and admins change.

mod at_once;
mod attention;
mod change;
mod past;
mod query;
mod schedule;
mod together;
mod undo;
pub mod unit;
pub mod zone_moves;

pub use past::Past;

use crate::{parts::Parts, zone};
use async_trait::async_trait;
use domain::{
    Actor, ArticleId, Kind, Moment, Page, Refusal, State, TaskId, Timestamp, Version, When,
    desk::Tasks,
    event::Event,
    task::{AttentionGroup, Board, Change, NewTask, Retried, Task, TaskQuery, TaskRow},
    time::Picks,
};

/// What people can do with tasks.
#[derive(Clone)]
pub struct TaskDesk {
    /// What it is built from.
    pub parts: Parts,
}

impl TaskDesk {
    /// The desk of tasks over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Tasks for TaskDesk {
    async fn board(&self, actor: &Actor) -> Result<Board, Refusal> {
        attention::board(&self.parts, actor).await
    }
    async fn list(&self, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, Refusal> {
        query::list(&self.parts, actor, query).await
    }
    async fn find(&self, actor: &Actor, id: TaskId) -> Result<Task, Refusal> {
        query::find(&self.parts, actor, id).await
    }
    async fn attention(&self, actor: &Actor) -> Result<Vec<AttentionGroup>, Refusal> {
        attention::attention(&self.parts, actor).await
    }
    async fn dismiss_zone_moves(&self, actor: &Actor, seen_at: Timestamp) -> Result<u64, Refusal> {
        zone_moves::dismiss(&self.parts, actor, seen_at).await
    }
    async fn retry_group(
        &self,
        actor: &Actor,
        state: State,
        reason: &str,
        most: u64,
    ) -> Result<Retried, Refusal> {
        attention::retry_group(&self.parts, actor, state, reason, most).await
    }
    async fn schedule(&self, actor: &Actor, new: NewTask) -> Result<TaskRow, Refusal> {
        schedule::one(&self.parts, actor, new).await
    }
    async fn publish_at_once(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, Refusal> {
        at_once::at_once(&self.parts, actor, article, Kind::ArticlePublish).await
    }
    async fn unpublish_at_once(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, Refusal> {
        at_once::at_once(&self.parts, actor, article, Kind::ArticleUnpublish).await
    }
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, Refusal> {
        schedule::all(&self.parts, actor, new).await
    }
    async fn change(
        &self,
        actor: &Actor,
        id: TaskId,
        change: Change,
        seen: Version,
    ) -> Result<TaskRow, Refusal> {
        change::change(&self.parts, actor, id, change, seen).await
    }
    async fn resolve(&self, actor: &Actor, when: &When) -> Result<Moment, Refusal> {
        query::resolve(&self.parts, actor, when).await
    }
    async fn zones(&self) -> Vec<String> {
        zone::names().into_iter().map(str::to_owned).collect()
    }
    async fn usual_times(&self, actor: &Actor, zone: &str) -> Result<Picks, Refusal> {
        Ok(query::usual_times(&self.parts, actor, zone))
    }
    async fn events(&self, actor: &Actor, after: i64, limit: u32) -> Result<Page<Event>, Refusal> {
        query::events(&self.parts, actor, after, limit).await
    }
}
