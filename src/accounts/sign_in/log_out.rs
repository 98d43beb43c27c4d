//! Log-outs at a provider end the sessions here (OpenID Connect Back-Channel Logout).

use super::{find, id_token::Expected, provider_client};
use crate::{
    accounts::{AccountService, log_in::rate_limit::PasswordAttempt},
    security::tokens,
    services::internal_error,
};
use domain::{AccountId, DomainError, ProviderId, accounts::sign_in::SignInProblem};
use store::{
    PoolRole, StoreError, Tx,
    event::{self, NewEvent},
    session, sign_in, sign_in_attempt,
};

/// How long a log-out token is refused the second time, milliseconds. Older tokens are refused anyway.
const KEPT_MS: i64 = 30 * 60_000;
/// Maximum age of a log-out token, seconds.
const MAX_AGE_SECONDS: i64 = 10 * 60;

/// Ends the sessions that a log-out token names. Also those of a provider that was switched off since.
pub async fn log_out(
    service: &AccountService,
    id: ProviderId,
    token: &str,
    address: &str,
) -> Result<(), DomainError> {
    let provider = find(service, id).await?;
    let attempt = PasswordAttempt::for_log_out(address);
    attempt.take(service).await?;
    let claims = provider_client::verified(service, &provider, token).await?;
    let now = service.parts.clock.now();
    let expected = Expected { issuer: &provider.issuer, client_id: &provider.client_id, now };
    let jti = claims.checked_log_out_token(expected)?;
    let issued_at = claims.0.get("iat").and_then(serde_json::Value::as_i64).unwrap_or_default();
    if issued_at.saturating_add(MAX_AGE_SECONDS) < now.millis().div_euclid(1_000) {
        return Err(SignInProblem::Clock.into());
    }
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let is_new = sign_in_attempt::use_log_out(tx.conn(), id, &tokens::hash(jti), now.plus(KEPT_MS)).await;
    if !is_new.map_err(internal_error)? {
        return Err(SignInProblem::Expired.into());
    }
    attempt.refund(tx.conn()).await.map_err(internal_error)?;
    let ended = end(&mut tx, id, (claims.id("sid"), claims.id("sub"))).await.map_err(internal_error)?;
    let event = |account: AccountId| NewEvent::simple(now, None, "account", account.0, "log_out");
    let events: Vec<NewEvent> = ended.into_iter().map(event).collect();
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

/// Ends the sessions of a session at the provider; without one, or if none is known, all of the person's account. Returns
/// the accounts.
async fn end(
    tx: &mut Tx,
    id: ProviderId,
    (sid, subject): (Option<&str>, Option<&str>),
) -> Result<Vec<AccountId>, StoreError> {
    if let Some(sid) = sid {
        let ended = sign_in_attempt::end_sid(tx.conn(), id, sid, subject).await?;
        if !ended.is_empty() {
            return Ok(ended);
        }
    }
    let Some(subject) = subject else { return Ok(Vec::new()) };
    let Some(account) = sign_in::account_of(tx.conn(), id, subject).await? else { return Ok(Vec::new()) };
    session::end_all(tx.conn(), account).await?;
    Ok(vec![account])
}
