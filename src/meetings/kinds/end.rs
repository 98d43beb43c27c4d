//! A meeting ends.

use super::{GRACE_MS, MEETING, event, verdicts};
use crate::tasks::task_kind::TaskKind;
use async_trait::async_trait;
use domain::{
    Timestamp,
    meetings::{MeetingState, MeetingTask},
};
use std::collections::HashSet;
use store::{
    StoreError, Tx, due_meetings,
    execute::{ClaimedTask, SideEffects, Verdict},
};
use uuid::Uuid;

/// The kind `meeting.end`.
pub struct End;

#[async_trait]
impl TaskKind for End {
    fn word(&self) -> &'static str {
        MeetingTask::End.as_str()
    }

    fn target_kind(&self) -> &'static str {
        MEETING
    }

    fn grace_ms(&self) -> i64 {
        GRACE_MS
    }

    fn is_managed(&self) -> bool {
        true
    }

    /// A meeting whose start failed ends as well.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let mut ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let mut ended = HashSet::new();
        for from in [MeetingState::InProgress, MeetingState::Confirmed] {
            if ids.is_empty() {
                break;
            }
            let states = (from, MeetingState::Ended);
            let changed = due_meetings::advance(tx.conn(), &ids, states.0, states.1).await?;
            after.log.extend(changed.iter().map(|(id, version)| event(at, *id, "end", states, *version)));
            ended.extend(changed.into_iter().map(|(id, _)| id));
            ids.retain(|id| !ended.contains(id));
        }
        Ok(verdicts(tasks, &ended))
    }
}
