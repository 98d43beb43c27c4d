//! Why a typed time is refused.

use serde::{Deserialize, Serialize};

/// Why a typed time is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenProblem {
    /// A part of the text was not understood.
    #[error("was not understood at “{part}”; write it like 9 Jun, 9:00 or in 2 hours")]
    NotUnderstood {
        /// The part.
        part: String,
    },
    /// A holiday is named, whose date is not known here.
    #[error("names the holiday “{name}”; give its date, like 25 Dec, 9:00")]
    Holiday {
        /// Its name as typed.
        name: String,
    },
    /// A place stands where no zone is expected, or its name is also a word or only a part of a name.
    #[error(
        "has “{part}”, which is not read as a place there; write the zone after the time, like 9:00 {zone}"
    )]
    Place {
        /// The name as typed.
        part: String,
        /// IANA name of the zone that may be meant.
        zone: String,
    },
    /// It names another zone than the field beside it.
    #[error("names the zone {other}, and its zone is {one}; leave one of them out")]
    TwoZones {
        /// IANA name in the field for the zone.
        one: String,
        /// IANA name in the text.
        other: String,
    },
    /// There is a day, but no time.
    #[error("needs a time of day, like 9:00")]
    NoTime,
    /// A day or a time of day that does not exist, or an hour that does not fit its part of the day.
    #[error("contains “{part}”, which does not exist")]
    NoSuchTime {
        /// The part.
        part: String,
    },
    /// The weekday is not that of the date.
    #[error("names another weekday than that of {date}; leave one of them out")]
    OtherWeekday {
        /// `YYYY-MM-DD`.
        date: String,
    },
    /// A duration that is too long.
    #[error("is more than 366 days away; write the date")]
    TooFar,
    /// It asks for a free posting slot where there is none, or where only a time is possible.
    #[error("asks for a slot, but no slots are free here; write a time")]
    NoSlots,
    /// It repeats, where only one time is possible.
    #[error("repeats, which only reminders and meetings can; write one time")]
    Repeats,
    /// It repeats every week, month or year, and names no day.
    #[error("repeats, but names no day; write it like every Monday 9:00, or every month on the 1st at 9:00")]
    NoRepeatDay,
    /// It has several readings, and none was chosen.
    #[error("can mean {}; choose one of them", .locals.join(", "))]
    Several {
        /// Their local times, in order.
        locals: Vec<String>,
    },
}
