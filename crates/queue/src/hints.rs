//! What a hint store does.

use crate::{Health, HintScope, Member, Membership, Promoted, QueueDepth, QueueError};
use async_trait::async_trait;
use domain::{DueHint, Hint, Timestamp};
use std::time::Duration;

/// Hints of tasks that are not due yet, by due time.
#[async_trait]
pub trait FutureSet: Send + Sync + 'static {
    /// Adds hints to the future set. An existing hint (same task and version) gets the new due
    /// time. Wakes [`FutureSet::head_changed`] if one became the first of its bucket.
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError>;

    /// Moves the hints of a bucket and a scope that are due at `now` from the future sets to the publish
    /// lists: high priority first, content first, earliest first. `next_due` in the result covers all
    /// hints. Atomic for each hint; at most `limit` (≤ 1,000) for each priority and class.
    async fn promote(
        &self,
        bucket: u16,
        scope: HintScope,
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError>;

    /// Until when the feeder has loaded each bucket; `None`: never, or the data was lost.
    async fn loaded_until(&self) -> Result<Vec<Option<Timestamp>>, QueueError>;

    /// Records until when the feeder has loaded all buckets.
    async fn mark_loaded(&self, until: Timestamp) -> Result<(), QueueError>;

    /// Returns when a hint may have become the first of a future set, here or on another node.
    /// Spurious returns are possible. Only one caller at a time. It should call this whenever it is
    /// idle, because signals from other processes to the consumers are received here too.
    async fn head_changed(&self);
}

/// Hints whose time has come.
#[async_trait]
pub trait PublishList: Send + Sync + 'static {
    /// Adds due hints directly to the publish list. `now` becomes their `moved_at`.
    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError>;

    /// Pops up to `limit` due hints of a scope from all buckets: high before normal before low priority,
    /// and content before other classes, which keep a tenth each of the batch. Waits up to `wait` for the
    /// first one.
    ///
    /// Cancel-safe while it waits; hints that were popped and then dropped are lost, as hints may
    /// be. Errors are returned without delay: the caller must wait before it calls again.
    async fn pop(
        &self,
        scope: HintScope,
        limit: usize,
        now: &dyn domain::Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError>;
}

/// The shards of future set and publish list.
pub trait Buckets: Send + Sync + 'static {
    /// Number of buckets in which new hints are placed.
    fn buckets(&self) -> u16;

    /// Number of buckets that may hold hints. Larger than [`Buckets::buckets`] for a while after that
    /// number was reduced.
    fn polled_buckets(&self) -> u16 {
        self.buckets()
    }

    /// Changes the number of buckets, at most [`crate::MAX_BUCKETS`]: new hints are placed in `buckets`,
    /// and `polled` buckets are polled. The store in memory keeps its initial number.
    fn resize(&self, _buckets: u16, _polled: u16) {}
}

/// The server of the hints, and the nodes that use it.
#[async_trait]
pub trait HintServer: Send + Sync + 'static {
    /// Number of stored hints.
    async fn depth(&self) -> Result<QueueDepth, QueueError>;

    /// Announces a live node in the registry and lists all others that use the same hints. In
    /// process there are no others.
    async fn announce(&self, member: Member, _now: Timestamp) -> Result<Membership, QueueError> {
        Ok(Membership { data_id: None, members: vec![member], round_trip: Duration::ZERO })
    }

    /// Nodes of all installations that announced themselves in the 10 s before `now`. In memory:
    /// none.
    async fn members(&self, _now: Timestamp) -> Result<Vec<Member>, QueueError> {
        Ok(Vec::new())
    }

    /// Queries the state of the server. Errors are returned as an issue.
    async fn health(&self) -> Health;

    /// Whether other processes use the same hints.
    fn is_shared(&self) -> bool;
}

/// A hint store: future set and publish list.
pub trait Hints: FutureSet + PublishList + Buckets + HintServer {}

impl<T: FutureSet + PublishList + Buckets + HintServer> Hints for T {}
