//! Checks of the database and Redis, made each second: whether they are slow, whether all nodes use
//! the same Redis, and whether Redis has lost its data.

use crate::{
    own_heartbeats::OwnHeartbeats, redis_data_loss::DataLossDetector, redis_membership::RedisMismatch,
};
use domain::{
    Timestamp,
    health::{HealthIssue, HealthIssueKind},
};
use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

/// A heartbeat slower than this means a slow database. It takes about ten round trips and one
/// commit.
const SLOW_DATABASE_LATENCY: Duration = Duration::from_secs(1);
/// A round trip to Redis longer than this means a slow Redis. A due task needs two.
const SLOW_REDIS_LATENCY: Duration = Duration::from_millis(250);
/// The canary counts as stuck this long after its due time, milliseconds. As it runs each second, a
/// dead engine is detected within 5 s.
const CANARY_STUCK_AFTER_MS: i64 = 4_000;
/// The same while the database is slow.
const CANARY_STUCK_AFTER_SLOW_MS: i64 = 15_000;
/// Number of slow responses in a row after which a server counts as slow.
const SLOW_RESPONSES: u32 = 2;

/// Detects a slow server from consecutive slow responses.
#[derive(Debug)]
pub struct SlowDetector {
    limit: Duration,
    in_a_row: AtomicU32,
}

impl SlowDetector {
    /// Creates a detector that counts responses slower than `limit`.
    #[must_use]
    pub const fn new(limit: Duration) -> Self {
        Self { limit, in_a_row: AtomicU32::new(0) }
    }

    /// Records the time of a response. `None`: no response, which is reported elsewhere.
    pub fn record(&self, took: Option<Duration>) {
        match took.is_some_and(|took| took > self.limit) {
            true => self.in_a_row.fetch_add(1, Relaxed),
            false => self.in_a_row.swap(0, Relaxed),
        };
    }

    /// Whether the server is slow.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        self.in_a_row.load(Relaxed) >= SLOW_RESPONSES
    }
}

/// Health of the database and Redis while they respond.
#[derive(Debug)]
pub struct ServerHealth {
    /// Latency of heartbeats in the database.
    pub database: SlowDetector,
    /// Heartbeats that were written.
    pub own_heartbeats: OwnHeartbeats,
    /// Latency of round trips to Redis.
    pub hints: SlowDetector,
    /// Nodes that do not use the same Redis.
    pub redis_mismatch: RedisMismatch,
    /// Whether Redis has lost its data.
    pub redis_data_loss: DataLossDetector,
}

impl Default for ServerHealth {
    fn default() -> Self {
        let (database, hints) =
            (SlowDetector::new(SLOW_DATABASE_LATENCY), SlowDetector::new(SLOW_REDIS_LATENCY));
        Self {
            database,
            own_heartbeats: OwnHeartbeats::default(),
            hints,
            redis_mismatch: RedisMismatch::default(),
            redis_data_loss: DataLossDetector::default(),
        }
    }
}

impl ServerHealth {
    /// Returns how long after its due time the canary counts as stuck, milliseconds.
    #[must_use]
    pub fn canary_timeout_ms(&self) -> i64 {
        if self.database.is_slow() { CANARY_STUCK_AFTER_SLOW_MS } else { CANARY_STUCK_AFTER_MS }
    }

    /// Returns the health issues of servers that respond, most severe first.
    pub fn health_issues(&self, now: Timestamp) -> impl Iterator<Item = HealthIssue> {
        let database = self.database.is_slow().then(|| HealthIssueKind::DatabaseSlow.into());
        let hints = self.hints.is_slow().then(|| HealthIssueKind::HintStoreSlow.into());
        let servers = [database, hints, self.redis_mismatch.issue(now), self.redis_data_loss.issue(now)];
        servers.into_iter().flatten()
    }
}
