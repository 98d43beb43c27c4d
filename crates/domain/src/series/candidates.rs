//! The dates of a rule, by calendar arithmetic only: without time zones and exceptions.
//!
//! Each date is computed from the start and the number of its period, never from the date before:
//! so a series on the 31st stays on the 31st.

use super::{
    Frequency, MonthDay, Rule, RuleEnd,
    zone_rules::{add_days, days_between},
};
use jiff::civil::{Date, date};
use std::collections::VecDeque;

/// Last year in which occurrences are computed.
const LAST_YEAR: i16 = 2_199;
/// Last date of a rule without an end.
pub(super) const LAST_DATE: Date = date(LAST_YEAR, 12, 31);

/// A date of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Place in the rule: equal in a rule and in a moved copy of it.
    pub place: i64,
    /// The date.
    pub date: Date,
}

/// A date of a rule, or a month that does not have its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CandidateStep {
    /// A date.
    Date(Candidate),
    /// The first day of a month without that day.
    MissingIn(Date),
}

/// Iterates over the dates of a rule from its start to its end.
#[derive(Debug, Clone)]
pub(super) struct Candidates<'a> {
    rule: &'a Rule,
    start: Date,
    /// Number of the next period: day, week, month or year, in steps of the interval.
    period: i64,
    /// Number of dates returned.
    returned: i64,
    pending: VecDeque<CandidateStep>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(rule: &'a Rule, start: Date) -> Self {
        Self { rule, start, period: 0, returned: 0, pending: VecDeque::with_capacity(7) }
    }

    /// Skips whole periods before `date`, unless the occurrences must be counted from the start.
    /// Dates shortly before `date` may remain.
    pub(super) fn skip_to(mut self, date: Date) -> Self {
        if matches!(self.rule.end, RuleEnd::Until(_)) && date > self.start {
            let interval = i64::from(self.rule.interval.max(1));
            let periods = match &self.rule.frequency {
                Frequency::Daily => days_between(self.start, date),
                Frequency::Weekly(_) => days_between(monday(self.start), date) / 7,
                Frequency::Monthly(_) => month_number(date) - month_number(self.start),
                Frequency::Yearly { .. } => i64::from(date.year()) - i64::from(self.start.year()),
            };
            self.period = periods / interval;
        }
        self
    }

    /// Computes the dates of the next period. False: there are no more.
    fn fill(&mut self) -> bool {
        let number = self.period * i64::from(self.rule.interval.max(1));
        self.period += 1;
        match &self.rule.frequency {
            Frequency::Daily => match add_days(self.start, number) {
                Some(date) => self.push(number, date),
                None => return false,
            },
            Frequency::Weekly(weekdays) => {
                let Some(monday) = add_days(monday(self.start), number * 7) else { return false };
                for weekday in weekdays {
                    let day = weekday.to_monday_zero_offset();
                    let Some(date) = add_days(monday, day.into()) else { return false };
                    self.push(0, date);
                }
            }
            Frequency::Monthly(on) => {
                let month = month_number(self.start) + number;
                return self.push_month(month, *on);
            }
            Frequency::Yearly { month, on } => {
                let year = i64::from(self.start.year()) + number;
                return self.push_month(year * 12 + i64::from(*month) - 1, *on);
            }
        }
        true
    }

    fn push(&mut self, place: i64, date: Date) {
        if date >= self.start {
            self.pending.push_back(CandidateStep::Date(Candidate { place, date }));
        }
    }

    fn push_month(&mut self, number: i64, on: MonthDay) -> bool {
        let Some((year, month)) = year_and_month(number) else { return false };
        match on.date_in(year, month, self.rule.choices.short_month) {
            Some(date) => self.push(number - month_number(self.start), date),
            None => match Date::new(year, month, 1) {
                Ok(first) if first > self.start => {
                    self.pending.push_back(CandidateStep::MissingIn(first));
                }
                _ => {}
            },
        }
        true
    }

    fn is_over(&self, date: Date) -> bool {
        date.year() > LAST_YEAR
            || match self.rule.end {
                RuleEnd::Until(until) => date > until,
                RuleEnd::Count(count) => self.returned >= i64::from(count),
            }
    }
}

impl Iterator for Candidates<'_> {
    type Item = CandidateStep;

    fn next(&mut self) -> Option<CandidateStep> {
        while self.pending.is_empty() {
            if !self.fill() {
                return None;
            }
        }
        let step = *self.pending.front()?;
        let (CandidateStep::Date(Candidate { date, .. }) | CandidateStep::MissingIn(date)) = step;
        if self.is_over(date) {
            return None;
        }
        self.pending.pop_front();
        let CandidateStep::Date(candidate) = step else { return Some(step) };
        // Places of days and weeks are the numbers of the occurrences, of months those of the months.
        let is_by_month = matches!(self.rule.frequency, Frequency::Monthly(_) | Frequency::Yearly { .. });
        let place = if is_by_month { candidate.place } else { self.returned };
        self.returned += 1;
        Some(CandidateStep::Date(Candidate { place, ..candidate }))
    }
}

fn monday(date: Date) -> Date {
    add_days(date, -i64::from(date.weekday().to_monday_zero_offset())).unwrap_or(date)
}

/// Months since the year 0.
fn month_number(date: Date) -> i64 {
    i64::from(date.year()) * 12 + i64::from(date.month()) - 1
}

/// `None`: after the last year.
fn year_and_month(number: i64) -> Option<(i16, i8)> {
    let year = i16::try_from(number.div_euclid(12)).ok().filter(|year| *year <= LAST_YEAR)?;
    Some((year, i8::try_from(number.rem_euclid(12) + 1).ok()?))
}
