//! The result of a form, from its redirect to its page: a signed cookie that is read once.
//!
//! The redirect has only the random id of the cookie. Words in the URL would show the result again after
//! a reload, and in another tab.

use crate::{
    http::{Web, header::header_text::text},
    security::secret_box::SecretBox,
    services::hex,
};
use app::{
    server_fns::result_url::{ID, take_result, with_id},
    ui::result::words::{ResultWords, cookie_prefix, deletion, words_in},
};
use axum::{
    http::{HeaderMap, HeaderValue, header, request::Parts},
    response::Response,
};
use domain::Timestamp;

/// Context of the signature.
const SIGNATURE_CONTEXT: &str = "result";
/// Lifetime of the cookie, seconds.
const LIFETIME_SECONDS: u64 = 120;
/// Maximum number of such cookies in a browser; the oldest go.
const MAX_COOKIES: usize = 8;
/// Maximum length of the words, bytes: a browser drops larger cookies.
const MAX_WORDS: usize = 2_000;
/// Maximum size of all such cookies in a browser, bytes; the oldest go. Proxies refuse requests whose cookies
/// together are larger than 8 KB.
const MAX_BYTES: usize = 4_000;

/// The result in the cookie of a request.
#[derive(Debug)]
pub struct FoundResult {
    /// Its words.
    pub words: ResultWords,
    /// Name of the cookie.
    pub name: String,
}

/// Moves the result that a redirect names into a cookie, and its id into the redirect. `request`: the headers
/// of the request.
pub fn keep(web: &Web, request: &HeaderMap, response: &mut Response) {
    let location = text(response.headers(), &header::LOCATION);
    if !location.starts_with('/') {
        return;
    }
    let (page, words) = take_result(location);
    let words = cookie_text(&words);
    let target = if words.is_empty() || words.len() > MAX_WORDS {
        page
    } else {
        let id = new_id();
        let value = signed(&web.parts.senders.vault, &id, web.parts.clock.now(), &words);
        let is_secure = web.address.is_secure();
        let (prefix, secure) = (cookie_prefix(is_secure), if is_secure { "; Secure" } else { "" });
        let cookie = format!("{prefix}{id}={value}");
        delete_oldest(web, request, cookie.len(), response);
        // Scripts may read it: the router follows a redirect without loading a page.
        let attributes = format!("Path=/; SameSite=Lax; Max-Age={LIFETIME_SECONDS}{secure}");
        set(response, &format!("{cookie}; {attributes}"));
        with_id(&page, &id)
    };
    if let Ok(location) = HeaderValue::try_from(target) {
        response.headers_mut().insert(header::LOCATION, location);
    }
}

/// Finds the result that the URL of a page names. `None`: the URL names none, it was shown already or is too
/// old, or the signature is wrong.
#[must_use]
pub fn find(web: &Web, head: &Parts) -> Option<FoundResult> {
    let mut pairs = head.uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, id) = pairs.find(|(name, _)| *name == ID)?;
    let wanted = format!("{}{id}", cookie_prefix(web.address.is_secure()));
    let (name, value) = cookies(web, &head.headers).into_iter().find(|(name, _)| *name == wanted)?;
    let (written_at, (text, signature)) = (written_at(value)?, value.rsplit_once('.')?);
    // Another node may have written it, whose clock is a little ahead.
    let age = web.parts.clock.now().millis().saturating_sub(written_at).unsigned_abs();
    let vault = &web.parts.senders.vault;
    let is_good = age < LIFETIME_SECONDS * 1_000
        && vault.has_signed(SIGNATURE_CONTEXT, &signed_text(id, text), signature);
    let words = words_in(value).filter(|_| is_good)?;
    Some(FoundResult { words: ResultWords::parse(words), name: name.to_owned() })
}

/// Deletes a cookie of this name in the browser.
pub fn delete(web: &Web, name: &str, response: &mut Response) {
    set(response, &deletion(name, web.address.is_secure()));
}

/// The value of a cookie: its moment, the words and the signature.
#[must_use]
pub fn signed(vault: &SecretBox, id: &str, now: Timestamp, words: &str) -> String {
    let text = format!("{}.{words}", now.millis());
    let signature = vault.sign(SIGNATURE_CONTEXT, &signed_text(id, &text));
    format!("{text}.{signature}")
}

/// The signature covers the id, so that no cookie gets the words of another.
fn signed_text(id: &str, text: &str) -> String {
    format!("{id}\n{text}")
}

/// Makes room for one more cookie of `new` bytes.
fn delete_oldest(web: &Web, request: &HeaderMap, new: usize, response: &mut Response) {
    let mut known: Vec<(i64, &str, usize)> = cookies(web, request)
        .into_iter()
        .map(|(name, value)| (written_at(value).unwrap_or_default(), name, name.len() + 1 + value.len()))
        .collect();
    known.sort_unstable();
    let mut count = known.len() + 1;
    let mut bytes = new + known.iter().map(|(.., bytes)| bytes).sum::<usize>();
    for (_, name, size) in known {
        if count <= MAX_COOKIES && bytes <= MAX_BYTES {
            break;
        }
        delete(web, name, response);
        (count, bytes) = (count - 1, bytes - size);
    }
}

/// The cookies of results in a request: names and values.
fn cookies<'h>(web: &Web, request: &'h HeaderMap) -> Vec<(&'h str, &'h str)> {
    let prefix = cookie_prefix(web.address.is_secure());
    let headers = request.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = headers.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| name.starts_with(prefix)).collect()
}

/// When the cookie with this value was written, in milliseconds.
fn written_at(value: &str) -> Option<i64> {
    value.split('.').next()?.parse().ok()
}

/// A random id of 96 bits.
fn new_id() -> String {
    let mut bytes = [0_u8; 12];
    rand::fill(&mut bytes);
    hex::hex(&bytes)
}

/// Encodes what the value of a cookie may not contain. The words are part of a URL and mean the same
/// afterwards.
fn cookie_text(words: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~%=&+:".contains(&byte);
    words.bytes().fold(String::with_capacity(words.len()), |mut text, byte| {
        if is_plain(byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
        text
    })
}

fn set(response: &mut Response, cookie: &str) {
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::cookie_text;

    #[test]
    fn a_cookie_has_no_separators() {
        assert_eq!(cookie_text("done=a.b&card=x%3Ay"), "done=a.b&card=x%3Ay");
        assert_eq!(cookie_text("done=a;b,\"c\""), "done=a%3Bb%2C%22c%22");
    }
}
