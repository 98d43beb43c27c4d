//! Lateness of executed tasks: percentiles, a histogram and the error budget.

use serde::{Deserialize, Serialize};

/// A task executed at most this many milliseconds after its due time is on time.
pub const ON_TIME_MS: i64 = 500;
/// One task in this many may be late.
pub const LATE_BUDGET_ONE_IN: u64 = 1_000;
/// Upper bounds of the histogram buckets, milliseconds; the last bucket has no upper bound.
pub const HISTOGRAM_BOUNDS_MS: [i64; 14] =
    [1, 2, 5, 10, 20, 50, 100, 200, ON_TIME_MS, 1_000, 2_000, 5_000, 10_000, 60_000];
/// Number of histogram buckets.
pub const HISTOGRAM_BUCKETS: usize = HISTOGRAM_BOUNDS_MS.len() + 1;

/// Lateness of a set of tasks: executed − due, milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lateness {
    /// Number of tasks.
    pub count: u64,
    /// Median.
    pub p50: i64,
    /// 95th percentile.
    pub p95: i64,
    /// 99th percentile.
    pub p99: i64,
    /// Maximum.
    pub max: i64,
    /// Number executed before their due time. Always 0.
    pub early: u64,
    /// Number executed more than [`ON_TIME_MS`] late.
    pub late: u64,
    /// Number of tasks in each histogram bucket, see [`HISTOGRAM_BOUNDS_MS`].
    pub histogram: [u64; HISTOGRAM_BUCKETS],
}

impl Lateness {
    /// Computes the lateness from (milliseconds late, number of tasks) pairs, sorted in ascending
    /// order.
    #[must_use]
    pub fn from_counts(counted: &[(i64, u64)]) -> Self {
        let mut lateness = Self { count: counted.iter().map(|(_, tasks)| tasks).sum(), ..Self::default() };
        for (late_by, tasks) in counted {
            let bucket = HISTOGRAM_BOUNDS_MS
                .iter()
                .position(|bound| late_by <= bound)
                .unwrap_or(HISTOGRAM_BOUNDS_MS.len());
            lateness.histogram[bucket] += tasks;
            lateness.early += if *late_by < 0 { *tasks } else { 0 };
            lateness.late += if *late_by > ON_TIME_MS { *tasks } else { 0 };
        }
        let at = |percent: u64| percentile(counted, lateness.count, percent);
        Self { p50: at(50), p95: at(95), p99: at(99), max: at(100), ..lateness }
    }

    /// How many of them may be late.
    #[must_use]
    pub fn late_budget(&self) -> u64 {
        self.count.div_ceil(LATE_BUDGET_ONE_IN)
    }

    /// Unused part of the error budget, percent.
    #[must_use]
    pub fn late_budget_left(&self) -> u64 {
        match self.late_budget() {
            0 => 100,
            budget => budget.saturating_sub(self.late) * 100 / budget,
        }
    }
}

/// Returns the percentile of values given as (value, count) pairs in ascending order; 0 if there
/// are none. `total` is the sum of the counts.
#[must_use]
pub fn percentile(counted: &[(i64, u64)], total: u64, percent: u64) -> i64 {
    let rank = (total * percent).div_ceil(100);
    let mut passed = 0;
    for (value, count) in counted {
        passed += count;
        if passed >= rank && rank > 0 {
            return *value;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_has_percentiles_and_a_histogram() {
        let counted: Vec<(i64, u64)> = (0..100).map(|ms| (ms, 1)).collect();
        let lateness = Lateness::from_counts(&counted);
        assert_eq!(
            (lateness.count, lateness.p50, lateness.p95, lateness.p99, lateness.max),
            (100, 49, 94, 98, 99)
        );
        assert_eq!(lateness.histogram[..7], [2, 1, 3, 5, 10, 30, 49]);
        assert_eq!(Lateness::from_counts(&[]), Lateness::default());
    }

    #[test]
    fn one_in_a_thousand_may_be_late() {
        assert_eq!(Lateness::from_counts(&[]).late_budget_left(), 100);
        let at_the_line = Lateness::from_counts(&[(ON_TIME_MS, 10)]);
        assert_eq!(
            (at_the_line.late, at_the_line.late_budget(), at_the_line.late_budget_left()),
            (0, 1, 100)
        );
        let half = Lateness::from_counts(&[(3, 1_999), (ON_TIME_MS + 1, 1)]);
        assert_eq!((half.late, half.late_budget(), half.late_budget_left()), (1, 2, 50));
        assert_eq!(Lateness::from_counts(&[(3, 10), (90_000, 5)]).late_budget_left(), 0);
    }
}
