//! Challenges: a signed cookie binds each one to the browser that asked for it, to what it is for, and to its
//! account. Only those that were answered are stored, so that asking for them costs no space.

use super::wrong;
use crate::{accounts::AccountService, security::tokens, services::internal_error};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    AccountId, DomainError, Timestamp,
    accounts::passkey::{CHALLENGE_WITHIN_MS, PasskeyBrowser, PasskeyChallenge, PasskeyRequest, PasskeySite},
    error::ValidationError,
};
use ring::digest::{SHA256, digest};
use store::{Tx, passkey};

/// Context of the signature.
const SIGNATURE_CONTEXT: &str = "passkey challenge";

/// What a challenge is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Adding a passkey.
    Add,
    /// Logging in.
    LogIn,
    /// Confirming who uses a session.
    Confirm,
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::LogIn => "log_in",
            Self::Confirm => "confirm",
        }
    }
}

/// A challenge that a browser answers.
#[derive(Debug)]
pub struct IssuedChallenge {
    /// The challenge, base64url.
    pub challenge: String,
    /// The site where it must be answered.
    pub site: PasskeySite,
    expires_at: Timestamp,
}

/// Creates a challenge. `account`: the only one that may answer it.
pub fn issue(
    service: &AccountService,
    (purpose, account): (Purpose, Option<AccountId>),
    url: &str,
) -> Result<PasskeyChallenge, DomainError> {
    let site = site_of(url)?;
    let expires_at = service.parts.clock.now().plus(CHALLENGE_WITHIN_MS);
    let text = format!("{}.{}", tokens::generate_secret(), expires_at.millis());
    let signed = signed_text(&text, (purpose, account), &site);
    let signature = service.parts.senders.vault.sign(SIGNATURE_CONTEXT, &signed);
    let cookie = format!("{text}.{signature}");
    let challenge = challenge_of(&cookie);
    let request = PasskeyRequest {
        challenge,
        host: site.host,
        timeout_ms: CHALLENGE_WITHIN_MS,
        known: Vec::new(),
        account: None,
    };
    Ok(PasskeyChallenge { request, cookie })
}

/// Returns the challenge that this browser was given for this purpose and account.
pub fn read(
    service: &AccountService,
    (purpose, account): (Purpose, Option<AccountId>),
    browser: &PasskeyBrowser,
) -> Result<IssuedChallenge, DomainError> {
    let site = site_of(&browser.url)?;
    let (text, signature) = browser.cookie.rsplit_once('.').ok_or_else(wrong)?;
    let signed = signed_text(text, (purpose, account), &site);
    let is_own = service.parts.senders.vault.has_signed(SIGNATURE_CONTEXT, &signed, signature);
    let expires_at = text.rsplit_once('.').and_then(|(_, millis)| millis.parse().ok());
    let expires_at = expires_at.map(Timestamp::from_millis).ok_or_else(wrong)?;
    if !is_own || expires_at <= service.parts.clock.now() {
        return Err(wrong());
    }
    Ok(IssuedChallenge { challenge: challenge_of(&browser.cookie), site, expires_at })
}

/// Records that a challenge is answered; refuses the second answer.
pub async fn accept(tx: &mut Tx, issued: &IssuedChallenge) -> Result<(), DomainError> {
    let is_first = passkey::use_challenge(tx.conn(), &issued.challenge, issued.expires_at).await;
    if is_first.map_err(internal_error)? { Ok(()) } else { Err(wrong()) }
}

fn site_of(url: &str) -> Result<PasskeySite, DomainError> {
    PasskeySite::of(url).ok_or_else(|| DomainError::invalid("passkey", ValidationError::NoPasskeySite))
}

/// The challenge of a cookie: its hash, which a page may show.
fn challenge_of(cookie: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, cookie.as_bytes()))
}

fn signed_text(text: &str, (purpose, account): (Purpose, Option<AccountId>), site: &PasskeySite) -> String {
    let account = account.map(|account| account.0.simple().to_string()).unwrap_or_default();
    format!("{text}\n{}\n{account}\n{}", purpose.word(), site.origin)
}
