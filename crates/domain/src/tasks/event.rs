//! Events: the append-only log. A task's timeline and the live stream show the same rows.

use crate::{AccountId, Actor, LocalizedTime, Timestamp, Version};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One entry of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Position in the log; increases, may have gaps.
    pub seq: i64,
    /// When it happened.
    pub at: LocalizedTime,
    /// Display name of the account that acted, or `engine`.
    pub actor: String,
    /// Account that acted; `None`: the engine. Names can change and need not be unique, ids can
    /// not.
    pub actor_id: Option<AccountId>,
    /// Type of the changed entity: `task`, `article`, `account`, `settings`, `engine`.
    pub entity: String,
    /// Id of the changed entity.
    pub entity_id: Uuid,
    /// What was done, e.g. `schedule`, `reschedule`, `cancel`, `execute`, `save`.
    pub verb: String,
    /// State before, for tasks.
    pub from_state: Option<String>,
    /// State after, for tasks.
    pub to_state: Option<String>,
    /// The entity's version (tasks) or revision (articles) after the change.
    pub version: Option<Version>,
    /// When the task is due after the change, where the verb records it.
    pub due: Option<LocalizedTime>,
    /// When the task was due before the change.
    pub was_due: Option<LocalizedTime>,
    /// Further fields by verb, e.g. `{"due_at": …, "was_due_at": …}`.
    pub detail: serde_json::Value,
}

/// The part of an event that the live stream carries: enough for clients to know what to reload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// Position in the log.
    pub seq: i64,
    /// When it happened.
    pub at: Timestamp,
    /// Type of the changed entity.
    pub entity: String,
    /// Id of the changed entity.
    pub entity_id: Uuid,
    /// What was done.
    pub verb: String,
    /// Account that acted; `None`: the engine.
    #[serde(default, skip_deserializing)]
    pub actor_id: Option<AccountId>,
    /// State after, for tasks.
    pub to_state: Option<String>,
    /// Version after.
    pub version: Option<Version>,
}

/// Who may see an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Every account.
    AllAccounts,
    /// The account it is about, and admins.
    Account(AccountId),
    /// Admins only.
    Admins,
}

impl Audience {
    /// Returns the audience of an event about an `entity`. Unknown entities are visible to admins
    /// only.
    #[must_use]
    pub fn of(entity: &str, entity_id: Uuid) -> Self {
        match entity {
            "task" | "article" | "release" | "delivery" | "meeting" | "room" | "series" => Self::AllAccounts,
            "account" => Self::Account(AccountId(entity_id)),
            _ => Self::Admins,
        }
    }

    /// Whether the actor may see it.
    #[must_use]
    pub fn includes(self, actor: &Actor) -> bool {
        match self {
            Self::AllAccounts => true,
            Self::Account(person) => actor.is_admin() || actor.account == person,
            Self::Admins => actor.is_admin(),
        }
    }
}

impl Signal {
    /// Who may see it.
    #[must_use]
    pub fn audience(&self) -> Audience {
        Audience::of(&self.entity, self.entity_id)
    }
}
