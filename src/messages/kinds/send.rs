//! A delayed message is handed to its channel: its delivery is stored in the same transaction.

use super::{MESSAGE, SEND};
use crate::kinds::task_kind::{Planned, TaskKind};
use async_trait::async_trait;
use domain::{DomainError, KindClass, MessageId, Timestamp, error::ValidationError, task::reason};
use store::{
    StoreError, Tx,
    execute::{ClaimedTask, SideEffects, Verdict},
    message::{self, HandOver},
};

/// The kind `message.send`.
pub struct Send;

#[async_trait]
impl TaskKind for Send {
    fn word(&self) -> &'static str {
        SEND
    }

    fn is_for_admins(&self) -> bool {
        true
    }

    fn class(&self) -> KindClass {
        KindClass::Machines
    }

    fn target_kind(&self) -> &'static str {
        MESSAGE
    }

    fn run_now_verb(&self) -> &'static str {
        "run_now"
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// A message gets its task when it is created.
    async fn check(
        &self,
        _tx: &mut Tx,
        request: &[Planned],
    ) -> Result<Vec<(usize, DomainError)>, StoreError> {
        let refusal = || {
            let why = "has its task already; change the message under /messages".to_owned();
            DomainError::invalid("target_id", ValidationError::Unreadable { why })
        };
        let places = request.iter().enumerate().filter(|(_, one)| one.kind.as_str() == SEND);
        Ok(places.map(|(place, _)| (place, refusal())).collect())
    }

    /// *Dead* if the message or its channel is gone.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        _at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let sent: Vec<_> =
            tasks.iter().map(|task| (MessageId(task.target_id), task.id, task.version)).collect();
        let mut handed = message::hand_over(tx.conn(), &sent).await?;
        let mut verdict = |task: &ClaimedTask| match handed.remove(&task.target_id) {
            None => Verdict::Dead(reason::TARGET_GONE),
            Some(HandOver::ChannelGone) => Verdict::Dead(reason::CHANNEL_GONE),
            Some(HandOver::Delivery(delivery)) => {
                after.deliveries.push(*delivery);
                Verdict::Done
            }
        };
        Ok(tasks.iter().map(&mut verdict).collect())
    }
}
