//! Why a rule is refused.

use serde::{Deserialize, Serialize};

/// Why a rule, or the edit of a series, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeriesProblem {
    /// Neither a last date nor a number of occurrences.
    #[error("must end: give the last date (until) or the number of occurrences (count)")]
    NoEnd,
    /// Both a last date and a number of occurrences.
    #[error("must end only once: give until or count, not both")]
    TwoEnds,
    /// The last date is before the start.
    #[error("is before the start of the series")]
    EndsBeforeStart,
    /// The last occurrence is too far ahead.
    #[error(
        "goes further ahead than {months} months: the last occurrence may be on {last_date}, which leaves {count} occurrences"
    )]
    TooFarAhead {
        /// Maximum, in months.
        months: u32,
        /// Last allowed date, `YYYY-MM-DD`.
        last_date: String,
        /// Number of occurrences until then; 1,001: more than 1,000.
        count: u32,
    },
    /// The rule has no occurrence.
    #[error("has no occurrence between its start and its end")]
    Empty,
    /// A number outside its range.
    #[error("must be between {min} and {max}")]
    NotBetween {
        /// Minimum.
        min: i32,
        /// Maximum.
        max: i32,
    },
    /// A number that is neither in the range nor -1 (the last).
    #[error("must be between 1 and {max}, or -1 for the last")]
    NotOrdinal {
        /// Maximum.
        max: i32,
    },
    /// A day that the month has in no year.
    #[error("does not exist: month {month} never has a day {day}")]
    NoSuchDay {
        /// Month, 1–12.
        month: i32,
        /// Day.
        day: i32,
    },
    /// A field that the frequency does not use.
    #[error("is not used by a {frequency} rule; leave it out")]
    NotUsed {
        /// `daily`, `weekly`, `monthly`, `yearly`.
        frequency: String,
    },
    /// Both a day of the month and an ordinal weekday.
    #[error("and nth cannot be given together: a month has one day of the series")]
    TwoDays,
    /// An ordinal weekday needs exactly one weekday.
    #[error("must be exactly one weekday if nth is given")]
    NotOneWeekday,
    /// Weekdays in a monthly or yearly rule without an ordinal.
    #[error("needs nth: which of these weekdays of the month")]
    NoNth,
    /// Not a date.
    #[error("is not a date; write it like 2027-03-28")]
    NotADate,
    /// A start with seconds.
    #[error("must be a full minute")]
    NotAMinute,
    /// More often than once a day.
    #[error("repeats too often: at most once a day")]
    TooOften,
    /// A meeting lasts until the next one of its series starts, or longer.
    #[error("is after the next meeting of the series starts; make it shorter, or repeat less often")]
    OverlapsItself,
    /// RFC 5545 text that is not understood.
    #[error("uses {part}, which is not supported")]
    Unsupported {
        /// Name of the part of the rule.
        part: String,
    },
    /// The occurrence has taken place, or was cancelled.
    #[error("has taken place or was cancelled; choose one that is still to come")]
    NotUpcoming,
    /// The whole rule cannot be changed for one occurrence.
    #[error("cannot be changed for one occurrence; choose this and following, or all")]
    RuleOfOne,
}
