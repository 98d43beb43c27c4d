//! Finds a place for each event: its room, its bookings, and whether the room is free.

use super::{
    Item,
    event::{EventTime, Wanted},
    id_of,
};
use crate::{
    meetings::{book::wish, check, rooms::locked::LockedRoom, series::plan, write},
    services::{Presenter, internal_error},
    tasks::unit::UnitOfWork,
    zone::Zone,
};
use app::{meetings::texts::import::ImportTexts, texts::Language};
use domain::{
    DomainError, MeetingId, RoomId, Timestamp,
    error::ValidationError,
    meetings::{
        Booking, ImportItem, ImportOutcome, ImportProblem, ImportReport, MAX_DESCRIPTION_BYTES,
        MAX_IMPORT_SERIES, SkipReason, decide,
    },
    series::Series,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{
    meeting_batch::{self, WantedTime},
    room,
};

/// A meeting to write.
pub struct NewMeeting {
    pub id: MeetingId,
    pub booking: Booking,
    /// Local time by the rule of its series; `None`: it does not repeat.
    pub original_local: Option<String>,
}

/// What is written of an event.
pub struct NewEvent {
    pub wanted: Wanted,
    pub zone: String,
    pub room_id: Option<RoomId>,
    pub link: Option<String>,
    pub description: String,
    pub meetings: Vec<NewMeeting>,
    /// When the series gets its next occurrences.
    pub again_at: Option<Timestamp>,
}

/// What becomes of an event.
enum Fate {
    New(Box<NewEvent>),
    Known,
    Refused(ImportProblem),
}

/// What becomes of a file.
pub struct Plan {
    items: Vec<(usize, String, Fate)>,
    rooms: HashMap<RoomId, LockedRoom>,
}

impl Plan {
    /// Locks the rooms that the events name and finds the bookings, without those that exist.
    pub async fn of(
        unit: &mut UnitOfWork<'_>,
        items: Vec<Item>,
        (chosen, known): (Option<RoomId>, &HashSet<String>),
    ) -> Result<Self, DomainError> {
        let rooms = rooms(unit, &items, chosen).await?;
        let by_name: HashMap<String, RoomId> =
            rooms.iter().map(|(id, room)| (room.settings.name.clone(), *id)).collect();
        let mut series = 0;
        let mut all = Vec::with_capacity(items.len());
        for Item { line, title, wanted } in items {
            let fate = match wanted {
                Err(problem) => Fate::Refused(problem),
                Ok(wanted) if known.contains(&wanted.uid) => Fate::Known,
                Ok(wanted) => {
                    series += u32::from(matches!(wanted.when, EventTime::Again(..)));
                    let room = chosen.or_else(|| by_name.get(&wanted.location).copied());
                    let room = room.and_then(|id| rooms.get(&id));
                    let placed = match series > MAX_IMPORT_SERIES {
                        true => Err(too_many_series()),
                        false => placed(unit, wanted, room),
                    };
                    placed.map_or_else(Fate::Refused, |event| Fate::New(Box::new(event)))
                }
            };
            all.push((line, title, fate));
        }
        Ok(Self { items: all, rooms })
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
            if let Some((_, title, _)) = before.and_then(|other| self.items.get(other)) {
                taken.insert(place, title.clone());
                continue;
            }
            for time in times {
                kept.entry(time.room).or_default().insert(time.from, (time.to, place));
            }
        }
        for (place, title) in taken {
            if let Some((_, _, fate)) = self.items.get_mut(place) {
                *fate = Fate::Refused(ImportProblem::Taken { title });
            }
        }
        Ok(())
    }

    /// Whether an event cannot become a meeting.
    pub fn has_refusals(&self) -> bool {
        self.items.iter().any(|(_, _, fate)| matches!(fate, Fate::Refused(_)))
    }

    /// The events that become meetings, with their places.
    pub fn new_events(&self) -> impl Iterator<Item = (usize, &NewEvent)> {
        self.items.iter().enumerate().filter_map(|(place, (_, _, fate))| match fate {
            Fate::New(event) => Some((place, &**event)),
            Fate::Known | Fate::Refused(_) => None,
        })
    }

    /// Number of invitations: attendees of all meetings.
    pub fn count_invitations(&self) -> usize {
        self.new_events().map(|(_, event)| event.meetings.len() * event.wanted.attendees.len()).sum()
    }

    /// Says what becomes of each event.
    pub fn report(&self, presenter: &Presenter<'_>, is_written: bool) -> ImportReport {
        let item = |(line, title, fate): &(usize, String, Fate)| {
            let event = match fate {
                Fate::New(event) => Some(event),
                Fate::Known | Fate::Refused(_) => None,
            };
            let first = event.and_then(|event| event.meetings.first());
            let room = event.and_then(|event| self.rooms.get(&event.room_id?));
            ImportItem {
                line: *line,
                title: title.clone(),
                starts: first.map(|one| presenter.moment(one.booking.starts_at)),
                ends: first.map(|one| presenter.moment(one.booking.ends_at)),
                room: room.map(|room| room.settings.name.clone()).unwrap_or_default(),
                count: event.map_or(0, |event| event.meetings.len()),
                attendees: event.map_or(0, |event| event.wanted.attendees.len()),
                outcome: match (fate, first) {
                    (Fate::Refused(problem), _) => ImportOutcome::Refused(problem.clone()),
                    (_, Some(first)) => ImportOutcome::New(first.id),
                    _ => ImportOutcome::Known,
                },
            }
        };
        ImportReport { is_written, items: self.items.iter().map(item).collect() }
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
async fn rooms(
    unit: &mut UnitOfWork<'_>,
    items: &[Item],
    chosen: Option<RoomId>,
) -> Result<HashMap<RoomId, LockedRoom>, DomainError> {
    let wanted: Vec<RoomId> = match chosen {
        Some(room) => vec![room],
        None => {
            let named: HashSet<&str> =
                items.iter().filter_map(|item| Some(item.wanted.as_ref().ok()?.location.as_str())).collect();
            let all = room::list(unit.tx.conn(), false).await.map_err(internal_error)?;
            all.iter().filter(|row| named.contains(row.name.as_str())).map(|row| RoomId(row.id)).collect()
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
fn placed(
    unit: &UnitOfWork<'_>,
    wanted: Wanted,
    room: Option<&LockedRoom>,
) -> Result<NewEvent, ImportProblem> {
    let named = |refusal| ImportProblem::Invalid { refusal };
    if let Some(room) = room {
        room.check_bookable(unit.presenter.actor.role).map_err(named)?;
        room.check_capacity(wanted.attendees.len()).map_err(named)?;
    }
    let is_in_room = room.is_some_and(|room| room.settings.name == wanted.location);
    let link = match is_in_room {
        true => None,
        false => check::link(Some(wanted.location.clone())).unwrap_or_default(),
    };
    let is_named = is_in_room || link.is_some() || wanted.location.is_empty();
    let parts = [wanted.description.as_str(), if is_named { "" } else { &wanted.location }];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let description = check::description(&parts.join("\n\n")).map_err(named)?;
    let description = with_organizer(description, &wanted.organizer, unit.presenter.actor.language);
    let (zone, meetings, again_at) = match &wanted.when {
        EventTime::Once(time) => {
            let times = check::times(time.clone()).map_err(named)?;
            let zone = times.zone.clone().unwrap_or_else(|| unit.presenter.actor.zone.clone());
            let booking = once(unit, &times, room).map_err(past_or_invalid)?;
            let id = MeetingId(id_of("meeting", &wanted.uid, ""));
            (zone, vec![NewMeeting { id, booking, original_local: None }], None)
        }
        EventTime::Again(series, zone, minutes) => {
            let (meetings, again_at) = again(unit, (&wanted.uid, series, zone, *minutes), room)?;
            (zone.name().to_owned(), meetings, again_at)
        }
    };
    let room_id = room.map(|room| room.id);
    Ok(NewEvent { wanted, zone, room_id, link, description, meetings, again_at })
}

/// Adds who organizes the event elsewhere, if there is room for it.
fn with_organizer(description: String, organizer: &str, language: Language) -> String {
    if organizer.is_empty() {
        return description;
    }
    let line = ImportTexts(language).organizer(organizer);
    let text = if description.is_empty() { line } else { format!("{description}\n\n{line}") };
    if text.len() > MAX_DESCRIPTION_BYTES { description } else { text }
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
    (uid, series, zone, minutes): (&str, &Series, &Zone, i32),
    room: Option<&LockedRoom>,
) -> Result<(Vec<NewMeeting>, Option<Timestamp>), ImportProblem> {
    let now = unit.now();
    let named = |refusal| ImportProblem::Invalid { refusal };
    series.check(zone, now).map_err(named)?;
    let extension = series.extension(zone, None, now);
    let first = series.occurrences(zone, Timestamp::EARLIEST, Timestamp::LATEST, 1);
    if first.first().is_none_or(|first| first.at <= now) {
        return Err(ImportProblem::Past);
    }
    let all = plan::candidates(series, zone, (&extension.occurrences, minutes), room, now);
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
        let id = MeetingId(id_of("meeting", uid, &local));
        meetings.push(NewMeeting { id, booking: one.booking, original_local: Some(local) });
    }
    if meetings.is_empty() { Err(ImportProblem::Past) } else { Ok((meetings, extension.again_at)) }
}
