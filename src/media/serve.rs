//! Serves the files: those that public texts use to everyone, others to people who are logged in and
//! may see them. For strangers the address of such a file does not exist.

use crate::{
    files::OpenFile,
    http::{Web, auth, header::policy::Policy, health::refused, pages::LINK_PARAMETER},
    services::internal_error,
};
use axum::{
    body::Body,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    Actor, DomainError,
    account::Scope,
    media::{MediaType, address},
};
use std::fmt::Write as _;
use store::{
    PoolRole,
    media_use::{self, MediaAccess},
};

/// Path of all files.
pub const PATH: &str = "/media/{hash}/{name}";

/// A file that may be read.
struct Readable {
    kind: MediaType,
    /// Name for the browser if it is downloaded.
    name: String,
    is_public: bool,
    /// Folder and name of the file that is sent.
    stored: (String, String),
}

/// Serves a file.
pub async fn show(
    State(web): State<Web>,
    Path((hash, name)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let query = query.unwrap_or_default();
    let readable = match find(&web, (&headers, &query), &hash, &name).await {
        Ok(Some(readable)) => readable,
        Ok(None) => return missing(),
        Err(refusal) => return refused(&refusal),
    };
    let (folder, name) = &readable.stored;
    let tag = format!("\"{}-{name}\"", folder.get(..32).unwrap_or_default());
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match web.parts.media.read(folder, name).await {
            Ok(Some(file)) => content(file),
            Ok(None) => {
                tracing::warn!(%hash, %name, "a file of the media library is missing; run presstime doctor");
                return missing();
            }
            Err(why) => {
                tracing::error!(%hash, %name, "a file of the media library cannot be read: {why}");
                return refused(&DomainError::Unavailable);
            }
        }
    };
    describe(&mut response, &readable, &tag);
    response
}

/// Returns the file if the caller may read it.
async fn find(
    web: &Web,
    (headers, query): (&HeaderMap, &str),
    hash: &str,
    name: &str,
) -> Result<Option<Readable>, DomainError> {
    let Some((kind, width, height)) = address::parse_name(name).filter(|_| address::is_hash(hash)) else {
        return Ok(None);
    };
    let viewer = viewer(web, headers).await?;
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let account = viewer.as_ref().map(|actor| actor.account);
    let access = media_use::access(lease.conn(), hash, account).await.map_err(internal_error)?;
    drop(lease);
    let Some(access) = access else { return Ok(None) };
    if !may_read(&access, viewer.as_ref()) && !has_review_link(web, query, hash).await? {
        return Ok(None);
    }
    let Ok(own_kind) = access.format.parse::<MediaType>() else { return Ok(None) };
    let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
    let size = side(access.width).zip(side(access.height));
    let is_there = match (width, height) {
        (Some(width), None) => {
            size.is_some_and(|size| address::widths(own_kind, size).any(|made| made == width))
        }
        _ => kind == own_kind && size == width.zip(height),
    };
    // A text may name the size of the picture that was replaced.
    let is_earlier = access.is_replaced == 1 && kind.is_picture() && own_kind.is_picture();
    let (kind, stored) = match (is_there, is_earlier) {
        (true, _) => (kind, name.to_owned()),
        (false, true) => (own_kind, address::file_name(own_kind, size)),
        (false, false) => return Ok(None),
    };
    let is_public = access.is_public == 1;
    Ok(Some(Readable { kind, name: access.name, is_public, stored: (access.folder, stored) }))
}

/// Whether this client may read the files.
fn may_read(access: &MediaAccess, viewer: Option<&Actor>) -> bool {
    // Everyone who is logged in may read all articles.
    access.is_public == 1
        || viewer.is_some_and(|actor| actor.is_admin() || access.is_used == 1 || access.is_own == 1)
}

/// Whether the query names a valid link to review a text that uses the file.
async fn has_review_link(web: &Web, query: &str, hash: &str) -> Result<bool, DomainError> {
    let secret = query.split('&').find_map(|part| part.strip_prefix(LINK_PARAMETER)?.strip_prefix('='));
    match secret {
        Some(secret) => (web.parts.hooks.may_read_file)(&web.parts, secret, hash).await,
        None => Ok(false),
    }
}

/// Returns the account of the session or the token; `None` also for a session that must add a second factor first.
async fn viewer(web: &Web, headers: &HeaderMap) -> Result<Option<Actor>, DomainError> {
    if let Some(secret) = auth::session_secret(web, headers) {
        let found = web.authenticator.peek_session(&secret).await?;
        return Ok(found.filter(|actor| auth::require_second_factor(actor).is_ok()));
    }
    match auth::bearer(headers) {
        Some(token) => {
            let found = web.authenticator.token(token).await?;
            Ok(found.filter(|(_, scope)| *scope != Scope::Signal).map(|(actor, _)| actor))
        }
        None => Ok(None),
    }
}

/// Streams a file. Its size is known, so that a client notices if the connection ends early.
fn content(file: OpenFile) -> Response {
    let mut response = Body::from_stream(file.chunks).into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(file.bytes));
    response
}

/// Adds the headers of a file. Its content may be replaced and who may read it may change: caches ask each time, and are
/// answered by the tag of the content.
fn describe(response: &mut Response, readable: &Readable, tag: &str) {
    let headers = response.headers_mut();
    let caching = match readable.is_public {
        true => "public, no-cache",
        false => "private, no-cache",
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(readable.kind.mime()));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    if !readable.is_public {
        headers.insert(header::VARY, HeaderValue::from_static("cookie, authorization"));
    }
    if !readable.kind.is_picture() {
        let disposition = format!("attachment; filename*=UTF-8''{}", percent_encoded(&readable.name));
        if let Ok(disposition) = HeaderValue::try_from(disposition) {
            headers.insert(header::CONTENT_DISPOSITION, disposition);
        }
    }
    response.extensions_mut().insert(Policy::Media { is_public: readable.is_public });
}

fn percent_encoded(name: &str) -> String {
    name.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

/// The same response for every address: a file of an unpublished text cannot be distinguished from
/// one that does not exist.
fn missing() -> Response {
    (StatusCode::NOT_FOUND, "not found").into_response()
}
