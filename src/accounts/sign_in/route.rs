//! `/oidc/{id}`: the browser's way to a provider and back, and log-outs at the provider.

use crate::http::{
    Web, auth,
    pages::{self, forms, result_cookie},
};
use app::{
    accounts::own_account_fns::LogIn,
    server_fns::{
        result_url::take_result,
        ssr::{Caller, host_cookie, is_local_path, session_cookies},
    },
    ui::form::FormResult,
};
use axum::{
    body::Bytes,
    extract::{Path, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse as _, Response},
};
use axum_extra::extract::CookieJar;
use domain::{
    DomainError, ProviderId,
    accounts::sign_in::{SIGN_IN_WITHIN_MS, SignInBegin, SignInEnd, SignInProblem, SignInReturn},
};
use serde::Deserialize;
use server_fn::ServerFn as _;
use url::form_urlencoded;

/// Begins a sign-in.
pub const BEGIN: &str = "/oidc/{id}";
/// The browser comes back.
pub const CALLBACK: &str = "/oidc/{id}/callback";
/// The provider ends sessions.
pub const LOG_OUT: &str = "/oidc/{id}/logout";

/// Page of the user's own identities.
const PROFILE: &str = "/settings/profile";
/// Where a second factor is added.
const SECOND_FACTOR: &str = "/settings/profile#second-factor";
/// What follows when an identity is linked: the same page, at another place than a log-in leads to.
const LINKING: &str = "/settings/profile#sign-in";
/// Name of the cookie that binds a sign-in to the browser.
const COOKIE: &str = "oidc";

/// Parameters of a sign-in that begins.
#[derive(Debug, Default, Deserialize)]
pub struct BeginQuery {
    next: Option<String>,
    invitation: Option<String>,
    link: Option<String>,
}

/// Parameters with which the browser comes back.
#[derive(Debug, Default, Deserialize)]
pub struct CallbackQuery {
    #[serde(default)]
    state: String,
    code: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

/// Sends the browser to the provider.
pub async fn begin(
    State(web): State<Web>,
    Path(id): Path<String>,
    Query(query): Query<BeginQuery>,
    request: Request,
) -> Response {
    let (head, _) = request.into_parts();
    let is_linking = query.link.is_some();
    let next = query.next.filter(|next| is_local_path(next)).unwrap_or_else(|| "/".to_owned());
    match start(&web, &head, &id, (next.clone(), query.invitation, query.link)).await {
        Ok(response) => response,
        Err(DomainError::SecondFactorRequired) => pages::see_other(SECOND_FACTOR),
        Err(refusal) if is_linking => see_problem(PROFILE, &refusal),
        Err(refusal) => see_problem(&log_in_path(&next), &refusal),
    }
}

async fn start(
    web: &Web,
    head: &Parts,
    id: &str,
    (next, invitation, link): (String, Option<String>, Option<String>),
) -> Result<Response, DomainError> {
    let caller = match link.is_some() {
        true => pages::caller(web, head).await?,
        false => log_in_caller(web, head).await?,
    };
    let link = match link {
        Some(proof) => Some((caller.actor.ok_or(DomainError::LogIn)?, proof)),
        None => None,
    };
    let provider = provider_id(id)?;
    let next = if link.is_some() { LINKING.to_owned() } else { next };
    let begin = SignInBegin { provider, next, invitation, link, cookie: cookie_of(web, &head.headers) };
    let start = web.services.sign_in.begin(begin, &caller.client).await?;
    let mut response = see(&start.url)?;
    let lifetime = format!("; Max-Age={}", SIGN_IN_WITHIN_MS / 1_000);
    append_cookie(web, &mut response, &start.cookie, &lifetime);
    Ok(response)
}

/// Completes a sign-in.
pub async fn callback(
    State(web): State<Web>,
    Path(id): Path<String>,
    Query(query): Query<CallbackQuery>,
    request: Request,
) -> Response {
    let (head, _) = request.into_parts();
    let (next, ended) = match complete(&web, &head, &id, query).await {
        Ok(ended) => ended,
        Err(refusal) => ("/".to_owned(), Err(refusal)),
    };
    match ended {
        Ok(SignInEnd::Linked) => {
            let mut response = pages::see_other("/settings/profile?done=identity");
            result_cookie::keep(&web, &head.headers, &mut response);
            response
        }
        Ok(SignInEnd::LoggedIn(login)) => {
            let mut response = pages::see_other(&take_result(&next).0);
            for cookie in session_cookies(&login, web.address.is_secure()) {
                append(&mut response, &cookie);
            }
            response
        }
        // The log-in page asks for the code, and continues.
        Err(refusal @ DomainError::CodeNeeded { .. }) => {
            let form = FormResult { function: LogIn::PATH.to_owned(), fields: Vec::new(), refusal };
            forms::render_error(&web, head, log_in_path(&next), form).await
        }
        Err(refusal) if next == LINKING => see_problem(PROFILE, &refusal),
        Err(refusal) => see_problem(&log_in_path(&next), &refusal),
    }
}

async fn complete(
    web: &Web,
    head: &Parts,
    id: &str,
    query: CallbackQuery,
) -> Result<(String, Result<SignInEnd, DomainError>), DomainError> {
    let caller = log_in_caller(web, head).await?;
    let back = SignInReturn {
        state: query.state,
        code: query.code,
        iss: query.iss,
        error: query.error,
        cookie: cookie_of(web, &head.headers),
        account: caller.actor.map(|actor| actor.account),
    };
    Ok(web.services.sign_in.finish(provider_id(id)?, back, &caller.client).await)
}

/// Ends the sessions that a log-out token names.
pub async fn log_out(State(web): State<Web>, Path(id): Path<String>, head: Parts, body: Bytes) -> Response {
    let address = auth::client_address(&web, &head).to_string();
    let token = form_urlencoded::parse(&body).find(|(name, _)| name == "logout_token");
    let ended = match (provider_id(&id), token) {
        (Ok(id), Some((_, token))) => web.services.sign_in.log_out_by_provider(id, &token, &address).await,
        (Err(refusal), _) => Err(refusal),
        (Ok(_), None) => Err(SignInProblem::Unreadable.into()),
    };
    let (status, text) = match ended {
        Ok(()) => (StatusCode::OK, String::new()),
        Err(refusal @ DomainError::SignIn { .. }) => (StatusCode::BAD_REQUEST, refusal.to_string()),
        Err(refusal) => (StatusCode::from_u16(refusal.status()).unwrap_or_default(), refusal.to_string()),
    };
    (status, [(header::CACHE_CONTROL, "no-store")], text).into_response()
}

/// Returns the caller as the log-in page does: also of a session that must add a second factor first.
async fn log_in_caller(web: &Web, head: &Parts) -> Result<Caller, DomainError> {
    let mut head = head.clone();
    head.uri = Uri::from_static("/login");
    pages::caller(web, &head).await
}

fn provider_id(text: &str) -> Result<ProviderId, DomainError> {
    text.parse().map_err(|_| DomainError::no_such("page"))
}

fn cookie_of(web: &Web, headers: &HeaderMap) -> Option<String> {
    let name = if web.address.is_secure() { "__Host-oidc" } else { COOKIE };
    CookieJar::from_headers(headers).get(name).map(|cookie| cookie.value().to_owned())
}

fn append_cookie(web: &Web, response: &mut Response, value: &str, more: &str) {
    append(response, &host_cookie(COOKIE, value, more, web.address.is_secure()));
}

fn append(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// Sends the browser to another server.
fn see(url: &str) -> Result<Response, DomainError> {
    let location = HeaderValue::try_from(url).map_err(|_| SignInProblem::Unreadable)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
}

/// Returns the path of the log-in that continues at `next`.
fn log_in_path(next: &str) -> String {
    next.parse::<Uri>().map_or_else(|_| "/login".to_owned(), |uri| pages::login_path(&uri))
}

/// Shows a page with the sentence of a problem.
fn see_problem(path: &str, refusal: &DomainError) -> Response {
    let word = match refusal {
        DomainError::SignIn { problem } => problem.as_str(),
        DomainError::TooMany { .. } => "too_many",
        DomainError::Invalid { .. } => "password",
        DomainError::NoSuch { .. } | DomainError::LogIn => SignInProblem::Expired.as_str(),
        _ => SignInProblem::ProviderError.as_str(),
    };
    let sign = if path.contains('?') { '&' } else { '?' };
    pages::see_other(&format!("{path}{sign}sign_in={word}"))
}
