//! Sessions of logged-in users.

pub mod browser;

use super::AccountService;
use crate::{security::tokens, services::internal_error};
use domain::{
    AccountId, Actor, DomainError, Role,
    account::{ActorSession, Language, PERSISTENT_SESSION_DAYS, SessionRow, SessionSecret},
};
use serde_json::json;
use store::{
    PoolRole, StoreError,
    account::AccountRecord,
    event::{self, NewEvent},
    second_factor,
    session::{self, Bearer, SessionBearer, SessionRecord},
};

/// Maximum lifetime of a session, milliseconds.
pub const ABSOLUTE_MS: i64 = 7 * 24 * 3_600_000;
/// Time without use after which a session ends, milliseconds.
pub const IDLE_MS: i64 = 8 * 3_600_000;
/// The same for admins, whose session has all permissions.
pub const IDLE_ADMIN_MS: i64 = 30 * 60_000;
/// Lifetime of a session whose user chose to stay logged in, also without use, milliseconds.
pub const PERSISTENT_MS: i64 = PERSISTENT_SESSION_DAYS as i64 * 24 * 3_600_000;
/// Minimum interval between two writes of the last use, milliseconds.
const USE_WRITE_INTERVAL_MS: i64 = 60_000;

/// A valid session.
pub struct ValidSession {
    /// The user of the session.
    pub actor: Actor,
    /// Time of the last use, milliseconds.
    used_at: i64,
}

/// Returns a session; `None`: it does not exist or has expired. Writes nothing.
pub async fn find(
    service: &AccountService,
    secret: &SessionSecret,
) -> Result<Option<ValidSession>, DomainError> {
    let now = service.parts.clock.now().millis();
    let hash = tokens::hash(&secret.0);
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = session::bearer(lease.conn(), &hash).await.map_err(internal_error)?;
    drop(lease);
    let Some(found) = found else { return Ok(None) };
    let rule = second_factor::rule_of(found.second_factor_rule.as_deref()).map_err(internal_error)?;
    let SessionBearer { bearer, password_entered_at: password_at, is_persistent, second_factors, .. } = found;
    let (created_at, used_at, is_persistent) = (bearer.created_at, bearer.used_at, is_persistent != 0);
    let actor = actor(bearer).map_err(internal_error)?;
    let enforced_at = rule.enforced_at(actor.role).filter(|_| second_factors == 0);
    let must_add_second_factor = enforced_at.is_some_and(|at| at.millis() <= now);
    let password_at = password_at.into();
    let session = ActorSession { hash, password_at, is_persistent, must_add_second_factor };
    let actor = Actor { session: Some(session), ..actor };
    let (lifetime, idle) = limits(is_persistent, actor.is_admin());
    let is_alive = now - created_at < lifetime && now - used_at < idle;
    Ok(is_alive.then_some(ValidSession { actor, used_at }))
}

/// Returns the maximum lifetime of a session, and the time without use after which it ends,
/// milliseconds.
fn limits(is_persistent: bool, is_admin: bool) -> (i64, i64) {
    match (is_persistent, is_admin) {
        (true, _) => (PERSISTENT_MS, PERSISTENT_MS),
        (false, true) => (ABSOLUTE_MS, IDLE_ADMIN_MS),
        (false, false) => (ABSOLUTE_MS, IDLE_MS),
    }
}

/// Returns the actor of a session and records its use.
pub async fn authenticate(
    service: &AccountService,
    secret: &SessionSecret,
) -> Result<Option<Actor>, DomainError> {
    let Some(ValidSession { actor, used_at }) = find(service, secret).await? else { return Ok(None) };
    if service.parts.clock.now().millis() - used_at >= USE_WRITE_INTERVAL_MS {
        record_use(service, &tokens::hash(&secret.0)).await.map_err(internal_error)?;
    }
    Ok(Some(actor))
}

async fn record_use(service: &AccountService, hash: &str) -> Result<(), StoreError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await?;
    session::touch(tx.conn(), hash, service.parts.clock.now()).await?;
    tx.commit().await
}

/// Returns the actor of a session or API token.
pub fn actor(bearer: Bearer) -> Result<Actor, StoreError> {
    let word = |word: &str| StoreError::Corrupt(format!("unknown word {word:?}"));
    let role: Role = bearer.role.parse().map_err(|_| word(&bearer.role))?;
    let language: Language = bearer.language.parse().map_err(|_| word(&bearer.language))?;
    Ok(Actor {
        account: AccountId(bearer.account_id),
        role,
        zone: bearer.time_zone,
        language,
        idempotency: None,
        session: None,
    })
}

/// Returns the actor of an account, for the command line.
pub fn actor_of(person: &AccountRecord) -> Result<Actor, StoreError> {
    actor(Bearer {
        account_id: person.id,
        role: person.role.clone(),
        time_zone: person.time_zone.clone(),
        language: person.language.clone(),
        created_at: person.created_at,
        used_at: 0,
    })
}

pub async fn list(
    service: &AccountService,
    actor: &Actor,
    current: Option<&SessionSecret>,
) -> Result<Vec<SessionRow>, DomainError> {
    let current = current.map(|secret| tokens::hash(&secret.0));
    let now = service.parts.clock.now().millis();
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let sessions = session::list(lease.conn(), actor.account).await.map_err(internal_error)?;
    let is_alive = |session: &SessionRecord| {
        let (lifetime, idle) = limits(session.is_persistent != 0, actor.is_admin());
        now - session.created_at < lifetime && now - session.seen_at < idle
    };
    let row = |session: SessionRecord| SessionRow {
        name: session.name().to_owned(),
        is_current: current.as_ref() == Some(&session.secret_hash),
        created_at: session.created_at.into(),
        seen_at: session.seen_at.into(),
        is_persistent: session.is_persistent != 0,
        address: session.address,
        agent: browser::name(session.user_agent),
    };
    Ok(sessions.into_iter().filter(is_alive).map(row).collect())
}

pub async fn end(service: &AccountService, actor: &Actor, name: &str) -> Result<(), DomainError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let is_ended = session::end_by_name(tx.conn(), actor.account, name).await.map_err(internal_error)?;
    if !is_ended {
        return Err(DomainError::no_such("session"));
    }
    let now = service.parts.clock.now();
    let event = NewEvent::simple(now, Some(actor.account), "account", actor.account.0, "end_session");
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

pub async fn end_others(service: &AccountService, actor: &Actor) -> Result<u64, DomainError> {
    let Some(current) = &actor.session else { return Err(DomainError::LogIn) };
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let ended = session::end_others(tx.conn(), actor.account, &current.hash).await.map_err(internal_error)?;
    let event = NewEvent::simple(
        service.parts.clock.now(),
        Some(actor.account),
        "account",
        actor.account.0,
        "end_other_sessions",
    );
    let detail = json!({ "sessions_ended": ended }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(ended)
}
