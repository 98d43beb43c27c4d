//! Detects data loss in Redis. The first node that finds no data id stores a random one; a node
//! that remembers a different id knows that all keys were lost.

use domain::{
    Timestamp,
    health::{HealthIssue, IssueDetail},
};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// How long a data loss is shown on every page, milliseconds.
pub const BANNER_MS: i64 = 60_000;
/// How long it is shown on the engine page, milliseconds.
const ENGINE_PAGE_MS: i64 = 3_600_000;

/// Detector of data loss in Redis.
#[derive(Debug, Default)]
pub struct DataLossDetector(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Last seen data id, and when it was seen.
    data_id: Option<(Uuid, Timestamp)>,
    last: Option<DataLoss>,
}

/// A loss of all data in Redis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataLoss {
    /// When the previous data was last seen.
    pub since: Timestamp,
    /// When the loss was detected.
    pub found_at: Timestamp,
}

impl DataLossDetector {
    /// Records the data id. Returns whether the data was lost since the last call.
    pub fn record(&self, data_id: Uuid, now: Timestamp) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let previous = state.data_id.replace((data_id, now)).filter(|(previous, _)| *previous != data_id);
        if let Some((_, since)) = previous {
            state.last = Some(DataLoss { since, found_at: now });
        }
        previous.is_some()
    }

    /// The last data loss, if it was detected within the last minute.
    #[must_use]
    pub fn recent(&self, now: Timestamp) -> Option<DataLoss> {
        self.within(BANNER_MS, now)
    }

    /// The last data loss as an issue, if it was detected within the last hour; after a minute it
    /// is a notice.
    #[must_use]
    pub fn issue(&self, now: Timestamp) -> Option<HealthIssue> {
        let at = self.within(ENGINE_PAGE_MS, now)?.found_at;
        let issue = HealthIssue::from(IssueDetail::RedisDataLoss { at });
        Some(if self.recent(now).is_some() { issue } else { issue.into_notice() })
    }

    fn within(&self, max_age_ms: i64, now: Timestamp) -> Option<DataLoss> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A negative age means that the clock was set back; the loss must not be shown longer
        // because of that.
        state.last.filter(|last| (0..max_age_ms).contains(&now.since(last.found_at)))
    }
}
