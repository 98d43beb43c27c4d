//! Events: the append-only log, a task's timeline and the live stream are the same rows.

use crate::{Actor, Moment, PersonId, Timestamp, Version};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Place in the log; grows, may have gaps.
    pub seq: i64,
    /// When.
    pub at: Moment,
    /// Who: a person's name, or `engine`.
    pub actor: String,
    /// Who; `None`: the engine. A name can change and does not have to be unique, this is neither.
    pub actor_id: Option<PersonId>,
    /// What it is about: `task`, `article`, `person`, `settings`, `engine`.
    pub entity: String,
    /// Which one.
    pub entity_id: Uuid,
    /// What was done, e.g. `schedule`, `reschedule`, `cancel`, `execute`, `save`.
    pub verb: String,
    /// State before, for tasks.
    pub from_state: Option<String>,
    /// State after, for tasks.
    pub to_state: Option<String>,
    /// The entity's version (tasks) or revision (articles) after it.
    pub version: Option<Version>,
    /// When its task is due after it, where it says so.
    pub due: Option<Moment>,
    /// And when it was due before.
    pub was_due: Option<Moment>,
    /// More, by verb, e.g. `{"due_at": …, "was_due_at": …}`.
    pub detail: serde_json::Value,
}

/// What the live stream carries of an event: enough to know what to read again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// Place in the log.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// What it is about.
    pub entity: String,
    /// Which one.
    pub entity_id: Uuid,
    /// What was done.
    pub verb: String,
    /// Who did it; `None`: the engine.
    #[serde(default, skip_deserializing)]
    pub actor_id: Option<PersonId>,
    /// State after, for tasks.
    pub to_state: Option<String>,
    /// Version after.
    pub version: Option<Version>,
}

/// Who may learn of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everybody with an account.
    Everybody,
    /// The person it is about, and admins.
    Person(PersonId),
    /// Admins.
    Admins,
}

impl Audience {
    /// The audience of an event about an `entity`. What is not known yet is for admins.
    #[must_use]
    pub fn of(entity: &str, entity_id: Uuid) -> Self {
        match entity {
            "task" | "article" | "delivery" => Self::Everybody,
            "person" => Self::Person(PersonId(entity_id)),
            _ => Self::Admins,
        }
    }

    /// Whether the actor belongs to it.
    #[must_use]
    pub fn includes(self, actor: &Actor) -> bool {
        match self {
            Self::Everybody => true,
            Self::Person(person) => actor.is_admin() || actor.person == person,
            Self::Admins => actor.is_admin(),
        }
    }
}

impl Signal {
    /// Who may learn of it.
    #[must_use]
    pub fn audience(&self) -> Audience {
        Audience::of(&self.entity, self.entity_id)
    }
}
