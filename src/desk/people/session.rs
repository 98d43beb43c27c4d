//! Sessions: who is behind a cookie.

use super::{PeopleDesk, browser};
use crate::{desk::broken, secret};
use domain::{
    Actor, PersonId, Refusal, Role,
    person::{ActorSession, Language, SessionRow, SessionSecret},
};
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    person::PersonRecord,
    session::{self, Bearer, SessionBearer, SessionRecord},
};

/// A session ends this long after it began.
pub const ABSOLUTE_MS: i64 = 7 * 24 * 3_600_000;
/// A session ends when it was not used for so long.
pub const IDLE_MS: i64 = 8 * 3_600_000;
/// The same for admins: their cookie opens everything.
pub const IDLE_ADMIN_MS: i64 = 30 * 60_000;
/// That it was used is written at most this often.
const NOTED_MS: i64 = 60_000;

/// A session that is good at this moment.
pub struct Seen {
    /// Who is behind it.
    pub actor: Actor,
    /// When it was last used, milliseconds.
    used_at: i64,
}

/// Who is behind a session; `None`: there is none, or it has ended by itself. Writes nothing.
pub async fn look(desk: &PeopleDesk, secret: &SessionSecret) -> Result<Option<Seen>, Refusal> {
    let now = desk.parts.clock.now().millis();
    let hash = secret::hash(&secret.0);
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let found = session::bearer(lease.conn(), &hash).await.map_err(broken)?;
    drop(lease);
    let Some(SessionBearer { bearer, password_at }) = found else { return Ok(None) };
    let used_at = bearer.used_at;
    let is_young = now - bearer.created_at < ABSOLUTE_MS;
    let session = ActorSession { hash, password_at: password_at.into() };
    let actor = Actor { session: Some(session), ..actor(bearer).map_err(broken)? };
    let idle = if actor.is_admin() { IDLE_ADMIN_MS } else { IDLE_MS };
    Ok((is_young && now - used_at < idle).then_some(Seen { actor, used_at }))
}

/// The same; notes that it was used.
pub async fn authenticate(desk: &PeopleDesk, secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
    let Some(Seen { actor, used_at }) = look(desk, secret).await? else { return Ok(None) };
    if desk.parts.clock.now().millis() - used_at >= NOTED_MS {
        note(desk, &secret::hash(&secret.0)).await.map_err(broken)?;
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
    Ok(Actor {
        person: PersonId(bearer.person_id),
        role,
        zone: bearer.zone,
        language,
        idempotency: None,
        session: None,
    })
}

/// Whoever has this account, as from the command line.
pub fn actor_of(person: &PersonRecord) -> Result<Actor, StoreError> {
    actor(Bearer {
        person_id: person.id,
        role: person.role.clone(),
        zone: person.zone.clone(),
        language: person.language.clone(),
        created_at: person.created_at,
        used_at: 0,
    })
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
