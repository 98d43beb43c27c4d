//! Rates: a maximum number of starts in any second or minute, spread evenly, over all nodes. Those of a channel
//! are attempts, those of a kind are executions.

use super::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Time in which at most as many attempts or executions start as a rate says.
    RatePeriod {
        /// A second.
        Second = "second",
        /// A minute.
        Minute = "minute",
    }
}

/// Part of a period in which several may start at once, milliseconds: a round of its own for each
/// would cost more than it spreads.
const STEP_MS: i64 = 20;
const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60_000;

/// A rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    max: i64,
    period_ms: i64,
}

impl Rate {
    /// Returns a rate as it is stored. A period of a newer release counts as a minute, the longest.
    #[must_use]
    pub fn stored(max: i32, per: &str) -> Self {
        let period_ms = match per.parse().unwrap_or(RatePeriod::Minute) {
            RatePeriod::Second => SECOND_MS,
            RatePeriod::Minute => MINUTE_MS,
        };
        Self { max: max.into(), period_ms }
    }

    /// Returns how many may start now. `ready_at`: what [`Rate::ready_after`] returned last.
    #[must_use]
    pub fn allowed(self, ready_at: Option<i64>, now: i64) -> i64 {
        if ready_at.is_some_and(|at| at > now) { 0 } else { self.step() }
    }

    /// Returns from when on further ones may start, after some started at `now`. A late round is not made
    /// up for: the rate is a maximum.
    #[must_use]
    pub fn ready_after(self, now: i64) -> i64 {
        now + self.interval_ms()
    }

    /// Returns the turn of one before which `waiting` others start, the first of them at `begin`. Those that
    /// start in one round have the same turn.
    #[must_use]
    pub fn turn_after(self, begin: i64, waiting: i64) -> i64 {
        let at = self.end_after(begin, waiting);
        match self.step() {
            1 => at,
            _ => at.saturating_add((-at).rem_euclid(self.interval_ms())),
        }
    }

    /// Returns when the turns of `waiting` tasks end, the first of which starts at `begin`.
    #[must_use]
    pub fn end_after(self, begin: i64, waiting: i64) -> i64 {
        let spread = waiting.saturating_mul(self.period_ms).saturating_add(self.max - 1) / self.max;
        begin.saturating_add(spread)
    }

    /// Time from one round to the next, milliseconds.
    fn interval_ms(self) -> i64 {
        let rounds = (self.max / self.step()).max(1);
        (self.period_ms + rounds - 1) / rounds
    }

    /// Number of starts in a round.
    fn step(self) -> i64 {
        (self.max * STEP_MS / self.period_ms).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [i64; 14] = [1, 2, 3, 7, 10, 20, 30, 39, 41, 59, 99, 100, 250, 1_000];

    const PERIODS: [i64; 2] = [SECOND_MS, MINUTE_MS];

    /// Starts as many attempts as allowed, with rounds of this interval. Returns their moments.
    fn attempts(rate: Rate, interval: i64, end: i64) -> Vec<i64> {
        let (mut ready_at, mut started, mut now) = (None, Vec::new(), 0);
        while now < end {
            let count = rate.allowed(ready_at, now);
            if count > 0 {
                ready_at = Some(rate.ready_after(now));
                started.extend((0..count).map(|_| now));
            }
            now += interval;
        }
        started
    }

    /// Each rate in each period.
    fn rates() -> impl Iterator<Item = Rate> {
        PERIODS.into_iter().flat_map(|period_ms| RATES.map(|max| Rate { max, period_ms }))
    }

    #[test]
    fn no_period_has_more_starts_than_the_rate() {
        for rate in rates() {
            for interval in [1, 3, 10, 33, 100] {
                let all = attempts(rate, interval, 2 * rate.period_ms);
                let count = |from: &i64| {
                    let until = from + rate.period_ms;
                    all.partition_point(|at| *at < until) - all.partition_point(|at| at < from)
                };
                let most = i64::try_from(all.iter().map(count).max().unwrap()).unwrap();
                assert!(most <= rate.max, "{rate:?} {interval}: {most}");
            }
        }
    }

    #[test]
    fn those_that_wait_take_turns() {
        let rate = Rate::stored(2, "second");
        assert_eq!([0, 1, 2].map(|waiting| rate.turn_after(100, waiting)), [100, 600, 1_100]);
        // Two in each round of 20 ms.
        let fast = Rate::stored(100, "second");
        assert_eq!([1, 2, 3, 4].map(|waiting| fast.turn_after(100, waiting)), [120, 120, 140, 140]);
        assert_eq!((fast.end_after(100, 1), fast.end_after(100, 3)), (110, 130));
        assert_eq!(Rate::stored(3, "month"), Rate::stored(3, "minute"));
    }

    #[test]
    fn the_rate_is_reached() {
        for rate in rates() {
            let count = i64::try_from(attempts(rate, 1, 10 * rate.period_ms).len()).unwrap();
            assert!(count >= 9 * rate.max, "{rate:?}: {count} in ten periods");
        }
    }
}
