//! What a change of many items did, or would do.

use crate::{BatchId, DomainError, LocalizedTime, TaskId};
use serde::{Deserialize, Serialize};

/// What a change of many tasks did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BulkOutcome {
    /// Undoes it; `None`: nothing was changed.
    pub batch: Option<BatchId>,
    /// IANA name of the desk's time zone that the change or its undo set; `None`: the zone stayed.
    pub time_zone: Option<String>,
    /// Number of tasks that it was about.
    pub matched: u64,
    /// Number of tasks that were changed, or would be.
    pub changed: u64,
    /// Number of moved tasks that share their new moment with another task. Counted in previews.
    pub conflicts: u64,
    /// Who moves where, by the new time; at most [`crate::bulk_change::MAX_LISTED`]. Listed in previews.
    pub moves: Vec<BulkMove>,
    /// Who is changed without being moved; at most [`crate::bulk_change::MAX_LISTED`]. Listed in previews.
    pub items: Vec<BulkItem>,
    /// The tasks that stay as they are, and why.
    pub refused: Vec<BulkRefusal>,
}

/// A task, article, meeting or reminder that is changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkItem {
    /// Its id, of whatever kind it is.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// When it is due or starts; `None`: an article.
    pub at: Option<LocalizedTime>,
}

/// A task that is moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkMove {
    /// The task.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// When it is due now.
    pub from: LocalizedTime,
    /// When it will be due.
    pub to: LocalizedTime,
    /// Whether another task is due at that moment.
    pub is_conflict: bool,
}

/// A task that is not changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkRefusal {
    /// The task.
    pub id: TaskId,
    /// Its title; empty: there is no such task.
    pub title: String,
    /// Why.
    pub why: DomainError,
}
