//! Parses the parts of a date: day, time, and offset or time zone.

use crate::zone::Zone;
use chrono::{NaiveDate, NaiveTime};
use domain::text::slice_text;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Offsets of time-zone abbreviations, minutes east of UTC. Ambiguous ones (CST, IST, BST, …) are
/// not included.
const ABBREVIATIONS: [(&str, i32); 18] = [
    ("z", 0),
    ("utc", 0),
    ("gmt", 0),
    ("ut", 0),
    ("wet", 0),
    ("west", 60),
    ("cet", 60),
    ("cest", 120),
    ("eet", 120),
    ("eest", 180),
    ("msk", 180),
    ("jst", 540),
    ("kst", 540),
    ("est", -300),
    ("edt", -240),
    ("cdt", -300),
    ("pst", -480),
    ("pdt", -420),
];

/// Maximum offset from UTC, minutes.
const MAX_OFFSET_MINUTES: i32 = 15 * 60;

/// Offset of a time from UTC.
#[derive(Debug, Clone, Copy)]
pub enum Offset {
    /// The text names none.
    Unspecified,
    /// The offset of a time zone.
    Zone(Zone),
    /// Seconds east of UTC.
    Seconds(i32),
    /// Seconds east of UTC, and the time zone in brackets behind them.
    SecondsIn(i32, Zone),
}

/// Parses a day at the beginning of a text. Returns it and the rest.
pub fn day(text: &str) -> Option<(NaiveDate, &str)> {
    numeric(text).or_else(|| compact(text)).or_else(|| month_first(text)).or_else(|| day_first(text))
}

/// Parses a number at the beginning of a text. Returns its value, its number of digits and the
/// rest.
fn number(text: &str) -> Option<(u32, usize, &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = text.get(..count.min(9))?.parse().ok()?;
    (count <= 9).then(|| (value, count, slice_text(text, count..)))
}

/// `2026-1-5`, `2026/01/05`, `2026.1.5`, `2026年1月5日`.
fn numeric(text: &str) -> Option<(NaiveDate, &str)> {
    let (year, 4, rest) = number(text)? else { return None };
    let mark = rest.chars().next().filter(|mark| matches!(mark, '-' | '/' | '.' | '年'))?;
    let (month, 1..=2, rest) = number(slice_text(rest, mark.len_utf8()..).trim_start())? else { return None };
    let second = if mark == '年' { '月' } else { mark };
    let (day, 1..=2, rest) = number(rest.strip_prefix(second)?.trim_start())? else { return None };
    let rest = if mark == '年' { rest.strip_prefix(['日', '号'])? } else { rest };
    Some((NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?, rest))
}

/// `20260105`, alone or before `T` or a space.
fn compact(text: &str) -> Option<(NaiveDate, &str)> {
    let (value, 8, rest) = number(text)? else { return None };
    if !(rest.is_empty() || rest.starts_with(['T', 't', ' ', 'Z', '+'])) {
        return None;
    }
    let year = i32::try_from(value / 10_000).ok()?;
    Some((NaiveDate::from_ymd_opt(year, value / 100 % 100, value % 100)?, rest))
}

/// `Jan 5, 2026`, `January 5th 2026`.
fn month_first(text: &str) -> Option<(NaiveDate, &str)> {
    let (month, rest) = month(text)?;
    let (day, 1..=2, rest) = number(rest.trim_start_matches(['.', ' ', '-']))? else { return None };
    let rest = without_ordinal(rest).trim_start_matches([',', ' ', '-']);
    let (year, 4, rest) = number(rest)? else { return None };
    Some((NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?, ended(rest)?))
}

/// `5 Jan 2026`, `5. January 2026`, `05-Jan-2026`.
fn day_first(text: &str) -> Option<(NaiveDate, &str)> {
    let (day, 1..=2, rest) = number(text)? else { return None };
    let (month, rest) = month(without_ordinal(rest).trim_start_matches(['.', ' ', '-']))?;
    let (year, 4, rest) = number(rest.trim_start_matches(['.', ',', ' ', '-']))? else { return None };
    Some((NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?, ended(rest)?))
}

/// Returns the rest if the year ends here.
fn ended(rest: &str) -> Option<&str> {
    (rest.is_empty() || rest.starts_with([' ', ',', 'T'])).then_some(rest)
}

fn without_ordinal(text: &str) -> &str {
    ["st", "nd", "rd", "th"].iter().find_map(|ending| text.strip_prefix(ending)).unwrap_or(text)
}

/// Parses the name of a month, or at least its first three letters. Returns its number and the
/// rest.
fn month(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let word = slice_text(text, ..end).to_lowercase();
    let index = MONTHS.iter().position(|month| word.len() >= 3 && month.starts_with(&word))?;
    Some((u32::try_from(index).ok()? + 1, slice_text(text, end..)))
}

/// Parses a time at the beginning of a text. Returns it and the rest.
pub fn time(text: &str) -> Option<(NaiveTime, &str)> {
    let (first, digits, rest) = number(text)?;
    let (hour, minute, second, nanos, rest) = match (digits, rest.strip_prefix(':')) {
        (1 | 2, Some(rest)) => {
            let (minute, 2, rest) = number(rest)? else { return None };
            let (second, nanos, rest) = seconds(rest)?;
            (first, minute, second, nanos, rest)
        }
        (1 | 2, None) if am_pm(rest).is_some() => (first, 0, 0, 0, rest),
        (4, None) => (first / 100, first % 100, 0, 0, rest),
        (6, None) => (first / 10_000, first / 100 % 100, first % 100, 0, rest),
        _ => return None,
    };
    let (hour, rest) = match am_pm(rest) {
        Some((is_afternoon, rest)) if (1..=12).contains(&hour) => {
            (hour % 12 + 12 * u32::from(is_afternoon), rest)
        }
        Some(_) => return None,
        None => (hour, rest),
    };
    Some((NaiveTime::from_hms_nano_opt(hour, minute, second, nanos)?, rest))
}

/// Parses `:SS` and a fraction, truncated to milliseconds.
fn seconds(text: &str) -> Option<(u32, u32, &str)> {
    let Some(rest) = text.strip_prefix(':') else { return Some((0, 0, text)) };
    let (second, 2, rest) = number(rest)? else { return None };
    let Some(fraction) = rest.strip_prefix(['.', ',']) else { return Some((second, 0, rest)) };
    let count = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let digits = fraction.get(..count).filter(|digits| !digits.is_empty())?;
    let millis: u32 = format!("{digits:0<3}").get(..3)?.parse().ok()?;
    Some((second, millis * 1_000_000, slice_text(fraction, count..)))
}

/// Parses `am` or `pm`. Returns whether it is `pm`, and the rest; `None`: it is neither.
fn am_pm(text: &str) -> Option<(bool, &str)> {
    let text = text.trim_start();
    let head = text.get(..2)?.to_lowercase();
    let is_afternoon = match head.as_str() {
        "am" => false,
        "pm" => true,
        _ => return None,
    };
    let rest = slice_text(text, 2..);
    (!rest.starts_with(char::is_alphabetic)).then_some((is_afternoon, rest))
}

/// Parses what follows a time: nothing, an offset, or the abbreviation or the name of a time zone.
pub fn offset_or_zone(text: &str) -> Option<Offset> {
    if text.is_empty() {
        return Some(Offset::Unspecified);
    }
    // The offset decides the instant, also beside a zone in brackets. A comment, as in mail, only
    // explains it.
    if let Some((offset, explained)) = text.split_once(['[', '(']) {
        let name = explained.strip_suffix([']', ')'])?;
        return match offset.trim() {
            "" => named(name),
            offset => match (offset_or_zone(offset)?, Zone::named(name)) {
                (Offset::Seconds(seconds), Ok(zone)) if text.ends_with(']') => {
                    Some(Offset::SecondsIn(seconds, zone))
                }
                (offset, _) => Some(offset),
            },
        };
    }
    let word = text.to_lowercase();
    if let Some((_, minutes)) = ABBREVIATIONS.iter().find(|(letters, _)| *letters == word) {
        return Some(Offset::Seconds(minutes * 60));
    }
    let bare = ["utc", "gmt"].iter().find_map(|letters| word.strip_prefix(letters)).unwrap_or(&word);
    offset(bare.trim()).or_else(|| named(text))
}

fn named(name: &str) -> Option<Offset> {
    name.contains('/').then(|| Zone::named(name).ok().map(Offset::Zone)).flatten()
}

/// `+2`, `+02`, `+0200`, `-02:30`.
fn offset(text: &str) -> Option<Offset> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let (first, digits, rest) = number(slice_text(text, 1..))?;
    let (hours, minutes) = match (digits, rest) {
        (1 | 2, "") => (first, 0),
        (4, "") => (first / 100, first % 100),
        (1 | 2, rest) => {
            let (minutes, 2, "") = number(rest.strip_prefix(':')?)? else { return None };
            (first, minutes)
        }
        _ => return None,
    };
    let east = i32::try_from(hours * 60 + minutes)
        .ok()
        .filter(|east| minutes < 60 && *east <= MAX_OFFSET_MINUTES)?;
    Some(Offset::Seconds(sign * east * 60))
}
