//! One change of many reminders.

use super::ReminderQuery;
use crate::ReminderId;
use serde::{Deserialize, Serialize};

/// Maximum number of reminders in one change.
pub const MAX_BULK_REMINDERS: usize = 1_000;

/// Which reminders are changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReminderSelection {
    /// These.
    Reminders(Vec<ReminderId>),
    /// All that match. Order, cursor and limit are ignored.
    Matching(Box<ReminderQuery>),
}

/// What happens to each reminder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RemindersChange {
    /// It is sent later, or earlier. Days keep the wall-clock time.
    Shift {
        /// Days; negative: earlier.
        days: i32,
        /// Minutes; negative: earlier.
        minutes: i32,
    },
    /// It is marked as done.
    Done,
    /// It is not sent.
    Cancel,
}

impl RemindersChange {
    /// The words of the changes.
    pub const WORDS: [&'static str; 3] = ["shift", "done", "cancel"];
}
