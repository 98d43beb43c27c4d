//! The routes of the door page.

use super::{Door, act, page};
use crate::{
    http::{Web, assets, auth::client_address, header::policy::Policy, health::refused},
    process::client::client_key,
    security::tokens,
};
use axum::{
    Extension, Form,
    extract::{Path, Query, State},
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{DomainError, MeetingId, RoomId, Version, account::Language, error::ValidationError};
use serde::Deserialize;
use texts::meetings::door::DoorTexts;

/// Path of the page.
pub const PATH: &str = "/rooms/{id}/door";
/// Seconds after which a browser reads the page again.
const RELOAD_SECONDS: &str = "30";

/// The link.
#[derive(Debug, Default, Deserialize)]
pub struct DoorQuery {
    /// Its secret.
    #[serde(default)]
    key: String,
    /// Language of the page; that of the site if absent.
    lang: Option<String>,
}

/// An action at the door.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DoorForm {
    /// Secret of the link.
    key: String,
    /// `check_in` or `book`.
    act: String,
    /// To check in: id and version of the meeting, `ID.VERSION`.
    meeting: String,
    /// To book: for how many minutes.
    minutes: String,
    /// To book: the PIN of the room.
    pin: String,
}

/// Shows the page.
pub async fn show(
    State(web): State<Web>,
    Path(room): Path<String>,
    Query(query): Query<DoorQuery>,
) -> Response {
    let language = query.lang.as_deref().and_then(|word| word.parse().ok());
    respond(&web, &room, (&query.key, language), None).await
}

/// Acts, and shows the page with the result.
pub async fn act(
    State(web): State<Web>,
    Path(room): Path<String>,
    head: Parts,
    Form(form): Form<DoorForm>,
) -> Response {
    let client = client_key(client_address(&web, &head));
    let language = match web.services.settings.settings().await {
        Ok(settings) => settings.language,
        Err(refusal) => return refused(&refusal),
    };
    let words = DoorTexts(language);
    let done = async {
        let door = super::load(&web.parts, parsed(&room)?, &form.key).await?;
        perform(&web, &door, (&form, &client), words).await
    };
    let said = match done.await {
        Ok(said) => said,
        Err(DomainError::NoSuch { .. }) => return respond(&web, &room, (&form.key, None), None).await,
        Err(DomainError::RoomTaken { .. }) => words.taken(),
        Err(DomainError::TooMany { .. }) => words.too_many(),
        Err(DomainError::Invalid { field, .. }) if field == "pin" => words.wrong_pin(),
        Err(refusal) if refusal.status() < 500 => words.refused(),
        Err(failure) => return refused(&failure),
    };
    respond(&web, &room, (&form.key, None), Some(said)).await
}

/// Reads the id of a room in a path.
pub(super) fn parsed(room: &str) -> Result<RoomId, DomainError> {
    room.parse().map_err(|_| DomainError::no_such("page"))
}

async fn perform(
    web: &Web,
    door: &Door,
    (form, client): (&DoorForm, &str),
    words: DoorTexts,
) -> Result<&'static str, DomainError> {
    match form.act.as_str() {
        "check_in" => {
            let seen = form.meeting.split_once('.').and_then(|(id, version)| {
                Some((id.parse::<MeetingId>().ok()?, Version(version.parse().ok()?)))
            });
            act::check_in(&web.parts, door, seen.ok_or(DomainError::Changed)?).await?;
            Ok(words.checked_in())
        }
        "book" => {
            let minutes = form.minutes.parse().unwrap_or(0);
            let typed = act::TypedBooking { minutes, pin: &form.pin, client };
            act::book(&web.parts, door, &typed, words).await?;
            Ok(words.booked())
        }
        _ => {
            let words = "check_in, book".to_owned();
            Err(DomainError::invalid("act", ValidationError::NotOneOf { words }))
        }
    }
}

async fn respond(
    web: &Web,
    room: &str,
    (secret, language): (&str, Option<Language>),
    said: Option<&str>,
) -> Response {
    let settings = match web.services.settings.settings().await {
        Ok(settings) => settings,
        Err(refusal) => return refused(&refusal),
    };
    let style = assets::site_style();
    let words = DoorTexts(language.unwrap_or(settings.language));
    let public_url = &web.address.public_url;
    let frame = page::Frame { desk: &settings.title, style: &style, public_url, texts: words };
    let found = async { super::load(&web.parts, parsed(room)?, secret).await };
    let again = page_url(room, secret, language);
    let nonce = tokens::generate_secret();
    let (status, policy, html) = match found.await {
        Ok(door) => {
            let live = page::Live { nonce: &nonce, page: &again };
            let html = page::door(&frame, &door, (secret, &live), said);
            (StatusCode::OK, Policy::Desk(nonce.clone()), html)
        }
        Err(DomainError::NoSuch { .. }) => (StatusCode::NOT_FOUND, Policy::Site, page::unknown(&frame)),
        Err(refusal) => return refused(&refusal),
    };
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, Extension(policy), kind, html).into_response();
    let own = response.headers_mut();
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == StatusCode::OK
        && let Ok(again) = HeaderValue::try_from(format!("{RELOAD_SECONDS}; url={again}"))
    {
        own.insert(header::REFRESH, again);
    }
    response
}

/// URL of the page: it is read again with GET, also after an action.
fn page_url(room: &str, secret: &str, language: Option<Language>) -> String {
    let lang = language.map(|language| format!("&lang={language}")).unwrap_or_default();
    format!("/rooms/{room}/door?key={secret}{lang}")
}
