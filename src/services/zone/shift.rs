//! Moves a moment by days and minutes.

use super::{Meaning, Zone, resolve};
use domain::{
    DomainError, Timestamp, When,
    base::{calendar::add_days, local_time},
    error::ValidationError,
    series::ZoneRules as _,
};

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

impl Zone {
    /// Later or earlier by days, which keep the wall-clock time in this zone, and minutes.
    pub fn shifted(self, at: Timestamp, days: i32, minutes: i32) -> Result<When, DomainError> {
        let local = self.local_at(at).ok_or_else(out_of_range)?;
        let date = add_days(local.date(), i64::from(days)).ok_or_else(out_of_range)?;
        let local = local_time::shortest_text(date.to_datetime(local.time()));
        let moved = When::Local { local, zone: self.name().to_owned(), disambiguation: None };
        if minutes == 0 {
            return Ok(moved);
        }
        let at = if days == 0 { at } else { resolve(&moved)? };
        Ok(self.local_time_at(at.plus(i64::from(minutes) * MINUTE_MS)))
    }

    /// The wall-clock time of another zone in this one, and what it means here. A skipped time becomes the
    /// end of the gap, of a doubled one the first is taken. `None`: it cannot be parsed.
    #[must_use]
    pub fn same_wall_clock(self, local: &str) -> Option<(When, Meaning)> {
        let meaning = self.meaning_of(local)?;
        Some((self.local_time_at(meaning.first()), meaning))
    }
}

fn out_of_range() -> DomainError {
    DomainError::invalid("days", ValidationError::OutOfRange)
}
