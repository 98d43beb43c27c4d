//! A request to execute a task.

use crate::{StoreError, failpoint::OfTask};
use domain::{DueHint, Hint, KindClass, Priority, TaskId, Timestamp, Version};
use uuid::Uuid;

/// A request to execute one version of a task: from a hint, or found by the sweeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The task.
    pub task: TaskId,
    /// The requested version; the claim is stale if the task has another one.
    pub version: Version,
    /// Priority, to requeue the hint.
    pub priority: Priority,
    /// Class of its kind, to requeue the hint.
    pub class: KindClass,
    /// Bucket, to requeue the hint.
    pub bucket: u16,
    /// When the hint entered the future set.
    pub hinted_at: Option<Timestamp>,
    /// When the hint was moved to the publish list; `None`: the sweeper found the task.
    pub moved_at: Option<Timestamp>,
    /// When a consumer popped the hint.
    pub popped_at: Option<Timestamp>,
}

impl Claim {
    /// A claim for a row that was found in SQL, without a hint.
    pub(crate) fn found(
        (task, version, kind, priority, bucket): (Uuid, i32, &str, &str, i32),
    ) -> Result<Self, StoreError> {
        Ok(Self {
            task: TaskId(task),
            version: Version(version),
            priority: priority
                .parse()
                .map_err(|_| StoreError::Corrupt(format!("a task with the priority {priority:?}")))?,
            class: KindClass::of(kind),
            bucket: u16::try_from(bucket).unwrap_or(0),
            hinted_at: None,
            moved_at: None,
            popped_at: None,
        })
    }

    /// The hint that requests the task again at `due_at`.
    #[must_use]
    pub fn hint(&self, due_at: Timestamp) -> Hint {
        let Self { task, version, priority, class, bucket, .. } = *self;
        Hint { task, version, due_at, priority, class, bucket }
    }
}

impl From<DueHint> for Claim {
    fn from(hint: DueHint) -> Self {
        Self {
            task: hint.task,
            version: hint.version,
            priority: hint.priority,
            class: hint.class,
            bucket: hint.bucket,
            hinted_at: hint.hinted_at,
            moved_at: Some(hint.moved_at),
            popped_at: Some(hint.popped_at),
        }
    }
}

impl OfTask for Claim {
    fn task_id(&self) -> TaskId {
        self.task
    }
}
