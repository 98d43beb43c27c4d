//! Updates and cancels what was imported before, in the transaction of the import. A dry run does the
//! same and is rolled back, so it says what the import would do.

mod series;

use super::{
    event::{EventTime, Identity, Wanted},
    fate::{Changed, Context, Fate},
    file::{Item, Wish},
    known::{Known, Target},
};
use crate::{
    meetings::{
        change::{self, change_in},
        check,
        edit::{self, Checked},
    },
    services::internal_error,
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    DomainError, MeetingId, Version,
    error::ValidationError,
    meetings::{
        ImportProblem, MAX_IMPORT_CHANGES, MeetingChange, MeetingEdit, MeetingState, NewAttendee, OnKnown,
    },
};
use std::collections::HashMap;
use store::{due_meetings, imported_event::ImportedEventRow, meeting};
use uuid::Uuid;

/// Whether an event changes what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    Same,
    Older,
    Newer,
}

/// Decides about each event that is known, and changes what it changes. Returns what becomes of them, by
/// place: cancelled ones first, then series, then single meetings, so that rooms are free for those after.
pub async fn apply(
    unit: &mut UnitOfWork<'_>,
    items: &[Item],
    context: &Context<'_>,
) -> Result<HashMap<usize, Fate>, DomainError> {
    let mut fates = HashMap::new();
    let mut count = 0;
    let rank = |wish: &Wish| match wish {
        Wish::Cancel(_) => 0,
        Wish::Meet(wanted) if matches!(wanted.when, EventTime::Again(_)) => 1,
        _ => 2,
    };
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|place| rank(&items[*place].wish));
    for place in order {
        let wish = &items[place].wish;
        let Some(identity) = wish.identity() else { continue };
        let known = context.known.get(&identity.key);
        let fate = match (wish, known) {
            (Wish::Meet(wanted), None) if identity.is_following && !is_series(wanted) => {
                follow(unit, wanted, context).await
            }
            (Wish::Meet(wanted), Some(known)) => update(unit, wanted, known, context).await,
            (Wish::Cancel(identity), known) => cancel(unit, identity, known, context).await,
            _ => continue,
        };
        let fate = fate.or_else(refused)?;
        if let Fate::Updated(changed) | Fate::Cancelled(changed) = &fate {
            count += changed.count;
            if count > MAX_IMPORT_CHANGES {
                let max = u32::try_from(MAX_IMPORT_CHANGES).unwrap_or(u32::MAX);
                return Err(DomainError::invalid("file", ValidationError::TooMany { max }));
            }
        }
        fates.insert(place, fate);
    }
    Ok(fates)
}

fn is_series(wanted: &Wanted) -> bool {
    matches!(wanted.when, EventTime::Again(_))
}

/// The refusal of one event. A failure of the server is that of the whole file, and so is a limit of mails: it
/// is found after the event is written.
fn refused(refusal: DomainError) -> Result<Fate, DomainError> {
    let title = |title: Option<&String>| title.cloned().unwrap_or_default();
    Ok(Fate::Refused(match refusal {
        DomainError::Invalid { problem: ValidationError::InThePast, .. } => ImportProblem::Past,
        DomainError::RoomTaken { conflicts } => {
            ImportProblem::Taken { title: title(conflicts.first().map(|one| &one.title)) }
        }
        DomainError::OccurrencesTaken { conflicts, .. } => {
            let first = conflicts.iter().find_map(|one| one.meetings.first());
            ImportProblem::Taken { title: title(first.map(|one| &one.title)) }
        }
        refusal if refusal.status() >= 500 || matches!(refusal, DomainError::Mail { .. }) => {
            return Err(refusal);
        }
        refusal => ImportProblem::Invalid { refusal },
    }))
}

/// How an event differs from what it was.
fn difference(wanted: &Wanted, record: &ImportedEventRow) -> Difference {
    let people = wanted.people();
    let is_same_people = people.is_none() || people == record.people;
    match () {
        () if wanted.content == record.content && is_same_people => Difference::Same,
        () if wanted.identity.sequence < record.sequence => Difference::Older,
        () => Difference::Newer,
    }
}

async fn update(
    unit: &mut UnitOfWork<'_>,
    wanted: &Wanted,
    known: &Known,
    context: &Context<'_>,
) -> Result<Fate, DomainError> {
    let difference = match &known.record {
        Some(record) => difference(wanted, record),
        // The desk itself organizes it.
        None if known.is_own => Difference::Same,
        None => Difference::Newer,
    };
    match (difference, known.target) {
        (Difference::Same, _) => Ok(Fate::Known),
        (Difference::Older, _) => Ok(Fate::Older),
        (Difference::Newer, _) if context.on_known == OnKnown::Keep => Ok(Fate::Known),
        (Difference::Newer, _) if wanted.identity.is_following && !is_series(wanted) => {
            follow(unit, wanted, context).await
        }
        (Difference::Newer, Target::Meeting(id)) if !is_series(wanted) => {
            update_meeting(unit, wanted, (MeetingId(id), known.record.is_some()), context).await
        }
        (Difference::Newer, Target::Series(id)) if is_series(wanted) => match &known.record {
            Some(_) => series::update(unit, wanted, id, context).await,
            None => Ok(Fate::Known),
        },
        // Once became again and again, or the other way round.
        (Difference::Newer, _) => Ok(Fate::Refused(ImportProblem::ChangedHere)),
    }
}

/// Changes the following times of a series that was imported before.
async fn follow(
    unit: &mut UnitOfWork<'_>,
    wanted: &Wanted,
    context: &Context<'_>,
) -> Result<Fate, DomainError> {
    let of = super::known::series_of(context.known, &wanted.identity.uid);
    match (of, context.on_known) {
        (None, _) => Ok(Fate::Refused(ImportProblem::NoSeries)),
        (Some(_), OnKnown::Keep) => Ok(Fate::Known),
        (Some(id), OnKnown::Update) => series::follow(unit, wanted, id, context).await,
    }
}

/// Changes a meeting. `is_recorded`: whether it is known that the event has changed.
async fn update_meeting(
    unit: &mut UnitOfWork<'_>,
    wanted: &Wanted,
    (id, is_recorded): (MeetingId, bool),
    context: &Context<'_>,
) -> Result<Fate, DomainError> {
    let EventTime::Once(time) = &wanted.when else { return Ok(Fate::Refused(ImportProblem::ChangedHere)) };
    let Some(row) = meeting::find(unit.tx.conn(), id).await.map_err(internal_error)? else {
        return Ok(Fate::Refused(ImportProblem::ChangedHere));
    };
    let times = check::times(time.clone())?;
    let is_same_time = (times.starts_at.millis(), times.ends_at.millis()) == (row.starts_at, row.ends_at);
    if !is_recorded && is_same_time && row.title == wanted.title {
        return Ok(Fate::Known);
    }
    let texts = context.texts(unit, wanted).map_err(|problem| match problem {
        ImportProblem::Invalid { refusal } => refusal,
        _ => DomainError::NotAllowed,
    })?;
    let attendees = wanted.attendees.as_ref().map(|all| {
        let attendee = |(email, name): &(String, String)| NewAttendee {
            email: email.clone(),
            name: Some(name.clone()).filter(|name| !name.is_empty()),
        };
        all.iter().map(attendee).collect()
    });
    let edit = MeetingEdit {
        title: Some(wanted.title.clone()),
        description: Some(texts.description),
        link: Some(texts.link),
        room_id: context.room_change(wanted),
        time: (!is_same_time).then(|| time.clone()),
        attendees,
        reminders: None,
    };
    edit::edit_in(unit, id, Checked::of(edit)?, Version(row.version)).await?;
    Ok(Fate::Updated(Changed {
        id,
        was: (times.starts_at.millis() != row.starts_at).then(|| row.starts_at.into()),
        starts_at: times.starts_at,
        ends_at: times.ends_at,
        zone: times.zone.unwrap_or(row.time_zone),
        count: 1,
        target: Target::Meeting(id.0),
    }))
}

async fn cancel(
    unit: &mut UnitOfWork<'_>,
    identity: &Identity,
    known: Option<&Known>,
    context: &Context<'_>,
) -> Result<Fate, DomainError> {
    let Some(known) = known else { return Ok(Fate::Refused(ImportProblem::Cancelled)) };
    match &known.record {
        Some(record) if identity.sequence < record.sequence => return Ok(Fate::Older),
        _ if context.on_known == OnKnown::Keep => return Ok(Fate::Known),
        _ => {}
    }
    match known.target {
        Target::Series(id) => {
            let mut done = series::cancel(unit, id, None).await?;
            for time in super::known::times_of(unit, &identity.uid).await? {
                done = both(done, cancel_time(unit, time).await?);
            }
            Ok(done)
        }
        Target::Meeting(id) if identity.is_following => {
            match super::known::series_of(context.known, &identity.uid) {
                Some(of) => series::cancel(unit, of, Some(MeetingId(id))).await,
                None => Ok(Fate::Refused(ImportProblem::NoSeries)),
            }
        }
        Target::Meeting(id) => cancel_meeting(unit, id).await,
    }
}

async fn cancel_time(unit: &mut UnitOfWork<'_>, time: Target) -> Result<Fate, DomainError> {
    match time {
        Target::Series(id) => series::cancel(unit, id, None).await,
        Target::Meeting(id) => {
            let found = due_meetings::load(unit.tx.conn(), &[id]).await.map_err(internal_error)?;
            let state = found.first().and_then(|row| row.state.parse::<MeetingState>().ok());
            match state.is_some_and(MeetingState::is_open) {
                true => cancel_meeting(unit, id).await,
                false => Ok(Fate::Known),
            }
        }
    }
}

/// The first of two that are cancelled, with both counted.
fn both(one: Fate, other: Fate) -> Fate {
    match (one, other) {
        (Fate::Cancelled(one), Fate::Cancelled(other)) => {
            Fate::Cancelled(Changed { count: one.count + other.count, ..one })
        }
        (Fate::Cancelled(one), _) => Fate::Cancelled(one),
        (_, other) => other,
    }
}

async fn cancel_meeting(unit: &mut UnitOfWork<'_>, id: Uuid) -> Result<Fate, DomainError> {
    let found = due_meetings::load(unit.tx.conn(), &[id]).await.map_err(internal_error)?;
    let Some(row) = found.into_iter().next() else { return Ok(Fate::Refused(ImportProblem::Cancelled)) };
    let state: Result<MeetingState, _> = row.state.parse();
    if matches!(state, Ok(MeetingState::Cancelled)) {
        return Ok(Fate::Known);
    }
    let current = change::load(unit, MeetingId(id)).await?;
    let change = MeetingChange::Cancel { reason: String::new() };
    change_in(unit, MeetingId(id), change, Version(current.row.version)).await?;
    Ok(Fate::Cancelled(Changed {
        id: MeetingId(id),
        was: None,
        starts_at: row.starts_at.into(),
        ends_at: row.ends_at.into(),
        zone: row.time_zone,
        count: 1,
        target: Target::Meeting(id),
    }))
}
