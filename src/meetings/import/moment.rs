//! Times of a calendar file: starts, ends, durations, and times of a series that are left out or moved.

use super::zones::{Definition, NamedZone, Zones};
use crate::{
    text::ical::read::{Property, RawEvent},
    zone::{self, Zone},
};
use domain::{
    DomainError, Timestamp, When,
    base::local_time::{self, second_text},
    error::ValidationError,
    meetings::{ImportProblem, MeetingTime},
    series::{SeriesProblem, ZoneRules as _},
    text::slice_text,
    time::{Disambiguation, Meaning},
};
use jiff::{
    ToSpan as _,
    civil::{Date, DateTime},
};
use std::sync::Arc;

/// Milliseconds of a second.
const SECOND_MS: i64 = 1_000;
/// Maximum length of an event, in seconds: a year.
const MAX_DURATION_SECONDS: i64 = 366 * 24 * 3_600;

/// A start or an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// An instant in UTC.
    Utc(Timestamp),
    /// A local time of a zone that only the file has, and its instant.
    OwnZone(DateTime, Arc<Definition>, Timestamp),
    /// A local time.
    Local(DateTime, Zone),
}

impl Moment {
    /// The instant.
    pub fn at(&self) -> Result<Timestamp, ImportProblem> {
        match self {
            Self::Utc(at) | Self::OwnZone(_, _, at) => Ok(*at),
            Self::Local(local, zone) => {
                let (local, zone) = (second_text(*local), zone.name().to_owned());
                let disambiguation = Some(Disambiguation::Earlier);
                zone::resolve(&When::Local { local, zone, disambiguation }).map_err(invalid)
            }
        }
    }

    /// The local time in a zone; `None`: outside the supported range.
    pub fn local_in(&self, zone: Zone) -> Option<DateTime> {
        match self {
            Self::Local(local, own) if *own == zone => Some(*local),
            Self::Local(local, own) => zone.local_at(own.meaning(*local)?.first()),
            Self::Utc(at) | Self::OwnZone(_, _, at) => zone.local_at(*at),
        }
    }
}

pub fn invalid(refusal: DomainError) -> ImportProblem {
    ImportProblem::Invalid { refusal }
}

/// The problem of a time zone that is unknown.
pub fn unknown_zone(name: &str) -> ImportProblem {
    ImportProblem::Zone { name: shown(name) }
}

fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(60).collect()
}

/// Which of the times of a series is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Original {
    /// That of this day.
    Day(Date),
    /// The one at this time by the rule.
    At(Moment),
}

impl Original {
    /// Its date in a series that begins at this local time of this zone; `None`: the series never takes
    /// place at this time of day.
    pub fn date_in(&self, (starts_local, zone): (DateTime, Zone)) -> Option<Date> {
        match self {
            Self::Day(date) => Some(*date),
            Self::At(moment) => {
                let local = moment.local_in(zone)?;
                (local.time() == starts_local.time()).then(|| local.date())
            }
        }
    }
}

/// The problem of something that is not supported, by its name.
pub fn unsupported(part: &str) -> ImportProblem {
    let why = SeriesProblem::Unsupported { part: part.to_owned() };
    invalid(DomainError::invalid("rule", ValidationError::Series { why }))
}

/// How the times of a calendar are read.
#[derive(Clone, Copy)]
pub struct Times<'a> {
    pub zones: &'a Zones<'a>,
    /// Place of the calendar in the file.
    pub calendar: usize,
}

impl Times<'_> {
    /// Reads the time of a property.
    pub fn moment(self, property: &Property) -> Result<Moment, ImportProblem> {
        let value = property.value.trim();
        if is_date(property, value) {
            return Err(ImportProblem::AllDay);
        }
        self.value(property, value, self.zones.floating(self.calendar))
    }

    /// Reads one time of a property; `floating`: the zone of a time without one.
    fn value(self, property: &Property, value: &str, floating: Zone) -> Result<Moment, ImportProblem> {
        let (digits, is_utc) = value.strip_suffix('Z').map_or((value, false), |rest| (rest, true));
        let local = basic_local(digits).ok_or(ImportProblem::NoStart)?;
        if is_utc {
            let when =
                When::Local { local: second_text(local), zone: "UTC".to_owned(), disambiguation: None };
            return zone::resolve(&when).map(Moment::Utc).map_err(invalid);
        }
        let Some(name) = property.parameter("TZID") else { return Ok(Moment::Local(local, floating)) };
        let zone = self.zones.find(self.calendar, name).ok_or_else(|| unknown_zone(name))?;
        match (&zone, zone.instant(local)) {
            (NamedZone::Known(zone), _) | (NamedZone::Disputed(zone, _), Some(_)) => {
                Ok(Moment::Local(local, *zone))
            }
            (NamedZone::Own(own), Some(at)) => Ok(Moment::OwnZone(local, Arc::clone(own), at)),
            (NamedZone::Own(_), None) => Err(unknown_zone(name)),
            (NamedZone::Disputed(..), None) => Err(ImportProblem::ZoneDiffers { name: shown(name) }),
        }
    }

    /// The dates of a series in this zone, always at this time, that a property names: `EXDATE` or
    /// `RECURRENCE-ID`, in any zone. A time at which the series never takes place names no date.
    pub fn dates_of(self, property: &Property, of: (DateTime, Zone)) -> Result<Vec<Date>, ImportProblem> {
        let mut dates = Vec::new();
        for value in property.value.split(',').map(str::trim).filter(|value| !value.is_empty()) {
            dates.extend(self.original(property, value, of.1)?.date_in(of));
        }
        Ok(dates)
    }

    /// Reads one of the times of a series in this zone.
    fn original(self, property: &Property, value: &str, zone: Zone) -> Result<Original, ImportProblem> {
        if is_date(property, value) {
            return basic_date(value).map(Original::Day).ok_or_else(|| unsupported(&property.name));
        }
        let moment = self.value(property, value, zone).map_err(|problem| match problem {
            ImportProblem::NoStart => unsupported(&property.name),
            other => other,
        })?;
        Ok(Original::At(moment))
    }

    /// Reads `RECURRENCE-ID`; `floating`: the zone of a time without one.
    pub fn original_of(self, property: &Property, floating: Option<Zone>) -> Result<Original, ImportProblem> {
        let floating = floating.unwrap_or_else(|| self.zones.floating(self.calendar));
        self.original(property, property.value.trim(), floating)
    }

    /// The end of an event. A duration of days and weeks keeps the time of day, one of hours is exact.
    pub fn end(self, event: &RawEvent, start: &Moment) -> Result<Moment, ImportProblem> {
        if let Some(end) = event.find("DTEND") {
            return self.moment(end);
        }
        let duration =
            Length::of(event).filter(|length| *length != Length::default()).ok_or(ImportProblem::NoEnd)?;
        duration.after(start)
    }
}

/// A duration: days, and an exact time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Length {
    days: i32,
    seconds: i64,
}

impl Length {
    /// The duration of an event; `None`: it has none that can be read.
    fn of(event: &RawEvent) -> Option<Self> {
        Self::read(event.find("DURATION")?.value.trim())
    }

    /// Reads `P1DT2H30M` and the like; `None`: it cannot be read.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('+').unwrap_or(text).strip_prefix('P')?;
        let (mut length, mut number, mut is_time) = (Self::default(), String::new(), false);
        for letter in rest.chars() {
            match (letter, is_time) {
                ('0'..='9', _) if number.len() < 6 => {
                    number.push(letter);
                    continue;
                }
                ('T', false) if number.is_empty() => {
                    is_time = true;
                    continue;
                }
                _ => {}
            }
            let count: i32 = number.parse().ok()?;
            number.clear();
            match (letter, is_time) {
                ('W', false) => length.days += 7 * count,
                ('D', false) => length.days += count,
                ('H', true) => length.seconds += 3_600 * i64::from(count),
                ('M', true) => length.seconds += 60 * i64::from(count),
                ('S', true) => length.seconds += i64::from(count),
                _ => return None,
            }
            if i64::from(length.days) * 86_400 + length.seconds > MAX_DURATION_SECONDS {
                return None;
            }
        }
        number.is_empty().then_some(length)
    }

    /// The moment this long after another one.
    fn after(self, start: &Moment) -> Result<Moment, ImportProblem> {
        let day_ms = 24 * 3_600 * SECOND_MS;
        match start {
            Moment::Local(local, zone) => {
                let later = local.checked_add(self.days.days()).map_err(|_| ImportProblem::NoEnd)?;
                let same_time = Moment::Local(later, *zone);
                if self.seconds == 0 {
                    return Ok(same_time);
                }
                let at = same_time.at()?.plus(self.seconds * SECOND_MS);
                // The local time says the same, and follows changes of the zone.
                let local = zone.local_at(at).filter(|local| zone.meaning(*local) == Some(Meaning::Once(at)));
                Ok(local.map_or(Moment::Utc(at), |local| Moment::Local(local, *zone)))
            }
            Moment::OwnZone(local, zone, _) => {
                let later = local.checked_add(self.days.days()).ok().ok_or(ImportProblem::NoEnd)?;
                let at = zone.instant(later).ok_or(ImportProblem::NoEnd)?;
                Ok(match self.seconds {
                    0 => Moment::OwnZone(later, Arc::clone(zone), at),
                    seconds => Moment::Utc(at.plus(seconds * SECOND_MS)),
                })
            }
            Moment::Utc(at) => {
                Ok(Moment::Utc(at.plus(i64::from(self.days) * day_ms + self.seconds * SECOND_MS)))
            }
        }
    }
}

/// Whether an event is as long by exact time, not by the clock: by a duration in hours, or from one zone to
/// another.
pub fn is_exact(event: &RawEvent, start: &Moment, end: &Moment) -> bool {
    match (event.find("DTEND"), start, end) {
        (None, _, _) => Length::of(event).is_some_and(|length| length.seconds != 0),
        (Some(_), Moment::Local(_, zone), Moment::Local(_, other)) => zone != other,
        (Some(_), _, _) => true,
    }
}

/// Start and end of a meeting; local times of one zone stay local times.
pub fn span(start: &Moment, end: &Moment) -> Result<MeetingTime, ImportProblem> {
    if let (Moment::Local(local_start, zone), Moment::Local(local_end, other)) = (start, end)
        && zone == other
    {
        return Ok(MeetingTime::Local {
            local_start: second_text(*local_start),
            local_end: second_text(*local_end),
            zone: zone.name().to_owned(),
            disambiguation: Some(Disambiguation::Earlier),
        });
    }
    let zone = [start, end].into_iter().find_map(|moment| match moment {
        Moment::Local(_, zone) => Some(zone.name().to_owned()),
        Moment::Utc(_) | Moment::OwnZone(..) => None,
    });
    Ok(MeetingTime::At { starts_at: start.at()?, ends_at: end.at()?, zone })
}

fn is_date(property: &Property, value: &str) -> bool {
    property.parameter("VALUE").is_some_and(|kind| kind.eq_ignore_ascii_case("DATE")) || !value.contains('T')
}

fn basic_date(digits: &str) -> Option<Date> {
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    local_time::parse_date(&format!(
        "{}-{}-{}",
        slice_text(digits, ..4),
        slice_text(digits, 4..6),
        slice_text(digits, 6..)
    ))
}

/// Reads `20270101T090000`.
fn basic_local(digits: &str) -> Option<DateTime> {
    let (date, time) = digits.split_once('T')?;
    if time.len() != 6 || !time.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let date = local_time::date_text(basic_date(date)?);
    local_time::parse(&format!(
        "{date}T{}:{}:{}",
        slice_text(time, ..2),
        slice_text(time, 2..4),
        slice_text(time, 4..)
    ))
    .ok()
}
