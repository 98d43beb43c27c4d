//! Tasks as people see them.

use crate::{
    Kind, Lane, Moment, PersonId, State, TaskId, Timestamp, Version, When,
    event::Event,
    late::Late,
    state::{UnknownWord, words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// A wish for a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTask {
    /// What shall happen.
    pub kind: Kind,
    /// To what: for `article.*` the article.
    pub target_id: Uuid,
    /// When.
    #[serde(flatten)]
    pub when: When,
    /// In which lane; normal unless said.
    #[serde(default)]
    pub lane: Option<Lane>,
}

/// What a person may do to a task that exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Change {
    /// Another moment.
    Reschedule {
        /// The new one.
        #[serde(flatten)]
        when: When,
    },
    /// Never.
    Cancel,
    /// At once.
    PublishNow,
    /// Take the last change back.
    Undo,
    /// Once more, at once: for failed and missed ones.
    Retry,
    /// The current revision instead of the pinned one.
    ReplaceRevision,
}

/// A task as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Identity.
    pub id: TaskId,
    /// What happens.
    pub kind: Kind,
    /// To what.
    pub target_id: Uuid,
    /// Where it stands.
    pub state: State,
    /// Grows with every change; send it back with the next one.
    pub version: Version,
    /// When it happens.
    pub due: Moment,
    /// Priority.
    pub lane: Lane,
    /// Title of what it is about (of the pinned revision where one is pinned).
    pub title: String,
    /// Slug of the article.
    pub slug: String,
    /// Whose it is.
    pub owner_id: PersonId,
    /// What they are called.
    pub owner: String,
    /// When it happened.
    pub executed: Option<Moment>,
    /// Why it failed, was missed or cancelled: a code, see [`reason`].
    pub reason: Option<String>,
    /// What can be taken back, while it can.
    pub undo: Option<Undo>,
    /// Whether the asker may change it.
    pub may_change: bool,
}

impl TaskRow {
    /// Where it stands on the screen at `now`: knows *due*.
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

words! {
    /// A state as the screen shows it: *due* is derived.
    Phase {
        /// Waits for its moment.
        Scheduled = "scheduled",
        /// Its moment has come, it is about to happen.
        Due = "due",
        /// Happened.
        Executed = "executed",
        /// Could not happen.
        Failed = "failed",
        /// Called off.
        Cancelled = "cancelled",
        /// Its moment passed beyond its late rule.
        Missed = "missed",
    }
}

/// The change an undo would take back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    /// The verb of the change: `schedule`, `reschedule`, `cancel`, `publish_now`, `replace_revision`, `unpublish`.
    pub verb: String,
    /// When the change was made: the button beside it shows for [`crate::limit::UNDO_OFFER_MS`].
    pub changed_at: Timestamp,
    /// Until when it can be taken back: the moment it had before the change, its own if it was new.
    pub until: Timestamp,
}

/// The way of an executed task. All on the node's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stages {
    /// When its hint entered the future set; `None`: it was due at once, or found by the sweeper.
    pub hinted_at: Option<Timestamp>,
    /// When its hint was moved to the publish list; `None`: found by the sweeper.
    pub moved_at: Option<Timestamp>,
    /// When a consumer took it.
    pub popped_at: Option<Timestamp>,
    /// When its transaction began.
    pub started_at: Timestamp,
    /// When its transaction executed it; `executed_at` of the task.
    pub executed_at: Timestamp,
}

/// A task with its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The line of the list.
    pub row: TaskRow,
    /// The pinned revision's number, for publishing.
    pub revision: Option<i32>,
    /// When it was made.
    pub created: Moment,
    /// How often it was tried.
    pub attempts: i32,
    /// Milliseconds of grace of its late rule.
    pub late_grace: i64,
    /// Whether its article is public now.
    pub is_public: bool,
    /// Its way, once executed.
    pub stages: Option<Stages>,
    /// Why it was late, once executed; `None`: it was not.
    pub late: Option<Late>,
    /// All that happened to it, oldest first.
    pub timeline: Vec<Event>,
}

/// Which tasks. Ordered by moment, then id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskQuery {
    /// Only in this state.
    pub state: Option<State>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only due at or after.
    pub from: Option<Timestamp>,
    /// Only due before.
    pub to: Option<Timestamp>,
    /// Only where the title or slug holds this.
    pub q: Option<String>,
    /// From here on.
    pub cursor: Option<String>,
    /// At most so many, see [`crate::limit::PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// The front page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// Waiting, next first, at most 20. Includes what is due and not done.
    pub next: Vec<TaskRow>,
    /// Executed, newest first, at most 20.
    pub recent: Vec<TaskRow>,
    /// How many wait, counted up to [`crate::engine::COUNTED_TO`].
    pub scheduled: u64,
    /// How many need a person.
    pub attention: u64,
    /// How many were executed in the last 24 hours, counted up to [`crate::engine::COUNTED_TO`].
    pub executed_today: u64,
}

/// Tasks that need a person for one cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionGroup {
    /// `failed`, `missed`, or `scheduled` for what is overdue by more than 5 s or was moved by newer time-zone data.
    pub state: State,
    /// The cause: a code, see [`reason`].
    pub reason: String,
    /// How many there are in all.
    pub total: u64,
    /// How many of them the asker may change.
    pub theirs: u64,
    /// The newest of them, at most 50.
    pub tasks: Vec<TaskRow>,
}

/// What became of a group that was tried again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// How many wait again, due at once.
    pub done: u64,
    /// How many could not be: somebody else was first, or their target has another task by now.
    pub refused: u64,
}

/// Codes in a task's `reason`. Whatever else stands there is a sentence to be shown as it is.
pub mod reason {
    /// Found later than its late rule allows.
    pub const LATE: &str = "late";
    /// Its moment passed while its text was not approved.
    pub const NOT_APPROVED: &str = "not_approved";
    /// Another task of the same target made it pointless.
    pub const SUPERSEDED: &str = "superseded";
    /// It brought its consumer down too often.
    pub const POISON: &str = "poison";
    /// What it is about does not exist any more.
    pub const TARGET_GONE: &str = "target_gone";
    /// The owner's account was shut and its tasks were cancelled.
    pub const OWNER_DISABLED: &str = "owner_disabled";
    /// Newer time-zone data gave its local time another instant, or made it happen twice or never.
    pub const ZONE_DATA: &str = "zone_data";
    /// A newer text was public already when it was to happen.
    pub const OLDER_TEXT: &str = "older_text";
    /// Overdue and nobody has taken it.
    pub const OVERDUE: &str = "overdue";
}
