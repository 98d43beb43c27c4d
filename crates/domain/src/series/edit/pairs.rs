//! Which occurrence of a changed rule continues which one of the old rule.

use super::super::{
    Frequency, Series,
    candidates::{Candidate, CandidateStep, Candidates},
};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// Dates of the old rule, and the dates of the new rule that continue them.
#[derive(Debug, Default)]
pub(super) struct Pairs(BTreeMap<Date, Date>);

impl Pairs {
    /// Pairs by date, if the new rule begins on a date of the old one; otherwise like [`Self::of`].
    pub(super) fn continuing(old: &Series, new: &Series) -> Self {
        let first = new.starts_local.date();
        if old.dates().take_while(|date| *date <= first).last() == Some(first) {
            return Self(old.dates().map(|date| (date, date)).collect());
        }
        Self::of(old, new)
    }

    /// Pairs by place, if both rules have the same period and number of days in it: the second week
    /// continues the second week, March continues March. Otherwise the same date continues.
    pub(super) fn of(old: &Series, new: &Series) -> Self {
        let by_place = has_same_shape(&old.rule.frequency, &new.rule.frequency)
            && old.rule.interval == new.rule.interval;
        let key = |candidate: &Candidate| if by_place { Ok(candidate.place) } else { Err(candidate.date) };
        let new_dates: BTreeMap<_, _> = dates(new).map(|one| (key(&one), one.date)).collect();
        let pairs = dates(old).filter_map(|one| Some((one.date, *new_dates.get(&key(&one))?)));
        Self(pairs.collect())
    }

    /// The date of the new rule that continues that date of the old one.
    pub(super) fn get(&self, old: Date) -> Option<Date> {
        self.0.get(&old).copied()
    }
}

fn dates(series: &Series) -> impl Iterator<Item = Candidate> {
    Candidates::new(&series.rule, series.starts_local.date()).filter_map(|step| match step {
        CandidateStep::Date(candidate) => Some(candidate),
        CandidateStep::MissingIn(_) => None,
    })
}

fn has_same_shape(one: &Frequency, other: &Frequency) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other) && one.per_period() == other.per_period()
}
