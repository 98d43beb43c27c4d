//! Arithmetic with local times and dates, and the rules of a time zone.

pub use crate::base::zone_rules::ZoneRules;
use jiff::{
    ToSpan as _,
    civil::{DateTime, date},
};

/// Seconds of a local time since 1970-01-01T00:00:00 local time.
pub(super) fn local_seconds(local: DateTime) -> i64 {
    local.duration_since(date(1970, 1, 1).at(0, 0, 0, 0)).as_secs()
}

/// The date `days` later; `None`: outside the supported range.
pub(super) fn add_days(date: jiff::civil::Date, days: i64) -> Option<jiff::civil::Date> {
    let days = i32::try_from(days).ok().filter(|days| days.abs() < 4_000_000)?;
    date.checked_add(days.days()).ok()
}

/// Days from one date to another; negative if the other is earlier.
pub(super) fn days_between(from: jiff::civil::Date, to: jiff::civil::Date) -> i64 {
    to.duration_since(from).as_secs().div_euclid(86_400)
}
