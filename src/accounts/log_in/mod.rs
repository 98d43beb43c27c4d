//! Login, logout, and password changes of logged-in users.

pub mod known_browser;
pub mod passkey;
pub mod rate_limit;
pub mod second_step;

use crate::{
    accounts::{AccountService, browser, check, password_rule, session as sessions},
    security::{password_hash, tokens},
    services::internal_error,
};
use domain::{
    AccountId, Actor, DomainError, Timestamp,
    account::{ActorSession, Client, LoggedIn, PasswordChange, SessionSecret},
    error::ValidationError,
};
use rate_limit::PasswordAttempt;
use serde_json::json;
use store::{
    PoolRole, ReadConn, StoreError, Tx,
    account::{self, AccountRecord},
    event::{self, NewEvent},
    invitation,
    session::{self, NewSession},
    token,
};
use uuid::Uuid;

/// Maximum length of a stored `User-Agent`, characters.
const MAX_USER_AGENT_CHARS: usize = 200;

pub async fn log_in(
    service: &AccountService,
    email: &str,
    password: &str,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let email = check::normalize_email(email);
    let person = find(service, &email).await?;
    let browser = person.as_ref().and_then(|person| browser_of(service, person, client));
    let attempt = PasswordAttempt::for_login(&email, &client.address, browser);
    attempt.take(service).await?;
    let hash = person.as_ref().and_then(|person| person.password_hash.clone());
    let password = check::normalize_password(password);
    let fits = service.passwords.fits(password.clone(), hash).await?;
    let Some(person) = person.as_ref().filter(|_| fits) else {
        let aimed_at = person.as_ref().map_or(Uuid::nil(), |person| person.id);
        record_event(service, None, aimed_at, "fail_log_in", Some(&client.address))
            .await
            .map_err(internal_error)?;
        return Err(DomainError::WrongLogIn);
    };
    let account = AccountId(person.id);
    require_passwords(service, account).await?;
    let mut hash = person.password_hash.clone().unwrap_or_default();
    if password_hash::is_outdated(&hash) {
        hash = rehash(service, account, (hash.as_str(), password)).await?;
    }
    // The attempt is not refunded: who knows the password only may not repeat this step without limit.
    if let Some(code_needed) = second_step::ask(service, (account, hash.as_str()), client).await? {
        return Err(code_needed);
    }
    let session = start_session(service, &attempt, (account, hash.as_str()), (client, browser)).await;
    let session = session.map_err(internal_error)?.ok_or(DomainError::WrongLogIn)?;
    Ok(LoggedIn {
        session,
        known_browser: known_browser::mark(service, account, &hash, browser),
        is_persistent: client.stays_logged_in,
    })
}

/// Refuses the account if log-ins with a password are switched off.
async fn require_passwords(service: &AccountService, account: AccountId) -> Result<(), DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    password_rule::require_on(lease.conn(), Some(account)).await
}

/// Returns the id of the browser if this account has logged in there before.
pub fn browser_of(service: &AccountService, person: &AccountRecord, client: &Client) -> Option<Uuid> {
    let hash = person.password_hash.as_deref()?;
    known_browser::find(service, AccountId(person.id), hash, &client.known_browsers)
}

/// Returns the enabled account with this address.
async fn find(service: &AccountService, email: &str) -> Result<Option<AccountRecord>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let person = account::find_by_email(lease.conn(), email).await.map_err(internal_error)?;
    let person = usable(&mut lease, person).await.map_err(internal_error)?;
    Ok(person.filter(|person| person.is_disabled == 0))
}

/// Returns an account without its password if log-ins with it are off. For an unknown one it reads as much, so that both
/// take the same time.
async fn usable(
    lease: &mut ReadConn,
    person: Option<AccountRecord>,
) -> Result<Option<AccountRecord>, StoreError> {
    let id = AccountId(person.as_ref().map_or(Uuid::nil(), |person| person.id));
    let is_off = store::passkey::is_password_off(lease.conn(), id).await?;
    Ok(person.map(|person| match is_off {
        true => AccountRecord { password_hash: None, ..person },
        false => person,
    }))
}

/// Refunds the attempt and begins the session. `None`: the password, which had this hash, was changed in the meantime.
async fn start_session(
    service: &AccountService,
    attempt: &PasswordAttempt,
    (account, hash): (AccountId, &str),
    (client, browser): (&Client, Option<Uuid>),
) -> Result<Option<SessionSecret>, StoreError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await?;
    if !account::lock_password(tx.conn(), account, hash).await? {
        return Ok(None);
    }
    attempt.refund(tx.conn()).await?;
    let (session, events) =
        begin_after_log_in(&mut tx, account, (client, browser), service.parts.clock.now()).await?;
    event::append(tx.conn(), &events).await?;
    tx.commit().await?;
    service.parts.committed.notify_waiters();
    Ok(Some(session))
}

/// Begins the session of a log-in. Also deletes expired sessions. Returns the events, which must be appended last.
/// `browser`: a known one; the first one of an account is no news.
pub async fn begin_after_log_in(
    tx: &mut Tx,
    account: AccountId,
    (client, browser): (&Client, Option<Uuid>),
    now: Timestamp,
) -> Result<(SessionSecret, Vec<NewEvent>), StoreError> {
    session::delete_expired(
        tx.conn(),
        now.plus(-sessions::PERSISTENT_MS),
        now.plus(-sessions::ABSOLUTE_MS),
        now.plus(-sessions::IDLE_MS),
    )
    .await?;
    let is_news = browser.is_none() && session::has_logged_in(tx.conn(), account).await?;
    let (session, mut events) = begin(tx, account, client, now).await?;
    let browser = browser::name(agent_of(client));
    let detail = json!({ "address": client.address, "browser": browser, "is_news": is_news }).to_string();
    let event = NewEvent::simple(now, Some(account), "account", account.0, "log_in");
    events.push(NewEvent { detail, ..event });
    Ok((session, events))
}

/// Writes an event about a login. For an unknown account it contains only the client's address.
async fn record_event(
    service: &AccountService,
    actor: Option<Uuid>,
    person: Uuid,
    verb: &'static str,
    address: Option<&str>,
) -> Result<(), StoreError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await?;
    let event = event_of(service.parts.clock.now(), actor, person, verb, address);
    event::append(tx.conn(), &[event]).await?;
    tx.commit().await?;
    service.parts.committed.notify_waiters();
    Ok(())
}

/// Returns an event about a log-in.
pub fn event_of(
    now: Timestamp,
    actor: Option<Uuid>,
    person: Uuid,
    verb: &'static str,
    address: Option<&str>,
) -> NewEvent {
    let detail = address.map_or_else(|| json!({}), |address| json!({ "address": address }));
    NewEvent {
        detail: detail.to_string(),
        ..NewEvent::simple(now, actor.map(AccountId), "account", person, verb)
    }
}

/// Begins a session (only its hash is stored) and ends the one the browser had. Returns the events,
/// which must be appended last.
pub async fn begin(
    tx: &mut Tx,
    person: AccountId,
    client: &Client,
    now: Timestamp,
) -> Result<(SessionSecret, Vec<NewEvent>), StoreError> {
    let mut events = Vec::new();
    if let Some(SessionSecret(carried)) = &client.session
        && let Some(owner) = session::end(tx.conn(), &tokens::hash(carried)).await?
    {
        events.push(NewEvent::simple(now, Some(owner), "account", owner.0, "log_out"));
    }
    let secret = tokens::generate_secret();
    let new = NewSession {
        account: person,
        secret_hash: &tokens::hash(&secret),
        agent: &agent_of(client),
        address: &client.address,
        is_persistent: client.stays_logged_in,
        at: now,
    };
    session::insert(tx.conn(), new).await?;
    Ok((SessionSecret(secret), events))
}

/// The `User-Agent` as it is stored.
fn agent_of(client: &Client) -> String {
    client.agent.chars().filter(|c| !c.is_control()).take(MAX_USER_AGENT_CHARS).collect()
}

/// Hashes the password again with the current cost. Returns the new hash; the one before if the password was changed
/// in the meantime.
async fn rehash(
    service: &AccountService,
    person: AccountId,
    (was, password): (&str, String),
) -> Result<String, DomainError> {
    let hash = service.passwords.hash(password, async { Ok(()) }).await?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let renewed = account::renew_password_hash(tx.conn(), person, (was, hash.as_str())).await;
    let is_renewed = renewed.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    Ok(if is_renewed { hash } else { was.to_owned() })
}

pub async fn log_out(service: &AccountService, secret: &SessionSecret) -> Result<(), DomainError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if let Some(person) = session::end(tx.conn(), &tokens::hash(&secret.0)).await.map_err(internal_error)? {
        let event = NewEvent::simple(service.parts.clock.now(), Some(person), "account", person.0, "log_out");
        event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    }
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

pub async fn change_password(
    service: &AccountService,
    actor: &Actor,
    change: PasswordChange,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let person = own(service, actor).await?;
    let new = check::password("password", &change.new, &[&person.email, &person.name])?;
    let browser = verify_password(service, &person, ("old", &change.current), client).await?;
    let is_persistent = actor.session.as_ref().is_some_and(|session| session.is_persistent);
    let client = &Client { stays_logged_in: is_persistent, ..client.clone() };
    let hash = service.passwords.hash(new, async { Ok(()) }).await?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if !account::set_password(tx.conn(), actor.account, &hash).await.map_err(internal_error)? {
        return Err(DomainError::LogIn);
    }
    session::end_all(tx.conn(), actor.account).await.map_err(internal_error)?;
    let ended =
        token::end_all_except(tx.conn(), actor.account, &change.keep_tokens).await.map_err(internal_error)?;
    invitation::end_resets(tx.conn(), actor.account).await.map_err(internal_error)?;
    let (session, mut events) = begin(&mut tx, actor.account, client, now).await.map_err(internal_error)?;
    let event = NewEvent::simple(now, Some(actor.account), "account", actor.account.0, "change_password");
    events.push(NewEvent { detail: json!({ "tokens_ended": ended }).to_string(), ..event });
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    let known_browser = known_browser::mark(service, actor.account, &hash, browser);
    Ok(LoggedIn { session, known_browser, is_persistent })
}

async fn own(service: &AccountService, actor: &Actor) -> Result<AccountRecord, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let person = account::find(lease.conn(), actor.account).await.map_err(internal_error)?;
    usable(&mut lease, person).await.map_err(internal_error)?.ok_or(DomainError::LogIn)
}

/// Verifies the current password, entered into `field`, which protects against a stolen session.
/// Wrong ones count against the same rate limits as logins. Returns the id of a known browser.
async fn verify_password(
    service: &AccountService,
    person: &AccountRecord,
    (field, typed): (&str, &str),
    client: &Client,
) -> Result<Option<Uuid>, DomainError> {
    let browser = browser_of(service, person, client);
    let attempt = PasswordAttempt::for_confirmation(&person.email, browser);
    attempt.take(service).await?;
    if !service.passwords.fits(check::normalize_password(typed), person.password_hash.clone()).await? {
        record_event(service, Some(person.id), person.id, "fail_password", None)
            .await
            .map_err(internal_error)?;
        return Err(DomainError::invalid(field, ValidationError::WrongPassword));
    }
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    attempt.refund(tx.conn()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    Ok(browser)
}

pub async fn confirm_password(
    service: &AccountService,
    actor: &Actor,
    password: &str,
    client: &Client,
) -> Result<Actor, DomainError> {
    let Some(session) = &actor.session else { return Err(DomainError::LogIn) };
    verify_password(service, &own(service, actor).await?, ("password", password), client).await?;
    let password_at = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    session::record_password_entry(tx.conn(), &session.hash, password_at).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    let session = ActorSession { password_at, ..session.clone() };
    Ok(Actor { session: Some(session), ..actor.clone() })
}
