//! Cache of executed tasks per minute. Past minutes are counted once.

use domain::Timestamp;
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::{Conn, StoreError, report};

/// Number of minutes shown.
pub const MINUTES: u16 = 60;
const MINUTE_MS: i64 = 60_000;
/// Time after the end of a minute when all its executions are committed, milliseconds.
const SETTLED_AFTER_MS: i64 = 10_000;

/// Counts of past minutes.
#[derive(Debug, Default)]
pub struct ThroughputCache(Mutex<Known>);

#[derive(Debug, Clone, Default)]
struct Known {
    /// Number of the first minute, counted from 1970.
    first: i64,
    counts: Vec<u32>,
}

impl ThroughputCache {
    /// Returns the executed tasks in each of the last [`MINUTES`] minutes, oldest first; the last
    /// minute is incomplete.
    pub async fn read(&self, conn: Conn<'_>, now: Timestamp) -> Result<Vec<u32>, StoreError> {
        let last = now.millis().div_euclid(MINUTE_MS);
        let first = last - i64::from(MINUTES) + 1;
        let mut counts = self.lock().since(first);
        let missing = u16::try_from(i64::from(MINUTES) - count(&counts)).unwrap_or(MINUTES);
        counts.extend(report::throughput(conn, first + count(&counts), missing).await?);
        let over = (now.millis() - SETTLED_AFTER_MS).div_euclid(MINUTE_MS) - first;
        let over = usize::try_from(over).unwrap_or(0).min(counts.len());
        *self.lock() = Known { first, counts: counts[..over].to_vec() };
        Ok(counts)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Returns the known counts from minute `first` on.
    fn since(&self, first: i64) -> Vec<u32> {
        let skip = usize::try_from(first - self.first).ok();
        let known = skip.and_then(|skip| self.counts.get(skip..)).unwrap_or_default();
        known.iter().copied().take(usize::from(MINUTES)).collect()
    }
}

fn count(counts: &[u32]) -> i64 {
    i64::try_from(counts.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_minutes_are_kept_and_older_ones_removed() {
        let known = Known { first: 100, counts: vec![1, 2, 3] };
        assert_eq!(known.since(100), [1, 2, 3]);
        assert_eq!(known.since(102), [3]);
        assert_eq!(known.since(103), Vec::<u32>::new());
        assert_eq!(known.since(200), Vec::<u32>::new());
        // After the clock went back nothing is known.
        assert_eq!(known.since(99), Vec::<u32>::new());
    }
}
