//! Writes iCalendar text (RFC 5545): events in the time zones in which they were planned.

mod event;
mod line;
#[cfg(test)]
mod tests;
mod zones;

pub use event::{Event, EventStatus};

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

/// An instant in UTC: `20270308T080000Z`.
fn utc(at: Timestamp) -> String {
    let text = at.to_string();
    let seconds = text.split('.').next().unwrap_or_default().trim_end_matches('Z');
    format!("{}Z", seconds.replace(['-', ':'], ""))
}
