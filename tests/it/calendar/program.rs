//! A calendar program that follows the mails to a person, independent of the program that sends them.

use super::ics::{Calendar, Component, part};
use jiff::{
    Span,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use std::collections::BTreeMap;
use test_support::{ReceivedMail, SmtpSink};

/// The sender of all mails.
const SENDER: &str = "desk@example.org";

/// What a calendar shows of an event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

/// The method and the calendar in a mail. Checks what holds for each of them: it is about one event, the
/// recurring one first.
fn read(mail: &ReceivedMail) -> (String, Calendar) {
    let (head, text) = part(mail, "text/calendar");
    let calendar = Calendar::parse(&text);
    let method = calendar.value("METHOD").to_owned();
    assert!(head.contains(&format!("method={method}")) && head.contains("charset=utf-8"), "{head}");
    assert!(["REQUEST", "CANCEL"].contains(&method.as_str()), "{text}");
    let events = calendar.components("VEVENT");
    let first = events.first().expect("an event");
    for (place, event) in events.iter().enumerate() {
        assert_eq!((mail.from.as_str(), event.value("ORGANIZER")), (SENDER, "mailto:desk@example.org"));
        assert_eq!(event.value("ATTENDEE"), format!("mailto:{}", mail.to[0]));
        assert_eq!(method == "CANCEL", event.value("STATUS") == "CANCELLED", "{text}");
        assert_eq!((event.value("UID"), sequence(event)), (first.value("UID"), sequence(first)), "{text}");
        assert_eq!(event.value("RECURRENCE-ID").is_empty(), place == 0, "{text}");
    }
    (method, calendar)
}

/// The method and the event in a mail; of a recurring one, the event with the rule.
pub fn event(mail: &ReceivedMail) -> (String, Component) {
    let (method, calendar) = read(mail);
    (method, calendar.components("VEVENT").remove(0))
}

/// The number of an event, which grows with each change.
pub fn sequence(event: &Component) -> i32 {
    event.value("SEQUENCE").parse().unwrap()
}

/// The moment of a property, by the rules of its zone that the calendar itself contains.
fn instant(calendar: &Calendar, event: &Component, name: &str) -> i64 {
    instant_of(calendar, event.parameter(name, "TZID"), event.value(name))
}

/// The moment of a local time, or of one in UTC.
fn instant_of(calendar: &Calendar, zone: Option<&str>, value: &str) -> i64 {
    if let Some(utc) = value.strip_suffix('Z') {
        return seconds(utc);
    }
    let zone = zone.expect("a zone");
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

/// The local starts of an event: of a recurring one all by its rule, without the excluded ones. It knows
/// daily and weekly rules.
fn starts_of(calendar: &Calendar, event: &Component) -> Vec<String> {
    let (start, rule) = (event.value("DTSTART"), event.value("RRULE"));
    if rule.is_empty() {
        return vec![start.to_owned()];
    }
    let of_rule = |name: &str| rule.split(';').find_map(|part| part.strip_prefix(&format!("{name}=")));
    let count: usize = of_rule("COUNT").map_or(1_000, |count| count.parse().unwrap());
    let interval: i32 = of_rule("INTERVAL").map_or(1, |interval| interval.parse().unwrap());
    let until = of_rule("UNTIL").map_or(i64::MAX, |until| seconds(until.strip_suffix('Z').unwrap()));
    let (suffix, zone) = (if start.ends_with('Z') { "Z" } else { "" }, event.parameter("DTSTART", "TZID"));
    let first = DateTime::strptime("%Y%m%dT%H%M%S", start.trim_end_matches('Z')).unwrap();
    let week = |date: Date| {
        days_between(first.date(), date) + i32::from(first.date().weekday().to_monday_zero_offset())
    };
    let is_on = |date: Date| match of_rule("FREQ").unwrap() {
        "DAILY" => days_between(first.date(), date) % interval == 0,
        "WEEKLY" => {
            let day = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
                [usize::try_from(date.weekday().to_monday_zero_offset()).unwrap()];
            of_rule("BYDAY").unwrap().split(',').any(|one| one == day) && week(date) / 7 % interval == 0
        }
        other => panic!("{other} is not known here"),
    };
    let days = (0..1_000).map(|days| first.saturating_add(Span::new().days(days)));
    let all = days.filter(|at| is_on(at.date())).take(count);
    let all = all.map(|at| format!("{}{suffix}", at.strftime("%Y%m%dT%H%M%S")));
    let all = all.take_while(|local| instant_of(calendar, zone, local) <= until);
    let excluded: Vec<&str> = event.value("EXDATE").split(',').collect();
    assert!(excluded == [""] || event.parameter("EXDATE", "TZID") == zone, "{event:?}");
    all.filter(|local| !excluded.contains(&local.as_str())).collect()
}

fn days_between(from: Date, to: Date) -> i32 {
    i32::try_from(to.duration_since(from).as_hours() / 24).unwrap()
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
pub struct FakeCalendarProgram(BTreeMap<String, Calendar>);

impl FakeCalendarProgram {
    /// The calendar of this person after all mails so far.
    pub fn of(smtp: &SmtpSink, address: &str) -> Self {
        let mut program = Self::default();
        for mail in mails_to(smtp, address) {
            let (_, calendar) = read(&mail);
            let event = calendar.components("VEVENT").remove(0);
            let uid = event.value("UID").to_owned();
            let known = program.0.get(&uid).map(|known| sequence(&known.components("VEVENT")[0]));
            assert!(known.is_none_or(|known| known < sequence(&event)), "the number grows: {}", mail.text);
            program.0.insert(uid, calendar);
        }
        program
    }

    /// The events that take place, the exceptions of recurring ones after them.
    pub fn events(&self) -> Vec<Component> {
        let events = self.0.values().flat_map(|calendar| calendar.components("VEVENT"));
        events.filter(|event| event.value("STATUS") != "CANCELLED").collect()
    }

    /// Starts of what takes place, as they are written.
    pub fn starts(&self) -> Vec<String> {
        self.shown().into_iter().map(|(start, _)| start).collect()
    }

    /// What takes place, by time.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.shown().into_iter().map(|(_, entry)| entry).collect();
        entries.sort_unstable();
        entries
    }

    fn shown(&self) -> Vec<(String, Entry)> {
        let mut all = Vec::new();
        for calendar in self.0.values() {
            let events = calendar.components("VEVENT");
            if events[0].value("STATUS") == "CANCELLED" {
                continue;
            }
            let others: Vec<&str> = events[1..].iter().map(|event| event.value("RECURRENCE-ID")).collect();
            let recurring = starts_of(calendar, &events[0]);
            assert!(others.iter().all(|one| recurring.iter().any(|start| start == one)), "{others:?}");
            let recurring = recurring.into_iter().filter(|start| !others.contains(&start.as_str()));
            let first = &events[0];
            let local = |name: &str| first.value(name).trim_end_matches('Z').to_owned();
            let length = seconds(&local("DTEND")) - seconds(&local("DTSTART"));
            let is_once = first.value("RRULE").is_empty();
            for start in recurring {
                let at = instant_of(calendar, first.parameter("DTSTART", "TZID"), &start);
                let end = if is_once { instant(calendar, first, "DTEND") } else { at + length };
                all.push((start, entry(first, (at, end))));
            }
            for event in &events[1..] {
                let times = (instant(calendar, event, "DTSTART"), instant(calendar, event, "DTEND"));
                all.push((event.value("DTSTART").to_owned(), entry(event, times)));
            }
        }
        all
    }
}

fn entry(event: &Component, times: (i64, i64)) -> Entry {
    Entry {
        times,
        title: event.text("SUMMARY"),
        place: event.text("LOCATION"),
        notes: event.text("DESCRIPTION"),
        is_tentative: event.value("STATUS") == "TENTATIVE",
    }
}
