//! Kinds of tasks: what can be scheduled, and what happens when a task is due. One folder or file
//! for each target type, and one line in `KINDS` for each kind.

mod article;
mod canary;

use async_trait::async_trait;
use domain::{DomainError, Kind, Timestamp, channel::ChannelEvent, kind::DEFAULT_GRACE_MS};
use serde_json::Value;
use std::sync::{LazyLock, PoisonError, RwLock};
use store::{
    Conn, StoreError, Tx,
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
    target::Target,
    task_list::TaskListRow,
};
use uuid::Uuid;

/// The kinds that users schedule.
const KINDS: &[&dyn TaskKind] = &[&article::Publish, &article::Unpublish];

/// A kind of task.
#[async_trait]
pub trait TaskKind: Send + Sync {
    /// Its word in SQL, JSON and Redis, e.g. `article.publish`.
    fn word(&self) -> &'static str;

    /// What its targets are, e.g. `article`: see [`Target::kind`].
    fn target_kind(&self) -> &'static str;

    /// How late a task may still be executed, milliseconds; after that it is *missed*.
    fn grace_ms(&self) -> i64 {
        DEFAULT_GRACE_MS
    }

    /// At most one scheduled task may have this key. By default one task for each target; `None`: no
    /// such limit.
    fn unique_key(&self, target: Uuid) -> Option<String> {
        Some(format!("{}:{target}", self.word()))
    }

    /// Whether a task pins the current revision of its target.
    fn pins_revision(&self) -> bool {
        false
    }

    /// Verb on the button that undoes "run now".
    fn run_now_verb(&self) -> &'static str {
        "publish_now"
    }

    /// Whether tasks of this kind may be scheduled: returns the refused ones by their index in
    /// `request`, which also contains tasks of other kinds. The targets are locked.
    async fn check(
        &self,
        _tx: &mut Tx,
        _request: &[Planned],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        Ok(Vec::new())
    }

    /// Whether a task may be executed with the revision it has pinned. Asked before "run now" and
    /// retry.
    async fn check_again(
        &self,
        _tx: &mut Tx,
        _task: &TaskListRow,
    ) -> Result<Result<(), DomainError>, StoreError> {
        Ok(Ok(()))
    }

    /// Approves the current revisions of these targets, because new tasks pin them.
    async fn approve(&self, _conn: Conn<'_>, _targets: &[Uuid]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Executes tasks, at most one per target, in the transaction that claimed them. Returns one
    /// verdict per task, in their order. Events and messages go into `after`.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError>;

    /// Whether the target is as an execution now would leave it: a repeated "run now" does nothing.
    async fn is_done(&self, _tx: &mut Tx, _target: &Target) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Returns the state of the target that an execution changes, as JSON: [`TaskKind::undo`] gets
    /// it back. `None`: there is nothing to remember.
    async fn state_before(&self, _tx: &mut Tx, _target: Uuid) -> Result<Option<Value>, StoreError> {
        Ok(None)
    }

    /// Reverts an executed task: gives the target the state it had `before`. `None`: the target was
    /// changed since, or the kind cannot be undone.
    async fn undo(
        &self,
        _tx: &mut Tx,
        _task: &TaskListRow,
        _before: Option<&Value>,
    ) -> Result<Option<Reversal>, StoreError> {
        Ok(None)
    }
}

/// A task that is to be scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// What it does.
    pub kind: Kind,
    /// What it acts on.
    pub target: Uuid,
    /// When it is due.
    pub due_at: Timestamp,
}

/// A reverted execution. It is recorded as a task that was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reversal {
    /// Word of the kind that has the same effect.
    pub kind: &'static str,
    /// The revision that task has pinned; `None`: none.
    pub revision_id: Option<Uuid>,
    /// Verb in the history of the target.
    pub verb: &'static str,
    /// Event for the channels, and number of the revision; `None`: they are not notified.
    pub message: Option<(ChannelEvent, i32)>,
}

/// The kinds in use: `KINDS`, and those that were registered.
struct Registry {
    kinds: Vec<&'static dyn TaskKind>,
    /// The words of `kinds`, and the canary.
    words: &'static [&'static str],
}

impl Registry {
    fn add(&mut self, kind: &'static dyn TaskKind) -> Kind {
        if !self.words.contains(&kind.word()) {
            self.kinds.push(kind);
            let words = self.kinds.iter().map(|kind| kind.word()).chain([store::canary::KIND]);
            self.words = words.collect::<Vec<_>>().leak();
        }
        Kind::register(kind.word())
    }
}

static REGISTRY: LazyLock<RwLock<Registry>> = LazyLock::new(|| {
    let mut registry = Registry { kinds: Vec::new(), words: &[] };
    for kind in KINDS {
        registry.add(*kind);
    }
    RwLock::new(registry)
});

/// Makes the words of all kinds known to [`Kind`].
pub(crate) fn register_all() {
    LazyLock::force(&REGISTRY);
}

/// Registers one more kind in this process, and returns it as it stands in tasks.
#[must_use]
pub fn register(kind: &'static dyn TaskKind) -> Kind {
    REGISTRY.write().unwrap_or_else(PoisonError::into_inner).add(kind)
}

/// Returns the registered kind of this word; `None`: a newer release may know it.
#[must_use]
pub fn find(word: &str) -> Option<&'static dyn TaskKind> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.kinds.iter().copied().find(|kind| kind.word() == word)
}

/// Returns the words of all kinds of this release.
#[must_use]
pub fn words() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.word()).collect()
}

/// Executes tasks of all registered kinds, and the canary.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskKinds;

#[async_trait]
impl TaskHandler for TaskKinds {
    fn kinds(&self) -> &'static [&'static str] {
        REGISTRY.read().unwrap_or_else(PoisonError::into_inner).words
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        if kind == store::canary::KIND {
            return canary::execute(tx, tasks, at).await;
        }
        match find(kind) {
            Some(kind) => kind.execute(tx, tasks, at, after).await,
            None => Err(StoreError::Corrupt(format!("kind of a task: {kind:?}"))),
        }
    }
}
