//! Occurrences of a series: the dates of its rule, without exceptions, resolved to instants.

use super::{
    Choices, MIN_DISTANCE_MS, Series, SkippedTime, ZoneRules,
    candidates::{Candidate, CandidateStep, Candidates},
    zone_rules::{add_days, local_seconds},
};
use crate::{
    Timestamp,
    state::{ParseEnumError, string_enum},
    time::{Disambiguation, Meaning},
};
use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// What is special about the time of an occurrence.
    OccurrenceMark {
        /// Its local time is skipped; it takes place at the first local time after the gap.
        MovedByGap = "moved_by_gap",
        /// Its local time occurs twice; it takes place at the first.
        Earlier = "earlier",
        /// Its local time occurs twice; it takes place at the second.
        Later = "later",
    }
}

/// An occurrence of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Local time by the rule; with the series, its identity.
    pub original_local: DateTime,
    /// The instant.
    pub at: Timestamp,
    /// Seconds east of UTC at that instant.
    pub offset_seconds: i32,
    /// What is special about its time; `None`: nothing.
    pub mark: Option<OccurrenceMark>,
}

/// Why a rule has no occurrence where one could be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omission {
    /// The month, given by its first day, does not have the day of the rule.
    Month(Date),
    /// The date is an exception.
    Exception(Date),
    /// The local time is skipped by a change of the clocks.
    SkippedTime(DateTime),
}

/// A step through a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// An occurrence.
    Occurrence(Occurrence),
    /// None, for that reason.
    Omitted(Omission),
}

impl Step {
    /// The occurrence, if it is one.
    #[must_use]
    pub fn occurrence(self) -> Option<Occurrence> {
        match self {
            Self::Occurrence(occurrence) => Some(occurrence),
            Self::Omitted(_) => None,
        }
    }
}

/// The instant of a local time by the choices of a series; `None`: skipped, or outside the
/// supported range.
#[must_use]
pub fn instant_of(
    local: DateTime,
    choices: Choices,
    zone: &dyn ZoneRules,
) -> Option<(Timestamp, Option<OccurrenceMark>)> {
    Some(match (zone.meaning(local)?, choices) {
        (Meaning::Once(at), _) => (at, None),
        (Meaning::Twice { earlier, .. }, Choices { doubled_time: Disambiguation::Earlier, .. }) => {
            (earlier, Some(OccurrenceMark::Earlier))
        }
        (Meaning::Twice { later, .. }, Choices { doubled_time: Disambiguation::Later, .. }) => {
            (later, Some(OccurrenceMark::Later))
        }
        (Meaning::Never { jump }, Choices { skipped_time: SkippedTime::NextValid, .. }) => {
            (jump, Some(OccurrenceMark::MovedByGap))
        }
        (Meaning::Never { .. }, Choices { skipped_time: SkippedTime::Skip, .. }) => return None,
    })
}

impl Series {
    /// All steps, from the first occurrence on.
    #[must_use]
    pub fn steps<'a>(&'a self, zone: &'a dyn ZoneRules) -> Steps<'a> {
        self.steps_from(zone, self.starts_local.date())
    }

    /// The steps from about `date` on; earlier ones may be among them. Costs no more than a step for
    /// each occurrence of [`super::RuleEnd::Count`], however late the date.
    #[must_use]
    pub fn steps_from<'a>(&'a self, zone: &'a dyn ZoneRules, date: Date) -> Steps<'a> {
        let candidates = Candidates::new(&self.rule, self.starts_local.date()).skip_to(date);
        Steps { series: self, zone, candidates, next: None }
    }

    /// The occurrences at or after `from` and before `to`, at most `max`.
    #[must_use]
    pub fn occurrences(
        &self,
        zone: &dyn ZoneRules,
        from: Timestamp,
        to: Timestamp,
        max: usize,
    ) -> Vec<Occurrence> {
        // An occurrence that a gap moves may be a day later than its local date.
        let date = zone.local_at(from).and_then(|local| add_days(local.date(), -2));
        let steps = self.steps_from(zone, date.unwrap_or_else(|| self.starts_local.date()));
        let found = steps.filter_map(Step::occurrence).skip_while(|occurrence| occurrence.at < from);
        found.take_while(|occurrence| occurrence.at < to).take(max).collect()
    }
}

/// Iterator over the steps of a series. An occurrence that a gap moves to less than an hour before
/// the next one is omitted.
pub struct Steps<'a> {
    series: &'a Series,
    zone: &'a dyn ZoneRules,
    candidates: Candidates<'a>,
    /// Computed ahead.
    next: Option<Step>,
}

impl Steps<'_> {
    fn advance(&mut self) -> Option<Step> {
        let Candidate { date, .. } = match self.candidates.next()? {
            CandidateStep::Date(candidate) => candidate,
            CandidateStep::MissingIn(month) => return Some(Step::Omitted(Omission::Month(month))),
        };
        let rule = &self.series.rule;
        if rule.exceptions.contains(&date) {
            return Some(Step::Omitted(Omission::Exception(date)));
        }
        let original_local = self.series.local_on(date);
        let Some((at, mark)) = instant_of(original_local, rule.choices, self.zone) else {
            return Some(Step::Omitted(Omission::SkippedTime(original_local)));
        };
        let offset_seconds = match mark {
            Some(OccurrenceMark::MovedByGap) => self.zone.offset_seconds(at),
            _ => {
                let offset = local_seconds(original_local) - at.millis().div_euclid(1_000);
                i32::try_from(offset).unwrap_or_default()
            }
        };
        Some(Step::Occurrence(Occurrence { original_local, at, offset_seconds, mark }))
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = self.next.take().or_else(|| self.advance())?;
        if let Step::Occurrence(moved) = step
            && moved.mark == Some(OccurrenceMark::MovedByGap)
        {
            self.next = self.advance();
            if let Some(Step::Occurrence(next)) = self.next
                && next.at.since(moved.at) < MIN_DISTANCE_MS
            {
                return Some(Step::Omitted(Omission::SkippedTime(moved.original_local)));
            }
        }
        Some(step)
    }
}
