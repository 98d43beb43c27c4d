//! Recurrence rules.

use super::{Choices, ShortMonth};
use jiff::civil::{Date, DateTime, Weekday, date};
use std::collections::BTreeSet;

/// A rule, the wall-clock time at which it starts, and its time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Local time from which on the rule applies, to the minute. The first occurrence is the first
    /// one that matches the rule.
    pub starts_local: DateTime,
    /// IANA name of the time zone.
    pub zone: String,
    /// The rule.
    pub rule: Rule,
}

/// When a series repeats, until when, and with which exceptions. There is at most one occurrence
/// a day, always at the same local time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Days on which it takes place.
    pub frequency: Frequency,
    /// Every how many days, weeks, months or years.
    pub interval: u16,
    /// When it ends. A rule without an end cannot be expressed.
    pub end: RuleEnd,
    /// Days on which it does not take place. They count as occurrences of [`RuleEnd::Count`].
    pub exceptions: BTreeSet<Date>,
    /// What happens at local times and days that do not exist, or exist twice.
    pub choices: Choices,
}

/// Days on which a series takes place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frequency {
    /// Every day.
    Daily,
    /// On these days of the week, at least one, sorted. Weeks begin on Monday.
    Weekly(Vec<Weekday>),
    /// Once a month.
    Monthly(MonthDay),
    /// Once a year.
    Yearly {
        /// Month, 1–12.
        month: i8,
        /// Day of that month.
        on: MonthDay,
    },
}

/// A day of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthDay {
    /// That day, 1–31.
    Day(i8),
    /// The last day.
    LastDay,
    /// The first to fifth or the last such day of the week.
    Weekday(Nth, Weekday),
}

/// Which of the weekdays of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nth {
    /// Counted from the beginning of the month, 1–5.
    FromStart(i8),
    /// The last one.
    Last,
}

/// When a rule ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleEnd {
    /// The last local date on which it may take place.
    Until(Date),
    /// Number of occurrences, at least 1.
    Count(u16),
}

impl MonthDay {
    /// The day in that month; `None`: the month does not have it.
    #[must_use]
    pub fn date_in(self, year: i16, month: i8, short_month: ShortMonth) -> Option<Date> {
        let first = Date::new(year, month, 1).ok()?;
        match self {
            Self::LastDay => Some(first.last_of_month()),
            Self::Day(day) if day > first.days_in_month() => {
                (short_month == ShortMonth::LastDay).then(|| first.last_of_month())
            }
            Self::Day(day) => Date::new(year, month, day).ok(),
            Self::Weekday(Nth::Last, weekday) => first.nth_weekday_of_month(-1, weekday).ok(),
            Self::Weekday(Nth::FromStart(nth), weekday) => first.nth_weekday_of_month(nth, weekday).ok(),
        }
    }

    /// The same kind of day for another date, e.g. the second Tuesday for the second Wednesday.
    fn moved_to(self, to: Date) -> Self {
        match self {
            Self::LastDay if to == to.last_of_month() => Self::LastDay,
            Self::Weekday(Nth::Last, _) if to.day() + 7 > to.days_in_month() => {
                Self::Weekday(Nth::Last, to.weekday())
            }
            Self::Weekday(..) => Self::Weekday(Nth::FromStart((to.day() - 1) / 7 + 1), to.weekday()),
            Self::Day(_) | Self::LastDay => Self::Day(to.day()),
        }
    }
}

impl Frequency {
    /// Number of occurrences in one period; months without that day have none.
    pub(super) fn per_period(&self) -> usize {
        match self {
            Self::Weekly(weekdays) => weekdays.len(),
            Self::Daily | Self::Monthly(_) | Self::Yearly { .. } => 1,
        }
    }

    /// The frequency after the occurrence on `from` was moved to `to`: weekdays move by the same
    /// number of days; a day of the month becomes that of `to`.
    #[must_use]
    pub fn moved(&self, from: Date, to: Date) -> Self {
        match self {
            Self::Daily => Self::Daily,
            Self::Weekly(weekdays) => {
                let shift = super::zone_rules::days_between(from, to);
                let moved = |day: &Weekday| {
                    let place = (i64::from(day.to_monday_zero_offset()) + shift).rem_euclid(7);
                    i8::try_from(place).ok().and_then(|place| Weekday::from_monday_zero_offset(place).ok())
                };
                Self::weekly(weekdays.iter().filter_map(moved).collect())
            }
            Self::Monthly(on) => Self::Monthly(on.moved_to(to)),
            Self::Yearly { on, .. } => Self::Yearly { month: to.month(), on: on.moved_to(to) },
        }
    }

    /// Weekly on these days, in any order.
    #[must_use]
    pub fn weekly(mut weekdays: Vec<Weekday>) -> Self {
        weekdays.sort_by_key(|day| day.to_monday_zero_offset());
        weekdays.dedup();
        Self::Weekly(weekdays)
    }
}

impl Series {
    /// The local time of the series on that date.
    #[must_use]
    pub fn local_on(&self, date: Date) -> DateTime {
        date.to_datetime(self.starts_local.time())
    }
}

/// Whether that day exists in that month in some year.
pub(super) fn exists_in_some_year(month: i8, day: i8) -> bool {
    (1..=12).contains(&month) && (1..=date(2028, month, 1).days_in_month()).contains(&day)
}
