//! Stored choices for local times and days that do not exist, or exist twice.

use crate::{
    state::{ParseEnumError, string_enum},
    time::Disambiguation,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// What happens to an occurrence whose local time is skipped by a change of the clocks.
    SkippedTime {
        /// It takes place at the first local time after the gap.
        NextValid = "next_valid",
        /// It does not take place.
        Skip = "skip",
    }
}

string_enum! {
    /// What happens to a monthly or yearly occurrence whose day the month does not have.
    ShortMonth {
        /// It does not take place.
        Skip = "skip",
        /// It takes place on the last day of the month.
        LastDay = "last_day",
    }
}

/// The choices of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// For a local time that does not exist.
    pub skipped_time: SkippedTime,
    /// For a local time that occurs twice.
    pub doubled_time: Disambiguation,
    /// For a month that is too short.
    pub short_month: ShortMonth,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            skipped_time: SkippedTime::NextValid,
            doubled_time: Disambiguation::Earlier,
            short_month: ShortMonth::Skip,
        }
    }
}
