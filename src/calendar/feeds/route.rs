//! `/feeds/SECRET.ics`: a feed as iCalendar text. Needs no log-in.

use crate::http::{Web, health::refused};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::DomainError;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Path of the route.
pub const PATH: &str = "/feeds/{name}";

/// Returns the feed; 304 if the program has this state of it.
pub async fn show(State(web): State<Web>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(secret) = name.strip_suffix(".ics") else { return refused(&DomainError::no_such("feed")) };
    let text = match super::read(&web.parts, secret, &web.address.public_url).await {
        Ok(text) => text,
        Err(refusal) => return refused(&refusal),
    };
    let tag = etag(&text);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, "text/calendar; charset=utf-8")], text).into_response(),
    };
    let own = response.headers_mut();
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        own.insert(header::ETAG, tag);
    }
    response
}

fn etag(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let hex = hash.iter().take(16).fold(String::with_capacity(32), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    format!("\"{hex}\"")
}
