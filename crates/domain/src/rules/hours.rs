//! When a rule may act: quiet hours and working days, by the wall clock of a zone.

use crate::{
    Timestamp,
    base::{
        calendar::add_days,
        local_time::{self, DAY_MINUTES},
        zone_rules::ZoneRules,
    },
};
use jiff::civil::{Date, DateTime, Weekday};
use serde::{Deserialize, Serialize};

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

/// Hours in which a rule does not act. They may span midnight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// Begin, `HH:MM`.
    pub from: String,
    /// End, `HH:MM`: the rule may act again.
    pub to: String,
}

/// Reads a time of a day, `H:MM` or `HH:MM`, as minutes from midnight; `None`: it is none.
#[must_use]
pub fn minute_of_day(text: &str) -> Option<i32> {
    local_time::minute_of_day(text.trim()).filter(|minute| *minute < DAY_MINUTES)
}

/// The quiet hours around a moment.
struct Quiet {
    /// Day of the moment.
    day: Date,
    /// Whether they began on the day before.
    since_yesterday: bool,
    /// Whether they end on the next day.
    until_tomorrow: bool,
    from: i32,
    to: i32,
}

impl Quiet {
    /// `None`: the moment is not in quiet hours.
    fn at(at: Timestamp, hours: &QuietHours, zone: &impl ZoneRules) -> Option<Self> {
        let (from, to) = (minute_of_day(&hours.from)?, minute_of_day(&hours.to)?);
        let local = zone.local_at(at)?;
        let minute = i32::from(local.hour()) * 60 + i32::from(local.minute());
        let spans_midnight = from > to;
        let (since_yesterday, until_tomorrow) =
            (spans_midnight && minute < to, spans_midnight && minute >= from);
        let is_quiet = since_yesterday || until_tomorrow || (from..to).contains(&minute);
        is_quiet.then_some(Self { day: local.date(), since_yesterday, until_tomorrow, from, to })
    }

    fn begin(&self, zone: &impl ZoneRules) -> Option<Timestamp> {
        instant(add_days(self.day, -i64::from(self.since_yesterday))?, self.from, zone)
    }

    fn end(&self, zone: &impl ZoneRules) -> Option<Timestamp> {
        instant(add_days(self.day, i64::from(self.until_tomorrow))?, self.to, zone)
    }
}

fn instant(day: Date, minute: i32, zone: &impl ZoneRules) -> Option<Timestamp> {
    let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
    zone.meaning(DateTime::from_parts(day, jiff::civil::Time::new(hour, minute, 0, 0).ok()?))
        .map(|meaning| meaning.first())
}

/// Returns the moment, or the end of the quiet hours it lies in.
#[must_use]
pub fn after_quiet(at: Timestamp, hours: &QuietHours, zone: &impl ZoneRules) -> Timestamp {
    Quiet::at(at, hours, zone).and_then(|quiet| quiet.end(zone)).map_or(at, |end| end.max(at))
}

/// Returns the moment, or the last minute before the quiet hours it lies in.
#[must_use]
pub fn before_quiet(at: Timestamp, hours: &QuietHours, zone: &impl ZoneRules) -> Timestamp {
    let begin = Quiet::at(at, hours, zone).and_then(|quiet| quiet.begin(zone));
    begin.map_or(at, |begin| begin.plus(-MINUTE_MS).min(at))
}

/// Returns this time, `HH:MM`, of the next day from Monday to Friday; `None`: the time is none.
#[must_use]
pub fn next_working_day(at: Timestamp, time: &str, zone: &impl ZoneRules) -> Option<Timestamp> {
    let today = zone.local_at(at)?.date();
    let is_free = |day: Date| matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    let day = (1..=3).filter_map(|days| add_days(today, days)).find(|day| !is_free(*day))?;
    instant(day, minute_of_day(time)?, zone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::calendar::local_seconds, time::Meaning};

    /// One hour east of UTC.
    struct East;

    impl ZoneRules for East {
        fn meaning(&self, local: DateTime) -> Option<Meaning> {
            Some(Meaning::Once(Timestamp::from_millis((local_seconds(local) - 3_600) * 1_000)))
        }
        fn offset_seconds(&self, _: Timestamp) -> i32 {
            3_600
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn hours(from: &str, to: &str) -> QuietHours {
        QuietHours { from: from.to_owned(), to: to.to_owned() }
    }

    #[test]
    fn a_time_of_a_day_is_hours_and_minutes() {
        for (text, minute) in [("00:00", 0), ("9:05", 545), (" 23:59 ", 1_439), ("9：30", 570)] {
            assert_eq!(minute_of_day(text), Some(minute), "{text}");
        }
        for text in ["", "9", "24:00", "9:60", "9:5", "-1:00", "+9:00", "9:00:00", "nine", "123:00"] {
            assert_eq!(minute_of_day(text), None, "{text}");
        }
    }

    #[test]
    fn a_wait_ends_outside_quiet_hours() {
        let night = hours("22:00", "08:00");
        for (moment, later, earlier) in [
            ("2027-03-03T20:59:59Z", "2027-03-03T20:59:59Z", "2027-03-03T20:59:59Z"),
            ("2027-03-03T21:00:00Z", "2027-03-04T07:00:00Z", "2027-03-03T20:59:00Z"),
            ("2027-03-04T06:59:59Z", "2027-03-04T07:00:00Z", "2027-03-03T20:59:00Z"),
            ("2027-03-04T07:00:00Z", "2027-03-04T07:00:00Z", "2027-03-04T07:00:00Z"),
        ] {
            assert_eq!(after_quiet(at(moment), &night, &East), at(later), "{moment}");
            assert_eq!(before_quiet(at(moment), &night, &East), at(earlier), "{moment}");
        }
        let noon = hours("12:00", "14:30");
        assert_eq!(after_quiet(at("2027-03-03T12:00:00Z"), &noon, &East), at("2027-03-03T13:30:00Z"));
        assert_eq!(before_quiet(at("2027-03-03T12:00:00Z"), &noon, &East), at("2027-03-03T10:59:00Z"));
        assert_eq!(after_quiet(at("2027-03-03T13:30:00Z"), &noon, &East), at("2027-03-03T13:30:00Z"));
    }

    #[test]
    fn the_next_working_day_is_not_at_the_week_end() {
        for (moment, next) in [
            // A Thursday, in local time already Friday; a Friday; a Saturday; a Sunday.
            ("2027-03-04T12:00:00Z", "2027-03-05T08:00:00Z"),
            ("2027-03-04T23:30:00Z", "2027-03-08T08:00:00Z"),
            ("2027-03-05T07:00:00Z", "2027-03-08T08:00:00Z"),
            ("2027-03-06T12:00:00Z", "2027-03-08T08:00:00Z"),
            ("2027-03-07T12:00:00Z", "2027-03-08T08:00:00Z"),
        ] {
            assert_eq!(next_working_day(at(moment), "9:00", &East), Some(at(next)), "{moment}");
        }
        assert_eq!(next_working_day(at("2027-03-04T12:00:00Z"), "soon", &East), None);
    }
}
