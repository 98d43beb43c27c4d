//! RFC 5545 text of rules.

use super::{oracle::Digest, series, zone::TestZone};
use crate::{
    DomainError,
    base::local_time::{self, parse_date},
    error::ValidationError,
    series::{
        Step,
        rfc5545::{is_exact, parse, print},
        zone_rules::local_seconds,
    },
};
use serde_json::{Value, json};

const ZONE: &str = "Europe/Berlin";

fn printed(starts: &str, rule: &Value) -> String {
    print(&series(starts, ZONE, rule), &TestZone::named(ZONE)).join("\n")
}

fn read(starts: &str, rule: &str) -> Result<String, String> {
    let zone = TestZone::named(ZONE);
    let found = parse(rule, local_time::parse(starts).unwrap(), (ZONE, &zone));
    found.map(|series| print(&series, &zone).join("\n")).map_err(|error| error.to_string())
}

#[test]
fn printed_rules_are_read_as_the_same_rules() {
    for (rule, text) in [
        (json!({"frequency": "daily", "count": 3}), "RRULE:FREQ=DAILY;COUNT=3"),
        (
            json!({"frequency": "weekly", "interval": 2, "weekdays": ["friday", "monday"], "until": "2027-03-31"}),
            "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20270331T215959Z",
        ),
        (json!({"frequency": "monthly", "day": 31, "count": 3}), "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3"),
        (json!({"frequency": "monthly", "day": -1, "count": 3}), "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3"),
        (
            json!({"frequency": "monthly", "day": 30, "short_month": "last_day", "count": 3}),
            "RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1;COUNT=3",
        ),
        (
            json!({"frequency": "monthly", "nth": -1, "weekdays": ["friday"], "count": 3}),
            "RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
        ),
        (
            json!({"frequency": "yearly", "month": 11, "nth": 4, "weekdays": ["thursday"], "count": 3}),
            "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=3",
        ),
        (
            json!({"frequency": "daily", "count": 5, "exceptions": ["2026-12-25", "2026-12-24"]}),
            "RRULE:FREQ=DAILY;COUNT=5\nEXDATE;TZID=Europe/Berlin:20261224T090000,20261225T090000",
        ),
    ] {
        assert_eq!(printed("2026-12-23T09:00", &rule), text);
        let line = text.lines().next().unwrap();
        let value = line.trim_start_matches("RRULE:");
        assert_eq!(read("2026-12-23T09:00", value).as_deref(), Ok(line));
    }
}

#[test]
fn a_skipped_time_is_printed_as_an_exception_and_a_moved_one_is_not_exact() {
    let rule = |choice: &str| json!({"frequency": "weekly", "count": 3, "skipped_time": choice});
    let start = "2027-03-21T02:30";
    assert_eq!(
        printed(start, &rule("skip")),
        "RRULE:FREQ=WEEKLY;BYDAY=SU;UNTIL=20270404T215959Z\nEXDATE;TZID=Europe/Berlin:20270328T023000"
    );
    let exact = |choice| is_exact(&series(start, ZONE, &rule(choice)), &TestZone::named(ZONE));
    assert_eq!((exact("skip"), exact("next_valid")), (true, false));
}

#[test]
fn text_of_other_programs_is_read() {
    for (text, same) in [
        ("FREQ=WEEKLY;WKST=SU;BYDAY=TU;COUNT=2", "FREQ=WEEKLY;BYDAY=TU;COUNT=2"),
        ("FREQ=DAILY;BYDAY=MO,TU;COUNT=2", "FREQ=WEEKLY;BYDAY=MO,TU;COUNT=2"),
        ("FREQ=MONTHLY;BYDAY=WE;BYSETPOS=2;COUNT=2", "FREQ=MONTHLY;BYDAY=2WE;COUNT=2"),
        ("freq=monthly;count=2", "FREQ=MONTHLY;BYMONTHDAY=23;COUNT=2"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;COUNT=2", "FREQ=DAILY;COUNT=2"),
        // UNTIL before the time of day excludes that date.
        ("FREQ=DAILY;UNTIL=20261231T075959Z", "FREQ=DAILY;UNTIL=20261230T225959Z"),
        ("FREQ=DAILY;UNTIL=20261231T080000Z", "FREQ=DAILY;UNTIL=20261231T225959Z"),
        ("FREQ=DAILY;UNTIL=20261231", "FREQ=DAILY;UNTIL=20261231T225959Z"),
        // A yearly rule without months has days of each month, or weekdays counted in the year.
        ("FREQ=YEARLY;BYMONTHDAY=23;COUNT=3", "FREQ=MONTHLY;BYMONTHDAY=23;COUNT=3"),
        ("FREQ=YEARLY;BYDAY=WE;COUNT=3", "FREQ=WEEKLY;BYDAY=WE;COUNT=3"),
        ("FREQ=YEARLY;BYDAY=2MO;COUNT=3", "FREQ=YEARLY;BYMONTH=1;BYDAY=2MO;COUNT=3"),
        ("FREQ=YEARLY;BYDAY=WE;BYSETPOS=-1;COUNT=3", "FREQ=YEARLY;BYMONTH=12;BYDAY=-1WE;COUNT=3"),
        ("FREQ=MONTHLY;BYMONTH=12;COUNT=3", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=23;COUNT=3"),
        // Both weeks begin before Wednesday.
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE;COUNT=3", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=3"),
    ] {
        assert_eq!(read("2026-12-23T09:00", text), Ok(format!("RRULE:{same}")), "{text}");
    }
    let endless = read("2198-12-23T09:00", "FREQ=YEARLY").unwrap();
    assert!(endless.ends_with("UNTIL=21991231T225959Z"), "{endless}");
}

#[test]
fn what_cannot_be_expressed_is_refused_never_approximated() {
    for (text, why) in [
        ("FREQ=HOURLY;COUNT=2", "repeats too often"),
        ("FREQ=SECONDLY;COUNT=2", "repeats too often"),
        ("FREQ=DAILY;COUNT=2;UNTIL=20270101", "must end only once"),
        ("FREQ=YEARLY;BYWEEKNO=20;COUNT=2", "uses BYWEEKNO=20"),
        ("FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=15;COUNT=3", "uses BYMONTH with several months"),
        ("FREQ=YEARLY;BYDAY=5MO;COUNT=2", "uses BYDAY with a place in the year"),
        ("FREQ=YEARLY;BYDAY=-2MO;COUNT=2", "uses BYDAY with a place in the year"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=15;COUNT=2", "uses BYMONTHDAY without BYMONTH"),
        ("FREQ=YEARLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=2", "uses BYMONTHDAY without BYMONTH"),
        ("FREQ=WEEKLY;BYMONTH=6;COUNT=3", "uses BYMONTH in a weekly rule"),
        ("FREQ=DAILY;BYMONTHDAY=15;COUNT=3", "uses BYMONTHDAY in a daily rule"),
        ("FREQ=DAILY;INTERVAL=2;BYDAY=MO;COUNT=3", "uses BYDAY with every few days"),
        ("FREQ=WEEKLY;BYDAY=2MO;COUNT=3", "uses BYDAY with a place in a week"),
        ("FREQ=MONTHLY;BYMONTH=1,7;COUNT=3", "uses BYMONTH in a monthly rule"),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTH=1;COUNT=3", "uses BYMONTH in a monthly rule"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "uses BYDAY with BYMONTHDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=2", "uses BYMONTHDAY with several days"),
        ("FREQ=MONTHLY;BYDAY=1MO,3MO;COUNT=2", "uses BYDAY with several days"),
        ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=2", "uses BYSETPOS"),
        ("FREQ=WEEKLY;BYSETPOS=1;COUNT=2", "uses BYSETPOS"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU;COUNT=2", "uses weeks that do not begin"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=TH;COUNT=2", "uses weeks that do not begin"),
        ("FREQ=DAILY;BYHOUR=10;COUNT=2", "uses BYHOUR=10"),
        ("FREQ=DAILY;COUNT=x", "uses COUNT=x"),
        ("FREQ=DAILY;COUNT=2;COUNT=3", "uses COUNT twice"),
        ("FREQ=WEEKLY;BYDAY=\u{1F600};COUNT=2", "uses BYDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=-2;COUNT=2", "must be between 1 and 31"),
        ("FREQ=DAILY;X-DAYS=2;COUNT=2", "uses X-DAYS=2"),
        ("COUNT=2", "uses a rule without FREQ"),
        ("nonsense", "uses nonsense"),
        ("", "uses a rule without FREQ"),
    ] {
        let refused = read("2026-12-23T09:00", text).unwrap_err();
        assert!(refused.starts_with(why), "{text}: {refused}");
    }
    let bomb = format!("FREQ=DAILY;COUNT=2;BYDAY={}", "MO,".repeat(100_000));
    assert_eq!(read("2026-12-23T09:00", &bomb).unwrap_err(), "is larger than 2000 bytes");
    assert_eq!(read("2026-12-23T09:00:30", "FREQ=DAILY;COUNT=2").unwrap_err(), "must be a full minute");
}

#[test]
fn rules_of_other_programs_match_python_dateutil_or_are_refused_by_name() {
    let lines = include_str!("../../../../../tests/series/rfc5545_rules.txt").lines();
    let zone = TestZone::named("UTC");
    let last_day = parse_date("2031-12-31").unwrap();
    let (mut equal, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [starts, rule, expected] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let series = match parse(rule, local_time::parse(starts).unwrap(), ("UTC", &zone)) {
            Ok(series) => series,
            Err(DomainError::Invalid { problem: ValidationError::Series { .. }, .. }) => {
                refused += 1;
                continue;
            }
            Err(other) => panic!("{line}: {other}"),
        };
        let (mut count, mut digest) = (0, Digest::new());
        let found = series.steps(&zone).filter_map(Step::occurrence).take(400);
        for one in found.take_while(|one| one.original_local.date() <= last_day) {
            count += 1;
            digest.add(local_seconds(one.original_local));
        }
        let actual = format!("{count}:{:016x}", digest.0);
        if actual == expected { equal += 1 } else { wrong.push(format!("{line}: {actual}")) }
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(9)]);
    assert_eq!((equal, refused), (1_291, 709));
}
