//! Hours of a week: when a room is open, and when a desk works.

use crate::{
    Timestamp,
    base::local_time::{self, DAY_MINUTES},
    series::ZoneRules,
    time::Meaning,
};
use jiff::{
    ToSpan as _,
    civil::{Date, DateTime},
};
use serde::{Deserialize, Serialize};

/// Words of the weekdays, Monday first.
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// 31 days, milliseconds, and how many of them are searched for open time.
const MONTH_MS: i64 = 31 * 24 * 3_600_000;
const OPEN_MONTHS: u32 = 24;

/// A time of some weekdays in which a room can be booked, in the room's zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningHours {
    /// `monday` to `sunday`; empty: every day.
    #[serde(default)]
    pub weekdays: Vec<String>,
    /// `HH:MM`.
    pub from: String,
    /// `HH:MM`, later than `from`; `24:00`: the end of the day.
    pub to: String,
}

impl OpeningHours {
    /// The hours of a form: none if both times are empty. A missing time is the begin or the end of the
    /// day; a field for a time cannot hold `24:00`, so that an end of `00:00` is the end of the day.
    #[must_use]
    pub fn typed(weekdays: Vec<String>, from: &str, to: &str) -> Vec<Self> {
        if from.is_empty() && to.is_empty() {
            return Vec::new();
        }
        let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
        let to = if to == "00:00" { "" } else { to };
        vec![Self { weekdays, from: or(from, "00:00"), to: or(to, "24:00") }]
    }

    /// Whether the weekdays and times are valid.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let is_known = |word: &String| WEEKDAYS.contains(&word.as_str());
        self.weekdays.len() <= WEEKDAYS.len()
            && self.weekdays.iter().all(is_known)
            && self.minutes().is_some_and(|(from, to)| from < to)
    }

    /// Begin and end in minutes of the day; `None`: not such times.
    fn minutes(&self) -> Option<(i32, i32)> {
        Some((minute_of_day(&self.from)?, minute_of_day(&self.to)?))
    }

    fn is_on(&self, date: Date) -> bool {
        let weekday = usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or_default();
        self.weekdays.is_empty() || self.weekdays.iter().any(|word| word == WEEKDAYS[weekday])
    }
}

/// The minute of a stored time, `HH:MM` up to `24:00`.
fn minute_of_day(text: &str) -> Option<i32> {
    local_time::minute_of_day(text).filter(|_| text.len() == "24:00".len())
}

/// Whether the room is open from `starts_at` to `ends_at`. Without opening hours it always is.
#[must_use]
pub fn is_open(
    hours: &[OpeningHours],
    starts_at: Timestamp,
    ends_at: Timestamp,
    zone: &dyn ZoneRules,
) -> bool {
    if hours.is_empty() {
        return true;
    }
    let (Some(start), Some(end)) = (zone.local_at(starts_at), zone.local_at(ends_at)) else { return false };
    let mut date = start.date();
    while date <= end.date() {
        let from = if date == start.date() { minute_floor(start) } else { 0 };
        let to = if date == end.date() { minute_ceil(end) } else { DAY_MINUTES };
        if from < to && !is_covered(hours, date, from, to) {
            return false;
        }
        let Ok(next) = date.checked_add(1.day()) else { return false };
        date = next;
    }
    true
}

/// Returns the spans between two moments in which the room is open, by begin, joined where they
/// touch. Without opening hours: the whole time.
#[must_use]
pub fn open_spans(
    hours: &[OpeningHours],
    from: Timestamp,
    to: Timestamp,
    zone: &dyn ZoneRules,
) -> Vec<(Timestamp, Timestamp)> {
    if hours.is_empty() {
        return vec![(from, to)];
    }
    let (Some(first), Some(last)) = (zone.local_at(from), zone.local_at(to)) else { return Vec::new() };
    let (mut date, mut spans) = (first.date(), Vec::<(Timestamp, Timestamp)>::new());
    while date <= last.date() {
        let mut of_day: Vec<(i32, i32)> =
            hours.iter().filter(|one| one.is_on(date)).filter_map(OpeningHours::minutes).collect();
        of_day.sort_unstable();
        for (begin, end) in of_day {
            let (Some(begin), Some(end)) = (instant(zone, date, begin), instant(zone, date, end)) else {
                continue;
            };
            let (begin, end) = (begin.max(from), end.min(to));
            match spans.last_mut() {
                Some(before) if begin <= before.1 => before.1 = before.1.max(end),
                _ if begin < end => spans.push((begin, end)),
                _ => {}
            }
        }
        let Ok(next) = date.checked_add(1.day()) else { break };
        date = next;
    }
    spans
}

/// Returns the moment at which `millis` of open time have passed since `from`. Without opening hours
/// all time is open. At the latest two years after `from`: hours may be rare.
#[must_use]
pub fn after_open_time(
    hours: &[OpeningHours],
    from: Timestamp,
    millis: i64,
    zone: &dyn ZoneRules,
) -> Timestamp {
    if hours.is_empty() {
        return from.plus(millis);
    }
    let (mut left, mut begin) = (millis, from);
    for _ in 0..OPEN_MONTHS {
        let end = begin.plus(MONTH_MS);
        for (opens, closes) in open_spans(hours, begin, end, zone) {
            let open = closes.millis() - opens.millis();
            if left <= open {
                return opens.plus(left);
            }
            left -= open;
        }
        begin = end;
    }
    begin
}

/// The instant of a minute of a day; 1,440: the begin of the next day.
fn instant(zone: &dyn ZoneRules, date: Date, minute: i32) -> Option<Timestamp> {
    let (date, minute) =
        if minute == DAY_MINUTES { (date.checked_add(1.day()).ok()?, 0) } else { (date, minute) };
    let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
    zone.meaning(date.at(hour, minute, 0, 0)).map(Meaning::first)
}

/// Whether the hours of that day cover all minutes from `from` to `to`.
fn is_covered(hours: &[OpeningHours], date: Date, from: i32, to: i32) -> bool {
    let mut spans: Vec<(i32, i32)> =
        hours.iter().filter(|one| one.is_on(date)).filter_map(OpeningHours::minutes).collect();
    spans.sort_unstable();
    let mut covered = from;
    for (begin, end) in spans {
        if begin <= covered {
            covered = covered.max(end);
        }
    }
    covered >= to
}

fn minute_floor(local: DateTime) -> i32 {
    i32::from(local.hour()) * 60 + i32::from(local.minute())
}

fn minute_ceil(local: DateTime) -> i32 {
    minute_floor(local) + i32::from(local.second() > 0)
}
