//! Parses dates as people write them. Ambiguous dates are refused.

mod parts;

use crate::zone::Zone;
use chrono::{NaiveDateTime, NaiveTime};
use domain::Timestamp;
use domain::text::slice_text;
use parts::{Offset, day, offset_or_zone, time};
use unicode_normalization::UnicodeNormalization as _;

/// Advice on the format of a date.
pub const ADVICE: &str = "write it like 2026-06-09 09:00 or 2026-06-09T09:00:00+02:00";

/// A date in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParsedDate {
    /// The instant.
    pub at: Timestamp,
    /// Name of the time zone of the local time; `None`: the date has an offset and no zone.
    pub zone: Option<&'static str>,
}

/// Parses a date; a local time without an offset is read in `zone`. A day alone means its first
/// instant there. `None`: the text is not a date, or is ambiguous.
#[must_use]
pub fn parse_date(text: &str, zone: Zone) -> Option<ParsedDate> {
    let (wall, offset) = read(text)?;
    let in_zone = |zone: Zone| Some(ParsedDate { at: zone.first_instant(wall)?, zone: Some(zone.name()) });
    let at =
        |seconds: i32| Timestamp::from_millis(wall.and_utc().timestamp_millis() - i64::from(seconds) * 1_000);
    match offset {
        Offset::Unspecified => in_zone(zone),
        Offset::Zone(zone) => in_zone(zone),
        Offset::Seconds(seconds) => Some(ParsedDate { at: at(seconds), zone: None }),
        Offset::SecondsIn(seconds, zone) => Some(ParsedDate { at: at(seconds), zone: Some(zone.name()) }),
    }
}

/// Whether a text is a date.
#[must_use]
pub fn is_date(text: &str) -> bool {
    parse_date(text, Zone::UTC).is_some()
}

fn read(text: &str) -> Option<(NaiveDateTime, Offset)> {
    let text: String = text.nfkc().map(|c| if c == '\u{2212}' { '-' } else { c }).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (day, rest) = day(without_weekday(&text))?;
    let rest = rest.trim_start_matches([',', ' ']);
    let has_t =
        rest.starts_with(['T', 't']) && slice_text(rest, 1..).starts_with(|c: char| c.is_ascii_digit());
    let (time, rest) = match rest {
        "" => (NaiveTime::MIN, ""),
        rest => time(if has_t { slice_text(rest, 1..) } else { rest }).unwrap_or((NaiveTime::MIN, rest)),
    };
    // An invalid time is not a time zone either.
    Some((day.and_time(time), offset_or_zone(rest.trim())?))
}

/// Removes a leading day of the week, as in mail headers.
fn without_weekday(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(0);
    let word = slice_text(text, ..end).to_lowercase();
    let is_weekday =
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| word.starts_with(day))
            && (word.len() == 3 || word.ends_with("day"));
    if is_weekday { slice_text(text, end..).trim_start_matches([',', '.', ' ']) } else { text }
}

/// Returns the day at the beginning of a URL path like `2018/09/13/Rust-1.29`.
#[must_use]
pub fn from_path(path: &str) -> Option<&str> {
    let path = path.trim_start_matches('/');
    let day = path.get(..10)?;
    let is_whole = path.len() == 10 || slice_text(path, 10..).starts_with('/');
    let is_shaped = day.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'/',
        _ => byte.is_ascii_digit(),
    });
    (is_whole && is_shaped && is_date(day)).then_some(day)
}

/// Splits a file name like `2018-09-13-name` or `2018-9-13-name` into day and name.
#[must_use]
pub fn from_file_name(stem: &str) -> Option<(&str, &str)> {
    let ends: Vec<usize> = stem.match_indices(['-', '_', ' ']).map(|(place, _)| place).take(3).collect();
    let [year, _, end] = ends[..] else { return None };
    let (day, name) = (slice_text(stem, ..end), slice_text(stem, end + 1..));
    let is_shaped = year == 4 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    (is_shaped && !name.is_empty() && is_date(day)).then_some((day, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        parse_date(text, Zone::stored("Europe/Berlin")).map(|date| date.at.to_string())
    }

    #[test]
    fn dates_are_read_in_the_zone_unless_they_carry_their_own() {
        for text in [
            "2018-09-13T10:00:00Z",
            "2018-09-13 12:00:00",
            "2018-09-13 18:00:00 +0800",
            "2018-09-13 12:00",
            "2018-9-13 12:00",
            "2018/09/13 12:00",
            "2018.9.13 12:00",
            "20180913 12:00",
            "20180913T120000",
            "20180913T100000Z",
            "2018-09-13t10:00z",
            "2018-09-13T12:00:00.000+0200",
            "2018-09-13T12:00:00,5+02:00",
            "2018-09-13 12:00 +2",
            "2018-09-13 12:00 UTC+2",
            "2018-09-13 10:00 GMT",
            "2018-09-13 12:00 CEST",
            "2018-09-13 06:00 EDT",
            "2018-09-13T18:00:00+08:00[Asia/Shanghai]",
            "2018-09-13 18:00 Asia/Shanghai",
            "Sep 13, 2018 12:00",
            "September 13, 2018, 12:00 PM",
            "Sept. 13th, 2018 12pm",
            "13 September 2018 12:00",
            "13-Sep-2018 12:00",
            "Thu, 13 Sep 2018 12:00:00 +0200",
            "Thu, 13 Sep 2018 12:00:00 +0200 (CEST)",
            "Thursday, September 13, 2018 12:00",
            "２０１８年９月１３日 １２：００",
            "2018-09-13 12:00 \u{2212}0000",
        ] {
            let expected = match text {
                "2018-09-13T12:00:00,5+02:00" => "2018-09-13T10:00:00.500Z",
                "2018-09-13 12:00 \u{2212}0000" => "2018-09-13T12:00:00.000Z",
                _ => "2018-09-13T10:00:00.000Z",
            };
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_day_alone_is_its_first_moment_in_the_zone() {
        for text in ["2026-01-15", "2026-1-15", "20260115", "Jan 15, 2026", "15 January 2026", "2026/01/15"] {
            assert_eq!(read(text).as_deref(), Some("2026-01-14T23:00:00.000Z"), "{text}");
        }
        for (zone, day, first) in [
            ("Africa/Cairo", "2027-04-30", "2027-04-29T22:00:00.000Z"),
            ("America/Santiago", "2027-09-05", "2027-09-05T04:00:00.000Z"),
            ("Asia/Beirut", "2027-03-28", "2027-03-27T22:00:00.000Z"),
        ] {
            let at = parse_date(day, Zone::stored(zone)).map(|date| date.at.to_string());
            assert_eq!(at.as_deref(), Some(first), "{zone}");
        }
    }

    #[test]
    fn ambiguous_or_invalid_dates_are_refused() {
        for text in [
            "soon",
            "",
            "2026",
            "2026-01",
            "01/15/2026",
            "1.2.2026",
            "15-01-2026",
            "26-01-15",
            "2018-13-40",
            "2026-02-30",
            "2026-01-15 25:00",
            "2026-01-15 24:00",
            "2026-01-15 10:60",
            "2026-01-15 10:00:60",
            "2026-01-15 13:00 pm",
            "2026-01-15 0:00 am",
            "2026-01-15 10",
            "2026-01-15 at ten",
            "2026-01-15 10:00 CST",
            "2026-01-15 10:00 IST",
            "2026-01-15 10:00 BST",
            "2026-01-15 10:00 local",
            "2026-01-15 10:00 +25:00",
            "2026-01-15 10:00 +01:75",
            "2026-01-15 10:00 Mars/Base",
            "2026-01-15 10:00+",
            "2026-W03-4",
            "2026-015",
            "1768467600",
            "2026-01-1510:00",
            "2026-01-15T",
            "2026-01/15",
            "Foo 15, 2026",
            "Jan 15",
            "Jan 32, 2026",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_skipped_time_is_moved_forward_and_a_repeated_one_is_the_first() {
        assert_eq!(read("2027-03-28 02:30").as_deref(), Some("2027-03-28T01:00:00.000Z"));
        assert_eq!(read("2027-10-31 02:30").as_deref(), Some("2027-10-31T00:30:00.000Z"));
    }

    #[test]
    fn a_zone_in_brackets_is_kept_and_the_offset_shows_which_of_two_times_it_is() {
        let zone = |text: &str| parse_date(text, Zone::UTC).map(|date| (date.at.to_string(), date.zone));
        for (text, at) in [
            ("2027-10-31T02:30+02:00[Europe/Berlin]", "2027-10-31T00:30:00.000Z"),
            ("2027-10-31T02:30+01:00[Europe/Berlin]", "2027-10-31T01:30:00.000Z"),
            ("2027-10-31T01:30:00Z[Europe/Berlin]", "2027-10-31T01:30:00.000Z"),
        ] {
            assert_eq!(zone(text), Some((at.to_owned(), Some("Europe/Berlin"))), "{text}");
        }
        for text in ["2027-10-31 02:30 +0100 (CET)", "2027-10-31T02:30+01:00[u-ca=iso8601]"] {
            assert_eq!(zone(text), Some(("2027-10-31T01:30:00.000Z".to_owned(), None)), "{text}");
        }
    }

    #[test]
    fn a_path_or_a_file_name_may_contain_the_date() {
        assert_eq!(from_path("2018/09/13/Rust-1.29"), Some("2018/09/13"));
        assert_eq!(from_path("2018/09/131/Rust"), None);
        assert_eq!(from_path("/releases/"), None);
        assert_eq!(from_file_name("2018-09-13-name"), Some(("2018-09-13", "name")));
        assert_eq!(from_file_name("2018-9-3-a-b"), Some(("2018-9-3", "a-b")));
        assert_eq!(from_file_name("2024-Edition-CFP"), None);
        assert_eq!(from_file_name("中文标题中文标题"), None);
    }
}
