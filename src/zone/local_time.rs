//! Parsing and formatting of local times.

use chrono::{Datelike, NaiveDateTime, Timelike};
use domain::{DomainError, error::ValidationError};
use jiff::civil::DateTime;

/// `YYYY-MM-DDTHH:MM`.
pub(super) fn minute(wall: DateTime) -> String {
    wall.strftime("%Y-%m-%dT%H:%M").to_string()
}

/// `YYYY-MM-DDTHH:MM:SS`.
pub(super) fn second(wall: DateTime) -> String {
    wall.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Converts to a jiff type; `None`: beyond the range that jiff supports.
pub(super) fn of_chrono(wall: NaiveDateTime) -> Option<DateTime> {
    let year = i16::try_from(wall.year()).ok()?;
    new(year, [wall.month(), wall.day(), wall.hour(), wall.minute(), wall.second()])
}

/// Parses `YYYY-MM-DDTHH:MM[:SS]`. A year that no task can have is reported as out of range, not as
/// a format error.
pub(super) fn parse(text: &str) -> Result<DateTime, DomainError> {
    let unreadable =
        || DomainError::invalid("local", ValidationError::NotATime { like: "2027-03-28T09:00".to_owned() });
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
        return Err(DomainError::invalid("local", ValidationError::OutOfRange));
    }
    let year = i16::try_from(year).map_err(|_| unreadable())?;
    new(year, [month, day, hour, minute, second]).ok_or_else(unreadable)
}

fn new(year: i16, rest: [u32; 5]) -> Option<DateTime> {
    let [month, day, hour, minute, second] = rest.map(|part| i8::try_from(part).ok());
    DateTime::new(year, month?, day?, hour?, minute?, second?, 0).ok()
}

/// Numbers between separators, each with its number of digits.
fn digits(text: &str, separator: char) -> Option<Vec<(u32, usize)>> {
    text.split(separator)
        .map(|part| {
            let is_number = !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| Some((part.parse().ok()?, part.len()))).flatten()
        })
        .collect()
}
