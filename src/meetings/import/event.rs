//! Reads one event of a calendar file: what it would be as a meeting.

use super::{
    moment::{Moment, Original, Times, invalid, span, unsupported},
    series::{self, Repeats, Whole},
    zones::Zones,
};
use crate::{
    meetings::check,
    security::tokens,
    text::ical::read::{MAX_PROPERTIES, Property, RawEvent},
    zone::Zone,
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    meetings::{ImportAttendees, ImportProblem, MeetingTime, NewAttendee},
};
use std::fmt::Write as _;

/// Maximum length of a title in a report, in characters.
const MAX_SHOWN_CHARS: usize = 100;

/// By what an event is known again.
#[derive(Debug, Clone)]
pub struct Identity {
    /// UID, and the recurrence id if it has one.
    pub key: String,
    /// UID alone.
    pub uid: String,
    /// Which of the times of a series it is; `None`: it is no time of a series.
    pub original: Option<Original>,
    /// Whether it takes the place of the following times too.
    pub is_following: bool,
    /// Grows with each change of the event.
    pub sequence: i32,
}

/// An event that could be read.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub identity: Identity,
    pub title: String,
    pub description: String,
    /// As the file names it; empty: nowhere.
    pub location: String,
    /// Name and address of the organizer, as the file has them; empty: it names none.
    pub organizer: String,
    /// Addresses and names of those who are to be invited; `None`: they are left out.
    pub attendees: Option<Vec<(String, String)>>,
    pub when: EventTime,
    /// Digest of what is imported.
    pub content: String,
}

impl Wanted {
    /// Those who are to be invited.
    pub fn invited(&self) -> &[(String, String)] {
        self.attendees.as_deref().unwrap_or_default()
    }

    /// Digest of the attendees; `None`: they are left out.
    pub fn people(&self) -> Option<String> {
        let all = self.attendees.as_ref()?;
        Some(tokens::hash(&all.iter().map(|(email, _)| format!("{email}\n")).collect::<String>()))
    }
}

/// When an event takes place.
#[derive(Debug, Clone)]
pub enum EventTime {
    /// Once.
    Once(MeetingTime),
    /// Again and again.
    Again(Box<Repeats>),
}

/// The title of an event for a report.
pub fn shown_title(event: &RawEvent) -> String {
    let text = event.text("SUMMARY");
    text.trim().chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN_CHARS).collect()
}

/// How the events of a file are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The zone of times without one.
    pub floating: Zone,
    /// Whether attendees are invited.
    pub attendees: ImportAttendees,
    /// Address of the importing user, who is no attendee.
    pub own: &'a str,
    /// The current time.
    pub now: Timestamp,
}

/// The number that grows with each change of an event.
pub fn sequence(event: &RawEvent) -> i32 {
    event.find("SEQUENCE").and_then(|sequence| sequence.value.trim().parse().ok()).unwrap_or(0)
}

/// Reads an event. `whole`: the series of the file whose times it has, or of which it is one.
pub fn read(
    event: &RawEvent,
    identity: Identity,
    whole: Option<&Whole>,
    (by, zones): (Reading<'_>, &Zones<'_>),
) -> Result<Wanted, ImportProblem> {
    if event.is_cut {
        let max = u32::try_from(MAX_PROPERTIES).unwrap_or(u32::MAX);
        return Err(invalid(DomainError::invalid("event", ValidationError::TooMany { max })));
    }
    let times = Times { zones, calendar: event.calendar };
    let start = times.moment(event.find("DTSTART").ok_or(ImportProblem::NoStart)?)?;
    let end = times.end(event, &start)?;
    let when = when(event, &identity, whole, (&start, &end), (by, zones))?;
    let mut wanted = Wanted {
        title: check::title(event.text("SUMMARY").trim()).map_err(invalid)?,
        description: check::description(&event.text("DESCRIPTION")).map_err(invalid)?,
        location: event.text("LOCATION").trim().to_owned(),
        organizer: organizer(event, by.own),
        attendees: match by.attendees {
            ImportAttendees::Ignore => None,
            ImportAttendees::Invite => Some(attendees(event, by.own)?),
        },
        identity,
        when,
        content: String::new(),
    };
    wanted.content = content(event, &wanted, whole);
    Ok(wanted)
}

fn when(
    event: &RawEvent,
    identity: &Identity,
    whole: Option<&Whole>,
    (start, end): (&Moment, &Moment),
    (by, zones): (Reading<'_>, &Zones<'_>),
) -> Result<EventTime, ImportProblem> {
    let is_series = event.find("RRULE").is_some();
    let series = match (whole, &identity.original) {
        (Some(_), Some(_)) if is_series => return Err(unsupported("an RRULE of one time of a series")),
        (Some(whole), Some(original)) if identity.is_following => {
            let from = original.date_in(whole.start());
            let from = from.ok_or_else(|| unsupported("a RECURRENCE-ID that is not a time of its series"))?;
            let to = series::start_of(event, start)?;
            (whole.tail(from, to)?, to.1)
        }
        (Some(whole), None) => (whole.head(), whole.start().1),
        _ => {
            for part in ["RRULE", "RDATE", "EXRULE"] {
                if event.find(part).is_some() {
                    return Err(unsupported(part));
                }
            }
            return Ok(EventTime::Once(span(start, end)?));
        }
    };
    let found = series::upcoming(series, (event, zones), (start, end), by.now)?;
    Ok(EventTime::Again(Box::new(found)))
}

/// Digest of what is imported of an event. Its state at the moment, such as what has passed, is no part.
fn content(event: &RawEvent, wanted: &Wanted, whole: Option<&Whole>) -> String {
    let mut text = String::new();
    for part in [&wanted.title, &wanted.description, &wanted.location, &wanted.organizer] {
        let _ = writeln!(text, "{}:{part}", part.len());
    }
    for name in ["DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE"] {
        let mut values: Vec<&str> =
            event.all(name).flat_map(|one| one.value.split(',')).map(str::trim).collect();
        values.sort_unstable();
        let zone = event.find(name).and_then(|one| one.parameter("TZID")).unwrap_or_default();
        let _ = writeln!(text, "{name};{zone}:{}", values.join(","));
    }
    if let (Some(whole), EventTime::Again(_)) = (whole, &wanted.when) {
        let _ = writeln!(text, "{}", whole.left_out());
    }
    tokens::hash(&text)
}

/// The address of an organizer or attendee: `mailto:ada@example.org`.
fn address(property: &Property) -> &str {
    let value = property.value.trim();
    match value.split_at_checked(7) {
        Some((scheme, address)) if scheme.eq_ignore_ascii_case("mailto:") => address,
        _ => value,
    }
}

fn name(property: &Property) -> String {
    let name = property.parameter("CN").unwrap_or_default();
    name.chars()
        .filter(|letter| !letter.is_control())
        .take(MAX_SHOWN_CHARS)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Who organizes the event, unless it is the importing user.
fn organizer(event: &RawEvent, own: &str) -> String {
    let Some(organizer) = event.find("ORGANIZER") else { return String::new() };
    let (name, address) = (name(organizer), address(organizer));
    let address: String =
        address.chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN_CHARS).collect();
    match (address.eq_ignore_ascii_case(own), name.is_empty()) {
        (true, _) => String::new(),
        (false, true) => address,
        (false, false) => format!("{name} <{address}>"),
    }
}

/// The persons who are to be invited: neither rooms and resources, nor the importing user.
fn attendees(event: &RawEvent, own: &str) -> Result<Vec<(String, String)>, ImportProblem> {
    let is_person = |one: &&Property| {
        let kind = one.parameter("CUTYPE").unwrap_or_default();
        !["ROOM", "RESOURCE"].iter().any(|other| kind.eq_ignore_ascii_case(other))
    };
    let mut typed = Vec::new();
    for one in event.all("ATTENDEE").filter(is_person).filter(|one| !address(one).eq_ignore_ascii_case(own)) {
        let email = address(one).to_owned();
        let new = NewAttendee { email: email.clone(), name: Some(name(one)).filter(|name| !name.is_empty()) };
        if check::attendees(vec![new.clone()]).is_err() {
            let address = email.chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN_CHARS).collect();
            return Err(ImportProblem::Attendee { address });
        }
        typed.push(new);
    }
    check::attendees(typed).map_err(invalid)
}
