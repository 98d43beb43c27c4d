//! The same phrases for readers in six zones, and what never is a place.

use super::*;
use crate::base::city::City;

const SIX_ZONES: &str = include_str!("../../../../../../tests/when/six-zones.tsv");

/// Reads a text for a reader in a zone at 08:00 UTC.
fn read_in(zone: &ZoneWindow, text: &str, is_month_first: bool) -> Result<Readings, DomainError> {
    let now = now();
    let phrase = parse(text)?;
    let named = phrase.zone().map(super::zone);
    let own_today = named.as_ref().and_then(|_| zone.local_at(now)).map(|local| local.date());
    let rules = named.as_ref().unwrap_or(zone);
    phrase.readings(&Context { now, rules, base: None, is_month_first, keeps_past: false, own_today })
}

#[test]
fn no_phrase_is_read_wrong_without_a_question_in_six_zones() {
    let head = SIX_ZONES.lines().next().unwrap();
    let zones: Vec<ZoneWindow> = head.split(' ').rev().take(6).map(zone).collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in SIX_ZONES.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (text, is_month_first, expected) = (cells[0], cells[1] == "zh", &cells[2..]);
        assert_eq!(expected.len(), zones.len(), "{text}");
        for (zone, expected) in zones.iter().rev().zip(expected) {
            let actual = match read_in(zone, text, is_month_first) {
                Ok(readings) => {
                    // Several readings are always a question.
                    assert_eq!(readings.question.is_some(), readings.all.len() > 1, "{text}");
                    readings.all.iter().map(iso).collect::<Vec<_>>().join(" | ")
                }
                Err(refusal) => word(&refusal).to_owned(),
            };
            if actual != *expected {
                wrong.push(format!("{text} in {}: {actual}, not {expected}", zone.zone));
            }
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(count >= 400, "{count}");
}

#[test]
fn a_place_is_read_after_the_time_only_and_is_the_one_that_was_named() {
    for city in City::all().filter(|city| city.zone != "UTC") {
        let last = city.zone.rsplit('/').next().unwrap().replace('_', " ");
        for name in [city.english().into_owned(), city.chinese.to_owned(), last] {
            for text in
                [format!("{name} 9am"), format!("tomorrow {name} 9am"), format!("{name} tomorrow 9am")]
            {
                let refused = matches!(word(&read(&text, false).unwrap_err()), "!place" | "!holiday");
                assert!(refused, "{text}");
            }
            match parse(&format!("2026-06-09 9:00 {name}")) {
                Ok(phrase) => assert_eq!(phrase.zone(), Some(city.zone), "{name}"),
                Err(refusal) => assert!(matches!(word(&refusal), "!place" | "!holiday"), "{name}: {refusal}"),
            }
            let within = format!("9am {name}er");
            assert!(parse(&within).is_err() || !name.is_ascii(), "{within}");
        }
    }
}

#[test]
fn a_place_that_is_no_zone_there_is_named_with_its_zone() {
    let place = |text: &str| match parse(text).unwrap_err() {
        DomainError::Invalid {
            problem: ValidationError::When { why: WhenProblem::Place { part, zone } },
            ..
        } => (part, zone),
        other => panic!("{text}: {other}"),
    };
    for (text, part, zone) in [
        ("tomorrow 9am Phoenix", "Phoenix", "America/Phoenix"),
        ("Wake 9am", "Wake", "Pacific/Wake"),
        ("London tomorrow 9am", "London", "Europe/London"),
    ] {
        assert_eq!(place(text), (part.to_owned(), zone.to_owned()), "{text}");
        let full = parse(&format!("tomorrow 9am {zone}")).unwrap();
        assert_eq!(full.zone(), Some(zone), "what the refusal proposes is read");
    }
}

#[test]
fn a_holiday_is_named_as_typed() {
    for (text, typed) in
        [("Christmas 9am", "Christmas"), ("New Year’s Eve 23:00", "New Year’s Eve"), ("國慶節九點", "國慶")]
    {
        let why = WhenProblem::Holiday { name: typed.to_owned() };
        assert_eq!(parse(text), Err(DomainError::invalid("text", ValidationError::When { why })), "{text}");
    }
}
