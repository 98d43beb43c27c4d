//! Arithmetic with local dates and times, in numbers: browsers need no spans and their error texts.

use super::local_time;
use jiff::civil::{Date, DateTime};

const DAY_SECONDS: i64 = 86_400;

/// Days from 1970-01-01 to a date of the Gregorian calendar.
#[must_use]
pub fn day_number(date: Date) -> i64 {
    let (year, month, day) = (i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
    // Years begin in March, so that a leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date this number of days after 1970-01-01; `None`: outside the supported range.
#[must_use]
pub fn date_of_number(number: i64) -> Option<Date> {
    let number = number.checked_add(719_468)?;
    let (era, day_of_era) = (number.div_euclid(146_097), number.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let part = |part: i64| u32::try_from(part).ok();
    Some(local_time::new(i16::try_from(year).ok()?, [part(month)?, part(day)?, 0, 0, 0])?.date())
}

/// The date some days later; `None`: outside the supported range.
#[must_use]
pub fn add_days(date: Date, days: i64) -> Option<Date> {
    date_of_number(day_number(date).checked_add(days)?)
}

/// The same day some months later; `None`: that month has no such day.
#[must_use]
pub fn add_months(date: Date, months: i64) -> Option<Date> {
    let month = (i64::from(date.year()) * 12 + i64::from(date.month()) - 1).checked_add(months)?;
    let part = |part: i64| u32::try_from(part).ok();
    let rest = [part(month.rem_euclid(12) + 1)?, part(i64::from(date.day()))?, 0, 0, 0];
    Some(local_time::new(i16::try_from(month.div_euclid(12)).ok()?, rest)?.date())
}

/// Seconds from 1970-01-01T00:00:00 to a local time, by the same clock.
#[must_use]
pub fn local_seconds(local: DateTime) -> i64 {
    let seconds =
        i64::from(local.hour()) * 3_600 + i64::from(local.minute()) * 60 + i64::from(local.second());
    day_number(local.date()) * DAY_SECONDS + seconds
}

/// The local time this number of seconds after 1970-01-01T00:00:00; `None`: outside the supported
/// range.
#[must_use]
pub fn local_of_seconds(seconds: i64) -> Option<DateTime> {
    let date = date_of_number(seconds.div_euclid(DAY_SECONDS))?;
    let part = |part: i64| u32::try_from(part).ok();
    let rest = seconds.rem_euclid(DAY_SECONDS);
    let (month, day) = (part(i64::from(date.month()))?, part(i64::from(date.day()))?);
    local_time::new(date.year(), [month, day, part(rest / 3_600)?, part(rest / 60 % 60)?, part(rest % 60)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::{ToSpan as _, civil::date};

    #[test]
    fn the_numbers_are_those_of_the_calendar() {
        let mut day = date(1899, 12, 31);
        assert_eq!(day_number(date(1970, 1, 1)), 0);
        while day.year() < 2201 {
            let number = day_number(day);
            assert_eq!(date_of_number(number), Some(day));
            let next = day.checked_add(1.day()).unwrap();
            assert_eq!((day_number(next), add_days(day, 1)), (number + 1, Some(next)));
            day = next;
        }
        assert_eq!((date_of_number(i64::MAX), date_of_number(i64::MIN)), (None, None));
    }

    #[test]
    fn a_month_later_is_the_same_day_or_none() {
        assert_eq!(add_months(date(2026, 11, 30), 2), Some(date(2027, 1, 30)));
        assert_eq!(add_months(date(2026, 11, 30), 3), None);
        assert_eq!(add_months(date(2026, 1, 31), -1), Some(date(2025, 12, 31)));
    }

    #[test]
    fn a_local_time_and_its_seconds_are_the_same() {
        let local = date(2026, 6, 9).at(9, 5, 7, 0);
        assert_eq!(local_of_seconds(local_seconds(local)), Some(local));
        assert_eq!(local_of_seconds(-1), Some(date(1969, 12, 31).at(23, 59, 59, 0)));
    }
}
