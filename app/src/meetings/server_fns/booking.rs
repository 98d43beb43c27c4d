//! Books meetings and series.

use super::ChangedMeeting;
#[cfg(feature = "ssr")]
use crate::meetings::form_values::{attendees_of, is_booked_already, reminders_of, room_of};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_meeting, ssr};
use crate::{
    meetings::form_values::{MeetingText, RepeatForm, TypedTime},
    server_fns::{JsonOutput, Refused},
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, Services,
    error::ValidationError,
    meetings::{Meeting, NewMeeting, NewMeetingSeries},
};
use domain::{DomainError, meetings::SeriesDryRun};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What a form for a series would book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CheckedSeries {
    /// It does not repeat, or a field is missing.
    Incomplete,
    /// A field is invalid.
    Refused(DomainError),
    /// It can be booked, as far as nothing is in the way.
    Known(Box<SeriesDryRun>),
}

/// Checks how the meeting of a form repeats. Books nothing.
#[server(name = CheckSeries, prefix = "/fn", endpoint = "check_series", output = JsonOutput)]
pub async fn check_series(
    room_id: String,
    time: TypedTime,
    repeat: RepeatForm,
) -> Result<CheckedSeries, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let is_missing = |text: &&String| text.trim().is_empty();
            if [&repeat.every, &time.date, &time.time, &time.zone, &time.end].iter().any(is_missing) {
                return Ok(CheckedSeries::Incomplete);
            }
            // The title does not matter yet.
            let text = MeetingText { title: "-".to_owned(), ..MeetingText::default() };
            let run = match new_series(text, &room_id, &time, &repeat) {
                Ok(Some(new)) => services.meetings.dry_run_series(&actor, new).await,
                Ok(None) => return Ok(CheckedSeries::Incomplete),
                Err(refusal) => Err(refusal),
            };
            match run {
                Ok(run) => Ok(CheckedSeries::Known(Box::new(run))),
                Err(refusal) if refusal.status() < 500 => Ok(CheckedSeries::Refused(refusal)),
                Err(failure) => Err(failure),
            }
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn new_meeting(meeting: MeetingText, room_id: &str, time: &TypedTime) -> Result<NewMeeting, DomainError> {
    let chosen = reminders_of(&meeting.reminders);
    Ok(NewMeeting {
        title: meeting.title.trim().to_owned(),
        description: ssr::normalize_newlines(&meeting.description),
        room_id: room_of(room_id)?,
        link: None,
        time: time.read()?,
        attendees: attendees_of(&meeting.attendees),
        reminders: Some(chosen).filter(|chosen| !(meeting.usual_reminders && chosen.is_empty())),
    })
}

/// Adds the addresses of the people that are ticked to those that are typed, each once.
#[cfg(feature = "ssr")]
async fn with_people(
    services: &Services,
    actor: &Actor,
    mut meeting: MeetingText,
) -> Result<MeetingText, DomainError> {
    if meeting.people.is_empty() {
        return Ok(meeting);
    }
    let now = services.engine.status().await.now;
    let people = services.meetings.people(actor, now, now.plus(1)).await?;
    for id in std::mem::take(&mut meeting.people) {
        let person = people.iter().find(|person| person.account.to_string() == id);
        let unknown = || DomainError::invalid("attendees", ValidationError::Unknown);
        let email = &person.ok_or_else(unknown)?.email;
        let typed = attendees_of(&meeting.attendees);
        if !typed.iter().any(|one| one.email.eq_ignore_ascii_case(email)) {
            meeting.attendees.push('\n');
            meeting.attendees.push_str(email);
        }
    }
    Ok(meeting)
}

/// Returns the series of a form; `None`: it does not repeat.
#[cfg(feature = "ssr")]
fn new_series(
    meeting: MeetingText,
    room_id: &str,
    time: &TypedTime,
    repeat: &RepeatForm,
) -> Result<Option<NewMeetingSeries>, DomainError> {
    let Some(rule) = repeat.rule(&time.date)? else { return Ok(None) };
    let meeting = new_meeting(meeting, room_id, time)?;
    Ok(Some(NewMeetingSeries { meeting, rule, on_conflict: repeat.on_conflict() }))
}

/// Books a meeting, or a series. `room_id`: empty for none. `if_taken`: `wait` if the meeting waits for its
/// room.
#[server(name = BookMeeting, prefix = "/fn", endpoint = "book_meeting", output = JsonOutput)]
pub async fn book_meeting(
    meeting: MeetingText,
    #[server(default)] room_id: String,
    #[server(default)] if_taken: String,
    #[server(default)] repeat: RepeatForm,
    #[server(flatten)] time: TypedTime,
) -> Result<ChangedMeeting, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let meeting = with_people(&services, &actor, meeting).await?;
            let title = meeting.title.trim().to_owned();
            if let Some(new) = new_series(meeting.clone(), &room_id, &time, &repeat)? {
                return book_series(&services, &actor, new, &time).await;
            }
            let new = new_meeting(meeting, &room_id, &time)?;
            if if_taken == "wait" {
                return Ok(show_changed(services.meetings.book_or_wait(&actor, new).await?, "book"));
            }
            let booked = match services.meetings.book(&actor, new).await {
                Err(DomainError::RoomTaken { conflicts }) => {
                    let earlier = is_booked_already(&services, &actor, (&title, &time), &conflicts).await;
                    earlier.ok_or(DomainError::RoomTaken { conflicts })?
                }
                other => other?,
            };
            Ok(show_changed(booked, "book"))
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
async fn book_series(
    services: &Services,
    actor: &Actor,
    new: NewMeetingSeries,
    time: &TypedTime,
) -> Result<ChangedMeeting, DomainError> {
    let title = new.meeting.title.clone();
    let booked = match services.meetings.book_series(actor, new).await {
        Err(DomainError::OccurrencesTaken { conflicts, count }) => {
            let first = conflicts.first().map(|one| one.meetings.as_slice()).unwrap_or_default();
            let earlier = is_booked_already(services, actor, (&title, time), first).await;
            earlier.ok_or(DomainError::OccurrencesTaken { conflicts, count })?
        }
        other => other?.meeting,
    };
    Ok(show_changed(booked, "book_series"))
}

/// Opens the page of a meeting that was booked or edited, which shows the result.
#[cfg(feature = "ssr")]
fn show_changed(meeting: Meeting, what: &str) -> ChangedMeeting {
    let page = format!("/meetings/{}", meeting.row.id);
    ssr::redirect(&if ssr::is_plain_form() { with_meeting(&page, what, meeting.row.id) } else { page });
    ChangedMeeting { row: meeting.row, what: what.to_owned() }
}
