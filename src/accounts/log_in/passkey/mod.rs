//! Passkeys of accounts: listing, adding and removing them, and turning the password off.

pub mod api;
mod challenge;
mod log_in;
mod reset;

use crate::{
    accounts::{AccountService, checked_name, password_check},
    security::webauthn::Expected,
    services::internal_error,
};
use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use challenge::Purpose;
use domain::{
    AccountId, Actor, DomainError, PasskeyId,
    account::{Account, Client, LoggedIn},
    accounts::passkey::{
        Confirmations, MAX_PASSKEYS, NewPasskey, OwnPasskeys, PasskeyAccount, PasskeyAnswer, PasskeyBrowser,
        PasskeyChallenge, PasskeySite, Passkeys, localhost_url,
    },
    error::ValidationError,
};
use serde_json::json;
use store::{
    PoolRole, Tx, account,
    event::{self, NewEvent},
    passkey::{self, NewPasskeyRecord},
    second_factor,
};

async fn own(service: &AccountService, actor: &Actor, url: &str) -> Result<OwnPasskeys, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let items = passkey::list(lease.conn(), actor.account).await.map_err(internal_error)?;
    let is_password_off =
        passkey::is_password_off(lease.conn(), actor.account).await.map_err(internal_error)?;
    let is_possible = PasskeySite::of(url).is_some();
    Ok(OwnPasskeys { items, is_password_off, is_possible, localhost_url: localhost_url(url) })
}

/// Asks for a new passkey.
async fn begin_adding(
    service: &AccountService,
    actor: &Actor,
    url: &str,
) -> Result<PasskeyChallenge, DomainError> {
    let now = service.parts.clock.now();
    let mut issued = challenge::issue(service, (Purpose::Add, Some(actor.account)), url)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let person = account::find(tx.conn(), actor.account).await.map_err(internal_error)?;
    let known = passkey::credentials(tx.conn(), actor.account).await.map_err(internal_error)?;
    tx.rollback().await.map_err(internal_error)?;
    let person = person.ok_or(DomainError::LogIn)?;
    let handle = handle_of(actor.account);
    issued.request.account = Some(PasskeyAccount { handle, email: person.email, name: person.name });
    issued.request.known = known;
    Ok(issued)
}

/// The id of an account as its devices store it.
fn handle_of(account: AccountId) -> String {
    URL_SAFE_NO_PAD.encode(account.0.as_bytes())
}

/// The refusal of an answer that does not fit.
fn wrong() -> DomainError {
    DomainError::invalid("passkey", ValidationError::WrongPasskey)
}

async fn add(
    service: &AccountService,
    actor: &Actor,
    browser: &PasskeyBrowser,
    new: &NewPasskey,
) -> Result<(), DomainError> {
    let (account, now) = (actor.account, service.parts.clock.now());
    let name = checked_name("name", &new.name)?;
    let issued = challenge::read(service, (Purpose::Add, Some(account)), browser)?;
    let expected = Expected { challenge: &issued.challenge, site: &issued.site };
    let counter = expected.created(new).ok_or_else(wrong)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    passkey::lock(tx.conn(), account).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    challenge::accept(&mut tx, &issued).await?;
    let known = passkey::credentials(tx.conn(), account).await.map_err(internal_error)?;
    if known.len() >= MAX_PASSKEYS {
        let max = u32::try_from(MAX_PASSKEYS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("passkey", ValidationError::TooMany { max }));
    }
    let (credential, public_key) = (new.credential.as_str(), new.public_key.as_str());
    let counter = i64::from(counter);
    let record = NewPasskeyRecord { account, credential, public_key, name: &name, counter, at: now };
    match passkey::insert(tx.conn(), record).await {
        Err(error) if error.is_unique_violation() => return Err(wrong()),
        done => done.map_err(internal_error)?,
    }
    let event = NewEvent::simple(now, Some(account), "account", account.0, "add_passkey");
    commit(service, tx, &[NewEvent { detail: json!({ "name": name }).to_string(), ..event }]).await
}

async fn remove(service: &AccountService, actor: &Actor, id: PasskeyId) -> Result<(), DomainError> {
    let (account, now) = (actor.account, service.parts.clock.now());
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    passkey::lock(tx.conn(), account).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let name = passkey::remove(tx.conn(), account, id).await.map_err(internal_error)?;
    let name = name.ok_or_else(|| DomainError::no_such("passkey"))?;
    let is_on =
        passkey::turn_password_on_without_passkey(tx.conn(), account).await.map_err(internal_error)?;
    let event = NewEvent::simple(now, Some(account), "account", account.0, "remove_passkey");
    let mut events = vec![NewEvent { detail: json!({ "name": name }).to_string(), ..event }];
    if is_on {
        events.push(NewEvent::simple(now, Some(account), "account", account.0, "turn_password_on"));
    }
    commit(service, tx, &events).await
}

async fn turn_password_off(service: &AccountService, actor: &Actor, is_off: bool) -> Result<(), DomainError> {
    let (account, now) = (actor.account, service.parts.clock.now());
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    passkey::lock(tx.conn(), account).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let (changed, verb) = if is_off {
        second_factor::end_pending(tx.conn(), account).await.map_err(internal_error)?;
        (passkey::turn_password_off(tx.conn(), account, now).await, "turn_password_off")
    } else {
        (passkey::turn_password_on(tx.conn(), account).await, "turn_password_on")
    };
    if !changed.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    commit(service, tx, &[NewEvent::simple(now, Some(account), "account", account.0, verb)]).await
}

async fn confirmations(service: &AccountService, actor: &Actor) -> Result<Confirmations, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    passkey::confirmations(lease.conn(), actor.account).await.map_err(internal_error)
}

async fn commit(service: &AccountService, mut tx: Tx, events: &[NewEvent]) -> Result<(), DomainError> {
    event::append(tx.conn(), events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

#[async_trait]
impl Passkeys for AccountService {
    async fn passkeys(&self, actor: &Actor, url: &str) -> Result<OwnPasskeys, DomainError> {
        own(self, actor, url).await
    }
    async fn confirmations(&self, actor: &Actor) -> Result<Confirmations, DomainError> {
        confirmations(self, actor).await
    }
    async fn begin_adding_passkey(&self, actor: &Actor, url: &str) -> Result<PasskeyChallenge, DomainError> {
        begin_adding(self, actor, url).await
    }
    async fn add_passkey(
        &self,
        actor: &Actor,
        browser: &PasskeyBrowser,
        new: NewPasskey,
    ) -> Result<(), DomainError> {
        add(self, actor, browser, &new).await
    }
    async fn remove_passkey(&self, actor: &Actor, id: PasskeyId) -> Result<(), DomainError> {
        remove(self, actor, id).await
    }
    async fn turn_password_off(&self, actor: &Actor, is_off: bool) -> Result<(), DomainError> {
        turn_password_off(self, actor, is_off).await
    }
    async fn begin_passkey_log_in(&self, url: &str) -> Result<PasskeyChallenge, DomainError> {
        challenge::issue(self, (Purpose::LogIn, None), url)
    }
    async fn log_in_with_passkey(
        &self,
        browser: &PasskeyBrowser,
        answer: &PasskeyAnswer,
        client: &Client,
    ) -> Result<LoggedIn, DomainError> {
        log_in::log_in(self, browser, answer, client).await
    }
    async fn begin_passkey_confirmation(
        &self,
        actor: &Actor,
        url: &str,
    ) -> Result<PasskeyChallenge, DomainError> {
        log_in::begin_confirmation(self, actor, url).await
    }
    async fn confirm_with_passkey(
        &self,
        actor: &Actor,
        browser: &PasskeyBrowser,
        answer: &PasskeyAnswer,
    ) -> Result<(), DomainError> {
        log_in::confirm(self, actor, browser, answer).await
    }
    async fn accounts_with_passkeys(&self, actor: &Actor) -> Result<Vec<Account>, DomainError> {
        reset::accounts(self, actor).await
    }
    async fn reset_passkeys(&self, actor: &Actor, id: AccountId) -> Result<(), DomainError> {
        reset::reset(self, actor, id).await
    }
}
