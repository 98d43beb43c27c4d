//! Access to the server for pages and server functions. Compiled for the server only.

mod cookie;
mod duplicate_submit;
mod time_of_form;

pub use cookie::{
    clear_session_cookie, host_cookie, mark_prefix, passkey_browser, session_cookies, set_passkey_cookie,
    set_session_cookies, show_once, take_shown_once,
};
pub use duplicate_submit::{accept_duplicate, accept_duplicate_schedule};
pub use time_of_form::time_of_form;

use crate::server_fns::codec::Refused;
use domain::{
    Actor, DomainError, Services, account::Client, accounts::passkey::localhost_url, error::ValidationError,
    task::RevisionChoice,
};
use http::{
    StatusCode,
    header::{ACCEPT, HOST},
    request::Parts,
    uri::Authority,
};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use std::sync::{Arc, Mutex, PoisonError};

/// The client of the request. The web layer provides it, and the [`Services`], as context to every
/// page and server function.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The logged-in user, if any.
    pub actor: Option<Actor>,
    /// The browser, with its session secret.
    pub client: Client,
    /// Whether cookies are `Secure` and `__Host-`.
    pub is_secure: bool,
    /// Base URL of the server, without trailing slash.
    pub public_url: String,
}

/// Slot in which a server function leaves its error for the web layer. Provided as context to every
/// server function.
#[derive(Clone, Debug, Default)]
pub struct Outcome(pub Arc<Mutex<Option<DomainError>>>);

/// Returns the services of this server.
pub fn services() -> Result<Services, DomainError> {
    use_context().ok_or_else(|| DomainError::Internal { reference: "no services".to_owned() })
}

/// Returns the client of the request.
pub fn caller() -> Result<Caller, DomainError> {
    use_context().ok_or_else(|| DomainError::Internal { reference: "no caller".to_owned() })
}

/// Returns the logged-in user; [`DomainError::LogIn`] without a session.
pub fn actor() -> Result<Actor, DomainError> {
    caller()?.actor.ok_or(DomainError::LogIn)
}

/// Returns the URL under which the browser reached the server, without a path: the public one; or that with `localhost`,
/// if both name this machine.
pub fn browser_url() -> Result<String, DomainError> {
    let public_url = caller()?.public_url;
    let Some(local) = localhost_url(&public_url) else { return Ok(public_url) };
    let host = use_context::<Parts>().and_then(|parts| {
        let host = parts.headers.get(HOST).and_then(|value| value.to_str().ok());
        host.or(parts.uri.authority().map(Authority::as_str)).map(str::to_owned)
    });
    let is_local = host.is_some_and(|host| local.split_once("://").is_some_and(|(_, own)| own == host));
    Ok(if is_local { local } else { public_url })
}

/// Converts the result of a server function. An error also sets the status of the response and is
/// stored for the web layer.
pub fn respond<T>(result: Result<T, DomainError>) -> Result<T, Refused> {
    result.map_err(|refusal| {
        if let Some(response) = use_context::<ResponseOptions>() {
            response.set_status(StatusCode::from_u16(refusal.status()).unwrap_or_default());
        }
        if let Some(outcome) = use_context::<Outcome>() {
            *outcome.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(refusal.clone());
        }
        Refused(refusal)
    })
}

/// Redirects to `path` on this server: by the response without JavaScript, by the router with it.
pub fn redirect(path: &str) {
    leptos_axum::redirect(local_path(path));
}

/// Redirects to the page of the form. Does nothing with JavaScript, because the page is still open.
pub fn redirect_back(from: &str) {
    if is_plain_form() {
        redirect(from);
    }
}

/// Whether the form was submitted without JavaScript.
#[must_use]
pub fn is_plain_form() -> bool {
    use_context::<Parts>().is_some_and(|parts| {
        let accept = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
        accept.is_some_and(|value| value.contains("text/html"))
    })
}

/// Returns the path if it is a path of this server, else `/`.
fn local_path(path: &str) -> &str {
    if is_local_path(path) { path } else { "/" }
}

/// Whether `path` is a path of this server, which no browser could interpret as another host.
/// Prevents open redirects.
#[must_use]
pub fn is_local_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns the user, with the password confirmed if the form has one.
pub async fn confirmed(password: Option<String>) -> Result<Actor, DomainError> {
    let (actor, client) = (actor()?, caller()?.client);
    match password.filter(|password| !password.is_empty()) {
        Some(password) => services()?.sessions.confirm_password(&actor, &password, &client).await,
        None => Ok(actor),
    }
}

/// Converts line endings to `\n`; forms submit `\r\n`.
#[must_use]
pub fn normalize_newlines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The choice of a revision in a form; `None`: it offers none.
pub fn chosen(word: &str) -> Result<Option<RevisionChoice>, DomainError> {
    if word.is_empty() {
        return Ok(None);
    }
    let words = "approved, current".to_owned();
    let problem = |_| DomainError::invalid("revision", ValidationError::NotOneOf { words });
    word.parse().map(Some).map_err(problem)
}
