//! Writes a booking: the room is free, the row is changed, and the tasks follow, all in one
//! transaction.

pub use super::rooms::locked::{LockedRoom, unknown_room};

use super::{
    kinds::{MAIL_CHANGES, offer},
    present,
};
use crate::{
    kinds::{self, task_kind::TaskKind as _, undo_plan::ChangeDetail},
    reminders,
    services::{internal_error, write_error},
    tasks::{
        decide, schedule,
        unit_of_work::{UnitOfWork, to_update},
    },
};
use domain::{
    AccountId, DomainError, MeetingId, Priority, RoomId, State, TaskId, Timestamp,
    meetings::{Booking, MeetingState, MeetingTask},
};
use serde_json::{Value, json};
use store::{
    StoreError,
    event::NewEvent,
    execute::SideEffects,
    meeting,
    meeting_batch::WantedTime,
    room,
    task::{NewTaskRow, TaskUpdate},
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Locks a room until the end of the transaction. `Invalid` if it does not exist.
pub async fn lock_room(unit: &mut UnitOfWork<'_>, id: RoomId) -> Result<LockedRoom, DomainError> {
    let found = room::lock(unit.tx.conn(), &[id]).await.map_err(internal_error)?;
    let row = found.into_iter().next().ok_or_else(unknown_room)?;
    LockedRoom::of(&row).map_err(internal_error)
}

/// Locks several rooms, in id order.
pub async fn lock_rooms(
    unit: &mut UnitOfWork<'_>,
    ids: impl IntoIterator<Item = RoomId>,
) -> Result<Vec<LockedRoom>, DomainError> {
    let ids: Vec<RoomId> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = room::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    found.iter().map(LockedRoom::of).collect::<Result<_, _>>().map_err(internal_error)
}

/// Refuses a booking that overlaps another one. Its room must be locked.
pub async fn check_free(
    unit: &mut UnitOfWork<'_>,
    id: MeetingId,
    booking: &Booking,
) -> Result<(), DomainError> {
    let Some(room) = booking.room_id.filter(|_| booking.holds) else { return Ok(()) };
    let span = (booking.starts_at, booking.free_at);
    let conflicts = meeting::conflicts(unit.tx.conn(), room, span, id).await.map_err(internal_error)?;
    if conflicts.is_empty() { Ok(()) } else { Err(present::room_taken(&unit.presenter, conflicts)) }
}

/// Converts an error of a write: the database itself refuses overlaps too.
pub fn refused_write(unit: &UnitOfWork<'_>) -> impl Fn(StoreError) -> DomainError {
    let other = write_error(unit.parts);
    move |error| {
        if error.is_overlap() { DomainError::RoomTaken { conflicts: Vec::new() } } else { other(error) }
    }
}

/// Offers rooms that a change has freed to the meetings that wait for them. Call it after the change is
/// written.
pub async fn offer_freed(unit: &mut UnitOfWork<'_>, freed: &[WantedTime]) -> Result<(), DomainError> {
    if freed.is_empty() {
        return Ok(());
    }
    let bucket = queue::bucket_of(TaskId::generate(), unit.parts.hints.buckets());
    let (now, mut after) = (unit.now(), SideEffects::default());
    offer::offer(&mut unit.tx, freed, (bucket, now), &mut after).await.map_err(write_error(unit.parts))?;
    unit.record_events(after.log);
    after.hints.into_iter().for_each(|hint| unit.add_hint(hint));
    unit.write_events().await
}

/// Makes the tasks of a meeting follow its booking, and writes them with all events recorded so far.
/// `waits`: whether the meeting may have scheduled tasks.
pub async fn follow(
    unit: &mut UnitOfWork<'_>,
    (id, owner): (MeetingId, AccountId),
    after: &Booking,
    waits: bool,
) -> Result<(), DomainError> {
    reminders::meeting::follow(unit, &[(id, after)]).await?;
    let mut wanted = after.tasks(unit.now());
    let waiting = match waits {
        true => task_list::waiting_of_targets(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?,
        false => Vec::new(),
    };
    // The warnings of a deadline that stays are left as they are.
    let keeps_warnings = waiting.iter().any(|row| is_same_deadline(row, after));
    wanted.retain(|one| !(keeps_warnings && one.task.is_warning()));
    let is_kept = |row: &TaskListRow| {
        let is_warning = || row.kind.parse().is_ok_and(|task: MeetingTask| task.is_warning());
        // What was collected for the attendees is mailed, unless the meeting does not take place.
        let is_mail = row.kind == MAIL_CHANGES.word() && after.state.is_open();
        is_mail || keeps_warnings && is_warning()
    };
    for row in waiting.into_iter().filter(|row| !is_kept(row)) {
        match wanted.iter().position(|one| one.task.as_str() == row.kind) {
            Some(place) => {
                let due_at = wanted.remove(place).due_at.millis();
                if due_at != row.due_at {
                    reschedule(unit, &row, due_at).await?;
                }
            }
            None => {
                let (to, detail) = decide::cancelled(&row)?;
                unit.change(&row, "cancel", &to, detail.text()).await?;
            }
        }
    }
    let new = wanted.iter().map(|one| new_task(unit, (id, owner), one)).collect::<Result<Vec<_>, _>>()?;
    if new.is_empty() {
        return unit.write_events().await;
    }
    let actor = unit.presenter.actor;
    let now = unit.now();
    unit.record_events(new.iter().map(|task| schedule::scheduled(actor, task, now)));
    for task in &new {
        unit.add_hint(task.hint());
    }
    unit.insert(&new).await
}

/// Whether this task decides the request at its present deadline.
fn is_same_deadline(row: &TaskListRow, after: &Booking) -> bool {
    let is_request = after.state == MeetingState::Requested;
    is_request
        && row.kind == MeetingTask::Decide.as_str()
        && after.decide_at.is_some_and(|at| at.millis() == row.due_at)
}

async fn reschedule(unit: &mut UnitOfWork<'_>, row: &TaskListRow, due_at: i64) -> Result<(), DomainError> {
    let to = TaskUpdate { state: State::Scheduled, due_at, ..to_update(row)? };
    let detail = ChangeDetail { due_at: Some(due_at.into()), ..ChangeDetail::before(row) };
    unit.change(row, "reschedule", &to, detail.text()).await
}

/// Returns a new task of a meeting.
pub fn new_task(
    unit: &UnitOfWork<'_>,
    (meeting, owner): (MeetingId, AccountId),
    one: &domain::meetings::BookingTask,
) -> Result<NewTaskRow, DomainError> {
    task_of_kind(unit, (meeting.0, owner), one.task.as_str(), one.due_at)
}

/// Returns a new task of this kind.
pub fn task_of_kind(
    unit: &UnitOfWork<'_>,
    (target, owner): (Uuid, AccountId),
    kind: &str,
    due_at: Timestamp,
) -> Result<NewTaskRow, DomainError> {
    let kind = kinds::find(kind).ok_or_else(|| super::corrupt("a kind of meetings"))?;
    let id = TaskId::generate();
    Ok(NewTaskRow {
        id,
        kind: kind.word(),
        grace_ms: kind.grace_ms(),
        unique_key: kind.unique_key(target),
        priority: Priority::Normal,
        bucket: queue::bucket_of(id, unit.parts.hints.buckets()),
        target_id: target,
        revision_id: None,
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner,
    })
}

/// Returns the event of a change of a meeting.
pub fn event(
    unit: &UnitOfWork<'_>,
    id: MeetingId,
    verb: &'static str,
    (before, after): (Option<&Booking>, &Booking),
    (version, reason): (i32, &str),
) -> NewEvent {
    let simple = NewEvent::simple(unit.now(), Some(unit.presenter.actor.account), "meeting", id.0, verb);
    NewEvent {
        from_state: before.map(|before| before.state.as_str()),
        to_state: Some(after.state.as_str()),
        version: Some(version),
        detail: detail(before, after, reason).to_string(),
        ..simple
    }
}

/// Room and times after a change, and those before where they differ.
pub fn detail(before: Option<&Booking>, after: &Booking, reason: &str) -> Value {
    let mut detail = json!({
        "room_id": after.room_id,
        "starts_at": after.starts_at,
        "ends_at": after.ends_at,
    });
    if !reason.is_empty() {
        detail["reason"] = json!(reason);
    }
    let Some(before) = before else { return detail };
    if before.room_id != after.room_id {
        detail["was_room_id"] = json!(before.room_id);
    }
    if before.starts_at != after.starts_at {
        detail["was_starts_at"] = json!(before.starts_at);
    }
    if before.ends_at != after.ends_at {
        detail["was_ends_at"] = json!(before.ends_at);
    }
    detail
}
