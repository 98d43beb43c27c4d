//! Free and busy time of rooms.

use super::present;
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
    zone::Zone,
};
use domain::{
    AccountId, Actor, DomainError, LocalizedTime, RoomId, Timestamp,
    calendar::MAX_FILTER_PEOPLE,
    error::ValidationError,
    meetings::{
        Busy, FreeQuery, FreeRoom, MAX_BUFFER_MINUTES, MAX_MEETING_MINUTES, MAX_RANGE_DAYS, OpeningHours,
        PersonBusy, RoomSettings, is_open,
    },
};
use std::collections::HashMap;
use store::{
    PoolRole,
    availability::{self, BusyRow, PersonRow},
    room::{self, RoomRow},
};
use uuid::Uuid;

const MINUTE_MS: i64 = 60_000;
/// How far ahead the next free time is searched, milliseconds: 14 days.
const SEARCH_MS: i64 = 14 * 24 * 3_600_000;
/// Distance of the times at which an opening is looked for, milliseconds: a quarter of an hour.
const STEP_MS: i64 = 15 * MINUTE_MS;

/// Returns the rooms that are free and open in the whole range, smallest first.
pub async fn free(parts: &AppState, actor: &Actor, query: FreeQuery) -> Result<Vec<FreeRoom>, DomainError> {
    let (from, to) = (query.from, query.to);
    check_range(from, to)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = room::list(lease.conn(), false).await.map_err(internal_error)?;
    let mut rooms = rows.iter().map(|row| present::room(&presenter, row)).collect::<Result<Vec<_>, _>>()?;
    rooms.retain(|room| {
        let settings = &room.settings;
        let zone = Zone::stored(room.zone());
        room.may_book
            && query.capacity.is_none_or(|least| settings.capacity.is_some_and(|capacity| capacity >= least))
            && query.equipment.iter().all(|one| has_equipment(settings, one))
            && is_open(&settings.policy.opening_hours, from, to, &zone)
    });
    rooms.sort_by_key(|room| room.settings.capacity.unwrap_or(i32::MAX));
    let ids: Vec<RoomId> = rooms.iter().map(|room| room.id).collect();
    let last = to.plus(i64::from(MAX_BUFFER_MINUTES) * MINUTE_MS);
    let busy = availability::busy(lease.conn(), &ids, (from, last)).await.map_err(internal_error)?;
    let next = availability::next_starts(lease.conn(), &ids, from).await.map_err(internal_error)?;
    let next: HashMap<Uuid, Option<i64>> = next.into_iter().collect();
    let free = rooms.into_iter().filter(|room| {
        let free_at = to.plus(buffer_ms(room.settings.policy.buffer_minutes)).millis();
        let is_in_the_way = |row: &BusyRow| {
            row.room_id == room.id.0 && row.starts_at < free_at && row.free_at > from.millis()
        };
        !busy.iter().any(is_in_the_way)
    });
    Ok(free
        .map(|room| {
            let buffer = buffer_ms(room.settings.policy.buffer_minutes);
            let next = next.get(&room.id.0).copied().flatten();
            FreeRoom { free_until: next.map(|at| presenter.moment(at - buffer)), room }
        })
        .collect())
}

/// Whether a room has this equipment, in upper or lower case.
fn has_equipment(settings: &RoomSettings, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    settings.equipment.iter().any(|one| one.to_lowercase() == wanted)
}

/// Returns what holds a room between two moments.
pub async fn busy(
    parts: &AppState,
    actor: &Actor,
    id: RoomId,
    span: (Timestamp, Timestamp),
) -> Result<Vec<Busy>, DomainError> {
    check_range(span.0, span.1)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    existing_room(&mut lease, id).await?;
    let rows = availability::busy(lease.conn(), &[id], span).await.map_err(internal_error)?;
    rows.into_iter().map(|row| present::busy(&presenter, row)).collect()
}

/// Returns the people of the desk by name, each with the first meeting between two moments.
pub async fn people(
    parts: &AppState,
    actor: &Actor,
    span: (Timestamp, Timestamp),
) -> Result<Vec<PersonBusy>, DomainError> {
    check_range(span.0, span.1)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let limit = i64::from(MAX_FILTER_PEOPLE);
    let rows = availability::people(lease.conn(), span, limit).await.map_err(internal_error)?;
    let moment = |at: i64| presenter.moment(Timestamp::from_millis(at));
    let person = |row: PersonRow| PersonBusy {
        account: AccountId(row.id),
        name: row.name,
        email: row.email,
        busy: row.starts_at.zip(row.ends_at).map(|(starts, ends)| (moment(starts), moment(ends))),
    };
    Ok(rows.into_iter().map(person).collect())
}

/// Returns the first moment from which a room is free and open for this number of minutes.
pub async fn next_free(
    parts: &AppState,
    actor: &Actor,
    id: RoomId,
    from: Timestamp,
    minutes: i32,
) -> Result<Option<LocalizedTime>, DomainError> {
    if !(1..=MAX_MEETING_MINUTES).contains(&minutes) {
        let problem = ValidationError::NotBetween { min: 1, max: MAX_MEETING_MINUTES };
        return Err(DomainError::invalid("minutes", problem));
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let settings = existing_room(&mut lease, id).await?.settings().map_err(internal_error)?;
    let buffer = buffer_ms(settings.policy.buffer_minutes);
    let length = i64::from(minutes) * MINUTE_MS;
    let span = (from, from.plus(SEARCH_MS + length + buffer));
    let busy = availability::busy(lease.conn(), &[id], span).await.map_err(internal_error)?;
    let search = Search {
        busy: &busy,
        hours: &settings.policy.opening_hours,
        zone: Zone::stored(settings.zone.as_deref().unwrap_or("UTC")),
        length,
        buffer,
    };
    Ok(search.first(from).map(|at| presenter.moment(at)))
}

/// A search for a free time of a room.
struct Search<'s> {
    /// What holds the room, by start.
    busy: &'s [BusyRow],
    hours: &'s [OpeningHours],
    zone: Zone,
    length: i64,
    buffer: i64,
}

impl Search<'_> {
    fn first(&self, from: Timestamp) -> Option<Timestamp> {
        let last = from.plus(SEARCH_MS);
        let mut at = from;
        while at <= last {
            let (starts_at, free_at) = (at.millis(), at.plus(self.length + self.buffer).millis());
            let holder = self.busy.iter().find(|row| row.starts_at < free_at && row.free_at > starts_at);
            at = match holder {
                Some(holder) => Timestamp::from_millis(holder.free_at),
                None if is_open(self.hours, at, at.plus(self.length), &self.zone) => return Some(at),
                // Openings are at full quarters in all zones that are in use.
                None => Timestamp::from_millis((at.millis().div_euclid(STEP_MS) + 1) * STEP_MS),
            };
        }
        None
    }
}

/// Returns a room, or the refusal if it does not exist.
async fn existing_room(lease: &mut store::ReadConn, id: RoomId) -> Result<RoomRow, DomainError> {
    let found = room::find(lease.conn(), id).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("room"))
}

fn check_range(from: Timestamp, to: Timestamp) -> Result<(), DomainError> {
    if to <= from {
        return Err(DomainError::invalid("to", ValidationError::NotAfterStart));
    }
    if to.since(from) > MAX_RANGE_DAYS * 24 * 3_600_000 {
        let max = u32::try_from(MAX_RANGE_DAYS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("to", ValidationError::LongerThanDays { max }));
    }
    Ok(())
}

fn buffer_ms(minutes: i32) -> i64 {
    i64::from(minutes) * MINUTE_MS
}
