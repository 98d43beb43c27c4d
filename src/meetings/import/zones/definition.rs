//! A time zone that a calendar file defines itself (`VTIMEZONE`).

use crate::{
    text::ical::read::{Property, RawZone},
    zone::Zone,
};
use domain::{Timestamp, series::ZoneRules as _};
use jiff::civil::{Date, DateTime, Weekday};

/// Begin of the years for which offsets are computed, if a part has no end.
const YEARS_BEFORE: i16 = 2;
/// Maximum number of moments at which a part begins.
const MAX_ONSETS: usize = 2_000;
/// Names of the weekdays, Monday first.
const DAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// The offsets of a zone that a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Moments, in seconds since 1970, and the offset from each on, in seconds east of UTC; sorted.
    changes: Vec<(i64, i32)>,
    /// Offset before the first of them.
    first: i32,
    /// Last year for which the changes were computed.
    last_year: i16,
}

impl Definition {
    /// Computes the offsets for the years until `last_year`. `None`: the definition cannot be read.
    pub fn read(zone: &RawZone, (from_year, last_year): (i16, i16)) -> Option<Self> {
        let (mut changes, mut first) = (Vec::new(), None);
        for part in &zone.parts {
            let part = Part::read(part)?;
            let onsets = part.onsets((from_year, last_year))?;
            let earliest = (part.starts, part.before);
            first = Some(first.map_or(earliest, |known: (DateTime, i32)| known.min(earliest)));
            changes.extend(onsets.into_iter().map(|at| (at, part.after)));
        }
        changes.sort_unstable();
        Some(Self { changes, first: first?.1, last_year })
    }

    /// Seconds east of UTC at an instant.
    pub fn offset_at(&self, at: Timestamp) -> i32 {
        let index = self.changes.partition_point(|(change, _)| change * 1_000 <= at.millis());
        index.checked_sub(1).and_then(|index| self.changes.get(index)).map_or(self.first, |change| change.1)
    }

    /// The instant of a local time: the first of two; for a time that does not exist, by the offset before
    /// the gap (RFC 5545, 3.3.5). `None`: after the last year.
    pub fn instant(&self, local: DateTime) -> Option<Timestamp> {
        if local.year() > self.last_year {
            return None;
        }
        let seconds = seconds_of(local);
        let mut offsets: Vec<i32> =
            self.changes.iter().map(|(_, offset)| *offset).chain([self.first]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let at = |offset: i32| Timestamp::from_millis((seconds - i64::from(offset)) * 1_000);
        // The greatest offset gives the earliest instant.
        let found = offsets.iter().rev().map(|offset| (at(*offset), *offset));
        let valid = found.clone().find(|(at, offset)| self.offset_at(*at) == *offset).map(|(at, _)| at);
        Some(valid.unwrap_or_else(|| {
            // The instant by the greatest offset is before the gap.
            let before = found.clone().next().map_or(self.first, |(at, _)| self.offset_at(at));
            at(before)
        }))
    }

    /// Whether it has the offsets of this zone from one moment to another.
    pub fn is_equal(&self, zone: Zone, (from, to): (Timestamp, Timestamp)) -> bool {
        let is_same = |at: Timestamp| self.offset_at(at) == zone.offset_seconds(at);
        let is_within = |at: &Timestamp| (from..=to).contains(at);
        let own = self.changes.iter().map(|(at, _)| Timestamp::from_millis(at * 1_000)).filter(is_within);
        let of_zone = zone.changes(from, to).into_iter().filter_map(|change| {
            Some(Timestamp::from_millis((seconds_of(change.local?) - i64::from(change.before)) * 1_000))
        });
        let mut all = own.chain(of_zone).flat_map(|at| [at.plus(-1), at]).filter(is_within);
        is_same(from) && is_same(to) && all.all(is_same)
    }
}

/// A part of a definition: an offset, and when it begins.
struct Part {
    starts: DateTime,
    before: i32,
    after: i32,
    rule: Option<YearlyRule>,
    /// Further local times at which it begins.
    dates: Vec<DateTime>,
}

impl Part {
    fn read(properties: &[Property]) -> Option<Self> {
        let find = |name: &str| properties.iter().find(|one| one.name == name);
        let starts = basic_local(&find("DTSTART")?.value)?;
        let mut rules = properties.iter().filter(|one| one.name == "RRULE");
        let rule = match (rules.next(), rules.next()) {
            (None, _) => None,
            (Some(rule), None) => Some(YearlyRule::read(&rule.value, starts)?),
            (Some(_), Some(_)) => return None,
        };
        let mut dates = Vec::new();
        for property in properties.iter().filter(|one| one.name == "RDATE") {
            for date in property.value.split(',') {
                dates.push(basic_local(date)?);
            }
        }
        Some(Self {
            starts,
            before: offset(&find("TZOFFSETFROM").or_else(|| find("TZOFFSETTO"))?.value)?,
            after: offset(&find("TZOFFSETTO")?.value)?,
            rule,
            dates,
        })
    }

    /// The moments at which it begins; `None`: too many.
    fn onsets(&self, (from, to): (i16, i16)) -> Option<Vec<i64>> {
        let instant = |local: DateTime| seconds_of(local) - i64::from(self.before);
        let mut all: Vec<i64> = self.dates.iter().copied().chain([self.starts]).map(instant).collect();
        if let Some(rule) = &self.rule {
            // Without an end, what lies long before does not matter.
            let begin =
                if rule.until.is_some() || rule.count.is_some() { i16::MIN } else { from - YEARS_BEFORE };
            let years =
                (self.starts.year().max(begin)..=to).filter(|year| rule.has_year(*year, self.starts.year()));
            let found =
                years.filter_map(|year| rule.date_in(year)).map(|date| date.to_datetime(self.starts.time()));
            let found = found.filter(|local| *local >= self.starts).take(rule.count.unwrap_or(MAX_ONSETS));
            let is_before_end = |at: &i64| rule.until.is_none_or(|until| *at <= until.seconds(self.before));
            all.extend(found.map(instant).take_while(is_before_end));
        }
        (all.len() <= MAX_ONSETS).then_some(all)
    }
}

/// The end of a rule.
#[derive(Clone, Copy)]
enum Until {
    Utc(i64),
    Local(i64),
}

impl Until {
    fn seconds(self, offset: i32) -> i64 {
        match self {
            Self::Utc(at) => at,
            Self::Local(at) => at - i64::from(offset),
        }
    }
}

/// Once a year, on a day of a month.
struct YearlyRule {
    interval: i16,
    month: i8,
    on: DayOfMonth,
    until: Option<Until>,
    count: Option<usize>,
}

/// A day of a month.
enum DayOfMonth {
    Day(i8),
    /// The first to fifth such day of the week, or from the end.
    Nth(i8, Weekday),
    /// The first such day of the week among these days.
    FirstOf(Vec<i8>, Weekday),
}

impl YearlyRule {
    fn read(value: &str, starts: DateTime) -> Option<Self> {
        let part = |name: &str| {
            let mut parts = value.trim().split(';').filter_map(|part| part.split_once('='));
            parts.find(|(known, _)| known.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
        };
        let known = ["FREQ", "INTERVAL", "BYMONTH", "BYDAY", "BYMONTHDAY", "UNTIL", "COUNT", "WKST"];
        let mut names = value.trim().split(';').filter(|part| !part.is_empty());
        let is_known = names.all(|part| {
            let name = part.split('=').next().unwrap_or_default().trim();
            known.iter().any(|known| known.eq_ignore_ascii_case(name))
        });
        let month = match part("BYMONTH") {
            Some(month) => month.parse().ok()?,
            None => starts.month(),
        };
        let days: Option<Option<Vec<i8>>> =
            part("BYMONTHDAY").map(|days| days.split(',').map(|day| day.trim().parse().ok()).collect());
        let days = match days {
            Some(days) => Some(days?),
            None => None,
        };
        let on = match (part("BYDAY").map(weekday), days) {
            (None, None) => DayOfMonth::Day(starts.day()),
            (None, Some(days)) => DayOfMonth::Day(*days.first().filter(|_| days.len() == 1)?),
            (Some(day), None) => {
                let (nth, weekday) = day?;
                DayOfMonth::Nth(nth?, weekday)
            }
            (Some(day), Some(mut days)) => {
                let (None, weekday) = day? else { return None };
                days.sort_unstable();
                DayOfMonth::FirstOf(days, weekday)
            }
        };
        let until = match part("UNTIL") {
            Some(until) => Some(match until.strip_suffix('Z') {
                Some(utc) => Until::Utc(seconds_of(basic_local(utc)?)),
                None if until.contains('T') => Until::Local(seconds_of(basic_local(until)?)),
                None => Until::Local(seconds_of(basic_local(&format!("{until}T235959"))?)),
            }),
            None => None,
        };
        let count = part("COUNT").map(str::parse::<usize>).transpose().ok()?;
        let interval =
            part("INTERVAL").map_or(Ok(1), str::parse::<i16>).ok().filter(|interval| *interval > 0)?;
        let is_yearly = part("FREQ").is_some_and(|word| word.eq_ignore_ascii_case("YEARLY"));
        (is_yearly && is_known && (1..=12).contains(&month)).then_some(Self {
            interval,
            month,
            on,
            until,
            count,
        })
    }

    fn has_year(&self, year: i16, first: i16) -> bool {
        (year - first) % self.interval == 0
    }

    fn date_in(&self, year: i16) -> Option<Date> {
        let first = Date::new(year, self.month, 1).ok()?;
        match &self.on {
            DayOfMonth::Day(day) if *day < 0 => {
                Date::new(year, self.month, first.days_in_month() + 1 + day).ok()
            }
            DayOfMonth::Day(day) => Date::new(year, self.month, *day).ok(),
            DayOfMonth::Nth(nth, weekday) => first.nth_weekday_of_month(*nth, *weekday).ok(),
            DayOfMonth::FirstOf(days, weekday) => {
                let dates = days.iter().filter_map(|day| Date::new(year, self.month, *day).ok());
                dates.filter(|date| date.weekday() == *weekday).min()
            }
        }
    }
}

/// `-1SU`: which one, and the day of the week.
fn weekday(text: &str) -> Option<(Option<i8>, Weekday)> {
    let (nth, name) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let day = DAYS.iter().position(|known| known.eq_ignore_ascii_case(name))?;
    let weekday = Weekday::from_monday_zero_offset(i8::try_from(day).ok()?).ok()?;
    let nth = if nth.is_empty() { None } else { Some(nth.parse().ok()?) };
    Some((nth, weekday))
}

/// Seconds east of UTC: `+0200`, `-053730`.
fn offset(text: &str) -> Option<i32> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let is_offset = matches!(digits.len(), 4 | 6) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = |from: usize| digits.get(from..from + 2).map_or(Some(0), |two| two.parse::<i32>().ok());
    let seconds = number(0)? * 3_600 + number(2)? * 60 + number(4)?;
    (is_offset && seconds < 86_400).then_some(sign * seconds)
}

/// Reads `16010101T030000`. Years before those of the product are allowed: Windows begins in 1601.
fn basic_local(text: &str) -> Option<DateTime> {
    let text = text.trim().trim_end_matches('Z');
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (date, time) = text.split_once('T').filter(|(date, time)| date.len() == 8 && time.len() == 6)?;
    if !is_digits(date) || !is_digits(time) {
        return None;
    }
    let two = |text: &str, from: usize| text.get(from..from + 2)?.parse::<i8>().ok();
    let year = date.get(..4)?.parse().ok()?;
    let second = two(time, 4)?.min(59);
    DateTime::new(year, two(date, 4)?, two(date, 6)?, two(time, 0)?, two(time, 2)?, second, 0).ok()
}

/// Seconds of a local time since 1970-01-01T00:00:00 local time.
fn seconds_of(local: DateTime) -> i64 {
    local.duration_since(jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0)).as_secs()
}
