//! Log-ins and confirmations with a passkey. The device has checked the user, so no code is asked for.

use super::{
    challenge::{self, IssuedChallenge, Purpose},
    handle_of, wrong,
};
use crate::{
    accounts::{
        AccountService, known_browser,
        log_in::{begin_after_log_in, browser_of, event_of, rate_limit::PasswordAttempt},
    },
    security::webauthn::Expected,
    services::internal_error,
};
use domain::{
    AccountId, Actor, DomainError, Timestamp,
    account::{Client, LoggedIn},
    accounts::passkey::{PasskeyAnswer, PasskeyBrowser, PasskeyChallenge},
};
use store::{
    PoolRole, Tx,
    account::{self, AccountRecord},
    event,
    passkey::{self, PasskeyKey},
    session,
};
use uuid::Uuid;

/// Maximum length of the id of a key, base64url: that of 1,023 bytes.
const MAX_CREDENTIAL_CHARS: usize = 1_364;

/// Logs in with a passkey.
pub async fn log_in(
    service: &AccountService,
    browser: &PasskeyBrowser,
    answer: &PasskeyAnswer,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let attempt = PasswordAttempt::for_passkey(&client.address);
    attempt.take(service).await?;
    let issued = challenge::read(service, (Purpose::LogIn, None), browser)?;
    let now = service.parts.clock.now();
    let (key, person) = find(service, answer).await?;
    let counter = key.as_ref().and_then(|key| checked(&issued, answer, key));
    let aimed_at = key.as_ref().map_or(Uuid::nil(), |key| key.account_id);
    let (Some(key), Some(person), Some(counter)) = (key, person, counter) else {
        return refuse(service, aimed_at, client).await;
    };
    let known = browser_of(service, &person, client);
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    accept(&mut tx, &issued, (&key, counter), now).await?;
    attempt.refund(tx.conn()).await.map_err(internal_error)?;
    let account = AccountId(person.id);
    let begun = begin_after_log_in(&mut tx, account, (client, known), now).await;
    let (session, events) = begun.map_err(internal_error)?;
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    let hash = person.password_hash.unwrap_or_default();
    let known_browser = known_browser::mark(service, account, &hash, known);
    Ok(LoggedIn { session, known_browser, is_persistent: client.stays_logged_in })
}

/// Asks for a passkey of the actor.
pub async fn begin_confirmation(
    service: &AccountService,
    actor: &Actor,
    url: &str,
) -> Result<PasskeyChallenge, DomainError> {
    let mut issued = challenge::issue(service, (Purpose::Confirm, Some(actor.account)), url)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    issued.request.known = passkey::credentials(lease.conn(), actor.account).await.map_err(internal_error)?;
    Ok(issued)
}

/// Records that the actor answered with a passkey in this session.
pub async fn confirm(
    service: &AccountService,
    actor: &Actor,
    browser: &PasskeyBrowser,
    answer: &PasskeyAnswer,
) -> Result<(), DomainError> {
    let session = actor.session.as_ref().ok_or(DomainError::LogIn)?;
    let issued = challenge::read(service, (Purpose::Confirm, Some(actor.account)), browser)?;
    let now = service.parts.clock.now();
    let (key, _) = find(service, answer).await?;
    let key = key.filter(|key| key.account_id == actor.account.0).ok_or_else(wrong)?;
    let counter = checked(&issued, answer, &key).ok_or_else(wrong)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    accept(&mut tx, &issued, (&key, counter), now).await?;
    session::record_password_entry(tx.conn(), &session.hash, now).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)
}

/// Returns the passkey of an answer, and its enabled account.
async fn find(
    service: &AccountService,
    answer: &PasskeyAnswer,
) -> Result<(Option<PasskeyKey>, Option<AccountRecord>), DomainError> {
    if !is_id(&answer.credential) {
        return Ok((None, None));
    }
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let key = passkey::find(lease.conn(), &answer.credential).await.map_err(internal_error)?;
    let Some(key) = key else { return Ok((None, None)) };
    let person = account::find(lease.conn(), AccountId(key.account_id)).await.map_err(internal_error)?;
    Ok((Some(key), person.filter(|person| person.is_disabled == 0)))
}

/// Whether a text can be the id of a key: PostgreSQL refuses others, such as `\0`.
fn is_id(credential: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    credential.len() <= MAX_CREDENTIAL_CHARS && credential.bytes().all(is_letter)
}

/// Returns the counter of the device if the owner of this key answered. The account that the device stored must be that
/// of the key; a device that stored none has only keys that were asked for by id.
fn checked(issued: &IssuedChallenge, answer: &PasskeyAnswer, key: &PasskeyKey) -> Option<i64> {
    let is_own = answer.handle.is_empty() || answer.handle == handle_of(AccountId(key.account_id));
    let expected = Expected { challenge: &issued.challenge, site: &issued.site };
    let counter = expected.answered(answer, &key.public_key).map(i64::from);
    let is_later = |counter: &i64| *counter > key.counter || (*counter == 0 && key.counter == 0);
    counter.filter(is_later).filter(|_| is_own)
}

/// Uses up the challenge, and records the use of the key. A counter that is not later is a copy of the key, or an answer
/// that arrived twice.
async fn accept(
    tx: &mut Tx,
    issued: &IssuedChallenge,
    (key, counter): (&PasskeyKey, i64),
    now: Timestamp,
) -> Result<(), DomainError> {
    // Before the passkey, as the changes of an account that remove it.
    let account = AccountId(key.account_id);
    if !account::lock_enabled(tx.conn(), account).await.map_err(internal_error)? {
        return Err(wrong());
    }
    challenge::accept(tx, issued).await?;
    let is_used = passkey::record_use(tx.conn(), key.id, counter, now).await.map_err(internal_error)?;
    if is_used { Ok(()) } else { Err(wrong()) }
}

/// Records a log-in that failed.
async fn refuse<T>(service: &AccountService, aimed_at: Uuid, client: &Client) -> Result<T, DomainError> {
    let event = event_of(service.parts.clock.now(), None, aimed_at, "fail_log_in", Some(&client.address));
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Err(wrong())
}
