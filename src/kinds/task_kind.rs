//! What a kind of task says and does.

use async_trait::async_trait;
use domain::{
    AccountId, DomainError, Kind, KindClass, Timestamp,
    channel::ChannelEvent,
    kind::{DEFAULT_GRACE_MS, MANAGED_GRACE_MS},
    task::RevisionChoice,
};
use serde_json::Value;
use store::{
    Conn, StoreError, Tx,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    released_task::ReleasedTask,
    target::Target,
    task::NewTaskRow,
    task_list::TaskListRow,
};
use uuid::Uuid;

/// A kind of task.
#[async_trait]
pub trait TaskKind: Send + Sync {
    /// Its word in SQL, JSON and Redis, e.g. `article.publish`.
    fn word(&self) -> &'static str;

    /// What its targets are, e.g. `article`: see [`Target::kind`].
    fn target_kind(&self) -> &'static str;

    /// How late a task may still be executed, milliseconds; after that it is *missed*.
    fn grace_ms(&self) -> i64 {
        if self.is_managed() { MANAGED_GRACE_MS } else { DEFAULT_GRACE_MS }
    }

    /// Whether an admin may set how late its tasks may be executed: not if they follow from something else, or
    /// each has a grace of its own.
    fn has_common_grace(&self) -> bool {
        !self.is_managed()
    }

    /// Its class: which of the tasks of one priority that are due come first.
    fn class(&self) -> KindClass {
        KindClass::People
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

    /// Whether its tasks follow from their target: users change the target, and only retry or dismiss
    /// a task that failed.
    fn is_managed(&self) -> bool {
        false
    }

    /// Whether its tasks are in the calendar: not if they follow from a target that is there itself.
    fn is_in_calendar(&self) -> bool {
        !self.is_managed()
    }

    /// Whether its tasks only warn of another task: the dashboard leaves them out.
    fn is_warning(&self) -> bool {
        false
    }

    /// Whether its tasks are steps of something that is on Today by itself, e.g. the end of a meeting: the
    /// dashboard leaves them out.
    fn is_step(&self) -> bool {
        false
    }

    /// Whether the dashboard shows its tasks to their owners only.
    fn is_private(&self) -> bool {
        false
    }

    /// Whether only admins see its tasks.
    fn is_for_admins(&self) -> bool {
        false
    }

    /// Verb on the button that undoes "run now".
    fn run_now_verb(&self) -> &'static str {
        "publish_now"
    }

    /// Whether an execution can be undone.
    fn can_be_undone(&self) -> bool {
        true
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

    /// Whether tasks of this kind may be executed with the revisions they have pinned: returns the
    /// refused ones by their index. Asked before "run now" and retry.
    async fn check_again(
        &self,
        _conn: Conn<'_>,
        _tasks: &[&TaskListRow],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        Ok(Vec::new())
    }

    /// Whether [`TaskKind::check_again`] says more than whether a newer revision is public: then every retry
    /// asks it.
    fn always_checks_again(&self) -> bool {
        false
    }

    /// Chooses the revisions that tasks pin, in the order of `pins`. By default the current ones.
    async fn choose(
        &self,
        _conn: Conn<'_>,
        pins: &[Pin],
    ) -> Result<Vec<Result<Option<Uuid>, DomainError>>, StoreError> {
        Ok(pins.iter().map(|pin| Ok(pin.current)).collect())
    }

    /// Returns the newest approved revision of a target that is the pinned one or newer; `None`: there is
    /// none.
    async fn newest_approved(
        &self,
        _conn: Conn<'_>,
        _target: Uuid,
        _pinned: Option<Uuid>,
    ) -> Result<Option<Uuid>, StoreError> {
        Ok(None)
    }

    /// Why the review would hold the task if it were executed now: a code of [`domain::task::reason`].
    async fn refusal(
        &self,
        _conn: Conn<'_>,
        _task: &TaskListRow,
    ) -> Result<Option<&'static str>, StoreError> {
        Ok(None)
    }

    /// Called for tasks that have just become *missed*, in the transaction that found them.
    async fn missed(
        &self,
        _tx: &mut Tx,
        _targets: &[Uuid],
        _at: Timestamp,
    ) -> Result<Vec<NewEvent>, StoreError> {
        Ok(Vec::new())
    }

    /// Schedules for now the held tasks that waited only for the approval of these revisions, beside those
    /// that pin one of them. Returns them.
    async fn resume_approved(
        &self,
        _tx: &mut Tx,
        _revisions: &[Uuid],
        _at: Timestamp,
    ) -> Result<Vec<ReleasedTask>, StoreError> {
        Ok(Vec::new())
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

    /// Whether something follows its tasks: see [`TaskKind::follow`].
    fn has_followers(&self) -> bool {
        false
    }

    /// Makes what hangs on these targets follow their tasks, which were scheduled, moved, cancelled or
    /// reverted in this transaction. Returns what must be stored.
    async fn follow(&self, _tx: &mut Tx, _targets: &[Uuid], _by: MovedBy) -> Result<Followers, StoreError> {
        Ok(Followers::default())
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

/// Who changed tasks, and when.
#[derive(Debug, Clone, Copy)]
pub struct MovedBy {
    /// The account; `None`: the engine.
    pub account: Option<AccountId>,
    /// The time of the change.
    pub at: Timestamp,
    /// Number of buckets of hints.
    pub buckets: u16,
}

/// What followed changed tasks.
#[derive(Debug, Default)]
pub struct Followers {
    /// Its events.
    pub events: Vec<NewEvent>,
    /// New tasks.
    pub tasks: Vec<NewTaskRow>,
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
    /// When it is requested.
    pub now: Timestamp,
    /// The revision that it pins; `None`: the current one, or none.
    pub revision: Option<Uuid>,
}

/// A target whose revision a task is to pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// The target.
    pub target: Uuid,
    /// Its current revision.
    pub current: Option<Uuid>,
    /// The user's choice; `None`: the kind chooses.
    pub choice: Option<RevisionChoice>,
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
