//! A room that is locked while bookings of it are written: who may book it, for how many persons, and
//! when.

use crate::{meetings::check::Times, zone::Zone};
use domain::{
    DomainError, Role, RoomId, Timestamp,
    error::ValidationError,
    meetings::{OpeningHours, RoomSettings, is_open},
};
use store::{StoreError, room::RoomRow};

/// A locked room.
pub struct LockedRoom {
    pub id: RoomId,
    pub settings: RoomSettings,
    pub is_archived: bool,
}

/// Returns the refusal of a room that does not exist.
pub fn unknown_room() -> DomainError {
    DomainError::invalid("room_id", ValidationError::Unknown)
}

impl LockedRoom {
    /// Returns a room that was read.
    pub fn of(row: &RoomRow) -> Result<Self, StoreError> {
        let is_archived = row.archived_at.is_some();
        Ok(Self { id: RoomId(row.id), settings: row.settings()?, is_archived })
    }

    /// Whether accounts with this role may book it at all.
    pub fn check_bookable(&self, role: Role) -> Result<(), DomainError> {
        if self.is_archived {
            return Err(unknown_room());
        }
        if role < self.settings.booked_by {
            return Err(DomainError::NotAllowed);
        }
        Ok(())
    }

    /// Whether it has places for this number of persons.
    pub fn check_capacity(&self, persons: usize) -> Result<(), DomainError> {
        let persons = i32::try_from(persons).unwrap_or(i32::MAX);
        match self.settings.capacity {
            Some(capacity) if persons > capacity => {
                let room = self.settings.name.clone();
                Err(DomainError::invalid("room_id", ValidationError::TooSmall { room, capacity, persons }))
            }
            _ => Ok(()),
        }
    }

    /// Whether it is open all the time.
    pub fn check_open(&self, times: &Times) -> Result<(), DomainError> {
        if self.is_open(times.starts_at, times.ends_at) {
            return Ok(());
        }
        let hours = format!("{} ({})", hours_text(&self.settings.policy.opening_hours), self.zone().name());
        Err(DomainError::invalid(times.fields.0, ValidationError::Closed { hours }))
    }

    /// Whether it is open from one moment to another.
    pub fn is_open(&self, from: Timestamp, to: Timestamp) -> bool {
        is_open(&self.settings.policy.opening_hours, from, to, &self.zone())
    }

    fn zone(&self) -> Zone {
        Zone::stored(self.settings.zone.as_deref().unwrap_or("UTC"))
    }
}

/// Formats opening hours, e.g. `monday, tuesday 09:00–18:00; 10:00–12:00`.
fn hours_text(hours: &[OpeningHours]) -> String {
    let one = |hours: &OpeningHours| {
        let days = hours.weekdays.join(", ");
        let gap = if days.is_empty() { "" } else { " " };
        format!("{days}{gap}{}–{}", hours.from, hours.to)
    };
    hours.iter().map(one).collect::<Vec<_>>().join("; ")
}
