//! Books a series of meetings.

use super::{
    conflicts,
    input::{self, Input},
    plan::{self, Candidate},
};
use crate::{
    app_state::AppState,
    meetings::{
        book::chosen_or_usual,
        invite::by_user,
        kinds, present,
        write::{self, LockedRoom},
    },
    reminders,
    services::{Presenter, internal_error, write_error},
    tasks::{
        schedule,
        unit_of_work::{UnitOfWork, find_idempotent_result},
    },
};
use domain::{
    AccountId, Actor, DomainError, MeetingId, Timestamp,
    base::local_time::minute_text,
    error::ValidationError,
    meetings::{BookedSeries, Booking, MeetingTemplate, NewMeetingSeries, OnConflict, SeriesDryRun},
    series::RuleFields,
};
use store::{
    PoolRole,
    event::NewEvent,
    meeting::NewMeetingRow,
    meeting_batch, room,
    series::{self, SeriesRow},
    task::NewTaskRow,
};
use uuid::Uuid;

/// The change of a meeting that was booked with its series.
pub const BOOK_SERIES: &str = "book_series";

/// The occurrences of a new series.
struct Plan {
    /// All that are still to come.
    all: Vec<Candidate>,
    /// Number of those that are booked at once.
    at_once: usize,
    /// When the next ones are added; `None`: there are no more.
    again_at: Option<Timestamp>,
}

impl Plan {
    /// Returns the occurrences of a series. The room is locked, unless nothing is to be written.
    fn of(input: &Input, room: Option<&LockedRoom>, now: Timestamp) -> Result<Self, DomainError> {
        let Input { series, zone, template, fields, .. } = input;
        let named = |refusal| input::renamed(refusal, "starts_local", fields.0);
        series.check(zone, now).map_err(named)?;
        let all = series.occurrences(zone, Timestamp::EARLIEST, Timestamp::LATEST, usize::MAX);
        if all.first().is_none_or(|first| first.at <= now) {
            return Err(DomainError::invalid(fields.0, ValidationError::InThePast));
        }
        let extension = series.extension(zone, None, now);
        let all = plan::candidates(series, zone, (&all, template.length_minutes), room, now);
        plan::check_distance(&all, fields.1)?;
        Ok(Self { all, at_once: extension.occurrences.len(), again_at: extension.again_at })
    }

    fn at_once(&self) -> &[Candidate] {
        &self.all[..self.at_once.min(self.all.len())]
    }

    /// Those that are booked now.
    fn free(&self) -> impl Iterator<Item = &Candidate> {
        self.at_once().iter().filter(|one| one.blocked.is_none())
    }
}

/// Returns what booking a series would do.
pub async fn dry_run(
    parts: &AppState,
    actor: &Actor,
    new: NewMeetingSeries,
) -> Result<SeriesDryRun, DomainError> {
    let input = input::read(actor, new)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let room = match input.room_id() {
        Some(id) => {
            let found = room::find(lease.conn(), id).await.map_err(internal_error)?;
            let room = LockedRoom::of(&found.ok_or_else(write::unknown_room)?).map_err(internal_error)?;
            room.check_bookable(actor.role)?;
            room.check_capacity(input.template.attendees.len())?;
            Some(room)
        }
        None => None,
    };
    let mut plan = Plan::of(&input, room.as_ref(), presenter.now)?;
    conflicts::check_taken(lease.conn(), &mut plan.all, &[]).await?;
    Ok(SeriesDryRun {
        next: conflicts::planned(&presenter, (&input.series, &input.zone), &plan.all),
        count: plan.all.len(),
        booked_at_once: plan.at_once().len(),
        conflicts: conflicts::conflicts(&presenter, &plan.all),
    })
}

/// Books a series: the room is locked once, one statement finds everything that is in the way, and
/// one writes the meetings.
pub async fn book(
    parts: &AppState,
    actor: &Actor,
    new: NewMeetingSeries,
) -> Result<BookedSeries, DomainError> {
    let (on_conflict, has_usual_reminders) = (new.on_conflict, new.meeting.reminders.is_none());
    let mut input = input::read(actor, new)?;
    let first = MeetingId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(done) = find_idempotent_result(&mut unit, first.0).await? {
        return repeated(&mut unit, MeetingId(done)).await;
    }
    let room = match input.room_id() {
        Some(id) => {
            let room = write::lock_room(&mut unit, id).await?;
            room.check_bookable(actor.role)?;
            room.check_capacity(input.template.attendees.len())?;
            Some(room)
        }
        None => None,
    };
    if has_usual_reminders {
        input.template.reminders = chosen_or_usual(&mut unit, None, room.as_ref()).await?;
    }
    let mut plan = Plan::of(&input, room.as_ref(), unit.now())?;
    conflicts::check_taken(unit.tx.conn(), &mut plan.all, &[]).await?;
    let is_blocked = plan.all.iter().any(|one| one.blocked.is_some());
    if (is_blocked && on_conflict == OnConflict::Refuse) || plan.free().next().is_none() {
        let (count, all) = (plan.all.len(), conflicts::conflicts(&unit.presenter, &plan.all));
        return Err(DomainError::OccurrencesTaken { conflicts: all, count });
    }
    if let Some(one) = plan.all.iter_mut().find(|one| one.blocked.is_none()) {
        one.id = first;
    }
    let skipped = conflicts::conflicts(&unit.presenter, plan.at_once());
    write_series(&mut unit, &input, &plan).await?;
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, first).await?;
    let booked = plan.free().count();
    unit.commit().await?;
    Ok(BookedSeries { meeting, booked, skipped })
}

/// Returns the series that the same request booked before.
async fn repeated(unit: &mut UnitOfWork<'_>, first: MeetingId) -> Result<BookedSeries, DomainError> {
    let meeting = present::meeting(unit.tx.conn(), &unit.presenter, first).await?;
    let Some(id) = meeting.row.series_id else { return Err(DomainError::no_such("series")) };
    let rows = series::occurrences(unit.tx.conn(), id, Timestamp::EARLIEST).await.map_err(internal_error)?;
    let skipped = super::show::skipped(unit.tx.conn(), &unit.presenter, id, Timestamp::EARLIEST).await?;
    Ok(BookedSeries { meeting, booked: rows.len(), skipped })
}

/// Stores the series with its meetings, their tasks and events.
async fn write_series(unit: &mut UnitOfWork<'_>, input: &Input, plan: &Plan) -> Result<(), DomainError> {
    let (now, owner, id) = (unit.now(), unit.presenter.actor.account, Uuid::now_v7());
    let Input { title, series, template, .. } = input;
    let rule = RuleFields::from(&series.rule);
    let row = SeriesRow {
        id,
        title: title.clone(),
        owner_id: owner.0,
        version: 1,
        starts_local: minute_text(series.starts_local),
        time_zone: series.zone.clone(),
        rule: text(&rule)?,
        template: text(template)?,
        stored_until: plan.at_once().last().map(|last| last.slot.original_local.clone()),
        split_from: None,
        undo: None,
    };
    series::insert(unit.tx.conn(), &row, now).await.map_err(write_error(unit.parts))?;
    insert_meetings(unit, &row, template, plan.free().collect(), BOOK_SERIES).await?;
    let skips = plan::skips(id, plan.at_once().iter());
    series::insert_skips(unit.tx.conn(), &skips, now).await.map_err(write_error(unit.parts))?;
    let simple = NewEvent::simple(now, Some(owner), "series", id, "book");
    let counts = serde_json::json!({"booked": plan.free().count(), "skipped": skips.len()});
    unit.record_events([NewEvent { version: Some(1), detail: counts.to_string(), ..simple }]);
    let mut tasks = Vec::new();
    for one in plan.free() {
        for wanted in one.booking.tasks(now) {
            tasks.push(write::new_task(unit, (one.id, owner), &wanted)?);
        }
    }
    tasks.extend(plan.again_at.map(|at| extend_task(unit, (id, owner), at)).transpose()?);
    schedule_tasks(unit, &tasks).await?;
    if template.attendees.is_empty() {
        return Ok(());
    }
    let booked: Vec<MeetingId> = plan.free().map(|one| one.id).collect();
    by_user::send(unit, &booked).await
}

/// Stores new tasks with all events recorded so far.
pub async fn schedule_tasks(unit: &mut UnitOfWork<'_>, tasks: &[NewTaskRow]) -> Result<(), DomainError> {
    let (actor, now) = (unit.presenter.actor, unit.now());
    unit.record_events(tasks.iter().map(|task| schedule::scheduled(actor, task, now)));
    for task in tasks {
        unit.add_hint(task.hint());
    }
    if tasks.is_empty() { unit.write_events().await } else { unit.insert(tasks).await }
}

/// Returns the task that adds the next occurrences.
pub fn extend_task(
    unit: &UnitOfWork<'_>,
    of: (Uuid, AccountId),
    at: Timestamp,
) -> Result<NewTaskRow, DomainError> {
    write::task_of_kind(unit, of, kinds::EXTEND_SERIES, at)
}

/// Stores the meetings of occurrences with their attendees and reminders, and records their events.
pub async fn insert_meetings(
    unit: &mut UnitOfWork<'_>,
    series: &SeriesRow,
    template: &MeetingTemplate,
    all: Vec<&Candidate>,
    undo_verb: &str,
) -> Result<(), DomainError> {
    let now = unit.now();
    let rows: Vec<NewMeetingRow<'_>> =
        all.iter().map(|one| plan::new_row(series, template, one, now)).collect();
    let written = meeting_batch::insert(unit.tx.conn(), &rows, Some(undo_verb), now).await;
    written.map_err(write::refused_write(unit))?;
    let attendees = plan::attendees(template, all.iter().map(|one| one.id));
    let added = meeting_batch::add_attendees(unit.tx.conn(), &attendees).await;
    added.map_err(write_error(unit.parts))?;
    let events: Vec<NewEvent> =
        all.iter().map(|one| write::event(unit, one.id, "book", (None, &one.booking), (1, ""))).collect();
    unit.record_events(events);
    let booked: Vec<(MeetingId, &Booking)> = all.iter().map(|one| (one.id, &one.booking)).collect();
    reminders::meeting::add(unit, AccountId(series.owner_id), &booked, &template.reminders).await
}

/// Encodes as JSON.
pub fn text<T: serde::Serialize>(value: &T) -> Result<String, DomainError> {
    serde_json::to_string(value).map_err(|error| super::super::corrupt(&error.to_string()))
}
