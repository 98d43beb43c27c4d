//! Tasks, as users see them.

use crate::{
    Kind, LocalizedTime, Priority, State, TaskId, Timestamp, When, event::Event, late_cause::LateExplanation,
    state::ParseEnumError,
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use uuid::Uuid;

pub use crate::{
    stage::StageTimes,
    values::task_row::{Phase, TaskRow, UndoOffer},
};

/// Id of the engine's canary task, the same in every database.
pub const CANARY_ID: TaskId = TaskId(Uuid::from_u128(0xCA));

/// Input for a new task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTask {
    /// What it does.
    pub kind: Kind,
    /// Target: for `article.*` the article.
    pub target_id: Uuid,
    /// When it is due.
    #[serde(flatten)]
    pub when: When,
    /// Priority; `None`: normal.
    #[serde(default)]
    pub priority: Option<Priority>,
    /// Which revision a publication pins; `None`: the current one or, if that needs an approval, the
    /// newest approved one.
    #[serde(default)]
    pub revision: Option<RevisionChoice>,
}

/// Which revision of an article a publication pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RevisionChoice {
    /// The newest approved one.
    Approved,
    /// The current one, whether it is approved or not.
    Current,
    /// The one with this number.
    Number(i32),
}

impl FromStr for RevisionChoice {
    type Err = ParseEnumError;

    /// Reads the value of a form.
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "approved" => Ok(Self::Approved),
            "current" => Ok(Self::Current),
            _ => Err(ParseEnumError(word.to_owned())),
        }
    }
}

/// A change of an existing task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Change {
    /// Moves it to another time.
    Reschedule {
        /// The new time.
        #[serde(flatten)]
        when: When,
    },
    /// Cancels it.
    Cancel,
    /// Makes it due now.
    PublishNow,
    /// Reverts the last change.
    Undo,
    /// Schedules a failed or missed task again, due now.
    Retry,
    /// Publishes the current revision instead of the pinned one.
    ReplaceRevision,
    /// Publishes this revision instead of the pinned one.
    PinRevision {
        /// Its number.
        revision: i32,
    },
}

/// A task with its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The list row.
    pub row: TaskRow,
    /// Number of the pinned revision, for publishing.
    pub revision: Option<i32>,
    /// When it was created.
    pub created: LocalizedTime,
    /// Number of execution attempts.
    pub attempts: i32,
    /// Grace, milliseconds.
    pub grace_ms: i64,
    /// Whether its article is public now.
    pub is_public: bool,
    /// Times of its stages, once executed.
    pub stages: Option<StageTimes>,
    /// Why it was late, once executed; `None`: it was on time.
    pub late: Option<LateExplanation>,
    /// Its events, oldest first.
    pub timeline: Vec<Event>,
}

/// Query of the task list, which is ordered by due time, then id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskQuery {
    /// Only tasks in this state.
    pub state: Option<State>,
    /// Only tasks of this kind.
    pub kind: Option<Kind>,
    /// Only tasks due at or after this time.
    pub from: Option<Timestamp>,
    /// Only tasks due before this time.
    pub to: Option<Timestamp>,
    /// Only tasks whose title or slug contains this text.
    pub q: Option<String>,
    /// Whether the latest due time comes first.
    pub is_latest_first: bool,
    /// The page starts on this day, `YYYY-MM-DD` in the actor's time zone; ignored with a cursor.
    pub day: Option<String>,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// Number of tasks in each state, each counted up to [`crate::engine::MAX_COUNTED`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskCounts {
    /// Scheduled.
    pub scheduled: u64,
    /// Executed.
    pub executed: u64,
    /// Failed.
    pub failed: u64,
    /// Missed.
    pub missed: u64,
    /// Cancelled.
    pub cancelled: u64,
}

impl TaskCounts {
    /// Number of tasks in this state; `None`: in all.
    #[must_use]
    pub const fn of(&self, state: Option<State>) -> u64 {
        match state {
            Some(State::Scheduled) => self.scheduled,
            Some(State::Executed) => self.executed,
            Some(State::Failed) => self.failed,
            Some(State::Missed) => self.missed,
            Some(State::Cancelled) => self.cancelled,
            None => self.scheduled + self.executed + self.failed + self.missed + self.cancelled,
        }
    }
}

/// Data of the dashboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dashboard {
    /// Scheduled tasks, next first, at most 12. Includes tasks that are due and not executed yet.
    pub next: Vec<TaskRow>,
    /// Executed tasks, newest first, at most 12.
    pub recent: Vec<TaskRow>,
    /// Number of scheduled tasks, counted up to [`crate::engine::MAX_COUNTED`].
    pub scheduled: u64,
    /// Number of items that need a person.
    pub attention: u64,
    /// Number of tasks executed in the last 24 hours, counted up to [`crate::engine::MAX_COUNTED`].
    pub executed_today: u64,
}

/// Tasks that need a person for the same cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionGroup {
    /// `failed`, `missed`, or `scheduled` for tasks that are overdue by more than 5 s or were moved
    /// by newer time-zone data.
    pub state: State,
    /// Cause: a code, see [`reason`].
    pub reason: String,
    /// Total number of tasks.
    pub total: u64,
    /// Number of tasks that the caller may change.
    pub changeable: u64,
    /// When the first of them was due or, if *Publish now* failed, when it failed.
    pub since: Option<LocalizedTime>,
    /// The newest tasks, at most 50.
    pub tasks: Vec<TaskRow>,
}

/// Result of a change of a whole group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkResult {
    /// Number of items that were changed.
    pub done: u64,
    /// Number of items that were not: changed concurrently, or the target has another task by now.
    pub refused: u64,
}

/// Result of the dismissal of a whole group, and what undoes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dismissal {
    /// How many items were dismissed.
    pub result: BulkResult,
    /// When it began.
    pub began_at: Timestamp,
    /// When it had ended.
    pub ended_at: Timestamp,
}

/// Codes in a task's `reason`; also [`crate::releases::blocked_reason`]. Any other value is a sentence to
/// be shown as it is.
pub mod reason {
    /// Found later than its grace allows.
    pub const LATE: &str = "late";
    /// Its due time passed while its text was not approved.
    pub const NOT_APPROVED: &str = "not_approved";
    /// Its text contains words that may not be published.
    pub const WORDS_BLOCK: &str = "words_block";
    /// Its text contains words that a reviewer must approve first.
    pub const WORDS_APPROVAL: &str = "words_approval";
    /// Another task of the same target made it redundant.
    pub const SUPERSEDED: &str = "superseded";
    /// It crashed the process that executed it too often.
    pub const POISON: &str = "poison";
    /// Its target no longer exists.
    pub const TARGET_GONE: &str = "target_gone";
    /// The owner's account was disabled and its tasks were cancelled.
    pub const OWNER_DISABLED: &str = "owner_disabled";
    /// Newer time-zone data changed its instant, or made its local time ambiguous or nonexistent.
    pub const ZONE_DATA: &str = "zone_data";
    /// A newer text was already public when it was due.
    pub const OLDER_TEXT: &str = "older_text";
    /// Overdue and not executed.
    pub const OVERDUE: &str = "overdue";
    /// *Publish now* failed, and the task is scheduled for its previous due time again.
    pub const PUBLISH_NOW_FAILED: &str = "publish_now_failed";
    /// A signal closed the wait.
    pub const SIGNAL: &str = "signal";
    /// The rule was changed or deleted, and those that waited were cancelled.
    pub const RULE: &str = "rule";
    /// A field of the template is missing in the data of the signal.
    pub const TEMPLATE_FIELD: &str = "template_field";
    /// A filled template is too large, or has no address or routing key.
    pub const TEMPLATE_RESULT: &str = "template_result";
    /// Begin of the reason of a filled text with words that must not be sent; the words follow.
    pub const WORDS: &str = "words:";
    /// A loop of rules was stopped.
    pub const TOO_DEEP: &str = "too_deep";
    /// One signal has led to as many waits through rules as it may.
    pub const TOO_MANY_DESCENDANTS: &str = "too_many_descendants";
    /// Signals of an account were refused: it sent more than it may.
    pub const SIGNAL_RATE: &str = "signal_rate";
    /// The channel that was to send it was deleted.
    pub const CHANNEL_GONE: &str = "channel_gone";
    /// The desk has no mail server.
    pub const NO_MAIL_SERVER: &str = "no_mail_server";
    /// The account or the address it was for no longer exists.
    pub const RECIPIENT_GONE: &str = "recipient_gone";
    /// The rule of its series cannot be read.
    pub const SERIES_RULE: &str = "series_rule";
    /// Its moment had passed when it was made.
    pub const PASSED: &str = "passed";
    /// The rule has acted as often for the subject as its cap allows.
    pub const CAPPED: &str = "capped";
    /// The meeting it was about was cancelled, released or is over.
    pub const TARGET_OVER: &str = "target_over";
}
