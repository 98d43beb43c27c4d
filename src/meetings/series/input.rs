//! Validates what users and programs enter about a series of meetings.

use crate::{meetings::check, reminders, zone::Zone};
use domain::{
    Actor, DomainError, RoomId, Timestamp,
    base::local_time::{self, minute_text},
    error::ValidationError,
    meetings::{MAX_MEETING_MINUTES, MeetingTemplate, MeetingTime, NewMeetingSeries},
    series::{Series, SeriesProblem, ZoneRules as _},
    time::Disambiguation,
};
use jiff::civil::DateTime;

/// A series of meetings that was read.
pub struct Input {
    pub title: String,
    pub template: MeetingTemplate,
    pub series: Series,
    pub zone: Zone,
    /// Names of the fields of start and end.
    pub fields: (&'static str, &'static str),
}

impl Input {
    /// The room.
    pub fn room_id(&self) -> Option<RoomId> {
        self.template.room_id
    }
}

/// First start and end, with the names of their fields.
struct LocalTimes {
    start: String,
    end: String,
    zone: Zone,
    disambiguation: Option<Disambiguation>,
    fields: (&'static str, &'static str),
}

/// Reads a series.
pub fn read(actor: &Actor, new: NewMeetingSeries) -> Result<Input, DomainError> {
    let NewMeetingSeries { meeting, mut rule, .. } = new;
    let title = check::title(&meeting.title)?;
    let description = check::description(&meeting.description)?;
    let link = check::link(meeting.link)?;
    let attendees = check::attendees(meeting.attendees)?;
    let reminders = reminders::meeting::checked(meeting.reminders.unwrap_or_default())?;
    let times = local_times(actor, meeting.time)?;
    if rule.doubled_time.is_none() && times.disambiguation == Some(Disambiguation::Later) {
        rule.doubled_time = Some("later".to_owned());
    }
    let series = Series::read(&times.start, times.zone.name(), rule)
        .map_err(|refusal| renamed(refusal, "starts_local", times.fields.0))?;
    let end =
        local_time::parse(&times.end).map_err(|problem| DomainError::invalid(times.fields.1, problem))?;
    let length_minutes = length_between(series.starts_local, end, times.fields.1)?;
    let room_id = meeting.room_id;
    Ok(Input {
        title,
        template: MeetingTemplate { description, room_id, link, length_minutes, attendees, reminders },
        series,
        zone: times.zone,
        fields: times.fields,
    })
}

/// Returns the length in wall-clock time, in minutes. `field`: name of the end.
pub fn length_between(start: DateTime, end: DateTime, field: &str) -> Result<i32, DomainError> {
    if end <= start {
        return Err(DomainError::invalid(field, ValidationError::NotAfterStart));
    }
    if end.second() != 0 {
        let why = SeriesProblem::NotAMinute;
        return Err(DomainError::invalid(field, ValidationError::Series { why }));
    }
    let minutes = i32::try_from(end.duration_since(start).as_secs() / 60).unwrap_or(i32::MAX);
    if minutes > MAX_MEETING_MINUTES {
        let max = u32::try_from(MAX_MEETING_MINUTES / (24 * 60)).unwrap_or(u32::MAX);
        return Err(DomainError::invalid(field, ValidationError::LongerThanDays { max }));
    }
    Ok(minutes)
}

fn local_times(actor: &Actor, time: MeetingTime) -> Result<LocalTimes, DomainError> {
    match time {
        MeetingTime::Local { local_start, local_end, zone, disambiguation } => Ok(LocalTimes {
            start: local_start,
            end: local_end,
            zone: Zone::named(&zone)?,
            disambiguation,
            fields: ("local_start", "local_end"),
        }),
        MeetingTime::At { starts_at, ends_at, zone } => {
            let fields = ("starts_at", "ends_at");
            let zone = zone.map_or_else(|| Ok(Zone::stored(&actor.zone)), |zone| Zone::named(&zone))?;
            let local = |field, at: Timestamp| {
                let out_of_range = || DomainError::invalid(field, ValidationError::OutOfRange);
                zone.local_at(at).map(minute_text).ok_or_else(out_of_range)
            };
            let (start, end) = (local(fields.0, starts_at)?, local(fields.1, ends_at)?);
            Ok(LocalTimes { start, end, zone, disambiguation: None, fields })
        }
    }
}

/// Gives the problem of a field the name that the caller used.
pub fn renamed(refusal: DomainError, from: &str, to: &str) -> DomainError {
    if refusal.field() == Some(from) { refusal.in_field(to) } else { refusal }
}
