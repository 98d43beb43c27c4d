//! Writes a change of several occurrences, and what its undo needs.

use super::{
    book,
    load::LoadedSeries,
    plan,
    undo_record::SeriesUndo,
    work::{RowUpdate, Work},
};
use crate::{
    meetings::{invite::by_user, kinds::offer, write},
    reminders,
    services::{internal_error, write_error},
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    AccountId, DomainError, MeetingId, State, Timestamp, Version,
    base::local_time,
    meetings::{Booking, MeetingTemplate},
    series::Series,
};
use store::{
    due_meetings,
    event::NewEvent,
    meeting::MeetingUpdate,
    meeting_batch::{self, ChangedMeeting},
    series::{self, SeriesRow},
    task::NewTaskRow,
};
use uuid::Uuid;

/// Writes the series, the meetings with their tasks, and all events.
pub async fn apply(unit: &mut UnitOfWork<'_>, loaded: &LoadedSeries, work: Work) -> Result<(), DomainError> {
    let Work { updates, added, mut ended, next, reminders, verb } = work;
    let (now, owner) = (unit.now(), AccountId(loaded.row.owner_id));
    let extend_at = cancel_tasks(unit, updates.iter().map(|one| one.row.id), loaded.row.id).await?;
    let added_ids = added.iter().filter(|one| one.blocked.is_none()).map(|one| one.id.0).collect();
    let undo = SeriesUndo::of((loaded, extend_at), &updates, added_ids);
    let undo = Some(book::text(&undo)?);
    let mut tasks = Vec::new();
    match next {
        None => ended.undo = undo,
        Some((row, series)) => {
            ended.undo = None;
            let locals = updates.iter().map(|one| &one.series.1);
            let until = locals.chain(added.iter().map(|one| &one.slot.original_local)).max().cloned();
            let row = SeriesRow { undo, stored_until: until, ..row };
            series::insert(unit.tx.conn(), &row, now).await.map_err(write_error(unit.parts))?;
            let again_at = again_at(&series, loaded, &row, now);
            let extend = again_at.map(|at| book::extend_task(unit, (row.id, owner), at));
            tasks.extend(extend.transpose()?);
            let template: MeetingTemplate = row.template().map_err(internal_error)?;
            let free = added.iter().filter(|one| one.blocked.is_none()).collect();
            write_updates(unit, &updates, verb).await?;
            book::insert_meetings(unit, &row, &template, free, verb).await?;
            let skips = plan::skips(row.id, added.iter());
            series::insert_skips(unit.tx.conn(), &skips, now).await.map_err(write_error(unit.parts))?;
            record(unit, row.id, "book", 1);
        }
    }
    let version = series::update(unit.tx.conn(), &ended).await.map_err(write_error(unit.parts))?;
    record(
        unit,
        ended.id,
        if verb == "cancel_series" { "cancel" } else { "move" },
        version.ok_or(DomainError::Changed)?.0,
    );
    if verb == "cancel_series" {
        write_updates(unit, &updates, verb).await?;
    }
    let changed: Vec<_> = updates.iter().map(|one| (MeetingId(one.row.id), &one.booking)).collect();
    if let Some(wanted) = &reminders {
        let open: Vec<_> = changed.iter().copied().filter(|(_, booking)| booking.state.is_open()).collect();
        reminders::meeting::choose(unit, owner, &open, wanted).await?;
    }
    reminders::meeting::follow(unit, &changed).await?;
    let mut notified: Vec<MeetingId> = updates.iter().map(|one| MeetingId(one.row.id)).collect();
    notified.extend(added.iter().filter(|one| one.blocked.is_none()).map(|one| one.id));
    for (id, booking) in changed
        .into_iter()
        .chain(added.iter().filter(|one| one.blocked.is_none()).map(|one| (one.id, &one.booking)))
    {
        tasks.extend(tasks_of(unit, (id, owner), booking)?);
    }
    book::schedule_tasks(unit, &tasks).await?;
    by_user::send(unit, &notified).await?;
    let freed: Vec<_> = updates.iter().flat_map(|one| offer::freed(&one.before, &one.booking)).collect();
    write::offer_freed(unit, &freed).await
}

/// Returns the tasks that a meeting needs.
pub fn tasks_of(
    unit: &UnitOfWork<'_>,
    of: (MeetingId, AccountId),
    booking: &Booking,
) -> Result<Vec<NewTaskRow>, DomainError> {
    booking.tasks(unit.now()).iter().map(|wanted| write::new_task(unit, of, wanted)).collect()
}

/// When the continuing series gets its next occurrences.
fn again_at(series: &Series, loaded: &LoadedSeries, row: &SeriesRow, now: Timestamp) -> Option<Timestamp> {
    let until = row.stored_until.as_deref().and_then(|local| local_time::parse(local).ok());
    series.extension(&loaded.zone, until, now).again_at
}

/// Cancels the scheduled tasks of these meetings and of the series. Returns when the series would
/// have got its next occurrences.
pub async fn cancel_tasks(
    unit: &mut UnitOfWork<'_>,
    meetings: impl Iterator<Item = Uuid>,
    series: Uuid,
) -> Result<Option<Timestamp>, DomainError> {
    let waiting = store::task_list::waiting_of_targets(unit.tx.conn(), &[series]).await;
    let extend_at = waiting.map_err(internal_error)?.first().map(|task| Timestamp::from_millis(task.due_at));
    let targets: Vec<Uuid> = meetings.chain([series]).collect();
    let cancelled = due_meetings::cancel_tasks(unit.tx.conn(), &targets).await;
    let (now, actor) = (unit.now(), unit.presenter.actor.account);
    let events = cancelled.map_err(write_error(unit.parts))?.into_iter().map(|task| NewEvent {
        from_state: Some(State::Scheduled.as_str()),
        to_state: Some(State::Cancelled.as_str()),
        version: Some(task.version),
        ..NewEvent::simple(now, Some(actor), "task", task.id, "cancel")
    });
    let events: Vec<NewEvent> = events.collect();
    unit.record_events(events);
    Ok(extend_at)
}

async fn write_updates(
    unit: &mut UnitOfWork<'_>,
    updates: &[RowUpdate],
    verb: &str,
) -> Result<(), DomainError> {
    let now = unit.now();
    let rows: Vec<ChangedMeeting<'_>> = updates
        .iter()
        .map(|one| ChangedMeeting {
            id: one.row.id,
            seen: Version(one.row.version),
            series: (one.series.0, &one.series.1),
            to: MeetingUpdate {
                title: &one.title,
                description: &one.description,
                link: one.link.as_deref(),
                zone: &one.row.time_zone,
                booking: &one.booking,
                reason: &one.reason,
                undo: Some((verb, now, &one.before)),
            },
        })
        .collect();
    let written = meeting_batch::update(unit.tx.conn(), &rows).await.map_err(write::refused_write(unit))?;
    if usize::try_from(written) != Ok(rows.len()) {
        return Err(DomainError::Changed);
    }
    let events: Vec<NewEvent> = updates.iter().map(|one| update_event(unit, one)).collect();
    unit.record_events(events);
    Ok(())
}

fn update_event(unit: &UnitOfWork<'_>, one: &RowUpdate) -> NewEvent {
    let is_closed = !one.booking.state.is_open();
    let is_moved = one.booking != one.before;
    let verb = if is_closed {
        "cancel"
    } else if is_moved {
        "move"
    } else {
        "edit"
    };
    let bookings = (Some(&one.before), &one.booking);
    write::event(unit, MeetingId(one.row.id), verb, bookings, (one.row.version + 1, &one.reason))
}

/// Records the event of a change of a series.
pub fn record(unit: &mut UnitOfWork<'_>, series: Uuid, verb: &'static str, version: i32) {
    let simple = NewEvent::simple(unit.now(), Some(unit.presenter.actor.account), "series", series, verb);
    unit.record_events([NewEvent { version: Some(version), ..simple }]);
}
