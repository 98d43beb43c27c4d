//! Time zones: from wall clocks to moments and back. The only place that knows the zone database.

use chrono::{DateTime, Duration, LocalResult, NaiveDate, NaiveDateTime, Offset, TimeZone, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};
use domain::{Moment, Refusal, Timestamp, When, refusal::Problem, time::Disambiguation};

/// An IANA time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone(Tz);

impl Zone {
    /// UTC.
    pub const UTC: Self = Self(Tz::UTC);

    /// The zone of that name; `Invalid` for the field `zone` if there is none.
    pub fn named(name: &str) -> Result<Self, Refusal> {
        name.parse().map(Self).map_err(|_| Refusal::invalid("zone", Problem::NotAZone))
    }

    /// The zone of that name, as stored; UTC if this release does not know it.
    #[must_use]
    pub fn stored(name: &str) -> Self {
        name.parse().map_or(Self::UTC, Self)
    }

    /// Its IANA name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Minutes east of UTC at that moment.
    #[must_use]
    pub fn offset_minutes(self, at: Timestamp) -> i32 {
        self.0.offset_from_utc_datetime(&at.utc().naive_utc()).fix().local_minus_utc() / 60
    }

    /// The instant of a wall-clock time where nobody can be asked: the first of two, or the jump over a skipped time; of a day
    /// that does not begin at midnight, its first moment. `None`: beyond the years that can be counted.
    #[must_use]
    pub fn first_instant(self, wall: NaiveDateTime) -> Option<Timestamp> {
        // No zone has skipped more than a day.
        (0..=97).find_map(|quarters| {
            let candidate = wall.checked_add_signed(Duration::minutes(15 * quarters))?;
            self.0.from_local_datetime(&candidate).earliest().map(|at| at.to_utc().into())
        })
    }

    /// What its wall clocks show at that moment.
    fn wall(self, at: DateTime<Utc>) -> NaiveDateTime {
        at.with_timezone(&self.0).naive_local()
    }
}

/// The moment with both offsets, ready to be printed.
#[must_use]
pub fn moment(at: Timestamp, viewer: Zone, desk: Zone) -> Moment {
    Moment { at, viewer_offset: viewer.offset_minutes(at), desk_offset: desk.offset_minutes(at) }
}

/// Names of zones to choose from, sorted: places, and UTC.
#[must_use]
pub fn names() -> Vec<&'static str> {
    const AREAS: [&str; 10] = [
        "Africa/",
        "America/",
        "Antarctica/",
        "Arctic/",
        "Asia/",
        "Atlantic/",
        "Australia/",
        "Europe/",
        "Indian/",
        "Pacific/",
    ];
    let is_place = |name: &&str| *name == "UTC" || AREAS.iter().any(|area| name.starts_with(area));
    let mut names: Vec<_> = TZ_VARIANTS.iter().map(|zone| zone.name()).filter(is_place).collect();
    names.sort_unstable();
    names
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
            let at = resolve_wall(parse_wall(local)?, zone, *disambiguation)?;
            if at.is_plannable() { Ok(at) } else { Err(Refusal::invalid("local", Problem::OutOfRange)) }
        }
    }
}

fn resolve_wall(
    wall: NaiveDateTime,
    zone: Zone,
    which: Option<Disambiguation>,
) -> Result<Timestamp, Refusal> {
    match zone.0.from_local_datetime(&wall) {
        LocalResult::Single(at) => Ok(at.to_utc().into()),
        LocalResult::Ambiguous(one, other) => {
            let (earlier, later) = (one.to_utc().min(other.to_utc()), one.to_utc().max(other.to_utc()));
            match which {
                Some(Disambiguation::Earlier) => Ok(earlier.into()),
                Some(Disambiguation::Later) => Ok(later.into()),
                None => Err(Refusal::DoubledTime {
                    local: minute(wall),
                    zone: zone.name().to_owned(),
                    earlier: earlier.into(),
                    later: later.into(),
                }),
            }
        }
        LocalResult::None => Err(skipped(wall, zone)),
    }
}

/// Why a wall-clock time does not exist: what the clocks show around the jump over it.
fn skipped(wall: NaiveDateTime, zone: Zone) -> Refusal {
    // No zone is further from UTC than 15 hours, and no jump longer than a day: the clocks pass the time in this span,
    // and as they never show it, they pass it by the jump.
    let mut before = wall.and_utc() - Duration::hours(48);
    let mut after = wall.and_utc() + Duration::hours(48);
    while after - before > Duration::seconds(1) {
        let middle = before + Duration::seconds((after - before).num_seconds() / 2);
        if zone.wall(middle) < wall {
            before = middle;
        } else {
            after = middle;
        }
    }
    Refusal::SkippedTime {
        local: minute(wall),
        zone: zone.name().to_owned(),
        before: minute(zone.wall(before)),
        after: minute(zone.wall(after)),
    }
}

fn minute(wall: NaiveDateTime) -> String {
    wall.format("%Y-%m-%dT%H:%M").to_string()
}

/// Reads `YYYY-MM-DDTHH:MM[:SS]`. A year that no task can have is said to be out of range, not unreadable.
fn parse_wall(text: &str) -> Result<NaiveDateTime, Refusal> {
    let unreadable = || Refusal::invalid("local", Problem::NotATime { like: "2027-03-28T09:00".to_owned() });
    let (date, time) = text.split_once('T').ok_or_else(unreadable)?;
    let date = digits(date, '-').ok_or_else(unreadable)?;
    let time = digits(time, ':').ok_or_else(unreadable)?;
    let [(year, 4..=6), (month, 2), (day, 2)] = date[..] else { return Err(unreadable()) };
    let (hour, minute, second) = match time[..] {
        [(hour, 2), (minute, 2)] => (hour, minute, 0),
        [(hour, 2), (minute, 2), (second, 2)] => (hour, minute, second),
        _ => return Err(unreadable()),
    };
    if !(2_000..=2_199).contains(&year) {
        return Err(Refusal::invalid("local", Problem::OutOfRange));
    }
    i32::try_from(year)
        .ok()
        .and_then(|year| NaiveDate::from_ymd_opt(year, month, day))
        .and_then(|date| date.and_hms_opt(hour, minute, second))
        .ok_or_else(unreadable)
}

/// Numbers between separators, each with its count of digits.
fn digits(text: &str, separator: char) -> Option<Vec<(u32, usize)>> {
    text.split(separator)
        .map(|part| {
            let is_number = !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| Some((part.parse().ok()?, part.len()))).flatten()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(local: &str, zone: &str) -> When {
        When::Local { local: local.to_owned(), zone: zone.to_owned(), disambiguation: None }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_wall_clock_time_is_one_moment() {
        assert_eq!(resolve(&local("2026-06-09T09:00", "Europe/Berlin")), Ok(at("2026-06-09T07:00:00Z")));
        assert_eq!(resolve(&local("2026-06-09T09:00:07", "Asia/Shanghai")), Ok(at("2026-06-09T01:00:07Z")));
    }

    #[test]
    fn a_doubled_time_asks_which_one_is_meant() {
        let refusal = resolve(&local("2027-10-31T02:30", "Europe/Berlin")).unwrap_err();
        let (earlier, later) = (at("2027-10-31T00:30:00Z"), at("2027-10-31T01:30:00Z"));
        let (local, zone) = ("2027-10-31T02:30".to_owned(), "Europe/Berlin".to_owned());
        assert_eq!(
            refusal,
            Refusal::DoubledTime { local: local.clone(), zone: zone.clone(), earlier, later }
        );
        for (which, moment) in [(Disambiguation::Earlier, earlier), (Disambiguation::Later, later)] {
            let when = When::Local { local: local.clone(), zone: zone.clone(), disambiguation: Some(which) };
            assert_eq!(resolve(&when), Ok(moment));
        }
    }

    #[test]
    fn a_skipped_time_names_what_is_around_the_jump() {
        let jumps = [
            ("2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:59", "2027-03-28T03:00"),
            ("2027-03-14T02:00", "America/New_York", "2027-03-14T01:59", "2027-03-14T03:00"),
            ("2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-04T01:59", "2026-10-04T02:30"),
            ("2011-12-30T12:00", "Pacific/Apia", "2011-12-29T23:59", "2011-12-31T00:00"),
        ];
        for (text, zone, before, after) in jumps {
            let refusal = resolve(&local(text, zone)).unwrap_err();
            let Refusal::SkippedTime { before: b, after: a, .. } = refusal else { panic!("{refusal:?}") };
            assert_eq!((b.as_str(), a.as_str()), (before, after), "{zone}");
        }
    }

    #[test]
    fn what_is_no_time_or_out_of_range_is_told_in_words() {
        let problem = |text, zone| match resolve(&local(text, zone)).unwrap_err() {
            Refusal::Invalid { field, problem } => (field, problem),
            other => panic!("{other:?}"),
        };
        for text in ["1900-01-01T00:00", "12000-01-01T00:00", "2200-01-01T00:00"] {
            assert_eq!(problem(text, "UTC"), ("local".to_owned(), Problem::OutOfRange), "{text}");
        }
        let bad = [
            "",
            "tomorrow",
            "2026-06-09",
            "2026-06-09T9:00",
            "2026-02-30T09:00",
            "2026-06-09T25:00",
            "2026-06-09T09:00Z",
            "2026-06-09T09:00:00+02:00",
            "-026-06-09T09:00",
            "2026-06-09T09:00:60",
        ];
        for text in bad {
            assert!(matches!(problem(text, "UTC").1, Problem::NotATime { .. }), "{text}");
        }
        assert_eq!(problem("2026-06-09T09:00", "Mars/Olympus"), ("zone".to_owned(), Problem::NotAZone));
        let early = resolve(&When::At { due_at: at("1900-01-01T00:00:00Z") });
        assert_eq!(early, Err(Refusal::invalid("due_at", Problem::OutOfRange)));
    }

    /// Every change of the clocks in twenty zones over ten years, two hours around it, minute by minute by seven.
    #[test]
    fn what_a_wall_clock_shows_leads_back_to_its_moment() {
        let zones = [
            "Europe/Berlin",
            "Europe/London",
            "Europe/Dublin",
            "Africa/Casablanca",
            "Africa/Cairo",
            "Asia/Shanghai",
            "Asia/Kolkata",
            "Asia/Kathmandu",
            "Asia/Jerusalem",
            "Asia/Beirut",
            "Australia/Lord_Howe",
            "Australia/Sydney",
            "Pacific/Apia",
            "Pacific/Chatham",
            "America/New_York",
            "America/St_Johns",
            "America/Santiago",
            "America/Sao_Paulo",
            "America/Nuuk",
            "Antarctica/Troll",
        ];
        for zone in zones {
            for turn in turns(Zone::named(zone).unwrap()) {
                (-120..=120).step_by(7).for_each(|minutes| check(turn.plus(minutes * 60_000), zone));
            }
        }
    }

    /// Moments at which the offset changes, to the minute.
    fn turns(zone: Zone) -> Vec<Timestamp> {
        let (mut day, last) = (at("2026-01-01T00:00:00Z"), at("2036-01-01T00:00:00Z"));
        let mut found = Vec::new();
        while day < last {
            let next = day.plus(6 * 3_600_000);
            if zone.offset_minutes(day) != zone.offset_minutes(next) {
                let minutes = (0..=360).map(|minute| day.plus(minute * 60_000));
                let offset = zone.offset_minutes(day);
                found.extend(minutes.into_iter().find(|at| zone.offset_minutes(*at) != offset));
            }
            day = next;
        }
        found
    }

    fn check(moment: Timestamp, zone: &str) {
        let wall = Zone::named(zone).unwrap().wall(moment.utc());
        let text = wall.format("%Y-%m-%dT%H:%M:%S").to_string();
        match resolve(&local(&text, zone)) {
            Ok(back) => assert_eq!(back, moment, "{zone} {text}"),
            Err(Refusal::DoubledTime { earlier, later, .. }) => {
                assert!([earlier, later].contains(&moment) && earlier < later, "{zone} {text}");
            }
            Err(other) => panic!("{zone} {text}: {other:?}"),
        }
    }

    #[test]
    fn the_choice_of_zones_holds_places_and_utc() {
        let names = names();
        assert!(names.contains(&"UTC") && names.contains(&"Asia/Shanghai") && !names.contains(&"EST5EDT"));
    }
}
