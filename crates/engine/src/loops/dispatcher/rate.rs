//! The rate of a channel: a maximum number of attempts in any second, spread evenly, over all nodes.

/// Part of a second in which several attempts may start at once, milliseconds: a round of its own for each
/// would cost more than it spreads.
const STEP_MS: i64 = 20;
const SECOND_MS: i64 = 1_000;

/// Returns how many attempts may start now. `ready_at`: what [`ready_after`] returned last.
pub fn allowed(rate: i32, ready_at: Option<i64>, now: i64) -> i64 {
    if ready_at.is_some_and(|at| at > now) { 0 } else { step(rate) }
}

/// Returns from when on further attempts may start, after some started at `now`. A late round is not made up
/// for: the rate is a maximum.
pub fn ready_after(rate: i32, now: i64) -> i64 {
    let rounds = (i64::from(rate) / step(rate)).max(1);
    now + (SECOND_MS + rounds - 1) / rounds
}

/// Number of attempts in a round.
fn step(rate: i32) -> i64 {
    (i64::from(rate) * STEP_MS / SECOND_MS).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [i32; 14] = [1, 2, 3, 7, 10, 20, 30, 39, 41, 59, 99, 100, 250, 1_000];

    /// Starts as many attempts as allowed, with rounds of this interval. Returns their moments.
    fn attempts(rate: i32, interval: i64, end: i64) -> Vec<i64> {
        let (mut ready_at, mut started, mut now) = (None, Vec::new(), 0);
        while now < end {
            let count = allowed(rate, ready_at, now);
            if count > 0 {
                ready_at = Some(ready_after(rate, now));
                started.extend((0..count).map(|_| now));
            }
            now += interval;
        }
        started
    }

    #[test]
    fn no_second_has_more_attempts_than_the_rate() {
        for rate in RATES {
            for interval in [1, 3, 10, 33, 100] {
                let all = attempts(rate, interval, 10_000);
                let most = all
                    .iter()
                    .map(|from| all.iter().filter(|at| (*from..from + SECOND_MS).contains(*at)).count());
                let most = i64::try_from(most.max().unwrap()).unwrap();
                assert!(most <= i64::from(rate), "{rate} {interval}: {most}");
            }
        }
    }

    #[test]
    fn the_rate_is_reached() {
        for rate in RATES {
            let count = attempts(rate, 1, 10_000).len();
            let wanted = 10 * usize::try_from(rate).unwrap();
            assert!(count * 100 >= wanted * 90, "{rate}: {count} of {wanted}");
        }
    }
}
