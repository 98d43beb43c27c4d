//! API tokens.

use super::{AccountService, admin_only, check, session};
use crate::{accounts::password_check, security::tokens, services::internal_error};
use domain::{
    Actor, DomainError, FieldProblems, Timestamp, TokenId,
    account::{Scope, TokenRow},
    error::ValidationError,
    input_limits::MAX_TOKENS_SHOWN,
};
use serde_json::json;
use store::{
    PoolRole, StoreError, account,
    event::{self, NewEvent},
    token,
};

/// Maximum lifetime of a token, days.
pub const DAYS_MAX: u32 = 365;
const DAY_MS: i64 = 24 * 3_600_000;
const MINUTE_MS: i64 = 60_000;

pub async fn authenticate(
    service: &AccountService,
    token: &str,
) -> Result<Option<(Actor, Scope)>, DomainError> {
    let Some(id) = tokens::token_id(token).map(TokenId) else { return Ok(None) };
    let now = service.parts.clock.now();
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let bearer = token::bearer(lease.conn(), id, &tokens::hash(token), now).await.map_err(internal_error)?;
    drop(lease);
    let Some(found) = bearer else { return Ok(None) };
    // A scope of a later release is treated as read-only.
    let scope = found.scope.parse().unwrap_or(Scope::Read);
    let bearer = found.bearer;
    let minute = Timestamp::from_millis(now.millis() - now.millis().rem_euclid(MINUTE_MS));
    if bearer.used_at < minute.millis() {
        record_use(service, id, minute).await.map_err(internal_error)?;
    }
    let actor = session::actor(bearer).map_err(internal_error)?;
    Ok(Some((actor, scope)))
}

async fn record_use(service: &AccountService, id: TokenId, minute: Timestamp) -> Result<(), StoreError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await?;
    token::touch(tx.conn(), id, minute).await?;
    tx.commit().await
}

pub async fn list(service: &AccountService, actor: &Actor) -> Result<Vec<TokenRow>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let tokens = token::list_owned(lease.conn(), actor.account).await.map_err(internal_error)?;
    Ok(tokens.into_iter().map(TokenRow::from).collect())
}

/// Returns the tokens of all other accounts, for admins.
pub async fn list_others(service: &AccountService, actor: &Actor) -> Result<Vec<TokenRow>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let tokens =
        token::list_others(lease.conn(), actor.account, MAX_TOKENS_SHOWN).await.map_err(internal_error)?;
    Ok(tokens.into_iter().map(TokenRow::from).collect())
}

/// A requested token.
pub struct Wanted<'a> {
    /// Name that states its purpose.
    pub name: &'a str,
    /// Lifetime, days.
    pub days: u32,
    /// Permissions.
    pub scope: Scope,
}

pub async fn create(
    service: &AccountService,
    actor: &Actor,
    wanted: Wanted<'_>,
) -> Result<(TokenRow, String), DomainError> {
    let mut problems = FieldProblems::default();
    let name = problems.take(check::name("name", wanted.name))?;
    if !(1..=DAYS_MAX).contains(&wanted.days) {
        let why = format!("must be between 1 and {DAYS_MAX} days");
        problems.take(Err::<(), _>(DomainError::invalid("days", ValidationError::Unreadable { why })))?;
    }
    problems.finish()?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let owner =
        account::find(tx.conn(), actor.account).await.map_err(internal_error)?.ok_or(DomainError::LogIn)?;
    let row = TokenRow {
        id: TokenId::generate(),
        owner_id: actor.account,
        owner: owner.name,
        name,
        scope: wanted.scope,
        created_at: now,
        expires_at: now.plus(i64::from(wanted.days) * DAY_MS),
        used_at: None,
    };
    let secret = tokens::generate_token(row.id.0);
    token::insert(tx.conn(), actor.account, &row, &tokens::hash(&secret)).await.map_err(internal_error)?;
    let event = NewEvent::simple(now, Some(actor.account), "account", actor.account.0, "create_token");
    // One from the command line is made by who runs the desk.
    let is_news = actor.session.is_some();
    let detail =
        json!({ "scope": row.scope, "name": row.name, "token_id": row.id, "is_news": is_news }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok((row, secret))
}

/// Creates a token from the command line, for the account with this address.
pub async fn create_for(
    service: &AccountService,
    email: &str,
    name: &str,
    scope: Scope,
) -> Result<(TokenRow, String), DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let person =
        account::find_by_email(lease.conn(), &check::normalize_email(email)).await.map_err(internal_error)?;
    drop(lease);
    let person =
        person.filter(|person| person.is_disabled == 0).ok_or_else(|| DomainError::no_such("account"))?;
    let owner = session::actor_of(&person).map_err(internal_error)?;
    create(service, &owner, Wanted { name, days: DAYS_MAX, scope }).await
}

pub async fn revoke(service: &AccountService, actor: &Actor, id: TokenId) -> Result<(), DomainError> {
    let now = service.parts.clock.now();
    let owner = if actor.is_admin() { None } else { Some(actor.account) };
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let ended = token::end(tx.conn(), owner, id).await.map_err(internal_error)?;
    let (owner, name) = ended.ok_or_else(|| DomainError::no_such("token"))?;
    let event = NewEvent::simple(now, Some(actor.account), "account", owner.0, "revoke_token");
    let detail = json!({ "name": name, "token_id": id }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
