//! Sessions: who is behind a cookie.

use super::{PeopleDesk, browser};
use crate::{desk::broken, secret};
use domain::{
    Actor, PersonId, Refusal, Role,
    person::{Language, SessionRow, SessionSecret},
};
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    session::{self, Bearer, SessionRecord},
};

/// A session ends this long after it began.
pub const ABSOLUTE_MS: i64 = 7 * 24 * 3_600_000;
/// A session ends when it was not used for so long.
pub const IDLE_MS: i64 = 8 * 3_600_000;
/// The same for admins: their cookie opens everything.
pub const IDLE_ADMIN_MS: i64 = 30 * 60_000;
/// That it was used is written at most this often.
const NOTED_MS: i64 = 60_000;

pub async fn authenticate(desk: &PeopleDesk, secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
    let now = desk.parts.clock.now().millis();
    let hash = secret::hash(&secret.0);
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let bearer = session::bearer(lease.conn(), &hash).await.map_err(broken)?;
    drop(lease);
    let Some(bearer) = bearer else { return Ok(None) };
    let used_at = bearer.used_at;
    let is_young = now - bearer.created_at < ABSOLUTE_MS;
    let actor = actor(bearer).map_err(broken)?;
    let idle = if actor.is_admin() { IDLE_ADMIN_MS } else { IDLE_MS };
    if !is_young || now - used_at >= idle {
        return Ok(None);
    }
    if now - used_at >= NOTED_MS {
        note(desk, &hash).await.map_err(broken)?;
    }
    Ok(Some(actor))
}

async fn note(desk: &PeopleDesk, hash: &str) -> Result<(), StoreError> {
    let mut tx = desk.parts.store.begin(Who::People).await?;
    session::touch(tx.conn(), hash, desk.parts.clock.now()).await?;
    tx.commit().await
}

/// Whoever is behind a session or a token.
pub fn actor(bearer: Bearer) -> Result<Actor, StoreError> {
    let word = |word: &str| StoreError::Corrupt(format!("unknown word {word:?}"));
    let role: Role = bearer.role.parse().map_err(|_| word(&bearer.role))?;
    let language: Language = bearer.language.parse().map_err(|_| word(&bearer.language))?;
    Ok(Actor { person: PersonId(bearer.person_id), role, zone: bearer.zone, language, idempotency: None })
}

pub async fn list(
    desk: &PeopleDesk,
    actor: &Actor,
    current: Option<&SessionSecret>,
) -> Result<Vec<SessionRow>, Refusal> {
    let current = current.map(|secret| secret::hash(&secret.0));
    let now = desk.parts.clock.now().millis();
    let idle = if actor.is_admin() { IDLE_ADMIN_MS } else { IDLE_MS };
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let sessions = session::of(lease.conn(), actor.person).await.map_err(broken)?;
    let is_alive =
        |session: &SessionRecord| now - session.created_at < ABSOLUTE_MS && now - session.seen_at < idle;
    let row = |session: SessionRecord| SessionRow {
        name: session.name().to_owned(),
        is_current: current.as_ref() == Some(&session.secret_hash),
        created_at: session.created_at.into(),
        seen_at: session.seen_at.into(),
        agent: browser::name(session.agent),
    };
    Ok(sessions.into_iter().filter(is_alive).map(row).collect())
}

pub async fn end(desk: &PeopleDesk, actor: &Actor, name: &str) -> Result<(), Refusal> {
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let is_ended = session::end_named(tx.conn(), actor.person, name).await.map_err(broken)?;
    if !is_ended {
        return Err(Refusal::no_such("session"));
    }
    let now = desk.parts.clock.now();
    let event = NewEvent::plain(now, Some(actor.person), "person", actor.person.0, "end_session");
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}
