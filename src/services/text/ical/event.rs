//! An event of a calendar.

use super::{line::Lines, utc};
use crate::zone::{Meaning, Zone};
use domain::{Timestamp, base::local_time::minute_text, meetings::Answer, series::ZoneRules as _};

/// Whether an event takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventStatus {
    /// It is not certain yet.
    Tentative,
    /// It takes place.
    Confirmed,
    /// It does not take place.
    Cancelled,
}

/// The attendee to whom a mail goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attendance {
    /// E-mail address.
    pub email: String,
    /// Name; empty: unknown.
    pub name: String,
    /// Answer.
    pub answer: Answer,
}

/// When an event takes place again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    /// The value of `RRULE`.
    pub rule: String,
    /// Local times as `20270308T090000` at which it does not take place.
    pub excluded: Vec<String>,
    /// Start of the last one.
    pub ends_at: Timestamp,
}

/// An event. Its UID stays the same for ever, and its sequence grows with each change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Unique among all events of all calendars.
    pub uid: String,
    /// Grows with each change.
    pub sequence: i32,
    /// When it was created.
    pub stamp: Timestamp,
    /// Start.
    pub starts_at: Timestamp,
    /// End; `None`: it is a moment.
    pub ends_at: Option<Timestamp>,
    /// Zone in which it was planned.
    pub zone: Zone,
    /// Whether it takes place.
    pub status: EventStatus,
    /// Whether it leaves its time free.
    pub is_free: bool,
    /// Title.
    pub summary: String,
    /// Plain text; may be empty.
    pub description: String,
    /// Where; may be empty.
    pub location: String,
    /// Its page; empty: none.
    pub url: String,
    /// The attendee of a mail; `None`: it is in a feed.
    pub attendance: Option<Attendance>,
    /// When it takes place again; `None`: once.
    pub recurrence: Option<Recurrence>,
    /// It is one of the times of a recurring event, which would start at this moment of this zone.
    pub recurrence_id: Option<(Timestamp, Zone)>,
}

impl Event {
    /// Writes the event.
    pub(super) fn write(&self, lines: &mut Lines) {
        lines.raw("BEGIN", "VEVENT");
        lines.raw("UID", &self.uid);
        lines.raw("DTSTAMP", &utc(self.stamp));
        lines.raw("SEQUENCE", &self.sequence.to_string());
        if let Some((at, zone)) = self.recurrence_id {
            time(lines, "RECURRENCE-ID", (at, zone));
        }
        time(lines, "DTSTART", (self.starts_at, self.zone));
        if let Some(at) = self.ends_at {
            time(lines, "DTEND", (at, self.zone));
        }
        if let Some(recurrence) = &self.recurrence {
            recurrence.write(lines, self.zone);
        }
        lines.text("SUMMARY", &self.summary);
        lines.text("DESCRIPTION", &self.description);
        lines.text("LOCATION", &self.location);
        if !self.url.is_empty() {
            lines.raw("URL", &self.url);
        }
        if let Some(attendance) = &self.attendance {
            attendance.write(lines);
        }
        let status = match self.status {
            EventStatus::Tentative => "TENTATIVE",
            EventStatus::Confirmed => "CONFIRMED",
            EventStatus::Cancelled => "CANCELLED",
        };
        lines.raw("STATUS", status);
        lines.raw("TRANSP", if self.is_free { "TRANSPARENT" } else { "OPAQUE" });
        lines.raw("END", "VEVENT");
    }
}

/// Writes a time in its zone. A local time that occurs twice means the first one in iCalendar, so it is
/// written in UTC.
fn time(lines: &mut Lines, name: &str, (at, zone): (Timestamp, Zone)) {
    match local(at, zone) {
        Some(local) => lines.raw(&format!("{name};TZID={}", zone.name()), &local),
        None => lines.raw(name, &utc(at)),
    }
}

/// The local time as `20270308T090000`; `None`: it is written in UTC.
fn local(at: Timestamp, zone: Zone) -> Option<String> {
    if zone == Zone::UTC {
        return None;
    }
    let text = minute_text(zone.local_at(at)?);
    let is_exact = zone.meaning_of(&text) == Some(Meaning::Once(at));
    is_exact.then(|| format!("{}00", text.replace(['-', ':'], "")))
}

impl Recurrence {
    fn write(&self, lines: &mut Lines, zone: Zone) {
        lines.raw("RRULE", &self.rule);
        if self.excluded.is_empty() {
            return;
        }
        if zone == Zone::UTC {
            let all: Vec<String> = self.excluded.iter().map(|local| format!("{local}Z")).collect();
            lines.raw("EXDATE", &all.join(","));
        } else {
            lines.raw(&format!("EXDATE;TZID={}", zone.name()), &self.excluded.join(","));
        }
    }
}

impl Attendance {
    /// Answers come through a page, not by mail.
    fn write(&self, lines: &mut Lines) {
        let answer = match self.answer {
            Answer::Pending => "NEEDS-ACTION",
            Answer::Accepted => "ACCEPTED",
            Answer::Tentative => "TENTATIVE",
            Answer::Declined => "DECLINED",
        };
        let name = common_name(&self.name);
        let property = format!("ATTENDEE{name};ROLE=REQ-PARTICIPANT;PARTSTAT={answer};RSVP=FALSE");
        lines.raw(&property, &format!("mailto:{}", self.email));
    }
}

/// A name as a parameter; empty if there is none. A parameter cannot contain quotes.
pub(super) fn common_name(name: &str) -> String {
    let name = name.replace('"', "'");
    if name.trim().is_empty() { String::new() } else { format!(";CN=\"{name}\"") }
}
