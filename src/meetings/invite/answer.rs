//! The answer of an attendee through a secret link, without a log-in.

use super::organizer;
use crate::{
    app_state::AppState,
    kinds::new_tasks::scheduled,
    security::tokens,
    services::{hints, internal_error, write_error},
    tasks::unit_of_work::parsed,
    zone::Zone,
};
use domain::{
    DomainError, MeetingId, Timestamp,
    account::Language,
    meetings::{Answer, MeetingState},
};
use serde_json::json;
use store::{
    Conn, PoolRole, StoreError, Tx,
    event::{self, NewEvent},
    meeting::{self, MeetingRow},
    meeting_invite::{self, AnswerLinkRow, InviteFacts},
    series,
    series_invite::{self, GivenAnswer},
    setting, target, task,
};
use uuid::Uuid;

/// Maximum length of a secret in a request, in bytes.
const MAX_SECRET_BYTES: usize = 100;

/// What a link shows.
pub struct LinkedMeeting {
    /// The meeting.
    pub meeting: MeetingRow,
    /// Room and organizer.
    pub facts: InviteFacts,
    /// Zone of the meeting.
    pub zone: Zone,
    /// The answer.
    pub answer: Answer,
    /// Whether it can be answered: it takes place and is not over.
    pub is_open: bool,
    /// Whether the answer is to all meetings of its series that are still to come.
    pub is_of_series: bool,
    /// Title of the desk.
    pub desk: String,
    /// Language of the page.
    pub language: Language,
}

/// Loads what a link shows. `NoSuch`: there is no such link, or the person is no attendee any more.
pub async fn load(parts: &AppState, secret: &str) -> Result<LinkedMeeting, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let (link, meeting) = find(lease.conn(), secret, parts.clock.now()).await?;
    let facts = meeting_invite::facts(lease.conn(), &[meeting.id]).await.map_err(internal_error)?;
    let facts = facts.into_iter().next().ok_or_else(unknown)?;
    let site = setting::site_settings(lease.conn()).await.map_err(internal_error)?;
    let language = link.language.as_deref().and_then(|word| word.parse().ok());
    Ok(LinkedMeeting {
        zone: Zone::stored(&meeting.time_zone),
        answer: parsed(&link.answer)?,
        is_open: is_open(&meeting, parts.clock.now())?,
        is_of_series: link.series_id.is_some(),
        meeting,
        facts,
        desk: site.title,
        language: language.unwrap_or(site.language),
    })
}

/// Returns the refusal of a link that does not work.
pub fn unknown() -> DomainError {
    DomainError::no_such("invitation")
}

async fn find(
    mut conn: Conn<'_>,
    secret: &str,
    now: Timestamp,
) -> Result<(AnswerLinkRow, MeetingRow), DomainError> {
    if secret.len() > MAX_SECRET_BYTES {
        return Err(unknown());
    }
    let link = meeting_invite::find_link(conn.reborrow(), &tokens::hash(secret), now).await;
    let link = link.map_err(internal_error)?.ok_or_else(unknown)?;
    let meeting = meeting::find(conn, MeetingId(link.meeting_id)).await.map_err(internal_error)?;
    Ok((link, meeting.ok_or_else(unknown)?))
}

fn is_open(meeting: &MeetingRow, now: Timestamp) -> Result<bool, DomainError> {
    let state: MeetingState = parsed(&meeting.state)?;
    Ok(state.is_open() && meeting.ends_at > now.millis())
}

/// Stores the answer. `WrongState`: the meeting does not take place, or is over.
pub async fn answer(parts: &AppState, secret: &str, answer: Answer) -> Result<(), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let now = parts.clock.now();
    let (link, _) = find(tx.conn(), secret, now).await?;
    let ids = match link.series_id {
        Some(series) => series::meeting_ids(tx.conn(), series).await.map_err(internal_error)?,
        None => vec![link.meeting_id],
    };
    target::lock(tx.conn(), &ids).await.map_err(internal_error)?;
    // Again, now that nothing can change it.
    let (link, meeting) = find(tx.conn(), secret, now).await?;
    if !ids.contains(&link.meeting_id) {
        return Err(DomainError::Changed);
    }
    if !is_open(&meeting, now)? {
        return Err(DomainError::WrongState { what: "meeting".to_owned(), state: meeting.state });
    }
    let answered = answered(&mut tx, (&link, &meeting), answer, now).await.map_err(write_error(parts))?;
    if answered.is_empty() {
        return Ok(());
    }
    let who = if link.name.is_empty() { &link.email } else { &link.name };
    let detail = json!({"attendee": who, "answer": answer}).to_string();
    let notified = organizer::notify(&mut tx, (&meeting, link.series_id), &link.email, now).await;
    let notified = notified.map_err(write_error(parts))?;
    let event = |id: Uuid| NewEvent {
        detail: detail.clone(),
        ..NewEvent::simple(now, None, "meeting", id, "answer")
    };
    let mut events: Vec<NewEvent> = answered.into_iter().map(event).collect();
    events.extend(notified.events);
    let mut due = Vec::new();
    if let Some(mut task) = notified.task {
        task.bucket = queue::bucket_of(task.id, parts.hints.buckets());
        events.push(scheduled(&task, now));
        due.push(task.hint());
        task::insert(tx.conn(), &[task], now, &[]).await.map_err(write_error(parts))?;
    }
    event::append(tx.conn(), &events).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    hints::publish(parts, due);
    Ok(())
}

/// Stores the answer to a meeting, or to those of its series that are still to come. Returns the meetings
/// whose answer was another one. Their targets must be locked.
async fn answered(
    tx: &mut Tx,
    (link, meeting): (&AnswerLinkRow, &MeetingRow),
    answer: Answer,
    now: Timestamp,
) -> Result<Vec<Uuid>, StoreError> {
    let Some(series) = link.series_id else {
        let (id, hash) = (MeetingId(meeting.id), super::answered_time(meeting));
        let changed = meeting_invite::answer(tx.conn(), (id, &link.email), (answer, &hash), now).await?;
        return Ok(if changed { vec![meeting.id] } else { Vec::new() });
    };
    let meetings = series_invite::meetings(tx.conn(), &[series]).await?;
    let open = meetings.iter().map(|one| &one.meeting).filter(|row| is_open(row, now).unwrap_or_default());
    let open: Vec<&MeetingRow> = open.collect();
    let ids: Vec<Uuid> = open.iter().map(|row| row.id).collect();
    let invited = meeting_invite::invited(tx.conn(), &ids).await?;
    let is_other = |id: Uuid| {
        let mut own = invited.iter().filter(|row| row.is_attendee == 1 && row.email == link.email);
        own.any(|row| row.meeting_id == id && row.answer != answer.as_str())
    };
    let given = open
        .into_iter()
        .filter(|row| is_other(row.id))
        .map(|row| (row.id, link.email.clone(), answer.as_str().to_owned(), super::answered_time(row)));
    let given: Vec<GivenAnswer> = given.collect();
    series_invite::set_answers(tx.conn(), &given, now).await?;
    Ok(given.into_iter().map(|(meeting, ..)| meeting).collect())
}
