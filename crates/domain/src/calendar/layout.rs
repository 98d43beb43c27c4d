//! Which days a view shows: weeks, months and week numbers. Pure.

use crate::{
    base::calendar::{add_days, add_months, day_number},
    state::{ParseEnumError, string_enum},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Days of a week.
const WEEK: i64 = 7;
/// Days of the agenda.
const AGENDA: u16 = 31;

string_enum! {
    /// What the calendar shows at once.
    View {
        /// The weeks of a month.
        Month = "month",
        /// Seven days.
        Week = "week",
        /// The hours of one day.
        Day = "day",
        /// A list of 31 days, without those on which nothing happens.
        Agenda = "agenda",
    }
}

impl View {
    /// The first day shown and the number of days. `first_weekday`: the day on which weeks begin,
    /// Monday is 0. `None`: outside the supported range.
    #[must_use]
    pub fn days(self, date: Date, first_weekday: u8) -> Option<(Date, u16)> {
        match self {
            Self::Month => {
                let first = week_start(month_start(date)?, first_weekday)?;
                let next = add_months(month_start(date)?, 1)?;
                let last = week_start(add_days(next, -1)?, first_weekday)?;
                let days = day_number(last) - day_number(first) + WEEK;
                Some((first, u16::try_from(days).ok()?))
            }
            Self::Week => Some((week_start(date, first_weekday)?, 7)),
            Self::Day => Some((date, 1)),
            Self::Agenda => Some((date, AGENDA)),
        }
    }

    /// The date with which the next view begins, or the one before (`is_back`). `None`: outside the
    /// supported range.
    #[must_use]
    pub fn step(self, date: Date, is_back: bool) -> Option<Date> {
        let sign = if is_back { -1 } else { 1 };
        match self {
            Self::Month => add_months(month_start(date)?, sign),
            Self::Week => add_days(date, sign * WEEK),
            Self::Day => add_days(date, sign),
            Self::Agenda => add_days(date, sign * i64::from(AGENDA)),
        }
    }
}

fn month_start(date: Date) -> Option<Date> {
    add_days(date, 1 - i64::from(date.day()))
}

/// Day of the week, Monday is 0.
#[must_use]
pub fn weekday(date: Date) -> u8 {
    // 1970-01-01 was a Thursday.
    u8::try_from((day_number(date) + 3).rem_euclid(WEEK)).unwrap_or(0)
}

/// The first day of the week that contains a date. `None`: outside the supported range.
#[must_use]
pub fn week_start(date: Date, first_weekday: u8) -> Option<Date> {
    let since = (i64::from(weekday(date)) - i64::from(first_weekday)).rem_euclid(WEEK);
    add_days(date, -since)
}

/// Number of the week by ISO 8601: the first week of a year contains its first Thursday. A week that
/// begins on another day than Monday has the number of its Thursday. `None`: outside the supported
/// range.
#[must_use]
pub fn week_number(first_of_week: Date) -> Option<u32> {
    let until_thursday = (3 - i64::from(weekday(first_of_week))).rem_euclid(WEEK);
    let thursday = add_days(first_of_week, until_thursday)?;
    let year_start = jiff::civil::Date::new(thursday.year(), 1, 1).ok()?;
    u32::try_from((day_number(thursday) - day_number(year_start)) / WEEK + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_month_is_shown_in_whole_weeks() {
        // November 2026 begins on a Sunday and ends on a Monday.
        let november = date(2026, 11, 26);
        assert_eq!(View::Month.days(november, 0), Some((date(2026, 10, 26), 42)));
        assert_eq!(View::Month.days(november, 6), Some((date(2026, 11, 1), 35)));
        assert_eq!(View::Month.days(november, 5), Some((date(2026, 10, 31), 35)));
        // February 2027 is exactly four weeks.
        assert_eq!(View::Month.days(date(2027, 2, 1), 0), Some((date(2027, 2, 1), 28)));
        assert_eq!(View::Week.days(november, 0), Some((date(2026, 11, 23), 7)));
        assert_eq!(View::Week.days(november, 6), Some((date(2026, 11, 22), 7)));
        assert_eq!(View::Day.days(november, 0), Some((november, 1)));
        assert_eq!(View::Agenda.days(november, 0), Some((november, 31)));
    }

    #[test]
    fn a_step_leads_to_the_next_view_and_back() {
        let last = date(2026, 12, 31);
        assert_eq!(View::Month.step(last, false), Some(date(2027, 1, 1)));
        assert_eq!(View::Month.step(last, true), Some(date(2026, 11, 1)));
        assert_eq!(View::Month.step(date(2026, 3, 31), true), Some(date(2026, 2, 1)));
        assert_eq!(View::Week.step(last, false), Some(date(2027, 1, 7)));
        assert_eq!(View::Day.step(date(2028, 2, 28), false), Some(date(2028, 2, 29)));
        assert_eq!(View::Agenda.step(last, true), Some(date(2026, 11, 30)));
        assert_eq!(View::Day.step(Date::MAX, false), None);
    }

    #[test]
    fn weeks_are_numbered_by_their_thursday() {
        let number = |year, month, day| week_number(week_start(date(year, month, day), 0).unwrap());
        // Dates of ISO 8601: week 53 of 2026 ends in 2027, week 1 of 2025 begins in 2024.
        assert_eq!(number(2026, 1, 1), Some(1));
        assert_eq!(number(2026, 12, 31), Some(53));
        assert_eq!(number(2027, 1, 3), Some(53));
        assert_eq!(number(2027, 1, 4), Some(1));
        assert_eq!(number(2024, 12, 30), Some(1));
        assert_eq!(number(2023, 1, 1), Some(52));
        assert_eq!(number(2026, 6, 9), Some(24));
        assert_eq!(week_number(date(2026, 11, 22)), Some(48), "a week from Sunday on");
        // Like another implementation, over all days of 60 years.
        let mut day = date(2000, 1, 1);
        while day.year() < 2060 {
            let first = week_start(day, 0).unwrap();
            assert_eq!(week_number(first), u32::try_from(first.iso_week_date().week()).ok(), "{day}");
            day = add_days(day, 1).unwrap();
        }
    }

    #[test]
    fn the_day_of_the_week_is_counted_from_monday() {
        assert_eq!(weekday(date(1970, 1, 1)), 3);
        assert_eq!(weekday(date(2026, 11, 26)), 3);
        assert_eq!(weekday(date(1969, 12, 29)), 0);
    }
}
