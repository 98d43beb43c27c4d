//! One change of several meetings.

use super::MeetingQuery;
use crate::MeetingId;
use serde::{Deserialize, Serialize};

/// Maximum number of meetings in one change.
pub const MAX_BULK_MEETINGS: usize = 200;

/// Which meetings are changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeetingSelection {
    /// These.
    Meetings(Vec<MeetingId>),
    /// All that match. Order, cursor and limit are ignored.
    Matching(Box<MeetingQuery>),
}

/// What happens to each meeting. Of a series, only the meeting itself is changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeetingsChange {
    /// It takes place later, or earlier. Days keep the wall-clock time.
    Shift {
        /// Days; negative: earlier.
        days: i32,
        /// Minutes; negative: earlier.
        minutes: i32,
    },
    /// It is cancelled, which frees its room.
    Cancel {
        /// Why; may be empty.
        reason: String,
    },
    /// The request is approved.
    Approve,
    /// The request is rejected.
    Reject {
        /// Why; may be empty.
        reason: String,
    },
}

impl MeetingsChange {
    /// The words of the changes.
    pub const WORDS: [&'static str; 4] = ["shift", "cancel", "approve", "reject"];
}
