//! Authenticates a request from its head and decides how much of its body may be read, before any
//! of it is in memory.

use super::{
    ClientKind,
    budget::Budget,
    uploads::{self, UploadKind},
};
use crate::http::{
    Web, api,
    auth::{self, Authenticated},
    header::header_text,
    health::refused,
};
use app::server_fns::Refused;
use axum::{
    body::Body,
    http::{Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{AccountId, Actor, DomainError, input_limits, media};
use server_fn::error::FromServerFnError as _;

/// Maximum body size without authentication, bytes: a form to log in, to set up, or to accept an
/// invitation. For the text of an article see [`TEXT_FORMS`].
const MAX_ANONYMOUS_BYTES: usize = 64 * 1024;
/// Forms that carry the text of an article: those of the editor, and the log-in that keeps such a
/// form after the session has ended.
const TEXT_FORMS: [&str; 5] = [
    "/fn/create_article",
    "/fn/save_article",
    "/fn/log_in",
    "/fn/complete_log_in",
    "/fn/log_in_with_passkey",
];
/// Server function that stores nothing; its large bodies do not count towards the daily limit.
const PREVIEW: &str = "/fn/preview";

/// Form with the terms of a word list, and its maximum size in bytes: 5 MB of Chinese text are three
/// times as many in a form.
const TERMS_FORM: &str = "/fn/set_word_terms";
const MAX_TERMS_FORM_BYTES: usize = 2 * input_limits::MAX_BULK_BYTES;

/// Maximum size of an upload with the rest of its form, bytes.
const MAX_UPLOAD_BYTES: usize = media::MAX_UPLOAD_BYTES + 64 * 1024;

/// What an admitted request may send.
pub struct Admitted<'u> {
    /// Maximum size of its body, bytes.
    pub max_bytes: usize,
    /// Memory budget for its body.
    pub budget: &'u Budget,
    /// Account whose daily limit its body counts towards; `None`: it does not count.
    pub writer: Option<AccountId>,
    /// Whether the handler reads the body itself, as it arrives.
    pub is_streamed: bool,
}

/// Authenticates and counts a request to the API or a server function. Refuses a body for the API
/// without a token that may write.
pub async fn admit<'u>(web: &'u Web, head: &mut Parts, has_body: bool) -> Result<Admitted<'u>, DomainError> {
    let path = head.uri.path();
    if path.starts_with("/api/") {
        return by_token(web, head, has_body).await;
    }
    if path.starts_with("/fn/")
        && let Some(secret) = auth::session_secret(web, &head.headers)
        && let Some(actor) = web.authenticator.session(&secret).await?
    {
        web.usage.request(actor.account, ClientKind::Browser)?;
        if let Some(admitted) = uploaded(web, path, &actor) {
            head.extensions.insert(Authenticated::by_session(actor));
            return Ok(admitted);
        }
        let writer = Some(actor.account).filter(|_| path != PREVIEW);
        let is_large = path == TERMS_FORM && actor.is_admin();
        head.extensions.insert(Authenticated::by_session(actor));
        return Ok(Admitted {
            max_bytes: if is_large { MAX_TERMS_FORM_BYTES } else { input_limits::MAX_REQUEST_BYTES },
            budget: &web.usage.authenticated,
            writer,
            is_streamed: false,
        });
    }
    Ok(if is_large_text_form(head) { after_session(web) } else { anonymous(web) })
}

/// Whether a form without JavaScript announces the text of an article.
fn is_large_text_form(head: &Parts) -> bool {
    let length = header_text::text(&head.headers, &header::CONTENT_LENGTH).parse::<usize>();
    TEXT_FORMS.contains(&head.uri.path())
        && length.is_ok_and(|bytes| bytes > MAX_ANONYMOUS_BYTES)
        && header_text::text(&head.headers, &header::ACCEPT).contains("text/html")
}

/// The text of an article may arrive after the session of its author has ended. It is shown again
/// with the log-in, never stored. A budget of its own: such forms cannot keep others from logging in.
fn after_session(web: &Web) -> Admitted<'_> {
    Admitted {
        max_bytes: input_limits::MAX_REQUEST_BYTES,
        budget: &web.usage.after_session,
        writer: None,
        is_streamed: false,
    }
}

async fn by_token<'u>(web: &'u Web, head: &mut Parts, has_body: bool) -> Result<Admitted<'u>, DomainError> {
    let found = match auth::bearer(&head.headers) {
        Some(token) => web.authenticator.token(token).await?.ok_or(DomainError::WrongToken),
        None => Err(DomainError::NoToken),
    };
    let (actor, scope) = match found {
        Err(refusal) if has_body => return Err(refusal),
        Err(_) => return Ok(anonymous(web)),
        Ok(found) => found,
    };
    web.usage.request(actor.account, ClientKind::Program)?;
    let is_read_only = matches!(head.method, Method::GET | Method::HEAD);
    if has_body && !is_read_only {
        auth::permit(scope, head)?;
    }
    if head.method == Method::POST
        && let Some(admitted) = uploaded(web, head.uri.path(), &actor)
    {
        head.extensions.insert(Authenticated::by_token(actor, scope));
        return Ok(admitted);
    }
    let is_bulk = is_large(&head.method, head.uri.path());
    let writer = Some(actor.account).filter(|_| !is_read_only);
    head.extensions.insert(Authenticated::by_token(actor, scope));
    let max_bytes = if is_bulk { input_limits::MAX_BULK_BYTES } else { input_limits::MAX_REQUEST_BYTES };
    Ok(Admitted { max_bytes, budget: &web.usage.authenticated, writer, is_streamed: false })
}

/// Whether the request may have a large body.
fn is_large(method: &Method, path: &str) -> bool {
    let is_terms = || path.strip_prefix(api::WORD_LISTS).is_some_and(|rest| rest.ends_with("/terms"));
    (*method == Method::POST && api::BULK.contains(&path)) || (*method == Method::PUT && is_terms())
}

/// Returns what an upload of this actor may send; `None`: it is no upload.
fn uploaded<'u>(web: &'u Web, path: &str, actor: &Actor) -> Option<Admitted<'u>> {
    match uploads::kind_of(web.uploads, path)? {
        UploadKind::File => Some(upload(web)),
        UploadKind::CountedFile => Some(Admitted { writer: Some(actor.account), ..upload(web) }),
        UploadKind::Export { max_bytes } => {
            actor.is_admin().then(|| Admitted { max_bytes, is_streamed: true, ..upload(web) })
        }
    }
}

/// A file: the quota of the desk limits it, not the daily limit of the account.
fn upload(web: &Web) -> Admitted<'_> {
    Admitted { max_bytes: MAX_UPLOAD_BYTES, budget: &web.usage.uploads, writer: None, is_streamed: false }
}

fn anonymous(web: &Web) -> Admitted<'_> {
    Admitted {
        max_bytes: MAX_ANONYMOUS_BYTES,
        budget: &web.usage.anonymous,
        writer: None,
        is_streamed: false,
    }
}

/// Returns an error in the format that the client expects: JSON for the API and scripts, else text.
pub fn refuse(head: &Parts, refusal: &DomainError) -> Response {
    let path = head.uri.path();
    if path.starts_with("/api/") {
        return api::ApiError::from(refusal.clone()).into_response();
    }
    let response = refused(refusal);
    let is_script =
        path.starts_with("/fn/") && !header_text::text(&head.headers, &header::ACCEPT).contains("text/html");
    if !is_script {
        return response;
    }
    let (mut head, _) = response.into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    let json = axum::http::HeaderValue::from_static("application/json");
    head.headers.insert(header::CONTENT_TYPE, json);
    head.status = StatusCode::from_u16(refusal.status()).unwrap_or(head.status);
    Response::from_parts(head, Body::from(Refused(refusal.clone()).ser()))
}
