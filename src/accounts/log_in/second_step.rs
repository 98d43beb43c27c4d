//! The second step of a log-in: the code of a second factor. Until then there is no session, only a pending log-in.

use super::{begin_after_log_in, browser_of, event_of, rate_limit::PasswordAttempt};
use crate::{
    accounts::{
        AccountService, known_browser,
        second_factor::{self, AcceptedCode},
    },
    security::tokens,
    services::internal_error,
};
use domain::{
    AccountId, DomainError, Timestamp,
    account::{Client, LoggedIn},
    accounts::second_factor::{CODE_WITHIN_MS, MAX_CODE_TRIES},
    error::ValidationError,
};
use store::{
    PoolRole, StoreError, Tx,
    account::{self, AccountRecord},
    event::{self, NewEvent},
    second_factor::{self as stored, NewPendingLogIn},
    sign_in_attempt,
};

/// Returns the refusal that asks for a code; `None`: the account has no second factor. `WrongLogIn` if the password,
/// which had this hash, was changed in the meantime.
pub async fn ask(
    service: &AccountService,
    (account, hash): (AccountId, &str),
    client: &Client,
) -> Result<Option<DomainError>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let factor = stored::find(lease.conn(), account).await.map_err(internal_error)?;
    drop(lease);
    if factor.is_none_or(|factor| factor.confirmed_at.is_none()) {
        return Ok(None);
    }
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if !account::lock_password(tx.conn(), account, hash).await.map_err(internal_error)? {
        return Err(DomainError::WrongLogIn);
    }
    let code_needed =
        ask_in(&mut tx, account, client, service.parts.clock.now()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    Ok(code_needed)
}

/// The same inside of a transaction.
pub async fn ask_in(
    tx: &mut Tx,
    account: AccountId,
    client: &Client,
    now: Timestamp,
) -> Result<Option<DomainError>, StoreError> {
    let factor = stored::find(tx.conn(), account).await?;
    if factor.is_none_or(|factor| factor.confirmed_at.is_none()) {
        return Ok(None);
    }
    let token = tokens::generate_secret();
    let pending = NewPendingLogIn {
        token_hash: &tokens::hash(&token),
        account,
        is_persistent: client.stays_logged_in,
        tries: MAX_CODE_TRIES,
        expires_at: now.plus(CODE_WITHIN_MS),
    };
    stored::insert_pending(tx.conn(), pending).await?;
    Ok(Some(DomainError::CodeNeeded { token }))
}

/// Completes a log-in with a code of the app or a recovery code.
pub async fn complete(
    service: &AccountService,
    token: &str,
    code: &str,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let token_hash = tokens::hash(token);
    let person = find(service, &token_hash).await.map_err(internal_error)?;
    let person = person.ok_or(DomainError::LogInExpired)?;
    let (account, browser) = (AccountId(person.id), browser_of(service, &person, client));
    let attempt = PasswordAttempt::for_login(&person.email, &client.address, browser);
    attempt.take(service).await?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let pending = stored::take_try(tx.conn(), &token_hash, now).await.map_err(internal_error)?;
    let pending = pending.ok_or(DomainError::LogInExpired)?;
    let accepted = second_factor::accept_code(service, &mut tx, account, (code, now)).await?;
    let Some(accepted) = accepted else {
        let event = event_of(now, None, person.id, "fail_log_in", Some(&client.address));
        commit(service, tx, &[event]).await.map_err(internal_error)?;
        let is_over = pending.tries_left <= 0;
        let wrong = DomainError::invalid("code", ValidationError::WrongCode);
        return Err(if is_over { DomainError::LogInExpired } else { wrong });
    };
    attempt.refund(tx.conn()).await.map_err(internal_error)?;
    let is_persistent = pending.is_persistent != 0;
    let client = &Client { stays_logged_in: is_persistent, ..client.clone() };
    let begun = begin_after_log_in(&mut tx, account, (client, browser), now).await;
    let (session, mut events) = begun.map_err(internal_error)?;
    let session_hash = tokens::hash(&session.0);
    sign_in_attempt::complete_pending(tx.conn(), &token_hash, &session_hash).await.map_err(internal_error)?;
    stored::delete_pending(tx.conn(), &token_hash).await.map_err(internal_error)?;
    if accepted == AcceptedCode::Recovery {
        events.push(event_of(now, Some(person.id), person.id, "use_recovery_code", None));
    }
    commit(service, tx, &events).await.map_err(internal_error)?;
    let hash = person.password_hash.unwrap_or_default();
    let known_browser = known_browser::mark(service, account, &hash, browser);
    Ok(LoggedIn { session, known_browser, is_persistent })
}

/// Returns the enabled account of a pending log-in.
async fn find(service: &AccountService, token_hash: &str) -> Result<Option<AccountRecord>, StoreError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await?;
    let pending = stored::find_pending(lease.conn(), token_hash, service.parts.clock.now()).await?;
    let Some(pending) = pending else { return Ok(None) };
    let person = account::find(lease.conn(), AccountId(pending.account_id)).await?;
    Ok(person.filter(|person| person.is_disabled == 0))
}

async fn commit(service: &AccountService, mut tx: Tx, events: &[NewEvent]) -> Result<(), StoreError> {
    event::append(tx.conn(), events).await?;
    tx.commit().await?;
    service.parts.committed.notify_waiters();
    Ok(())
}
