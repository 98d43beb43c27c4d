//! Writes and reads iCalendar text (RFC 5545): events in the time zones in which they were planned.

mod event;
mod line;
pub mod read;
#[cfg(test)]
mod tests;
mod zones;

pub use event::{Attendance, Event, EventStatus, Recurrence};

use domain::Timestamp;
use line::Lines;

/// Name of this program in iCalendar text.
const PRODUCT: &str = "-//Presstime//Presstime//EN";
/// How often programs should read a feed again.
const REFRESH: &str = "PT15M";

/// Writes a calendar that programs subscribe to. `name`: what they call it.
#[must_use]
pub fn feed(name: &str, events: &[Event]) -> String {
    let mut lines = Lines::default();
    lines.raw("BEGIN", "VCALENDAR");
    lines.raw("VERSION", "2.0");
    lines.raw("PRODID", PRODUCT);
    lines.raw("CALSCALE", "GREGORIAN");
    lines.text("NAME", name);
    lines.text("X-WR-CALNAME", name);
    lines.raw("REFRESH-INTERVAL;VALUE=DURATION", REFRESH);
    lines.raw("X-PUBLISHED-TTL", REFRESH);
    zones::write(&mut lines, events);
    for event in events {
        event.write(&mut lines);
    }
    lines.raw("END", "VCALENDAR");
    lines.finish()
}

/// What a mail asks a calendar program to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Add or change the event.
    Request,
    /// Mark the event as cancelled.
    Cancel,
}

impl Method {
    /// The word in iCalendar text and in the content type.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "REQUEST",
            Self::Cancel => "CANCEL",
        }
    }
}

/// Writes the calendar of a mail about one event, without its organizer (RFC 5546). A recurring event
/// comes first, then those of its times that are different.
#[must_use]
pub fn message(method: Method, events: &[Event]) -> String {
    let mut lines = Lines::default();
    lines.raw("BEGIN", "VCALENDAR");
    lines.raw("VERSION", "2.0");
    lines.raw("PRODID", PRODUCT);
    lines.raw("CALSCALE", "GREGORIAN");
    lines.raw("METHOD", method.as_str());
    zones::write(&mut lines, events);
    for event in events {
        event.write(&mut lines);
    }
    lines.raw("END", "VCALENDAR");
    lines.finish()
}

/// Adds the organizer, who is the sender of the mail, and the page on which the recipient answers.
#[must_use]
pub fn with_organizer(text: &str, name: &str, address: &str, url: Option<&str>) -> String {
    let mut lines = Lines::default();
    lines.raw(&format!("ORGANIZER{}", event::common_name(name)), &format!("mailto:{address}"));
    if let Some(url) = url {
        lines.raw("URL", url);
    }
    let begin = "BEGIN:VEVENT\r\n";
    text.replace(begin, &format!("{begin}{}", lines.finish()))
}

/// An instant in UTC: `20270308T080000Z`.
fn utc(at: Timestamp) -> String {
    let text = at.to_string();
    let seconds = text.split('.').next().unwrap_or_default().trim_end_matches('Z');
    format!("{}Z", seconds.replace(['-', ':'], ""))
}
