//! Responses of the site: pages with their ETag, redirects, and pages that do not exist.

use super::{
    page,
    page::Frame,
    render_cache::{CARDS, PAGES},
};
use crate::{
    http::{header::policy::Policy, health::refused},
    services::hex::hex,
    text::render::VERSION,
};
use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::DomainError;
use sha2::{Digest, Sha256};

/// Type of the pages.
pub const HTML: &str = "text/html; charset=utf-8";
/// Type of the cards.
pub const PNG: &str = "image/png";

/// Responds with the page of this ETag: 304 if the reader has it, else from the cache or rendered.
pub async fn respond(
    headers: &HeaderMap,
    tag: String,
    kind: &'static str,
    write: impl Future<Output = Result<Bytes, DomainError>>,
) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let cache = if kind == PNG { &CARDS } else { &PAGES };
        match cache.get_or_render(&tag, write).await {
            Ok(page) => ([(header::CONTENT_TYPE, kind)], page).into_response(),
            Err(refusal) => return refused(&refusal),
        }
    };
    set_cache_policy(&mut response);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Redirects permanently to an article.
pub fn moved(slug: &str) -> Response {
    moved_to(&page::article_path(slug))
}

/// Redirects permanently to a path of the site.
pub fn moved_to(path: &str) -> Response {
    let location = HeaderValue::try_from(path).unwrap_or_else(|_| HeaderValue::from_static("/site"));
    let mut response = (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response();
    set_cache_policy(&mut response);
    response
}

/// Responds 404 with the same bytes for every path: a scheduled article cannot be distinguished
/// from one that does not exist.
pub fn missing(frame: &Frame) -> Response {
    let text = page::missing(frame);
    let mut response = (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], text).into_response();
    set_cache_policy(&mut response);
    response
}

/// Responds 410 for an article that was public and is deleted, so that search engines and feed
/// readers remove it.
pub fn gone(frame: &Frame) -> Response {
    let text = page::gone(frame);
    let mut response = (StatusCode::GONE, [(header::CONTENT_TYPE, HTML)], text).into_response();
    set_cache_policy(&mut response);
    response
}

/// Requires browsers to revalidate each time, so that a publish or an unpublish takes effect at
/// once.
fn set_cache_policy(response: &mut Response) {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.extensions_mut().insert(Policy::Site);
}

/// Returns the ETag of a page: a hash of all of its input.
pub fn etag(what: &str, input: &impl std::fmt::Debug) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{what} {} {VERSION} {input:?}", env!("CARGO_PKG_VERSION")));
    format!("\"{}\"", hex(&hash.finalize()[..16]))
}
