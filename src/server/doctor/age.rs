//! Checks of the age of the time-zone data, and of this machine's clock.

use super::{Finding, Mark, found};
use crate::zone;
use chrono::NaiveDate;
use domain::Timestamp;

/// Age from which time-zone data is reported as old, in days.
const OLD_DATA_DAYS: i64 = 180;
/// Number of days of a leap year.
const LONGEST_YEAR_DAYS: i64 = 366;

/// Number of days since the end of the year in which the time-zone data was released: it is at least that old.
fn days_after_data(now: Timestamp) -> Option<i64> {
    let (year, _) = zone::data_version().split_at_checked(4)?;
    let next_year = NaiveDate::from_ymd_opt(year.parse::<i32>().ok()?.checked_add(1)?, 1, 1)?;
    Some((now.utc().date_naive() - next_year).num_days())
}

/// The time-zone data is part of this binary, independent of the machine.
pub(super) fn zones(now: Timestamp) -> Finding {
    let data = format!("IANA time-zone data {}, built in", zone::data_version());
    if days_after_data(now).is_some_and(|days| days > OLD_DATA_DAYS) {
        let how = format!("{data}, is more than {OLD_DATA_DAYS} days old; a newer release knows newer rules");
        return found(Mark::Warn, "zones", how);
    }
    found(Mark::Ok, "zones", data)
}

/// Whether the clock of this machine is before the time at which this program was made.
pub(super) fn local_clock(now: Timestamp) -> Option<Finding> {
    days_after_data(now).filter(|days| *days < -LONGEST_YEAR_DAYS).map(|_| {
        let day = now.utc().date_naive();
        let how =
            format!("the clock of this machine says {day}, before this program was made; set the clock");
        found(Mark::Fail, "clock", how)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_time_zone_data_and_a_clock_of_the_past_are_reported() {
        let (year, _) = zone::data_version().split_at(4);
        let first = NaiveDate::from_ymd_opt(year.parse().unwrap(), 1, 1).unwrap();
        let days = first.signed_duration_since(NaiveDate::default()).num_days();
        let at = |after: i64| Timestamp::from_millis((days + after) * 86_400_000);
        assert!(zones(at(300)).mark == Mark::Ok && local_clock(at(300)).is_none());
        assert_eq!(zones(at(366 + 182)).mark, Mark::Warn);
        assert!(local_clock(at(-30)).is_some_and(|finding| finding.mark == Mark::Fail));
    }
}
