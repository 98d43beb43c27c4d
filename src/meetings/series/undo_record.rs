//! What the undo of a change of several occurrences needs.

use super::{load::LoadedSeries, work::RowUpdate};
use domain::{Timestamp, meetings::Booking};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What the undo of a change needs, stored with the series after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SeriesUndo {
    /// The series before the change, and its rule.
    pub series: Uuid,
    pub rule: String,
    /// Its last change, which this one replaced.
    pub version: i32,
    /// When it would have got its next occurrences.
    pub extend_at: Option<Timestamp>,
    /// The meetings before the change.
    pub meetings: Vec<MeetingBefore>,
    /// Meetings that the change added.
    pub added: Vec<Uuid>,
}

/// A meeting before the change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MeetingBefore {
    pub id: Uuid,
    /// Its version after the change.
    pub version: i32,
    pub original_local: String,
    pub title: String,
    pub description: String,
    pub link: Option<String>,
    pub zone: String,
    pub reason: String,
    pub booking: Booking,
}

impl SeriesUndo {
    /// Remembers the rows before a change.
    pub fn of(
        (loaded, extend_at): (&LoadedSeries, Option<Timestamp>),
        updates: &[RowUpdate],
        added: Vec<Uuid>,
    ) -> Self {
        let meeting = |one: &RowUpdate| MeetingBefore {
            id: one.row.id,
            version: one.row.version + 1,
            original_local: one.was_local.clone(),
            title: one.row.title.clone(),
            description: one.row.description.clone(),
            link: one.row.link.clone(),
            zone: one.row.time_zone.clone(),
            reason: one.row.reason.clone(),
            booking: one.before.clone(),
        };
        Self {
            series: loaded.row.id,
            rule: loaded.row.rule.clone(),
            version: loaded.row.version + 1,
            extend_at,
            meetings: updates.iter().map(meeting).collect(),
            added,
        }
    }
}
