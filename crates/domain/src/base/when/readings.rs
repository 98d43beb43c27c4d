//! The moments that a phrase can mean.

use super::{
    amount::Amount,
    clock::DayTime,
    phrase::{Day, Phrase, Said, Which},
    problem::WhenProblem,
};
use crate::{
    DomainError, Timestamp,
    base::{
        calendar::{add_days, add_months, local_seconds},
        local_time::{self, date_text},
        zone_rules::ZoneRules,
    },
    error::ValidationError,
    time::{Disambiguation, Meaning},
};
use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};

/// Maximum duration from now, in days.
const MAX_DAYS: i64 = 366;
const DAY_SECONDS: i64 = 86_400;

/// What a phrase is read with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The current time.
    pub now: Timestamp,
    /// The rules of the phrase's zone, or of the reader's if it names none.
    pub rules: &'a dyn ZoneRules,
    /// A local time that completes a text with only a date or a time; `None`: a time is the next
    /// one, and a date alone is refused.
    pub base: Option<DateTime>,
    /// Whether `6/9` is June 9 only: as in Chinese. Otherwise it may also be September 6. `6/9/2026` may
    /// be both in each language.
    pub is_month_first: bool,
    /// Whether past moments are kept, because they are refused elsewhere.
    pub keeps_past: bool,
    /// Today where the reader is, if the text names another zone: `tomorrow` may be the one here or the
    /// one there.
    pub own_today: Option<Date>,
}

/// A moment that a phrase can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The instant.
    pub at: Timestamp,
    /// Local time in the zone.
    pub local: DateTime,
    /// Seconds east of UTC.
    pub offset_seconds: i32,
    /// Which of two instants with this local time; `None`: there is one.
    pub disambiguation: Option<Disambiguation>,
}

/// What must be asked if there are several readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// The words have several meanings.
    Which,
    /// The local time occurs twice.
    DoubledTime,
    /// The local time does not exist; the readings are the times before and after the gap.
    SkippedTime,
}

/// The moments that a phrase can mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readings {
    /// In order of time; at least one.
    pub all: Vec<Reading>,
    /// What must be asked; `None`: there is one reading.
    pub question: Option<Question>,
}

impl Phrase {
    /// IANA name of the zone that the text names.
    #[must_use]
    pub fn zone(&self) -> Option<&'static str> {
        self.zone
    }

    /// Whether it asks for the next free posting slot, which only the server knows.
    #[must_use]
    pub fn is_next_slot(&self) -> bool {
        self.said == Said::NextSlot
    }

    /// Whether it names a day.
    #[must_use]
    pub fn has_day(&self) -> bool {
        matches!(self.said, Said::Local { day: Some(_), .. } | Said::Exact { .. })
    }

    /// Whether its local time depends on the current time in the zone: it has no date with a year,
    /// and is not only a time that a base completes.
    #[must_use]
    pub fn is_relative(&self, has_base: bool) -> bool {
        match self.said {
            Said::NextSlot => false,
            Said::Local { day: None, .. } => !has_base,
            Said::Local { day: Some(Day::Date(Some(_), ..) | Day::Slash(_, _, Some(_))), .. } => false,
            _ => true,
        }
    }

    /// Returns what it can mean; `Invalid` for the field `text`, or `Past`. A free slot has no
    /// reading: see [`Self::is_next_slot`].
    pub fn readings(&self, context: &Context<'_>) -> Result<Readings, DomainError> {
        let refuse = |why: WhenProblem| DomainError::invalid("text", ValidationError::When { why });
        let out_of_range = || DomainError::invalid("text", ValidationError::OutOfRange);
        let now = context.rules.local_at(context.now).ok_or_else(out_of_range)?;
        let mut found = Found { context, all: Vec::new(), question: None, is_asked: false };
        match &self.said {
            Said::NextSlot => return Err(refuse(WhenProblem::NoSlots)),
            Said::After(amount) => found.add_after(*amount).map_err(refuse)?,
            Said::Exact { day, time, offset } => {
                let date = *dates(*day, now.date(), context.is_month_first)
                    .first()
                    .ok_or_else(|| refuse(no_such_date(*day, &self.day_text)))?;
                self.check_weekday(date, context).map_err(refuse)?;
                let at = Meaning::Once(utc(at_time(date, *time).ok_or_else(out_of_range)?));
                found.add_instant(at.first().plus(-i64::from(*offset) * 1_000));
            }
            Said::Local { day, times } => {
                let (locals, is_asked) = self.locals(*day, times, now, context).map_err(refuse)?;
                found.is_asked = is_asked;
                for local in locals {
                    found.add_local(local);
                }
            }
        }
        found.finish()
    }

    fn check_weekday(&self, date: Date, context: &Context<'_>) -> Result<(), WhenProblem> {
        let is_of = |date: Date, day: i8| date.weekday().to_monday_zero_offset() == day;
        // If the day was changed alone, the weekday beside it is that of the base.
        let is_old = |day: i8| context.base.is_some_and(|base| is_of(base.date(), day));
        match self.weekday {
            Some(day) if !is_of(date, day) && !is_old(day) => {
                Err(WhenProblem::OtherWeekday { date: date_text(date) })
            }
            _ => Ok(()),
        }
    }

    /// The local times, and whether they must be asked for, also if some have passed: then the text has
    /// several meanings, and not only one that occurs again.
    fn locals(
        &self,
        day: Option<Day>,
        times: &[DayTime],
        now: DateTime,
        context: &Context<'_>,
    ) -> Result<(Vec<DateTime>, bool), WhenProblem> {
        let base = context.base.map(|base| DayTime { days: 0, time: base.time() });
        let times: Vec<DayTime> = match (times, base) {
            ([], None) => return Err(WhenProblem::NoTime),
            ([], Some(base)) => vec![base],
            (times, _) => times.to_vec(),
        };
        let (dates, is_asked) = match (day, context.base) {
            (Some(day), _) => dates_to_ask(day, now.date(), context),
            (None, Some(base)) => (vec![base.date()], false),
            (None, None) => {
                return Ok((times.iter().filter_map(|time| next(*time, now, context)).collect(), false));
            }
        };
        let missing = || day.map_or(WhenProblem::NoTime, |day| no_such_date(day, &self.day_text));
        let first = *dates.first().ok_or_else(missing)?;
        let is_right = |date: &Date| self.check_weekday(*date, context).is_ok();
        let dates: Vec<Date> = if dates.iter().any(is_right) {
            dates.into_iter().filter(is_right).collect()
        } else {
            self.check_weekday(first, context).map(|()| Vec::new())?
        };
        let all = dates.iter().flat_map(|date| times.iter().filter_map(|time| at_time(*date, *time)));
        Ok((all.collect(), is_asked && dates.len() > 1))
    }
}

/// The moments found so far.
struct Found<'a> {
    context: &'a Context<'a>,
    all: Vec<Reading>,
    question: Option<Question>,
    /// Whether all of them are kept, so that they are asked for.
    is_asked: bool,
}

impl Found<'_> {
    fn add_instant(&mut self, at: Timestamp) {
        let rules = self.context.rules;
        let Some(local) = rules.local_at(at) else { return };
        let disambiguation = match rules.meaning(local) {
            Some(Meaning::Twice { earlier, .. }) => {
                let is_first = at.since(earlier) < 1_000;
                Some(if is_first { Disambiguation::Earlier } else { Disambiguation::Later })
            }
            _ => None,
        };
        self.all.push(Reading { at, local, offset_seconds: rules.offset_seconds(at), disambiguation });
    }

    fn add_local(&mut self, local: DateTime) {
        match self.context.rules.meaning(local) {
            None => {}
            Some(Meaning::Once(at)) => self.add_instant(at),
            Some(Meaning::Twice { earlier, later }) => {
                self.question = Some(Question::DoubledTime);
                self.add_instant(earlier);
                self.add_instant(later);
            }
            Some(Meaning::Never { jump }) => {
                self.question = Some(Question::SkippedTime);
                self.add_instant(jump.plus(-60_000));
                self.add_instant(jump);
            }
        }
    }

    /// Adds the moment after now. Days are days of the calendar; if the clocks change meanwhile, they
    /// may also be 24 hours.
    fn add_after(&mut self, amount: Amount) -> Result<(), WhenProblem> {
        let elapsed = amount.seconds + amount.days * DAY_SECONDS;
        if elapsed > MAX_DAYS * DAY_SECONDS || amount.months > 12 {
            return Err(WhenProblem::TooFar);
        }
        // Full seconds, and never earlier than meant.
        let now_second = Timestamp::from_millis((self.context.now.millis() + 999).div_euclid(1_000) * 1_000);
        if amount.days != 0 || amount.months != 0 {
            let now = self.context.rules.local_at(now_second).ok_or(WhenProblem::TooFar)?;
            let date = later_date(now.date(), amount).ok_or(WhenProblem::TooFar)?;
            self.add_local(date.to_datetime(now.time()));
            let delay = amount.seconds * 1_000;
            for reading in std::mem::take(&mut self.all) {
                self.add_instant(reading.at.plus(delay));
            }
        }
        if amount.months == 0 && self.question.is_none() {
            self.add_instant(now_second.plus(elapsed * 1_000));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Readings, DomainError> {
        self.all.sort_by_key(|reading| reading.at);
        self.all.dedup_by(|one, other| one.at.since(other.at) < 1_000);
        let (now, last) = (self.context.now, self.all.last().copied());
        let is_asked = self.is_asked && self.all.iter().any(|reading| reading.at > now);
        let keeps_past = self.context.keeps_past || is_asked;
        let is_kept = |reading: &Reading| reading.at.is_valid_due_time() && (keeps_past || reading.at > now);
        self.all.retain(is_kept);
        let question = match (&self.all[..], last) {
            ([], Some(last)) if last.at <= now => return Err(DomainError::past(last.at).in_field("text")),
            ([], _) => return Err(DomainError::invalid("text", ValidationError::OutOfRange)),
            ([_], _) => None,
            ([one, other], _) if self.question.is_some() && other.at.since(one.at) < 86_400_000 => {
                self.question
            }
            _ => Some(Question::Which),
        };
        Ok(Readings { all: self.all, question })
    }
}

/// The dates that a day can mean, and whether they are several meanings of it.
fn dates_to_ask(day: Day, today: Date, context: &Context<'_>) -> (Vec<Date>, bool) {
    let mut found = dates(day, today, context.is_month_first);
    let mut is_asked = matches!(day, Day::Slash(..)) && found.len() > 1;
    let is_counted = matches!(day, Day::InDays(_) | Day::Weekday(..) | Day::After(_));
    if let Some(own) = context.own_today.filter(|own| is_counted && *own != today) {
        for date in dates(day, own, context.is_month_first) {
            if !found.contains(&date) {
                found.push(date);
                is_asked = true;
            }
        }
    }
    (found, is_asked)
}

/// The dates of a day, in order of preference; empty: there is no such day.
fn dates(day: Day, today: Date, is_month_first: bool) -> Vec<Date> {
    let days = |count: i64| add_days(today, count);
    let found: Vec<Option<Date>> = match day {
        Day::Date(year, month, day) => vec![date_of(year, month, day, today)],
        Day::Slash(month, day, year) if (is_month_first && year.is_none()) || month == day => {
            vec![date_of(year, month, day, today)]
        }
        Day::Slash(one, other, year) => {
            vec![date_of(year, one, other, today), date_of(year, other, one, today)]
        }
        Day::InYear(years, month, day) => {
            vec![date_of(Some(today.year() + i16::from(years)), month, day, today)]
        }
        Day::InMonth(months, day) => vec![in_month(today, i64::from(months), day)],
        Day::OfMonth(day) => {
            vec![(0..3).find_map(|months| in_month(today, months, day).filter(|date| *date >= today))]
        }
        Day::InDays(count) => vec![days(i64::from(count))],
        Day::After(amount) => vec![later_date(today, amount)],
        Day::Weekday(weekday, which) => {
            let now = i64::from(today.weekday().to_monday_zero_offset());
            let ahead = i64::from(weekday) - now;
            let (coming, next) = (ahead.rem_euclid(7), 7 + ahead);
            let coming_later = if coming == 0 { 7 } else { coming };
            match which {
                Which::Coming if coming == 0 => vec![days(0), days(7)],
                Which::Coming => vec![days(coming)],
                Which::Next if coming_later == next => vec![days(next)],
                Which::Next => vec![days(coming_later), days(next)],
                Which::InWeek(weeks) => vec![days(ahead + 7 * i64::from(weeks))],
            }
        }
    };
    found.into_iter().flatten().collect()
}

/// A date; without a year the next one on or after `today`.
fn date_of(year: Option<i16>, month: u8, day: u8, today: Date) -> Option<Date> {
    let of_year = |year: i16| {
        let date = local_time::new(year, [month.into(), day.into(), 0, 0, 0])?.date();
        (2_000..=2_199).contains(&year).then_some(date)
    };
    match year {
        Some(year) => of_year(year),
        None => of_year(today.year()).filter(|date| *date >= today).or_else(|| of_year(today.year() + 1)),
    }
}

/// The date after a duration; `None`: too far, or its month has no such day.
fn later_date(today: Date, amount: Amount) -> Option<Date> {
    if amount.days > MAX_DAYS || amount.months > 12 {
        return None;
    }
    add_days(add_months(today, amount.months)?, amount.days)
}

/// The day with this number, some months after this one.
fn in_month(today: Date, months: i64, day: u8) -> Option<Date> {
    let first = add_days(today, 1 - i64::from(today.day()))?;
    let found = add_days(add_months(first, months)?, i64::from(day) - 1)?;
    (found.day().cast_unsigned() == day).then_some(found)
}

fn at_time(date: Date, DayTime { days, time }: DayTime) -> Option<DateTime> {
    Some(add_days(date, i64::from(days))?.to_datetime(time))
}

/// The next moment with this time of day.
fn next(time: DayTime, now: DateTime, context: &Context<'_>) -> Option<DateTime> {
    let today = at_time(now.date(), time)?;
    let is_ahead = match context.rules.meaning(today)? {
        Meaning::Once(at) | Meaning::Twice { later: at, .. } | Meaning::Never { jump: at } => {
            at > context.now
        }
    };
    if is_ahead { Some(today) } else { at_time(now.date(), DayTime { days: time.days + 1, ..time }) }
}

/// The instant at which a clock in UTC shows this time.
fn utc(local: DateTime) -> Timestamp {
    Timestamp::from_millis(local_seconds(local) * 1_000)
}

/// Names a day that does not exist, as it was typed.
fn no_such_date(day: Day, typed: &str) -> WhenProblem {
    match day {
        Day::After(_) => WhenProblem::TooFar,
        _ => WhenProblem::NoSuchTime { part: typed.to_owned() },
    }
}
