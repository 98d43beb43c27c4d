//! Waits: a signal has opened one, and it acts at its moment unless another signal closes it first.
//! The state of a wait is that of its task.

use crate::{
    LocalizedTime, RuleId, State, TaskId, Version, WaitId, When,
    state::{ParseEnumError, string_enum},
    task::TaskRow,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// How a wait ended.
    WaitOutcome {
        /// The rule acted.
        Fired = "fired",
        /// A signal closed it.
        Closed = "closed",
    }
}

/// A wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitRow {
    /// Id.
    pub id: WaitId,
    /// Its rule.
    pub rule_id: RuleId,
    /// Whom or what it is about.
    pub subject: String,
    /// Part of the subject; empty: the subject as a whole.
    pub key: String,
    /// State of its task.
    pub state: State,
    /// Increases with every change.
    pub version: Version,
    /// When the rule acts.
    pub due: LocalizedTime,
    /// Moment of the signal that opened it, the newest one.
    pub opened: LocalizedTime,
    /// How it ended; `None`: it is open, or it was cancelled, failed or missed.
    pub outcome: Option<WaitOutcome>,
    /// Name and moment of the signal that closed it.
    pub closed_by: Option<(String, LocalizedTime)>,
    /// When the rule acted.
    pub fired: Option<LocalizedTime>,
    /// Why it failed, was missed or cancelled: a code, see [`crate::task::reason`].
    pub reason: Option<String>,
    /// Its task.
    pub task_id: TaskId,
    /// The first signal that came after the rule had acted and would have closed it: name and
    /// moment.
    pub came_after: Option<(String, LocalizedTime)>,
}

/// A wait of the list with its task, on which its changes and their undo depend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitEntry {
    /// The wait.
    pub wait: WaitRow,
    /// Its task.
    pub task: TaskRow,
}

/// A change of a wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum WaitChange {
    /// The rule acts now.
    Fire,
    /// The rule does not act.
    Cancel,
    /// The rule acts at another time.
    Reschedule {
        /// The new time.
        #[serde(flatten)]
        when: When,
    },
}

/// Query of the waits of a rule, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitQuery {
    /// Only of this subject.
    pub subject: Option<String>,
    /// Only in this state.
    pub state: Option<State>,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}
