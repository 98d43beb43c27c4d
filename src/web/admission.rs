//! Who sends a request, and how much of its body may be read: decided from the head, before any of the body is in memory.

use super::{
    Web, api,
    auth::{self, Known},
    health::refused,
    limits::{By, budget::Budget},
    pages,
};
use app::calls::Refused;
use axum::{
    body::Body,
    http::{Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{PersonId, Refusal, limit, person::Scope};
use server_fn::error::FromServerFnError as _;

/// Most bytes of a body whose sender is not logged in: a form to log in, to set up, to accept an invitation.
const STRANGER_BYTES: usize = 64 * 1024;
/// Server functions that store nothing of what they are sent, and are sent much.
const STORES_NOTHING: &str = "/fn/preview";

/// What a request may send.
pub struct Admitted<'u> {
    /// Most bytes of its body.
    pub most: usize,
    /// The memory its body is read into.
    pub budget: &'u Budget,
    /// Whose daily amount its body counts towards.
    pub writer: Option<PersonId>,
}

/// Finds out who sends the request, if it is for the API or a server function, and counts it. Refuses a body for the API
/// without a token that may write.
pub async fn admit<'u>(web: &'u Web, head: &mut Parts, has_body: bool) -> Result<Admitted<'u>, Refusal> {
    let path = head.uri.path();
    if path.starts_with("/api/") {
        return by_token(web, head, has_body).await;
    }
    if path.starts_with("/fn/")
        && let Some(secret) = auth::session_secret(web, &head.headers)
        && let Some(actor) = web.door.session(&secret).await?
    {
        web.usage.request(actor.person, By::Browser)?;
        let writer = Some(actor.person).filter(|_| path != STORES_NOTHING);
        head.extensions.insert(Known::by_session(actor));
        return Ok(Admitted { most: limit::REQUEST_BYTES, budget: &web.usage.members, writer });
    }
    Ok(stranger(web))
}

async fn by_token<'u>(web: &'u Web, head: &mut Parts, has_body: bool) -> Result<Admitted<'u>, Refusal> {
    let found = match auth::bearer(&head.headers) {
        Some(token) => web.door.token(token).await?,
        None => None,
    };
    let Some((actor, scope)) = found else {
        return if has_body { Err(Refusal::LogIn) } else { Ok(stranger(web)) };
    };
    web.usage.request(actor.person, By::Program)?;
    let only_reads = matches!(head.method, Method::GET | Method::HEAD);
    if has_body && !only_reads && scope != Scope::Write {
        return Err(Refusal::ReadOnly);
    }
    let is_bulk = head.method == Method::POST && head.uri.path() == api::BULK;
    let writer = Some(actor.person).filter(|_| !only_reads);
    head.extensions.insert(Known::by_token(actor, scope));
    let most = if is_bulk { limit::BULK_BYTES } else { limit::REQUEST_BYTES };
    Ok(Admitted { most, budget: &web.usage.members, writer })
}

fn stranger(web: &Web) -> Admitted<'_> {
    Admitted { most: STRANGER_BYTES, budget: &web.usage.strangers, writer: None }
}

/// A refusal in the shape that the sender of the request reads.
pub fn refuse(head: &Parts, refusal: &Refusal) -> Response {
    let path = head.uri.path();
    if path.starts_with("/api/") {
        return api::ApiError::from(refusal.clone()).into_response();
    }
    let answer = refused(refusal);
    let is_script =
        path.starts_with("/fn/") && !pages::text(&head.headers, &header::ACCEPT).contains("text/html");
    if !is_script {
        return answer;
    }
    let (mut head, _) = answer.into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    let json = axum::http::HeaderValue::from_static("application/json");
    head.headers.insert(header::CONTENT_TYPE, json);
    head.status = StatusCode::from_u16(refusal.status()).unwrap_or(head.status);
    Response::from_parts(head, Body::from(Refused(refusal.clone()).ser()))
}
