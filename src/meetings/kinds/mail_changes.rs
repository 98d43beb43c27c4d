//! Changes of a meeting that were collected are mailed to its attendees.

use super::MEETING;
use crate::{kinds::task_kind::TaskKind, meetings::invite};
use async_trait::async_trait;
use domain::{TaskId, Timestamp};
use store::{
    StoreError, Tx,
    execute::{ClaimedTask, SideEffects, Verdict},
};
use uuid::Uuid;

/// The kind `meeting.mail`.
pub struct MailChanges;

/// The kind `meeting.mail`.
pub const MAIL_CHANGES: MailChanges = MailChanges;

#[async_trait]
impl TaskKind for MailChanges {
    fn word(&self) -> &'static str {
        "meeting.mail"
    }

    fn target_kind(&self) -> &'static str {
        MEETING
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn is_step(&self) -> bool {
        true
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    /// Mails what is still different from what the attendees know.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let changed: Vec<(TaskId, Uuid)> = tasks.iter().map(|task| (task.id, task.target_id)).collect();
        invite::send_by_engine(tx, &changed, at, after).await?;
        Ok(tasks.iter().map(|_| Verdict::Done).collect())
    }
}
