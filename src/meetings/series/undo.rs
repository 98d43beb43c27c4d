//! Undoes a change of several occurrences as a whole.

use super::{
    book, conflicts, edit,
    plan::Candidate,
    undo_record::{MeetingBefore, SeriesUndo},
    write_work,
};
use crate::{
    app_state::AppState,
    meetings::{change, invite::by_user, kinds::offer, present, write},
    reminders,
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    AccountId, Actor, DomainError, MeetingId, RoomId, Version,
    meetings::{Booking, LocalSpan, Meeting, MeetingChange, SeriesChange, SeriesEdit, Slot, decide},
    series::{MovedOccurrences, Reach},
};
use std::collections::{HashMap, HashSet};
use store::{
    due_meetings::{self, Decided},
    event::NewEvent,
    meeting::{self, MeetingRow, MeetingUpdate},
    meeting_batch::{self, ChangedMeeting},
    room,
    series::{self, SeriesRow},
    target,
};
use uuid::Uuid;

/// Undoes the last change of a meeting, if the meeting still has the version the actor saw: of the
/// meeting alone, or of all meetings of the series that were changed with it.
pub async fn undo(
    parts: &AppState,
    actor: &Actor,
    id: MeetingId,
    seen: Version,
) -> Result<Meeting, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let found = meeting::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let verb = found.and_then(|row| row.undo_verb);
    if !verb.as_deref().is_some_and(decide::is_of_series) {
        drop(unit);
        return change::change(parts, actor, id, MeetingChange::Undo, seen).await;
    }
    let holder = edit::lock(&mut unit, id).await?;
    let current = change::load(&mut unit, id).await?;
    if !current.is_owner {
        return Err(DomainError::NotAllowed);
    }
    if find_idempotent_result(&mut unit, id.0).await?.is_some() {
        return present::meeting(unit.tx.conn(), &unit.presenter, id).await;
    }
    change::check_seen(&current, seen)?;
    if current.row.undo_verb.as_deref() == Some(book::BOOK_SERIES) {
        drop(unit);
        let change = SeriesChange::Cancel { reason: String::new() };
        let all = SeriesEdit { reach: Reach::All, moved: MovedOccurrences::Follow, change };
        return Ok(edit::edit(parts, actor, id, all, seen).await?.meeting);
    }
    let row = series::find(unit.tx.conn(), holder).await.map_err(internal_error)?;
    let row = row.ok_or(DomainError::CannotUndo)?;
    let undo: Option<SeriesUndo> = row.undo.as_deref().and_then(|text| serde_json::from_str(text).ok());
    revert(&mut unit, row, undo.ok_or(DomainError::CannotUndo)?).await?;
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, id).await?;
    unit.commit().await?;
    Ok(meeting)
}

async fn revert(unit: &mut UnitOfWork<'_>, holder: SeriesRow, undo: SeriesUndo) -> Result<(), DomainError> {
    let ids: Vec<Uuid> = undo.meetings.iter().map(|one| one.id).chain(undo.added.iter().copied()).collect();
    // The series before the change has no meetings that wait, so this order cannot block.
    target::lock(unit.tx.conn(), &[undo.series]).await.map_err(internal_error)?;
    let rows = due_meetings::load(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let rows: HashMap<Uuid, MeetingRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    check_unchanged(unit, &holder, (&undo, &rows)).await?;
    check_free(unit, &undo, &ids).await?;
    let added = write_meetings(unit, &undo, &rows).await?;
    write_work::cancel_tasks(unit, ids.iter().copied(), holder.id).await?;
    let owner = AccountId(holder.owner_id);
    restore_series(unit, holder, &undo).await?;
    let mut tasks = Vec::new();
    for one in &undo.meetings {
        tasks.extend(write_work::tasks_of(unit, (MeetingId(one.id), owner), &one.booking)?);
    }
    let restored = undo.meetings.iter().map(|one| (MeetingId(one.id), &one.booking));
    let changed: Vec<_> = restored.chain(added.iter().map(|one| (MeetingId(one.id), &one.booking))).collect();
    reminders::meeting::follow(unit, &changed).await?;
    let extend = undo.extend_at.map(|at| book::extend_task(unit, (undo.series, owner), at));
    tasks.extend(extend.transpose()?);
    book::schedule_tasks(unit, &tasks).await?;
    let notified: Vec<MeetingId> = ids.iter().copied().map(MeetingId).collect();
    by_user::send(unit, &notified).await?;
    let after: HashMap<Uuid, &Booking> = changed.iter().map(|(id, booking)| (id.0, *booking)).collect();
    let mut freed = Vec::new();
    for (id, row) in &rows {
        let before = row.booking().map_err(internal_error)?;
        freed.extend(after.get(id).into_iter().flat_map(|after| offer::freed(&before, after)));
    }
    write::offer_freed(unit, &freed).await
}

/// Refuses if a meeting was changed since, has begun, or was added since.
async fn check_unchanged(
    unit: &mut UnitOfWork<'_>,
    holder: &SeriesRow,
    (undo, rows): (&SeriesUndo, &HashMap<Uuid, MeetingRow>),
) -> Result<(), DomainError> {
    let now = unit.now();
    let is_same = |one: &MeetingBefore| rows.get(&one.id).is_some_and(|row| row.version == one.version);
    let is_new = |id: &Uuid| rows.get(id).is_some_and(|row| row.version == 1);
    let has_begun = |row: &MeetingRow| row.starts_at <= now.millis();
    let is_past =
        undo.meetings.iter().any(|one| one.booking.starts_at <= now) || rows.values().any(has_begun);
    if is_past || !undo.meetings.iter().all(is_same) || !undo.added.iter().all(is_new) {
        return Err(DomainError::CannotUndo);
    }
    if holder.id == undo.series {
        return Ok(());
    }
    let known: HashSet<&Uuid> = rows.keys().collect();
    let all = series::meeting_ids(unit.tx.conn(), holder.id).await.map_err(internal_error)?;
    if all.iter().all(|id| known.contains(id)) { Ok(()) } else { Err(DomainError::CannotUndo) }
}

/// Refuses if the room of one of the meetings was taken since.
async fn check_free(unit: &mut UnitOfWork<'_>, undo: &SeriesUndo, ids: &[Uuid]) -> Result<(), DomainError> {
    let rooms: HashSet<RoomId> = undo.meetings.iter().filter_map(|one| one.booking.room_id).collect();
    let rooms: Vec<RoomId> = rooms.into_iter().collect();
    room::lock(unit.tx.conn(), &rooms).await.map_err(internal_error)?;
    let mut all: Vec<Candidate> = undo.meetings.iter().map(candidate).collect();
    conflicts::check_taken(unit.tx.conn(), &mut all, ids).await?;
    if all.iter().all(|one| one.blocked.is_none()) {
        return Ok(());
    }
    let count = all.len();
    Err(DomainError::OccurrencesTaken { conflicts: conflicts::conflicts(&unit.presenter, &all), count })
}

fn candidate(one: &MeetingBefore) -> Candidate {
    let booking = one.booking.clone();
    let (start, end, zone) = (String::new(), String::new(), one.zone.clone());
    let (starts_at, ends_at) = (booking.starts_at, booking.ends_at);
    let local = LocalSpan { start, end, zone };
    let slot = Slot { original_local: one.original_local.clone(), starts_at, ends_at, local };
    Candidate { id: MeetingId(one.id), slot, booking, blocked: None }
}

/// Brings the meetings back, and cancels those that the change added. Returns the cancelled ones.
async fn write_meetings(
    unit: &mut UnitOfWork<'_>,
    undo: &SeriesUndo,
    rows: &HashMap<Uuid, MeetingRow>,
) -> Result<Vec<Decided>, DomainError> {
    let added =
        undo.added.iter().filter_map(|id| rows.get(id)).map(cancelled).collect::<Result<Vec<_>, _>>()?;
    let now = unit.now();
    due_meetings::decide(unit.tx.conn(), &added, now).await.map_err(write_error(unit.parts))?;
    let changes: Vec<ChangedMeeting<'_>> = undo.meetings.iter().map(|one| before(undo.series, one)).collect();
    let written = meeting_batch::update(unit.tx.conn(), &changes).await;
    if usize::try_from(written.map_err(write::refused_write(unit))?) != Ok(changes.len()) {
        return Err(DomainError::Changed);
    }
    let mut events: Vec<NewEvent> = Vec::with_capacity(rows.len());
    for one in &undo.meetings {
        let Some(row) = rows.get(&one.id) else { continue };
        let was = row.booking().map_err(internal_error)?;
        let (bookings, version) = ((Some(&was), &one.booking), (one.version + 1, ""));
        events.push(write::event(unit, MeetingId(one.id), "undo", bookings, version));
    }
    for one in &added {
        let bookings = (None, &one.booking);
        events.push(write::event(unit, MeetingId(one.id), "undo", bookings, (one.version + 1, "")));
    }
    unit.record_events(events);
    Ok(added)
}

fn cancelled(row: &MeetingRow) -> Result<Decided, DomainError> {
    let booking = decide::cancel(&row.booking().map_err(internal_error)?)?;
    Ok(Decided { id: row.id, version: row.version, booking, reason: "", undo: None })
}

/// The values of a meeting before the change.
fn before(series: Uuid, one: &MeetingBefore) -> ChangedMeeting<'_> {
    ChangedMeeting {
        id: one.id,
        seen: Version(one.version),
        series: (series, &one.original_local),
        to: MeetingUpdate {
            title: &one.title,
            description: &one.description,
            link: one.link.as_deref(),
            zone: &one.zone,
            booking: &one.booking,
            reason: &one.reason,
            undo: None,
        },
    }
}

/// Gives the series its rule back.
async fn restore_series(
    unit: &mut UnitOfWork<'_>,
    holder: SeriesRow,
    undo: &SeriesUndo,
) -> Result<(), DomainError> {
    let mut all = vec![SeriesRow { undo: None, ..holder }];
    if all[0].id != undo.series {
        let old = series::find(unit.tx.conn(), undo.series).await.map_err(internal_error)?;
        all.push(old.ok_or(DomainError::CannotUndo)?);
    }
    for row in &mut all {
        if row.id == undo.series {
            if row.version != undo.version {
                return Err(DomainError::CannotUndo);
            }
            row.rule.clone_from(&undo.rule);
        }
        let version = series::update(unit.tx.conn(), row).await.map_err(write_error(unit.parts))?;
        write_work::record(unit, row.id, "undo", version.ok_or(DomainError::Changed)?.0);
    }
    Ok(())
}
