//! Input for the time and the room of a meeting.

use crate::{
    meetings::form_values::TypedTime,
    ui::{form::FormResult, time::picker::TimeInput},
};
use domain::{
    DomainError,
    base::{
        calendar::{date_of_number, day_number},
        local_time::{date_text, parse_date},
    },
};
use leptos::prelude::*;

/// Minutes of a day.
const DAY: i64 = 24 * 60;

/// `YYYY-MM-DD` and `HH:MM[:SS]`, as the fields have them.
type DateAndTime = (String, String);

/// Room, start and end of a form. Cheap to copy.
#[derive(Clone, Copy)]
pub struct SpanInput {
    /// The start, with its zone.
    pub start: TimeInput,
    /// Time of the end, `HH:MM`.
    pub end: RwSignal<String>,
    /// Date of the end; empty: that of the start.
    pub end_date: RwSignal<String>,
    /// Id of the room; empty: none.
    pub room: RwSignal<String>,
}

/// Initial values of the input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpanValues {
    /// Id of the room; empty: none.
    pub room: String,
    /// Start and end.
    pub time: TypedTime,
}

impl SpanInput {
    /// Creates the input. A refused form brings back what was typed.
    #[must_use]
    pub fn new(values: SpanValues, refused: Option<&FormResult>) -> Self {
        let typed = |field: &str, value: String| {
            let typed = refused.and_then(|form| form.typed(field));
            typed.map_or(value, str::to_owned)
        };
        let SpanValues { room, time } = values;
        let known = refused.map(|form| form.refusal.clone()).filter(is_about_start).map(Err);
        let start = TimeInput::new(
            (typed("date", time.date), typed("time", time.time)),
            typed("zone", time.zone),
            typed("which", time.which),
            known,
        );
        let input = Self {
            start,
            end: RwSignal::new(typed("end", time.end)),
            end_date: RwSignal::new(typed("end_date", time.end_date)),
            room: RwSignal::new(typed("room_id", room)),
        };
        input.keep_duration();
        input
    }

    /// What the form would submit: the room and the times.
    #[must_use]
    pub fn question(self) -> (String, TypedTime) {
        let time = TypedTime {
            date: self.start.date.get(),
            time: self.start.time.get(),
            zone: self.start.zone.get(),
            which: self.start.which.get(),
            end: self.end.get(),
            end_date: self.end_date.get(),
        };
        (self.room.get(), time)
    }

    /// Length in minutes; `None`: start or end cannot be read.
    #[must_use]
    pub fn length(self) -> Option<i64> {
        let (start, end_date) = ((self.start.date.get(), self.start.time.get()), self.end_date.get());
        let end_date = if end_date.is_empty() { start.0.clone() } else { end_date };
        Some(minutes_of(&(end_date, self.end.get()))? - minutes_of(&start)?)
    }

    /// Lets the meeting last this many minutes.
    pub fn set_length(self, minutes: i64) {
        let start = (self.start.date.get_untracked(), self.start.time.get_untracked());
        if let Some((date, time)) = end_after(&start, minutes) {
            self.end.set(time);
            self.end_date.set(date);
        }
    }

    /// Moves the end with the start.
    fn keep_duration(self) {
        Effect::new(move |was: Option<DateAndTime>| {
            let now = (self.start.date.get(), self.start.time.get());
            let Some(was) = was else { return now };
            if minutes_of(&now).is_none() {
                return was;
            }
            let end = (self.end_date.get_untracked(), self.end.get_untracked());
            if let (Some((date, time)), true) = (moved_end(&was, &now, &end), was != now) {
                self.end.set(time);
                self.end_date.set(date);
            }
            now
        });
    }
}

/// Returns date and time of the end after the start moved: the duration stays. The date is empty on the
/// day of the start. All are pairs of date and time. `None`: one cannot be read, or the end was before
/// the start.
fn moved_end(was: &DateAndTime, now: &DateAndTime, end: &DateAndTime) -> Option<DateAndTime> {
    let end_date = if end.0.is_empty() { &was.0 } else { &end.0 };
    let until = minutes_of(&(end_date.clone(), end.1.clone()))?;
    let duration = until.checked_sub(minutes_of(was)?).filter(|minutes| *minutes >= 0)?;
    end_after(now, duration)
}

/// Returns date and time of the end of a meeting of this length; the date is empty on the day of the start.
fn end_after(start: &DateAndTime, minutes: i64) -> Option<DateAndTime> {
    let start = minutes_of(start)?;
    let end = start + minutes;
    let is_same_day = end.div_euclid(DAY) == start.div_euclid(DAY);
    let date = if is_same_day { String::new() } else { date_text(date_of_number(end.div_euclid(DAY))?) };
    Some((date, clock_of(u32::try_from(end.rem_euclid(DAY)).ok()?)))
}

/// Whether the field of the start shows this error.
#[must_use]
pub fn is_about_start(refusal: &DomainError) -> bool {
    const FIELDS: [&str; 5] = ["local_start", "starts_at", "zone", "date", "time"];
    match refusal {
        DomainError::DoubledTime { .. } | DomainError::SkippedTime { .. } | DomainError::Past { .. } => true,
        other => other.is_about(&FIELDS),
    }
}

/// Minutes from 1970-01-01T00:00 to a date and a time `HH:MM[:SS]`, by the same clock.
fn minutes_of((date, time): &DateAndTime) -> Option<i64> {
    let mut parts = time.split(':');
    let hour: i64 = parts.next()?.parse().ok()?;
    let minute: i64 = parts.next()?.parse().ok()?;
    Some(day_number(parse_date(date)?) * DAY + hour * 60 + minute)
}

/// `HH:MM`.
#[must_use]
pub fn clock_of(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(date: &str, time: &str) -> DateAndTime {
        (date.to_owned(), time.to_owned())
    }

    #[test]
    fn times_are_read_and_written() {
        let minutes = |date: &str, time: &str| minutes_of(&pair(date, time)).unwrap();
        assert_eq!(minutes("2026-12-02", "09:30:15") - minutes("2026-12-01", "09:00"), DAY + 30);
        for (date, time) in [("", "09:00"), ("2026-12-01", ""), ("2026-12-01", "9"), ("2026-12-01", "x:1")] {
            assert_eq!(minutes_of(&pair(date, time)), None, "{date} {time}");
        }
        assert_eq!(clock_of(570), "09:30");
    }

    #[test]
    fn the_end_keeps_its_distance_from_the_start() {
        // Date and time of the start before, of the start after, of the end before, of the end after.
        let cases = [
            ["2026-12-01 09:00", "2026-12-01 11:30", " 10:00", " 12:30"],
            ["2026-12-01 09:00", "2026-12-02 23:00", " 10:00", "2026-12-03 00:00"],
            ["2026-12-02 23:00", "2026-12-02 14:00", "2026-12-03 00:00", " 15:00"],
            ["2026-12-01 22:00", "2026-12-08 22:00", "2026-12-02 02:00", "2026-12-09 02:00"],
            ["2026-12-01 22:00", "2026-11-30 22:00", "2026-12-02 02:00", "2026-12-01 02:00"],
            ["2026-12-31 23:30", "2027-02-28 23:30", "2027-01-01 00:30", "2027-03-01 00:30"],
            ["2026-12-01 09:00", "2026-12-02 09:00", "2026-12-01 10:00", " 10:00"],
        ];
        let split = |text: &str| text.split_once(' ').map(|(date, time)| pair(date, time)).unwrap();
        for case in cases {
            let [was, now, end, moved] = case.map(split);
            assert_eq!(moved_end(&was, &now, &end), Some(moved), "{case:?}");
        }
    }

    #[test]
    fn a_length_gives_the_end() {
        assert_eq!(end_after(&pair("2026-12-01", "09:10"), 45), Some(pair("", "09:55")));
        assert_eq!(end_after(&pair("2026-12-31", "23:30"), 60), Some(pair("2027-01-01", "00:30")));
        assert_eq!(end_after(&pair("2026-12-31", ""), 60), None);
    }

    #[test]
    fn an_end_that_cannot_be_read_or_is_before_the_start_does_not_move() {
        let (was, now) = (pair("2026-12-01", "09:00"), pair("2026-12-01", "10:00"));
        for (date, time) in [("", ""), ("", "08:00"), ("2026-11-30", "10:00"), ("2026-13-01", "10:00")] {
            assert_eq!(moved_end(&was, &now, &pair(date, time)), None, "{date} {time}");
        }
    }
}
