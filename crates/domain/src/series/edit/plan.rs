//! The row changes of an edit, and their reversal.

use super::{EditCounts, SeriesPart, SeriesState, StoredOccurrence};
use crate::{DomainError, Timestamp};
use std::collections::{BTreeMap, btree_map::Entry};
use uuid::Uuid;

/// One change of a row. `before` is what must be stored for the change to apply; `None`: no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowChange {
    /// A part of the series.
    Part {
        /// Its id.
        id: Uuid,
        /// Before.
        before: Option<Box<SeriesPart>>,
        /// After.
        after: Option<Box<SeriesPart>>,
    },
    /// An occurrence.
    Occurrence {
        /// Its id.
        id: Uuid,
        /// Before.
        before: Option<StoredOccurrence>,
        /// After.
        after: Option<StoredOccurrence>,
    },
}

/// All row changes of one edit. They apply together or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditPlan {
    /// The changes.
    pub changes: Vec<RowChange>,
    /// What they do.
    pub counts: EditCounts,
}

impl EditPlan {
    /// Applies the changes. `Changed` if a row is not as the plan saw it, or if a part to remove
    /// has occurrences that the plan does not know; then nothing is changed.
    pub fn apply(&self, state: &mut SeriesState) -> Result<(), DomainError> {
        let mut next = state.clone();
        for change in &self.changes {
            match change {
                RowChange::Part { id, before, after } => {
                    replace(&mut next.parts, *id, before.as_deref(), after.as_deref())?;
                }
                RowChange::Occurrence { id, before, after } => {
                    replace(&mut next.occurrences, *id, before.as_ref(), after.as_ref())?;
                }
            }
        }
        if next.occurrences.values().any(|row| !next.parts.contains_key(&row.part)) {
            return Err(DomainError::Changed);
        }
        *state = next;
        Ok(())
    }

    /// The changes in reverse. `CannotUndo` if an occurrence that they touch has taken place.
    pub fn undo(&self, now: Timestamp) -> Result<Self, DomainError> {
        let changes = self.changes.iter().rev().map(RowChange::reversed);
        let changes: Vec<_> = changes.collect();
        let has_passed = |row: &Option<StoredOccurrence>| {
            row.as_ref().is_some_and(|row| !row.is_cancelled && row.at <= now)
        };
        let touches_past = changes.iter().any(|change| match change {
            RowChange::Part { .. } => false,
            RowChange::Occurrence { before, after, .. } => has_passed(before) || has_passed(after),
        });
        if touches_past {
            return Err(DomainError::CannotUndo);
        }
        let counts = EditCounts { added: self.counts.cancelled, cancelled: self.counts.added, ..self.counts };
        Ok(Self { changes, counts })
    }
}

impl RowChange {
    fn reversed(&self) -> Self {
        match self.clone() {
            Self::Part { id, before, after } => Self::Part { id, before: after, after: before },
            Self::Occurrence { id, before, after } => Self::Occurrence { id, before: after, after: before },
        }
    }
}

fn replace<T: Clone + PartialEq>(
    rows: &mut BTreeMap<Uuid, T>,
    id: Uuid,
    before: Option<&T>,
    after: Option<&T>,
) -> Result<(), DomainError> {
    if rows.get(&id) != before {
        return Err(DomainError::Changed);
    }
    match (rows.entry(id), after) {
        (Entry::Occupied(mut row), Some(after)) => {
            row.insert(after.clone());
        }
        (Entry::Occupied(row), None) => {
            row.remove();
        }
        (Entry::Vacant(place), Some(after)) => {
            place.insert(after.clone());
        }
        (Entry::Vacant(_), None) => {}
    }
    Ok(())
}
