//! API tokens.

use super::{PeopleDesk, check, session};
use crate::{desk::broken, secret};
use domain::{
    Actor, PersonId, Refusal, Timestamp, TokenId,
    person::{Scope, TokenRow},
    refusal::Problem,
};
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

pub async fn create(
    desk: &PeopleDesk,
    owner: PersonId,
    name: &str,
    days: u32,
    scope: Scope,
) -> Result<(TokenRow, String), Refusal> {
    let name = check::name("name", name)?;
    if !(1..=DAYS_MAX).contains(&days) {
        let why = format!("must be between 1 and {DAYS_MAX} days");
        return Err(Refusal::invalid("days", Problem::Unreadable { why }));
    }
    let now = desk.parts.clock.now();
    let row = TokenRow {
        id: TokenId::fresh(),
        name,
        scope,
        created_at: now,
        expires_at: now.plus(i64::from(days) * DAY_MS),
        used_at: None,
    };
    let secret = secret::fresh_token(row.id.0);
    store_token(desk, owner, &row, &secret).await.map_err(broken)?;
    Ok((row, secret))
}

async fn store_token(
    desk: &PeopleDesk,
    owner: PersonId,
    row: &TokenRow,
    secret: &str,
) -> Result<(), StoreError> {
    let mut tx = desk.parts.store.begin(Who::People).await?;
    token::insert(tx.conn(), owner, row, &secret::hash(secret)).await?;
    let mut event = NewEvent::plain(row.created_at, Some(owner), "person", owner.0, "create_token");
    event.detail = serde_json::json!({ "scope": row.scope }).to_string();
    event::append(tx.conn(), &[event]).await?;
    tx.commit().await?;
    desk.parts.committed.notify_waiters();
    Ok(())
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
    create(desk, PersonId(person.id), name, DAYS_MAX, scope).await
}

pub async fn revoke(desk: &PeopleDesk, actor: &Actor, id: TokenId) -> Result<(), Refusal> {
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    if !token::end(tx.conn(), actor.person, id).await.map_err(broken)? {
        return Err(Refusal::no_such("token"));
    }
    let event = NewEvent::plain(now, Some(actor.person), "person", actor.person.0, "revoke_token");
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}
