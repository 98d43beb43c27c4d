//! The result of a batch.

use super::{Claim, ClaimedTask, Stale};
use domain::{Hint, TaskId, Timestamp};
use std::time::Duration;

/// Result of a batch. All of it is committed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Tasks that were executed.
    pub executed: Vec<ClaimedTask>,
    /// Tasks that failed.
    pub failed: Vec<TaskId>,
    /// Tasks that were later than their grace, or not approved in time.
    pub missed: Vec<TaskId>,
    /// Claims that were not granted, or not yet.
    pub stale: Vec<(Claim, Stale)>,
    /// Hints of tasks that were scheduled: by the execution of another task, or again with their
    /// previous schedule because "publish now" failed.
    pub rescheduled: Vec<Hint>,
    /// `executed_at` of all executed tasks.
    pub at: Timestamp,
    /// Number of deliveries written.
    pub deliveries: u64,
    /// Duration of the transaction, from begin to commit.
    pub duration: Duration,
}

impl Outcome {
    /// Whether a task changed its state, so that events were written.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !(self.executed.is_empty() && self.failed.is_empty() && self.missed.is_empty())
    }
}
