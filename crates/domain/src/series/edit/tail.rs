//! Splits a series: ends it before an occurrence, and continues it in a new part.

use super::{
    Edit, EditChange, EditPlan, MovedOccurrences, RowChange, SeriesPart, SeriesState, StoredOccurrence,
    pairs::Pairs, with_end,
};
use crate::{
    DomainError, Timestamp,
    series::{
        Frequency, Occurrence, RuleEnd, Series, Step, ZoneRules,
        zone_rules::{add_days, days_between},
    },
};
use jiff::{
    ToSpan as _,
    civil::{Date, DateTime},
};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A series from one occurrence on.
pub(super) struct Tail<'a> {
    pub state: &'a SeriesState,
    /// The occurrence at which the user edits.
    pub row: &'a StoredOccurrence,
    pub part: &'a SeriesPart,
    /// Original local time of the first occurrence of the tail.
    pub split_at: DateTime,
    pub zone: &'a dyn ZoneRules,
    pub now: Timestamp,
}

/// The part that continues the series.
struct Continuation {
    id: Uuid,
    series: Series,
    pairs: Pairs,
    by_date: BTreeMap<Date, Occurrence>,
}

impl Tail<'_> {
    pub(super) fn decide(
        &self,
        edit: &Edit,
        new_id: &mut dyn FnMut() -> Uuid,
    ) -> Result<EditPlan, DomainError> {
        let next = self.continuation(edit, new_id)?;
        let mut plan = EditPlan::default();
        plan.changes.push(RowChange::Part {
            id: self.row.part,
            before: Some(Box::new(self.part.clone())),
            after: Some(Box::new(self.ended())),
        });
        if let Some(next) = &next {
            let part = SeriesPart { series: next.series.clone(), split_from: Some(self.row.part) };
            plan.changes.push(RowChange::Part { id: next.id, before: None, after: Some(Box::new(part)) });
        }
        let mut stored = BTreeSet::new();
        for (id, row) in self.rows().filter(|(_, row)| row.is_upcoming(self.now)) {
            let continued = next.as_ref().and_then(|next| next.continued(row));
            if continued.as_ref().is_some_and(|after| after.at <= self.now) {
                // It would lie in the past: it stays as it is.
                continue;
            }
            stored.extend(continued.as_ref().map(|after| after.original_local));
            let follows = id == edit.occurrence || edit.moved == MovedOccurrences::Follow;
            let after = changed_row(row, continued, follows, self.zone);
            count(&mut plan, row, &after);
            if after != *row {
                plan.changes.push(RowChange::Occurrence {
                    id,
                    before: Some(row.clone()),
                    after: Some(after),
                });
            }
        }
        if let Some(next) = next {
            self.add_new(&next, &stored, &mut plan, new_id);
        }
        Ok(plan)
    }

    /// The stored occurrences of the tail.
    fn rows(&self) -> impl Iterator<Item = (Uuid, &StoredOccurrence)> {
        let is_tail =
            |row: &StoredOccurrence| row.part == self.row.part && row.original_local >= self.split_at;
        self.state.occurrences.iter().filter(move |(_, row)| is_tail(row)).map(|(id, row)| (*id, row))
    }

    /// The old part, which ends on the day before the tail.
    fn ended(&self) -> SeriesPart {
        let last = self.split_at.date().saturating_sub(1.day());
        let rule = with_end(&self.part.series.rule, RuleEnd::Until(last));
        SeriesPart { series: Series { rule, ..self.part.series.clone() }, ..self.part.clone() }
    }

    /// The old series from the tail on, unchanged.
    fn old(&self) -> Series {
        let series = self.part.series.starting_on(self.split_at.date());
        Series { starts_local: self.split_at, ..series }
    }

    fn continuation(
        &self,
        edit: &Edit,
        new_id: &mut dyn FnMut() -> Uuid,
    ) -> Result<Option<Continuation>, DomainError> {
        let old = self.old();
        let mut series = match &edit.change {
            EditChange::Cancel => return Ok(None),
            EditChange::Replace(series) => series.starting_on(self.split_at.date()),
            EditChange::Continue(series) => series.clone(),
            EditChange::MoveTo(local) => self.moved(&old, *local),
        };
        let pairs = match &edit.change {
            EditChange::Continue(_) => Pairs::continuing(&old, &series),
            _ => Pairs::of(&old, &series),
        };
        if matches!(edit.change, EditChange::MoveTo(_)) {
            let exceptions = old.rule.exceptions.iter().filter_map(|date| pairs.get(*date));
            series.rule.exceptions = exceptions.collect();
        }
        // What has taken place or was cancelled is not repeated.
        let over = self.rows().filter(|(_, row)| !row.is_upcoming(self.now));
        series.rule.exceptions.extend(over.filter_map(|(_, row)| pairs.get(row.original_local.date())));
        let first = series.dates().next().map(|first| series.local_on(first));
        series.starts_local = first.unwrap_or(series.starts_local);
        series.check(self.zone, self.now)?;
        let found = series.steps(self.zone).filter_map(Step::occurrence);
        let by_date: BTreeMap<_, _> = found.map(|one| (one.original_local.date(), one)).collect();
        Ok(Some(Continuation { id: new_id(), series, pairs, by_date }))
    }

    /// The tail, moved as the edited occurrence is moved to `local`.
    fn moved(&self, old: &Series, local: DateTime) -> Series {
        let (from, to) = (self.row.original_local.date(), local.date());
        let days = days_between(from, to);
        let frequency = old.rule.frequency.moved(from, to);
        let start = match frequency {
            Frequency::Daily | Frequency::Weekly(_) => add_days(self.split_at.date(), days),
            // Each month has its own number of days: begin with the month.
            Frequency::Monthly(_) | Frequency::Yearly { .. } => {
                let months = i32::from(to.year() - from.year()) * 12 + i32::from(to.month() - from.month());
                self.split_at.date().first_of_month().checked_add(months.months()).ok()
            }
        };
        let end = match old.rule.end {
            RuleEnd::Until(until) => RuleEnd::Until(add_days(until, days).unwrap_or(until)),
            count @ RuleEnd::Count(_) => count,
        };
        let starts_local = start.unwrap_or(to).to_datetime(local.time());
        let rule = super::super::Rule { frequency, ..with_end(&old.rule, end) };
        Series { starts_local, zone: old.zone.clone(), rule }
    }

    /// Adds the occurrences of the new part that continue none of the old one.
    fn add_new(
        &self,
        next: &Continuation,
        stored: &BTreeSet<DateTime>,
        plan: &mut EditPlan,
        new_id: &mut dyn FnMut() -> Uuid,
    ) {
        let ahead = next.series.extension(self.zone, None, self.now).occurrences;
        for occurrence in ahead.into_iter().filter(|one| !stored.contains(&one.original_local)) {
            let row = StoredOccurrence {
                part: next.id,
                original_local: occurrence.original_local,
                own_local: None,
                at: occurrence.at,
                is_cancelled: false,
            };
            plan.counts.added += 1;
            plan.changes.push(RowChange::Occurrence { id: new_id(), before: None, after: Some(row) });
        }
    }
}

impl Continuation {
    /// The row of the occurrence that continues a stored one; `None`: none does.
    fn continued(&self, row: &StoredOccurrence) -> Option<StoredOccurrence> {
        let date = self.pairs.get(row.original_local.date())?;
        let Occurrence { original_local, at, .. } = *self.by_date.get(&date)?;
        Some(StoredOccurrence { part: self.id, original_local, own_local: None, at, is_cancelled: false })
    }
}

/// The row after the edit. `follows`: a moved occurrence follows the series.
fn changed_row(
    row: &StoredOccurrence,
    continued: Option<StoredOccurrence>,
    follows: bool,
    zone: &dyn ZoneRules,
) -> StoredOccurrence {
    let keeps_time = row.own_local.is_some() && !follows;
    match continued {
        // The zone may be another one.
        Some(after) if keeps_time => {
            StoredOccurrence { own_local: zone.local_at(row.at), at: row.at, ..after }
        }
        Some(after) => after,
        None if keeps_time => row.clone(),
        None => StoredOccurrence { is_cancelled: true, ..row.clone() },
    }
}

fn count(plan: &mut EditPlan, before: &StoredOccurrence, after: &StoredOccurrence) {
    if after.is_cancelled {
        plan.counts.cancelled += 1;
    } else if after.at != before.at {
        plan.counts.changed += 1;
    } else if after.own_local.is_some() {
        plan.counts.kept_moved += 1;
    }
}
