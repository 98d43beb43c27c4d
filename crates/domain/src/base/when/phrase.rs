//! What a text says: a day, a time of day, a duration, a zone.

use super::{
    amount::{Amount, after},
    clock::{Clock, DayTime},
    german,
    problem::WhenProblem,
    tokens::{Text, Token},
    words::{Part, Unit, Word as W},
};
use jiff::civil::Time;

/// What a text says, before the rules of a zone are applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    pub(super) said: Said,
    /// Monday = 0.
    pub(super) weekday: Option<i8>,
    /// IANA name.
    pub(super) zone: Option<&'static str>,
    /// The day as it was typed; empty: there is none.
    pub(super) day_text: String,
}

/// A moment in words.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// After now.
    After(Amount),
    /// A local time. What is missing is taken from elsewhere.
    Local { day: Option<Day>, times: Vec<DayTime> },
    /// A local time with its offset from UTC, in seconds.
    Exact { day: Day, time: DayTime, offset: i32 },
    /// The next free posting slot.
    NextSlot,
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    /// Year, month, day; without a year the next one.
    Date(Option<i16>, u8, u8),
    /// Month and day, or day and month.
    Slash(u8, u8, Option<i16>),
    /// Years after this one, month, day.
    InYear(i8, u8, u8),
    /// Months after this one, and day.
    InMonth(i8, u8),
    /// The next day with this number.
    OfMonth(u8),
    /// Days after today.
    InDays(i8),
    /// A weekday, Monday = 0.
    Weekday(i8, Which),
    /// After today.
    After(Amount),
}

/// Which of the weekdays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The first one that is still to come.
    Coming,
    /// The first one after today, or that of the next week.
    Next,
    /// Weeks after this one.
    InWeek(i8),
}

impl Phrase {
    /// The time of day, if the text says nothing else. An hour that may be of the morning or of the afternoon is
    /// that of a 24-hour clock.
    pub(super) fn time_of_day(&self) -> Option<Time> {
        match (&self.said, self.weekday, self.zone) {
            (Said::Local { day: None, times }, None, None) => times.first().map(|first| first.time),
            _ => None,
        }
    }
}

/// Reads a text. The zone that it names is not applied.
pub fn parse(typed: &str) -> Result<Phrase, WhenProblem> {
    let text = Text::new(typed);
    let read = text.tokens().and_then(|tokens| of_tokens(&text, &tokens));
    read.or_else(|why| german::tokens(&text).map_or(Err(why), |tokens| of_tokens(&text, &tokens)))
}

fn of_tokens(text: &Text<'_>, tokens: &[Token]) -> Result<Phrase, WhenProblem> {
    let words: Vec<W> = tokens.iter().map(|token| token.word).collect();
    if names_slot(&words) {
        let said = Said::NextSlot;
        return Ok(Phrase { said, weekday: None, zone: None, day_text: String::new() });
    }
    let (mut parts, mut day_text) = (Parts::default(), String::new());
    let mut at = 0;
    while at < words.len() {
        let had_day = parts.day.is_some();
        if let Some(zone) = parts.unexpected_place(&words[at..]) {
            let (part, zone) = (whole(text, &tokens[at..], 1), zone.to_owned());
            return Err(WhenProblem::Place { part, zone });
        }
        let count = parts.take(&words[at..]).ok_or_else(|| not_understood(text, &tokens[at..], 3))?;
        if parts.day.is_some() && !had_day {
            day_text = whole(text, &tokens[at..], count);
        }
        at += count;
    }
    parts.finish().map(|phrase| Phrase { day_text, ..phrase }).map_err(|stop| match stop {
        Stop::Nothing => not_understood(text, tokens, usize::MAX),
        Stop::NoTime => WhenProblem::NoTime,
        Stop::NoSuchTime => WhenProblem::NoSuchTime { part: whole(text, tokens, usize::MAX) },
    })
}

fn names_slot(words: &[W]) -> bool {
    let is_slot = |word: &W| matches!(word, W::Slot | W::Free);
    let is_other =
        |word: &W| matches!(word, W::Next | W::OfNextWeek | W::This | W::Number(1, _) | W::Measure);
    words.iter().any(is_slot) && words.iter().all(|word| is_slot(word) || is_other(word))
}

fn not_understood(text: &Text<'_>, tokens: &[Token], count: usize) -> WhenProblem {
    WhenProblem::NotUnderstood { part: whole(text, tokens, count) }
}

/// The text of the first tokens.
fn whole(text: &Text<'_>, tokens: &[Token], count: usize) -> String {
    let begin = tokens.first().map_or(0, |token| token.begin);
    let last = tokens.iter().take(count).next_back();
    text.part(begin, last.map_or(begin, |token| token.end))
}

/// Why the parts make no moment.
enum Stop {
    Nothing,
    NoTime,
    NoSuchTime,
}

/// The parts that were read so far; each at most once.
#[derive(Default)]
struct Parts {
    day: Option<Day>,
    weekday: Option<(i8, Which)>,
    clocks: Vec<Clock>,
    /// Whether a second time is expected.
    has_or: bool,
    part: Option<Part>,
    amount: Option<Amount>,
    offset: Option<i32>,
    zone: Option<&'static str>,
    /// Whether `at` stands before the time.
    has_at: bool,
}

impl Parts {
    /// Reads the part at the beginning, and returns its number of words; `None`: not understood, or
    /// read before.
    fn take(&mut self, words: &[W]) -> Option<usize> {
        if is_unclear(words) {
            return None;
        }
        if let Some((day, count)) = day(words) {
            set_once(&mut self.day, day)?;
            return Some(count);
        }
        if let Some((weekday, which, count)) = weekday(words) {
            set_once(&mut self.weekday, (weekday, which))?;
            return Some(count);
        }
        if let Some((amount, count)) = after(words) {
            set_once(&mut self.amount, amount)?;
            return Some(count);
        }
        match *words {
            [W::DayPart(days, part), ..] => {
                set_once(&mut self.day, Day::InDays(days))?;
                set_once(&mut self.part, part)?;
            }
            [W::This, W::Part(part), ..] => {
                set_once(&mut self.day, Day::InDays(0))?;
                set_once(&mut self.part, part)?;
                return Some(2);
            }
            [W::Part(part), ..] => set_once(&mut self.part, part)?,
            [W::In, W::Place(zone), ..] if self.has_time() => {
                set_once(&mut self.zone, zone)?;
                return Some(2);
            }
            [W::In, W::Part(part), ..] => {
                set_once(&mut self.part, part)?;
                return Some(2);
            }
            [W::Number(year @ 2_000..=2_199, 4), ..] => self.set_year(i16::try_from(year).ok()?)?,
            [W::Zone(zone) | W::Place(zone), W::Time, ..] => {
                set_once(&mut self.zone, zone)?;
                return Some(2);
            }
            [W::Zone(zone) | W::Place(zone), ..] => set_once(&mut self.zone, zone)?,
            [W::Offset(seconds), ..] if !self.clocks.is_empty() => set_once(&mut self.offset, seconds)?,
            [W::At, _, ..] => self.has_at = true,
            [W::Or, _, ..] if self.clocks.len() == 1 && !self.has_or => self.has_or = true,
            // `七八点`
            [W::Number(one, 0), W::Number(next, 0), W::HourMark, ..]
                if next == one + 1 && self.clocks.is_empty() =>
            {
                self.clocks.push(Clock::read(&words[..1])?.0);
                self.has_or = true;
            }
            _ => return self.take_clock(words),
        }
        Some(1)
    }

    /// The zone of a place at the beginning that does not say a zone there: it must stand after the
    /// time, or before the word `time`. `None`: there is none.
    fn unexpected_place(&self, words: &[W]) -> Option<&'static str> {
        match *words {
            [W::Unclear(zone), ..] => Some(zone),
            [W::Place(_), W::Time, ..] => None,
            [W::Place(zone), ..] if !self.has_time() => Some(zone),
            _ => None,
        }
    }

    fn has_time(&self) -> bool {
        !self.clocks.is_empty() || self.amount.is_some() || self.part == Some(Part::Noon)
    }

    fn take_clock(&mut self, words: &[W]) -> Option<usize> {
        let (clock, count) = Clock::read(words)?;
        match self.clocks[..] {
            [] => self.clocks.push(clock),
            [first] if self.has_or && !clock.is_bare() => self.clocks = vec![first.before(clock), clock],
            _ => return None,
        }
        Some(count)
    }

    /// Sets the year of a date that has none.
    fn set_year(&mut self, year: i16) -> Option<()> {
        match &mut self.day {
            Some(Day::Date(known @ None, ..) | Day::Slash(_, _, known @ None)) => *known = Some(year),
            _ => return None,
        }
        Some(())
    }

    fn finish(self) -> Result<Phrase, Stop> {
        let Self { day, weekday, mut clocks, part, amount, offset, zone, .. } = self;
        if clocks.is_empty() && part == Some(Part::Noon) {
            clocks.push(Clock::NOON);
        }
        let day = match (day, weekday, amount) {
            (None, Some((weekday, which)), None) => Some(Day::Weekday(weekday, which)),
            (None, None, Some(amount)) if amount.seconds == 0 => Some(Day::After(amount)),
            (None, None, Some(amount)) if clocks.is_empty() && part.is_none() && offset.is_none() => {
                let said = Said::After(amount);
                return Ok(Phrase { said, weekday: None, zone, day_text: String::new() });
            }
            (Some(_), Some((_, Which::Next | Which::InWeek(_))), _) | (_, _, Some(_)) => {
                return Err(Stop::Nothing);
            }
            (day, _, None) => day,
        };
        let is_one_bare_number = matches!(clocks[..], [clock] if clock.is_bare());
        let has_context = day.is_some() || part.is_some() || self.has_at;
        let is_unfinished = self.has_or && clocks.len() < 2;
        if is_unfinished || (day.is_none() && clocks.is_empty()) || (is_one_bare_number && !has_context) {
            return Err(if day.is_none() && part.is_some() { Stop::NoTime } else { Stop::Nothing });
        }
        let weekday = weekday.map(|(weekday, _)| weekday);
        let has_day = day.is_some();
        let mut times = Vec::new();
        for clock in &clocks {
            let found = clock.times(part, has_day);
            if found.is_empty() {
                return Err(Stop::NoSuchTime);
            }
            times.extend(found);
        }
        let said = match (day, &times[..], offset, part) {
            (Some(day @ Day::Date(Some(_), ..)), [time], Some(offset), None) => {
                Said::Exact { day, time: *time, offset }
            }
            (_, _, Some(_), _) => return Err(Stop::Nothing),
            (Some(Day::After(amount)), [], None, None) => Said::After(amount),
            (_, [], None, Some(_)) => return Err(Stop::NoTime),
            (day, _, None, _) => Said::Local { day, times },
        };
        Ok(Phrase { said, weekday, zone, day_text: String::new() })
    }
}

fn set_once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.is_none().then(|| *place = Some(value))
}

/// Whether the words begin like `9 jun 10`, where the day is one of two numbers.
fn is_unclear(words: &[W]) -> bool {
    let [W::Number(..), W::Month(_), W::Number(1..=31, ..=2), rest @ ..] = words else { return false };
    !matches!(rest.first(), Some(W::Half(_) | W::OClock | W::HourMark))
}

/// The day at the beginning, and its number of words.
fn day(words: &[W]) -> Option<(Day, usize)> {
    let small = |number: u16| u8::try_from(number).ok().filter(|number| (1..=31).contains(number));
    let year = |year: u16| i16::try_from(year).ok();
    Some(match *words {
        [W::Date(year, month, day), ..] => (Day::Date(year, month, day), 1),
        [W::Slash(one, other, year), ..] => (Day::Slash(one, other, year), 1),
        [
            W::Number(y @ 2_000..=2_199, 4),
            W::YearMark,
            W::Number(m, _),
            W::MonthMark,
            W::Number(d, _),
            W::DayMark,
            ..,
        ] => (Day::Date(Some(year(y)?), small(m)?, small(d)?), 6),
        [W::Year(years), W::Number(m, _), W::MonthMark, W::Number(d, _), W::DayMark, ..] => {
            (Day::InYear(years, small(m)?, small(d)?), 5)
        }
        [W::Number(m, _), W::MonthMark, W::Number(d, _), W::DayMark, ..] => {
            (Day::Date(None, small(m)?, small(d)?), 4)
        }
        [W::InMonth(months), W::Number(d, _), W::DayMark, ..] => (Day::InMonth(months, small(d)?), 3),
        [W::Number(d, _), W::DayMark, ..] => (Day::OfMonth(small(d)?), 2),
        [W::Month(m), W::Number(d, ..=2) | W::Ordinal(d), W::Number(y @ 2_000..=2_199, 4), ..] => {
            (Day::Date(Some(year(y)?), m, small(d)?), 3)
        }
        [W::Month(m), W::Number(d, ..=2) | W::Ordinal(d), ..] => (Day::Date(None, m, small(d)?), 2),
        [W::Number(d, ..=2) | W::Ordinal(d), W::Month(m), W::Number(y @ 2_000..=2_199, 4), ..] => {
            (Day::Date(Some(year(y)?), m, small(d)?), 3)
        }
        [W::Number(d, ..=2) | W::Ordinal(d), W::Month(m), ..] => (Day::Date(None, m, small(d)?), 2),
        [W::Ordinal(d), ..] => (Day::OfMonth(small(d)?), 1),
        [W::Day(days), ..] => (Day::InDays(days), 1),
        [W::Unit(Unit::Day), W::After, W::Day(1), ..] => (Day::InDays(2), 3),
        _ => return None,
    })
}

/// The weekday at the beginning, and its number of words.
fn weekday(words: &[W]) -> Option<(i8, Which, usize)> {
    let week = W::Unit(Unit::Week);
    Some(match *words {
        [W::Next, unit, W::Weekday(day), ..] if unit == week => (day, Which::InWeek(1), 3),
        [W::Weekday(day), W::Next, unit, ..] if unit == week => (day, Which::InWeek(1), 3),
        [W::This, unit, W::Weekday(day), ..] if unit == week => (day, Which::InWeek(0), 3),
        [W::Weekday(day), W::This, unit, ..] if unit == week => (day, Which::InWeek(0), 3),
        [W::OfNextWeek, W::OfNextWeek, W::Weekday(day), ..] => (day, Which::InWeek(2), 3),
        [W::OfNextWeek, W::Weekday(day), ..] => (day, Which::InWeek(1), 2),
        [W::Next, W::Weekday(day), ..] => (day, Which::Next, 2),
        [W::This, W::Weekday(day), ..] => (day, Which::InWeek(0), 2),
        [W::Weekday(day), ..] => (day, Which::Coming, 1),
        _ => return None,
    })
}
