//! The time zone of a WordPress site. Exports do not name it, but most posts have their time twice: local
//! and in UTC.

use crate::{
    imports::importer::date,
    zone::{self, Meaning, Zone},
};
use chrono::{DateTime, Datelike as _, NaiveDateTime};
use domain::Timestamp;
use std::collections::BTreeMap;

/// Largest distance of a local time from UTC, minutes.
const MAX_OFFSET: i64 = 14 * 60;
/// Offsets are multiples of this, minutes.
const OFFSET_STEP: i64 = 15;
/// How far back posts count if the site has moved to another zone, milliseconds.
const RECENT_MS: i64 = 400 * 86_400_000;

/// Times of posts that have both forms: one for each month and offset.
#[derive(Debug, Default)]
pub struct Observations(BTreeMap<(i32, u32, i32), Timestamp>);

impl Observations {
    /// Adds a time in both forms. A pair that no time zone explains is ignored.
    pub fn add(&mut self, local: &str, utc: &str) {
        let (Some(Time::Local(local)), Some(Time::Local(utc))) = (Time::read(local), Time::read(utc)) else {
            return;
        };
        let minutes = (local - utc).num_minutes();
        if minutes.abs() > MAX_OFFSET || minutes % OFFSET_STEP != 0 || (local - utc).num_seconds() % 60 != 0 {
            return;
        }
        let at = Timestamp::from_millis(utc.and_utc().timestamp_millis());
        let key = (utc.year(), utc.month(), i32::try_from(minutes).unwrap_or_default());
        self.0.entry(key).or_insert(at);
    }
}

/// A time of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// With its offset.
    Exact(Timestamp),
    /// Without.
    Local(NaiveDateTime),
}

impl Time {
    /// Reads a time; `None`: it is not set. WordPress writes zeros for no time, which PHP may turn into
    /// the year -1.
    pub fn read(text: &str) -> Option<Self> {
        let is_set = !text.is_empty() && !text.starts_with("0000") && !text.starts_with('-');
        let parsed = date::parse_date(text, Zone::UTC).filter(|_| is_set)?;
        if parsed.zone.is_none() {
            return Some(Self::Exact(parsed.at));
        }
        DateTime::from_timestamp_millis(parsed.at.millis()).map(|time| Self::Local(time.naive_utc()))
    }
}

/// What is known of the zone of a site.
#[derive(Debug)]
pub enum SiteTime {
    /// The zone that the user gave.
    Given(Zone),
    /// The rules that explain all times of its posts; none: they show no zone.
    Observed(Vec<Rules>),
}

/// Rules of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// A zone of the IANA database.
    Zone(Zone),
    /// A fixed offset, minutes: WordPress can be set to one.
    Fixed(i32),
}

impl Rules {
    fn offset(self, at: Timestamp) -> i32 {
        match self {
            Self::Zone(zone) => zone.offset_minutes(at),
            Self::Fixed(minutes) => minutes,
        }
    }

    /// Whether clocks show a local time exactly once.
    fn is_once(self, local: NaiveDateTime) -> bool {
        match self {
            Self::Zone(zone) => {
                let meaning = zone.meaning_of(&local.format("%Y-%m-%dT%H:%M:%S").to_string());
                matches!(meaning, Some(Meaning::Once(_)))
            }
            Self::Fixed(_) => true,
        }
    }

    fn instant(self, local: NaiveDateTime) -> Option<Timestamp> {
        match self {
            Self::Zone(zone) => zone.first_instant(local),
            Self::Fixed(minutes) => {
                let as_utc = local.and_utc().timestamp_millis();
                Some(Timestamp::from_millis(as_utc - i64::from(minutes) * 60_000))
            }
        }
    }
}

impl SiteTime {
    /// Finds all zones that explain the times. If none does, the site may have moved: then the newest
    /// times count.
    #[must_use]
    pub fn observed(Observations(all): &Observations) -> Self {
        let found = explaining(all.iter());
        if !found.is_empty() {
            return Self::Observed(found);
        }
        let newest = all.values().max().copied();
        let is_recent =
            |at: &Timestamp| newest.is_some_and(|newest| at.millis() > newest.millis() - RECENT_MS);
        Self::Observed(explaining(all.iter().filter(|(_, at)| is_recent(at))))
    }

    /// Whether the clocks of the site show a local time exactly once.
    #[must_use]
    pub fn is_once(&self, local: NaiveDateTime) -> bool {
        match self {
            Self::Given(zone) => Rules::Zone(*zone).is_once(local),
            Self::Observed(all) => all.iter().all(|rules| rules.is_once(local)),
        }
    }

    /// Returns the instant of a local time of the site, and the zone if the user gave it. `None`: the
    /// zones that are possible mean different instants, or there is none.
    #[must_use]
    pub fn instant(&self, local: NaiveDateTime) -> Option<(Timestamp, Option<&'static str>)> {
        match self {
            Self::Given(zone) => Some((zone.first_instant(local)?, Some(zone.name()))),
            Self::Observed(all) => {
                let (first, rest) = all.split_first()?;
                let at = first.instant(local)?;
                rest.iter().all(|rules| rules.instant(local) == Some(at)).then_some((at, None))
            }
        }
    }
}

fn explaining<'o>(all: impl Iterator<Item = (&'o (i32, u32, i32), &'o Timestamp)> + Clone) -> Vec<Rules> {
    let Some(((.., first), _)) = all.clone().next() else { return Vec::new() };
    let explains = |rules: &Rules| all.clone().all(|((.., minutes), at)| rules.offset(*at) == *minutes);
    let zones = zone::names().into_iter().map(|name| Rules::Zone(Zone::stored(name)));
    zones.chain([Rules::Fixed(*first)]).filter(explains).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(pairs: &[(&str, &str)]) -> SiteTime {
        let mut all = Observations::default();
        for (local, utc) in pairs {
            all.add(local, utc);
        }
        SiteTime::observed(&all)
    }

    fn at(site: &SiteTime, local: &str) -> Option<String> {
        let Some(Time::Local(local)) = Time::read(local) else { return None };
        site.instant(local).map(|(at, _)| at.to_string())
    }

    #[test]
    fn the_zone_of_a_site_is_known_from_times_that_only_it_explains() {
        let shanghai = site(&[("2026-03-02 09:00:00", "2026-03-02 01:00:00")]);
        assert_eq!(at(&shanghai, "2027-07-01 09:00:00").as_deref(), Some("2027-07-01T01:00:00.000Z"));
        let berlin = site(&[
            ("2026-01-15 09:00:00", "2026-01-15 08:00:00"),
            ("2026-07-15 09:00:00", "2026-07-15 07:00:00"),
        ]);
        assert_eq!(at(&berlin, "2027-07-01 09:00:00").as_deref(), Some("2027-07-01T07:00:00.000Z"));
        assert_eq!(at(&berlin, "2027-01-05 09:00:00").as_deref(), Some("2027-01-05T08:00:00.000Z"));
        let india = site(&[("2026-01-15 09:00:00", "2026-01-15 03:30:00")]);
        assert_eq!(at(&india, "2027-07-01 09:00:00").as_deref(), Some("2027-07-01T03:30:00.000Z"));
        let tokyo = site(&[
            ("2026-01-15 09:00:00", "2026-01-15 00:00:00"),
            ("2026-07-15 09:00:00", "2026-07-15 00:00:00"),
        ]);
        assert_eq!(at(&tokyo, "2027-07-01 09:00:00").as_deref(), Some("2027-07-01T00:00:00.000Z"));
    }

    #[test]
    fn times_that_several_zones_explain_differently_are_not_guessed() {
        // Berlin, Lagos or a fixed offset.
        let winter = site(&[("2026-12-15 09:00:00", "2026-12-15 08:00:00")]);
        assert_eq!(at(&winter, "2027-07-01 09:00:00"), None);
        assert_eq!(at(&winter, "2027-01-05 09:00:00").as_deref(), Some("2027-01-05T08:00:00.000Z"));
        for pairs in [
            &[][..],
            &[("2026-12-15 09:00:00", "0000-00-00 00:00:00")],
            &[("2026-12-15 09:00:00", "2026-12-13 09:00:00")],
            &[("2026-12-15 09:00:00", "2026-12-15 08:00:00"), ("2026-12-16 09:00:00", "2026-12-16 01:00:00")],
        ] {
            assert_eq!(at(&site(pairs), "2027-01-05 09:00:00"), None, "{pairs:?}");
        }
    }

    #[test]
    fn a_time_that_clocks_show_twice_or_never_is_recognized() {
        let berlin = SiteTime::Given(Zone::stored("Europe/Berlin"));
        let is_once = |text: &str| {
            let Some(Time::Local(local)) = Time::read(text) else { return false };
            berlin.is_once(local)
        };
        assert!(is_once("2027-10-31 09:00:00"));
        assert!(!is_once("2027-10-31 02:30:00") && !is_once("2027-03-28 02:30:00"));
    }

    #[test]
    fn after_a_move_the_newest_times_count() {
        let moved = site(&[
            ("2019-03-02 09:00:00", "2019-03-02 09:00:00"),
            ("2026-03-02 09:00:00", "2026-03-02 01:00:00"),
        ]);
        assert_eq!(at(&moved, "2027-03-01 09:00:00").as_deref(), Some("2027-03-01T01:00:00.000Z"));
    }

    #[test]
    fn a_time_that_is_not_set_is_none() {
        for text in ["", "0000-00-00 00:00:00", "-0001-11-30 00:00:00", "soon"] {
            assert_eq!(Time::read(text), None, "{text}");
        }
    }
}
