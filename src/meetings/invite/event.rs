//! The event of a meeting in calendars.

use crate::{
    text::ical::{Event, EventStatus},
    zone::Zone,
};
use domain::meetings::MeetingState;
use store::meeting::MeetingRow;

/// End of the UIDs of all events.
pub const UID_HOST: &str = "presstime";
/// Maximum length of a description in a calendar, in characters.
const MAX_DESCRIPTION_CHARS: usize = 1_000;

/// The event of a meeting as feeds and mails have it, without its page. `room`: name of its room; empty:
/// it has none.
pub fn event_of_meeting(meeting: &MeetingRow, room: &str) -> Event {
    let is_request = meeting.state == MeetingState::Requested.as_str();
    let (location, description) = place_and_notes(&meeting.description, meeting.link.as_deref(), room);
    Event {
        uid: format!("{}@{UID_HOST}", meeting.id),
        sequence: meeting.version - 1,
        stamp: meeting.created_at.into(),
        starts_at: meeting.starts_at.into(),
        ends_at: Some(meeting.ends_at.into()),
        zone: Zone::stored(&meeting.time_zone),
        status: if is_request { EventStatus::Tentative } else { EventStatus::Confirmed },
        is_free: false,
        summary: meeting.title.clone(),
        description,
        location,
        url: String::new(),
        attendance: None,
        recurrence: None,
        recurrence_id: None,
    }
}

/// Where a meeting is, and its description in a calendar.
pub fn place_and_notes(description: &str, link: Option<&str>, room: &str) -> (String, String) {
    let link = link.unwrap_or_default();
    let location = if room.is_empty() { link } else { room };
    let description: String = description.chars().take(MAX_DESCRIPTION_CHARS).collect();
    let parts = [description.as_str(), link].into_iter().filter(|part| !part.is_empty());
    (location.to_owned(), parts.collect::<Vec<_>>().join("\n\n"))
}
