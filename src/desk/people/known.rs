//! Browsers in which an account has logged in: each carries a signed mark and has tries at the password of its own, so that
//! strangers cannot keep its owner out.
//!
//! A mark is signed together with the hash of the password: another password makes all marks of the account worthless.

use super::PeopleDesk;
use crate::secret;
use domain::{PersonId, person::BrowserMark};
use uuid::Uuid;

/// How long a mark is good, milliseconds: browsers keep no cookie longer than 400 days.
const AGE_MS: i64 = 400 * 24 * 3_600_000;
/// What marks are signed as.
const PLACE: &str = "known browser";
/// Most marks of one request that are looked at.
const MARKS: usize = 8;

/// The identity of the browser, if it carries a good mark of this person.
pub fn find(desk: &PeopleDesk, person: PersonId, password_hash: &str, marks: &[BrowserMark]) -> Option<Uuid> {
    let now = desk.parts.clock.now().millis();
    marks.iter().take(MARKS).find_map(|BrowserMark(mark)| {
        let (text, signature) = mark.rsplit_once('.')?;
        let mut parts = text.split('.');
        let (owner, browser, at) = (parts.next()?, parts.next()?, parts.next()?);
        let is_theirs = owner == person.0.simple().to_string() && parts.next().is_none();
        let is_young = (0..AGE_MS).contains(&(now - at.parse::<i64>().ok()?));
        let is_good = is_theirs
            && is_young
            && desk.parts.ways.vault.has_signed(PLACE, &signed(text, password_hash), signature);
        if is_good { Uuid::try_parse(browser).ok() } else { None }
    })
}

/// A fresh mark for this browser, with its identity where it has one already.
pub fn mark(desk: &PeopleDesk, person: PersonId, password_hash: &str, browser: Option<Uuid>) -> BrowserMark {
    let browser = browser.unwrap_or_else(Uuid::new_v4);
    let text = format!("{}.{}.{}", person.0.simple(), browser.simple(), desk.parts.clock.now().millis());
    let signature = desk.parts.ways.vault.sign(PLACE, &signed(&text, password_hash));
    BrowserMark(format!("{text}.{signature}"))
}

fn signed(text: &str, password_hash: &str) -> String {
    format!("{text}\n{}", secret::hash(password_hash))
}
