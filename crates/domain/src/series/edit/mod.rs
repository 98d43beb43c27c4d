//! Edits of a series: of one occurrence, of it and the following ones, or of all that are to come.
//!
//! An edit never changes the past. A change of the following occurrences ends the series before
//! them and continues it in a new part, so that identity and start of what was sent stay the same.
//! An edit is decided here as a list of row changes; the store applies them in one transaction.

mod decide;
mod pairs;
mod plan;
mod tail;

pub use plan::{EditPlan, RowChange};

use super::{Rule, Series};
use crate::{
    Timestamp,
    state::{ParseEnumError, string_enum},
};
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};
use uuid::Uuid;

string_enum! {
    /// How far an edit reaches. The smallest is preselected.
    Reach {
        /// Only this occurrence.
        This = "this",
        /// This one and the following.
        Following = "following",
        /// The next one that is still to come, and the following.
        All = "all",
    }
}

string_enum! {
    /// What happens to occurrences that were moved one by one before. Asked if there are any.
    MovedOccurrences {
        /// They keep their own time.
        Keep = "keep",
        /// They follow the series.
        Follow = "follow",
    }
}

/// One part of a series: a row of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesPart {
    /// Start, zone and rule.
    pub series: Series,
    /// The part that this one continues; `None`: it is the first.
    pub split_from: Option<Uuid>,
}

/// A stored occurrence. Its identity is the part and the original local time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOccurrence {
    /// The part to which it belongs.
    pub part: Uuid,
    /// Local time by the rule.
    pub original_local: DateTime,
    /// Its own local time, if it was moved; `None`: it follows the series.
    pub own_local: Option<DateTime>,
    /// The instant at which it takes place.
    pub at: Timestamp,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
}

impl StoredOccurrence {
    /// Whether it is still to come.
    #[must_use]
    pub fn is_upcoming(&self, now: Timestamp) -> bool {
        !self.is_cancelled && self.at > now
    }
}

/// What an edit needs to know: the parts, and the stored occurrences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeriesState {
    /// Parts by id.
    pub parts: BTreeMap<Uuid, SeriesPart>,
    /// Occurrences by id.
    pub occurrences: BTreeMap<Uuid, StoredOccurrence>,
}

/// An edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The occurrence at which the user edits.
    pub occurrence: Uuid,
    /// How far it reaches.
    pub reach: Reach,
    /// The change.
    pub change: EditChange,
    /// What happens to occurrences that were moved before.
    pub moved: MovedOccurrences,
}

/// What an edit changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditChange {
    /// Moves the occurrence to that local time; the others move by the same days to the same time
    /// of day.
    MoveTo(DateTime),
    /// Replaces start, zone and rule. Not for one occurrence.
    Replace(Series),
    /// Continues with this series, from its start on. Not for one occurrence.
    Continue(Series),
    /// Cancels.
    Cancel,
}

/// What an edit does, to be shown before and after it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EditCounts {
    /// Occurrences with another time.
    pub changed: usize,
    /// New occurrences among the stored ones.
    pub added: usize,
    /// Cancelled occurrences.
    pub cancelled: usize,
    /// Moved occurrences that keep their own time.
    pub kept_moved: usize,
}

/// Number of stored occurrences that each reach affects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReachCounts {
    /// This one and the following.
    pub following: usize,
    /// All that are still to come.
    pub all: usize,
    /// Those of `all` that were moved one by one.
    pub moved: usize,
    /// Those of `following`, without this one, that were moved one by one.
    pub other_moved_following: usize,
    /// Those of `all`, without this one, that were moved one by one.
    pub other_moved: usize,
}

/// Counts what each reach affects, seen from one occurrence.
#[must_use]
pub fn count_reaches(state: &SeriesState, occurrence: Uuid, now: Timestamp) -> ReachCounts {
    let Some(from) = state.occurrences.get(&occurrence) else { return ReachCounts::default() };
    let rows = state.occurrences.iter();
    let upcoming: Vec<_> = rows.filter(|(_, row)| row.part == from.part && row.is_upcoming(now)).collect();
    let follows = |row: &StoredOccurrence| row.original_local >= from.original_local;
    let moved = || upcoming.iter().filter(|(_, row)| row.own_local.is_some());
    let other_moved = || moved().filter(|(id, _)| **id != occurrence);
    ReachCounts {
        following: upcoming.iter().filter(|(_, row)| follows(row)).count(),
        all: upcoming.len(),
        moved: moved().count(),
        other_moved_following: other_moved().filter(|(_, row)| follows(row)).count(),
        other_moved: other_moved().count(),
    }
}

/// The rule with the part of it that a split needs.
fn with_end(rule: &Rule, end: super::RuleEnd) -> Rule {
    Rule { end, ..rule.clone() }
}
