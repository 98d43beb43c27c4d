//! The wait for a room ends at the start of the meeting, and an offer at its deadline: then the next who
//! wait get the offer.

use super::{MEETING, cancel_tasks, event, offer, verdicts};
use crate::kinds::task_kind::TaskKind;
use async_trait::async_trait;
use domain::{
    RoomId, Timestamp,
    meetings::{MeetingState, MeetingTask, waiting},
};
use std::collections::HashSet;
use store::{
    StoreError, Tx,
    due_meetings::{self, Decided},
    execute::{ClaimedTask, SideEffects, Verdict},
    room,
};
use uuid::Uuid;

/// Code of the reason: the room did not become free.
const NOT_FREE: &str = "not_free";
/// Code of the reason: the room was offered, and the organizer did not accept.
const NOT_ACCEPTED: &str = "not_accepted";

/// A kind that ends waits or offers.
pub struct WaitEnds {
    task: MeetingTask,
    /// States that it applies to.
    from: &'static [MeetingState],
}

/// The kind `meeting.wait`: the meeting would begin.
pub const WAIT: WaitEnds =
    WaitEnds { task: MeetingTask::Wait, from: &[MeetingState::Waiting, MeetingState::Offered] };
/// The kind `meeting.offer`: the organizer did not accept in time.
pub const OFFER: WaitEnds = WaitEnds { task: MeetingTask::Offer, from: &[MeetingState::Offered] };

#[async_trait]
impl TaskKind for WaitEnds {
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
        true
    }

    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = due_meetings::load(tx.conn(), &ids).await?;
        let rooms: HashSet<RoomId> = rows.iter().filter_map(|row| row.room_id.map(RoomId)).collect();
        room::lock(tx.conn(), &rooms.into_iter().collect::<Vec<_>>()).await?;
        // Another change may have offered a room before the lock.
        let rows = due_meetings::load(tx.conn(), &ids).await?;
        let (mut ended, mut freed) = (Vec::new(), Vec::new());
        for row in &rows {
            let before = row.booking()?;
            let next = waiting::end(&before).filter(|_| self.from.contains(&before.state));
            let Some(booking) = next else { continue };
            freed.extend(offer::freed(&before, &booking));
            let states = (before.state, booking.state);
            after.log.push(event(at, row.id, "expire", states, row.version + 1));
            let reason = if before.state == MeetingState::Offered { NOT_ACCEPTED } else { NOT_FREE };
            ended.push(Decided { id: row.id, version: row.version, booking, reason, undo: None });
        }
        due_meetings::decide(tx.conn(), &ended, at).await?;
        let ids: Vec<Uuid> = ended.iter().map(|one| one.id).collect();
        cancel_tasks(tx, &ids, at, after).await?;
        offer::offer_by_engine(tx, &freed, (tasks.first().map(|task| task.id), at), after).await?;
        Ok(verdicts(tasks, &ids.into_iter().collect()))
    }
}
