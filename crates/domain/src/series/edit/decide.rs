//! Decides an edit.

use super::{
    Edit, EditChange, EditCounts, EditPlan, Reach, RowChange, SeriesPart, SeriesState, StoredOccurrence,
    tail::Tail,
};
use crate::{
    DomainError, Timestamp,
    error::ValidationError,
    series::{Choices, SeriesProblem, SkippedTime, ZoneRules, instant_of},
};
use jiff::civil::DateTime;
use uuid::Uuid;

impl Edit {
    /// Decides what the edit changes. `zone`: the rules of the zone that the series has afterwards.
    /// `new_id` generates the ids of new rows.
    pub fn decide(
        &self,
        state: &SeriesState,
        zone: &dyn ZoneRules,
        now: Timestamp,
        new_id: &mut dyn FnMut() -> Uuid,
    ) -> Result<EditPlan, DomainError> {
        let row =
            state.occurrences.get(&self.occurrence).ok_or_else(|| DomainError::no_such("occurrence"))?;
        let part = state.parts.get(&row.part).ok_or_else(|| DomainError::no_such("series"))?;
        let is_upcoming = row.is_upcoming(now);
        if let EditChange::MoveTo(local) = self.change
            && let at = own_instant(local, part, zone)?
            && is_upcoming
            && at <= now
        {
            return Err(DomainError::past(at).in_field("local"));
        }
        match self.reach {
            Reach::This if is_upcoming => self.decide_one(row, part, zone),
            Reach::Following if is_upcoming => {
                Tail { state, row, part, split_at: row.original_local, zone, now }.decide(self, new_id)
            }
            Reach::This | Reach::Following => Err(not_upcoming()),
            Reach::All => {
                let with_moved = self.change == EditChange::Cancel;
                let split_at = next_original(state, row, now, with_moved).ok_or_else(not_upcoming)?;
                Tail { state, row, part, split_at, zone, now }.decide(self, new_id)
            }
        }
    }

    fn decide_one(
        &self,
        row: &StoredOccurrence,
        part: &SeriesPart,
        zone: &dyn ZoneRules,
    ) -> Result<EditPlan, DomainError> {
        let id = self.occurrence;
        let change = |after| RowChange::Occurrence { id, before: Some(row.clone()), after: Some(after) };
        match &self.change {
            EditChange::Replace(_) | EditChange::Continue(_) => {
                let why = SeriesProblem::RuleOfOne;
                Err(DomainError::invalid("reach", ValidationError::Series { why }))
            }
            EditChange::MoveTo(local) => {
                let at = own_instant(*local, part, zone)?;
                let own_local = Some(*local).filter(|local| *local != row.original_local);
                let counts = EditCounts { changed: 1, ..EditCounts::default() };
                Ok(EditPlan {
                    changes: vec![change(StoredOccurrence { own_local, at, ..row.clone() })],
                    counts,
                })
            }
            EditChange::Cancel => {
                let mut changed = part.clone();
                changed.series.rule.exceptions.insert(row.original_local.date());
                let part = RowChange::Part {
                    id: row.part,
                    before: Some(Box::new(part.clone())),
                    after: Some(Box::new(changed)),
                };
                let counts = EditCounts { cancelled: 1, ..EditCounts::default() };
                let cancelled = StoredOccurrence { is_cancelled: true, ..row.clone() };
                Ok(EditPlan { changes: vec![part, change(cancelled)], counts })
            }
        }
    }
}

/// The instant of a time that was chosen for one occurrence. A skipped time is never dropped: the
/// user wants the occurrence to take place.
fn own_instant(local: DateTime, part: &SeriesPart, zone: &dyn ZoneRules) -> Result<Timestamp, DomainError> {
    let choices = Choices { skipped_time: SkippedTime::NextValid, ..part.series.rule.choices };
    let out_of_range = || DomainError::invalid("local", ValidationError::OutOfRange);
    instant_of(local, choices, zone).map(|(at, _)| at).ok_or_else(out_of_range)
}

/// Original local time of the next occurrence of the same part that follows the series.
/// `with_moved`: one that was moved by itself counts, too.
fn next_original(
    state: &SeriesState,
    row: &StoredOccurrence,
    now: Timestamp,
    with_moved: bool,
) -> Option<DateTime> {
    let rows = state.occurrences.values().filter(|other| other.part == row.part);
    let upcoming = rows.filter(|other| other.is_upcoming(now) && (with_moved || other.own_local.is_none()));
    upcoming.map(|other| other.original_local).min()
}

fn not_upcoming() -> DomainError {
    DomainError::invalid("occurrence", ValidationError::Series { why: SeriesProblem::NotUpcoming })
}
