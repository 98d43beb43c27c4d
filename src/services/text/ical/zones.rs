//! The rules of the time zones that events name.

use super::{Event, line::Lines};
use crate::zone::{OffsetChange, Zone};
use domain::Timestamp;

/// The rules begin this long before the first event and end this long after the last one: 400 days,
/// milliseconds.
const MARGIN_MS: i64 = 400 * 24 * 3_600_000;
/// Begin of the first rule.
const EARLIEST: &str = "19700101T000000";

/// Writes the rules of each zone that the events name.
pub fn write(lines: &mut Lines, events: &[Event]) {
    let first = events.iter().map(|event| event.starts_at).min();
    let last = |event: &Event| {
        let last = event.recurrence.as_ref().map(|recurrence| recurrence.ends_at);
        event.ends_at.unwrap_or(event.starts_at).max(last.unwrap_or(event.starts_at))
    };
    let last = events.iter().map(last).max();
    let (Some(first), Some(last)) = (first, last) else { return };
    let mut zones: Vec<Zone> = Vec::new();
    for event in events {
        if event.zone != Zone::UTC && !zones.contains(&event.zone) {
            zones.push(event.zone);
        }
    }
    for zone in zones {
        zone_rules(lines, zone, (first.plus(-MARGIN_MS), last.plus(MARGIN_MS)));
    }
}

fn zone_rules(lines: &mut Lines, zone: Zone, (from, to): (Timestamp, Timestamp)) {
    lines.raw("BEGIN", "VTIMEZONE");
    lines.raw("TZID", zone.name());
    for change in zone.changes(from, to) {
        observance(lines, &change);
    }
    lines.raw("END", "VTIMEZONE");
}

fn observance(lines: &mut Lines, change: &OffsetChange) {
    let kind = if change.is_dst { "DAYLIGHT" } else { "STANDARD" };
    let begin = change.local.map(|local| local.strftime("%Y%m%dT%H%M%S").to_string());
    lines.raw("BEGIN", kind);
    lines.raw("DTSTART", begin.as_deref().unwrap_or(EARLIEST));
    lines.raw("TZOFFSETFROM", &offset(change.before));
    lines.raw("TZOFFSETTO", &offset(change.after));
    lines.text("TZNAME", &change.name);
    lines.raw("END", kind);
}

/// `+0545`, with seconds if there are any.
fn offset(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let all = seconds.abs();
    let text = format!("{sign}{:02}{:02}", all / 3_600, all / 60 % 60);
    if all % 60 == 0 { text } else { format!("{text}{:02}", all % 60) }
}
