use super::*;
use crate::zone::Zone;

fn event(zone: &str, starts: &str, ends: &str) -> Event {
    Event {
        uid: "1@presstime".to_owned(),
        sequence: 3,
        stamp: "2027-01-01T00:00:00Z".parse().unwrap(),
        starts_at: starts.parse().unwrap(),
        ends_at: Some(ends.parse().unwrap()),
        zone: Zone::stored(zone),
        status: EventStatus::Tentative,
        is_free: false,
        summary: "Planning; budget, 2027".to_owned(),
        description: "One\nTwo".to_owned(),
        location: String::new(),
        url: "https://desk.example/meetings/1".to_owned(),
        attendance: None,
        recurrence: None,
        recurrence_id: None,
    }
}

#[test]
fn an_event_is_written_in_its_zone_with_the_rules_of_the_zone() {
    let text = feed("Desk", &[event("Europe/Berlin", "2027-03-08T08:00:00Z", "2027-03-08T09:00:00Z")]);
    for line in [
        "DTSTART;TZID=Europe/Berlin:20270308T090000",
        "DTEND;TZID=Europe/Berlin:20270308T100000",
        "SUMMARY:Planning\\; budget\\, 2027",
        "DESCRIPTION:One\\nTwo",
        "STATUS:TENTATIVE",
        "SEQUENCE:3",
        "UID:1@presstime",
        "DTSTAMP:20270101T000000Z",
        "TZID:Europe/Berlin",
        "DTSTART:20270328T020000",
        "TZOFFSETFROM:+0100",
    ] {
        assert!(text.contains(&format!("{line}\r\n")), "{line}: {text}");
    }
    assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VCALENDAR\r\n"));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!(text.matches("BEGIN:VTIMEZONE").count(), 1);
}

#[test]
fn a_doubled_local_time_is_written_in_utc() {
    let text = feed("Desk", &[event("Europe/Berlin", "2027-10-31T01:30:00Z", "2027-10-31T03:00:00Z")]);
    assert!(text.contains("DTSTART:20271031T013000Z\r\n"), "{text}");
    assert!(text.contains("DTEND;TZID=Europe/Berlin:20271031T040000\r\n"), "{text}");
}

#[test]
fn utc_needs_no_rules() {
    let text = feed("Desk", &[event("UTC", "2027-03-08T08:00:00Z", "2027-03-08T09:00:00Z")]);
    assert!(text.contains("DTSTART:20270308T080000Z\r\n") && !text.contains("VTIMEZONE"), "{text}");
}
