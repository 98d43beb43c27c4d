//! Second factors: adding, removing and resetting them, their recovery codes, and the check of a code.

use super::{AccountService, admin_only, password_check};
use crate::{
    security::{tokens, totp},
    services::{internal_error, qr_code},
};
use domain::{
    AccountId, Actor, DomainError, Timestamp,
    account::Account,
    accounts::second_factor::{ADD_WITHIN_MS, NewSecondFactor, RECOVERY_CODES, SecondFactor},
    error::ValidationError,
};
use store::{
    PoolRole, Tx, account,
    event::{self, NewEvent},
    second_factor::{self, SecondFactorRecord},
    session, setting,
};
use unicode_normalization::UnicodeNormalization as _;

/// Length of a recovery code, bytes: 80 bits.
const RECOVERY_CODE_BYTES: usize = 10;
/// Number of characters of a group of a recovery code.
const GROUP_CHARS: usize = 4;

/// What was accepted as a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptedCode {
    /// A code of the app.
    App,
    /// A recovery code, which is used up.
    Recovery,
}

/// Returns the actor's second factor, and a secret that awaits its first code.
pub async fn read(service: &AccountService, actor: &Actor) -> Result<SecondFactor, DomainError> {
    let now = service.parts.clock.now();
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = second_factor::find(lease.conn(), actor.account).await.map_err(internal_error)?;
    let rule = second_factor::rule(lease.conn()).await.map_err(internal_error)?;
    let required_at = rule.enforced_at(actor.role);
    let none = SecondFactor { required_at, ..SecondFactor::default() };
    let Some(factor) = found else { return Ok(none) };
    if let Some(since) = factor.confirmed_at {
        let left = second_factor::count_codes(lease.conn(), actor.account).await.map_err(internal_error)?;
        let recovery_codes = usize::try_from(left).unwrap_or_default();
        return Ok(SecondFactor { since: Some(since.into()), recovery_codes, ..none });
    }
    if !is_young(&factor, now) {
        return Ok(none);
    }
    let person = account::find(lease.conn(), actor.account).await.map_err(internal_error)?;
    let person = person.ok_or(DomainError::LogIn)?;
    let desk = setting::site_settings(lease.conn()).await.map_err(internal_error)?;
    let secret = open(service, actor.account, &factor)?;
    let url = totp::url(&secret, &desk.title, &person.email);
    let new = NewSecondFactor { text: totp::base32(&secret), qr_code: qr_code::svg(&url), url };
    Ok(SecondFactor { new_secret: Some(new), ..none })
}

/// Creates a secret that awaits its first code.
pub async fn create(service: &AccountService, actor: &Actor) -> Result<(), DomainError> {
    let (account, now) = (actor.account, service.parts.clock.now());
    let sealed = service.parts.senders.vault.seal(&place(account), &totp::generate_secret());
    let sealed = sealed.ok_or_else(no_encryption)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    if !second_factor::add(tx.conn(), account, &sealed, now).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    tx.commit().await.map_err(internal_error)
}

/// Adds the second factor with its first code. Returns the recovery codes.
pub async fn add(service: &AccountService, actor: &Actor, code: &str) -> Result<Vec<String>, DomainError> {
    let (account, now) = (actor.account, service.parts.clock.now());
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let found = second_factor::find(tx.conn(), account).await.map_err(internal_error)?;
    let is_new = |factor: &SecondFactorRecord| factor.confirmed_at.is_none() && is_young(factor, now);
    let factor = found.filter(is_new).ok_or(DomainError::Changed)?;
    let secret = open(service, account, &factor)?;
    let step = totp::matching_step(&secret, &plain(code), now, factor.last_step);
    let step = step.ok_or_else(|| DomainError::invalid("code", ValidationError::WrongCode))?;
    let confirmed = second_factor::confirm(tx.conn(), account, &factor.secret, (step, now)).await;
    if !confirmed.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    let codes = replace_codes(&mut tx, account).await?;
    commit(service, tx, (actor, account), "add_second_factor").await?;
    Ok(codes)
}

/// Removes the actor's second factor.
pub async fn remove(service: &AccountService, actor: &Actor) -> Result<(), DomainError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, service.parts.clock.now()).await?;
    if !second_factor::remove(tx.conn(), actor.account).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    commit(service, tx, (actor, actor.account), "remove_second_factor").await
}

/// Replaces the recovery codes.
pub async fn renew_codes(service: &AccountService, actor: &Actor) -> Result<Vec<String>, DomainError> {
    let account = actor.account;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, service.parts.clock.now()).await?;
    // Of two renewals at once, the codes of one stay.
    if !second_factor::lock(tx.conn(), account).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    let codes = replace_codes(&mut tx, account).await?;
    commit(service, tx, (actor, account), "renew_recovery_codes").await?;
    Ok(codes)
}

/// Returns the accounts that have a second factor.
pub async fn accounts(service: &AccountService, actor: &Actor) -> Result<Vec<Account>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let ids = second_factor::accounts(lease.conn()).await.map_err(internal_error)?;
    let people = account::all(lease.conn()).await.map_err(internal_error)?;
    let people = people.into_iter().filter(|person| ids.contains(&person.id));
    people.map(|person| person.try_into().map_err(internal_error)).collect()
}

/// Removes the second factor of an account and ends its sessions.
pub async fn reset(service: &AccountService, actor: &Actor, id: AccountId) -> Result<(), DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, service.parts.clock.now()).await?;
    if !second_factor::remove(tx.conn(), id).await.map_err(internal_error)? {
        return Err(DomainError::no_such("second factor"));
    }
    session::end_all(tx.conn(), id).await.map_err(internal_error)?;
    commit(service, tx, (actor, id), "reset_second_factor").await
}

/// Checks a code of an account and uses it up. `None`: it is wrong or was used already.
pub async fn accept_code(
    service: &AccountService,
    tx: &mut Tx,
    account: AccountId,
    (typed, now): (&str, Timestamp),
) -> Result<Option<AcceptedCode>, DomainError> {
    let typed = plain(typed);
    if typed.len() != totp::CODE_DIGITS {
        let hash = recovery_hash(account, &typed);
        let is_used = second_factor::use_code(tx.conn(), account, &hash).await.map_err(internal_error)?;
        return Ok(is_used.then_some(AcceptedCode::Recovery));
    }
    let found = second_factor::find(tx.conn(), account).await.map_err(internal_error)?;
    let Some(factor) = found.filter(|factor| factor.confirmed_at.is_some()) else { return Ok(None) };
    let secret = open(service, account, &factor)?;
    let Some(step) = totp::matching_step(&secret, &typed, now, factor.last_step) else { return Ok(None) };
    let is_first = second_factor::accept_step(tx.conn(), account, step).await.map_err(internal_error)?;
    Ok(is_first.then_some(AcceptedCode::App))
}

/// Creates recovery codes in place of the earlier ones.
async fn replace_codes(tx: &mut Tx, account: AccountId) -> Result<Vec<String>, DomainError> {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| generate_recovery_code()).collect();
    let hashes: Vec<String> = codes.iter().map(|code| recovery_hash(account, &plain(code))).collect();
    second_factor::replace_codes(tx.conn(), account, &hashes).await.map_err(internal_error)?;
    Ok(codes)
}

/// Generates a recovery code: groups of characters with hyphens.
fn generate_recovery_code() -> String {
    let mut bytes = [0; RECOVERY_CODE_BYTES];
    rand::fill(&mut bytes);
    let text: Vec<char> = totp::base32(&bytes).to_lowercase().chars().collect();
    let groups: Vec<String> = text.chunks(GROUP_CHARS).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// Returns the hash that is stored instead of a recovery code. 80 random bits need no slow hash.
fn recovery_hash(account: AccountId, plain: &str) -> String {
    tokens::hash(&format!("recovery code\n{}\n{plain}", account.0.simple()))
}

/// Returns a typed code without spaces and hyphens, in lower case. Full-width characters are those of an input method.
fn plain(typed: &str) -> String {
    typed.nfkc().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Whether a new secret still awaits its first code.
fn is_young(factor: &SecondFactorRecord, now: Timestamp) -> bool {
    now.since(factor.created_at.into()) < ADD_WITHIN_MS
}

/// Returns the decrypted secret.
fn open(
    service: &AccountService,
    account: AccountId,
    factor: &SecondFactorRecord,
) -> Result<Vec<u8>, DomainError> {
    service.parts.senders.vault.open(&place(account), &factor.secret).ok_or_else(no_encryption)
}

/// Place to which the encrypted secret of an account is bound.
#[must_use]
pub fn place(account: AccountId) -> String {
    format!("second_factor/{}", account.0)
}

fn no_encryption() -> DomainError {
    DomainError::Internal { reference: "second factor".to_owned() }
}

async fn commit(
    service: &AccountService,
    mut tx: Tx,
    (actor, account): (&Actor, AccountId),
    verb: &'static str,
) -> Result<(), DomainError> {
    let event = NewEvent::simple(service.parts.clock.now(), Some(actor.account), "account", account.0, verb);
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_has_80_bits_and_is_read_in_any_spelling() {
        let code = generate_recovery_code();
        assert_eq!((code.len(), plain(&code).len()), (19, 16), "{code}");
        assert_ne!(generate_recovery_code(), code);
        assert_eq!(plain(&format!(" {} ", code.to_uppercase().replace('-', " "))), plain(&code));
        assert_eq!(plain("０４２ ９１７"), "042917", "full-width digits of a Chinese input method");
        let (one, other) = (AccountId::generate(), AccountId::generate());
        assert_ne!(recovery_hash(one, &plain(&code)), recovery_hash(other, &plain(&code)));
    }
}
