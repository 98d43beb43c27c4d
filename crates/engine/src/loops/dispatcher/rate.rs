//! The rate of a channel: a maximum number of attempts in any second or minute, spread evenly, over all nodes.

use domain::channel::RatePeriod;
use store::dispatch::ChannelQueue;

/// Part of a period in which several attempts may start at once, milliseconds: a round of its own for each
/// would cost more than it spreads.
const STEP_MS: i64 = 20;
const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60_000;

/// A rate.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    max: i64,
    period_ms: i64,
}

impl Rate {
    /// Returns the rate of a channel; `None`: it has no limit. A period of a newer release counts as a minute,
    /// the longest.
    pub fn of_channel(queue: &ChannelQueue) -> Option<Self> {
        let period_ms = match queue.rate_per.parse().unwrap_or(RatePeriod::Minute) {
            RatePeriod::Second => SECOND_MS,
            RatePeriod::Minute => MINUTE_MS,
        };
        Some(Self { max: queue.rate?.into(), period_ms })
    }

    /// Returns how many attempts may start now. `ready_at`: what [`Rate::ready_after`] returned last.
    pub fn allowed(self, ready_at: Option<i64>, now: i64) -> i64 {
        if ready_at.is_some_and(|at| at > now) { 0 } else { self.step() }
    }

    /// Returns from when on further attempts may start, after some started at `now`. A late round is not made
    /// up for: the rate is a maximum.
    pub fn ready_after(self, now: i64) -> i64 {
        let rounds = (self.max / self.step()).max(1);
        now + (self.period_ms + rounds - 1) / rounds
    }

    /// Number of attempts in a round.
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
    fn no_period_has_more_attempts_than_the_rate() {
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
    fn the_rate_is_reached() {
        for rate in rates() {
            let count = i64::try_from(attempts(rate, 1, 10 * rate.period_ms).len()).unwrap();
            assert!(count >= 9 * rate.max, "{rate:?}: {count} in ten periods");
        }
    }
}
