//! Reads the components of iCalendar text: calendars, the time zones that they define, and events.
//! Everything is bounded: the length of a line, the depth of components, the number of events and zones
//! and of their properties.

mod lines;

pub use lines::text_of;

use domain::text::slice_text;
use lines::{Unfolded, unescaped};
use std::fmt;

/// Maximum length of a line whose folds were undone, in bytes.
const MAX_LINE_BYTES: usize = 100_000;
/// Maximum number of properties of an event or of a part of a zone that are read.
pub const MAX_PROPERTIES: usize = 500;
/// Maximum depth of components in components.
const MAX_DEPTH: usize = 16;
/// Maximum number of parts of all zones that a file defines.
const MAX_ZONE_PARTS: usize = 5_000;
/// Maximum number of calendars of a file.
const MAX_CALENDARS: usize = 1_000;
/// The properties of events that are read.
const OF_EVENTS: [&str; 18] = [
    "UID",
    "SUMMARY",
    "DESCRIPTION",
    "LOCATION",
    "DTSTART",
    "DTEND",
    "DURATION",
    "RRULE",
    "RDATE",
    "EXRULE",
    "EXDATE",
    "RECURRENCE-ID",
    "STATUS",
    "ORGANIZER",
    "ATTENDEE",
    "TRANSP",
    "SEQUENCE",
    "DTSTAMP",
];

/// A property of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Its name, in upper case.
    pub name: String,
    /// Names of its parameters in upper case, and their values.
    pub parameters: Vec<(String, String)>,
    /// Its value, escaped as in the text.
    pub value: String,
}

impl Property {
    /// Returns the value of a parameter.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a text property.
    #[must_use]
    pub fn text(&self) -> String {
        unescaped(&self.value).into_owned()
    }
}

/// An event as it stands in the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawEvent {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Place of its calendar in the file.
    pub calendar: usize,
    /// Its properties in their order; unknown ones are left out.
    pub properties: Vec<Property>,
    /// Whether it has more properties than are read.
    pub is_cut: bool,
}

impl RawEvent {
    /// Returns the first property of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|one| one.name == name)
    }

    /// Returns the properties of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Property> {
        self.properties.iter().filter(move |one| one.name == name)
    }

    /// Returns the text of the first property of this name; empty: it has none.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.find(name).map(Property::text).unwrap_or_default()
    }
}

/// A time zone that a calendar defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawZone {
    /// Its name in the file.
    pub name: String,
    /// IANA name that its program gives (`X-LIC-LOCATION`); empty: none.
    pub location: String,
    /// Properties of its parts `STANDARD` and `DAYLIGHT`.
    pub parts: Vec<Vec<Property>>,
}

/// A calendar of a file, without its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawCalendar {
    /// What the file asks for, in upper case; empty: it only shows events.
    pub method: String,
    /// Time zone of times without one (`X-WR-TIMEZONE`); empty: not named.
    pub zone: String,
    /// Time zones that it defines.
    pub zones: Vec<RawZone>,
}

/// The components of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawFile {
    /// Its calendars.
    pub calendars: Vec<RawCalendar>,
    /// Its events.
    pub events: Vec<RawEvent>,
}

/// Why a text cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadProblem {
    /// It contains no calendar.
    NoCalendar,
    /// This line is too long.
    LongLine(usize),
    /// The event of this line does not end.
    Unclosed(usize),
    /// The component of this line is in too many others.
    TooDeep(usize),
    /// It has more events than allowed.
    TooMany,
    /// It has more calendars, or parts of time zones, than allowed.
    TooManyParts,
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCalendar => f.write_str("is not a calendar (BEGIN:VCALENDAR is missing)"),
            Self::LongLine(line) => write!(f, "has a line of more than {MAX_LINE_BYTES} bytes: line {line}"),
            Self::Unclosed(line) => write!(f, "has an event without an end: line {line}"),
            Self::TooDeep(line) => {
                write!(f, "has more than {MAX_DEPTH} components in one another: line {line}")
            }
            Self::TooMany => f.write_str("has too many events"),
            Self::TooManyParts => f.write_str("has too many calendars or definitions of time zones"),
        }
    }
}

/// Reads the components of a text, at most `max_events` events.
pub fn file(text: &str, max_events: usize) -> Result<RawFile, ReadProblem> {
    let mut reader = Reader { max_events, ..Reader::default() };
    for line in Unfolded::new(text) {
        let (number, line) = line?;
        let Some(property) = property(&line) else { continue };
        let value = property.value.trim();
        match property.name.as_str() {
            "BEGIN" => reader.begin(value.to_ascii_uppercase(), number)?,
            "END" => reader.end(&value.to_ascii_uppercase()),
            _ => reader.add(property),
        }
    }
    match reader.event {
        Some(event) => Err(ReadProblem::Unclosed(event.line)),
        None if reader.file.calendars.is_empty() => Err(ReadProblem::NoCalendar),
        None => Ok(reader.file),
    }
}

/// Collects components from lines.
#[derive(Default)]
struct Reader {
    max_events: usize,
    /// Number of parts of zones so far.
    zone_parts: usize,
    /// Names of the open components.
    open: Vec<String>,
    event: Option<RawEvent>,
    file: RawFile,
}

impl Reader {
    fn begin(&mut self, name: String, line: usize) -> Result<(), ReadProblem> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ReadProblem::TooDeep(line));
        }
        let parent = self.open.last().map(String::as_str);
        match (name.as_str(), parent) {
            ("VCALENDAR", _) => {
                if self.file.calendars.len() >= MAX_CALENDARS {
                    return Err(ReadProblem::TooManyParts);
                }
                self.file.calendars.push(RawCalendar::default());
            }
            ("VEVENT", _) if self.event.is_none() => {
                if self.file.events.len() >= self.max_events {
                    return Err(ReadProblem::TooMany);
                }
                let calendar = self.file.calendars.len().saturating_sub(1);
                self.event = Some(RawEvent { line, calendar, ..RawEvent::default() });
            }
            ("VTIMEZONE", _) => {
                self.count_zone_part()?;
                if let Some(calendar) = self.file.calendars.last_mut() {
                    calendar.zones.push(RawZone::default());
                }
            }
            ("STANDARD" | "DAYLIGHT", Some("VTIMEZONE")) => {
                self.count_zone_part()?;
                if let Some(zone) = self.zone() {
                    zone.parts.push(Vec::new());
                }
            }
            _ => {}
        }
        self.open.push(name);
        Ok(())
    }

    fn count_zone_part(&mut self) -> Result<(), ReadProblem> {
        self.zone_parts += 1;
        if self.zone_parts > MAX_ZONE_PARTS { Err(ReadProblem::TooManyParts) } else { Ok(()) }
    }

    /// Ends a component and those in it that have no end. An end without a begin is ignored.
    fn end(&mut self, name: &str) {
        let Some(place) = self.open.iter().rposition(|open| open == name) else { return };
        let has_event =
            self.open.iter().position(|open| open == "VEVENT").is_some_and(|event| event >= place);
        self.open.truncate(place);
        if has_event {
            self.file.events.extend(self.event.take());
        }
    }

    fn add(&mut self, property: Property) {
        let mut open = self.open.iter().rev().map(String::as_str);
        match (open.next(), open.next()) {
            (Some("VEVENT"), _) => {
                let Some(event) = &mut self.event else { return };
                if OF_EVENTS.contains(&property.name.as_str()) {
                    event.is_cut = event.properties.len() >= MAX_PROPERTIES;
                    event.properties.extend((!event.is_cut).then_some(property));
                }
            }
            (Some("STANDARD" | "DAYLIGHT"), Some("VTIMEZONE")) => {
                let part = self.zone().and_then(|zone| zone.parts.last_mut());
                if let Some(part) = part.filter(|part| part.len() < MAX_PROPERTIES) {
                    part.push(property);
                }
            }
            (Some("VTIMEZONE"), _) => {
                let Some(zone) = self.zone() else { return };
                match property.name.as_str() {
                    "TZID" => zone.name = property.text(),
                    "X-LIC-LOCATION" => zone.location = property.text(),
                    _ => {}
                }
            }
            (Some("VCALENDAR"), _) => {
                let Some(calendar) = self.file.calendars.last_mut() else { return };
                match property.name.as_str() {
                    "METHOD" => calendar.method = property.value.trim().to_ascii_uppercase(),
                    "X-WR-TIMEZONE" => property.text().trim().clone_into(&mut calendar.zone),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// The zone that is being read.
    fn zone(&mut self) -> Option<&mut RawZone> {
        self.file.calendars.last_mut()?.zones.last_mut()
    }
}

/// Splits a line into name, parameters and value; `None`: it is no property.
fn property(line: &str) -> Option<Property> {
    let colon = outside_quotes(line, ':').next()?;
    let (head, value) = (slice_text(line, ..colon), slice_text(line, colon + 1..));
    let mut parts = split_outside_quotes(head, ';').into_iter();
    let name = parts.next()?.trim().to_ascii_uppercase();
    let parameters = parts.filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        Some((name.trim().to_ascii_uppercase(), value.trim().trim_matches('"').to_owned()))
    });
    Some(Property { name, parameters: parameters.collect(), value: value.to_owned() })
}

/// Places of a character that is not quoted.
fn outside_quotes(text: &str, wanted: char) -> impl Iterator<Item = usize> + '_ {
    let mut is_quoted = false;
    text.char_indices().filter_map(move |(place, letter)| {
        is_quoted ^= letter == '"';
        (letter == wanted && !is_quoted).then_some(place)
    })
}

fn split_outside_quotes(text: &str, by: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for place in outside_quotes(text, by) {
        parts.push(slice_text(text, from..place));
        from = place + by.len_utf8();
    }
    parts.push(slice_text(text, from..));
    parts
}

#[cfg(test)]
mod tests;
