//! Dates as people write them into files.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _};
use chrono_tz::Tz;
use domain::Timestamp;

/// Days with a time of their own or without, with an offset or without.
const WITH_OFFSET: &[&str] =
    &["%Y-%m-%d %H:%M:%S%.f %z", "%Y-%m-%d %H:%M %z", "%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%.f%z"];
const WITH_TIME: &[&str] = &[
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
];
const DAY: &[&str] = &["%Y-%m-%d", "%Y/%m/%d"];

/// The moment a text names, wall time read in `zone`; a day alone means its first moment. `None`: it names none.
#[must_use]
pub fn moment(text: &str, zone: Tz) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Some(Timestamp::from_millis(at.timestamp_millis()));
    }
    if let Some(at) = WITH_OFFSET.iter().find_map(|form| DateTime::parse_from_str(text, form).ok()) {
        return Some(Timestamp::from_millis(at.timestamp_millis()));
    }
    wall(text).map(|wall| in_zone(wall, zone))
}

/// The wall time a text names, without any offset.
fn wall(text: &str) -> Option<NaiveDateTime> {
    let with_time = WITH_TIME.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
    with_time.or_else(|| {
        let day = DAY.iter().find_map(|form| NaiveDate::parse_from_str(text, form).ok())?;
        Some(day.and_time(NaiveTime::MIN))
    })
}

/// A wall time that happens twice means the first; one that is skipped means the moment the clocks jump to.
fn in_zone(wall: NaiveDateTime, zone: Tz) -> Timestamp {
    // No zone has skipped more than a day.
    for quarters in 0..=97 {
        let candidate = wall.checked_add_signed(TimeDelta::minutes(15 * quarters));
        if let Some(at) = candidate.and_then(|candidate| zone.from_local_datetime(&candidate).earliest()) {
            return Timestamp::from_millis(at.timestamp_millis());
        }
    }
    Timestamp::from_millis(wall.and_utc().timestamp_millis())
}

/// The day at the beginning of an address like `2018/09/13/Rust-1.29`.
#[must_use]
pub fn of_path(path: &str) -> Option<&str> {
    let path = path.trim_start_matches('/');
    let day = path.get(..10)?;
    let is_whole = path.len() == 10 || path[10..].starts_with('/');
    (is_whole && is_day(day, '/')).then_some(day)
}

/// The day before the name in a file name like `2018-09-13-name`, and the name.
#[must_use]
pub fn of_file(stem: &str) -> Option<(&str, &str)> {
    let day = stem.get(..10)?;
    let name = stem.get(10..)?.strip_prefix('-').filter(|name| !name.is_empty())?;
    is_day(day, '-').then_some((day, name))
}

fn is_day(text: &str, between: char) -> bool {
    let is_shaped = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => char::from(byte) == between,
        _ => byte.is_ascii_digit(),
    });
    is_shaped && wall(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        moment(text, chrono_tz::Europe::Berlin).map(|at| at.to_string())
    }

    #[test]
    fn dates_are_read_in_the_zone_unless_they_carry_their_own() {
        let noon = Some("2018-09-13T10:00:00.000Z".to_owned());
        for text in
            ["2018-09-13T10:00:00Z", "2018-09-13 12:00:00", "2018-09-13 18:00:00 +0800", "2018-09-13 12:00"]
        {
            assert_eq!(read(text), noon, "{text}");
        }
        assert_eq!(read("2018/09/13"), Some("2018-09-12T22:00:00.000Z".to_owned()));
        assert_eq!(read("soon"), None);
        assert_eq!(read("2018-13-40"), None);
    }

    #[test]
    fn a_skipped_time_means_the_jump_and_a_doubled_one_the_first() {
        assert_eq!(read("2027-03-28 02:30"), Some("2027-03-28T01:00:00.000Z".to_owned()));
        assert_eq!(read("2027-10-31 02:30"), Some("2027-10-31T00:30:00.000Z".to_owned()));
    }

    #[test]
    fn a_path_or_a_file_name_may_hold_the_day() {
        assert_eq!(of_path("2018/09/13/Rust-1.29"), Some("2018/09/13"));
        assert_eq!(of_path("2018/09/131/Rust"), None);
        assert_eq!(of_path("/releases/"), None);
        assert_eq!(of_file("2018-09-13-name"), Some(("2018-09-13", "name")));
        assert_eq!(of_file("2024-Edition-CFP"), None);
        assert_eq!(of_file("中文标题中文标题"), None);
    }
}
