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
}

impl Event {
    /// Writes the event.
    pub(super) fn write(&self, lines: &mut Lines) {
        lines.raw("BEGIN", "VEVENT");
        lines.raw("UID", &self.uid);
        lines.raw("DTSTAMP", &utc(self.stamp));
        lines.raw("SEQUENCE", &self.sequence.to_string());
        self.time(lines, "DTSTART", self.starts_at);
        if let Some(at) = self.ends_at {
            self.time(lines, "DTEND", at);
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

    /// Writes a time in the zone of the event. A local time that occurs twice means the first one in
    /// iCalendar, so it is written in UTC.
    fn time(&self, lines: &mut Lines, name: &str, at: Timestamp) {
        match self.local(at) {
            Some(local) => lines.raw(&format!("{name};TZID={}", self.zone.name()), &local),
            None => lines.raw(name, &utc(at)),
        }
    }

    /// The local time as `20270308T090000`; `None`: it is written in UTC.
    fn local(&self, at: Timestamp) -> Option<String> {
        if self.zone == Zone::UTC {
            return None;
        }
        let text = minute_text(self.zone.local_at(at)?);
        let is_exact = self.zone.meaning_of(&text) == Some(Meaning::Once(at));
        is_exact.then(|| format!("{}00", text.replace(['-', ':'], "")))
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
