//! Tasks and events as the API shows them.

use domain::{
    Lane, Timestamp,
    event::Event,
    task::{Stages, Task, TaskRow, Undo},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A task.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskBody {
    /// Identity.
    #[schema(value_type = String, format = Uuid)]
    pub id: Uuid,
    /// `article.publish` or `article.unpublish`.
    pub kind: &'static str,
    /// What it happens to.
    #[schema(value_type = String, format = Uuid)]
    pub target_id: Uuid,
    /// `scheduled`, `executed`, `failed`, `cancelled` or `missed`.
    pub state: &'static str,
    /// Grows with every change; send it back as `seen_version`.
    pub version: i32,
    /// When it happens.
    #[schema(value_type = String, format = DateTime)]
    pub due_at: Timestamp,
    /// `high`, `normal` or `low`.
    pub lane: &'static str,
    /// Title of what it is about.
    pub title: String,
    /// Slug of what it is about.
    pub slug: String,
    /// Whose it is.
    #[schema(value_type = String, format = Uuid)]
    pub owner_id: Uuid,
    /// When it happened.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub executed_at: Option<Timestamp>,
    /// Why it failed, was missed or cancelled.
    pub reason: Option<String>,
    /// What can be taken back, while it can.
    pub undo: Option<UndoBody>,
}

/// A change that can be taken back.
#[derive(Debug, Serialize, ToSchema)]
pub struct UndoBody {
    /// What was done.
    pub verb: String,
    /// Until when it can be taken back.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

impl From<Undo> for UndoBody {
    fn from(undo: Undo) -> Self {
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
            lane: Lane::as_str(row.lane),
            title: row.title,
            slug: row.slug,
            owner_id: row.owner_id.0,
            executed_at: row.executed.map(|executed| executed.at),
            reason: row.reason,
            undo: row.undo.map(UndoBody::from),
        }
    }
}

/// A task with its history.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskWhole {
    /// The task.
    #[serde(flatten)]
    pub task: TaskBody,
    /// Number of the pinned revision.
    pub revision: Option<i32>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// How often it was tried.
    pub attempts: i32,
    /// How late it may still happen, milliseconds.
    pub late_grace_ms: i64,
    /// Its way, once executed.
    pub stages: Option<StagesBody>,
    /// All that happened to it, oldest first.
    pub timeline: Vec<EventBody>,
}

impl From<Task> for TaskWhole {
    fn from(task: Task) -> Self {
        Self {
            task: task.row.into(),
            revision: task.revision,
            created_at: task.created.at,
            attempts: task.attempts,
            late_grace_ms: task.late_grace,
            stages: task.stages.map(StagesBody::from),
            timeline: task.timeline.into_iter().map(EventBody::from).collect(),
        }
    }
}

/// The way of an executed task.
#[derive(Debug, Serialize, ToSchema)]
pub struct StagesBody {
    /// When its hint entered the future set.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub hinted_at: Option<Timestamp>,
    /// When its hint was moved to the publish list.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub moved_at: Option<Timestamp>,
    /// When a consumer took it.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub popped_at: Option<Timestamp>,
    /// When its transaction began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// When its transaction executed it.
    #[schema(value_type = String, format = DateTime)]
    pub executed_at: Timestamp,
}

impl From<Stages> for StagesBody {
    fn from(stages: Stages) -> Self {
        let Stages { hinted_at, moved_at, popped_at, started_at, executed_at } = stages;
        Self { hinted_at, moved_at, popped_at, started_at, executed_at }
    }
}

/// One thing that happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventBody {
    /// Place in the log; grows, may have gaps.
    pub seq: i64,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Name of who did it at that moment, or `engine`.
    pub actor: String,
    /// Who did it; null: the engine. Tells people apart where names do not.
    #[schema(value_type = Option<String>, format = Uuid)]
    pub actor_id: Option<Uuid>,
    /// `task`, `article`, `person`, `settings`, `engine`.
    pub entity: String,
    /// Which one.
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
    /// More, by verb.
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
