//! Hints: "this version of this task may be due at that time". A hint is never permission to
//! execute; only SQL decides.

use crate::{KindClass, Priority, TaskId, Timestamp, Version};

/// A hint from the future set on its way to a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hint {
    /// Task it points to.
    pub task: TaskId,
    /// Version of the task when the hint was created; if the task has a newer one, the hint is
    /// stale.
    pub version: Version,
    /// When the task may be due. Not trusted: the compare-and-set checks the task's own due time.
    pub due_at: Timestamp,
    /// Priority of the task.
    pub priority: Priority,
    /// Class of its kind.
    pub class: KindClass,
    /// Bucket (shard) that holds the hint.
    pub bucket: u16,
}

/// A due hint popped from a publish list, with the times of its stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueHint {
    /// Task it points to.
    pub task: TaskId,
    /// Version of the task when the hint was created.
    pub version: Version,
    /// Priority of its publish list, needed to requeue it.
    pub priority: Priority,
    /// Class of its publish list, needed to requeue it. A node of an older release puts all on the lists of
    /// content.
    pub class: KindClass,
    /// Bucket of its publish list.
    pub bucket: u16,
    /// When it entered the future set, if the hint store records that; `None`: due immediately, or
    /// unknown.
    pub hinted_at: Option<Timestamp>,
    /// When the mover put it on the publish list (or the service did, for a task due immediately).
    pub moved_at: Timestamp,
    /// When the consumer popped it.
    pub popped_at: Timestamp,
}
