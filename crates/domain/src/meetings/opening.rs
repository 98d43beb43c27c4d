//! Opening hours of a room.

use crate::{Timestamp, series::ZoneRules};
use jiff::{
    ToSpan as _,
    civil::{Date, DateTime},
};
use serde::{Deserialize, Serialize};

/// Words of the weekdays, Monday first.
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Minutes of a day.
const DAY_MINUTES: i32 = 24 * 60;

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

/// Parses `HH:MM` up to `24:00`.
fn minute_of_day(text: &str) -> Option<i32> {
    let (hour, minute) = text.split_once(':')?;
    let number = |part: &str| {
        let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i32>().ok()).flatten()
    };
    let (hour, minute) = (number(hour)?, number(minute)?);
    let all = hour * 60 + minute;
    (minute < 60 && all <= DAY_MINUTES).then_some(all)
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
