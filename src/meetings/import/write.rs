//! Writes the meetings of a file: one statement for all series, one for all meetings, one for all tasks.

use super::{event::EventTime, fate::NewEvent, id_of};
use crate::meetings::import::match_rooms::Plan;
use crate::{
    meetings::{
        invite::by_user,
        series::book::{self, BOOK_SERIES},
        write,
    },
    services::write_error,
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    DomainError,
    base::local_time::minute_text,
    meetings::MeetingTemplate,
    series::{RuleFields, Series},
};
use store::{
    event::NewEvent as LogEvent,
    imported_event,
    meeting::NewMeetingRow,
    meeting_batch,
    series::{self, SeriesRow},
};
use uuid::Uuid;

/// Writes the meetings with their tasks and events.
pub async fn write(unit: &mut UnitOfWork<'_>, plan: &Plan<'_>) -> Result<(), DomainError> {
    let (now, owner) = (unit.now(), unit.presenter.actor.account);
    let events: Vec<&NewEvent> = plan.new_events().map(|(_, event)| event).collect();
    let mut all_series = Vec::new();
    for event in &events {
        if let EventTime::Again(repeats) = &event.wanted.when {
            all_series.push(series_row(owner.0, event, (&repeats.series, repeats.minutes))?);
        }
    }
    series::insert_all(unit.tx.conn(), &all_series, now).await.map_err(write_error(unit.parts))?;
    let (mut once, mut again) = (Vec::new(), Vec::new());
    for event in &events {
        for one in &event.meetings {
            let series = || id_of("series", &event.wanted.identity.key, "");
            let occurrence = one.original_local.as_deref().map(|local| (series(), local));
            let row = NewMeetingRow {
                id: one.id,
                title: &event.wanted.title,
                description: &event.description,
                link: event.link.as_deref(),
                organizer: owner,
                zone: &event.zone,
                booking: &one.booking,
                occurrence,
                created_at: now,
            };
            if occurrence.is_some() { again.push(row) } else { once.push(row) }
        }
    }
    for (rows, verb) in [(once, "book"), (again, BOOK_SERIES)] {
        let written = meeting_batch::insert(unit.tx.conn(), &rows, Some(verb), now).await;
        written.map_err(write::refused_write(unit))?;
    }
    imported_event::store(unit.tx.conn(), &plan.records(), now).await.map_err(write_error(unit.parts))?;
    record(unit, &events, &all_series).await?;
    invite(unit, &events).await
}

/// Adds the attendees and invites them.
async fn invite(unit: &mut UnitOfWork<'_>, events: &[&NewEvent]) -> Result<(), DomainError> {
    let (mut all, mut meetings) = (Vec::new(), Vec::new());
    for event in events.iter().filter(|event| !event.wanted.invited().is_empty()) {
        for one in &event.meetings {
            let attendees = event.wanted.invited().iter();
            all.extend(attendees.map(|(email, name)| (one.id.0, email.as_str(), name.as_str())));
            meetings.push(one.id);
        }
    }
    if meetings.is_empty() {
        return Ok(());
    }
    meeting_batch::add_attendees(unit.tx.conn(), &all).await.map_err(write_error(unit.parts))?;
    by_user::send(unit, &meetings).await
}

fn series_row(
    owner_id: Uuid,
    event: &NewEvent,
    (series, length_minutes): (&Series, i32),
) -> Result<SeriesRow, DomainError> {
    let template = MeetingTemplate {
        description: event.description.clone(),
        room_id: event.room_id,
        link: event.link.clone(),
        length_minutes,
        attendees: event.wanted.invited().to_vec(),
        reminders: Vec::new(),
    };
    Ok(SeriesRow {
        id: id_of("series", &event.wanted.identity.key, ""),
        title: event.wanted.title.clone(),
        owner_id,
        version: 1,
        starts_local: minute_text(series.starts_local),
        time_zone: series.zone.clone(),
        rule: book::text(&RuleFields::from(&series.rule))?,
        template: book::text(&template)?,
        stored_until: event.meetings.last().and_then(|last| last.original_local.clone()),
        split_from: None,
        undo: None,
    })
}

/// Records the events, and schedules what happens to the meetings by themselves.
async fn record(
    unit: &mut UnitOfWork<'_>,
    events: &[&NewEvent],
    all_series: &[SeriesRow],
) -> Result<(), DomainError> {
    let (now, owner) = (unit.now(), unit.presenter.actor.account);
    let (mut log, mut tasks) = (Vec::new(), Vec::new());
    for event in events {
        for one in &event.meetings {
            log.push(write::event(unit, one.id, "book", (None, &one.booking), (1, "")));
            for wanted in one.booking.tasks(now) {
                tasks.push(write::new_task(unit, (one.id, owner), &wanted)?);
            }
        }
        if let Some(at) = event.again_at {
            tasks.push(book::extend_task(
                unit,
                (id_of("series", &event.wanted.identity.key, ""), owner),
                at,
            )?);
        }
    }
    log.extend(all_series.iter().map(|row| LogEvent {
        version: Some(1),
        ..LogEvent::simple(now, Some(owner), "series", row.id, "book")
    }));
    unit.record_events(log);
    book::schedule_tasks(unit, &tasks).await
}
