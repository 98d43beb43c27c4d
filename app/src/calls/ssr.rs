//! What the server hands to pages and server functions. The only place that is compiled for the server alone.

mod calm;
mod cookie;
mod fault;
mod held;
mod notices;
mod text;

pub use calm::{calm, calm_schedule};
pub use cookie::{show_once, take_once};
pub use fault::say;
pub use held::why_held;
pub use notices::notices;
pub use text::{editor_path, moment_path, plain_lines, saved};

use super::Refused;
use crate::form::Outcome;
use domain::{Actor, Desk, Refusal, person::SessionSecret};
use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT, SET_COOKIE},
    request::Parts,
};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use std::sync::PoisonError;

/// Who sent the request. The web layer provides it, and the [`Desk`], as context to every page and server function.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who is logged in, if somebody is.
    pub actor: Option<Actor>,
    /// The session's secret, for ending it.
    pub session: Option<SessionSecret>,
    /// Address they come from.
    pub address: String,
    /// How their browser introduces itself.
    pub agent: String,
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

/// Puts the secret of a fresh session into the visitor's cookie.
pub fn keep_session(secret: &SessionSecret) -> Result<(), Refusal> {
    set_cookie(&secret.0, "")
}

/// Takes the session's cookie away.
pub fn drop_session() -> Result<(), Refusal> {
    set_cookie("", "; Max-Age=0")
}

/// `__Host-sid` where the desk is reached by https, else `sid`.
fn set_cookie(value: &str, more: &str) -> Result<(), Refusal> {
    let (name, secure) = if caller()?.is_secure { ("__Host-sid", "; Secure") } else { ("sid", "") };
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}");
    let broken = || Refusal::Internal { reference: "cookie".to_owned() };
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| broken())?;
    let response: ResponseOptions = use_context().ok_or_else(broken)?;
    response.append_header(SET_COOKIE, cookie);
    Ok(())
}
