//! The JSON shape of a rule: flat, as the API, SQL and forms use it.

use super::{
    Choices, Frequency, MAX_COUNT, MAX_EXCEPTIONS, MAX_INTERVAL, MonthDay, Nth, Rule, RuleEnd, SeriesProblem,
    ShortMonth, SkippedTime, rule::exists_in_some_year,
};
use crate::{
    DomainError,
    base::local_time::{date_text, parse_date},
    error::ValidationError,
    time::Disambiguation,
};
use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Words of the frequencies.
const FREQUENCIES: [&str; 4] = ["daily", "weekly", "monthly", "yearly"];
/// Words of the weekdays, Monday first.
pub(super) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A rule as JSON. Days and months that are absent are those of the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFields {
    /// `daily`, `weekly`, `monthly` or `yearly`.
    pub frequency: String,
    /// Every how many days, weeks, months or years; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<i32>,
    /// Weekly: `monday` to `sunday`. Monthly and yearly, with `nth`: exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekdays: Option<Vec<String>>,
    /// Monthly and yearly: day of the month, 1–31; -1: the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<i32>,
    /// Monthly and yearly: which of the weekdays, 1–5; -1: the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nth: Option<i32>,
    /// Yearly: month, 1–12.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<i32>,
    /// Last date, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Number of occurrences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i32>,
    /// Dates without occurrence, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// `next_valid` (if absent) or `skip`: a local time that does not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped_time: Option<String>,
    /// `earlier` (if absent) or `later`: a local time that occurs twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubled_time: Option<String>,
    /// `skip` (if absent) or `last_day`: a month without that day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_month: Option<String>,
}

/// A series as a user or a program gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSeries {
    /// Local time of the start, `YYYY-MM-DDTHH:MM`.
    pub starts_local: String,
    /// IANA time zone.
    pub zone: String,
    /// The rule.
    pub rule: RuleFields,
}

/// Returns the refusal of a field of the rule.
pub(super) fn refuse(field: &str, why: SeriesProblem) -> DomainError {
    DomainError::invalid(&format!("rule.{field}"), ValidationError::Series { why })
}

impl RuleFields {
    /// Checks the fields one by one, and fills absent ones from the start. Limits that depend on
    /// the current time are checked by [`super::Series::check`].
    pub fn into_rule(self, start: Date) -> Result<Rule, DomainError> {
        let interval = within("interval", self.interval.unwrap_or(1), MAX_INTERVAL)?;
        let frequency = self.frequency(start)?;
        let end = match (&self.until, self.count) {
            (None, None) => return Err(refuse("until", SeriesProblem::NoEnd)),
            (Some(_), Some(_)) => return Err(refuse("count", SeriesProblem::TwoEnds)),
            (Some(until), None) => RuleEnd::Until(date("until", until)?),
            (None, Some(count)) => RuleEnd::Count(within("count", count, MAX_COUNT)?),
        };
        if self.exceptions.len() > MAX_EXCEPTIONS {
            let max = u32::try_from(MAX_EXCEPTIONS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("rule.exceptions", ValidationError::TooMany { max }));
        }
        let exceptions = self
            .exceptions
            .iter()
            .map(|text| date("exceptions", text))
            .collect::<Result<BTreeSet<_>, _>>()?;
        Ok(Rule { frequency, interval, end, exceptions, choices: self.choices()? })
    }

    fn frequency(&self, start: Date) -> Result<Frequency, DomainError> {
        let unused: &[(&str, bool)] = match self.frequency.as_str() {
            "daily" => &[
                ("weekdays", self.weekdays.is_some()),
                ("day", self.day.is_some()),
                ("nth", self.nth.is_some()),
                ("month", self.month.is_some()),
            ],
            "weekly" => {
                &[("day", self.day.is_some()), ("nth", self.nth.is_some()), ("month", self.month.is_some())]
            }
            "monthly" => &[("month", self.month.is_some())],
            _ => &[],
        };
        if let Some((field, _)) = unused.iter().find(|(_, is_given)| *is_given) {
            return Err(refuse(field, SeriesProblem::NotUsed { frequency: self.frequency.clone() }));
        }
        let month = i32::from(start.month());
        Ok(match self.frequency.as_str() {
            "daily" => Frequency::Daily,
            "weekly" => Frequency::weekly(self.weekdays(start)?),
            "monthly" => Frequency::Monthly(self.month_day(start, None)?),
            "yearly" => {
                let month = within("month", self.month.unwrap_or(month), 12_u8)?;
                let month = i8::try_from(month).unwrap_or(12);
                Frequency::Yearly { month, on: self.month_day(start, Some(month))? }
            }
            _ => return Err(not_one_of("frequency", &FREQUENCIES)),
        })
    }

    fn weekdays(&self, start: Date) -> Result<Vec<Weekday>, DomainError> {
        let Some(words) = &self.weekdays else { return Ok(vec![start.weekday()]) };
        if words.is_empty() {
            return Err(DomainError::invalid("rule.weekdays", ValidationError::Empty));
        }
        if words.len() > WEEKDAYS.len() {
            return Err(DomainError::invalid("rule.weekdays", ValidationError::TooMany { max: 7 }));
        }
        let weekday = |word: &String| {
            let place = WEEKDAYS.iter().position(|known| known == word);
            let place = place.and_then(|place| i8::try_from(place).ok());
            place.and_then(|place| Weekday::from_monday_zero_offset(place).ok())
        };
        words.iter().map(|word| weekday(word).ok_or_else(|| not_one_of("weekdays", &WEEKDAYS))).collect()
    }

    fn month_day(&self, start: Date, month: Option<i8>) -> Result<MonthDay, DomainError> {
        match (self.day, self.nth, &self.weekdays) {
            (Some(_), Some(_), _) => Err(refuse("day", SeriesProblem::TwoDays)),
            (Some(_) | None, None, Some(_)) => Err(refuse("weekdays", SeriesProblem::NoNth)),
            (_, Some(nth), _) => {
                let [weekday] = self.weekdays(start)?[..] else {
                    return Err(refuse("weekdays", SeriesProblem::NotOneWeekday));
                };
                let nth = match nth {
                    -1 => Nth::Last,
                    1..=5 => Nth::FromStart(i8::try_from(nth).unwrap_or(1)),
                    _ => return Err(refuse("nth", SeriesProblem::NotOrdinal { max: 5 })),
                };
                Ok(MonthDay::Weekday(nth, weekday))
            }
            (Some(-1), None, None) => Ok(MonthDay::LastDay),
            (day, None, None) => {
                let day = day.unwrap_or_else(|| start.day().into());
                let number = i8::try_from(day).ok().filter(|day| (1..=31).contains(day));
                let number = number.ok_or_else(|| refuse("day", SeriesProblem::NotOrdinal { max: 31 }))?;
                match month {
                    Some(month) if !exists_in_some_year(month, number) => {
                        Err(refuse("day", SeriesProblem::NoSuchDay { month: month.into(), day }))
                    }
                    _ => Ok(MonthDay::Day(number)),
                }
            }
        }
    }

    fn choices(&self) -> Result<Choices, DomainError> {
        let default = Choices::default();
        let skipped = self.skipped_time.as_deref().map(|word| {
            word.parse::<SkippedTime>().map_err(|_| not_one_of("skipped_time", SkippedTime::NAMES))
        });
        let doubled = self.doubled_time.as_deref().map(|word| match word {
            "earlier" => Ok(Disambiguation::Earlier),
            "later" => Ok(Disambiguation::Later),
            _ => Err(not_one_of("doubled_time", &["earlier", "later"])),
        });
        let short = self
            .short_month
            .as_deref()
            .map(|word| word.parse::<ShortMonth>().map_err(|_| not_one_of("short_month", ShortMonth::NAMES)));
        Ok(Choices {
            skipped_time: skipped.transpose()?.unwrap_or(default.skipped_time),
            doubled_time: doubled.transpose()?.unwrap_or(default.doubled_time),
            short_month: short.transpose()?.unwrap_or(default.short_month),
        })
    }
}

/// Writes every field that the rule uses, so that it no longer depends on the start.
impl From<&Rule> for RuleFields {
    fn from(rule: &Rule) -> Self {
        let mut fields = Self {
            interval: Some(rule.interval.into()),
            exceptions: rule.exceptions.iter().copied().map(date_text).collect(),
            skipped_time: Some(rule.choices.skipped_time.as_str().to_owned()),
            doubled_time: Some(
                match rule.choices.doubled_time {
                    Disambiguation::Earlier => "earlier",
                    Disambiguation::Later => "later",
                }
                .to_owned(),
            ),
            short_month: Some(rule.choices.short_month.as_str().to_owned()),
            ..Self::default()
        };
        match rule.end {
            RuleEnd::Until(until) => fields.until = Some(date_text(until)),
            RuleEnd::Count(count) => fields.count = Some(count.into()),
        }
        let name = match &rule.frequency {
            Frequency::Daily => FREQUENCIES[0],
            Frequency::Weekly(weekdays) => {
                fields.weekdays = Some(weekdays.iter().map(|day| weekday_word(*day)).collect());
                FREQUENCIES[1]
            }
            Frequency::Monthly(on) => {
                fields.write_month_day(*on);
                FREQUENCIES[2]
            }
            Frequency::Yearly { month, on } => {
                fields.month = Some((*month).into());
                fields.write_month_day(*on);
                FREQUENCIES[3]
            }
        };
        fields.frequency = name.to_owned();
        fields
    }
}

impl RuleFields {
    fn write_month_day(&mut self, on: MonthDay) {
        match on {
            MonthDay::Day(day) => self.day = Some(day.into()),
            MonthDay::LastDay => self.day = Some(-1),
            MonthDay::Weekday(nth, weekday) => {
                self.nth = Some(match nth {
                    Nth::FromStart(nth) => nth.into(),
                    Nth::Last => -1,
                });
                self.weekdays = Some(vec![weekday_word(weekday)]);
            }
        }
    }
}

/// The word of a weekday, e.g. `monday`.
#[must_use]
pub fn weekday_word(weekday: Weekday) -> String {
    let place = usize::try_from(weekday.to_monday_zero_offset()).unwrap_or(0);
    WEEKDAYS.get(place).copied().unwrap_or_default().to_owned()
}

fn within<T: TryFrom<i32> + Into<i32> + Copy>(field: &str, value: i32, max: T) -> Result<T, DomainError> {
    let number = (1..=max.into()).contains(&value).then(|| T::try_from(value).ok()).flatten();
    number.ok_or_else(|| refuse(field, SeriesProblem::NotBetween { min: 1, max: max.into() }))
}

fn date(field: &str, text: &str) -> Result<Date, DomainError> {
    parse_date(text).ok_or_else(|| refuse(field, SeriesProblem::NotADate))
}

fn not_one_of(field: &str, words: &[&str]) -> DomainError {
    let problem = ValidationError::NotOneOf { words: words.join(", ") };
    DomainError::invalid(&format!("rule.{field}"), problem)
}
