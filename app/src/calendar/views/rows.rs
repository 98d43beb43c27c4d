//! Rows of a day in the time grid: one for each quarter of an hour. Pure.

use crate::calendar::clock_text::clock_on;
use domain::{
    Timestamp,
    calendar::{CalendarDay, CalendarItem, HourOfDay},
    time::wall_clock_time,
};

/// Rows of an hour.
pub const HOUR_ROWS: u32 = 4;
/// Rows of a day without a clock change.
pub const USUAL_ROWS: u32 = 24 * HOUR_ROWS;
/// Minimum number of rows of an item, so that its title is readable.
pub const MIN_ROWS: u32 = 2;
/// First hour that is shown in full, unless something happens before it.
const FIRST_HOUR: u32 = 7;
/// Maximum number of rows of a day: the style sheet has no more. Clocks are set back by two hours at most.
const MAX_ROWS: u32 = 104;
/// Minutes of a row.
const ROW_MINUTES: u32 = 60 / HOUR_ROWS;
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// How the moments of a day map to rows. Beside other days the rows are those of the clock, so that an
/// hour is at the same height on all days. A day that is shown alone has a row for each quarter that
/// passes: on a day with a clock change a repeated hour is there twice, and a skipped one is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayRows {
    begins_at: Timestamp,
    ends_at: Timestamp,
    /// Minutes east of UTC at the begin of the day.
    offset: i32,
    /// The hours; empty: the day has no clock change, or they are not known.
    hours: Vec<HourOfDay>,
    /// Whether the day is shown alone, and its hours are known.
    is_elapsed: bool,
}

/// An hour in the time grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridHour {
    /// Its begin by the clock, `HH:MM`.
    pub begin: String,
    /// Its begin in words: with the offset on a day with a clock change.
    pub label: String,
    /// Which of two hours with the same time it is; `None`: there is only one.
    pub which: Option<&'static str>,
    /// Number of its rows.
    pub rows: u32,
    /// The first instant after it.
    pub ends_at: Timestamp,
}

impl GridHour {
    /// Its id on the page, which links name.
    #[must_use]
    pub fn id(&self) -> String {
        let id = hour_id(&self.begin);
        if self.which == Some("later") { format!("{id}-later") } else { id }
    }
}

/// Id on the page of the hour that begins at a time of the clock, `HH:MM`.
#[must_use]
pub fn hour_id(begin: &str) -> String {
    format!("hour-{}", begin.replace(':', ""))
}

impl DayRows {
    /// Returns the rows of a day. `is_alone`: no other day is beside it.
    #[must_use]
    pub fn of(day: &CalendarDay, is_alone: bool) -> Self {
        Self {
            begins_at: day.begins_at,
            ends_at: day.ends_at,
            offset: day.offset,
            hours: day.hours.clone(),
            is_elapsed: is_alone && !day.hours.is_empty(),
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn count(&self) -> u32 {
        if !self.is_elapsed {
            return USUAL_ROWS;
        }
        self.hours.iter().map(rows_of).sum::<u32>().clamp(MIN_ROWS, MAX_ROWS)
    }

    /// Row of a moment of the day. `offset`: minutes east of UTC then.
    #[must_use]
    pub fn row(&self, at: Timestamp, offset: i32) -> u32 {
        if !self.is_elapsed {
            let wall = wall_clock_time(at, offset);
            return wall.hour * HOUR_ROWS + wall.minute / ROW_MINUTES;
        }
        let mut first = 0;
        for hour in &self.hours {
            if at < hour.ends_at {
                let rows = at.since(hour.begins_at).max(0) / (i64::from(ROW_MINUTES) * MINUTE_MS);
                return first + u32::try_from(rows).unwrap_or(0);
            }
            first += rows_of(hour);
        }
        first
    }

    /// Row of the present; `None`: it is not on this day.
    #[must_use]
    pub fn now_row(&self, now: Timestamp) -> Option<u32> {
        let is_on_day = self.begins_at <= now && now < self.ends_at;
        is_on_day.then(|| self.row(now, self.offset_at(now)))
    }

    /// First row of an item, and the row after its last one.
    #[must_use]
    pub fn span(&self, item: &CalendarItem) -> (u32, u32) {
        let count = self.count();
        let first = if item.at < self.begins_at { 0 } else { self.row(item.at, item.offset) };
        let end = match item.ends_at {
            None => first,
            Some(end) if end >= self.ends_at => count,
            // A part of a row counts whole.
            Some(end) => self.row(end.plus(-1), item.end_offset) + 1,
        };
        let first = first.min(count - MIN_ROWS);
        (first, end.clamp(first + MIN_ROWS, count))
    }

    /// The hours of the grid.
    #[must_use]
    pub fn hours(&self, day: &CalendarDay) -> Vec<GridHour> {
        if !self.is_elapsed {
            let hour = |hour: u32| GridHour {
                begin: format!("{hour:02}:00"),
                label: format!("{hour:02}"),
                which: None,
                rows: HOUR_ROWS,
                ends_at: self.end_by_clock(hour),
            };
            return (0..24).map(hour).collect();
        }
        let hour = |hour: &HourOfDay| {
            let wall = wall_clock_time(hour.begins_at, hour.offset);
            let is_first = hour.offset == self.offset;
            GridHour {
                begin: format!("{:02}:{:02}", wall.hour, wall.minute),
                label: clock_on(day, hour.begins_at, hour.offset),
                which: hour.is_doubled.then_some(if is_first { "earlier" } else { "later" }),
                rows: rows_of(hour),
                ends_at: hour.ends_at,
            }
        };
        self.hours.iter().map(hour).collect()
    }

    /// The first instant at which an hour of the clock is over: the second time if it occurs twice, at the
    /// clock change if it is skipped.
    fn end_by_clock(&self, hour: u32) -> Timestamp {
        if self.hours.is_empty() {
            return self.begins_at.plus(i64::from(hour + 1) * HOUR_MS);
        }
        let is_until = |one: &&HourOfDay| wall_clock_time(one.begins_at, one.offset).hour <= hour;
        self.hours.iter().filter(is_until).map(|one| one.ends_at).max().unwrap_or(self.begins_at)
    }

    /// Minutes east of UTC at a moment of the day.
    fn offset_at(&self, at: Timestamp) -> i32 {
        let is_in = |hour: &&HourOfDay| hour.begins_at <= at && at < hour.ends_at;
        self.hours.iter().find(is_in).map_or(self.offset, |hour| hour.offset)
    }
}

/// Number of rows of an hour, or of a part of one.
fn rows_of(hour: &HourOfDay) -> u32 {
    let minutes = u32::try_from(hour.ends_at.since(hour.begins_at) / MINUTE_MS).unwrap_or(0);
    minutes.div_ceil(ROW_MINUTES)
}

/// Whether a meeting lasts for the whole day.
#[must_use]
pub fn is_all_day(day: &CalendarDay, item: &CalendarItem) -> bool {
    item.at <= day.begins_at && item.ends_at.is_some_and(|end| end >= day.ends_at)
}

/// Whether something happens or is free before the first hour that is shown in full.
#[must_use]
pub fn is_early(day: &CalendarDay) -> bool {
    let is_before = |at, offset| wall_clock_time(at, offset).hour < FIRST_HOUR;
    let is_early = |item: &CalendarItem| item.at < day.begins_at || is_before(item.at, item.offset);
    day.items.iter().any(|item| !is_all_day(day, item) && is_early(item))
        || day.free_slots.iter().any(|(at, offset)| is_before(*at, *offset))
}

/// Place of the hour at which a day that is shown alone opens: that of the present; on another day that of
/// what comes before the first hour that is shown in full. `None`: the begin of the day shows the first
/// hours of work.
#[must_use]
pub fn opening_hour(day: &CalendarDay, now: Timestamp) -> Option<usize> {
    let is_today = day.begins_at <= now && now < day.ends_at;
    let first = || {
        let items = day.items.iter().filter(|item| !is_all_day(day, item));
        let slots = day.free_slots.iter().map(|(at, _)| *at);
        items.map(|item| item.at.max(day.begins_at)).chain(slots).min().filter(|_| is_early(day))
    };
    let at = if is_today { Some(now) } else { first() }?;
    DayRows::of(day, true).hours(day).iter().position(|hour| at < hour.ends_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::moving::dragged::tests::item;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// A day whose clocks change by an hour or not at all. `change`: when, and the offset from then on.
    fn day(from: &str, to: &str, offset: i32, change: Option<(&str, i32)>) -> CalendarDay {
        let (begins_at, ends_at) = (at(from), at(to));
        let change = change.map(|(when, after)| (at(when), after));
        let offset_at =
            |moment: Timestamp| change.filter(|(when, _)| moment >= *when).map_or(offset, |(_, after)| after);
        let count = if change.is_some() { ends_at.since(begins_at) / HOUR_MS } else { 0 };
        let hour = |number: i64| {
            let (begin, end) = (begins_at.plus(number * HOUR_MS), begins_at.plus((number + 1) * HOUR_MS));
            let is_doubled =
                change.is_some_and(|(when, after)| after < offset && (begin == when || end == when));
            HourOfDay { begins_at: begin, ends_at: end, offset: offset_at(begin), is_doubled }
        };
        CalendarDay {
            date: "2026-10-25".to_owned(),
            begins_at,
            ends_at,
            offset,
            end_offset: offset_at(ends_at.plus(-1)),
            hours: (0..count).map(hour).collect(),
            count: 0,
            attention: 0,
            items: Vec::new(),
            free_slots: Vec::new(),
        }
    }

    /// Berlin: 03:00 becomes 02:00.
    fn autumn() -> CalendarDay {
        day("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 120, Some(("2026-10-25T01:00:00Z", 60)))
    }

    /// Berlin: 02:00 becomes 03:00.
    fn spring() -> CalendarDay {
        day("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 60, Some(("2026-03-29T01:00:00Z", 120)))
    }

    fn usual() -> CalendarDay {
        day("2026-06-08T22:00:00Z", "2026-06-09T22:00:00Z", 120, None)
    }

    #[test]
    fn the_now_line_is_at_the_time_of_the_clock_on_days_with_a_clock_change() {
        let row = |day: &CalendarDay, now: &str| DayRows::of(day, false).now_row(at(now));
        assert_eq!(row(&autumn(), "2026-10-25T00:30:00Z"), Some(10), "02:30 for the first time");
        assert_eq!(row(&autumn(), "2026-10-25T01:30:00Z"), Some(10), "02:30 for the second time");
        assert_eq!(row(&autumn(), "2026-10-25T11:00:00Z"), Some(48), "12:00, 13 hours after the begin");
        assert_eq!(row(&autumn(), "2026-10-25T22:59:00Z"), Some(95));
        assert_eq!(row(&spring(), "2026-03-29T00:59:00Z"), Some(7), "01:59");
        assert_eq!(row(&spring(), "2026-03-29T01:00:00Z"), Some(12), "03:00");
        assert_eq!(row(&spring(), "2026-03-29T10:00:00Z"), Some(48), "12:00, 11 hours after the begin");
        assert_eq!(row(&usual(), "2026-06-09T10:14:59Z"), Some(48));
        assert_eq!(row(&usual(), "2026-06-09T22:00:00Z"), None);
        assert_eq!(row(&usual(), "2026-06-08T21:59:59Z"), None);
    }

    #[test]
    fn a_day_that_is_shown_alone_has_a_row_for_each_quarter_that_passes() {
        let (autumn, spring) = (autumn(), spring());
        let (long, short) = (DayRows::of(&autumn, true), DayRows::of(&spring, true));
        assert_eq!((long.count(), short.count(), DayRows::of(&usual(), true).count()), (100, 92, 96));
        assert_eq!(long.now_row(at("2026-10-25T00:30:00Z")), Some(10));
        assert_eq!(long.now_row(at("2026-10-25T01:30:00Z")), Some(14));
        assert_eq!(short.now_row(at("2026-03-29T01:00:00Z")), Some(8));
        let hours = long.hours(&autumn);
        let named: Vec<_> = hours[1..5].iter().map(|hour| (hour.label.as_str(), hour.which)).collect();
        assert_eq!(
            named,
            [
                ("01:00 UTC+2", None),
                ("02:00 UTC+2", Some("earlier")),
                ("02:00 UTC+1", Some("later")),
                ("03:00 UTC+1", None)
            ]
        );
        assert_eq!((hours[2].id(), hours[3].id()), ("hour-0200".to_owned(), "hour-0200-later".to_owned()));
        let begins: Vec<_> = short.hours(&spring).iter().take(3).map(|hour| hour.begin.clone()).collect();
        assert_eq!(begins, ["00:00", "01:00", "03:00"]);
    }

    #[test]
    fn an_hour_is_over_when_the_clock_has_passed_it() {
        let end = |day: &CalendarDay, hour: usize| DayRows::of(day, false).hours(day)[hour].ends_at;
        assert_eq!(end(&autumn(), 1), at("2026-10-25T00:00:00Z"));
        assert_eq!(end(&autumn(), 2), at("2026-10-25T02:00:00Z"), "after its second occurrence");
        assert_eq!(end(&autumn(), 23), at("2026-10-25T23:00:00Z"));
        assert_eq!(end(&spring(), 2), at("2026-03-29T01:00:00Z"), "skipped: at the clock change");
        assert_eq!(end(&spring(), 3), at("2026-03-29T02:00:00Z"));
        assert_eq!(end(&usual(), 0), at("2026-06-08T23:00:00Z"));
        assert_eq!(end(&usual(), 23), at("2026-06-09T22:00:00Z"));
    }

    #[test]
    fn an_item_takes_the_rows_of_its_time_and_stays_on_its_day() {
        let day = usual();
        let rows = DayRows::of(&day, false);
        let span = |from: &str, to: Option<&str>| rows.span(&item(from, to));
        assert_eq!(span("2026-06-09T08:00:00Z", Some("2026-06-09T09:30:00Z")), (40, 46));
        assert_eq!(span("2026-06-09T08:20:00Z", None), (41, 43));
        assert_eq!(span("2026-06-09T21:59:00Z", None), (94, 96), "the last quarter");
        assert_eq!(span("2026-06-08T20:00:00Z", Some("2026-06-09T00:00:00Z")), (0, 8), "from the day before");
        assert_eq!(span("2026-06-09T20:00:00Z", Some("2026-06-10T04:00:00Z")), (88, 96), "to the day after");
        let whole = item("2026-06-08T20:00:00Z", Some("2026-06-10T04:00:00Z"));
        assert!(is_all_day(&day, &whole));
        assert!(!is_all_day(&day, &item("2026-06-09T08:00:00Z", Some("2026-06-10T04:00:00Z"))));
        let early = CalendarDay { items: vec![item("2026-06-09T04:59:00Z", None)], ..day.clone() };
        assert!(is_early(&early), "06:59");
        assert!(!is_early(&CalendarDay { items: vec![whole, item("2026-06-09T05:00:00Z", None)], ..day }));
    }

    #[test]
    fn a_day_opens_at_the_present_or_at_what_comes_before_the_hours_of_work() {
        let day = usual();
        assert_eq!(opening_hour(&day, at("2026-06-09T16:20:00Z")), Some(18));
        assert_eq!(opening_hour(&autumn(), at("2026-10-25T01:30:00Z")), Some(3), "02:30 for the second time");
        let other = at("2026-06-01T16:20:00Z");
        assert_eq!(opening_hour(&day, other), None);
        let items = vec![item("2026-06-09T10:00:00Z", None), item("2026-06-09T03:30:00Z", None)];
        assert_eq!(opening_hour(&CalendarDay { items, ..day.clone() }, other), Some(5));
        let items = vec![item("2026-06-09T10:00:00Z", None)];
        assert_eq!(opening_hour(&CalendarDay { items, ..day }, other), None);
    }
}
