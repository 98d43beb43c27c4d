//! The deadline of an approval: a request that no user has decided expires, is confirmed, or waits
//! for an admin.

use super::{MEETING, cancel_tasks, event, offer, schedule};
use crate::{kinds::task_kind::TaskKind, meetings::invite};
use async_trait::async_trait;
use domain::{
    RoomId, TaskId, Timestamp,
    meetings::{Booking, MeetingState, MeetingTask, decide},
    task::reason,
};
use std::collections::HashSet;
use store::{
    StoreError, Tx,
    due_meetings::{self, Decided},
    execute::{ClaimedTask, SideEffects, Verdict},
    meeting::MeetingRow,
    room,
};
use uuid::Uuid;

/// Why a request was not confirmed, in the meeting's `reason`.
const ROOM_TAKEN: &str = "room_taken";

/// The kind `meeting.decide`.
pub struct Decide;

#[async_trait]
impl TaskKind for Decide {
    fn word(&self) -> &'static str {
        MeetingTask::Decide.as_str()
    }

    fn target_kind(&self) -> &'static str {
        MEETING
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
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = due_meetings::load(tx.conn(), &ids).await?;
        let mut requests = requests(&rows, at)?;
        lock_rooms(tx, &requests).await?;
        expire_taken(tx, &mut requests).await?;
        let mut verdicts = Vec::with_capacity(tasks.len());
        let mut waiting: Vec<(TaskId, Uuid, &Booking)> = Vec::new();
        for task in tasks {
            match requests.iter().find(|one| one.id == task.target_id) {
                Some(one) => {
                    verdicts.push(Verdict::Done);
                    waiting.push((task.id, one.id, &one.booking));
                }
                None => verdicts.push(Verdict::Dead(reason::TARGET_GONE)),
            }
        }
        for one in &requests {
            let states = (MeetingState::Requested, one.booking.state);
            let mut event = event(at, one.id, verb(&one.booking), states, one.version + 1);
            if !one.reason.is_empty() {
                event.detail = serde_json::json!({ "reason": one.reason }).to_string();
            }
            after.log.push(event);
        }
        due_meetings::decide(tx.conn(), &requests, at).await?;
        let mut freed = Vec::new();
        for row in &rows {
            if let Some(one) = requests.iter().find(|one| one.id == row.id) {
                freed.extend(offer::freed(&row.booking()?, &one.booking));
            }
        }
        // Warnings that did not come in time.
        let decided: Vec<Uuid> = requests.iter().map(|one| one.id).collect();
        cancel_tasks(tx, &decided, at, after).await?;
        schedule(tx, &waiting, at, after).await?;
        let notified: Vec<(TaskId, Uuid)> = waiting.iter().map(|(task, id, _)| (*task, *id)).collect();
        invite::send_by_engine(tx, &notified, at, after).await?;
        let expired = requests.iter().filter(|one| one.booking.state == MeetingState::Expired);
        let expired: Vec<Uuid> = expired.map(|one| one.id).collect();
        crate::reminders::meeting_by_engine::cancel(tx, &expired, at, after).await?;
        offer::offer_by_engine(tx, &freed, (tasks.first().map(|task| task.id), at), after).await?;
        Ok(verdicts)
    }
}

fn verb(booking: &Booking) -> &'static str {
    match booking.state {
        MeetingState::Confirmed => "confirm",
        MeetingState::Requested => "hold",
        _ => "expire",
    }
}

/// Decides the meetings that are requests.
fn requests(rows: &[MeetingRow], at: Timestamp) -> Result<Vec<Decided>, StoreError> {
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let before = row.booking()?;
        if let Ok(booking) = decide::deadline(&before, at) {
            all.push(Decided { id: row.id, version: row.version, booking, reason: "", undo: None });
        }
    }
    Ok(all)
}

/// Locks the rooms of the meetings that take or leave them.
async fn lock_rooms(tx: &mut Tx, requests: &[Decided]) -> Result<(), StoreError> {
    let rooms = requests.iter().filter(|one| one.booking.state != MeetingState::Requested);
    let rooms: HashSet<RoomId> = rooms.filter_map(|one| one.booking.room_id).collect();
    room::lock(tx.conn(), &rooms.into_iter().collect::<Vec<_>>()).await.map(drop)
}

/// Lets those confirmed requests expire whose room is taken: by a booking, or by another request of
/// this batch. The rooms must be locked. A request that holds its room finds nothing in the way.
async fn expire_taken(tx: &mut Tx, requests: &mut [Decided]) -> Result<(), StoreError> {
    let confirmed = requests.iter().filter(|one| one.booking.state == MeetingState::Confirmed);
    let ids: Vec<Uuid> = confirmed.filter(|one| one.booking.room_id.is_some()).map(|one| one.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let mut taken: HashSet<Uuid> = due_meetings::taken(tx.conn(), &ids).await?.into_iter().collect();
    let mut kept: Vec<&Booking> = Vec::new();
    for one in requests.iter().filter(|one| one.booking.holds) {
        if taken.contains(&one.id) {
            continue;
        }
        let overlaps = |other: &&Booking| {
            other.room_id == one.booking.room_id
                && other.starts_at < one.booking.free_at
                && one.booking.starts_at < other.free_at
        };
        if kept.iter().any(overlaps) {
            taken.insert(one.id);
        } else {
            kept.push(&one.booking);
        }
    }
    for one in requests.iter_mut().filter(|one| taken.contains(&one.id)) {
        one.booking = decide::expired(&one.booking);
        one.reason = ROOM_TAKEN;
    }
    Ok(())
}
