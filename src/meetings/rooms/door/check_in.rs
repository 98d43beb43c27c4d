//! `/check-in/SECRET`: a person checks in by the link in a mail or the QR code of a door page, without a log-in.
//! Opening the page changes nothing: programs that check mail open links too. The link acts in the name of the
//! organizer.

use super::MAX_SECRET_BYTES;
use crate::{
    accounts::actor_of,
    app_state::AppState,
    http::{Web, header::policy::Policy, health::refused},
    meetings::{change, invite::page::document},
    security::tokens,
    services::internal_error,
    text::html::escape,
    zone::Zone,
};
use axum::{
    Extension,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    AccountId, Actor, DomainError, MeetingId, RoomId, Timestamp, Version,
    meetings::{Booking, MeetingChange, MeetingState, decide},
};
use std::fmt::Write as _;
use store::{
    Conn, PoolRole, account,
    door::{self, CheckInLinkRow},
    meeting::{self, MeetingRow},
    meeting_invite::{self, InviteFacts},
    setting,
};
use subtle::ConstantTimeEq as _;
use texts::{
    Language,
    mail::{
        invitation::{AnswerTexts, InvitationWords},
        reminder::CheckInTexts,
    },
    time::{place, placed_text},
};

/// Path of the page.
pub const PATH: &str = "/check-in/{secret}";

/// What a link shows.
struct LinkedMeeting {
    /// The organizer.
    actor: Actor,
    meeting: MeetingRow,
    facts: InviteFacts,
    now: CheckIn,
    /// Title of the desk.
    desk: String,
    language: Language,
}

/// Whether a person can check in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckIn {
    /// Yes.
    Open,
    /// A person did before, or none needs to.
    Done,
    /// It starts too late.
    Early,
    /// It does not take place, or is over.
    Over,
}

impl CheckIn {
    fn of(booking: &Booking, now: Timestamp) -> Self {
        let is_running = matches!(booking.state, MeetingState::Confirmed | MeetingState::InProgress);
        match booking.checked_in_at {
            _ if !is_running || booking.ends_at <= now => Self::Over,
            Some(_) => Self::Done,
            None if decide::is_check_in_open(booking.starts_at, now) => Self::Open,
            None => Self::Early,
        }
    }
}

/// Shows the meeting, with a button if a person can check in.
pub async fn show(State(web): State<Web>, Path(secret): Path<String>) -> Response {
    respond(&web, &secret, StatusCode::OK).await
}

/// Checks in, and shows the meeting.
pub async fn submit(State(web): State<Web>, Path(secret): Path<String>) -> Response {
    let status = match check_in(&web.parts, &secret).await {
        Ok(()) => StatusCode::OK,
        Err(DomainError::NoSuch { .. }) => StatusCode::NOT_FOUND,
        Err(refusal) if refusal.status() < 500 => StatusCode::CONFLICT,
        Err(failure) => return refused(&failure),
    };
    respond(&web, &secret, status).await
}

async fn check_in(parts: &AppState, secret: &str) -> Result<(), DomainError> {
    let linked = load(parts, secret).await?;
    let (id, seen) = (MeetingId(linked.meeting.id), Version(linked.meeting.version));
    match linked.now {
        CheckIn::Done => Ok(()),
        CheckIn::Open | CheckIn::Early | CheckIn::Over => {
            change::change(parts, &linked.actor, id, MeetingChange::CheckIn, seen).await.map(drop)
        }
    }
}

/// Returns the path of the page to check in to this meeting at the door whose secret has this hash. It works
/// only for this meeting, while the door can show it, and not longer than the link of the door.
#[must_use]
pub fn path_at_door(secret_hash: &str, meeting: MeetingId) -> String {
    format!("/check-in/{}", secret_at_door(secret_hash, meeting))
}

fn secret_at_door(secret_hash: &str, meeting: MeetingId) -> String {
    format!("{}.{}", meeting.0.simple(), tokens::hash(&format!("{secret_hash}:{meeting}")))
}

/// Returns the link of the QR code of a door page; `None`: it is none, or it was revoked.
async fn find_at_door(
    mut conn: Conn<'_>,
    secret: &str,
    now: Timestamp,
) -> Result<Option<CheckInLinkRow>, DomainError> {
    let id = secret.split_once('.').and_then(|(id, _)| id.parse::<MeetingId>().ok());
    let Some(id) = id else { return Ok(None) };
    let found = meeting::find(conn.reborrow(), id).await.map_err(internal_error)?;
    let Some((found, room)) = found.and_then(|found| found.room_id.map(|room| (found, RoomId(room)))) else {
        return Ok(None);
    };
    // A picture of the door shows strangers nothing of the meeting later.
    let booking = found.booking().map_err(internal_error)?;
    if booking.ends_at <= now || !decide::is_check_in_open(booking.starts_at, now) {
        return Ok(None);
    }
    let hash = door::secret_hash(conn, room).await.map_err(internal_error)?;
    let is_valid =
        hash.is_some_and(|hash| bool::from(secret_at_door(&hash, id).as_bytes().ct_eq(secret.as_bytes())));
    let link = CheckInLinkRow { meeting_id: id.0, organizer_id: found.organizer_id, language: None };
    Ok(is_valid.then_some(link))
}

/// Loads what a link shows. `NoSuch`: there is no such link, or the person is no attendee any more.
async fn load(parts: &AppState, secret: &str) -> Result<LinkedMeeting, DomainError> {
    let unknown = || DomainError::no_such("page");
    if secret.len() > MAX_SECRET_BYTES {
        return Err(unknown());
    }
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let link = door::find_check_in_link(lease.conn(), &tokens::hash(secret)).await.map_err(internal_error)?;
    let link = match link {
        Some(link) => link,
        None => find_at_door(lease.conn(), secret, now).await?.ok_or_else(unknown)?,
    };
    let found = meeting::find(lease.conn(), MeetingId(link.meeting_id)).await.map_err(internal_error)?;
    let meeting = found.ok_or_else(unknown)?;
    let by = account::find(lease.conn(), AccountId(link.organizer_id)).await.map_err(internal_error)?;
    let by = by.filter(|by| by.is_disabled == 0).ok_or_else(unknown)?;
    let facts = meeting_invite::facts(lease.conn(), &[meeting.id]).await.map_err(internal_error)?;
    let facts = facts.into_iter().next().ok_or_else(unknown)?;
    let site = setting::site_settings(lease.conn()).await.map_err(internal_error)?;
    let language = link.language.as_deref().and_then(|word| word.parse().ok());
    Ok(LinkedMeeting {
        actor: actor_of(&by).map_err(internal_error)?,
        now: CheckIn::of(&meeting.booking().map_err(internal_error)?, now),
        meeting,
        facts,
        desk: site.title,
        language: language.unwrap_or(site.language),
    })
}

async fn respond(web: &Web, secret: &str, status: StatusCode) -> Response {
    let (status, html) = match load(&web.parts, secret).await {
        Ok(linked) => (status, page(&linked)),
        Err(DomainError::NoSuch { .. }) => match web.services.settings.settings().await {
            Ok(settings) => (StatusCode::NOT_FOUND, unknown_page(&settings.title, settings.language)),
            Err(refusal) => return refused(&refusal),
        },
        Err(refusal) => return refused(&refusal),
    };
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, Extension(Policy::Site), kind, html).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Renders the meeting.
fn page(linked: &LinkedMeeting) -> String {
    let (meeting, language) = (&linked.meeting, linked.language);
    let (texts, words) = (CheckInTexts(language), InvitationWords(language));
    let zone = Zone::stored(&meeting.time_zone);
    let moment = |at: i64| {
        let wall = zone.wall_clock_time(at.into());
        placed_text(language, wall, None, &place(language, zone.name()))
    };
    let mut lines = vec![
        AnswerTexts(language).organizer(&linked.facts.organizer),
        words.starts(&moment(meeting.starts_at)),
        words.ends(&moment(meeting.ends_at)),
    ];
    if !linked.facts.room.is_empty() {
        lines.push(words.room(&linked.facts.room));
    }
    lines.extend(
        meeting.release_at.filter(|_| linked.now == CheckIn::Open).map(|at| texts.releases(&moment(at))),
    );
    let mut main = format!("<h1 dir=\"auto\">{}</h1>", escape(&meeting.title));
    for line in lines {
        let _ = write!(main, "<p dir=\"auto\">{}</p>", escape(&line));
    }
    let _ = match linked.now {
        CheckIn::Open => write!(
            main,
            "<form method=\"post\" class=\"answer-form\"><button type=\"submit\">{}</button></form>",
            texts.check_in()
        ),
        CheckIn::Done => write!(main, "<p role=\"status\"><strong>{}</strong></p>", texts.checked_in()),
        CheckIn::Early => write!(main, "<p role=\"status\">{}</p>", texts.early()),
        CheckIn::Over => write!(main, "<p role=\"status\">{}</p>", texts.over()),
    };
    document(&linked.desk, language, &main)
}

/// Renders the page of a link that does not work.
fn unknown_page(desk: &str, language: Language) -> String {
    let texts = CheckInTexts(language);
    document(desk, language, &format!("<h1>{}</h1><p>{}</p>", texts.title(), texts.unknown()))
}
