//! How many hints went which way since this process started, for pages and for metrics.

use super::Stale;
use domain::engine::HintCounts;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The counters.
#[derive(Debug, Default)]
pub struct Counts {
    fed: AtomicU64,
    moved: AtomicU64,
    rescued: AtomicU64,
    stale: [AtomicU64; Stale::ALL.len()],
}

impl Counts {
    /// Counts hints put into the future set by the feeder.
    pub fn fed(&self, hints: u64) {
        self.fed.fetch_add(hints, Relaxed);
        metrics::counter!("presstime_hints_fed_total").increment(hints);
    }

    /// Counts hints moved to the publish list.
    pub fn moved(&self, hints: u64) {
        self.moved.fetch_add(hints, Relaxed);
        metrics::counter!("presstime_hints_moved_total").increment(hints);
    }

    /// Counts overdue tasks that no hint brought.
    pub fn rescued(&self, tasks: u64) {
        self.rescued.fetch_add(tasks, Relaxed);
        metrics::counter!("presstime_sweeper_rescued_total").increment(tasks);
    }

    /// Counts hints that came to nothing, by reason.
    pub fn stale(&self, reason: Stale, hints: u64) {
        self.stale[reason as usize].fetch_add(hints, Relaxed);
        metrics::counter!("presstime_hints_stale_total", "reason" => reason.as_str()).increment(hints);
    }

    /// How many hints came to nothing, by reason.
    #[must_use]
    pub fn reasons(&self) -> Vec<(Stale, u64)> {
        Stale::ALL.map(|reason| (reason, self.stale[reason as usize].load(Relaxed))).into()
    }

    /// The counters since the start; `future` and `publish` are left at 0 for whoever asks the hint store.
    #[must_use]
    pub fn read(&self) -> HintCounts {
        HintCounts {
            future: 0,
            publish: 0,
            fed: self.fed.load(Relaxed),
            moved: self.moved.load(Relaxed),
            stale: self.stale.iter().map(|count| count.load(Relaxed)).sum(),
            rescued: self.rescued.load(Relaxed),
        }
    }
}
