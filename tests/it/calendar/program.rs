//! A calendar program that follows the mails to a person, independent of the program that sends them.

use super::ics::{Calendar, Component, part};
use jiff::{civil::DateTime, tz::TimeZone};
use std::collections::BTreeMap;
use test_support::{ReceivedMail, SmtpSink};

/// The sender of all mails.
const SENDER: &str = "desk@example.org";

/// What a calendar shows of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Start and end in seconds since 1970.
    pub times: (i64, i64),
    /// Title.
    pub title: String,
    /// Where.
    pub place: String,
    /// Notes.
    pub notes: String,
    /// Whether it is only asked for.
    pub is_tentative: bool,
}

/// The mails to this address, oldest first.
pub fn mails_to(smtp: &SmtpSink, address: &str) -> Vec<ReceivedMail> {
    smtp.received().into_iter().filter(|mail| mail.to == [address]).collect()
}

/// The method, the event and its entry in a mail. Checks what holds for each of them.
fn read(mail: &ReceivedMail) -> (String, Component, Entry) {
    let (head, text) = part(mail, "text/calendar");
    let calendar = Calendar::parse(&text);
    let method = calendar.value("METHOD").to_owned();
    assert!(head.contains(&format!("method={method}")) && head.contains("charset=utf-8"), "{head}");
    let [event] = &calendar.components("VEVENT")[..] else { panic!("{text}") };
    assert_eq!((mail.from.as_str(), event.value("ORGANIZER")), (SENDER, "mailto:desk@example.org"));
    assert_eq!(event.value("ATTENDEE"), format!("mailto:{}", mail.to[0]));
    assert!(["REQUEST", "CANCEL"].contains(&method.as_str()), "{text}");
    assert_eq!(method == "CANCEL", event.value("STATUS") == "CANCELLED", "{text}");
    let entry = Entry {
        times: (instant(&calendar, event, "DTSTART"), instant(&calendar, event, "DTEND")),
        title: event.text("SUMMARY"),
        place: event.text("LOCATION"),
        notes: event.text("DESCRIPTION"),
        is_tentative: event.value("STATUS") == "TENTATIVE",
    };
    (method, event.clone(), entry)
}

/// The method and the event in a mail.
pub fn event(mail: &ReceivedMail) -> (String, Component) {
    let (method, event, _) = read(mail);
    (method, event)
}

/// The number of an event, which grows with each change.
pub fn sequence(event: &Component) -> i32 {
    event.value("SEQUENCE").parse().unwrap()
}

/// The moment of a property, by the rules of its zone that the calendar itself contains.
fn instant(calendar: &Calendar, event: &Component, name: &str) -> i64 {
    let value = event.value(name);
    if let Some(utc) = value.strip_suffix('Z') {
        return seconds(utc);
    }
    let zone = event.parameter(name, "TZID").expect("a zone");
    let zones = calendar.components("VTIMEZONE");
    let rules = zones.iter().find(|one| one.value("TZID") == zone).expect("the rules of the zone");
    let both = [rules.components("STANDARD"), rules.components("DAYLIGHT")].concat();
    let change = |one: &Component| {
        (seconds(one.value("DTSTART")) - offset(one.value("TZOFFSETFROM")), offset(one.value("TZOFFSETTO")))
    };
    let mut changes: Vec<(i64, i64)> = both.iter().map(change).collect();
    changes.sort_unstable();
    let local = seconds(value);
    let valid_at = |at: i64| changes.iter().rev().find(|(begin, _)| *begin <= at).map(|(_, offset)| *offset);
    let possible = changes.iter().map(|(_, offset)| local - offset);
    possible.filter(|at| valid_at(*at) == Some(local - at)).min().expect("a local time that exists")
}

/// Seconds since 1970 if the time is that of UTC.
fn seconds(local: &str) -> i64 {
    let parsed = DateTime::strptime("%Y%m%dT%H%M%S", local).unwrap();
    TimeZone::UTC.to_timestamp(parsed).unwrap().as_second()
}

/// Seconds of `+0530`.
fn offset(text: &str) -> i64 {
    let (sign, digits) = text.split_at(1);
    let number: i64 = digits.parse().unwrap();
    let seconds = (number / 100 * 60 + number % 100) * 60;
    if sign == "-" { -seconds } else { seconds }
}

/// A calendar program: it keeps the newest state of each event by its number.
#[derive(Default)]
pub struct FakeCalendarProgram(BTreeMap<String, (Component, Entry)>);

impl FakeCalendarProgram {
    /// The calendar of this person after all mails so far.
    pub fn of(smtp: &SmtpSink, address: &str) -> Self {
        let mut program = Self::default();
        for mail in mails_to(smtp, address) {
            let (_, event, entry) = read(&mail);
            let uid = event.value("UID").to_owned();
            let known = program.0.get(&uid).map(|(event, _)| sequence(event));
            assert!(known.is_none_or(|known| known < sequence(&event)), "the number grows: {}", mail.text);
            program.0.insert(uid, (event, entry));
        }
        program
    }

    fn open(&self) -> impl Iterator<Item = (&String, &(Component, Entry))> {
        self.0.iter().filter(|(_, (event, _))| event.value("STATUS") != "CANCELLED")
    }

    /// The events that take place.
    pub fn events(&self) -> Vec<&Component> {
        self.open().map(|(_, (event, _))| event).collect()
    }

    /// Starts of the events that take place, as they are written.
    pub fn starts(&self) -> Vec<&str> {
        self.events().into_iter().map(|event| event.value("DTSTART")).collect()
    }

    /// The entries of the events that take place, by UID.
    pub fn entries(&self) -> BTreeMap<String, Entry> {
        self.open().map(|(uid, (_, entry))| (uid.clone(), entry.clone())).collect()
    }
}
