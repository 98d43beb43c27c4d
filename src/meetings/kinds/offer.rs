//! Offers rooms that became free to the meetings that wait for them, in the transaction that frees them.
//!
//! Rooms are locked after targets and before meetings. A change of a meeting that waits locks its room
//! first, so an offer locks no target and changes no task: it adds one.

use super::event;
use crate::{
    kinds::new_tasks::store_tasks,
    messages::{
        check::INVITE_KEY,
        kinds::{own_message, send_now},
    },
    reminders::notifications::{NotificationBatch, language, moment},
};
use domain::{
    Priority, RoomId, TaskId, Timestamp,
    kind::MANAGED_GRACE_MS,
    meetings::{Booking, MeetingState, MeetingTask, OFFER_MINUTES, waiting},
    message::MessageOptions,
};
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx,
    approver::{self, ApproverRow},
    due_meetings::{self, Decided},
    due_reminder,
    execute::SideEffects,
    meeting::MeetingRow,
    meeting_batch::WantedTime,
    room,
    task::NewTaskRow,
};
use texts::mail::waiting::WaitingWords;

/// Returns the time that a change of a booking frees, or at which a meeting waits from now on.
pub fn freed(before: &Booking, after: &Booking) -> Vec<WantedTime> {
    let frees = before.takes_more_than(after).then_some(before);
    let waits = (after.state == MeetingState::Waiting).then_some(after);
    let time = |booking: &Booking| {
        Some(WantedTime { room: booking.room_id?, from: booking.starts_at, to: booking.free_at })
    };
    [frees, waits].into_iter().flatten().filter_map(time).collect()
}

/// Offers rooms after a change by an executed task.
pub async fn offer_by_engine(
    tx: &mut Tx,
    freed: &[WantedTime],
    (by, at): (Option<TaskId>, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let (Some(by), false) = (by, freed.is_empty()) else { return Ok(()) };
    let origin = due_meetings::origins(tx.conn(), &[by]).await?.into_iter().next();
    let bucket = origin.and_then(|origin| u16::try_from(origin.bucket).ok()).unwrap_or_default();
    offer(tx, freed, (bucket, at), after).await
}

/// Locks the rooms, and gives each free time to the meeting that waits longest.
pub async fn offer(
    tx: &mut Tx,
    freed: &[WantedTime],
    (bucket, at): (u16, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let rooms: Vec<RoomId> = freed.iter().map(|one| one.room).collect::<HashSet<_>>().into_iter().collect();
    let locked = room::lock(tx.conn(), &rooms).await?;
    let minutes = locked.iter().map(|room| Ok((room.id, room.settings()?.policy.offer_minutes)));
    let minutes = minutes.collect::<Result<HashMap<uuid::Uuid, i32>, StoreError>>()?;
    let rows = store::waiting::candidates(tx.conn(), freed, at).await?;
    let (mut chosen, mut offers): (Vec<&MeetingRow>, Vec<Decided>) = (Vec::new(), Vec::new());
    for row in &rows {
        let minutes = row.room_id.and_then(|room| minutes.get(&room)).copied().unwrap_or(OFFER_MINUTES);
        let Some(booking) = waiting::offer(&row.booking()?, minutes, at) else { continue };
        let overlaps = |other: &Decided| {
            other.booking.room_id == booking.room_id
                && other.booking.starts_at < booking.free_at
                && booking.starts_at < other.booking.free_at
        };
        if !offers.iter().any(overlaps) {
            chosen.push(row);
            offers.push(Decided { id: row.id, version: row.version, booking, reason: "", undo: None });
        }
    }
    if offers.is_empty() {
        return Ok(());
    }
    due_meetings::decide(tx.conn(), &offers, at).await?;
    let states = (MeetingState::Waiting, MeetingState::Offered);
    after.log.extend(offers.iter().map(|one| event(at, one.id, "offer", states, one.version + 1)));
    let mut tasks = Vec::new();
    for (row, one) in chosen.iter().zip(&offers) {
        let wanted = one.booking.tasks(at).into_iter().find(|wanted| wanted.task == MeetingTask::Offer);
        tasks.extend(wanted.map(|wanted| offer_task(row, wanted.due_at, bucket)));
    }
    notify(tx, &chosen, &offers, (bucket, at), after).await?;
    store_tasks(tx, &tasks, at, after).await
}

/// The task that ends an offer.
fn offer_task(row: &MeetingRow, due_at: Timestamp, bucket: u16) -> NewTaskRow {
    let kind = MeetingTask::Offer.as_str();
    NewTaskRow {
        id: TaskId::generate(),
        kind,
        grace_ms: MANAGED_GRACE_MS,
        unique_key: Some(format!("{kind}:{}", row.id)),
        priority: Priority::Normal,
        bucket,
        target_id: row.id,
        revision_id: None,
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: row.organizer(),
    }
}

/// Notifies the organizers in the app and, if the desk has a mail server, by mail.
async fn notify(
    tx: &mut Tx,
    chosen: &[&MeetingRow],
    offers: &[Decided],
    (bucket, at): (u16, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let organizers: Vec<uuid::Uuid> = chosen.iter().map(|row| row.organizer_id).collect();
    let accounts = approver::accounts(tx.conn(), &organizers).await?;
    let (channel, _) = due_reminder::channels(tx.conn()).await?;
    let (mut batch, mut messages) = (NotificationBatch::default(), Vec::new());
    for (row, one) in chosen.iter().zip(offers) {
        let Some(account) = accounts.iter().find(|account| account.id == row.organizer_id) else { continue };
        let (subject, text) = text(row, &one.booking, account);
        batch.notify(account.id, format!("{subject}\n{text}"), format!("/meetings/{}", row.id));
        let Some(channel) = channel else { continue };
        let options = MessageOptions {
            headers: [("Subject".to_owned(), subject.clone())].into(),
            to: vec![account.email.clone()],
            valid_until: one.booking.decide_at,
            ..MessageOptions::default()
        };
        let key = format!("{INVITE_KEY}offers:");
        messages.push(own_message((channel, row.organizer()), &key, format!("{subject}\n{text}"), &options)?);
    }
    after.log.extend(batch.store(tx, at).await?);
    send_now(tx, &messages, (bucket, at), after).await
}

/// What the organizer is notified of: that the room is free, and until when it is held.
fn text(row: &MeetingRow, offered: &Booking, account: &ApproverRow) -> (String, String) {
    let language = language(account);
    let words = WaitingWords(language);
    let until = moment(language, offered.decide_at.unwrap_or(offered.starts_at), &account.time_zone);
    (words.is_free(&row.title), words.accept_by(&until))
}
