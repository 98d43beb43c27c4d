//! The row of a task in lists, which errors and many features carry.

use crate::{
    AccountId, Kind, LocalizedTime, Priority, State, TaskId, Timestamp, Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// One row of the task list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Id.
    pub id: TaskId,
    /// What it does.
    pub kind: Kind,
    /// Its target.
    pub target_id: Uuid,
    /// State.
    pub state: State,
    /// Increases with every change; clients send it back with the next one.
    pub version: Version,
    /// When it is due.
    pub due: LocalizedTime,
    /// Priority.
    pub priority: Priority,
    /// Title of the target (of the pinned revision, if there is one).
    pub title: String,
    /// Slug of the article.
    pub slug: String,
    /// Owner of the article.
    pub owner_id: AccountId,
    /// Display name of the owner.
    pub owner: String,
    /// When it was executed.
    pub executed: Option<LocalizedTime>,
    /// Why it failed, was missed or cancelled: a code, see [`crate::task::reason`].
    pub reason: Option<String>,
    /// Whether it would publish an older revision than the article's current one.
    pub has_newer_revision: bool,
    /// Whether it is scheduled and waits for a reviewer to approve its revision.
    #[serde(default)]
    pub needs_approval: bool,
    /// Verb of the last change by a user.
    pub last_verb: Option<String>,
    /// The change that can be undone now, if any.
    pub undo: Option<UndoOffer>,
    /// Whether the caller may change it.
    pub may_change: bool,
}

impl TaskRow {
    /// State shown at `now`, including *due*.
    #[must_use]
    pub fn phase(&self, now: Timestamp) -> Phase {
        match self.state {
            State::Scheduled if self.due.at <= now => Phase::Due,
            State::Scheduled => Phase::Scheduled,
            State::Executed => Phase::Executed,
            State::Failed => Phase::Failed,
            State::Cancelled => Phase::Cancelled,
            State::Missed => Phase::Missed,
        }
    }
}

string_enum! {
    /// A task state as shown to users: *due* is derived.
    Phase {
        /// Waits for its due time.
        Scheduled = "scheduled",
        /// Its due time has come and it is about to be executed.
        Due = "due",
        /// Executed.
        Executed = "executed",
        /// Could not be executed.
        Failed = "failed",
        /// Cancelled.
        Cancelled = "cancelled",
        /// Its due time passed by more than its grace.
        Missed = "missed",
    }
}

/// The change that an undo would revert.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UndoOffer {
    /// The verb of the change: `schedule`, `reschedule`, `cancel`, `publish_now`, `replace_revision`, `unpublish`.
    pub verb: String,
    /// When the change was made; the button is shown for [`crate::input_limits::UNDO_OFFER_MS`].
    pub changed_at: Timestamp,
    /// Until when it can be undone: the due time before the change, or its own if the task was new.
    pub until: Timestamp,
    /// Whether the change updated a public article. `false`: it was not public before, or the change is another.
    pub is_update: bool,
}
