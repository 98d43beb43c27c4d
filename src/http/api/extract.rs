//! Extractors for API requests. They authenticate first, and read the query or the body only then.

use super::{
    ApiError,
    idempotency::{self, refuse_unused_key},
};
use crate::http::api::json_input::{Problem, shape_error};
use crate::http::{Web, auth};
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::QueryRejection},
    http::{HeaderMap, StatusCode, Uri, header, request::Parts},
};
use domain::{Actor, DomainError, Timestamp, account::Idempotency, error::ValidationError, input_limits};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::{fmt::Write as _, str::FromStr};

/// Authenticates the request: the actor who owns the token. Refuses an `Idempotency-Key` that would be
/// ignored.
pub struct Auth(pub Actor);

impl FromRequestParts<Web> for Auth {
    type Rejection = ApiError;
    async fn from_request_parts(head: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let actor = auth::token_actor(web, head).await?;
        refuse_unused_key(head)?;
        Ok(Self(actor))
    }
}

/// Authenticates a request without a body and reads its `Idempotency-Key`.
pub struct AuthKey(pub Actor);

impl FromRequestParts<Web> for AuthKey {
    type Rejection = ApiError;
    async fn from_request_parts(head: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let Auth(mut actor) = Auth::from_request_parts(head, web).await?;
        actor.idempotency = idempotency(head, &Bytes::new())?;
        Ok(Self(actor))
    }
}

/// Authenticates the request and reads its query parameters.
pub struct AuthQuery<Q>(pub Actor, pub Q);

impl<Q: DeserializeOwned> FromRequestParts<Web> for AuthQuery<Q> {
    type Rejection = ApiError;
    async fn from_request_parts(head: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let Auth(actor) = Auth::from_request_parts(head, web).await?;
        Ok(Self(actor, query(&head.uri)?))
    }
}

fn query<Q: DeserializeOwned>(uri: &Uri) -> Result<Q, ApiError> {
    let Query(query) = Query::try_from_uri(uri)
        .map_err(|error| ApiError::Unreadable(StatusCode::BAD_REQUEST, unreadable_query(&error)))?;
    Ok(query)
}

/// Says what is wrong with a query, without the words of the library.
fn unreadable_query(error: &QueryRejection) -> String {
    let text = error.body_text();
    let message = text.split_once(": ").map_or(text.as_str(), |(_, message)| message);
    let (parameter, message) = match message.split_once(": ") {
        Some((parameter, message)) if !parameter.contains([' ', '`']) => (Some(parameter), message),
        _ => (None, message),
    };
    let Problem { name, why } = Problem::of(message);
    let parameter = name.or(parameter).unwrap_or("a parameter");
    format!("the query cannot be read: {parameter} {why}")
}

/// Authenticates the request, and reads its `Idempotency-Key` and its JSON body.
pub struct AuthJson<T>(pub Actor, pub T);

impl<T: DeserializeOwned> FromRequest<Web, Body> for AuthJson<T> {
    type Rejection = ApiError;
    async fn from_request(request: Request, web: &Web) -> Result<Self, ApiError> {
        let (mut head, body) = request.into_parts();
        let Auth(mut actor) = Auth::from_request_parts(&mut head, web).await?;
        if !is_json(&head.headers) {
            let text = "send JSON with the header Content-Type: application/json";
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

/// Authenticates the request, and reads its query parameters as well as its JSON body.
pub struct AuthQueryJson<Q, T>(pub Actor, pub Q, pub T);

impl<Q: DeserializeOwned, T: DeserializeOwned> FromRequest<Web, Body> for AuthQueryJson<Q, T> {
    type Rejection = ApiError;
    async fn from_request(request: Request, web: &Web) -> Result<Self, ApiError> {
        let uri = request.uri().clone();
        let AuthJson(actor, body) =
            <AuthJson<T> as FromRequest<Web, Body>>::from_request(request, web).await?;
        Ok(Self(actor, query(&uri)?, body))
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
        unreadable(format!("the body is not UTF-8: byte {} is invalid", error.valid_up_to()))
    })?;
    // A derived `Deserialize` reads an array as the fields of a struct.
    let is_object = text.trim_start().starts_with('{');
    let not_json = |error: &serde_json::Error| unreadable(format!("the body is not valid JSON: {error}"));
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json);
    match value {
        Err(error) if !error.inner().is_data() => Err(not_json(error.inner())),
        Err(error) if is_object => Err(shape_error(&error, "").into()),
        Ok(value) if is_object => json.end().map(|()| value).map_err(|error| not_json(&error)),
        _ => {
            let why = "the body must be a JSON object".to_owned();
            Err(DomainError::invalid("body", ValidationError::Sentence { why }).into())
        }
    }
}

/// Reads the `Idempotency-Key` of a request with this body.
pub fn idempotency(head: &Parts, body: &Bytes) -> Result<Option<Idempotency>, DomainError> {
    let Some(key) = head.headers.get(idempotency::HEADER) else { return Ok(None) };
    let wrong = |problem| DomainError::invalid("Idempotency-Key", problem);
    let key = key.to_str().map_err(|_| wrong(ValidationError::BadCharacters))?.trim();
    if key.is_empty() {
        return Err(wrong(ValidationError::Empty));
    }
    if key.len() > input_limits::MAX_IDEMPOTENCY_KEY_BYTES {
        return Err(wrong(ValidationError::TooLong { max: 255 }));
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

/// Parses an id in a path. An invalid id is reported as not found.
pub fn id<T: FromStr>(text: &str, what: &str) -> Result<T, DomainError> {
    text.parse().map_err(|_| DomainError::no_such(what))
}

/// Parses one of the allowed words.
pub fn word<T: FromStr>(field: &str, text: &str, words: &[&str]) -> Result<T, DomainError> {
    text.parse()
        .map_err(|_| DomainError::invalid(field, ValidationError::NotOneOf { words: words.join(", ") }))
}

/// Parses an instant. A year with five digits is reported as out of range.
pub fn instant(field: &str, text: &str) -> Result<Timestamp, DomainError> {
    text.trim().parse().map_err(|_| {
        let year = text.trim().trim_start_matches(['+', '-']);
        let digits = year.bytes().take_while(u8::is_ascii_digit).count();
        let is_out_of_range = digits > 4 && year.as_bytes().get(digits) == Some(&b'-');
        let problem = if is_out_of_range {
            ValidationError::OutOfRange
        } else {
            ValidationError::NotATime { like: "2026-06-09T09:00:00Z".to_owned() }
        };
        DomainError::invalid(field, problem)
    })
}

/// Returns the page size: the requested one, at least 1 and at most `max`.
pub fn page_size(requested: Option<u64>, max: u32) -> u32 {
    let requested = requested.unwrap_or_else(|| u64::from(input_limits::DEFAULT_PAGE_ITEMS));
    u32::try_from(requested.clamp(1, u64::from(max))).unwrap_or(max)
}
