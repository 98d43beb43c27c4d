//! API tokens.

use super::{PeopleDesk, admin_only, check, session};
use crate::{
    desk::{broken, proof},
    secret,
};
use domain::{
    Actor, Refusal, Timestamp, TokenId,
    limit::TOKENS_SHOWN,
    person::{Scope, TokenRow},
    refusal::Problem,
};
use serde_json::json;
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    person, token,
};

/// The longest life of a token, in days.
pub const DAYS_MAX: u32 = 365;
const DAY_MS: i64 = 24 * 3_600_000;
const MINUTE_MS: i64 = 60_000;

pub async fn authenticate(desk: &PeopleDesk, token: &str) -> Result<Option<(Actor, Scope)>, Refusal> {
    let Some(id) = secret::token_id(token).map(TokenId) else { return Ok(None) };
    let now = desk.parts.clock.now();
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let bearer = token::bearer(lease.conn(), id, &secret::hash(token), now).await.map_err(broken)?;
    drop(lease);
    let Some(found) = bearer else { return Ok(None) };
    // A word of a later release opens what is harmless.
    let scope = found.scope.parse().unwrap_or(Scope::Read);
    let bearer = found.bearer;
    let minute = Timestamp::from_millis(now.millis() - now.millis().rem_euclid(MINUTE_MS));
    if bearer.used_at < minute.millis() {
        note(desk, id, minute).await.map_err(broken)?;
    }
    let actor = session::actor(bearer).map_err(broken)?;
    Ok(Some((actor, scope)))
}

async fn note(desk: &PeopleDesk, id: TokenId, minute: Timestamp) -> Result<(), StoreError> {
    let mut tx = desk.parts.store.begin(Who::People).await?;
    token::touch(tx.conn(), id, minute).await?;
    tx.commit().await
}

pub async fn list(desk: &PeopleDesk, actor: &Actor) -> Result<Vec<TokenRow>, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let tokens = token::of(lease.conn(), actor.person).await.map_err(broken)?;
    Ok(tokens.into_iter().map(TokenRow::from).collect())
}

/// The tokens of everybody else, for admins.
pub async fn of_others(desk: &PeopleDesk, actor: &Actor) -> Result<Vec<TokenRow>, Refusal> {
    admin_only(actor)?;
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let tokens = token::of_others(lease.conn(), actor.person, TOKENS_SHOWN).await.map_err(broken)?;
    Ok(tokens.into_iter().map(TokenRow::from).collect())
}

/// A token as it is asked for.
pub struct Wanted<'a> {
    /// What it is for.
    pub name: &'a str,
    /// How long it is good, days.
    pub days: u32,
    /// What it opens.
    pub scope: Scope,
}

pub async fn create(
    desk: &PeopleDesk,
    actor: &Actor,
    wanted: Wanted<'_>,
) -> Result<(TokenRow, String), Refusal> {
    let name = check::name("name", wanted.name)?;
    if !(1..=DAYS_MAX).contains(&wanted.days) {
        let why = format!("must be between 1 and {DAYS_MAX} days");
        return Err(Refusal::invalid("days", Problem::Unreadable { why }));
    }
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    proof::require(tx.conn(), actor, now).await?;
    let owner = person::find(tx.conn(), actor.person).await.map_err(broken)?.ok_or(Refusal::LogIn)?;
    let row = TokenRow {
        id: TokenId::fresh(),
        owner_id: actor.person,
        owner: owner.name,
        name,
        scope: wanted.scope,
        created_at: now,
        expires_at: now.plus(i64::from(wanted.days) * DAY_MS),
        used_at: None,
    };
    let secret = secret::fresh_token(row.id.0);
    token::insert(tx.conn(), actor.person, &row, &secret::hash(&secret)).await.map_err(broken)?;
    let event = NewEvent::plain(now, Some(actor.person), "person", actor.person.0, "create_token");
    let detail = json!({ "scope": row.scope, "name": row.name, "token_id": row.id }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok((row, secret))
}

/// The same from the command line, for whoever has this address.
pub async fn create_for(
    desk: &PeopleDesk,
    email: &str,
    name: &str,
    scope: Scope,
) -> Result<(TokenRow, String), Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let person = person::find_by_email(lease.conn(), &check::folded(email)).await.map_err(broken)?;
    drop(lease);
    let person = person.filter(|person| person.disabled == 0).ok_or_else(|| Refusal::no_such("person"))?;
    let owner = session::actor_of(&person).map_err(broken)?;
    create(desk, &owner, Wanted { name, days: DAYS_MAX, scope }).await
}

pub async fn revoke(desk: &PeopleDesk, actor: &Actor, id: TokenId) -> Result<(), Refusal> {
    let now = desk.parts.clock.now();
    let owner = if actor.is_admin() { None } else { Some(actor.person) };
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let ended = token::end(tx.conn(), owner, id).await.map_err(broken)?;
    let (owner, name) = ended.ok_or_else(|| Refusal::no_such("token"))?;
    let event = NewEvent::plain(now, Some(actor.person), "person", owner.0, "revoke_token");
    let detail = json!({ "name": name, "token_id": id }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}
