//! Reads the events of iCalendar text. Everything is bounded: the length of a line, the number of events
//! and of their properties.

use domain::text::slice_text;
use std::fmt;

/// Maximum length of a line whose folds were undone, in bytes.
const MAX_LINE_BYTES: usize = 100_000;
/// Maximum number of properties of an event that are read.
const MAX_PROPERTIES: usize = 500;
/// The properties that are read.
const KNOWN: [&str; 16] = [
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
];

/// A property of an event.
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
        let mut text = String::with_capacity(self.value.len());
        let mut letters = self.value.chars();
        while let Some(letter) = letters.next() {
            match (letter, letter == '\\') {
                (_, true) => match letters.next() {
                    Some('n' | 'N') => text.push('\n'),
                    Some(other) => text.push(other),
                    None => {}
                },
                (letter, false) => text.push(letter),
            }
        }
        text
    }
}

/// An event as it stands in the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawEvent {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Its properties in their order; unknown ones are left out.
    pub properties: Vec<Property>,
}

impl RawEvent {
    /// Returns the first property of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|one| one.name == name)
    }

    /// Returns the text of the first property of this name; empty: it has none.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.find(name).map(Property::text).unwrap_or_default()
    }
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
    /// It has more events than allowed.
    TooMany,
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCalendar => f.write_str("is not a calendar (BEGIN:VCALENDAR is missing)"),
            Self::LongLine(line) => write!(f, "has a line of more than {MAX_LINE_BYTES} bytes: line {line}"),
            Self::Unclosed(line) => write!(f, "has an event without an end: line {line}"),
            Self::TooMany => f.write_str("has too many events"),
        }
    }
}

/// Reads the events of a text, at most `max_events`.
pub fn events(text: &str, max_events: usize) -> Result<Vec<RawEvent>, ReadProblem> {
    let (mut all, mut current): (Vec<RawEvent>, Option<RawEvent>) = (Vec::new(), None);
    let (mut is_calendar, mut depth) = (false, 0_usize);
    for line in Unfolded::of(text) {
        let (number, line) = line?;
        let Some(property) = property(&line) else { continue };
        let value = property.value.trim().to_ascii_uppercase();
        match (property.name.as_str(), current.as_mut()) {
            ("BEGIN", _) if value == "VCALENDAR" => is_calendar = true,
            ("BEGIN", None) if value == "VEVENT" => {
                if all.len() >= max_events {
                    return Err(ReadProblem::TooMany);
                }
                current = Some(RawEvent { line: number, properties: Vec::new() });
            }
            // A part of an event, such as an alarm.
            ("BEGIN", Some(_)) => depth += 1,
            ("END", Some(_)) if depth > 0 => depth -= 1,
            ("END", Some(_)) => all.extend(current.take()),
            (name, Some(event))
                if depth == 0 && event.properties.len() < MAX_PROPERTIES && KNOWN.contains(&name) =>
            {
                event.properties.push(property);
            }
            _ => {}
        }
    }
    match current {
        Some(event) => Err(ReadProblem::Unclosed(event.line)),
        None if !is_calendar => Err(ReadProblem::NoCalendar),
        None => Ok(all),
    }
}

/// The lines of a text whose folds are undone, each with the number of its first line.
struct Unfolded<'t> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Split<'t, char>>>,
}

impl<'t> Unfolded<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { lines: text.split('\n').enumerate().peekable() }
    }
}

impl Iterator for Unfolded<'_> {
    type Item = Result<(usize, String), ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        let (place, first) = self.lines.next()?;
        let mut line = first.strip_suffix('\r').unwrap_or(first).to_owned();
        while let Some((_, more)) = self.lines.next_if(|(_, line)| line.starts_with([' ', '\t'])) {
            let more = more.strip_suffix('\r').unwrap_or(more);
            line.push_str(slice_text(more, 1..));
            if line.len() > MAX_LINE_BYTES {
                break;
            }
        }
        Some(if line.len() > MAX_LINE_BYTES {
            Err(ReadProblem::LongLine(place + 1))
        } else {
            Ok((place + 1, line))
        })
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
mod tests {
    use super::*;

    fn calendar(lines: &str) -> String {
        format!("BEGIN:VCALENDAR\r\n{lines}\r\nEND:VCALENDAR\r\n")
    }

    #[test]
    fn lines_are_unfolded_and_texts_unescaped() {
        let text = calendar(
            "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY;LANGUAGE=en:One\\, two\\; th\r\n ree\\nfour\\\\\r\n\
             DTSTART;TZID=\"Europe/Berlin\";X-A=\"a;b:c\":20270101T090000\r\nBEGIN:VALARM\r\nSUMMARY:No\r\n\
             END:VALARM\r\nX-OTHER:y\r\nEND:VEVENT",
        );
        let all = events(&text, 10).unwrap();
        assert_eq!((all.len(), all[0].line, all[0].properties.len()), (1, 2, 3));
        assert_eq!(all[0].text("SUMMARY"), "One, two; three\nfour\\");
        let start = all[0].find("DTSTART").unwrap();
        assert_eq!(
            (start.parameter("TZID"), start.value.as_str()),
            (Some("Europe/Berlin"), "20270101T090000")
        );
        assert_eq!(start.parameter("X-A"), Some("a;b:c"));
    }

    #[test]
    fn everything_is_bounded() {
        let one = "BEGIN:VEVENT\nUID:1\nEND:VEVENT\n";
        assert_eq!(events(&calendar(&one.repeat(11)), 10), Err(ReadProblem::TooMany));
        assert_eq!(events(&calendar("BEGIN:VEVENT\nUID:1"), 10).unwrap().len(), 1, "END:VCALENDAR ends it");
        assert_eq!(events("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1", 10), Err(ReadProblem::Unclosed(2)));
        assert_eq!(events("SUMMARY:text", 10), Err(ReadProblem::NoCalendar));
        let folds = format!("SUMMARY:{}", "a\n ".repeat(MAX_LINE_BYTES));
        assert_eq!(events(&calendar(&folds), 10), Err(ReadProblem::LongLine(2)));
        assert_eq!(
            events(&calendar(&format!("X:{}", "a".repeat(MAX_LINE_BYTES))), 10),
            Err(ReadProblem::LongLine(2))
        );
        let event =
            events(&calendar(&format!("BEGIN:VEVENT\n{}END:VEVENT", "UID:1\n".repeat(9_999))), 10).unwrap();
        assert_eq!(event[0].properties.len(), MAX_PROPERTIES);
    }
}
