//! Meetings start and end by themselves.

use super::{MEETING, event, verdicts};
use crate::kinds::task_kind::TaskKind;
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

/// A kind that gives meetings their next state.
pub struct Advance {
    task: MeetingTask,
    verb: &'static str,
    /// States that it applies to.
    from: &'static [MeetingState],
    to: MeetingState,
}

/// The kind `meeting.start`: a confirmed meeting is in progress.
pub const START: Advance = Advance {
    task: MeetingTask::Start,
    verb: "start",
    from: &[MeetingState::Confirmed],
    to: MeetingState::InProgress,
};

/// The kind `meeting.end`. A meeting whose start failed ends as well.
pub const END: Advance = Advance {
    task: MeetingTask::End,
    verb: "end",
    from: &[MeetingState::InProgress, MeetingState::Confirmed],
    to: MeetingState::Ended,
};

#[async_trait]
impl TaskKind for Advance {
    fn word(&self) -> &'static str {
        self.task.as_str()
    }

    fn target_kind(&self) -> &'static str {
        MEETING
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn is_step(&self) -> bool {
        self.task == MeetingTask::End
    }

    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let mut ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let mut advanced = HashSet::new();
        for from in self.from {
            if ids.is_empty() {
                break;
            }
            let states = (*from, self.to);
            let changed = due_meetings::advance(tx.conn(), &ids, states.0, states.1).await?;
            after.log.extend(changed.iter().map(|(id, version)| event(at, *id, self.verb, states, *version)));
            advanced.extend(changed.into_iter().map(|(id, _)| id));
            ids.retain(|id| !advanced.contains(id));
        }
        Ok(verdicts(tasks, &advanced))
    }
}
