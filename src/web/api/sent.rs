//! What a program sent, read strictly: who, then whether it may be read at all, then what it says.

use super::{
    super::{Web, auth},
    ApiError,
};
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use domain::{Actor, Refusal, Timestamp, limit, person::Idempotency, refusal::Problem};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::{fmt::Write as _, str::FromStr};

/// Whoever owns the request's token.
pub struct Bearer(pub Actor);

impl FromRequestParts<Web> for Bearer {
    type Rejection = ApiError;
    async fn from_request_parts(head: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        Ok(Self(auth::token_actor(web, head).await?))
    }
}

/// Whoever owns the token, and what stands behind the question mark.
pub struct Asked<Q>(pub Actor, pub Q);

impl<Q: DeserializeOwned> FromRequestParts<Web> for Asked<Q> {
    type Rejection = ApiError;
    async fn from_request_parts(head: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let Bearer(actor) = Bearer::from_request_parts(head, web).await?;
        let Query(asked) = Query::try_from_uri(&head.uri)
            .map_err(|error| ApiError::Unreadable(StatusCode::BAD_REQUEST, error.body_text()))?;
        Ok(Self(actor, asked))
    }
}

/// Whoever owns the token, with the request's `Idempotency-Key`, and the JSON they sent.
pub struct Sent<T>(pub Actor, pub T);

impl<T: DeserializeOwned> FromRequest<Web, Body> for Sent<T> {
    type Rejection = ApiError;
    async fn from_request(request: Request, web: &Web) -> Result<Self, ApiError> {
        let (mut head, body) = request.into_parts();
        let Bearer(mut actor) = Bearer::from_request_parts(&mut head, web).await?;
        if !is_json(&head.headers) {
            let text = "send JSON, with the header Content-Type: application/json";
            return Err(ApiError::Unreadable(StatusCode::UNSUPPORTED_MEDIA_TYPE, text.to_owned()));
        }
        let body = http_body_util::BodyExt::collect(body).await;
        let bytes = body
            .map_err(|error| ApiError::Unreadable(StatusCode::BAD_REQUEST, error.to_string()))?
            .to_bytes();
        actor.idempotency = idempotency(&head, &bytes)?;
        Ok(Self(actor, read(&bytes)?))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn read<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, ApiError> {
    let unreadable = |text: String| ApiError::Unreadable(StatusCode::BAD_REQUEST, text);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        unreadable(format!("the text is not UTF-8: byte {} is wrong", error.valid_up_to()))
    })?;
    serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => shape(&error).into(),
        _ => unreadable(format!("this is not JSON: {error}")),
    })
}

/// Refuses JSON of the wrong shape, naming the field where the reader named one.
pub(super) fn shape(error: &serde_json::Error) -> Refusal {
    let why = error.to_string();
    let field = why.split('`').nth(1).unwrap_or("body").to_owned();
    Refusal::Invalid { field, problem: Problem::Unreadable { why } }
}

fn idempotency(head: &Parts, body: &Bytes) -> Result<Option<Idempotency>, Refusal> {
    let Some(key) = head.headers.get("idempotency-key") else { return Ok(None) };
    let wrong = |problem| Refusal::invalid("Idempotency-Key", problem);
    let key = key.to_str().map_err(|_| wrong(Problem::BadCharacters))?.trim();
    if key.is_empty() {
        return Err(wrong(Problem::Empty));
    }
    if key.len() > limit::IDEMPOTENCY_KEY_BYTES {
        return Err(wrong(Problem::TooLong { max: 255 }));
    }
    let path = head.extensions.get::<axum::extract::OriginalUri>().map_or(&head.uri, |uri| &uri.0).path();
    let mut hash = Sha256::new();
    hash.update(format!("{} {path}\n", head.method));
    hash.update(body);
    let mut fingerprint = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(fingerprint, "{byte:02x}");
    }
    Ok(Some(Idempotency { key: key.to_owned(), fingerprint }))
}

/// The identity in a path; one that cannot be read names nothing.
pub(super) fn id<T: FromStr>(text: &str, what: &str) -> Result<T, Refusal> {
    text.parse().map_err(|_| Refusal::no_such(what))
}

/// One word of a list of words.
pub(super) fn word<T: FromStr>(field: &str, text: &str, words: &[&str]) -> Result<T, Refusal> {
    text.parse().map_err(|_| Refusal::invalid(field, Problem::NotOneOf { words: words.join(", ") }))
}

/// An exact moment. A fifth digit in the year is out of range rather than unreadable.
pub(super) fn moment(field: &str, text: &str) -> Result<Timestamp, Refusal> {
    text.trim().parse().map_err(|_| {
        let year = text.trim().trim_start_matches(['+', '-']);
        let digits = year.bytes().take_while(u8::is_ascii_digit).count();
        let is_far = digits > 4 && year.as_bytes().get(digits) == Some(&b'-');
        let problem = if is_far {
            Problem::OutOfRange
        } else {
            Problem::NotATime { like: "2026-06-09T09:00:00Z".to_owned() }
        };
        Refusal::invalid(field, problem)
    })
}

/// How many items a page holds: what was asked, at least 1, at most `most`.
pub(super) fn page_size(asked: Option<u64>, most: u32) -> u32 {
    let asked = asked.unwrap_or_else(|| u64::from(limit::PAGE_DEFAULT));
    u32::try_from(asked.clamp(1, u64::from(most))).unwrap_or(most)
}
