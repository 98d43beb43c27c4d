//! Browsers in which an account has logged in. Each has a signed cookie and its own rate limit for
//! passwords, so that an attacker cannot lock the owner out.
//!
//! The signature covers the password hash: a new password invalidates all such cookies of the
//! account.

use crate::{accounts::AccountService, security::tokens};
use domain::{AccountId, account::KnownBrowserCookie};
use uuid::Uuid;

/// Lifetime of the cookie, milliseconds. Browsers keep cookies for at most 400 days.
const COOKIE_LIFETIME_MS: i64 = 400 * 24 * 3_600_000;
/// Context of the signature.
const SIGNATURE_CONTEXT: &str = "known browser";
/// Maximum number of cookies checked in one request.
const MAX_COOKIES_CHECKED: usize = 8;

/// Returns the id of the browser if it has a valid cookie of this account.
pub fn find(
    service: &AccountService,
    person: AccountId,
    password_hash: &str,
    marks: &[KnownBrowserCookie],
) -> Option<Uuid> {
    let now = service.parts.clock.now().millis();
    marks.iter().take(MAX_COOKIES_CHECKED).find_map(|KnownBrowserCookie(mark)| {
        let (text, signature) = mark.rsplit_once('.')?;
        let mut parts = text.split('.');
        let (owner, browser, at) = (parts.next()?, parts.next()?, parts.next()?);
        let is_theirs = owner == person.0.simple().to_string() && parts.next().is_none();
        let is_young = (0..COOKIE_LIFETIME_MS).contains(&(now - at.parse::<i64>().ok()?));
        let is_good = is_theirs
            && is_young
            && service.parts.senders.vault.has_signed(
                SIGNATURE_CONTEXT,
                &signed_text(text, password_hash),
                signature,
            );
        if is_good { Uuid::try_parse(browser).ok() } else { None }
    })
}

/// Creates a cookie for this browser. Keeps its id if it has one.
pub fn mark(
    service: &AccountService,
    person: AccountId,
    password_hash: &str,
    browser: Option<Uuid>,
) -> KnownBrowserCookie {
    let browser = browser.unwrap_or_else(Uuid::new_v4);
    let text = format!("{}.{}.{}", person.0.simple(), browser.simple(), service.parts.clock.now().millis());
    let signature = service.parts.senders.vault.sign(SIGNATURE_CONTEXT, &signed_text(&text, password_hash));
    KnownBrowserCookie(format!("{text}.{signature}"))
}

fn signed_text(text: &str, password_hash: &str) -> String {
    format!("{text}\n{}", tokens::hash(password_hash))
}
