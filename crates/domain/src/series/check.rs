//! Limits of a series that depend on its occurrences and on the current time.

use super::{
    MAX_COUNT, MAX_MONTHS_AHEAD, Rule, RuleEnd, RuleFields, Series, SeriesProblem, ZoneRules,
    candidates::{CandidateStep, Candidates, LAST_DATE},
    fields::refuse,
};
use crate::{
    DomainError, Timestamp,
    base::local_time::{self, date_text},
    error::ValidationError,
};
use jiff::{ToSpan as _, civil::Date};

impl RuleFields {
    /// The rule with the last allowed date as its end if it has no end.
    #[must_use]
    pub fn or_last_date(self, zone: &dyn ZoneRules, now: Timestamp) -> Self {
        self.or_until(last_allowed_date(zone, now))
    }

    /// The rule with the last date that is computed as its end if it has no end.
    pub(crate) fn or_latest_date(self) -> Self {
        self.or_until(LAST_DATE)
    }

    fn or_until(mut self, last: Date) -> Self {
        if self.until.is_none() && self.count.is_none() {
            self.until = Some(date_text(last));
        }
        self
    }
}

impl Series {
    /// Reads a series from its parts. `zone` must be a known name.
    pub fn read(starts_local: &str, zone: &str, rule: RuleFields) -> Result<Self, DomainError> {
        let starts_local = local_time::parse(starts_local)
            .map_err(|problem| DomainError::invalid("starts_local", problem))?;
        if starts_local.second() != 0 {
            let problem = ValidationError::Series { why: SeriesProblem::NotAMinute };
            return Err(DomainError::invalid("starts_local", problem));
        }
        let rule = rule.into_rule(starts_local.date())?;
        Ok(Self { starts_local, zone: zone.to_owned(), rule })
    }

    /// Checks what the fields alone do not show: that there is an occurrence, and that the last one
    /// is at most [`MAX_MONTHS_AHEAD`] months ahead.
    pub fn check(&self, zone: &dyn ZoneRules, now: Timestamp) -> Result<(), DomainError> {
        let last_date = last_allowed_date(zone, now);
        if self.starts_local.date() > last_date {
            let why = self.too_far_ahead(last_date);
            return Err(DomainError::invalid("starts_local", ValidationError::Series { why }));
        }
        match self.rule.end {
            RuleEnd::Until(until) if until < self.starts_local.date() => {
                return Err(refuse("until", SeriesProblem::EndsBeforeStart));
            }
            RuleEnd::Until(until) if until > last_date => {
                return Err(refuse("until", self.too_far_ahead(last_date)));
            }
            RuleEnd::Count(_) if self.dates().any(|date| date > last_date) => {
                return Err(refuse("count", self.too_far_ahead(last_date)));
            }
            _ => {}
        }
        // A count that cannot be reached, e.g. every 12 months on the 31st of February.
        let has_occurrence = self.steps(zone).any(|step| step.occurrence().is_some());
        if has_occurrence { Ok(()) } else { Err(refuse("frequency", SeriesProblem::Empty)) }
    }

    /// The dates of the rule, exceptions included.
    pub(super) fn dates(&self) -> impl Iterator<Item = Date> {
        self.dates_from(self.starts_local.date())
    }

    /// The dates of the rule from about `date` on; earlier ones may be among them.
    fn dates_from(&self, date: Date) -> impl Iterator<Item = Date> {
        let candidates = Candidates::new(&self.rule, self.starts_local.date()).skip_to(date);
        candidates.filter_map(|step| match step {
            CandidateStep::Date(candidate) => Some(candidate.date),
            CandidateStep::MissingIn(_) => None,
        })
    }

    /// The same series without its dates before `from`: it keeps its last date and its interval.
    pub(super) fn starting_on(&self, from: Date) -> Self {
        let (first, end) = match self.rule.end {
            RuleEnd::Count(count) => {
                let before = self.dates().take_while(|date| *date < from).count();
                let count = count.saturating_sub(u16::try_from(before).unwrap_or(u16::MAX));
                (self.dates().nth(before), RuleEnd::Count(count))
            }
            until @ RuleEnd::Until(_) => (self.dates_from(from).find(|date| *date >= from), until),
        };
        let first = first.map(|first| self.local_on(first));
        let rule = Rule { end, ..self.rule.clone() };
        Self { starts_local: first.unwrap_or(self.starts_local), zone: self.zone.clone(), rule }
    }

    fn too_far_ahead(&self, last_date: Date) -> SeriesProblem {
        let most = usize::from(MAX_COUNT) + 1;
        let count = self.dates().take(most).take_while(|date| *date <= last_date).count();
        SeriesProblem::TooFarAhead {
            months: MAX_MONTHS_AHEAD.unsigned_abs().into(),
            last_date: date_text(last_date),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        }
    }
}

pub(super) fn last_allowed_date(zone: &dyn ZoneRules, now: Timestamp) -> Date {
    let today = zone.local_at(now).map_or(Date::MAX, |local| local.date());
    today.saturating_add(MAX_MONTHS_AHEAD.months())
}
