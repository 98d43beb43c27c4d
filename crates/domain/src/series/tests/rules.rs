//! Rules: their JSON, their refusals, and their occurrences.

use super::{at, fields, first_dates, first_occurrences, series, try_series, zone::TestZone};
use crate::{
    DomainError, Timestamp,
    error::ValidationError,
    series::{RuleFields, SeriesProblem},
};
use serde_json::{Value, json};

/// Field and message of a refusal.
fn refusal(starts: &str, rule: &Value) -> (String, String) {
    let zone = TestZone::named("Europe/Berlin");
    let now = at("2026-06-01T00:00:00Z");
    let checked = try_series(starts, "Europe/Berlin", rule).and_then(|series| series.check(&zone, now));
    match checked {
        Err(DomainError::Invalid { field, problem }) => (field, problem.to_string()),
        other => panic!("{rule}: {other:?}"),
    }
}

const FAR: &str = "goes further ahead than 18 months: the last occurrence may be on 2027-12-01, which leaves";

/// Rules, the field for which they are refused, and the beginning of the message.
fn refused_rules() -> Vec<(Value, &'static str, &'static str)> {
    vec![
        (json!({"frequency": "daily"}), "until", "must end: give the last date (until) or the number"),
        (json!({"frequency": "daily", "count": 2, "until": "2026-07-01"}), "count", "must end only once"),
        (json!({"frequency": "daily", "count": 0}), "count", "must be between 1 and 1000"),
        (json!({"frequency": "daily", "count": 1001}), "count", "must be between 1 and 1000"),
        (json!({"frequency": "daily", "count": -1}), "count", "must be between 1 and 1000"),
        (json!({"frequency": "daily", "interval": 0, "count": 2}), "interval", "must be between 1 and 366"),
        (json!({"frequency": "daily", "interval": 367, "count": 2}), "interval", "must be between 1 and 366"),
        (json!({"frequency": "hourly", "count": 2}), "frequency", "must be one of: daily, weekly"),
        (
            json!({"frequency": "daily", "weekdays": ["monday"], "count": 2}),
            "weekdays",
            "is not used by a daily",
        ),
        (json!({"frequency": "weekly", "weekdays": [], "count": 2}), "weekdays", "must not be empty"),
        (
            json!({"frequency": "weekly", "weekdays": ["noday"], "count": 2}),
            "weekdays",
            "must be one of: monday",
        ),
        (json!({"frequency": "weekly", "day": 3, "count": 2}), "day", "is not used by a weekly rule"),
    ]
}

fn refused_months_and_ends() -> Vec<(Value, &'static str, &'static str)> {
    vec![
        (json!({"frequency": "monthly", "day": 0, "count": 2}), "day", "must be between 1 and 31, or -1"),
        (json!({"frequency": "monthly", "day": 32, "count": 2}), "day", "must be between 1 and 31, or -1"),
        (json!({"frequency": "monthly", "day": -2, "count": 2}), "day", "must be between 1 and 31, or -1"),
        (json!({"frequency": "monthly", "day": 1, "nth": 1, "count": 2}), "day", "and nth cannot be given"),
        (json!({"frequency": "monthly", "nth": 6, "count": 2}), "nth", "must be between 1 and 5, or -1"),
        (json!({"frequency": "monthly", "weekdays": ["monday"], "count": 2}), "weekdays", "needs nth"),
        (
            json!({"frequency": "monthly", "nth": 1, "weekdays": ["monday", "friday"], "count": 2}),
            "weekdays",
            "must be exactly one weekday",
        ),
        (json!({"frequency": "monthly", "month": 2, "count": 2}), "month", "is not used by a monthly rule"),
        (
            json!({"frequency": "yearly", "month": 2, "day": 30, "count": 2, "short_month": "last_day"}),
            "day",
            "does not exist: month 2 never has a day 30",
        ),
        (
            json!({"frequency": "yearly", "month": 13, "day": 1, "count": 2}),
            "month",
            "must be between 1 and 12",
        ),
        (json!({"frequency": "daily", "until": "2026-02-30"}), "until", "is not a date; write it like"),
        (json!({"frequency": "daily", "until": "2426-01-01"}), "until", "is not a date"),
        (json!({"frequency": "daily", "until": "2026-06-14"}), "until", "is before the start"),
        (json!({"frequency": "daily", "until": "2027-12-02"}), "until", FAR),
        (json!({"frequency": "daily", "until": "2199-12-31"}), "until", FAR),
        (json!({"frequency": "yearly", "count": 400}), "count", FAR),
        (
            json!({"frequency": "monthly", "interval": 12, "day": 31, "until": "2026-07-30"}),
            "frequency",
            "has no occurrence",
        ),
        (
            json!({"frequency": "daily", "count": 1, "exceptions": ["2026-06-15"]}),
            "frequency",
            "has no occurrence between",
        ),
        (json!({"frequency": "daily", "count": 1, "exceptions": ["soon"]}), "exceptions", "is not a date"),
        (json!({"frequency": "daily", "count": 1, "skipped_time": "x"}), "skipped_time", "must be one of"),
        (json!({"frequency": "daily", "count": 1, "doubled_time": "x"}), "doubled_time", "must be one of"),
        (json!({"frequency": "daily", "count": 1, "short_month": "x"}), "short_month", "must be one of"),
    ]
}

#[test]
fn a_rule_is_refused_with_the_field_and_a_plain_sentence() {
    let start = "2026-06-15T09:00";
    for (rule, field, message) in refused_rules().into_iter().chain(refused_months_and_ends()) {
        let (refused, why) = refusal(start, &rule);
        assert_eq!(refused, format!("rule.{field}"), "{rule}");
        assert!(why.starts_with(message), "{rule}: {why}");
    }
    let yearly = json!({"frequency": "yearly", "count": 400});
    assert!(refusal(start, &yearly).1.ends_with(" which leaves 2 occurrences"));
    let many = json!({"frequency": "daily", "count": 1, "exceptions": vec!["2026-06-15"; 367]});
    assert_eq!(refusal(start, &many).1, "has more than 366 items");
}

#[test]
fn an_invalid_start_is_refused() {
    let rule = json!({"frequency": "daily", "count": 1});
    for (starts, why) in [
        ("2027-02-30T09:00", "is not a time"),
        ("2026-06-15", "is not a time"),
        ("1999-06-15T09:00", "must be between the years"),
        ("2026-06-15T09:00:30", "must be a full minute"),
        ("2030-06-15T09:00", "goes further ahead than 18 months"),
    ] {
        let (field, message) = refusal(starts, &rule);
        assert_eq!(field, "starts_local");
        assert!(message.starts_with(why), "{starts}: {message}");
    }
}

#[test]
fn a_month_that_never_has_the_day_ends_without_an_occurrence() {
    let never = json!({"frequency": "monthly", "interval": 12, "day": 31, "count": 5});
    let zone = TestZone::named("UTC");
    let series = series("2027-02-01T09:00", "UTC", &never);
    let problem = ValidationError::Series { why: SeriesProblem::Empty };
    let refused = series.check(&zone, at("2026-06-01T00:00:00Z"));
    assert_eq!(refused, Err(DomainError::invalid("rule.frequency", problem)));
}

#[test]
fn absent_fields_are_those_of_the_start_and_stored_json_is_complete() {
    for (rule, starts, stored) in [
        (json!({"frequency": "weekly", "count": 3}), "2026-06-16T09:00", json!({"weekdays": ["tuesday"]})),
        (json!({"frequency": "monthly", "count": 3}), "2026-01-31T09:00", json!({"day": 31})),
        (
            json!({"frequency": "monthly", "nth": 2, "count": 3}),
            "2026-06-16T09:00",
            json!({"nth": 2, "weekdays": ["tuesday"]}),
        ),
        (json!({"frequency": "yearly", "count": 3}), "2028-02-29T09:00", json!({"month": 2, "day": 29})),
        (json!({"frequency": "monthly", "day": -1, "count": 3}), "2026-01-31T09:00", json!({"day": -1})),
        (
            json!({"frequency": "daily", "until": "2026-12-31", "exceptions": ["2026-12-24"]}),
            "2026-06-16T09:00",
            json!({}),
        ),
    ] {
        let before = series(starts, "UTC", &rule);
        let json = serde_json::to_value(RuleFields::from(&before.rule)).unwrap();
        for (name, value) in stored.as_object().unwrap() {
            assert_eq!(&json[name], value, "{rule}");
        }
        assert_eq!(json["skipped_time"], "next_valid");
        // It no longer depends on the start.
        assert_eq!(fields(&json).into_rule(jiff::civil::date(2026, 5, 6)).unwrap(), before.rule);
    }
}

#[test]
fn a_series_on_the_31st_stays_on_the_31st() {
    let skip = json!({"frequency": "monthly", "until": "2026-12-31"});
    let dates = first_dates(&series("2026-01-31T09:00", "Europe/Berlin", &skip), 60);
    assert_eq!(
        dates.join(" "),
        "2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31"
    );
    let last = json!({"frequency": "monthly", "until": "2026-06-30", "short_month": "last_day"});
    let dates = first_dates(&series("2026-01-31T09:00", "Europe/Berlin", &last), 60);
    assert_eq!(dates.join(" "), "2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30");
    let leap = json!({"frequency": "yearly", "count": 3});
    assert_eq!(
        first_dates(&series("2028-02-29T09:00", "UTC", &leap), 9).join(" "),
        "2028-02-29 2032-02-29 2036-02-29"
    );
}

#[test]
fn a_skipped_time_moves_to_the_end_of_the_gap_or_is_dropped() {
    let rule = |choice: &str| json!({"frequency": "daily", "count": 3, "skipped_time": choice});
    let moved = first_occurrences(&series("2027-03-27T02:30", "Europe/Berlin", &rule("next_valid")), 5);
    assert_eq!(
        moved,
        [
            "2027-03-27T02:30 = 2027-03-27T01:30",
            "2027-03-28T02:30 = 2027-03-28T01:00",
            "2027-03-29T02:30 = 2027-03-29T00:30"
        ]
    );
    let skipped = first_occurrences(&series("2027-03-27T02:30", "Europe/Berlin", &rule("skip")), 5);
    assert_eq!(skipped, ["2027-03-27T02:30 = 2027-03-27T01:30", "2027-03-29T02:30 = 2027-03-29T00:30"]);
}

#[test]
fn a_doubled_time_is_the_first_or_the_second() {
    for (choice, instant) in [("earlier", "2027-10-31T00:30"), ("later", "2027-10-31T01:30")] {
        let rule = json!({"frequency": "daily", "count": 1, "doubled_time": choice});
        let found = first_occurrences(&series("2027-10-31T02:30", "Europe/Berlin", &rule), 5);
        assert_eq!(found, [format!("2027-10-31T02:30 = {instant}")]);
    }
}

/// A zone that has no 30 December 2026, as Apia had none in 2011.
struct WithoutADay;

impl super::super::ZoneRules for WithoutADay {
    fn meaning(&self, local: jiff::civil::DateTime) -> Option<crate::time::Meaning> {
        let at = super::super::zone_rules::local_seconds(local) * 1_000;
        Some(match local.date().day() {
            30 => crate::time::Meaning::Never { jump: at_midnight() },
            31 => crate::time::Meaning::Once((at - 86_400_000).into()),
            _ => crate::time::Meaning::Once(at.into()),
        })
    }
    fn offset_seconds(&self, at: Timestamp) -> i32 {
        if at < at_midnight() { 0 } else { 86_400 }
    }
}

fn at_midnight() -> Timestamp {
    at("2026-12-30T00:00:00Z")
}

#[test]
fn two_occurrences_are_never_less_than_an_hour_apart() {
    let daily = json!({"frequency": "daily", "until": "2026-12-31"});
    for (time, expected) in [("00:00", 2), ("00:59", 2), ("01:00", 3), ("12:00", 3)] {
        let series = series(&format!("2026-12-29T{time}"), "UTC", &daily);
        let found = series.occurrences(&WithoutADay, Timestamp::EARLIEST, Timestamp::LATEST, 9);
        assert_eq!(found.len(), expected, "{time}: {found:?}");
        assert!(found.windows(2).all(|two| two[1].at.since(two[0].at) >= 3_600_000));
    }
}

#[test]
fn a_window_is_the_same_part_of_the_series_wherever_it_begins() {
    let zone = TestZone::named("America/Santiago");
    for rule in [
        json!({"frequency": "daily", "interval": 3, "until": "2035-12-31"}),
        json!({"frequency": "weekly", "interval": 2, "weekdays": ["monday", "sunday"], "until": "2035-12-31"}),
        json!({"frequency": "monthly", "interval": 5, "day": 31, "until": "2035-12-31"}),
        json!({"frequency": "yearly", "interval": 2, "month": 9, "nth": 1, "weekdays": ["sunday"], "until": "2035-12-31"}),
        json!({"frequency": "weekly", "count": 300}),
    ] {
        let series = series("2026-03-05T00:30", "America/Santiago", &rule);
        let all = series.occurrences(&zone, Timestamp::EARLIEST, Timestamp::LATEST, 5_000);
        for from in (0..40).map(|step| at("2026-01-01T00:00:00Z").plus(step * 8_000_000_003)) {
            let expected: Vec<_> = all.iter().filter(|one| one.at >= from).copied().collect();
            assert_eq!(series.occurrences(&zone, from, Timestamp::LATEST, 5_000), expected, "{rule} {from}");
        }
    }
}

#[test]
fn stored_occurrences_reach_60_ahead_and_are_extended_in_the_middle() {
    let zone = TestZone::named("Europe/Berlin");
    let daily = series("2026-06-01T09:00", "Europe/Berlin", &json!({"frequency": "daily", "count": 150}));
    let first = daily.extension(&zone, None, at("2026-05-01T00:00:00Z"));
    assert_eq!((first.occurrences.len(), first.again_at), (60, Some(at("2026-07-01T07:00:00Z"))));
    let last = first.occurrences[59].original_local;
    let second = daily.extension(&zone, Some(last), first.again_at.unwrap());
    assert_eq!(
        second.occurrences[0].original_local,
        last.checked_add(jiff::SignedDuration::from_hours(24)).unwrap()
    );
    assert_eq!(second.occurrences.len(), 31);
    // After an outage, only what is still to come.
    let late = daily.extension(&zone, Some(last), at("2026-10-20T00:00:00Z"));
    assert_eq!((late.occurrences.len(), late.again_at), (9, None));
    assert!(late.occurrences.iter().all(|one| one.at > at("2026-10-20T00:00:00Z")));
}

#[test]
fn the_work_for_any_rule_is_bounded() {
    let zone = TestZone::named("Europe/Berlin");
    for rule in [
        json!({"frequency": "daily", "until": "2199-12-31"}),
        json!({"frequency": "weekly", "count": 1000, "interval": 366}),
        json!({"frequency": "monthly", "interval": 366, "day": 31, "count": 1000}),
        json!({"frequency": "yearly", "interval": 366, "month": 2, "day": 29, "count": 1000}),
    ] {
        let series = series("2001-02-28T02:30", "Europe/Berlin", &rule);
        let found = series.occurrences(&zone, at("2199-01-01T00:00:00Z"), Timestamp::LATEST, 60);
        // The dates of 200 years, or one for each of the count: no rule takes more steps.
        assert!(series.steps(&zone).count() <= 73_000 && found.len() <= 60, "{rule}");
    }
}
