//! When the next steps of posts are looked for.

use domain::{Timestamp, channel::Endpoint};
use std::sync::atomic::{AtomicI64, Ordering};
use store::dispatch::ChannelQueue;

/// Time between two searches for due steps of posts, milliseconds.
const PLAN_INTERVAL_MS: i64 = 2_000;

/// Time of the last search.
#[derive(Debug)]
pub(super) struct PostPlan {
    /// Milliseconds.
    searched_at: AtomicI64,
}

impl Default for PostPlan {
    fn default() -> Self {
        Self { searched_at: AtomicI64::new(i64::MIN / 2) }
    }
}

impl PostPlan {
    /// Whether due steps are to be looked for now: the interval has passed, or the clock was set back, and a channel
    /// publishes posts.
    pub(super) fn is_due(&self, queues: &[ChannelQueue], now: Timestamp) -> bool {
        let since = now.millis() - self.searched_at.load(Ordering::Relaxed);
        if (0..PLAN_INTERVAL_MS).contains(&since) {
            return false;
        }
        self.searched_at.store(now.millis(), Ordering::Relaxed);
        queues.iter().any(publishes_posts)
    }
}

fn publishes_posts(queue: &ChannelQueue) -> bool {
    let endpoint: Option<Endpoint> = serde_json::from_str(&queue.endpoint).ok();
    endpoint.is_some_and(|endpoint| endpoint.transport().publishes_posts())
}
