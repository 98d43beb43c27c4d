//! How late tasks were: percentiles, a histogram, and what is left of the promise.

use serde::{Deserialize, Serialize};

/// Executed so long after its moment a task is still on time, milliseconds.
pub const ON_TIME_MS: i64 = 500;
/// One task of so many may be late.
pub const ONE_OF: u64 = 1_000;
/// The latest a task of each bar of the histogram may be, milliseconds; those of the last bar are later still.
pub const BOUNDS: [i64; 14] =
    [1, 2, 5, 10, 20, 50, 100, 200, ON_TIME_MS, 1_000, 2_000, 5_000, 10_000, 60_000];
/// Bars of the histogram.
pub const BARS: usize = BOUNDS.len() + 1;

/// How late tasks were: executed − due, milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lag {
    /// How many were measured.
    pub count: u64,
    /// Half were at most this late.
    pub p50: i64,
    /// 95 of 100 were at most this late.
    pub p95: i64,
    /// 99 of 100 were at most this late.
    pub p99: i64,
    /// The latest.
    pub max: i64,
    /// Executed before their moment. Always 0.
    pub early: u64,
    /// How many were late: by more than [`ON_TIME_MS`].
    pub late: u64,
    /// How many fall between each of [`BOUNDS`] and the one before it.
    pub spread: [u64; BARS],
}

impl Lag {
    /// The lag of tasks that are counted by lag, the smallest first.
    #[must_use]
    pub fn of(counted: &[(i64, u64)]) -> Self {
        let mut lag = Self { count: counted.iter().map(|(_, tasks)| tasks).sum(), ..Self::default() };
        for (late_by, tasks) in counted {
            let bar = BOUNDS.iter().position(|bound| late_by <= bound).unwrap_or(BOUNDS.len());
            lag.spread[bar] += tasks;
            lag.early += if *late_by < 0 { *tasks } else { 0 };
            lag.late += if *late_by > ON_TIME_MS { *tasks } else { 0 };
        }
        let at = |percent: u64| percentile(counted, lag.count, percent);
        Self { p50: at(50), p95: at(95), p99: at(99), max: at(100), ..lag }
    }

    /// How many of them may be late.
    #[must_use]
    pub fn allowed(&self) -> u64 {
        self.count.div_ceil(ONE_OF)
    }

    /// How much of what may be late has not been used up, percent.
    #[must_use]
    pub fn budget_left(&self) -> u64 {
        match self.allowed() {
            0 => 100,
            allowed => allowed.saturating_sub(self.late) * 100 / allowed,
        }
    }
}

/// What so many percent of the `total` that are counted, the smallest first, do not exceed; 0 of none.
#[must_use]
pub fn percentile(counted: &[(i64, u64)], total: u64, percent: u64) -> i64 {
    let place = (total * percent).div_ceil(100);
    let mut passed = 0;
    for (value, count) in counted {
        passed += count;
        if passed >= place && place > 0 {
            return *value;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lag_is_told_by_percentiles_and_bars() {
        let counted: Vec<(i64, u64)> = (0..100).map(|ms| (ms, 1)).collect();
        let lag = Lag::of(&counted);
        assert_eq!((lag.count, lag.p50, lag.p95, lag.p99, lag.max), (100, 49, 94, 98, 99));
        assert_eq!(lag.spread[..7], [2, 1, 3, 5, 10, 30, 49]);
        assert_eq!(Lag::of(&[]), Lag::default());
    }

    #[test]
    fn one_of_a_thousand_may_be_late_and_no_more() {
        assert_eq!(Lag::of(&[]).budget_left(), 100);
        let at_the_line = Lag::of(&[(ON_TIME_MS, 10)]);
        assert_eq!((at_the_line.late, at_the_line.allowed(), at_the_line.budget_left()), (0, 1, 100));
        let half = Lag::of(&[(3, 1_999), (ON_TIME_MS + 1, 1)]);
        assert_eq!((half.late, half.allowed(), half.budget_left()), (1, 2, 50));
        assert_eq!(Lag::of(&[(3, 10), (90_000, 5)]).budget_left(), 0);
    }
}
