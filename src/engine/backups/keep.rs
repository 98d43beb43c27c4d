//! Which backups are kept.

use crate::process::config::KeepRule;
use chrono::Datelike as _;
use domain::Timestamp;
use std::collections::BTreeSet;

const DAY_MS: i64 = 86_400_000;
/// Number of days from a Monday to 1970-01-01, a Thursday.
const DAYS_AFTER_MONDAY: i64 = 3;

/// Returns the backups to keep: those of `needed`, the newest of all, and the newest of each of the
/// last days, weeks and months (in UTC, weeks from Monday) that have one.
pub fn kept(mut times: Vec<Timestamp>, needed: &[Timestamp], keep: KeepRule) -> BTreeSet<Timestamp> {
    times.sort_unstable_by(|one, other| other.cmp(one));
    let newest = times.first().copied();
    let daily = newest_of_each(&times, keep.daily, day);
    let weekly = newest_of_each(&times, keep.weekly, week);
    let monthly = newest_of_each(&times, keep.monthly, month);
    let needed = times.iter().copied().filter(|at| needed.contains(at));
    newest.into_iter().chain(daily).chain(weekly).chain(monthly).chain(needed).collect()
}

/// Returns the newest of each of the last `count` periods that have one. `times`: newest first.
fn newest_of_each(times: &[Timestamp], count: u16, period: fn(Timestamp) -> i64) -> Vec<Timestamp> {
    let mut times = times.to_vec();
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

fn month(at: Timestamp) -> i64 {
    let date = at.utc();
    i64::from(date.year()) * 12 + i64::from(date.month0())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{
        collection::vec,
        test_runner::{Config, RngSeed, TestRunner},
    };

    const RULE: KeepRule = KeepRule { daily: 7, weekly: 4, monthly: 0 };

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
        let kept = kept(times, &[], RULE);
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
        for rule in [RULE, KeepRule { monthly: 3, ..RULE }] {
            let (first, mut kept_so_far) = (at("2026-07-01T03:00:00Z"), BTreeSet::new());
            let all: Vec<Timestamp> = (0..150).map(|day| first.plus(day * DAY_MS)).collect();
            for time in &all {
                kept_so_far.insert(*time);
                kept_so_far = kept(kept_so_far.into_iter().collect(), &[], rule);
            }
            assert_eq!(kept_so_far, kept(all, &[], rule));
        }
    }

    #[test]
    fn of_several_in_a_day_the_newest_is_kept() {
        let times = ["2026-11-30T03:00:00Z", "2026-11-30T12:00:00Z", "2026-11-29T23:59:59.999Z"].map(at);
        assert_eq!(kept(times.to_vec(), &[], RULE), BTreeSet::from([times[1], times[2]]));
    }

    #[test]
    fn days_without_a_backup_do_not_count() {
        let times: Vec<Timestamp> =
            (0..9).map(|n| at("2026-11-30T03:00:00Z").plus(-n * 40 * DAY_MS)).collect();
        assert_eq!(kept(times.clone(), &[], RULE).len(), 7);
        let none = KeepRule { daily: 0, weekly: 0, monthly: 0 };
        assert_eq!(kept(times.clone(), &[], none), BTreeSet::from([times[0]]));
        assert_eq!(kept(times.clone(), &[times[5]], none), BTreeSet::from([times[0], times[5]]));
        assert!(kept(Vec::new(), &[times[0]], RULE).is_empty());
    }

    #[test]
    fn the_newest_of_each_month_is_kept() {
        let times = ["2027-02-01T00:00:00Z", "2027-01-31T23:59:59.999Z", "2027-01-01T00:00:00Z"].map(at);
        let rest = ["2026-12-31T23:59:59.999Z", "2026-11-30T03:00:00Z"].map(at);
        let rule = KeepRule { daily: 0, weekly: 0, monthly: 3 };
        let all = [&times[..], &rest].concat();
        assert_eq!(kept(all, &[], rule), BTreeSet::from([times[0], times[1], rest[0]]));
    }

    /// Whether the backup is the newest of its period, and the period one of the last `count`. The
    /// format names the period.
    fn is_of_period(at: Timestamp, all: &[Timestamp], count: u16, format: &str) -> bool {
        let name = |at: Timestamp| at.utc().format(format).to_string();
        let later: BTreeSet<String> =
            all.iter().filter(|other| **other > at).map(|other| name(*other)).collect();
        !later.contains(&name(at)) && later.len() < usize::from(count)
    }

    #[test]
    fn exactly_the_needed_and_the_newest_of_each_period_are_kept() {
        let config = Config { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() };
        let backups = vec((0_i64..400 * 24, proptest::bool::weighted(0.1)), 0..60);
        let first = at("2026-11-30T03:00:00Z");
        let all = (backups, 0_u16..9, 0_u16..6, 0_u16..15);
        let result = TestRunner::new(config).run(&all, |(backups, daily, weekly, monthly)| {
            let times: Vec<Timestamp> =
                backups.iter().map(|(hours, _)| first.plus(hours * 3_600_000)).collect();
            let marked = times.iter().zip(&backups).filter(|(_, (_, is_needed))| *is_needed);
            let needed: Vec<Timestamp> = marked.map(|(at, _)| *at).collect();
            let is_kept = |at: &Timestamp| {
                Some(at) == times.iter().max()
                    || needed.contains(at)
                    || is_of_period(*at, &times, daily, "%Y-%m-%d")
                    || is_of_period(*at, &times, weekly, "%G-%V")
                    || is_of_period(*at, &times, monthly, "%Y-%m")
            };
            let expected: BTreeSet<Timestamp> = times.iter().copied().filter(is_kept).collect();
            let found = kept(times.clone(), &needed, KeepRule { daily, weekly, monthly });
            proptest::prop_assert_eq!(found, expected);
            Ok(())
        });
        result.expect("the rule holds");
    }
}
