//! A hint: "this version of this task may be due at that time". Never permission: SQL alone decides.

use crate::{Lane, TaskId, Timestamp, Version};

/// One hint on its way from the future set to a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hint {
    /// The task it speaks of.
    pub task: TaskId,
    /// The version it was made for; an older one than the task's loses.
    pub version: Version,
    /// When it may be due. Not trusted: the compare-and-set tests the task's own moment.
    pub due_at: Timestamp,
    /// The lane it travels in.
    pub lane: Lane,
    /// The bucket (shard) it lives in.
    pub bucket: u16,
}

/// A due hint taken from a publish list, with the times of its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueHint {
    /// The task it speaks of.
    pub task: TaskId,
    /// The version it was made for.
    pub version: Version,
    /// Lane and bucket it came from, for giving it back.
    pub lane: Lane,
    /// The bucket it came from.
    pub bucket: u16,
    /// When it entered the future set, where the hint store remembers; `None`: due at once, or not known.
    pub hinted_at: Option<Timestamp>,
    /// When the mover put it on the publish list (or the desk did, for a task due at once).
    pub moved_at: Timestamp,
    /// When the consumer took it.
    pub popped_at: Timestamp,
}
