//! Times of the engine's status in a viewer's zone.

use super::{Zone, moment};
use domain::engine::EngineStatus;

/// Returns the status with its times in the viewer's zone.
#[must_use]
pub fn localized(status: EngineStatus, viewer: &str) -> EngineStatus {
    let viewer = Zone::stored(viewer);
    EngineStatus {
        heartbeat_offset: viewer.offset_minutes(status.heartbeat_at),
        paused_since: status.paused_since.map(|since| moment(since.at, viewer, viewer)),
        paused_until: status.paused_until.map(|until| moment(until.at, viewer, viewer)),
        ..status
    }
}
