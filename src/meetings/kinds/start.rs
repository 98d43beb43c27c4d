//! A confirmed meeting is in progress from its start on.

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

/// The kind `meeting.start`.
pub struct Start;

#[async_trait]
impl TaskKind for Start {
    fn word(&self) -> &'static str {
        MeetingTask::Start.as_str()
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

    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let states = (MeetingState::Confirmed, MeetingState::InProgress);
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let started = due_meetings::advance(tx.conn(), &ids, states.0, states.1).await?;
        after.log.extend(started.iter().map(|(id, version)| event(at, *id, "start", states, *version)));
        Ok(verdicts(tasks, &started.into_iter().map(|(id, _)| id).collect::<HashSet<_>>()))
    }
}
