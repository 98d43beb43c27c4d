//! The bookings of whole days, for the pages.

use crate::{
    app_state::AppState,
    meetings::present,
    services::{Presenter, internal_error},
    zone::Zone,
};
use domain::{
    Actor, DomainError, LocalizedTime, RoomId, Timestamp,
    base::local_time::{date_text, parse_date},
    error::ValidationError,
    meetings::{
        Room, RoomDay, open_spans,
        use_cases::{GridQuery, RoomGrid},
    },
    series::ZoneRules,
    time::Meaning,
};
use jiff::{ToSpan as _, civil::Date};
use std::collections::HashMap;
use store::{
    PoolRole,
    availability::{self, BusyRow},
    room,
};
use uuid::Uuid;

/// Maximum number of days.
const MAX_DAYS: u8 = 31;

/// Returns the bookings of whole days in the actor's time zone.
pub async fn grid(parts: &AppState, actor: &Actor, query: GridQuery) -> Result<RoomGrid, DomainError> {
    let now = parts.clock.now();
    let days = query.days.clamp(1, MAX_DAYS);
    let zone = Zone::stored(&actor.zone);
    let first = match &query.date {
        Some(date) => parse_date(date.trim()).ok_or_else(not_a_date)?,
        None => zone.local_at(now).ok_or_else(not_a_date)?.date(),
    };
    let bounds: Vec<Timestamp> =
        (0..=days).map(|day| begin(zone, first, i32::from(day))).collect::<Result<_, _>>()?;
    let (from, to) = (bounds[0], bounds[bounds.len() - 1]);
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let rows = match query.room_id {
        Some(id) => {
            let found = room::find(lease.conn(), id).await.map_err(internal_error)?;
            vec![found.ok_or_else(|| DomainError::no_such("room"))?]
        }
        None => room::list(lease.conn(), false).await.map_err(internal_error)?,
    };
    let ids: Vec<RoomId> = rows.iter().map(|row| RoomId(row.id)).collect();
    let busy = availability::busy(lease.conn(), &ids, (from, to)).await.map_err(internal_error)?;
    let mut of_room: HashMap<Uuid, Vec<BusyRow>> = HashMap::new();
    for row in busy {
        of_room.entry(row.room_id).or_default().push(row);
    }
    let rooms = rows.iter().map(|row| {
        let busy = of_room.remove(&row.id).unwrap_or_default();
        let busy = busy.into_iter().map(|row| present::busy(&presenter, row)).collect::<Result<_, _>>()?;
        let room = present::room(&presenter, row)?;
        Ok(RoomDay { open: open(&presenter, &room, (from, to)), room, busy })
    });
    Ok(RoomGrid {
        date: date_text(first),
        previous: date_text(shifted(first, -i32::from(days))?),
        next: date_text(shifted(first, i32::from(days))?),
        rooms: rooms.collect::<Result<_, DomainError>>()?,
        days: bounds.into_iter().map(|at| presenter.moment(at)).collect(),
    })
}

fn open(
    presenter: &Presenter<'_>,
    room: &Room,
    (from, to): (Timestamp, Timestamp),
) -> Vec<(LocalizedTime, LocalizedTime)> {
    let zone = Zone::stored(room.zone());
    let spans = open_spans(&room.settings.policy.opening_hours, from, to, &zone);
    spans.into_iter().map(|(begin, end)| (presenter.moment(begin), presenter.moment(end))).collect()
}

/// First instant of a day.
fn begin(zone: Zone, first: Date, days: i32) -> Result<Timestamp, DomainError> {
    let midnight = shifted(first, days)?.at(0, 0, 0, 0);
    ZoneRules::meaning(&zone, midnight).map(Meaning::first).ok_or_else(not_a_date)
}

fn shifted(date: Date, days: i32) -> Result<Date, DomainError> {
    date.checked_add(days.days()).map_err(|_| not_a_date())
}

fn not_a_date() -> DomainError {
    let why = "is not a date like 2027-03-28".to_owned();
    DomainError::invalid("date", ValidationError::Unreadable { why })
}
