//! The answer of an attendee through a secret link, without a log-in.

use super::organizer;
use crate::{
    meetings::kinds,
    security::tokens,
    server::app_state::AppState,
    services::{hints, internal_error, write_error},
    tasks::unit::parsed,
    zone::Zone,
};
use domain::{
    DomainError, MeetingId, Timestamp,
    account::Language,
    meetings::{Answer, MeetingState},
};
use serde_json::json;
use store::{
    Conn, PoolRole,
    event::{self, NewEvent},
    meeting::{self, MeetingRow},
    meeting_invite::{self, AnswerLinkRow, InviteFacts},
    setting, target, task,
};

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
    /// Title of the desk.
    pub desk: String,
    /// Language of the page.
    pub language: Language,
}

/// Loads what a link shows. `NoSuch`: there is no such link, or the person is no attendee any more.
pub async fn load(parts: &AppState, secret: &str) -> Result<LinkedMeeting, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let (link, meeting) = find(lease.conn(), secret).await?;
    let facts = meeting_invite::facts(lease.conn(), &[meeting.id]).await.map_err(internal_error)?;
    let facts = facts.into_iter().next().ok_or_else(unknown)?;
    let site = setting::site_settings(lease.conn()).await.map_err(internal_error)?;
    let language = link.language.as_deref().and_then(|word| word.parse().ok());
    Ok(LinkedMeeting {
        zone: Zone::stored(&meeting.time_zone),
        answer: parsed(&link.answer)?,
        is_open: is_open(&meeting, parts.clock.now())?,
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

async fn find(mut conn: Conn<'_>, secret: &str) -> Result<(AnswerLinkRow, MeetingRow), DomainError> {
    if secret.len() > MAX_SECRET_BYTES {
        return Err(unknown());
    }
    let link = meeting_invite::find_link(conn.reborrow(), &tokens::hash(secret)).await;
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
    let (link, _) = find(tx.conn(), secret).await?;
    target::lock(tx.conn(), &[link.meeting_id]).await.map_err(internal_error)?;
    // Again, now that nothing can change it.
    let (link, meeting) = find(tx.conn(), secret).await?;
    let now = parts.clock.now();
    if !is_open(&meeting, now)? {
        return Err(DomainError::WrongState { what: "meeting".to_owned(), state: meeting.state });
    }
    let id = MeetingId(meeting.id);
    let answered = super::time_and_place(&meeting);
    let changed = meeting_invite::answer(tx.conn(), (id, &link.email), (answer, &answered), now).await;
    if !changed.map_err(write_error(parts))? {
        return Ok(());
    }
    let who = if link.name.is_empty() { &link.email } else { &link.name };
    let simple = NewEvent::simple(now, None, "meeting", meeting.id, "answer");
    let detail = json!({"attendee": who, "answer": answer}).to_string();
    let told = organizer::tell(&mut tx, &meeting, &link.email, now).await.map_err(write_error(parts))?;
    let mut events = vec![NewEvent { detail, ..simple }];
    events.extend(told.events);
    let mut due = Vec::new();
    if let Some(mut task) = told.task {
        task.bucket = queue::bucket_of(task.id, parts.hints.buckets());
        events.push(kinds::scheduled(&task, now));
        due.push(task.hint());
        task::insert(tx.conn(), &[task], now, &[]).await.map_err(write_error(parts))?;
    }
    event::append(tx.conn(), &events).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    hints::publish(parts, due);
    Ok(())
}
