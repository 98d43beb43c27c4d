//! Cookies: the session, the mark of a known browser, and what is shown once to a browser without JavaScript.

use super::{caller, go, is_plain_form};
use domain::{
    Refusal,
    person::{BrowserMark, LoggedIn},
};
use http::{HeaderName, HeaderValue, header, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use serde::{Serialize, de::DeserializeOwned};

/// Shows `value` once on the page at `path`.
///
/// With JavaScript the answer of the server function carries it, and this does nothing. Without, a cookie that only that
/// page gets, and that lives for a minute, brings it there: an address would stay in the history.
pub fn show_once(name: &str, value: &impl Serialize, path: &str) {
    if !is_plain_form() {
        return;
    }
    go(path);
    let Ok(json) = serde_json::to_vec(value) else { return };
    let hex: String = json.iter().map(|byte| format!("{byte:02x}")).collect();
    let secure = if caller().is_ok_and(|caller| caller.is_secure) { "; Secure" } else { "" };
    _ = set(&format!("once-{name}={hex}; Path={path}; HttpOnly; SameSite=Strict; Max-Age=60{secure}"));
}

/// What [`show_once`] left for this page, and clears it.
pub fn take_once<T: DeserializeOwned>(name: &str) -> Option<T> {
    let parts = use_context::<Parts>()?;
    let wanted = format!("once-{name}=");
    let hex = parts
        .headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(&wanted))?;
    let bytes = bytes_of(hex)?;
    let path = parts.uri.path();
    _ = set(&format!("once-{name}=; Path={path}; HttpOnly; SameSite=Strict; Max-Age=0"));
    serde_json::from_slice(&bytes).ok()
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = hex.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let bytes = digits.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok());
    bytes.collect()
}

/// How long a browser stays known, seconds: no cookie is kept longer than 400 days.
const KNOWN_SECONDS: u32 = 400 * 24 * 3_600;

/// Puts the secret of a fresh session, and the mark of the account, into the visitor's cookies.
pub fn keep_log_in(fresh: &LoggedIn) -> Result<(), Refusal> {
    set_own("sid", &fresh.session.0, "")?;
    let BrowserMark(mark) = &fresh.mark;
    // One for each account: it begins with the account's identity.
    let account = mark.split('.').next().unwrap_or_default();
    set_own(&format!("known-{account}"), mark, &format!("; Max-Age={KNOWN_SECONDS}"))
}

/// Takes the session's cookie away, and the copies of pages that the browser keeps. The mark stays, and so do the texts that
/// this device keeps until the desk has them.
pub fn drop_session() -> Result<(), Refusal> {
    set_own("sid", "", "; Max-Age=0")?;
    let response = use_context::<ResponseOptions>().ok_or_else(broken)?;
    response.insert_header(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
    Ok(())
}

/// What the names of cookies with marks begin with.
#[must_use]
pub fn mark_prefix(is_secure: bool) -> &'static str {
    if is_secure { "__Host-known-" } else { "known-" }
}

/// A cookie that no script reads; `__Host-` and `Secure` where the desk is reached by https.
fn set_own(name: &str, value: &str, more: &str) -> Result<(), Refusal> {
    let (host, secure) = if caller()?.is_secure { ("__Host-", "; Secure") } else { ("", "") };
    set(&format!("{host}{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}"))
}

fn broken() -> Refusal {
    Refusal::Internal { reference: "no cookie".to_owned() }
}

fn set(cookie: &str) -> Result<(), Refusal> {
    let value = HeaderValue::from_str(cookie).map_err(|_| broken())?;
    let response = use_context::<ResponseOptions>().ok_or_else(broken)?;
    response.append_header(header::SET_COOKIE, value);
    Ok(())
}
