//! Reads an event that repeats: from now on, without the times that the file leaves out or moves.

use super::{
    moment::{Moment, Original, Times, invalid, is_exact, unsupported},
    zones::{NamedZone, Zones},
};
use crate::{
    meetings::check,
    text::ical::read::{Property, RawEvent},
    zone::Zone,
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    meetings::{ImportProblem, MAX_MEETING_MINUTES},
    series::{MAX_EXCEPTIONS, Occurrence, Series, SeriesProblem, UpcomingSeries, ZoneRules as _, rfc5545},
};
use jiff::civil::{Date, DateTime};
use std::collections::BTreeSet;

/// Seconds of a minute.
const MINUTE_SECONDS: i64 = 60;

/// A series that can be booked.
#[derive(Debug, Clone)]
pub struct Repeats {
    /// From its next occurrence on.
    pub series: Series,
    pub zone: Zone,
    /// Length of each, in wall-clock time.
    pub minutes: i32,
    /// Whether occurrences that have passed are left out.
    pub is_running: bool,
    /// Whether occurrences are left out because they are too far ahead.
    pub is_shortened: bool,
}

/// A series as the file has it, and what other events of the file say about its times.
pub struct Whole {
    series: Series,
    zone: Zone,
    /// From these dates on, other events take its place; sorted.
    splits: Vec<Date>,
    /// On these dates, other events say that it does not take place.
    cancelled: BTreeSet<Date>,
    /// Its own properties say that it does not take place on these dates.
    excluded: BTreeSet<Date>,
}

/// Whether the event itself says that it does not take place.
pub fn is_cancelled(event: &RawEvent) -> bool {
    event.text("STATUS").trim().eq_ignore_ascii_case("CANCELLED")
}

/// Whether the event takes the place of all following times of its series too.
pub fn is_following(event: &RawEvent) -> bool {
    let range = event.find("RECURRENCE-ID").and_then(|id| id.parameter("RANGE"));
    range.is_some_and(|range| range.eq_ignore_ascii_case("THISANDFUTURE"))
}

/// The zone and the local time at which a series starts.
pub fn start_of(event: &RawEvent, start: &Moment) -> Result<(DateTime, Zone), ImportProblem> {
    match start {
        Moment::Local(local, zone) => Ok((*local, *zone)),
        Moment::Utc(at) => Ok((Zone::UTC.local_at(*at).ok_or(ImportProblem::NoStart)?, Zone::UTC)),
        // No zone has these times, so the following ones cannot be computed.
        Moment::OwnZone(..) => {
            let name = event.find("DTSTART").and_then(|start| start.parameter("TZID"));
            Err(super::moment::unknown_zone(name.unwrap_or_default()))
        }
    }
}

impl Whole {
    /// Reads the rule of an event. `others`: the events of the file that move or cancel one of its times.
    pub fn read(event: &RawEvent, zones: &Zones<'_>, others: &[&RawEvent]) -> Result<Self, ImportProblem> {
        let times = Times { zones, calendar: event.calendar };
        let start = times.moment(event.find("DTSTART").ok_or(ImportProblem::NoStart)?)?;
        let of = start_of(event, &start)?;
        let rule = only_rule(event)?;
        let (starts_local, zone) = of;
        let mut series =
            rfc5545::parse(rule.value.trim(), starts_local, (zone.name(), &zone)).map_err(invalid)?;
        if !series.starts_by_rule() {
            return Err(unsupported("a start that is not a time of its rule"));
        }
        for property in event.all("EXDATE") {
            series.rule.exceptions.extend(times.dates_of(property, of)?);
        }
        let excluded = series.rule.exceptions.clone();
        let (mut splits, mut cancelled) = (Vec::new(), BTreeSet::new());
        for other in others {
            let Some(id) = other.find("RECURRENCE-ID") else { continue };
            let dates = Times { zones, calendar: other.calendar }.dates_of(id, of)?;
            if is_following(other) {
                splits.extend(dates);
                continue;
            }
            if is_cancelled(other) {
                cancelled.extend(dates.iter().copied());
            }
            series.rule.exceptions.extend(dates);
        }
        splits.sort_unstable();
        Ok(Self { series, zone, splits, cancelled, excluded })
    }

    /// Local time and zone of its start.
    pub fn start(&self) -> (DateTime, Zone) {
        (self.series.starts_local, self.zone)
    }

    /// Whether its own properties exclude one of its times, so that no other event can move it.
    pub fn excludes(&self, original: &Original) -> bool {
        original.date_in(self.start()).is_some_and(|date| self.excluded.contains(&date))
    }

    /// Whether other events take its place from some date on.
    pub fn is_split(&self) -> bool {
        !self.splits.is_empty()
    }

    /// The dates that other properties and events take out of its rule, as text.
    pub fn left_out(&self) -> String {
        let cancelled = self.cancelled.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let splits = self.splits.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        format!("{cancelled};{splits}")
    }

    /// Its own times, up to the first event that takes its place.
    pub fn head(&self) -> Series {
        self.splits.first().map_or_else(|| self.series.clone(), |split| self.series.ending_before(*split))
    }

    /// The times from `from` on, of which the first is moved to `to`.
    pub fn tail(&self, from: Date, to: (DateTime, Zone)) -> Result<Series, ImportProblem> {
        let next = self.splits.iter().find(|split| **split > from);
        let part = next.map_or_else(|| self.series.clone(), |next| self.series.ending_before(*next));
        let moved = part.moved_from(from, to.0).filter(|_| to.1 == self.zone);
        moved.ok_or_else(|| unsupported("RANGE=THISANDFUTURE to other days or another zone"))
    }
}

/// The rule of an event; what is not supported beside it is refused by name.
fn only_rule(event: &RawEvent) -> Result<&Property, ImportProblem> {
    for part in ["RDATE", "EXRULE"] {
        if event.find(part).is_some() {
            return Err(unsupported(part));
        }
    }
    let mut rules = event.all("RRULE");
    match (rules.next(), rules.next()) {
        (Some(rule), None) => Ok(rule),
        (None, _) => Err(unsupported("RANGE=THISANDFUTURE of an event that does not repeat")),
        (Some(_), Some(_)) => Err(unsupported("a second RRULE")),
    }
}

/// The part of a series that can be booked, if each of its times can be.
pub fn upcoming(
    (series, zone): (Series, Zone),
    (event, zones): (&RawEvent, &Zones<'_>),
    (start, end): (&Moment, &Moment),
    now: Timestamp,
) -> Result<Repeats, ImportProblem> {
    let is_exact = is_exact(event, start, end);
    let minutes = minutes(start, end, is_exact)?;
    let found = series.upcoming(&zone, now).ok_or(ImportProblem::Past)?;
    let UpcomingSeries { series, is_running, is_shortened } = found;
    if series.rule.exceptions.len() > MAX_EXCEPTIONS {
        let max = u32::try_from(MAX_EXCEPTIONS).unwrap_or(u32::MAX);
        return Err(invalid(DomainError::invalid("rule.exceptions", ValidationError::TooMany { max })));
    }
    series.check(&zone, now).map_err(invalid)?;
    let own = event.find("DTSTART").and_then(|start| start.parameter("TZID"));
    let named = own.and_then(|name| zones.find(event.calendar, name));
    for one in series.occurrences(&zone, now, Timestamp::LATEST, usize::MAX) {
        if is_exact && series.slot(&zone, &one, minutes).ends_at != one.at.plus(i64::from(minutes) * 60_000) {
            return Err(unsupported("a length in hours over a change of the clocks"));
        }
        check_zone(named.as_ref(), &one, own.unwrap_or_default())?;
    }
    Ok(Repeats { series, zone, minutes, is_running, is_shortened })
}

/// Refuses an occurrence at which the file defines its zone differently.
fn check_zone(zone: Option<&NamedZone>, one: &Occurrence, name: &str) -> Result<(), ImportProblem> {
    match zone {
        Some(NamedZone::Disputed(..)) if zone.and_then(|zone| zone.instant(one.original_local)).is_none() => {
            Err(ImportProblem::ZoneDiffers { name: name.to_owned() })
        }
        _ => Ok(()),
    }
}

/// The length of each time: exact, or in wall-clock time.
fn minutes(start: &Moment, end: &Moment, is_exact: bool) -> Result<i32, ImportProblem> {
    let seconds = match (start, end) {
        (Moment::Local(from, _), Moment::Local(to, _)) if !is_exact => to.duration_since(*from).as_secs(),
        _ => end.at()?.since(start.at()?) / 1_000,
    };
    let max = i64::from(MAX_MEETING_MINUTES) * MINUTE_SECONDS;
    if seconds % MINUTE_SECONDS != 0 {
        let why = SeriesProblem::NotAMinute;
        return Err(invalid(DomainError::invalid("local_end", ValidationError::Series { why })));
    }
    if seconds <= 0 || seconds > max {
        let refusal = check::times(super::moment::span(start, end)?).err();
        let max = u32::try_from(MAX_MEETING_MINUTES / (24 * 60)).unwrap_or(u32::MAX);
        let too_long = DomainError::invalid("local_end", ValidationError::LongerThanDays { max });
        return Err(refusal
            .map_or_else(|| if seconds > 0 { invalid(too_long) } else { ImportProblem::NoEnd }, invalid));
    }
    i32::try_from(seconds / MINUTE_SECONDS).map_err(|_| ImportProblem::NoEnd)
}
