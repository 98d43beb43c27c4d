//! Which occurrences of a series are to come: those to store ahead of time, for the task `series.extend`,
//! and those of another program's series that can be booked.

use super::{
    MAX_STORED_AHEAD, Occurrence, Rule, RuleEnd, Series, Step, ZoneRules,
    check::last_allowed_date,
    zone_rules::{add_days, days_between},
};
use crate::Timestamp;
use jiff::civil::{Date, DateTime};

/// Maximum number of dates that are compared after a move.
const MAX_COMPARED: usize = 1_000;

/// The part of a series that can be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpcomingSeries {
    /// The series from its next occurrence on.
    pub series: Series,
    /// Whether occurrences that have passed were left out.
    pub is_running: bool,
    /// Whether occurrences were left out because they are too far ahead.
    pub is_shortened: bool,
}

impl Series {
    /// Whether the start is on a date of the rule. Programs differ on whether another start is an
    /// occurrence.
    #[must_use]
    pub fn starts_by_rule(&self) -> bool {
        self.dates().next() == Some(self.starts_local.date())
    }

    /// The same series without its dates from `date` on.
    #[must_use]
    pub fn ending_before(&self, date: Date) -> Self {
        let last = add_days(date, -1).unwrap_or(date);
        let is_earlier = match self.rule.end {
            RuleEnd::Until(until) => until < date,
            RuleEnd::Count(_) => self.dates().all(|one| one < date),
        };
        let end = if is_earlier { self.rule.end } else { RuleEnd::Until(last) };
        Self { rule: Rule { end, ..self.rule.clone() }, ..self.clone() }
    }

    /// The same series from `from` on, moved so that its first date is that of `to`, and to that time of
    /// day. `None`: no rule has these dates.
    #[must_use]
    pub fn moved_from(&self, from: Date, to: DateTime) -> Option<Self> {
        let old = self.starting_on(from);
        let days = days_between(from, to.date());
        let frequency = match days {
            0 => old.rule.frequency.clone(),
            _ => old.rule.frequency.moved(from, to.date()),
        };
        let end = match old.rule.end {
            RuleEnd::Until(until) => RuleEnd::Until(add_days(until, days)?),
            count @ RuleEnd::Count(_) => count,
        };
        let later = old.rule.exceptions.iter().filter(|date| **date >= from);
        let exceptions = later.filter_map(|date| add_days(*date, days)).collect();
        let rule = Rule { frequency, end, exceptions, ..old.rule.clone() };
        let moved = Self { starts_local: to, zone: old.zone.clone(), rule };
        let is_same = {
            let mut pairs = old.dates().take(MAX_COMPARED).zip(moved.dates());
            pairs.all(|(date, moved)| add_days(date, days) == Some(moved))
        };
        (is_same && old.starts_local.date() == from).then_some(moved)
    }

    /// The same as [`Self::moved_from`]; if no rule has these dates, the rule whose day is that of `to`.
    #[must_use]
    pub fn moved_to(&self, from: Date, to: DateTime) -> Self {
        self.moved_from(from, to).unwrap_or_else(|| {
            let old = self.starting_on(from);
            let frequency = old.rule.frequency.moved(from, to.date());
            Self { starts_local: to, zone: old.zone, rule: Rule { frequency, ..old.rule } }
        })
    }

    /// Returns the part that is still to come, and at most [`super::MAX_MONTHS_AHEAD`] months ahead.
    /// `None`: nothing is still to come.
    #[must_use]
    pub fn upcoming(&self, zone: &dyn ZoneRules, now: Timestamp) -> Option<UpcomingSeries> {
        let next = self.occurrences(zone, now.plus(1), Timestamp::LATEST, 1);
        let first = next.first()?.original_local.date();
        let is_running = self.steps(zone).find_map(Step::occurrence).is_some_and(|first| first.at <= now);
        let mut series = if is_running { self.starting_on(first) } else { self.clone() };
        let last = last_allowed_date(zone, now);
        let is_shortened = first <= last && series.goes_beyond(last);
        if is_shortened {
            series.rule.end = RuleEnd::Until(last);
        }
        let start = series.starts_local.date();
        series.rule.exceptions.retain(|date| (start..=last).contains(date));
        Some(UpcomingSeries { series, is_running, is_shortened })
    }

    fn goes_beyond(&self, last: Date) -> bool {
        match self.rule.end {
            RuleEnd::Until(until) => until > last,
            RuleEnd::Count(_) => self.dates().any(|date| date > last),
        }
    }
}

/// What the task `series.extend` has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// Occurrences to store, in order. Storing one again has no effect: its identity is the series
    /// and its original local time.
    pub occurrences: Vec<Occurrence>,
    /// When the task is due again: at the middle one of those that are still to come. `None`: the
    /// series has no more occurrences.
    pub again_at: Option<Timestamp>,
}

impl Series {
    /// The occurrences to store: those after `stored_until` that are still to come, so that
    /// [`MAX_STORED_AHEAD`] are stored ahead of `now`. Occurrences that passed while no node ran
    /// are not among them. `stored_until`: the last original local time stored; `None`: none.
    #[must_use]
    pub fn extension(
        &self,
        zone: &dyn ZoneRules,
        stored_until: Option<DateTime>,
        now: Timestamp,
    ) -> Extension {
        let today = zone.local_at(now).map(|local| local.date());
        let date = today.and_then(|today| add_days(today, -2)).unwrap_or(self.starts_local.date());
        let upcoming = self.steps_from(zone, date).filter_map(Step::occurrence);
        let mut ahead: Vec<Occurrence> =
            upcoming.filter(|occurrence| occurrence.at > now).take(MAX_STORED_AHEAD + 1).collect();
        let has_more = ahead.len() > MAX_STORED_AHEAD;
        ahead.truncate(MAX_STORED_AHEAD);
        let again_at = has_more.then(|| ahead[MAX_STORED_AHEAD / 2].at);
        let is_new =
            |occurrence: &Occurrence| stored_until.is_none_or(|last| occurrence.original_local > last);
        ahead.retain(is_new);
        Extension { occurrences: ahead, again_at }
    }
}
