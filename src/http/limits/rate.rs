//! Token buckets, one for each key. A bucket is full at first, each request takes from it, and time
//! refills it.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Number of buckets above which full ones are removed.
const MAX_RETAINED_BUCKETS: usize = 1_024;
/// Longest wait that is reported.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3_600);

/// Token buckets of the same size, by key.
pub struct TokenBuckets<K> {
    size: f64,
    per_second: f64,
    levels: Mutex<HashMap<K, Level>>,
}

#[derive(Clone, Copy)]
struct Level {
    left: f64,
    at: Instant,
}

impl<K: Hash + Eq + Clone> TokenBuckets<K> {
    /// Returns buckets that hold `size` and regain `per_second`. `size` 0: no limit.
    #[must_use]
    pub fn new(size: f64, per_second: f64) -> Self {
        Self { size, per_second, levels: Mutex::default() }
    }

    /// Takes `amount` from the bucket of `key`; an error is the time to wait. An amount above the
    /// size is taken from a full bucket, whose level becomes negative.
    pub fn take(&self, key: &K, amount: f64, now: Instant) -> Result<(), Duration> {
        if self.size <= 0.0 {
            return Ok(());
        }
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let full = Level { left: self.size, at: now };
        let left = self.left(levels.get(key).copied().unwrap_or(full), now);
        let needed = amount.min(self.size);
        if left < needed {
            let seconds = (needed - left) / self.per_second;
            return Err(Duration::try_from_secs_f64(seconds).unwrap_or(MAX_WAIT).min(MAX_WAIT));
        }
        if levels.len() >= MAX_RETAINED_BUCKETS && levels.len().is_multiple_of(MAX_RETAINED_BUCKETS) {
            levels.retain(|_, level| self.left(*level, now) < self.size);
        }
        levels.insert(key.clone(), Level { left: left - amount, at: now });
        Ok(())
    }

    fn left(&self, level: Level, now: Instant) -> f64 {
        let regained = now.saturating_duration_since(level.at).as_secs_f64() * self.per_second;
        (level.left + regained).min(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_size_at_once_and_then_its_rate() {
        let (buckets, begin) = (TokenBuckets::new(10.0, 2.0), Instant::now());
        for _ in 0..10 {
            assert_eq!(buckets.take(&"a", 1.0, begin), Ok(()));
        }
        assert_eq!(buckets.take(&"a", 1.0, begin), Err(Duration::from_millis(500)));
        assert_eq!(buckets.take(&"b", 1.0, begin), Ok(()), "each key has a bucket of its own");
        let later = begin + Duration::from_secs(1);
        assert_eq!((buckets.take(&"a", 1.0, later), buckets.take(&"a", 1.0, later)), (Ok(()), Ok(())));
        assert_eq!(buckets.take(&"a", 1.0, later), Err(Duration::from_millis(500)));
    }

    #[test]
    fn more_than_a_bucket_holds_leaves_a_debt() {
        let (buckets, begin) = (TokenBuckets::new(10.0, 1.0), Instant::now());
        assert_eq!(buckets.take(&"a", 30.0, begin), Ok(()));
        assert_eq!(buckets.take(&"a", 1.0, begin), Err(Duration::from_secs(21)));
    }

    #[test]
    fn size_zero_is_no_limit() {
        let (buckets, begin) = (TokenBuckets::new(0.0, 0.0), Instant::now());
        assert!((0..100).all(|_| buckets.take(&"a", 1e12, begin).is_ok()));
    }

    #[test]
    fn full_buckets_are_forgotten_and_others_are_not() {
        let (buckets, begin) = (TokenBuckets::new(10.0, 1.0), Instant::now());
        buckets.take(&usize::MAX, 10.0, begin).unwrap();
        let later = begin + Duration::from_secs(5);
        for key in 0..10 * MAX_RETAINED_BUCKETS {
            let at = later + Duration::from_millis(key as u64 / 8);
            buckets.take(&key, 1.0, at).unwrap();
        }
        assert!(buckets.levels.lock().unwrap().len() < 9 * MAX_RETAINED_BUCKETS);
        assert!(buckets.take(&usize::MAX, 10.0, later).is_err());
    }
}
