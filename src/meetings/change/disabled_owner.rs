//! What follows when meetings were cancelled because the account of their organizer is disabled.

use crate::{
    meetings::{invite, kinds::offer},
    reminders::meeting_by_engine,
};
use domain::Timestamp;
use store::{StoreError, Tx, execute::SideEffects, meeting_batch::WantedTime, owner_tasks::CancelledMeeting};
use uuid::Uuid;

/// Cancels the reminders about these meetings, mails to the attendees, and offers the rooms to the meetings
/// that wait for them. The rooms must be locked. `bucket`: shard of the hints of the new tasks.
pub async fn follow_cancelled(
    tx: &mut Tx,
    cancelled: &[CancelledMeeting],
    (bucket, at): (u16, Timestamp),
) -> Result<SideEffects, StoreError> {
    let mut after = SideEffects::default();
    if cancelled.is_empty() {
        return Ok(after);
    }
    let ids: Vec<Uuid> = cancelled.iter().map(|meeting| meeting.id).collect();
    meeting_by_engine::cancel(tx, &ids, at, &mut after).await?;
    invite::send_in_bucket(tx, &ids, (bucket, at), &mut after).await?;
    let freed: Vec<WantedTime> = cancelled.iter().filter_map(CancelledMeeting::freed).collect();
    if !freed.is_empty() {
        offer::offer(tx, &freed, (bucket, at), &mut after).await?;
    }
    Ok(after)
}
