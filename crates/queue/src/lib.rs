//! The hint queue: future set and publish list, in process or in Redis. Both implement [`Hints`]
//! and pass the same conformance tests.
//!
//! A hint is never permission to execute a task. An implementation should not lose, repeat or delay
//! hints, but if it does, no task is lost or executed twice.

mod codec;
mod health;
mod in_process;
mod keys;
mod redis;

pub use in_process::InProcessHints;
pub use redis::hints::RedisHints;
pub use redis::membership::{Member, Membership};

use async_trait::async_trait;
use domain::{
    DueHint, Hint, Priority, Timestamp,
    engine::Memory,
    health::{HealthIssue, IssueDetail},
};
use std::time::Duration;

/// Result of one call of [`Hints::promote`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promoted {
    /// Number of hints moved to the publish list. If it equals the limit, more may be due: call
    /// again.
    pub moved: u32,
    /// Due time of the next hint of this bucket; `None`: there is none.
    pub next_due: Option<Timestamp>,
    /// Until when the feeder has loaded this bucket; `None`: never, or the data was lost: load
    /// again now.
    pub loaded_until: Option<Timestamp>,
}

/// Default number of buckets.
pub const DEFAULT_BUCKETS: u16 = 8;

/// Maximum number of buckets.
pub const MAX_BUCKETS: u16 = 256;

/// Number of stored hints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// In the future sets.
    pub future: u64,
    /// On the publish lists.
    pub publish: u64,
    /// When the oldest hint on the publish lists was moved there; `None`: they are empty.
    pub oldest_moved_at: Option<Timestamp>,
}

/// State of the hint store's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// `in process`, `Redis 7.0.15`, `Valkey 9.1.2`.
    pub name: String,
    /// Persistence and eviction settings, as a phrase. Empty: not known.
    pub persistence: String,
    /// What is wrong, and what to do: evicts keys, cannot persist, is read-only, cannot be reached.
    /// `None`: nothing.
    pub issue: Option<HealthIssue>,
    /// Round trip of a ping.
    pub ping: Duration,
    /// Memory usage, summed over all masters of a cluster; `None`: not known.
    pub memory: Option<Memory>,
}

/// A hint store: future set and publish list.
#[async_trait]
pub trait Hints: Send + Sync + 'static {
    /// Adds hints to the future set. An existing hint (same task and version) gets the new due
    /// time. Wakes [`Hints::head_changed`] if one became the first of its bucket.
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError>;

    /// Adds due hints directly to the publish list. `now` becomes their `moved_at`.
    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError>;

    /// Moves the hints of a bucket that are due at `now` from the future set to the publish list:
    /// high priority first, earliest first. `priorities` are all of them, or only the high one;
    /// `next_due` in the result covers all. Atomic for each hint; at most `limit` (≤ 1,000) for
    /// each priority.
    async fn promote(
        &self,
        bucket: u16,
        priorities: &[Priority],
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError>;

    /// Pops up to `limit` due hints from all buckets: high before normal before low priority. Waits
    /// up to `wait` for the first one. `priorities` are all of them, or only the high one.
    ///
    /// Cancel-safe while it waits; hints that were popped and then dropped are lost, as hints may
    /// be. Errors are returned without delay: the caller must wait before it calls again.
    async fn pop(
        &self,
        priorities: &[Priority],
        limit: usize,
        now: &dyn domain::Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError>;

    /// Until when the feeder has loaded each bucket; `None`: never, or the data was lost.
    async fn loaded_until(&self) -> Result<Vec<Option<Timestamp>>, QueueError>;

    /// Records until when the feeder has loaded all buckets.
    async fn mark_loaded(&self, until: Timestamp) -> Result<(), QueueError>;

    /// Returns when a hint may have become the first of a future set, here or on another node.
    /// Spurious returns are possible. Only one caller at a time. It should call this whenever it is
    /// idle, because signals from other processes to the consumers are received here too.
    async fn head_changed(&self);

    /// Number of stored hints.
    async fn depth(&self) -> Result<QueueDepth, QueueError>;

    /// Announces a live node in the registry and lists all others that use the same hints. In
    /// process there are no others.
    async fn announce(&self, member: Member, _now: Timestamp) -> Result<Membership, QueueError> {
        Ok(Membership { data_id: None, members: vec![member], round_trip: Duration::ZERO })
    }

    /// Nodes of all installations that announced themselves in the 10 s before `now`. In process:
    /// none.
    async fn members(&self, _now: Timestamp) -> Result<Vec<Member>, QueueError> {
        Ok(Vec::new())
    }

    /// Queries the state of the server. Errors are returned as an issue.
    async fn health(&self) -> Health;

    /// Number of buckets in which new hints are placed.
    fn buckets(&self) -> u16;

    /// Number of buckets that may hold hints. Larger than [`Hints::buckets`] for a while after that
    /// number was reduced.
    fn polled_buckets(&self) -> u16 {
        self.buckets()
    }

    /// Changes the number of buckets, at most [`MAX_BUCKETS`]: new hints are placed in `buckets`,
    /// and `polled` buckets are polled. The in-process store keeps its initial number.
    fn resize(&self, _buckets: u16, _polled: u16) {}

    /// Whether other processes use the same hints.
    fn is_shared(&self) -> bool;
}

/// Returns the bucket of a task's hints.
#[must_use]
pub fn bucket_of(task: domain::TaskId, buckets: u16) -> u16 {
    // The last bytes of a UUID v7 are random: no hash is needed.
    let bytes = task.0.as_bytes();
    u16::from_be_bytes([bytes[14], bytes[15]]) % buckets.max(1)
}

/// Error of a hint store. Callers continue without hints: SQL has all tasks.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The server did not answer, or its response was invalid.
    #[error("the hint store did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The circuit breaker is open; no request was sent.
    #[error("the hint store failed several times and is not used for a few seconds")]
    CircuitOpen,
    /// The server answered with an error that has a known remedy.
    #[error("{0}")]
    Rejected(IssueDetail),
    /// The server answers, but may evict hints silently.
    #[error("{0}")]
    Untrusted(IssueDetail),
    /// The configured address is invalid.
    #[error("not the address of a Redis server (redis://HOST:PORT): {0}")]
    InvalidAddress(String),
}

impl From<&QueueError> for HealthIssue {
    fn from(error: &QueueError) -> Self {
        match error {
            QueueError::Untrusted(issue) | QueueError::Rejected(issue) => issue.clone(),
            QueueError::CircuitOpen => IssueDetail::RedisBreakerOpen,
            QueueError::Unavailable(why) => IssueDetail::RedisUnreachable { why: why.to_string() },
            QueueError::InvalidAddress(why) => IssueDetail::RedisUnreachable { why: why.clone() },
        }
        .into()
    }
}
