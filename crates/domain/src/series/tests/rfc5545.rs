//! RFC 5545 text of rules.

use super::{series, zone::TestZone};
use crate::{
    base::local_time,
    series::rfc5545::{is_exact, parse, print},
};
use serde_json::{Value, json};

const ZONE: &str = "Europe/Berlin";

fn printed(starts: &str, rule: &Value) -> String {
    print(&series(starts, ZONE, rule), &TestZone::named(ZONE)).join("\n")
}

fn read(starts: &str, lines: &str) -> Result<String, String> {
    let lines: Vec<&str> = lines.lines().collect();
    let found = parse(&lines, local_time::parse(starts).unwrap(), ZONE, &TestZone::named(ZONE));
    found.map(|series| print(&series, &TestZone::named(ZONE)).join("\n")).map_err(|error| error.to_string())
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
        assert_eq!(read("2026-12-23T09:00", text).as_deref(), Ok(text));
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
        ("RRULE:FREQ=WEEKLY;WKST=SU;BYDAY=TU;COUNT=2", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2"),
        ("RRULE:FREQ=DAILY;BYDAY=MO,TU;COUNT=2", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=2"),
        ("RRULE:FREQ=MONTHLY;BYDAY=WE;BYSETPOS=2;COUNT=2", "RRULE:FREQ=MONTHLY;BYDAY=2WE;COUNT=2"),
        ("RRULE:freq=monthly;count=2", "RRULE:FREQ=MONTHLY;BYMONTHDAY=23;COUNT=2"),
        ("RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;COUNT=2", "RRULE:FREQ=DAILY;COUNT=2"),
        // UNTIL before the time of day excludes that date.
        ("RRULE:FREQ=DAILY;UNTIL=20261231T075959Z", "RRULE:FREQ=DAILY;UNTIL=20261230T225959Z"),
        ("RRULE:FREQ=DAILY;UNTIL=20261231T080000Z", "RRULE:FREQ=DAILY;UNTIL=20261231T225959Z"),
        ("RRULE:FREQ=DAILY;UNTIL=20261231", "RRULE:FREQ=DAILY;UNTIL=20261231T225959Z"),
        (
            "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261224T080000Z\nEXDATE;VALUE=DATE:20261225\nEXDATE:20261223T100000",
            "RRULE:FREQ=DAILY;COUNT=3\nEXDATE;TZID=Europe/Berlin:20261224T090000,20261225T090000",
        ),
    ] {
        assert_eq!(read("2026-12-23T09:00", text).as_deref(), Ok(same), "{text}");
    }
}

#[test]
fn what_cannot_be_expressed_is_refused_never_approximated() {
    for (text, why) in [
        ("RRULE:FREQ=HOURLY;COUNT=2", "repeats too often"),
        ("RRULE:FREQ=SECONDLY;COUNT=2", "repeats too often"),
        ("RRULE:FREQ=DAILY", "must end"),
        ("RRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=2", "uses BYWEEKNO=20"),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=2", "uses BYMONTHDAY with several days"),
        ("RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=2", "uses BYSETPOS"),
        ("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU;COUNT=2", "uses weeks that do not begin"),
        ("RRULE:FREQ=DAILY;BYHOUR=10;COUNT=2", "uses BYHOUR=10"),
        ("RRULE:FREQ=DAILY;COUNT=x", "uses COUNT=x"),
        ("RRULE:FREQ=WEEKLY;BYDAY=\u{1F600};COUNT=2", "uses BYDAY"),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=-2;COUNT=2", "must be between 1 and 31"),
        ("RDATE:20261224T080000Z", "uses RDATE"),
        ("EXDATE:20261224T080000Z", "uses a component without RRULE"),
        ("RRULE:FREQ=DAILY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=2", "uses RRULE"),
        ("RRULE:FREQ=DAILY;COUNT=2\nEXDATE:2026-12-24", "uses 2026-12-24"),
        ("nonsense", "uses nonsense"),
        ("", "uses a component without RRULE"),
    ] {
        let refused = read("2026-12-23T09:00", text).unwrap_err();
        assert!(refused.starts_with(why), "{text}: {refused}");
    }
    let bomb = format!("RRULE:FREQ=DAILY;COUNT=2\nEXDATE:{}", "20261224T080000Z,".repeat(100_000));
    assert_eq!(read("2026-12-23T09:00", &bomb).unwrap_err(), "is larger than 20000 bytes");
}
