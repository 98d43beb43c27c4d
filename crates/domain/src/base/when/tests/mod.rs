//! Phrases with what they mean, and texts that are refused.

mod six_zones;
mod window;

use super::{Context, Question, Reading, Readings, ZoneWindow, parse, problem::WhenProblem};
use crate::{
    DomainError, Timestamp,
    base::{local_time, zone_rules::ZoneRules as _},
    error::ValidationError,
    time::Disambiguation,
};
use std::sync::LazyLock;

const ENGLISH: &str = include_str!("../../../../../../tests/when/english.tsv");
const CHINESE: &str = include_str!("../../../../../../tests/when/chinese.tsv");
const GERMAN: &str = include_str!("../../../../../../tests/when/german.tsv");
const HOSTILE: &str = include_str!("../../../../../../tests/when/hostile.tsv");
const TRANSITIONS: &str = include_str!("../../../../../../tests/zones/transitions.txt");

static BERLIN: LazyLock<ZoneWindow> = LazyLock::new(|| zone("Europe/Berlin"));

/// A zone with all its changes.
fn zone(name: &str) -> ZoneWindow {
    let has_name = |line: &&str| line.split('|').next().unwrap().split_whitespace().any(|one| one == name);
    let Some(line) = TRANSITIONS.lines().find(has_name) else { return ZoneWindow::fixed(name, 0) };
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let changes = parts[2].split(", ").filter(|text| !text.is_empty()).map(|text| {
        let numbers: Vec<i64> = text.split(':').map(|part| part.parse().unwrap()).collect();
        (Timestamp::from_millis(numbers[0] * 1_000), i32::try_from(numbers[2]).unwrap())
    });
    ZoneWindow { zone: name.to_owned(), first_offset: parts[1].parse().unwrap(), changes: changes.collect() }
}

fn now() -> Timestamp {
    "2026-06-03T10:00:00+02:00".parse().unwrap()
}

/// Reads a text without anything that completes it.
fn read(text: &str, is_month_first: bool) -> Result<Readings, DomainError> {
    let phrase = parse(text)?;
    let other = phrase.zone().map(zone);
    let rules = other.as_ref().unwrap_or(&BERLIN);
    let own_today = BERLIN.local_at(now()).map(|local| local.date());
    let keeps_past = false;
    phrase.readings(&Context { now: now(), rules, base: None, is_month_first, keeps_past, own_today })
}

fn iso(reading: &Reading) -> String {
    let local = local_time::shortest_text(reading.local);
    let (sign, minutes) = if reading.offset_seconds < 0 {
        ('-', -reading.offset_seconds / 60)
    } else {
        ('+', reading.offset_seconds / 60)
    };
    let text = format!("{local}{sign}{:02}:{:02}", minutes / 60, minutes % 60);
    // The instant is that of the local time and the offset.
    let full = if reading.local.second() == 0 {
        text.replacen(&local, &format!("{local}:00"), 1)
    } else {
        text.clone()
    };
    assert_eq!(full.parse::<Timestamp>().unwrap(), reading.at, "{text}");
    text
}

fn word(refusal: &DomainError) -> &'static str {
    match refusal {
        DomainError::Past { .. } => "!past",
        DomainError::Invalid { problem, .. } => match problem {
            ValidationError::Empty => "!empty",
            ValidationError::BadCharacters => "!bad_characters",
            ValidationError::When { why } => match why {
                WhenProblem::NotUnderstood { part } => {
                    assert!(part.chars().count() <= 24, "{part}");
                    "!not_understood"
                }
                WhenProblem::Holiday { .. } => "!holiday",
                WhenProblem::Place { .. } => "!place",
                WhenProblem::TwoZones { .. } => "!two_zones",
                WhenProblem::NoTime => "!no_time",
                WhenProblem::NoSuchTime { .. } => "!no_such_time",
                WhenProblem::OtherWeekday { .. } => "!other_weekday",
                WhenProblem::TooFar => "!too_far",
                WhenProblem::NoSlots => "!no_slots",
                WhenProblem::Repeats => "!repeats",
                WhenProblem::NoRepeatDay => "!no_repeat_day",
                WhenProblem::Several { .. } => "!several",
            },
            _ => "!other",
        },
        _ => "!other",
    }
}

/// The differences to the fixture, and its number of phrases.
fn differences(fixture: &str, is_month_first: bool) -> (Vec<String>, usize) {
    let lines = fixture.lines().filter(|line| !line.starts_with('#'));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in lines {
        let (text, expected) = line.split_once('\t').unwrap();
        let actual = match read(text, is_month_first) {
            Ok(readings) if expected == "?" && readings.all.len() > 1 => "?".to_owned(),
            Ok(readings) => readings.all.iter().map(iso).collect::<Vec<_>>().join(" | "),
            Err(refusal) => word(&refusal).to_owned(),
        };
        if actual != expected {
            wrong.push(format!("{text}: {actual}, not {expected}"));
        }
        count += 1;
    }
    (wrong, count)
}

#[test]
fn english_phrases_mean_what_people_mean() {
    let (wrong, count) = differences(ENGLISH, false);
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    assert!(count >= 300, "{count}");
}

#[test]
fn chinese_phrases_mean_what_people_mean() {
    let (wrong, count) = differences(CHINESE, true);
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    assert!(count >= 300, "{count}");
}

#[test]
fn german_phrases_mean_what_people_mean() {
    let (wrong, count) = differences(GERMAN, false);
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    assert!(count >= 100, "{count}");
}

#[test]
fn what_is_not_clear_is_refused_or_asked() {
    let (wrong, count) = differences(HOSTILE, false);
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    assert!(count >= 100, "{count}");
}

#[test]
fn each_part_of_a_phrase_may_be_cut_off_without_a_panic() {
    for line in ENGLISH.lines().chain(CHINESE.lines()).chain(GERMAN.lines()).chain(HOSTILE.lines()).step_by(3)
    {
        let text = line.split('\t').next().unwrap();
        for (at, _) in text.char_indices() {
            _ = read(&text[at..], true);
            _ = read(&text[..at], false);
        }
    }
    assert!(read(&"9".repeat(100_000), false).is_err() && read(&"tomorrow ".repeat(30), false).is_err());
}

#[test]
fn what_is_not_understood_is_named_as_typed() {
    for (text, part) in [
        ("Tomorrow at Nine PM-ish", "ish"),
        ("明天九点左右", "左右"),
        ("Friday 9am EST", "EST"),
        ("in 2 Moons", "Moons"),
        ("2 hours", "hours"),
    ] {
        let refusal = read(text, false).unwrap_err();
        let expected = WhenProblem::NotUnderstood { part: part.to_owned() };
        assert_eq!(refusal, DomainError::invalid("text", ValidationError::When { why: expected }), "{text}");
    }
}

#[test]
fn a_day_that_does_not_exist_is_named_as_typed() {
    for (text, part) in [("29 Feb 9:00", "29 Feb"), ("31 Nov 9am", "31 Nov"), ("2月30日上午九点", "2月30日")]
    {
        let expected = WhenProblem::NoSuchTime { part: part.to_owned() };
        let refusal = read(text, false).unwrap_err();
        assert_eq!(refusal, DomainError::invalid("text", ValidationError::When { why: expected }), "{text}");
    }
}

#[test]
fn a_time_of_yesterday_has_passed() {
    for text in ["yesterday 9am", "yesterday at 23:59", "昨天九点", "昨日9点", "昨晚8点"] {
        assert!(matches!(read(text, true), Err(DomainError::Past { .. })), "{text}");
    }
}

#[test]
fn a_local_time_that_occurs_twice_or_never_is_asked() {
    let twice = read("2026-10-25 02:30", false).unwrap();
    assert_eq!(twice.question, Some(Question::DoubledTime));
    let choices = twice.all.iter().map(|reading| reading.disambiguation).collect::<Vec<_>>();
    assert_eq!(choices, [Some(Disambiguation::Earlier), Some(Disambiguation::Later)]);
    assert_eq!(read("2027-03-28 02:30", false).unwrap().question, Some(Question::SkippedTime));
    assert_eq!(read("next friday 9am", false).unwrap().question, Some(Question::Which));
    assert_eq!(read("tomorrow 9am", false).unwrap().question, None);
    // A duration is never doubled: it says which of the two it is.
    let rules = zone("Europe/Berlin");
    let context = Context {
        now: "2026-10-25T01:30:00+02:00".parse().unwrap(),
        rules: &rules,
        base: None,
        is_month_first: false,
        keeps_past: false,
        own_today: None,
    };
    let later = parse("in 2 hours").unwrap().readings(&context).unwrap();
    assert_eq!(iso(&later.all[0]), "2026-10-25T02:30+01:00");
    assert_eq!((later.all.len(), later.all[0].disambiguation), (1, Some(Disambiguation::Later)));
}

#[test]
fn a_duration_in_days_is_asked_only_if_the_clocks_change() {
    let read_at = |text: &str, now: Timestamp| {
        let (rules, base) = (&*BERLIN, None);
        let context = Context { now, rules, base, is_month_first: false, keeps_past: false, own_today: None };
        let found = parse(text).unwrap().readings(&context).unwrap();
        (found.all.iter().map(iso).collect::<Vec<_>>(), found.question)
    };
    let days = ["in 3 days", "三天后"];
    let once = [("in two weeks", "2026-06-17"), ("两周后", "2026-06-17"), ("in a month", "2026-07-03")];
    for (text, date) in days.map(|text| (text, "2026-06-06")).into_iter().chain(once) {
        // A fraction of a second is rounded up: never earlier than asked for.
        assert_eq!(read_at(text, now()), (vec![format!("{date}T10:00+02:00")], None), "{text}");
        let rounded = (vec![format!("{date}T10:00:01+02:00")], None);
        assert_eq!(read_at(text, now().plus(1)), rounded, "{text}");
        assert_eq!(read_at(text, now().plus(400)), rounded, "{text}");
    }
    for text in days {
        let midnight = "2026-06-03T23:59:59.400+02:00".parse().unwrap();
        assert_eq!(read_at(text, midnight), (vec!["2026-06-07T00:00+02:00".to_owned()], None), "{text}");
        for (now, seconds) in [("2026-10-24T10:00:00+02:00", ""), ("2026-10-24T10:00:00.400+02:00", ":01")] {
            let both = ["09:00", "10:00"].map(|time| format!("2026-10-27T{time}{seconds}+01:00"));
            let asked = (both.to_vec(), Some(Question::Which));
            assert_eq!(read_at(text, now.parse().unwrap()), asked, "{text}");
        }
        let spring = "2027-03-26T10:00:00.400+01:00".parse().unwrap();
        let both = ["10:00:01", "11:00:01"].map(|time| format!("2027-03-29T{time}+02:00"));
        assert_eq!(read_at(text, spring), (both.to_vec(), Some(Question::Which)), "{text}");
    }
}

#[test]
fn a_base_completes_a_date_or_a_time() {
    let rules = zone("Europe/Berlin");
    let base = local_time::parse("2026-06-25T09:15").ok();
    let (rules, is_month_first, own_today) = (&rules, false, None);
    let context = Context { now: now(), rules, base, is_month_first, keeps_past: true, own_today };
    let read = |text: &str| -> Vec<String> {
        let found = parse(text).and_then(|phrase| phrase.readings(&context));
        found.map_or_else(
            |refusal| vec![word(&refusal).to_owned()],
            |found| found.all.iter().map(iso).collect(),
        )
    };
    assert_eq!(read("10:30"), ["2026-06-25T10:30+02:00"]);
    assert_eq!(read("jun 28"), ["2026-06-28T09:15+02:00"]);
    assert_eq!(read("friday"), ["2026-06-05T09:15+02:00"]);
    assert_eq!(read("Thu 26 Jun, 09:15"), ["2026-06-26T09:15+02:00"], "only the day was changed");
    assert_eq!(read("Mon 26 Jun, 09:15"), ["!other_weekday"]);
    assert_eq!(read("2026-06-01 9:00"), ["2026-06-01T09:00+02:00"], "refused elsewhere");
}

#[test]
fn a_time_of_day_is_written_by_the_24_hour_clock() {
    let typed = ["9", "9am", "9:30 pm", "21:30", "930", "晚上8点", "07:05:30"];
    let texts = typed.map(super::clock_text);
    assert_eq!(texts, ["09:00", "09:00", "21:30", "21:30", "930", "20:00", "07:05:30"]);
    for other in ["", "soon", "24:00", "monday 9am", "9am berlin"] {
        assert_eq!(super::clock_text(other), other);
    }
}
