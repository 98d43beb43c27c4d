//! Stages in the execution of a task, and how long each of them took.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// Times of the stages of an execution, by the node's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTimes {
    /// When its hint entered the future set; `None`: it was due immediately, or found by the
    /// sweeper.
    pub hinted_at: Option<Timestamp>,
    /// When its hint was moved to the publish list; `None`: found by the sweeper.
    pub moved_at: Option<Timestamp>,
    /// When a consumer popped it.
    pub popped_at: Option<Timestamp>,
    /// When its transaction started.
    pub started_at: Timestamp,
    /// When its transaction executed it: the task's `executed_at`.
    pub executed_at: Timestamp,
}

/// A stage in the execution of a task, named after the event that ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Its hint entered the future set (only if that was after the due time).
    Hinted,
    /// Its hint was moved to the publish list.
    Moved,
    /// A consumer popped the hint.
    Popped,
    /// No hint arrived: the sweeper found the task in SQL and started its transaction.
    Swept,
    /// Its transaction started.
    Started,
    /// Its transaction committed the execution.
    Executed,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 6] =
        [Self::Hinted, Self::Moved, Self::Popped, Self::Swept, Self::Started, Self::Executed];
}

/// A stage and its duration after the task's due time, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageDuration {
    /// The stage.
    pub stage: Stage,
    /// Milliseconds since the previous stage, or since the due time if that was later.
    pub duration_ms: i64,
}

/// Returns the stages after the due time. Their durations add up to the task's lateness.
#[must_use]
pub fn stage_durations(due: Timestamp, stages: &StageTimes) -> Vec<StageDuration> {
    let first = if stages.moved_at.is_none() { Stage::Swept } else { Stage::Started };
    let known = [
        (Stage::Hinted, stages.hinted_at.filter(|at| *at > due)),
        (Stage::Moved, stages.moved_at),
        (Stage::Popped, stages.moved_at.and(stages.popped_at)),
        (first, Some(stages.started_at)),
        (Stage::Executed, Some(stages.executed_at)),
    ];
    let mut last = due;
    let mut durations = Vec::with_capacity(known.len());
    for (stage, at) in known {
        if let Some(at) = at {
            durations.push(StageDuration { stage, duration_ms: at.since(last).max(0) });
            last = last.max(at);
        }
    }
    durations
}
