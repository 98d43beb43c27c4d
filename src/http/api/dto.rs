//! Tasks and events as the API returns them.

use domain::{
    Priority, Timestamp,
    event::Event,
    task::{StageTimes, Task, TaskRow, UndoOffer},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A task.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskBody {
    /// Id of the task.
    #[schema(value_type = String, format = Uuid)]
    pub id: Uuid,
    /// `article.publish`, `article.unpublish`, `meeting.wait`, `meeting.offer`, `meeting.warn`, `meeting.warn_again`, `meeting.decide`,
    /// `meeting.start`, `meeting.warn_release`, `meeting.release`, `meeting.end`, `review.warn`, `review.warn_again`,
    /// `review.decide`, `release.publish` or `release.revert`. Values may be added.
    pub kind: &'static str,
    /// Id of the article or the meeting.
    #[schema(value_type = String, format = Uuid)]
    pub target_id: Uuid,
    /// `scheduled`, `executed`, `failed`, `cancelled` or `missed`.
    pub state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    pub version: i32,
    /// When it is due.
    #[schema(value_type = String, format = DateTime)]
    pub due_at: Timestamp,
    /// `high`, `normal` or `low`.
    pub priority: &'static str,
    /// Title of the article or the meeting.
    pub title: String,
    /// Slug of the article; empty for a meeting.
    pub slug: String,
    /// Account that owns it.
    #[schema(value_type = String, format = Uuid)]
    pub owner_id: Uuid,
    /// When it was executed.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub executed_at: Option<Timestamp>,
    /// Why it failed, was missed or cancelled. `blocked_item:PROBLEM:TITLE`: this article of a release was
    /// blocked. `words_block`: the text contains what must not be published, or takes too long to check, so it cannot be approved; change
    /// the text or the word list. `not_approved`: it waits for an approval. `words:TERMS`: what a rule would
    /// send contains these words; change the rule or the word list, then retry.
    pub reason: Option<String>,
    /// Whether it is scheduled and waits for a reviewer to approve its text: it is published after that.
    pub needs_approval: bool,
    /// The change that can still be undone; null: none.
    pub undo: Option<UndoBody>,
}

/// A change that can be undone.
#[derive(Debug, Serialize, ToSchema)]
pub struct UndoBody {
    /// What was done.
    pub verb: String,
    /// Until when it can be undone.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

impl From<UndoOffer> for UndoBody {
    fn from(undo: UndoOffer) -> Self {
        Self { verb: undo.verb, until: undo.until }
    }
}

impl From<TaskRow> for TaskBody {
    fn from(row: TaskRow) -> Self {
        Self {
            id: row.id.0,
            kind: row.kind.as_str(),
            target_id: row.target_id,
            state: row.state.as_str(),
            version: row.version.0,
            due_at: row.due.at,
            priority: Priority::as_str(row.priority),
            title: row.title,
            slug: row.slug,
            owner_id: row.owner_id.0,
            executed_at: row.executed.map(|executed| executed.at),
            reason: row.reason,
            needs_approval: row.needs_approval,
            undo: row.undo.map(UndoBody::from),
        }
    }
}

/// A task with its timeline.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskDetail {
    /// The task.
    #[serde(flatten)]
    pub task: TaskBody,
    /// Number of the pinned revision.
    pub revision: Option<i32>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Number of attempts to execute it.
    pub attempts: i32,
    /// Grace: how late it may still be executed, milliseconds.
    pub grace_ms: i64,
    /// Times of its stages, once executed.
    pub stages: Option<StagesBody>,
    /// Its events, oldest first.
    pub timeline: Vec<EventBody>,
}

impl From<Task> for TaskDetail {
    fn from(task: Task) -> Self {
        Self {
            task: task.row.into(),
            revision: task.revision,
            created_at: task.created.at,
            attempts: task.attempts,
            grace_ms: task.grace_ms,
            stages: task.stages.map(StagesBody::from),
            timeline: task.timeline.into_iter().map(EventBody::from).collect(),
        }
    }
}

/// Times of the stages of an executed task.
#[derive(Debug, Serialize, ToSchema)]
pub struct StagesBody {
    /// When its hint entered the future set.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub hinted_at: Option<Timestamp>,
    /// When its hint was moved to the publish list.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub moved_at: Option<Timestamp>,
    /// When a consumer popped its hint.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub popped_at: Option<Timestamp>,
    /// When its transaction began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// When it was executed.
    #[schema(value_type = String, format = DateTime)]
    pub executed_at: Timestamp,
}

impl From<StageTimes> for StagesBody {
    fn from(stages: StageTimes) -> Self {
        let StageTimes { hinted_at, moved_at, popped_at, started_at, executed_at } = stages;
        Self { hinted_at, moved_at, popped_at, started_at, executed_at }
    }
}

/// An entry of the event log.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventBody {
    /// Sequence number in the log; increasing, may have gaps.
    pub seq: i64,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Display name, at that time, of the account that acted, or `engine`.
    pub actor: String,
    /// Id of the account that acted; null: the engine.
    #[schema(value_type = Option<String>, format = Uuid)]
    pub actor_id: Option<Uuid>,
    /// Type of the entity: `task`, `article`, `release`, `meeting`, `room`, `account`, `settings`, `engine`.
    pub entity: String,
    /// Id of the entity.
    #[schema(value_type = String, format = Uuid)]
    pub entity_id: Uuid,
    /// What was done.
    pub verb: String,
    /// State before.
    pub from_state: Option<String>,
    /// State after.
    pub to_state: Option<String>,
    /// Version or revision after.
    pub version: Option<i32>,
    /// Details, depending on the verb.
    #[schema(value_type = Object)]
    pub detail: serde_json::Value,
}

impl From<Event> for EventBody {
    fn from(event: Event) -> Self {
        Self {
            seq: event.seq,
            at: event.at.at,
            actor: event.actor,
            actor_id: event.actor_id.map(|person| person.0),
            entity: event.entity,
            entity_id: event.entity_id,
            verb: event.verb,
            from_state: event.from_state,
            to_state: event.to_state,
            version: event.version.map(|version| version.0),
            detail: event.detail,
        }
    }
}
