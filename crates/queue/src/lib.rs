//! The hints: future set and publish list. In process, or in Redis; the same trait, the same conformance suite.
//!
//! A hint is never permission. An implementation may lose, repeat or delay hints; it should not, but nothing breaks if it does.

mod breaker;
mod guests;
mod handed;
mod health;
mod in_process;
mod keys;
mod link;
mod member;
mod news;
mod place;
mod redis_hints;
mod scripts;
mod take;
mod wire;

pub use guests::{Guest, Shown};
pub use in_process::InProcess;
pub use redis_hints::RedisHints;

use async_trait::async_trait;
use domain::{DueHint, Hint, Lane, Timestamp, engine::Memory, fault::Fault};
use std::time::Duration;

/// What one call of [`Hints::promote`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promoted {
    /// Hints moved to the publish list. Equal to the limit: there may be more, call again.
    pub moved: u32,
    /// Moment of the next hint of this bucket; `None`: there is none.
    pub next_due: Option<Timestamp>,
    /// How far the feeder has loaded this bucket; `None`: never, or the store was wiped: load again now.
    pub fed_until: Option<Timestamp>,
}

/// Buckets unless the operator says otherwise.
pub const BUCKETS: u16 = 8;

/// Most buckets there can be.
pub const MOST_BUCKETS: u16 = 256;

/// How many hints wait where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waiting {
    /// In the future sets.
    pub future: u64,
    /// On the publish lists.
    pub publish: u64,
    /// When the oldest hint on the publish lists was moved there.
    pub oldest_moved_at: Option<Timestamp>,
}

/// What is known of the server behind the hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// `in process`, `Redis 7.0.15`, `Valkey 9.1.2`.
    pub name: String,
    /// What it does with what it holds, in plain words: how it persists, what it does when its memory is full. Empty: not known.
    pub keeps: String,
    /// What is wrong and what to do about it, in plain words: evicts, cannot persist, is read-only, cannot be reached.
    pub trouble: Option<Fault>,
    /// Round trip of a ping.
    pub ping: Duration,
    /// What it holds in memory, all masters of a cluster together; `None`: not known.
    pub memory: Option<Memory>,
}

/// Future set and publish list.
#[async_trait]
pub trait Hints: Send + Sync + 'static {
    /// Puts hints into the future set. A hint already there (same task and version) gets the new moment.
    /// Wakes [`Hints::changed`] if one became the head of its bucket.
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError>;

    /// Puts hints straight on the publish list: they are due. `now` becomes their `moved_at`.
    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError>;

    /// Moves what is due at `now` of these lanes from the future set of a bucket to its publish list, high lane first, earliest
    /// first. Lanes are all of them, or the high one alone; the next moment it answers with is that of all lanes.
    /// Atomic for each hint; at most `limit` (≤ 1,000) a lane.
    async fn promote(
        &self,
        bucket: u16,
        lanes: &[Lane],
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError>;

    /// Takes up to `limit` due hints of these lanes, high before normal before low, over all buckets. Waits up to `wait` for the
    /// first one. Lanes are all of them, or the high one alone.
    /// Safe to drop while it waits; what was taken and dropped is lost, as hints may be.
    /// An error comes at once: rest before asking again.
    async fn take(
        &self,
        lanes: &[Lane],
        limit: usize,
        now: &dyn domain::Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError>;

    /// How far the feeder has loaded each bucket; `None`: never, or wiped.
    async fn fed(&self) -> Result<Vec<Option<Timestamp>>, QueueError>;

    /// Notes how far the feeder has loaded all buckets.
    async fn mark_fed(&self, until: Timestamp) -> Result<(), QueueError>;

    /// Returns when a hint may have become the head of a future set, here or on another node. May return for nothing.
    /// One caller at a time, and he should wait here whenever he can: what other processes say to consumers comes this way.
    async fn changed(&self);

    /// How many hints wait.
    async fn waiting(&self) -> Result<Waiting, QueueError>;

    /// Shows that a node lives to whoever uses the same hints, and sees who else does. In process there is nobody else.
    async fn show(&self, guest: Guest, _now: Timestamp) -> Result<Shown, QueueError> {
        Ok(Shown { era: None, seen: vec![guest], round_trip: Duration::ZERO })
    }

    /// Which nodes, of this desk and others, have shown themselves in the 10 s before `now`. In process: none.
    async fn seen(&self, _now: Timestamp) -> Result<Vec<Guest>, QueueError> {
        Ok(Vec::new())
    }

    /// Asks the server how it is. Errors are answered as trouble.
    async fn health(&self) -> Health;

    /// Number of buckets in which new hints are placed.
    fn buckets(&self) -> u16;

    /// Number of buckets that may hold hints: after there were more, more than [`Hints::buckets`] for a while.
    fn served(&self) -> u16 {
        self.buckets()
    }

    /// Other numbers of buckets, at most [`MOST_BUCKETS`]: new hints are placed in `buckets`, and `served` are looked at.
    /// Hints in process stay in the buckets they began with.
    fn resize(&self, _buckets: u16, _served: u16) {}

    /// Whether other processes see these hints.
    fn is_shared(&self) -> bool;
}

/// The bucket a task's hints live in.
#[must_use]
pub fn bucket_of(task: domain::TaskId, buckets: u16) -> u16 {
    // The last bytes of a UUID v7 are random: no hash is needed.
    let bytes = task.0.as_bytes();
    u16::from_be_bytes([bytes[14], bytes[15]]) % buckets.max(1)
}

/// Why the hints could not be reached. Callers go on without them: SQL has the truth.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The server did not answer, refused, or answered something odd.
    #[error("the hint store did not answer")]
    Away(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Too many failures a moment ago; not asked at all.
    #[error("the hint store is rested after failures")]
    Open,
    /// The server answers, but refuses what was asked. Says why, and what to do, in plain words.
    #[error("{0}")]
    Refused(Fault),
    /// The server answers, but may lose hints without a word. Says why, in plain words.
    #[error("{0}")]
    Untrusted(Fault),
    /// What was given as the address of the server is none.
    #[error("this is not the address of a Redis server (redis://HOST:PORT): {0}")]
    Address(String),
}

impl QueueError {
    /// What is wrong, for people.
    #[must_use]
    pub fn fault(&self) -> Fault {
        match self {
            Self::Untrusted(fault) | Self::Refused(fault) => fault.clone(),
            Self::Open => Fault::HintsRest,
            Self::Away(why) => Fault::HintsAway { why: why.to_string() },
            Self::Address(words) => Fault::Other(words.clone()),
        }
    }
}
