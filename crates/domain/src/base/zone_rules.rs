//! The rules of one time zone, as a parameter.

use super::calendar::local_of_seconds;
use crate::{Timestamp, time::Meaning};
use jiff::civil::DateTime;

/// The rules of one time zone. `src/zone` implements it with the built-in time-zone data.
pub trait ZoneRules {
    /// Meaning of a local time; `None`: outside the supported range.
    fn meaning(&self, local: DateTime) -> Option<Meaning>;
    /// Seconds east of UTC at an instant.
    fn offset_seconds(&self, at: Timestamp) -> i32;

    /// Local time of an instant, without fractions of a second; `None`: outside the supported range.
    fn local_at(&self, at: Timestamp) -> Option<DateTime> {
        local_of_seconds(at.millis().div_euclid(1_000) + i64::from(self.offset_seconds(at)))
    }
}
