//! What is shown once, to a browser without JavaScript.

use super::{caller, go, is_plain_form};
use domain::Refusal;
use http::{HeaderValue, header, request::Parts};
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

fn set(cookie: &str) -> Result<(), Refusal> {
    let internal = || Refusal::Internal { reference: "no cookie".to_owned() };
    let value = HeaderValue::from_str(cookie).map_err(|_| internal())?;
    let response = use_context::<ResponseOptions>().ok_or_else(internal)?;
    response.append_header(header::SET_COOKIE, value);
    Ok(())
}
