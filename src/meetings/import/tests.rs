//! What is read of calendar files.

use super::{
    event::{EventTime, Reading, Wanted},
    file::{Item, Wish, items},
    moment::Length,
};
use crate::{meetings::check, zone::Zone};
use domain::{
    Timestamp,
    meetings::{ImportAttendees, ImportProblem, MeetingTime},
};
use std::collections::{BTreeMap, BTreeSet};

const NOW: &str = "2026-12-01T12:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn read(text: &str, now: &str) -> Vec<Item> {
    let reading = Reading { floating: Zone::UTC, attendees: ImportAttendees::Ignore, own: "", now: at(now) };
    items(text, reading).unwrap()
}

fn one(lines: &str) -> Result<Wanted, ImportProblem> {
    let text =
        format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:One\n{lines}\nEND:VEVENT\nEND:VCALENDAR");
    match read(&text, NOW).remove(0).wish {
        Wish::Meet(wanted) => Ok(*wanted),
        Wish::Refused(problem) => Err(problem),
        Wish::Cancel(_) => Err(ImportProblem::Cancelled),
        Wish::Merged | Wish::Older => panic!("it is alone"),
    }
}

fn time(lines: &str) -> MeetingTime {
    match one(lines).unwrap().when {
        EventTime::Once(time) => time,
        EventTime::Again(..) => panic!("it repeats"),
    }
}

/// Start and end of all times of an event until a moment.
fn times(wanted: &Wanted, until: Timestamp) -> Vec<(Timestamp, Timestamp)> {
    match &wanted.when {
        EventTime::Once(time) => {
            let times = check::times(time.clone()).unwrap();
            vec![(times.starts_at, times.ends_at)]
        }
        EventTime::Again(repeats) => {
            let (series, zone) = (&repeats.series, &repeats.zone);
            let all = series.occurrences(zone, Timestamp::EARLIEST, until, usize::MAX);
            all.iter()
                .map(|one| {
                    let slot = series.slot(zone, one, repeats.minutes);
                    (slot.starts_at, slot.ends_at)
                })
                .collect()
        }
    }
}

/// The starts of all events of a file that are still to come, sorted.
fn starts(text: &str) -> Vec<String> {
    let all = read(text, NOW);
    let wanted = all.iter().filter_map(|item| match &item.wish {
        Wish::Meet(wanted) => Some(wanted),
        _ => None,
    });
    let mut starts: Vec<String> = wanted
        .flat_map(|one| times(one, Timestamp::LATEST))
        .map(|(from, _)| from.to_string()[..16].to_owned())
        .collect();
    starts.sort();
    starts
}

fn problem(item: &Item) -> &str {
    match &item.wish {
        Wish::Refused(problem) => problem.code(),
        Wish::Meet(_) => "meet",
        Wish::Cancel(_) => "cancel",
        Wish::Merged => "merged",
        Wish::Older => "older",
    }
}

macro_rules! case {
    ($name:literal) => {
        include_str!(concat!("../../../tests/calendars/cases/", $name))
    };
}

#[test]
fn times_keep_their_zone() {
    let MeetingTime::Local { local_start, local_end, zone, .. } =
        time("DTSTART;TZID=/x.org/Europe/Berlin:20270101T090000\nDTEND;TZID=Europe/Berlin:20270101T101500")
    else {
        panic!("no local times")
    };
    assert_eq!((local_start.as_str(), local_end.as_str()), ("2027-01-01T09:00:00", "2027-01-01T10:15:00"));
    assert_eq!(zone, "Europe/Berlin");
    let MeetingTime::At { starts_at, ends_at, zone } = time("DTSTART:20270101T090000Z\nDURATION:P1DT1H30M")
    else {
        panic!("no instants")
    };
    assert_eq!((ends_at.since(starts_at), zone), (25 * 3_600_000 + 1_800_000, None));
}

#[test]
fn windows_names_of_zones_are_known_and_cities_alone_are_not() {
    for (name, expected) in [
        ("W. Europe Standard Time", "Europe/Berlin"),
        ("\"China Standard Time\"", "Asia/Shanghai"),
        ("/x.org/2026a/gmt standard time", "Europe/London"),
        ("UTC", "UTC"),
        ("Singapore", "Singapore"),
    ] {
        let lines = format!("DTSTART;TZID={name}:20270101T090000\nDTEND;TZID={name}:20270101T100000");
        let MeetingTime::Local { zone, .. } = time(&lines) else { panic!("no local times") };
        assert_eq!(zone, expected, "{name}");
    }
    for name in ["Mars/Base", "House/Singapore", "Berlin", "Office/Tokyo"] {
        let lines = format!("DTSTART;TZID={name}:20270101T090000\nDURATION:PT1H");
        assert_eq!(one(&lines).unwrap_err().code(), "unknown_zone", "{name}");
    }
}

#[test]
fn what_cannot_be_a_meeting_is_refused_by_name() {
    let code = |lines: &str| one(lines).unwrap_err().code();
    assert_eq!(code("DTSTART;VALUE=DATE:20270101"), "all_day");
    assert_eq!(code("DTSTART:2027010T090000"), "no_start");
    assert_eq!(code("DTSTART:20270230T090000"), "no_start");
    assert_eq!(code("SUMMARY:x"), "no_start");
    assert_eq!(code("DTSTART:20270101T090000Z"), "no_end");
    assert_eq!(code("STATUS:CANCELLED"), "cancelled");
    let span = "DTSTART:20270101T090000Z\nDTEND:20270101T100000Z\n";
    for rule in [
        "RRULE:FREQ=SECONDLY;COUNT=3",
        "RRULE:FREQ=DAILY;COUNT=3\nRDATE:20270105T090000Z",
        "RDATE:20270105T090000Z",
        "RRULE:FREQ=DAILY;COUNT=3\nEXRULE:FREQ=WEEKLY",
        "RRULE:FREQ=DAILY;COUNT=2\nRRULE:FREQ=WEEKLY;COUNT=3",
        "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3",
        "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:soon",
    ] {
        assert_eq!(code(&format!("{span}{rule}")), "invalid", "{rule}");
    }
    let many = format!("{span}{}RRULE:FREQ=DAILY;COUNT=2", "ATTENDEE:mailto:a@example.org\n".repeat(600));
    assert_eq!(code(&many), "invalid", "the rule is not left out");
    assert_eq!(Length::read("PT"), Some(Length::default()));
    assert_eq!(Length::read("P1H"), None);
}

#[test]
fn exceptions_and_moved_times_are_found_in_any_zone() {
    let expected = [
        "2027-03-02T08:00",
        "2027-03-02T10:00",
        "2027-03-02T12:00",
        "2027-03-09T10:00",
        "2027-03-09T12:00",
        "2027-03-16T08:00",
        "2027-03-16T12:00",
        "2027-03-23T08:00",
        "2027-03-23T10:00",
    ];
    assert_eq!(starts(case!("41-exdate-other-zone.ics")), expected);
    let expected = [
        "2027-03-07T22:00",
        "2027-03-08T08:00",
        "2027-03-09T02:00",
        "2027-03-09T15:00",
        "2027-03-09T22:00",
        "2027-03-10T08:00",
        "2027-03-10T22:00",
    ];
    assert_eq!(starts(case!("42-recurrence-id-other-zone.ics")), expected);
}

#[test]
fn days_and_weeks_keep_the_time_of_day_and_hours_are_exact() {
    let all = read(case!("45-duration-over-dst.ics"), NOW);
    let hours: Vec<i64> = all
        .iter()
        .map(|item| match &item.wish {
            Wish::Meet(wanted) => times(wanted, Timestamp::LATEST)[0],
            _ => panic!("{}", problem(item)),
        })
        .map(|(from, to)| to.since(from) / 3_600_000)
        .collect();
    assert_eq!(hours, [23, 25, 24, 7 * 24 - 1]);
    // Each time of a series would be as long by the clock, which is not what the file says.
    let series = "DTSTART;TZID=Europe/Berlin:20270327T220000\nDURATION:PT10H\nRRULE:FREQ=DAILY;COUNT=3";
    assert_eq!(one(series).unwrap_err().code(), "invalid");
    let before = one(&series.replace("COUNT=3", "COUNT=1").replace("0327T", "0320T")).unwrap();
    assert_eq!(times(&before, Timestamp::LATEST)[0].0, at("2027-03-20T21:00:00Z"));
}

#[test]
fn days_keep_the_time_of_day_in_zones_of_the_file_too() {
    let zone = "BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19701101T040000\nTZOFFSETFROM:+0130\n\
                TZOFFSETTO:+0030\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\nBEGIN:DAYLIGHT\n\
                DTSTART:19700329T020000\nTZOFFSETFROM:+0030\nTZOFFSETTO:+0130\n\
                RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nEND:DAYLIGHT\nEND:VTIMEZONE\n";
    for (duration, hours) in [("P1D", 23), ("PT24H", 24)] {
        let text = format!(
            "BEGIN:VCALENDAR\n{zone}BEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART;TZID=Own:20270327T120000\n\
             DURATION:{duration}\nEND:VEVENT\nEND:VCALENDAR"
        );
        let Wish::Meet(wanted) = read(&text, NOW).remove(0).wish else { panic!("{duration}") };
        let (from, to) = times(&wanted, Timestamp::LATEST)[0];
        assert_eq!((from, to.since(from) / 3_600_000), (at("2027-03-27T11:30:00Z"), hours), "{duration}");
    }
}

#[test]
fn zones_that_the_file_defines_have_its_hours() {
    assert_eq!(starts(case!("46-custom-vtimezone.ics")), ["2027-07-05T07:00"; 3]);
    let file = |name: &str, hours: (&str, &str), rule: &str| {
        format!(
            "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:19700101T000000\n\
             TZOFFSETFROM:{}\nTZOFFSETTO:{}\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\n\
             DTSTART;TZID=\"{name}\":20270705T090000\nDURATION:PT1H\n{rule}\nEND:VEVENT\nEND:VCALENDAR",
            hours.0, hours.1
        )
    };
    for (name, hours, expected) in [
        ("Lagos time", ("+0100", "+0100"), "2027-07-05T08:00"),
        ("Tokyo", ("-0300", "-0300"), "2027-07-05T12:00"),
        ("Singapore", ("+0130", "+0130"), "2027-07-05T07:30"),
        ("Sydney/Berlin", ("+0545", "+0545"), "2027-07-05T03:15"),
    ] {
        assert_eq!(starts(&file(name, hours, "")), [expected], "{name}");
    }
    // The name is certain, and the file says otherwise.
    for name in ["Europe/Berlin", "W. Europe Standard Time", "/example.org/Europe/Berlin"] {
        let all = read(&file(name, ("-0500", "-0500"), ""), NOW);
        assert_eq!(problem(&all[0]), "zone_differs", "{name}");
        let summer = read(&file(name, ("+0200", "+0200"), "RRULE:FREQ=MONTHLY;COUNT=3"), NOW);
        assert_eq!(problem(&summer[0]), "meet", "{name}");
        let winter = read(&file(name, ("+0200", "+0200"), "RRULE:FREQ=MONTHLY;COUNT=6"), NOW);
        assert_eq!(problem(&winter[0]), "zone_differs", "{name}");
    }
    // No zone has these hours: the following times cannot be known.
    let series = read(&file("Own", ("+0130", "+0130"), "RRULE:FREQ=DAILY;COUNT=2"), NOW);
    assert_eq!(problem(&series[0]), "unknown_zone");
}

#[test]
fn yearly_rules_are_read_as_rfc_5545_says_or_refused_by_name() {
    let all = read(case!("49-rules-yearly.ics"), NOW);
    let problems: Vec<&str> = all.iter().map(problem).collect();
    assert_eq!(problems, ["meet", "meet", "invalid", "invalid", "invalid", "invalid"]);
    let starts = starts(case!("49-rules-yearly.ics"));
    assert_eq!(
        starts,
        [
            "2027-01-15T12:00",
            "2027-01-15T14:00",
            "2027-02-15T12:00",
            "2027-02-15T14:00",
            "2027-03-15T14:00",
            "2027-04-15T13:00",
            "2027-05-15T13:00"
        ]
    );
}

#[test]
fn a_real_export_becomes_series_from_today_on() {
    let all = read(case!("52-real-export.ics"), NOW);
    let problems: Vec<&str> = all.iter().map(problem).collect();
    assert_eq!(problems, ["meet", "merged", "all_day", "meet", "invalid", "no_end", "meet"]);
    let Wish::Meet(weekly) = &all[0].wish else { panic!("{problems:?}") };
    let EventTime::Again(repeats) = &weekly.when else { panic!("{weekly:?}") };
    assert!(repeats.is_running && repeats.is_shortened);
    let found: Vec<String> = times(weekly, at("2027-01-10T00:00:00Z"))
        .iter()
        .map(|(from, _)| from.to_string()[..16].to_owned())
        .collect();
    assert_eq!(found, ["2026-12-08T08:30", "2027-01-05T08:30"]);
    let Wish::Meet(course) = &all[6].wish else { panic!("{problems:?}") };
    let found = times(course, Timestamp::LATEST);
    assert_eq!((found.len(), found[0].0), (17, at("2026-12-01T17:00:00Z")));
    assert_eq!(found[16].0, at("2027-03-23T17:00:00Z"));
}

#[test]
fn this_and_the_following_times_are_moved() {
    let text = case!("43-this-and-future.ics");
    assert_eq!(
        read(text, NOW).iter().map(problem).collect::<Vec<_>>(),
        ["meet", "meet", "meet", "merged", "meet", "invalid"]
    );
    let expected = [
        "2027-03-01T08:00",
        "2027-03-02T08:00",
        "2027-03-03T13:00",
        "2027-03-04T13:00",
        "2027-05-03T07:00",
        "2027-05-10T07:00",
        "2027-06-01T07:00",
        "2027-06-08T07:00",
        "2027-06-15T07:00",
    ];
    assert_eq!(starts(text), expected);
}

#[test]
fn two_hundred_files_match_other_programs_or_are_refused_by_name() {
    let (now, until) = ("2027-02-01T12:00:00Z", at("2028-07-01T00:00:00Z"));
    let (mut equal, mut refused, mut wrong) = (0, 0, Vec::new());
    let mut files = 0;
    let mut expected: BTreeMap<&str, &str> = BTreeMap::new();
    let text = include_str!("../../../tests/calendars/files.txt");
    for part in text.split_inclusive("END:VCALENDAR\n") {
        let (notes, file) = part.split_at(part.find("BEGIN:VCALENDAR").unwrap());
        let notes = notes.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(' '));
        expected.extend(notes.filter(|(uid, _)| uid.contains('@')));
        let mut found: BTreeMap<String, BTreeSet<(i64, i64)>> = BTreeMap::new();
        let mut by_name: BTreeSet<String> = BTreeSet::new();
        for item in read(file, now) {
            let uid = item.title.trim_end_matches(" moved").to_owned();
            match item.wish {
                Wish::Meet(wanted) => {
                    let all =
                        times(&wanted, until).into_iter().filter(|(from, _)| (at(now)..until).contains(from));
                    let seconds = all.map(|(from, to)| (from.millis() / 1_000, to.millis() / 1_000));
                    found.entry(uid).or_default().extend(seconds);
                }
                Wish::Refused(ImportProblem::Past) | Wish::Merged | Wish::Cancel(_) => {
                    found.entry(uid).or_default();
                }
                Wish::Refused(_) | Wish::Older => {
                    by_name.insert(uid);
                }
            }
        }
        files += 1;
        for (uid, times) in found.iter().filter(|(uid, _)| !by_name.contains(*uid)) {
            let mut digest = 0xCBF2_9CE4_8422_2325_u64;
            for number in times.iter().flat_map(|(from, to)| [*from, *to]) {
                digest = (digest ^ u64::try_from(number).unwrap()).wrapping_mul(0x0100_0000_01B3);
                digest ^= digest >> 29;
            }
            let actual = format!("{}:{digest:016x}", times.len());
            let wanted = expected.get(uid.as_str()).copied().unwrap_or("0:cbf29ce484222325");
            if actual == wanted { equal += 1 } else { wrong.push(format!("{uid}: {actual}, not {wanted}")) }
        }
        refused += by_name.len();
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
    assert_eq!((files, equal + refused), (200, 355));
    assert!(equal > refused, "{equal} are equal, {refused} refused");
}
