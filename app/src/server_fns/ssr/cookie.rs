//! Cookies: session, known browser, and values shown once without JavaScript.

use super::{browser_url, caller, is_plain_form, redirect};
use domain::{
    DomainError,
    account::{KnownBrowserCookie, LoggedIn, PERSISTENT_SESSION_DAYS},
    accounts::passkey::{CHALLENGE_WITHIN_MS, PasskeyBrowser},
};
use http::{HeaderName, HeaderValue, header, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use serde::{Serialize, de::DeserializeOwned};

/// Shows `value` once on the page at `path`.
///
/// With JavaScript, the response of the server function carries it, and this does nothing. Without,
/// a cookie carries it that is limited to this path and to one minute. A URL would stay in the
/// history.
pub fn show_once(name: &str, value: &impl Serialize, path: &str) {
    if !is_plain_form() {
        return;
    }
    redirect(path);
    let Ok(json) = serde_json::to_vec(value) else { return };
    let hex: String = json.iter().map(|byte| format!("{byte:02x}")).collect();
    let secure = if caller().is_ok_and(|caller| caller.is_secure) { "; Secure" } else { "" };
    _ = append_cookie(&format!(
        "once-{name}={hex}; Path={path}; HttpOnly; SameSite=Strict; Max-Age=60{secure}"
    ));
}

/// Returns the value that [`show_once`] left for this page, and deletes it.
pub fn take_shown_once<T: DeserializeOwned>(name: &str) -> Option<T> {
    let parts = use_context::<Parts>()?;
    let bytes = bytes_of(cookie_of(&parts, &format!("once-{name}"))?)?;
    let path = parts.uri.path();
    _ = append_cookie(&format!("once-{name}=; Path={path}; HttpOnly; SameSite=Strict; Max-Age=0"));
    serde_json::from_slice(&bytes).ok()
}

/// Returns the value of a cookie of the request.
fn cookie_of<'a>(parts: &'a Parts, name: &str) -> Option<&'a str> {
    let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = hex.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let bytes = digits.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok());
    bytes.collect()
}

/// Lifetime of the known-browser cookie, in seconds: browsers keep no cookie longer than 400 days.
const KNOWN_BROWSER_SECONDS: u32 = 400 * 24 * 3_600;

/// Lifetime of the session cookie if the user chose to stay logged in, in seconds.
const PERSISTENT_SESSION_SECONDS: u32 = PERSISTENT_SESSION_DAYS * 24 * 3_600;

/// Sets the cookies of a new session and of the known browser.
pub fn set_session_cookies(login: &LoggedIn) -> Result<(), DomainError> {
    let is_secure = caller()?.is_secure;
    session_cookies(login, is_secure).iter().try_for_each(|cookie| append_cookie(cookie))
}

/// Returns the cookies of a new session and of the known browser. `is_secure`: the server is reached by HTTPS.
#[must_use]
pub fn session_cookies(login: &LoggedIn, is_secure: bool) -> [String; 2] {
    // Without a lifetime, the browser deletes the cookie when it is closed.
    let lifetime =
        if login.is_persistent { format!("; Max-Age={PERSISTENT_SESSION_SECONDS}") } else { String::new() };
    let KnownBrowserCookie(mark) = &login.known_browser;
    // One cookie per account: the value begins with the account's id.
    let account = mark.split('.').next().unwrap_or_default();
    let known = format!("; Max-Age={KNOWN_BROWSER_SECONDS}");
    [
        host_cookie("sid", &login.session.0, &lifetime, is_secure),
        host_cookie(&format!("known-{account}"), mark, &known, is_secure),
    ]
}

/// Name of the cookie that binds a challenge of a passkey to this browser.
const PASSKEY_COOKIE: &str = "passkey";

/// Sets the cookie of a challenge of a passkey.
pub fn set_passkey_cookie(value: &str) -> Result<(), DomainError> {
    set_host_cookie(PASSKEY_COOKIE, value, &format!("; Max-Age={}", CHALLENGE_WITHIN_MS / 1_000))
}

/// Returns the URL and the cookie with which this browser answers a challenge, and deletes the cookie.
pub fn passkey_browser() -> Result<PasskeyBrowser, DomainError> {
    let name = if caller()?.is_secure { "__Host-passkey" } else { PASSKEY_COOKIE };
    let cookie = use_context::<Parts>().and_then(|parts| cookie_of(&parts, name).map(str::to_owned));
    set_host_cookie(PASSKEY_COOKIE, "", "; Max-Age=0")?;
    Ok(PasskeyBrowser { url: browser_url()?, cookie: cookie.unwrap_or_default() })
}

/// Deletes the session cookie and the browser's cached pages. The known-browser cookie and unsaved
/// texts on this device stay.
pub fn clear_session_cookie() -> Result<(), DomainError> {
    set_host_cookie("sid", "", "; Max-Age=0")?;
    let response = use_context::<ResponseOptions>().ok_or_else(no_response_context)?;
    response.insert_header(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
    Ok(())
}

/// Prefix of the names of known-browser cookies.
#[must_use]
pub fn mark_prefix(is_secure: bool) -> &'static str {
    if is_secure { "__Host-known-" } else { "known-" }
}

/// Returns a cookie that scripts cannot read; `__Host-` and `Secure` if the server is reached by
/// HTTPS.
#[must_use]
pub fn host_cookie(name: &str, value: &str, more: &str, is_secure: bool) -> String {
    let (host, secure) = if is_secure { ("__Host-", "; Secure") } else { ("", "") };
    format!("{host}{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}")
}

/// Sets a cookie that scripts cannot read.
fn set_host_cookie(name: &str, value: &str, more: &str) -> Result<(), DomainError> {
    append_cookie(&host_cookie(name, value, more, caller()?.is_secure))
}

fn no_response_context() -> DomainError {
    DomainError::Internal { reference: "no cookie".to_owned() }
}

fn append_cookie(cookie: &str) -> Result<(), DomainError> {
    let value = HeaderValue::from_str(cookie).map_err(|_| no_response_context())?;
    let response = use_context::<ResponseOptions>().ok_or_else(no_response_context)?;
    response.append_header(header::SET_COOKIE, value);
    Ok(())
}
