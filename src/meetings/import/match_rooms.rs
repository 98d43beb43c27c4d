//! Finds a place for each event: its room, its bookings, and whether the room is free.

use crate::meetings::import::{
    event::{EventTime, Wanted},
    fate::{Context, EventTexts, Fate, NewEvent, NewMeeting},
    file::{Item, Wish},
    id_of,
    series::Repeats,
};
use crate::{
    meetings::{book::wish, check, rooms::locked::LockedRoom, series::plan, write},
    services::internal_error,
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    DomainError, MeetingId, RoomId, Timestamp,
    error::ValidationError,
    meetings::{Booking, ImportProblem, MAX_IMPORT_SERIES, SkipReason, decide},
};
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{
    meeting_batch::{self, WantedTime},
    room,
};

/// An event of the file, and what becomes of it.
pub struct Planned {
    pub line: usize,
    pub title: String,
    pub fate: Fate,
}

/// What becomes of a file.
pub struct Plan<'a> {
    pub items: Vec<Planned>,
    pub context: &'a Context<'a>,
}

impl<'a> Plan<'a> {
    /// Finds the bookings of those events that are new. `fates`: what became of the others, by place.
    pub fn of(unit: &UnitOfWork<'_>, context: &'a Context<'a>, mut fates: HashMap<usize, Fate>) -> Self {
        let mut series = 0;
        let mut all = Vec::with_capacity(context.items.len());
        for (place, Item { line, title, wish }) in context.items.iter().enumerate() {
            let fate = match (fates.remove(&place), wish) {
                (Some(fate), _) => fate,
                (None, Wish::Merged) => Fate::Merged,
                (None, Wish::Older) => Fate::Older,
                (None, Wish::Refused(problem)) => Fate::Refused(problem.clone()),
                (None, Wish::Cancel(_)) => Fate::Refused(ImportProblem::Cancelled),
                (None, Wish::Meet(wanted)) => {
                    series += u32::from(matches!(wanted.when, EventTime::Again(..)));
                    let placed = match series > MAX_IMPORT_SERIES {
                        true => Err(too_many_series()),
                        false => placed(unit, wanted, context),
                    };
                    placed.map_or_else(Fate::Refused, |event| Fate::New(Box::new(event)))
                }
            };
            all.push(Planned { line: *line, title: title.clone(), fate });
        }
        Self { items: all, context }
    }

    /// Refuses events whose room is taken: by a meeting, or by an event before it in the file.
    pub async fn check_free(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), DomainError> {
        let (mut wanted, mut places) = (Vec::new(), Vec::new());
        for (place, event) in self.new_events() {
            for time in event.meetings.iter().filter_map(|one| time_of(&one.booking)) {
                wanted.push(time);
                places.push(place);
            }
        }
        let found = meeting_batch::conflicts(unit.tx.conn(), &wanted, &[]).await.map_err(internal_error)?;
        let mut taken: HashMap<usize, String> = HashMap::new();
        for (place, conflicts) in places.into_iter().zip(found) {
            if let Some(conflict) = conflicts.into_iter().next() {
                taken.entry(place).or_insert(conflict.title);
            }
        }
        let mut kept: HashMap<RoomId, BTreeMap<Timestamp, (Timestamp, usize)>> = HashMap::new();
        for (place, event) in self.new_events() {
            if taken.contains_key(&place) {
                continue;
            }
            let times: Vec<WantedTime> =
                event.meetings.iter().filter_map(|one| time_of(&one.booking)).collect();
            let before = times.iter().find_map(|time| {
                let (_, (to, other)) = kept.get(&time.room)?.range(..time.to).next_back()?;
                (*to > time.from).then_some(*other)
            });
            if let Some(other) = before.and_then(|other| self.items.get(other)) {
                taken.insert(place, other.title.clone());
                continue;
            }
            for time in times {
                kept.entry(time.room).or_default().insert(time.from, (time.to, place));
            }
        }
        for (place, title) in taken {
            if let Some(item) = self.items.get_mut(place) {
                item.fate = Fate::Refused(ImportProblem::Taken { title });
            }
        }
        Ok(())
    }

    /// Whether an event cannot become a meeting.
    pub fn has_refusals(&self) -> bool {
        self.items.iter().any(|item| matches!(item.fate, Fate::Refused(_)))
    }

    /// The events that become meetings, with their places.
    pub fn new_events(&self) -> impl Iterator<Item = (usize, &NewEvent)> {
        self.items.iter().enumerate().filter_map(|(place, item)| match &item.fate {
            Fate::New(event) => Some((place, &**event)),
            _ => None,
        })
    }

    /// Number of invitations: attendees of all meetings.
    pub fn count_invitations(&self) -> usize {
        self.new_events().map(|(_, event)| event.meetings.len() * event.wanted.invited().len()).sum()
    }
}

fn time_of(booking: &Booking) -> Option<WantedTime> {
    let room = booking.room_id.filter(|_| booking.holds)?;
    Some(WantedTime { room, from: booking.starts_at, to: booking.free_at })
}

fn too_many_series() -> ImportProblem {
    let problem = ValidationError::TooMany { max: MAX_IMPORT_SERIES };
    ImportProblem::Invalid { refusal: DomainError::invalid("rule", problem) }
}

/// Locks the chosen room, or those that the events name.
pub async fn rooms(
    unit: &mut UnitOfWork<'_>,
    items: &[Item],
    chosen: Option<RoomId>,
) -> Result<HashMap<RoomId, LockedRoom>, DomainError> {
    let wanted: Vec<RoomId> = match chosen {
        Some(room) => vec![room],
        None => {
            let location = |item: &'_ Item| match &item.wish {
                Wish::Meet(wanted) => Some(wanted.location.clone()),
                _ => None,
            };
            let named: HashSet<String> = items.iter().filter_map(location).collect();
            let all = room::list(unit.tx.conn(), false).await.map_err(internal_error)?;
            all.iter().filter(|row| named.contains(&row.name)).map(|row| RoomId(row.id)).collect()
        }
    };
    let locked = write::lock_rooms(unit, wanted).await?;
    let rooms: HashMap<RoomId, LockedRoom> = locked.into_iter().map(|room| (room.id, room)).collect();
    match chosen {
        Some(id) if !rooms.contains_key(&id) => Err(write::unknown_room()),
        _ => Ok(rooms),
    }
}

/// Makes the bookings of an event.
fn placed(unit: &UnitOfWork<'_>, wanted: &Wanted, context: &Context<'_>) -> Result<NewEvent, ImportProblem> {
    let named = |refusal| ImportProblem::Invalid { refusal };
    let room = context.room_of(wanted);
    if let Some(room) = room {
        room.check_bookable(unit.presenter.actor.role).map_err(named)?;
        room.check_capacity(wanted.invited().len()).map_err(named)?;
    }
    let EventTexts { link, description } = context.texts(unit, wanted)?;
    let (zone, meetings, again_at) = match &wanted.when {
        EventTime::Once(time) => {
            let times = check::times(time.clone()).map_err(named)?;
            let zone = times.zone.clone().unwrap_or_else(|| unit.presenter.actor.zone.clone());
            let booking = once(unit, &times, room).map_err(past_or_invalid)?;
            let id = MeetingId(id_of("meeting", &wanted.identity.key, ""));
            (zone, vec![NewMeeting { id, booking, original_local: None }], None)
        }
        EventTime::Again(repeats) => {
            let (meetings, again_at) = again(unit, (wanted.identity.key.as_str(), &**repeats), room)?;
            (repeats.zone.name().to_owned(), meetings, again_at)
        }
    };
    let room_id = room.map(|room| room.id);
    Ok(NewEvent { wanted: wanted.clone(), zone, room_id, link, description, meetings, again_at })
}

fn past_or_invalid(refusal: DomainError) -> ImportProblem {
    match refusal {
        DomainError::Invalid { problem: ValidationError::InThePast, .. } => ImportProblem::Past,
        refusal => ImportProblem::Invalid { refusal },
    }
}

fn once(
    unit: &UnitOfWork<'_>,
    times: &check::Times,
    room: Option<&LockedRoom>,
) -> Result<Booking, DomainError> {
    let now = unit.now();
    decide::check_times(times.starts_at, times.ends_at, now, times.fields)?;
    decide::check_not_past(Some(times.starts_at), times.ends_at, now, times.fields)?;
    if let Some(room) = room {
        room.check_open(times)?;
    }
    Ok(decide::book(wish(times, room), now))
}

/// The occurrences that are booked at once, and when the next ones are added.
fn again(
    unit: &UnitOfWork<'_>,
    (key, repeats): (&str, &Repeats),
    room: Option<&LockedRoom>,
) -> Result<(Vec<NewMeeting>, Option<Timestamp>), ImportProblem> {
    let now = unit.now();
    let Repeats { series, zone, minutes, .. } = repeats;
    let named = |refusal| ImportProblem::Invalid { refusal };
    series.check(zone, now).map_err(named)?;
    let extension = series.extension(zone, None, now);
    let all = plan::candidates(series, zone, (&extension.occurrences, *minutes), room, now);
    plan::check_distance(&all, "local_end").map_err(named)?;
    let mut meetings = Vec::with_capacity(all.len());
    for one in all {
        if let Some(blocked) = one.blocked {
            let closed = ValidationError::Closed { hours: String::new() };
            return Err(match blocked.reason {
                SkipReason::Closed => named(DomainError::invalid("starts_at", closed)),
                _ => named(write::unknown_room()),
            });
        }
        let local = one.slot.original_local;
        let id = MeetingId(id_of("meeting", key, &local));
        meetings.push(NewMeeting { id, booking: one.booking, original_local: Some(local) });
    }
    if meetings.is_empty() { Err(ImportProblem::Past) } else { Ok((meetings, extension.again_at)) }
}
