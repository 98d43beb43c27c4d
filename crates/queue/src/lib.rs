//! The hint queue: future set and publish list, in memory or in Redis. Both implement [`Hints`]
//! and pass the same conformance tests.
//!
//! A hint is never permission to execute a task. An implementation should not lose, repeat or delay
//! hints, but if it does, no task is lost or executed twice.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test fails by a panic"))]

mod codec;
mod health;
mod hints;
mod in_process;
mod keys;
mod member;
mod order;
mod redis;

pub use hints::{Buckets, FutureSet, HintServer, Hints, PublishList};
pub use in_process::InProcessHints;
pub use member::{Member, Membership};
pub use order::HintScope;
pub use redis::hints::RedisHints;

use domain::{
    KindClass, Timestamp,
    engine::Memory,
    health::{HealthIssue, IssueDetail},
};
use std::time::Duration;

/// Result of one call of [`FutureSet::promote`].
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
    /// Those of content, in both.
    pub content: u64,
    /// When the oldest hint on the publish lists of each class was moved there; `None`: they are empty.
    pub oldest_moved_at: [Option<Timestamp>; KindClass::ALL.len()],
}

/// State of the hint store's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// `in memory`, `Redis 7.0.15`, `Valkey 9.1.2`.
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
