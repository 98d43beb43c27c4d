//! Reads one event of a calendar file: what it would be as a meeting.

use super::windows_zones;
use crate::{
    meetings::check,
    text::ical::read::{Property, RawEvent},
    zone::{self, Zone},
};
use domain::{
    DomainError, Timestamp, When,
    base::local_time,
    error::ValidationError,
    meetings::{ImportAttendees, ImportProblem, MAX_MEETING_MINUTES, MeetingTime, NewAttendee},
    series::{Series, SeriesProblem, rfc5545},
    text::slice_text,
    time::Disambiguation,
};

/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;
/// Maximum length of an event, in milliseconds: a year.
const MAX_DURATION_MS: i64 = 366 * 24 * 60 * MINUTE_MS;
/// Maximum length of a title in a report, in characters.
const MAX_SHOWN_CHARS: usize = 100;

/// An event that could be read.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// By which it is known again.
    pub uid: String,
    pub title: String,
    pub description: String,
    /// As the file names it; empty: nowhere.
    pub location: String,
    /// Name and address of the organizer, as the file has them; empty: it names none.
    pub organizer: String,
    /// Addresses and names of those who are to be invited.
    pub attendees: Vec<(String, String)>,
    pub when: EventTime,
}

/// When an event takes place.
#[derive(Debug, Clone)]
pub enum EventTime {
    /// Once.
    Once(MeetingTime),
    /// Again and again; each time this number of minutes.
    Again(Box<Series>, Zone, i32),
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
}

/// Reads an event. `moved`: the local times of occurrences that the file has as events of their own.
pub fn read(event: &RawEvent, by: Reading<'_>, moved: &[String]) -> Result<Wanted, ImportProblem> {
    let floating = by.floating;
    let uid = event.text("UID").trim().to_owned();
    if uid.is_empty() {
        return Err(ImportProblem::NoUid);
    }
    if event.text("STATUS").trim().eq_ignore_ascii_case("CANCELLED") {
        return Err(ImportProblem::Cancelled);
    }
    let start = moment(event.find("DTSTART").ok_or(ImportProblem::NoStart)?, floating)?;
    let end = end(event, &start, floating)?;
    let when = match event.find("RRULE") {
        _ if event.find("RDATE").is_some() => return Err(unsupported("RDATE")),
        _ if event.find("EXRULE").is_some() => return Err(unsupported("EXRULE")),
        Some(rule) => series(event, rule, (&start, &end), moved)?,
        None => EventTime::Once(span(&start, &end)?),
    };
    Ok(Wanted {
        uid: match event.find("RECURRENCE-ID") {
            Some(id) => format!("{uid}\n{}", id.value.trim()),
            None => uid,
        },
        title: check::title(event.text("SUMMARY").trim()).map_err(invalid)?,
        description: check::description(&event.text("DESCRIPTION")).map_err(invalid)?,
        location: event.text("LOCATION").trim().to_owned(),
        organizer: organizer(event, by.own),
        attendees: match by.attendees {
            ImportAttendees::Ignore => Vec::new(),
            ImportAttendees::Invite => attendees(event, by.own)?,
        },
        when,
    })
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
    let all = event.properties.iter().filter(|one| one.name == "ATTENDEE").filter(is_person);
    let mut typed = Vec::new();
    for one in all.filter(|one| !address(one).eq_ignore_ascii_case(own)) {
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

/// A start or an end.
#[derive(Debug, Clone)]
enum Moment {
    At(Timestamp),
    Local(String, Zone),
}

impl Moment {
    fn at(&self) -> Result<Timestamp, ImportProblem> {
        match self {
            Self::At(at) => Ok(*at),
            Self::Local(local, zone) => {
                let zone = zone.name().to_owned();
                let disambiguation = Some(Disambiguation::Earlier);
                zone::resolve(&When::Local { local: local.clone(), zone, disambiguation }).map_err(invalid)
            }
        }
    }
}

fn invalid(refusal: DomainError) -> ImportProblem {
    ImportProblem::Invalid { refusal }
}

fn unsupported(part: &str) -> ImportProblem {
    let why = SeriesProblem::Unsupported { part: part.to_owned() };
    invalid(DomainError::invalid("rule", ValidationError::Series { why }))
}

fn moment(property: &Property, floating: Zone) -> Result<Moment, ImportProblem> {
    let value = property.value.trim();
    if property.parameter("VALUE").is_some_and(|kind| kind.eq_ignore_ascii_case("DATE"))
        || !value.contains('T')
    {
        return Err(ImportProblem::AllDay);
    }
    let (digits, is_utc) = value.strip_suffix('Z').map_or((value, false), |rest| (rest, true));
    let local = local_text(digits).ok_or(ImportProblem::NoStart)?;
    if is_utc {
        let when = When::Local { local, zone: "UTC".to_owned(), disambiguation: None };
        return zone::resolve(&when).map(Moment::At).map_err(invalid);
    }
    let zone = match property.parameter("TZID") {
        Some(name) => zone_of(name).ok_or_else(|| ImportProblem::Zone {
            name: name.chars().filter(|letter| !letter.is_control()).take(60).collect(),
        })?,
        None => floating,
    };
    Ok(Moment::Local(local, zone))
}

/// The zone of a name as programs write it: `Europe/Berlin`, `/example.org/2026a/Europe/Berlin`, or
/// `W. Europe Standard Time`.
fn zone_of(name: &str) -> Option<Zone> {
    let parts: Vec<&str> = name.trim_matches('/').split('/').collect();
    // No Windows name is an IANA name. This comes first, because the search for an unknown IANA name
    // is slow: it compares all names.
    if let Some(iana) = parts.last().and_then(|last| windows_zones::iana_name(last)) {
        return Zone::named(iana).ok();
    }
    let ends = (0..parts.len().min(6)).map(|from| parts[from..].join("/"));
    ends.filter(|end| !end.is_empty()).find_map(|end| Zone::named(&end).ok())
}

/// `20270101T090000` becomes `2027-01-01T09:00:00`.
fn local_text(digits: &str) -> Option<String> {
    let (date, time) = digits.split_once('T')?;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if date.len() != 8 || time.len() != 6 || !is_digits(date) || !is_digits(time) {
        return None;
    }
    let text = format!(
        "{}-{}-{}T{}:{}:{}",
        slice_text(date, ..4),
        slice_text(date, 4..6),
        slice_text(date, 6..),
        slice_text(time, ..2),
        slice_text(time, 2..4),
        slice_text(time, 4..)
    );
    local_time::parse(&text).is_ok().then_some(text)
}

fn end(event: &RawEvent, start: &Moment, floating: Zone) -> Result<Moment, ImportProblem> {
    if let Some(end) = event.find("DTEND") {
        return moment(end, floating);
    }
    let duration = event.find("DURATION").and_then(|duration| duration_ms(duration.value.trim()));
    let duration = duration.filter(|millis| *millis > 0).ok_or(ImportProblem::NoEnd)?;
    Ok(Moment::At(start.at()?.plus(duration)))
}

/// Reads `P1DT2H30M` and the like, in milliseconds; `None`: it cannot be read.
fn duration_ms(text: &str) -> Option<i64> {
    let rest = text.strip_prefix('+').unwrap_or(text).strip_prefix('P')?;
    let (mut total, mut number, mut is_time) = (0_i64, String::new(), false);
    for letter in rest.chars() {
        let unit = match (letter, is_time) {
            ('0'..='9', _) if number.len() < 6 => {
                number.push(letter);
                continue;
            }
            ('T', false) if number.is_empty() => {
                is_time = true;
                continue;
            }
            ('W', false) => 7 * 24 * 60 * MINUTE_MS,
            ('D', false) => 24 * 60 * MINUTE_MS,
            ('H', true) => 60 * MINUTE_MS,
            ('M', true) => MINUTE_MS,
            ('S', true) => 1_000,
            _ => return None,
        };
        total += number.parse::<i64>().ok()? * unit;
        number.clear();
        if total > MAX_DURATION_MS {
            return None;
        }
    }
    number.is_empty().then_some(total)
}

/// Start and end of a meeting; local times of one zone stay local times.
fn span(start: &Moment, end: &Moment) -> Result<MeetingTime, ImportProblem> {
    if let (Moment::Local(local_start, zone), Moment::Local(local_end, other)) = (start, end)
        && zone == other
    {
        return Ok(MeetingTime::Local {
            local_start: local_start.clone(),
            local_end: local_end.clone(),
            zone: zone.name().to_owned(),
            disambiguation: Some(Disambiguation::Earlier),
        });
    }
    let zone = [start, end].into_iter().find_map(|moment| match moment {
        Moment::Local(_, zone) => Some(zone.name().to_owned()),
        Moment::At(_) => None,
    });
    Ok(MeetingTime::At { starts_at: start.at()?, ends_at: end.at()?, zone })
}

fn series(
    event: &RawEvent,
    rule: &Property,
    (start, end): (&Moment, &Moment),
    moved: &[String],
) -> Result<EventTime, ImportProblem> {
    let millis = end.at()?.since(start.at()?);
    if millis <= 0 || millis > i64::from(MAX_MEETING_MINUTES) * MINUTE_MS || millis % MINUTE_MS != 0 {
        let refusal = check::times(span(start, end)?).err();
        return Err(refusal.map_or(ImportProblem::NoEnd, invalid));
    }
    let (local, zone) = match start {
        Moment::Local(local, zone) => (local.clone(), *zone),
        Moment::At(_) => {
            let digits = event.find("DTSTART").map(|start| start.value.trim().trim_end_matches('Z'));
            (digits.and_then(local_text).ok_or(ImportProblem::NoStart)?, Zone::UTC)
        }
    };
    let starts_local = local_time::parse(&local).map_err(|_| ImportProblem::NoStart)?;
    let mut lines = vec![format!("RRULE:{}", rule.value.trim())];
    let excluded = event.properties.iter().filter(|one| one.name == "EXDATE");
    lines.extend(excluded.map(|one| format!("EXDATE:{}", one.value.trim())));
    lines.extend(moved.iter().map(|local| format!("EXDATE:{local}")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let series = rfc5545::parse(&lines, starts_local, zone.name(), &zone).map_err(invalid)?;
    Ok(EventTime::Again(Box::new(series), zone, i32::try_from(millis / MINUTE_MS).unwrap_or(i32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::ical::read::events;

    fn one(lines: &str) -> Result<Wanted, ImportProblem> {
        let text =
            format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:One\n{lines}\nEND:VEVENT\nEND:VCALENDAR");
        let by = Reading { floating: Zone::UTC, attendees: ImportAttendees::Ignore, own: "" };
        read(&events(&text, 1).unwrap()[0], by, &[])
    }

    fn time(lines: &str) -> MeetingTime {
        match one(lines).unwrap().when {
            EventTime::Once(time) => time,
            EventTime::Again(..) => panic!("it repeats"),
        }
    }

    #[test]
    fn times_keep_their_zone() {
        let MeetingTime::Local { local_start, local_end, zone, .. } = time(
            "DTSTART;TZID=/x.org/Europe/Berlin:20270101T090000\nDTEND;TZID=Europe/Berlin:20270101T101500",
        ) else {
            panic!("no local times")
        };
        assert_eq!(
            (local_start.as_str(), local_end.as_str()),
            ("2027-01-01T09:00:00", "2027-01-01T10:15:00")
        );
        assert_eq!(zone, "Europe/Berlin");
        let MeetingTime::At { starts_at, ends_at, zone } =
            time("DTSTART:20270101T090000Z\nDURATION:P1DT1H30M")
        else {
            panic!("no instants")
        };
        assert_eq!((ends_at.since(starts_at), zone), (25 * 3_600_000 + 30 * MINUTE_MS, None));
    }

    #[test]
    fn windows_names_of_zones_are_known() {
        for (name, expected) in [
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("\"China Standard Time\"", "Asia/Shanghai"),
            ("/x.org/2026a/gmt standard time", "Europe/London"),
            ("UTC", "UTC"),
        ] {
            let lines = format!("DTSTART;TZID={name}:20270101T090000\nDTEND;TZID={name}:20270101T100000");
            let MeetingTime::Local { zone, .. } = time(&lines) else { panic!("no local times") };
            assert_eq!(zone, expected, "{name}");
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
        assert_eq!(code("DTSTART;TZID=Mars/Base:20270101T090000\nDTEND:20270101T100000Z"), "unknown_zone");
        assert_eq!(code("STATUS:CANCELLED"), "cancelled");
        let span = "DTSTART:20270101T090000Z\nDTEND:20270101T100000Z\n";
        assert_eq!(code(&format!("{span}RRULE:FREQ=SECONDLY;COUNT=3")), "invalid");
        assert_eq!(code(&format!("{span}RRULE:FREQ=DAILY;COUNT=3\nRDATE:20270105T090000Z")), "invalid");
        assert_eq!(duration_ms("PT"), Some(0));
        assert_eq!(duration_ms("P1H"), None);
    }
}
