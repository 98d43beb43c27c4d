//! Time: UTC milliseconds for storage, local time and time zone for display.

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{fmt, str::FromStr};

/// A point in time: milliseconds since 1970-01-01T00:00:00Z. As text and JSON: RFC 3339 in UTC with
/// three decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Earliest accepted due time: 2000-01-01T00:00:00Z.
    pub const EARLIEST: Self = Self(946_684_800_000);
    /// Latest accepted due time: 2199-12-31T23:59:59.999Z.
    pub const LATEST: Self = Self(7_258_118_399_999);

    /// The time `millis` after the Unix epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// The time `millis` later (negative: earlier).
    #[must_use]
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this time; negative if this one is earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whether it is accepted as the due time of a task.
    #[must_use]
    pub fn is_valid_due_time(self) -> bool {
        (Self::EARLIEST..=Self::LATEST).contains(&self)
    }

    /// Converts to a chrono type; the Unix epoch if it is beyond chrono's range.
    #[must_use]
    pub fn utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default()
    }
}

impl From<i64> for Timestamp {
    fn from(millis: i64) -> Self {
        Self(millis)
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(at: DateTime<Utc>) -> Self {
        Self(at.timestamp_millis())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.utc().to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = chrono::ParseError;
    /// Reads RFC 3339 with any offset; fractions below a millisecond are cut off, never rounded up.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        DateTime::parse_from_rfc3339(text).map(|at| Self(at.timestamp_millis()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not an RFC 3339 time")))
    }
}

/// A timestamp with the UTC offsets needed to display it, so that browsers need no time-zone
/// database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalizedTime {
    /// The timestamp.
    pub at: Timestamp,
    /// Minutes east of UTC in the viewer's zone at that time.
    pub viewer_offset: i32,
    /// Minutes east of UTC in the site's zone at that time.
    pub site_offset: i32,
    /// Whether the clocks of the viewer's zone show this local time twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_viewer_time_repeated: bool,
    /// Whether the clocks of the site's zone show this local time twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_site_time_repeated: bool,
}

/// Fields of a local time, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallClockTime {
    /// Year, e.g. 2026.
    pub year: i32,
    /// Month, 1–12.
    pub month: u32,
    /// Day of the month, 1–31.
    pub day: u32,
    /// Day of the week, Monday = 0.
    pub weekday: u32,
    /// Hour, 0–23.
    pub hour: u32,
    /// Minute, 0–59.
    pub minute: u32,
    /// Second, 0–59.
    pub second: u32,
    /// Minutes east of UTC, if the clocks of its zone show this time twice. `None`: they do not, or it
    /// is not known.
    pub repeated_offset: Option<i32>,
}

impl LocalizedTime {
    /// A time that both zones show once.
    #[must_use]
    pub const fn new(at: Timestamp, viewer_offset: i32, site_offset: i32) -> Self {
        Self { at, viewer_offset, site_offset, is_viewer_time_repeated: false, is_site_time_repeated: false }
    }

    /// Local time in the viewer's zone.
    #[must_use]
    pub fn viewer_time(self) -> WallClockTime {
        local_time(self.at, self.viewer_offset, self.is_viewer_time_repeated)
    }

    /// Local time in the site's zone.
    #[must_use]
    pub fn site_time(self) -> WallClockTime {
        local_time(self.at, self.site_offset, self.is_site_time_repeated)
    }
}

/// A deadline that is closer than this has no warnings, milliseconds.
const MIN_WARNED_MS: i64 = 60_000;
/// How long before a deadline the last warning comes at most, milliseconds.
const LAST_WARNING_MS: i64 = 3_600_000;

/// Returns when people are warned before a deadline: half-way, and in the last quarter, at most an
/// hour before. `None`: the deadline is in less than a minute.
#[must_use]
pub fn warnings_before(deadline: Timestamp, now: Timestamp) -> Option<[Timestamp; 2]> {
    let left = deadline.since(now);
    let last = (left / 4).min(LAST_WARNING_MS);
    (left >= MIN_WARNED_MS).then(|| [deadline.plus(-left / 2), deadline.plus(-last)])
}

/// Converts `at` to the local time `offset_minutes` east of UTC.
#[must_use]
pub fn wall_clock_time(at: Timestamp, offset_minutes: i32) -> WallClockTime {
    let local = at.plus(i64::from(offset_minutes) * 60_000).utc();
    WallClockTime {
        year: local.year(),
        month: local.month(),
        day: local.day(),
        weekday: local.weekday().num_days_from_monday(),
        hour: local.hour(),
        minute: local.minute(),
        second: local.second(),
        repeated_offset: None,
    }
}

/// Converts `at` to the local time `offset_minutes` east of UTC, which `is_repeated` by the clocks there.
#[must_use]
pub fn local_time(at: Timestamp, offset_minutes: i32, is_repeated: bool) -> WallClockTime {
    WallClockTime {
        repeated_offset: is_repeated.then_some(offset_minutes),
        ..wall_clock_time(at, offset_minutes)
    }
}

/// Meaning of a local time in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It occurs once.
    Once(Timestamp),
    /// It occurs twice.
    Twice {
        /// The first instant.
        earlier: Timestamp,
        /// The second instant.
        later: Timestamp,
    },
    /// It does not exist: the clocks are set forward over it.
    Never {
        /// The instant of the change.
        jump: Timestamp,
    },
}

impl Meaning {
    /// The instant to use if the user cannot be asked: the first of two, or the change that skips
    /// the time.
    #[must_use]
    pub fn first(self) -> Timestamp {
        match self {
            Self::Once(at) | Self::Twice { earlier: at, .. } | Self::Never { jump: at } => at,
        }
    }
}

/// Which instant is meant when a local time occurs twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disambiguation {
    /// The first of the two.
    Earlier,
    /// The second of the two.
    Later,
}

/// A due time, as entered by a user or sent by a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum When {
    /// An exact instant.
    At {
        /// The instant.
        due_at: Timestamp,
    },
    /// A local time in a time zone.
    Local {
        /// `YYYY-MM-DDTHH:MM[:SS]`, no offset.
        local: String,
        /// IANA name, e.g. `Europe/Berlin`.
        zone: String,
        /// Needed only where `local` occurs twice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disambiguation: Option<Disambiguation>,
    },
}

impl When {
    /// Name of the field with the time in a request.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::At { .. } => "due_at",
            Self::Local { .. } => "local",
        }
    }
}

impl From<Timestamp> for When {
    fn from(due_at: Timestamp) -> Self {
        Self::At { due_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_to_the_millisecond_and_never_rounded_up() {
        let at: Timestamp = "2026-06-09T09:00:00.0019999+02:00".parse().unwrap();
        assert_eq!(at.to_string(), "2026-06-09T07:00:00.001Z");
        let old: Timestamp = "1969-12-31T23:59:59.9995Z".parse().unwrap();
        assert_eq!(old.millis(), -1);
    }

    #[test]
    fn a_wall_clock_east_of_utc_is_ahead() {
        let at: Timestamp = "2026-06-09T23:30:00Z".parse().unwrap();
        let wall = wall_clock_time(at, 120);
        assert_eq!((wall.day, wall.hour, wall.minute, wall.weekday), (10, 1, 30, 2));
    }
}
