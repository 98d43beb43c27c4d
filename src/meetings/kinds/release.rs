//! No user checked in: the room is released.

use super::{MEETING, cancel_tasks, event, offer};
use crate::{kinds::task_kind::TaskKind, meetings::invite};
use async_trait::async_trait;
use domain::{
    TaskId, Timestamp,
    meetings::{Booking, MAX_RELEASE_DELAY_MS, MeetingTask, decide},
    task::reason,
};
use std::collections::HashMap;
use store::{
    StoreError, Tx,
    due_meetings::{self, Decided},
    execute::{ClaimedTask, SideEffects, Verdict},
    meeting::MeetingRow,
};
use uuid::Uuid;

/// The kind `meeting.release`.
pub struct Release;

#[async_trait]
impl TaskKind for Release {
    fn word(&self) -> &'static str {
        MeetingTask::Release.as_str()
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

    /// A task that comes too late keeps the room instead: no user could check in.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = due_meetings::load(tx.conn(), &ids).await?;
        let rows: HashMap<Uuid, MeetingRow> = rows.into_iter().map(|row| (row.id, row)).collect();
        let mut freed = Vec::new();
        let (mut all, mut released, mut verdicts) = (Vec::new(), Vec::new(), Vec::with_capacity(tasks.len()));
        for task in tasks {
            let row = rows.get(&task.target_id);
            let before = row.map(MeetingRow::booking).transpose()?;
            let next = before.as_ref().and_then(decide::release);
            let (Some(row), Some(before), Some(next)) = (row, before, next) else {
                verdicts.push(Verdict::Dead(reason::TARGET_GONE));
                continue;
            };
            let is_kept = at.since(task.due_at) > MAX_RELEASE_DELAY_MS;
            let (verb, booking) = match is_kept {
                true => ("keep", Booking { checked_in_at: Some(at), ..before.clone() }),
                false => ("release", next),
            };
            after.log.push(event(at, row.id, verb, (before.state, booking.state), row.version + 1));
            if !is_kept {
                freed.extend(offer::freed(&before, &booking));
                released.push(row.id);
            }
            let undo = (!is_kept).then_some((verb, before));
            all.push(Decided { id: row.id, version: row.version, booking, reason: "", undo });
            verdicts.push(Verdict::Done);
        }
        due_meetings::decide(tx.conn(), &all, at).await?;
        cancel_tasks(tx, &released, at, after).await?;
        crate::reminders::meeting_by_engine::cancel(tx, &released, at, after).await?;
        let notified: Vec<(TaskId, Uuid)> = tasks.iter().map(|task| (task.id, task.target_id)).collect();
        invite::send_by_engine(tx, &notified, at, after).await?;
        offer::offer_by_engine(tx, &freed, (tasks.first().map(|task| task.id), at), after).await?;
        Ok(verdicts)
    }
}
