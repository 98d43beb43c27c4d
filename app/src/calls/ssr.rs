//! What the server hands to pages and server functions. The only place that is compiled for the server alone.

mod calm;
mod cookie;
mod fault;
mod held;
mod notices;
mod text;

pub use calm::{calm, calm_schedule};
pub use cookie::{drop_session, keep_log_in, mark_prefix, show_once, take_once};
pub use fault::say;
pub use held::why_held;
pub use notices::notices;
pub use text::{editor_path, moment_path, plain_lines, saved};

use super::Refused;
use crate::form::Outcome;
use domain::{Actor, Desk, Refusal, person::Client};
use http::{StatusCode, header::ACCEPT, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use std::sync::PoisonError;

/// Who sent the request. The web layer provides it, and the [`Desk`], as context to every page and server function.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who is logged in, if somebody is.
    pub actor: Option<Actor>,
    /// Their browser, with the secret of the session.
    pub client: Client,
    /// Whether cookies are `Secure` and `__Host-`.
    pub is_secure: bool,
    /// Where the desk is reached, without a slash at its end.
    pub public_url: String,
}

/// The desk of this server.
pub fn desk() -> Result<Desk, Refusal> {
    use_context().ok_or_else(|| Refusal::Internal { reference: "no desk".to_owned() })
}

/// Who sent the request.
pub fn caller() -> Result<Caller, Refusal> {
    use_context().ok_or_else(|| Refusal::Internal { reference: "no caller".to_owned() })
}

/// Who is logged in; `LogIn` if nobody is.
pub fn actor() -> Result<Actor, Refusal> {
    caller()?.actor.ok_or(Refusal::LogIn)
}

/// The answer of a server function: a refusal is also left for the web layer and becomes the status of the response.
pub fn answer<T>(result: Result<T, Refusal>) -> Result<T, Refused> {
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

/// Sends the visitor to `path` of this desk: at once without JavaScript, through the router with it.
pub fn go(path: &str) {
    leptos_axum::redirect(local(path));
}

/// Sends the visitor back to the page the form stood on. With JavaScript they never left it: nothing happens.
pub fn go_back(from: &str) {
    if is_plain_form() {
        go(from);
    }
}

/// Whether a browser without JavaScript sent the form.
#[must_use]
pub fn is_plain_form() -> bool {
    use_context::<Parts>().is_some_and(|parts| {
        let accept = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
        accept.is_some_and(|value| value.contains("text/html"))
    })
}

/// The path if it leads to this desk, else `/`: a form cannot send anybody away.
fn local(path: &str) -> &str {
    let is_local = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.bytes().all(|byte| byte.is_ascii_graphic());
    if is_local { path } else { "/" }
}

/// The actor with a password just entered, where the form holds one; as they came where it holds none.
pub async fn confirmed(password: Option<String>) -> Result<Actor, Refusal> {
    let (actor, client) = (actor()?, caller()?.client);
    match password.filter(|password| !password.is_empty()) {
        Some(password) => desk()?.people.confirm_password(&actor, &password, &client).await,
        None => Ok(actor),
    }
}
