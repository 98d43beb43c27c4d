//! Updates and cancels series that were imported before: what has passed stays as it is.

use crate::{
    meetings::{
        change::{self, Current},
        check,
        import::{
            event::{EventTime, Wanted},
            fate::{Changed, Context, Fate},
            known::Target,
            series::Repeats,
        },
        series::{
            changes::Changes,
            edit::{self, Done},
        },
    },
    services::internal_error,
    tasks::unit_of_work::UnitOfWork,
    zone::Zone,
};
use domain::{
    DomainError, MeetingId, Timestamp,
    base::local_time::second_text,
    meetings::{ImportProblem, MeetingEdit, MeetingTime, SeriesChange},
    series::{MovedOccurrences, Reach},
};
use jiff::ToSpan as _;
use store::{
    imported_event,
    series::{self, OccurrenceRow},
};
use uuid::Uuid;

/// Makes a series what an event of the file says, from now on.
pub async fn update(
    unit: &mut UnitOfWork<'_>,
    wanted: &Wanted,
    id: Uuid,
    context: &Context<'_>,
) -> Result<Fate, DomainError> {
    let EventTime::Again(repeats) = &wanted.when else {
        return Ok(Fate::Refused(ImportProblem::ChangedHere));
    };
    let Some(row) = series::find(unit.tx.conn(), id).await.map_err(internal_error)? else {
        return Ok(Fate::Refused(ImportProblem::ChangedHere));
    };
    let is_continued = parts(unit, id).await?.len() > 1;
    let open = upcoming(unit, id).await?;
    let Some(first) = open.first().filter(|_| !is_continued && row.time_zone == repeats.zone.name()) else {
        return Ok(Fate::Refused(ImportProblem::ChangedHere));
    };
    let current = owned(unit, first.meeting.id).await?;
    let mut rule = repeats.series.clone();
    // These are changed one by one.
    let own: Vec<_> =
        context.occurrences_of(&wanted.identity.uid, (rule.starts_local, repeats.zone)).collect();
    rule.rule.exceptions.retain(|date| !own.contains(date));
    let time = time_of(repeats)?;
    let change = edit_of(unit, wanted, (context, Some(time)))?;
    let wish = edit::Wanted {
        reach: Reach::All,
        moved: MovedOccurrences::Keep,
        changes: Changes::read(SeriesChange::Edit(Box::new(change)))?,
        rule: Some(rule),
        is_all_or_nothing: true,
    };
    let done = edit::edit_in(unit, id, &current, wish).await?;
    changed(unit, (first, id), &done).await
}

/// Moves one of the times of a series and all that follow it, as an event of the file says.
pub async fn follow(
    unit: &mut UnitOfWork<'_>,
    wanted: &Wanted,
    id: Uuid,
    context: &Context<'_>,
) -> Result<Fate, DomainError> {
    let EventTime::Once(time) = &wanted.when else { return Ok(Fate::Refused(ImportProblem::NoSeries)) };
    let Some(row) = series::find(unit.tx.conn(), id).await.map_err(internal_error)? else {
        return Ok(Fate::Refused(ImportProblem::NoSeries));
    };
    let of = crate::meetings::series::plan::series_of(&row).map_err(internal_error)?;
    let date = wanted.identity.original.as_ref();
    let date = date.and_then(|one| one.date_in((of.starts_local, Zone::stored(&row.time_zone))));
    let Some(date) = date else { return Ok(Fate::Refused(ImportProblem::NoSeries)) };
    let local = domain::base::local_time::minute_text(of.local_on(date));
    let all = upcoming(unit, id).await?;
    let Some(first) = all.iter().find(|one| one.original_local == local) else {
        return Ok(Fate::Refused(ImportProblem::ChangedHere));
    };
    let current = owned(unit, first.meeting.id).await?;
    let times = check::times(time.clone())?;
    let is_moved = (times.starts_at.millis(), times.ends_at.millis())
        != (first.meeting.starts_at, first.meeting.ends_at);
    let change = edit_of(unit, wanted, (context, is_moved.then(|| time.clone())))?;
    let wish = edit::Wanted {
        reach: Reach::Following,
        moved: MovedOccurrences::Keep,
        changes: Changes::read(SeriesChange::Edit(Box::new(change)))?,
        rule: None,
        is_all_or_nothing: true,
    };
    let done = edit::edit_in(unit, id, &current, wish).await?;
    changed(unit, (first, id), &done).await
}

/// Cancels what is still to come of a series and of those that continue it. `from`: from this meeting on.
pub async fn cancel(
    unit: &mut UnitOfWork<'_>,
    id: Uuid,
    from: Option<MeetingId>,
) -> Result<Fate, DomainError> {
    let mut found: Option<OccurrenceRow> = None;
    let mut count = 0;
    for part in parts(unit, id).await? {
        let open = upcoming(unit, part).await?;
        let first = match from {
            Some(from) => open.iter().find(|one| one.meeting.id == from.0),
            None => open.first(),
        };
        let Some(first) = first else { continue };
        let current = owned(unit, first.meeting.id).await?;
        let wish = edit::Wanted {
            reach: if from.is_some() { Reach::Following } else { Reach::All },
            moved: MovedOccurrences::Follow,
            changes: Changes::read(SeriesChange::Cancel { reason: String::new() })?,
            rule: None,
            is_all_or_nothing: false,
        };
        count += edit::edit_in(unit, part, &current, wish).await?.cancelled;
        if found.as_ref().is_none_or(|found| found.meeting.starts_at > first.meeting.starts_at) {
            found = Some(first.clone());
        }
    }
    // Everything has passed or was cancelled.
    let Some(first) = found else { return Ok(Fate::Known) };
    Ok(Fate::Cancelled(Changed {
        id: MeetingId(first.meeting.id),
        was: None,
        starts_at: first.meeting.starts_at.into(),
        ends_at: first.meeting.ends_at.into(),
        zone: first.meeting.time_zone,
        count,
        target: Target::Series(id),
    }))
}

async fn parts(unit: &mut UnitOfWork<'_>, id: Uuid) -> Result<Vec<Uuid>, DomainError> {
    imported_event::parts(unit.tx.conn(), id).await.map_err(internal_error)
}

/// The meetings of a series that are still to come.
async fn upcoming(unit: &mut UnitOfWork<'_>, id: Uuid) -> Result<Vec<OccurrenceRow>, DomainError> {
    let now = unit.now();
    let mut all = series::occurrences(unit.tx.conn(), id, now).await.map_err(internal_error)?;
    all.retain(|one| one.meeting.booking().is_ok_and(|booking| booking.state.is_open()));
    all.sort_by_key(|one| one.meeting.starts_at);
    Ok(all)
}

/// Loads a meeting that the user may change.
async fn owned(unit: &mut UnitOfWork<'_>, id: Uuid) -> Result<Current, DomainError> {
    let current = change::load(unit, MeetingId(id)).await?;
    if current.is_owner { Ok(current) } else { Err(DomainError::NotAllowed) }
}

/// The time of the first occurrence.
fn time_of(repeats: &Repeats) -> Result<MeetingTime, DomainError> {
    let start = repeats.series.starts_local;
    let end = start.checked_add(i64::from(repeats.minutes).minutes());
    let end = end.map_err(|_| DomainError::NotAllowed)?;
    Ok(MeetingTime::Local {
        local_start: second_text(start),
        local_end: second_text(end),
        zone: repeats.zone.name().to_owned(),
        disambiguation: None,
    })
}

/// The change of each meeting of a series. Attendees are those of each meeting.
fn edit_of(
    unit: &UnitOfWork<'_>,
    wanted: &Wanted,
    (context, time): (&Context<'_>, Option<MeetingTime>),
) -> Result<MeetingEdit, DomainError> {
    let texts = context.texts(unit, wanted).map_err(|problem| match problem {
        ImportProblem::Invalid { refusal } => refusal,
        _ => DomainError::NotAllowed,
    })?;
    Ok(MeetingEdit {
        title: Some(wanted.title.clone()),
        description: Some(texts.description),
        link: Some(texts.link),
        room_id: context.room_change(wanted),
        time,
        ..MeetingEdit::default()
    })
}

/// What became of a series: its first meeting that is still to come.
async fn changed(
    unit: &mut UnitOfWork<'_>,
    (before, id): (&OccurrenceRow, Uuid),
    done: &Done,
) -> Result<Fate, DomainError> {
    let target = done.next.unwrap_or(id);
    let after = upcoming(unit, target).await?;
    let first = after.first().unwrap_or(before);
    let was = (first.meeting.starts_at != before.meeting.starts_at).then(|| before.meeting.starts_at.into());
    Ok(Fate::Updated(Changed {
        id: MeetingId(first.meeting.id),
        was,
        starts_at: Timestamp::from_millis(first.meeting.starts_at),
        ends_at: Timestamp::from_millis(first.meeting.ends_at),
        zone: first.meeting.time_zone.clone(),
        count: done.changed + done.cancelled + done.added,
        target: Target::Series(target),
    }))
}
