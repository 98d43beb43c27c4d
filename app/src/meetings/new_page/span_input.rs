//! Input for the time and the room of a meeting.

use crate::{
    meetings::form_values::TypedTime,
    ui::{form::FormResult, time::picker::TimeInput},
};
use domain::DomainError;
use leptos::prelude::*;

/// Minutes of a day.
const DAY: u32 = 24 * 60;

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

    /// Moves the end with the start.
    fn keep_duration(self) {
        Effect::new(move |was: Option<String>| {
            let now = self.start.time.get();
            let was = was.unwrap_or_else(|| now.clone());
            let end = self.end.get_untracked();
            let minutes = (minutes_of(&was), minutes_of(&now), minutes_of(&end));
            let (Some(before), Some(after), Some(until)) = minutes else { return was };
            let moved = until.checked_sub(before).map(|length| after + length);
            if let (Some(moved), true) = (moved.filter(|moved| *moved < DAY), before != after) {
                self.end.set(clock_of(moved));
            }
            now
        });
    }
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

/// Minutes of `HH:MM[:SS]`.
fn minutes_of(time: &str) -> Option<u32> {
    let mut parts = time.split(':');
    let hour: u32 = parts.next()?.parse().ok()?;
    let minute: u32 = parts.next()?.parse().ok()?;
    Some(hour * 60 + minute)
}

/// `HH:MM`.
#[must_use]
pub fn clock_of(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        assert_eq!(minutes_of("09:30:15"), Some(570));
        assert_eq!([minutes_of(""), minutes_of("9"), minutes_of("x:1")], [None; 3]);
        assert_eq!(clock_of(570), "09:30");
    }
}
