//! The rate of a channel: a number of attempts a second, evenly spaced over all nodes.

/// Part of a second in which several attempts may start at once, milliseconds: a round of its own
/// for each would cost more than it spreads.
const STEP_MS: i64 = 10;
const SECOND_MS: i64 = 1_000;

/// Returns how many attempts may start now. `ready_at`: what [`ready_after`] returned last.
pub fn allowed(rate: i32, ready_at: Option<i64>, now: i64) -> i64 {
    if ready_at.is_some_and(|at| at > now) { 0 } else { step(rate) }
}

/// Returns from when on further attempts may start, after `count` started at `now`.
pub fn ready_after(rate: i32, ready_at: Option<i64>, now: i64, count: i64) -> i64 {
    // A round that came a little late does not lower the rate.
    let from = ready_at.map_or(now, |at| at.clamp(now - STEP_MS, now));
    from + (count * SECOND_MS + i64::from(rate) - 1) / i64::from(rate.max(1))
}

fn step(rate: i32) -> i64 {
    (i64::from(rate) * STEP_MS / SECOND_MS).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts as many attempts as allowed, with rounds of this interval. Returns their moments.
    fn attempts(rate: i32, interval: i64, end: i64) -> Vec<i64> {
        let (mut ready_at, mut started, mut now) = (None, Vec::new(), 0);
        while now < end {
            let count = allowed(rate, ready_at, now);
            if count > 0 {
                ready_at = Some(ready_after(rate, ready_at, now, count));
                started.extend((0..count).map(|_| now));
            }
            now += interval;
        }
        started
    }

    #[test]
    fn no_second_has_more_attempts_than_the_rate() {
        for rate in [1, 2, 3, 7, 10, 60, 99, 100, 250, 1_000] {
            for interval in [1, 3, 10, 100] {
                let all = attempts(rate, interval, 10_000);
                let most = all
                    .iter()
                    .map(|from| all.iter().filter(|at| (*from..from + 1_000).contains(*at)).count());
                let most = i64::try_from(most.max().unwrap()).unwrap();
                // A late round is made up for, within one step.
                assert!(most <= i64::from(rate) + step(rate) + 1, "{rate} {interval}: {most}");
            }
        }
    }

    #[test]
    fn the_rate_is_reached() {
        for rate in [1, 2, 10, 60, 100, 250, 1_000] {
            let count = attempts(rate, 1, 10_000).len();
            let wanted = 10 * usize::try_from(rate).unwrap();
            assert!(count * 100 >= wanted * 90, "{rate}: {count} of {wanted}");
        }
    }
}
