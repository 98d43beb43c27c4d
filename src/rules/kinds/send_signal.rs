//! Sends a signal of the desk: the rules that listen to it open and close their waits.

use super::SIGNAL;
use crate::kinds::task_kind::TaskKind;
use crate::rules::kinds::send_from_task;
use async_trait::async_trait;
use domain::{AccountId, KindClass, SignalId, Timestamp, signal::Signal, task::reason};
use std::collections::{BTreeMap, HashMap};
use store::{
    StoreError, Tx, desk_signal,
    execute::{ClaimedTask, SideEffects, Verdict},
};
use uuid::Uuid;

/// The kind `signal.send`.
pub struct SendSignal;

#[async_trait]
impl TaskKind for SendSignal {
    fn word(&self) -> &'static str {
        desk_signal::KIND
    }

    fn is_for_admins(&self) -> bool {
        true
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn class(&self) -> KindClass {
        KindClass::Machines
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

    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let mut stored = desk_signal::find(tx.conn(), &ids).await?;
        // Ids are in the order in which the changes were made.
        stored.sort_unstable_by_key(|one| (one.at, one.id));
        let mut signals: BTreeMap<AccountId, Vec<(Uuid, Signal)>> = BTreeMap::new();
        for one in stored {
            let signal = Signal {
                id: SignalId::generate(),
                sender_id: Some(format!("desk:{}", one.id)),
                name: one.name,
                subject: one.subject,
                key: String::new(),
                at: one.at.into(),
                data: serde_json::from_str(&one.data).unwrap_or_default(),
                depth: 0,
                root: None,
            };
            signals.entry(AccountId(one.owner_id)).or_default().push((one.id, signal));
        }
        let mut verdicts: HashMap<Uuid, Verdict> = send_from_task::send(tx, signals, at, after).await?;
        let verdict = |id: &Uuid| verdicts.remove(id).unwrap_or(Verdict::Dead(reason::TARGET_GONE));
        Ok(ids.iter().map(verdict).collect())
    }
}
