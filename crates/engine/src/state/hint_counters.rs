//! Counters of hints since this process started, for pages and metrics.

use crate::Stale;
use domain::engine::HintCounts;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counters of hints.
#[derive(Debug, Default)]
pub struct HintCounters {
    loaded: AtomicU64,
    promoted: AtomicU64,
    rescued: AtomicU64,
    stale: [AtomicU64; Stale::ALL.len()],
}

impl HintCounters {
    /// Counts hints that the feeder loaded into the future set.
    pub fn record_loaded(&self, hints: u64) {
        self.loaded.fetch_add(hints, Relaxed);
        metrics::counter!("presstime_hints_loaded_total").increment(hints);
    }

    /// Counts hints that the mover promoted to the publish list.
    pub fn record_promoted(&self, hints: u64) {
        self.promoted.fetch_add(hints, Relaxed);
        metrics::counter!("presstime_hints_promoted_total").increment(hints);
    }

    /// Counts overdue tasks that no hint brought.
    pub fn record_rescued(&self, tasks: u64) {
        self.rescued.fetch_add(tasks, Relaxed);
        metrics::counter!("presstime_sweeper_rescued_total").increment(tasks);
    }

    /// Counts stale hints by reason.
    pub fn record_stale(&self, reason: Stale, hints: u64) {
        self.stale[reason as usize].fetch_add(hints, Relaxed);
        metrics::counter!("presstime_hints_stale_total", "reason" => reason.as_str()).increment(hints);
    }

    /// Returns the number of stale hints by reason.
    #[must_use]
    pub fn stale_by_reason(&self) -> Vec<(Stale, u64)> {
        Stale::ALL.map(|reason| (reason, self.stale[reason as usize].load(Relaxed))).into()
    }

    /// Returns the counters. `future` and `publish` are 0; the caller fills them from the hint
    /// store.
    #[must_use]
    pub fn snapshot(&self) -> HintCounts {
        HintCounts {
            future: 0,
            publish: 0,
            loaded: self.loaded.load(Relaxed),
            promoted: self.promoted.load(Relaxed),
            stale: self.stale.iter().map(|count| count.load(Relaxed)).sum(),
            rescued: self.rescued.load(Relaxed),
        }
    }
}
