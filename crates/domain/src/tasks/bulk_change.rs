//! One change of many tasks, and its undo.

use crate::{DomainError, TaskId, error::ValidationError, task::TaskQuery};
use serde::{Deserialize, Serialize};

pub use crate::base::bulk_outcome::{BulkItem, BulkMove, BulkOutcome, BulkRefusal};

/// Maximum number of days or minutes by which tasks are moved: ten years, or a year.
pub const MAX_SHIFT_DAYS: i32 = 3_660;
/// Maximum number of minutes by which tasks are moved: 366 days.
pub const MAX_SHIFT_MINUTES: i32 = 527_040;
/// Maximum number of moves and refusals that a preview lists.
pub const MAX_LISTED: usize = 100;

/// A change of many tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum BulkChange {
    /// Moves each by the same amount. Days keep the wall-clock time.
    Shift {
        /// Days; negative: earlier.
        days: i32,
        /// Minutes; negative: earlier.
        minutes: i32,
    },
    /// Moves each to a day, at its wall-clock time.
    MoveToDay {
        /// `YYYY-MM-DD`.
        day: String,
    },
    /// Moves publications to the next free posting slots, in their order.
    ToSlots,
    /// Cancels scheduled tasks, dismisses failed and missed ones.
    Cancel,
    /// Executes failed and missed tasks again.
    Retry,
    /// Executes scheduled tasks now.
    RunNow,
}

impl BulkChange {
    /// The words of the changes.
    pub const WORDS: [&'static str; 6] = ["shift", "move_to_day", "to_slots", "cancel", "retry", "run_now"];

    /// Whether it moves tasks to other times.
    #[must_use]
    pub const fn is_move(&self) -> bool {
        matches!(self, Self::Shift { .. } | Self::MoveToDay { .. } | Self::ToSlots)
    }

    /// Refuses amounts that are out of range; `Invalid` names the field.
    pub fn check(&self) -> Result<(), DomainError> {
        let between = |field: &str, value: i32, max: i32| {
            let is_inside = (-max..=max).contains(&value);
            let problem = ValidationError::NotBetween { min: -max, max };
            if is_inside { Ok(()) } else { Err(DomainError::invalid(field, problem)) }
        };
        match self {
            Self::Shift { days: 0, minutes: 0 } => Err(DomainError::invalid("days", ValidationError::Empty)),
            Self::Shift { days, minutes } => {
                between("days", *days, MAX_SHIFT_DAYS)?;
                between("minutes", *minutes, MAX_SHIFT_MINUTES)
            }
            Self::MoveToDay { day } if crate::base::local_time::parse_date(day.trim()).is_none() => {
                let why = "is not a date like 2027-03-28".to_owned();
                Err(DomainError::invalid("day", ValidationError::Unreadable { why }))
            }
            _ => Ok(()),
        }
    }
}

/// Which tasks are changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BulkSelection {
    /// These.
    Tasks(Vec<TaskId>),
    /// All that match. Order, day, cursor and limit are ignored.
    Matching(Box<TaskQuery>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_days_have_limits() {
        let field = |change: BulkChange| change.check().unwrap_err().field().map(str::to_owned);
        assert_eq!(field(BulkChange::Shift { days: 0, minutes: 0 }).as_deref(), Some("days"));
        assert_eq!(field(BulkChange::Shift { days: 3_661, minutes: 0 }).as_deref(), Some("days"));
        assert_eq!(field(BulkChange::Shift { days: 1, minutes: i32::MIN }).as_deref(), Some("minutes"));
        for day in ["", "tomorrow", "2027-02-30", "1999-01-01", "12027-01-01"] {
            assert_eq!(field(BulkChange::MoveToDay { day: day.to_owned() }).as_deref(), Some("day"), "{day}");
        }
        assert!(BulkChange::Shift { days: -1, minutes: 90 }.check().is_ok());
        assert!(BulkChange::MoveToDay { day: " 2027-03-28".to_owned() }.check().is_ok());
    }
}
