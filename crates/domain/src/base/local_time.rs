//! Parsing and formatting of local times and dates.

use crate::error::ValidationError;
use jiff::civil::{Date, DateTime};

/// Minutes of a day.
pub const DAY_MINUTES: i32 = 24 * 60;

/// Formats as `YYYY-MM-DDTHH:MM`.
#[must_use]
pub fn minute_text(local: DateTime) -> String {
    format!("{}T{:02}:{:02}", date_text(local.date()), local.hour(), local.minute())
}

/// Formats as `YYYY-MM-DDTHH:MM:SS`.
#[must_use]
pub fn second_text(local: DateTime) -> String {
    format!("{}:{:02}", minute_text(local), local.second())
}

/// Formats as `YYYY-MM-DDTHH:MM`, with seconds unless they are 0.
#[must_use]
pub fn shortest_text(local: DateTime) -> String {
    if local.second() == 0 { minute_text(local) } else { second_text(local) }
}

/// Formats as `YYYY-MM-DD`.
#[must_use]
pub fn date_text(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
}

/// Parses `YYYY-MM-DDTHH:MM[:SS]`. A year that no task can have is reported as out of range, not as
/// a format error.
pub fn parse(text: &str) -> Result<DateTime, ValidationError> {
    let unreadable = || ValidationError::NotATime { like: "2027-03-28T09:00".to_owned() };
    let (date, time) = text.split_once('T').ok_or_else(unreadable)?;
    let date = digits(date, '-').ok_or_else(unreadable)?;
    let time = digits(time, ':').ok_or_else(unreadable)?;
    let [(year, 4..=6), (month, 2), (day, 2)] = date[..] else { return Err(unreadable()) };
    let (hour, minute, second) = match time[..] {
        [(hour, 2), (minute, 2)] => (hour, minute, 0),
        [(hour, 2), (minute, 2), (second, 2)] => (hour, minute, second),
        _ => return Err(unreadable()),
    };
    if !is_supported(year) {
        return Err(ValidationError::OutOfRange);
    }
    let year = i16::try_from(year).map_err(|_| unreadable())?;
    new(year, [month, day, hour, minute, second]).ok_or_else(unreadable)
}

/// Reads a time of a day, `H:MM` or `HH:MM` up to `24:00`, as minutes from midnight; `None`: it is none.
#[must_use]
pub fn minute_of_day(text: &str) -> Option<i32> {
    let (hour, minute) = text.split_once([':', '：'])?;
    let is_number = |part: &str| part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(hour) || !is_number(minute) || minute.len() != 2 {
        return None;
    }
    let (hour, minute): (i32, i32) = (hour.parse().ok()?, minute.parse().ok()?);
    let all = hour * 60 + minute;
    (minute < 60 && all <= DAY_MINUTES).then_some(all)
}

/// Parses `YYYY-MM-DD` between the years 2000 and 2199; `None`: it is not such a date.
#[must_use]
pub fn parse_date(text: &str) -> Option<Date> {
    let [(year, 4), (month, 2), (day, 2)] = digits(text, '-')?[..] else { return None };
    let year = i16::try_from(year).ok().filter(|_| is_supported(year))?;
    new(year, [month, day, 0, 0, 0]).map(DateTime::date)
}

/// Returns the local time of a year and of month, day, hour, minute and second; `None`: there is
/// no such time.
#[must_use]
pub fn new(year: i16, rest: [u32; 5]) -> Option<DateTime> {
    let [month, day, hour, minute, second] = rest.map(|part| i8::try_from(part).ok());
    DateTime::new(year, month?, day?, hour?, minute?, second?, 0).ok()
}

fn is_supported(year: u32) -> bool {
    (2_000..=2_199).contains(&year)
}

/// Numbers between separators, each with its number of digits.
fn digits(text: &str, separator: char) -> Option<Vec<(u32, usize)>> {
    text.split(separator)
        .take(4)
        .map(|part| {
            let is_number = !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| Some((part.parse().ok()?, part.len()))).flatten()
        })
        .collect()
}
