//! Fails, so that Attention shows that signals of an account were refused. The account has sent more than
//! it may; see `src/rules/signals/rate.rs`.

use super::SIGNAL;
use crate::kinds::task_kind::TaskKind;
use async_trait::async_trait;
use domain::{AccountId, Priority, TaskId, Timestamp, Version, kind::MANAGED_GRACE_MS, task::reason};
use store::{
    StoreError, Tx,
    execute::{ClaimedTask, SideEffects, Verdict},
    task::NewTaskRow,
};
use uuid::Uuid;

/// Word of [`Refuse`].
pub const REFUSE: &str = "signal.refuse";

/// The kind `signal.refuse`. Its target has the id of the account.
pub struct Refuse;

#[async_trait]
impl TaskKind for Refuse {
    fn word(&self) -> &'static str {
        REFUSE
    }

    fn is_for_admins(&self) -> bool {
        true
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn target_kind(&self) -> &'static str {
        SIGNAL
    }

    fn unique_key(&self, _target: Uuid) -> Option<String> {
        None
    }

    fn run_now_verb(&self) -> &'static str {
        "run_now"
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// A retry is done: the signals are sent again by their program.
    async fn execute(
        &self,
        _tx: &mut Tx,
        tasks: &[ClaimedTask],
        _at: Timestamp,
        _after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let verdict = |task: &ClaimedTask| match task.version == Version::FIRST {
            true => Verdict::Dead(reason::SIGNAL_RATE),
            false => Verdict::Done,
        };
        Ok(tasks.iter().map(verdict).collect())
    }
}

/// Returns the task that reports refused signals of an account.
pub fn new_task(account: AccountId, at: Timestamp) -> NewTaskRow {
    NewTaskRow {
        id: TaskId::generate(),
        kind: REFUSE,
        grace_ms: MANAGED_GRACE_MS,
        unique_key: None,
        priority: Priority::Normal,
        bucket: 0,
        target_id: account.0,
        revision_id: None,
        due_at: at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: account,
    }
}
