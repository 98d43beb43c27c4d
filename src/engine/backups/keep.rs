//! Which backups are kept.

use crate::process::config::KeepRule;
use domain::Timestamp;
use std::collections::BTreeSet;

const DAY_MS: i64 = 86_400_000;
/// Number of days from a Monday to 1970-01-01, a Thursday.
const DAYS_AFTER_MONDAY: i64 = 3;

/// Returns the backups to keep: the newest of all, and of each of the last days and weeks (in UTC,
/// from Monday) that have one.
pub fn kept(mut times: Vec<Timestamp>, keep: KeepRule) -> BTreeSet<Timestamp> {
    times.sort_unstable_by(|one, other| other.cmp(one));
    let newest = times.first().copied();
    let daily = newest_of_each(times.clone(), keep.daily, day);
    let weekly = newest_of_each(times, keep.weekly, week);
    newest.into_iter().chain(daily).chain(weekly).collect()
}

/// Returns the newest of each of the last `count` periods that have one. `times`: newest first.
fn newest_of_each(mut times: Vec<Timestamp>, count: u16, period: fn(Timestamp) -> i64) -> Vec<Timestamp> {
    times.dedup_by_key(|at| period(*at));
    times.truncate(usize::from(count));
    times
}

fn day(at: Timestamp) -> i64 {
    at.millis().div_euclid(DAY_MS)
}

fn week(at: Timestamp) -> i64 {
    (day(at) + DAYS_AFTER_MONDAY).div_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: KeepRule = KeepRule { daily: 7, weekly: 4 };

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn days(kept: &BTreeSet<Timestamp>) -> Vec<String> {
        kept.iter().rev().map(|at| at.to_string().chars().take(10).collect()).collect()
    }

    #[test]
    fn seven_days_and_four_weeks_are_kept() {
        let newest = at("2026-11-30T03:00:00Z"); // a Monday
        let times = (0..60).map(|before| newest.plus(-before * DAY_MS)).collect();
        let kept = kept(times, RULE);
        let expected = [
            "2026-11-30",
            "2026-11-29",
            "2026-11-28",
            "2026-11-27",
            "2026-11-26",
            "2026-11-25",
            "2026-11-24",
            "2026-11-22",
            "2026-11-15",
        ];
        assert_eq!(days(&kept), expected);
    }

    #[test]
    fn thinning_out_each_day_ends_in_the_same_as_thinning_out_once() {
        let (first, mut kept_so_far) = (at("2026-09-01T03:00:00Z"), BTreeSet::new());
        let all: Vec<Timestamp> = (0..90).map(|day| first.plus(day * DAY_MS)).collect();
        for time in &all {
            kept_so_far.insert(*time);
            kept_so_far = kept(kept_so_far.into_iter().collect(), RULE);
        }
        assert_eq!(kept_so_far, kept(all, RULE));
    }

    #[test]
    fn of_several_in_a_day_the_newest_is_kept() {
        let times = ["2026-11-30T03:00:00Z", "2026-11-30T12:00:00Z", "2026-11-29T23:59:59.999Z"].map(at);
        assert_eq!(kept(times.to_vec(), RULE), BTreeSet::from([times[1], times[2]]));
    }

    #[test]
    fn days_without_a_backup_do_not_count() {
        let times: Vec<Timestamp> =
            (0..9).map(|n| at("2026-11-30T03:00:00Z").plus(-n * 40 * DAY_MS)).collect();
        assert_eq!(kept(times.clone(), RULE).len(), 7);
        assert_eq!(kept(times.clone(), KeepRule { daily: 0, weekly: 0 }), BTreeSet::from([times[0]]));
        assert!(kept(Vec::new(), RULE).is_empty());
    }
}
