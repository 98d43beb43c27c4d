//! Reminders that repeat. One row is the coming occurrence and has the rule. When it is sent, put off,
//! done or cancelled, the next occurrence gets a row of its own and takes the rule over.

use crate::{
    DomainError, Timestamp,
    base::{local_time::minute_text, when::WordsMeaning},
    error::ValidationError,
    series::{NewSeries, Occurrence, RuleFields, Series, SeriesProblem, ZoneRules},
};
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// How a reminder repeats, in the time zone of its local time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeats {
    /// Local time from which on the rule applies, `YYYY-MM-DDTHH:MM`.
    pub starts_local: String,
    /// The rule. Without an end it goes on until a user cancels it.
    pub rule: RuleFields,
}

/// What a time in words means for a reminder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderWords {
    /// The moment; of a series, that of its first occurrence.
    pub meaning: WordsMeaning,
    /// How it repeats; `None`: it does not.
    pub repeats: Option<RuleFields>,
}

impl Repeats {
    /// Checks a rule, and returns it with its first occurrence from `now` on. `Invalid` names the field
    /// of the rule, or `starts_local`.
    pub fn start(
        new: NewSeries,
        zone: &dyn ZoneRules,
        now: Timestamp,
    ) -> Result<(Self, Occurrence), DomainError> {
        let is_endless = is_endless(&new.rule);
        let series = Series::read(&new.starts_local, &new.zone, new.rule.or_last_date(zone, now))?;
        series.check(zone, now)?;
        let first = series.occurrences(zone, now, Timestamp::LATEST, 1).first().copied();
        let none =
            || DomainError::invalid("rule.until", ValidationError::Series { why: SeriesProblem::Empty });
        Ok((Self::of(&series, is_endless), first.ok_or_else(none)?))
    }

    /// The next occurrence that is after `last` and still to come; `None`: the series has ended. `zone`:
    /// that of the local time.
    pub fn next(
        &self,
        zone: &dyn ZoneRules,
        last: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Occurrence>, DomainError> {
        let from = last.max(now).plus(1);
        Ok(self.series()?.occurrences(zone, from, Timestamp::LATEST, 1).first().copied())
    }

    /// The same rule, moved so that the occurrence at the local time `from` is at `to`.
    pub fn moved(&self, from: DateTime, to: DateTime) -> Result<Self, DomainError> {
        Ok(Self::of(&self.series()?.moved_to(from.date(), to), is_endless(&self.rule)))
    }

    /// The rule with an end, which is not that of new series: the next occurrence of `every 2 years` is
    /// further ahead. The name of the zone has no meaning for occurrences.
    fn series(&self) -> Result<Series, DomainError> {
        Series::read(&self.starts_local, "", self.rule.clone().or_latest_date())
    }

    fn of(series: &Series, is_endless: bool) -> Self {
        let mut rule = RuleFields::from(&series.rule);
        if is_endless {
            rule.until = None;
        }
        Self { starts_local: minute_text(series.starts_local), rule }
    }
}

fn is_endless(rule: &RuleFields) -> bool {
    rule.until.is_none() && rule.count.is_none()
}
