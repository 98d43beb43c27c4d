//! The hours of one day. A day with a time change has 23, 24.5 or 25 of them.

use crate::{Timestamp, base::zone_rules::ZoneRules, time::wall_clock_time};
use serde::{Deserialize, Serialize};

/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// An hour, or the part of it before or after a time change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HourOfDay {
    /// Its first instant.
    pub begins_at: Timestamp,
    /// The first instant after it.
    pub ends_at: Timestamp,
    /// Minutes east of UTC in it.
    pub offset: i32,
    /// Whether its local time occurs a second time on this day, before or after it.
    pub is_doubled: bool,
}

/// Divides a day into hours, at each full hour and at each time change. Without gaps.
#[must_use]
pub fn hours(begins_at: Timestamp, ends_at: Timestamp, zone: &impl ZoneRules) -> Vec<HourOfDay> {
    let offset_at = |at: Timestamp| zone.offset_seconds(at).div_euclid(60);
    let mut hours: Vec<HourOfDay> = Vec::new();
    let mut at = begins_at;
    while at < ends_at {
        let offset = offset_at(at);
        let minute = i64::from(wall_clock_time(at, offset).minute);
        let full = at.plus((60 - minute) * MINUTE).min(ends_at);
        let is_other = |minutes: &i64| offset_at(at.plus(minutes * MINUTE)) != offset;
        let change = (1..full.since(at) / MINUTE).find(is_other);
        let end = change.map_or(full, |minutes| at.plus(minutes * MINUTE));
        hours.push(HourOfDay { begins_at: at, ends_at: end, offset, is_doubled: false });
        at = end;
    }
    let local = |hour: &HourOfDay| {
        let shift = i64::from(hour.offset) * MINUTE;
        (hour.begins_at.plus(shift), hour.ends_at.plus(shift))
    };
    let spans: Vec<_> = hours.iter().map(local).collect();
    for (place, hour) in hours.iter_mut().enumerate() {
        let (begin, end) = spans[place];
        let overlaps = |(other, (from, to)): (usize, &(Timestamp, Timestamp))| {
            other != place && *from < end && begin < *to
        };
        hour.is_doubled = spans.iter().enumerate().any(overlaps);
    }
    hours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Meaning;
    use jiff::civil::DateTime;

    /// A zone whose offset changes once, in minutes.
    struct OneChange(Timestamp, i32, i32);

    impl ZoneRules for OneChange {
        fn meaning(&self, _local: DateTime) -> Option<Meaning> {
            None
        }

        fn offset_seconds(&self, at: Timestamp) -> i32 {
            60 * if at < self.0 { self.1 } else { self.2 }
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// Local begin, offset and whether it is doubled.
    fn labels(hours: &[HourOfDay]) -> Vec<(String, i32, bool)> {
        let label = |hour: &HourOfDay| {
            let wall = wall_clock_time(hour.begins_at, hour.offset);
            (format!("{:02}:{:02}", wall.hour, wall.minute), hour.offset, hour.is_doubled)
        };
        hours.iter().map(label).collect()
    }

    fn label(text: &str, offset: i32, is_doubled: bool) -> (String, i32, bool) {
        (text.to_owned(), offset, is_doubled)
    }

    #[test]
    fn a_day_in_berlin_has_23_24_or_25_hours() {
        let spring = OneChange(at("2026-03-29T01:00:00Z"), 60, 120);
        let short = hours(at("2026-03-28T23:00:00Z"), at("2026-03-29T22:00:00Z"), &spring);
        assert_eq!(short.len(), 23);
        assert_eq!(labels(&short)[1..3], [label("01:00", 60, false), label("03:00", 120, false)]);
        let autumn = OneChange(at("2026-10-25T01:00:00Z"), 120, 60);
        let long = hours(at("2026-10-24T22:00:00Z"), at("2026-10-25T23:00:00Z"), &autumn);
        assert_eq!(long.len(), 25);
        assert_eq!(
            labels(&long)[1..5],
            [
                label("01:00", 120, false),
                label("02:00", 120, true),
                label("02:00", 60, true),
                label("03:00", 60, false)
            ]
        );
        let usual = hours(at("2026-11-25T23:00:00Z"), at("2026-11-26T23:00:00Z"), &autumn);
        assert_eq!(usual.len(), 24);
        assert!(usual.iter().all(|hour| hour.ends_at.since(hour.begins_at) == 60 * MINUTE));
    }

    #[test]
    fn a_change_of_half_an_hour_divides_an_hour() {
        // Lord Howe: 11:00 to 10:30 hours east of UTC at 02:00, and back.
        let autumn = OneChange(at("2027-04-03T15:00:00Z"), 660, 630);
        let long = hours(at("2027-04-03T13:00:00Z"), at("2027-04-04T13:30:00Z"), &autumn);
        assert_eq!(
            labels(&long)[..4],
            [
                label("00:00", 660, false),
                label("01:00", 660, true),
                label("01:30", 630, true),
                label("02:00", 630, false)
            ]
        );
        assert_eq!(long.len(), 25);
        let spring = OneChange(at("2026-10-03T15:30:00Z"), 630, 660);
        let short = hours(at("2026-10-03T13:30:00Z"), at("2026-10-04T13:00:00Z"), &spring);
        assert_eq!(
            labels(&short)[1..4],
            [label("01:00", 630, false), label("02:30", 660, false), label("03:00", 660, false)]
        );
        assert_eq!(short.len(), 24);
        assert_eq!(short.last().map(|hour| hour.ends_at), Some(at("2026-10-04T13:00:00Z")));
    }

    #[test]
    fn a_day_without_midnight_begins_later() {
        // Beirut: the clocks are set forward from 00:00 to 01:00.
        let spring = OneChange(at("2026-03-28T22:00:00Z"), 120, 180);
        let short = hours(at("2026-03-28T22:00:00Z"), at("2026-03-29T21:00:00Z"), &spring);
        assert_eq!((short.len(), labels(&short)[0].clone()), (23, label("01:00", 180, false)));
    }
}
