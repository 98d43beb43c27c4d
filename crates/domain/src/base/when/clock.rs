//! Times of day as people write them.

use super::words::{Part, Word as W};
use jiff::civil::Time;

/// A time of day in a text, before the part of the day is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clock {
    hour: u8,
    minute: u8,
    second: u8,
    /// `am`: false, `pm`: true.
    half: Option<bool>,
    style: Style,
}

/// How a time of day is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `9`.
    Bare,
    /// `9 o'clock`, `9点`.
    Marked,
    /// `09:00`.
    Exact,
    /// `midnight`.
    Midnight,
}

/// A time on the day that is named, or on the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DayTime {
    pub days: i8,
    pub time: Time,
}

impl Clock {
    /// Noon.
    pub const NOON: Self = Self::new(12, 0, Style::Exact);

    const fn new(hour: u8, minute: u8, style: Style) -> Self {
        Self { hour, minute, second: 0, half: None, style }
    }

    /// Reads the time at the beginning, and says how many words it has.
    pub fn read(words: &[W]) -> Option<(Self, usize)> {
        let (clock, count) = Self::without_half(words)?;
        Some(match words.get(count) {
            Some(W::Half(half)) if clock.style != Style::Midnight => {
                (Self { half: Some(*half), ..clock }, count + 1)
            }
            _ => (clock, count),
        })
    }

    fn without_half(words: &[W]) -> Option<(Self, usize)> {
        let hour = |hour: u16| u8::try_from(hour).ok().filter(|hour| *hour < 24);
        let minute = |minute: u16| u8::try_from(minute).ok().filter(|minute| *minute < 60);
        Some(match *words {
            [W::Clock(hour, minute, second), ..] => {
                (Self { second, ..Self::new(hour, minute, Style::Exact) }, 1)
            }
            [W::Decimal(h, m, 2), W::Half(_), ..] => (Self::new(hour(h)?, minute(m)?, Style::Exact), 1),
            [W::Number(h, ..=2), W::HourMark, W::HalfOf, ..] => (Self::new(hour(h)?, 30, Style::Marked), 3),
            [W::Number(h, ..=2), W::HourMark, W::Number(q @ (1 | 3), _), W::QuarterMark, ..] => {
                (Self::new(hour(h)?, minute(q * 15)?, Style::Marked), 4)
            }
            [W::Number(h, ..=2), W::HourMark, W::Number(m, ..=2), W::MinuteMark, ..] => {
                (Self::new(hour(h)?, minute(m)?, Style::Marked), 4)
            }
            [W::Number(h, ..=2), W::HourMark, W::Number(m, ..=2), ref rest @ ..] if !is_marked(rest) => {
                (Self::new(hour(h)?, minute(m)?, Style::Marked), 3)
            }
            [W::Number(h, ..=2), W::HourMark | W::OClock, ..] => (Self::new(hour(h)?, 0, Style::Marked), 2),
            [W::HalfOf, W::Past, W::Number(h, ..=2), ..] => (Self::new(hour(h)?, 30, Style::Marked), 3),
            [W::Quarter, W::Past, W::Number(h, ..=2), ..] => (Self::new(hour(h)?, 15, Style::Marked), 3),
            [W::Quarter, W::To, W::Number(h, ..=2), ..] => {
                (Self::new(hour(h)?.checked_sub(1)?, 45, Style::Marked), 3)
            }
            [W::HalfTo, W::Number(h @ 1..=12, ..=2), ..] => {
                (Self::new(hour(if h == 1 { 12 } else { h - 1 })?, 30, Style::Marked), 2)
            }
            [W::Noon, ..] => (Self::NOON, 1),
            [W::Midnight, ..] => (Self::new(0, 0, Style::Midnight), 1),
            [W::Number(h, ..=2), ..] => (Self::new(hour(h)?, 0, Style::Bare), 1),
            // `0930`, `1830`; what may be a year is no time.
            [W::Number(n @ (0..=1_999 | 2_200..=9_999), 4), ..] => {
                (Self::new(hour(n / 100)?, minute(n % 100)?, Style::Exact), 1)
            }
            _ => return None,
        })
    }

    /// Whether nothing but a number says that it is a time.
    pub fn is_bare(self) -> bool {
        self.style == Style::Bare && self.half.is_none()
    }

    /// The first of two times, `7` in `7–8 pm`: the same half of the day, unless it has its own.
    pub fn before(self, second: Self) -> Self {
        let style = if self.style == Style::Bare { second.style } else { self.style };
        Self { half: self.half.or(second.half), style, ..self }
    }

    /// The times that are meant; empty: there is no such time.
    pub fn times(self, part: Option<Part>, has_day: bool) -> Vec<DayTime> {
        let whole = |hour: u8| if hour < 24 { vec![(0, hour)] } else { Vec::new() };
        let hours = match (self.half, part) {
            // Midnight is at the beginning of the day, or at its end.
            (None, None) if self.style == Style::Midnight && has_day => vec![(0, 0), (1, 0)],
            (None, None) if self.is_small() => vec![(0, self.hour), (0, self.hour + 12)],
            (None, None) => whole(self.hour),
            (None, Some(part)) => hours_of_part(self.hour, part),
            (Some(_), _) if !(1..=12).contains(&self.hour) => Vec::new(),
            (Some(is_afternoon), part) => {
                let hour = self.hour % 12 + 12 * u8::from(is_afternoon);
                let of_part = part.map_or_else(|| whole(hour), |part| hours_of_part(hour, part));
                // `9 am in the evening` is none.
                of_part.into_iter().filter(|(_, found)| *found == hour).collect()
            }
        };
        hours.into_iter().filter_map(|(days, hour)| self.at(days, hour)).collect()
    }

    /// Whether it is an hour that may be one of the morning or of the afternoon.
    fn is_small(self) -> bool {
        matches!(self.style, Style::Bare | Style::Marked) && (1..=6).contains(&self.hour)
    }

    fn at(self, days: i8, hour: u8) -> Option<DayTime> {
        let part = |part: u8| i8::try_from(part).ok();
        Some(DayTime { days, time: Time::new(part(hour)?, part(self.minute)?, part(self.second)?, 0).ok()? })
    }
}

/// The hours, and the days after the named one, that a written hour means in a part of the day; empty:
/// it is not in that part. After midnight, an evening or a night belongs to either day.
fn hours_of_part(hour: u8, part: Part) -> Vec<(i8, u8)> {
    let same = vec![(0, hour)];
    let later = vec![(0, hour + 12)];
    let both = |hour: u8| vec![(0, hour), (1, hour)];
    match (part, hour) {
        (Part::Dawn, 0..=6) | (Part::Morning, 0..=11) | (Part::Noon, 11..=14) => same,
        (Part::Dawn, 12) => vec![(0, 0)],
        (Part::Noon, 1 | 2) => later,
        (Part::Afternoon, 12..=18) | (Part::Evening, 16..=23) | (Part::Night, 18..=23) => same,
        (Part::Afternoon, 1..=7) | (Part::Evening, 5..=11) | (Part::Night, 6..=11) => later,
        (Part::Evening | Part::Night, 0 | 12) => both(0),
        (Part::Evening, 1..=4) | (Part::Night, 1..=5) => both(hour),
        _ => Vec::new(),
    }
}

/// Whether the number before these words is not a minute.
fn is_marked(rest: &[W]) -> bool {
    matches!(
        rest.first(),
        Some(W::MonthMark | W::DayMark | W::HourMark | W::YearMark | W::Unit(_) | W::Measure)
    )
}
