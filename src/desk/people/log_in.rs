//! Logging in and out, and changing one's own password.

use super::{PeopleDesk, check};
use crate::{desk::broken, password_hash, secret};
use domain::{Actor, PersonId, Refusal, Timestamp, person::SessionSecret};
use serde_json::json;
use store::{
    Conn, StoreError, Who,
    event::{self, NewEvent},
    invitation,
    limit::{self, Bucket},
    person::{self, PersonRecord},
    session,
};
use uuid::Uuid;

/// Guesses at one account: ten at once, then one in 41 seconds, fewer than 100 in any hour.
const ACCOUNT: Bucket = Bucket { cost: 41_000, tries: 10 };
/// Guesses from one address, at whatever account.
const ADDRESS: Bucket = Bucket { cost: 6_000, tries: 60 };
/// How the bucket of an address is named.
const ADDRESS_NAME: &str = "address:";
/// Characters kept of what a browser says of itself.
const AGENT_CHARS: usize = 200;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

pub async fn log_in(
    desk: &PeopleDesk,
    email: &str,
    password: &str,
    address: &str,
    agent: &str,
) -> Result<SessionSecret, Refusal> {
    let email = check::folded(email);
    let tries = Tries::of(&email, address);
    let bucket = take(desk, &tries).await?;
    let person = find(desk, &email).await?;
    let hash = person.as_ref().and_then(|person| person.password.clone());
    let password = check::spelled(password);
    let fits = desk.passwords.fits(password.clone(), hash).await?;
    let Some(person) = person.as_ref().filter(|_| fits) else {
        let aimed_at = person.as_ref().map_or(Uuid::nil(), |person| person.id);
        note(desk, None, aimed_at, "fail_log_in", Some(address)).await.map_err(broken)?;
        return Err(Refusal::WrongLogIn);
    };
    let session = enter(desk, &tries, &bucket, person, agent).await.map_err(broken)?;
    if person.password.as_deref().is_some_and(password_hash::is_outdated) {
        strengthen(desk, PersonId(person.id), password).await?;
    }
    Ok(session)
}

/// The names of the buckets that a try fills.
struct Tries {
    address: String,
    account: String,
    known: String,
}

impl Tries {
    fn of(email: &str, address: &str) -> Self {
        Self {
            address: format!("{ADDRESS_NAME}{address}"),
            account: format!("account:{}", secret::hash(email)),
            known: format!("known:{}", secret::hash(&format!("{email}\n{address}"))),
        }
    }
}

/// Takes a try, before anything is looked at; answers whose bucket it fills. An address from which this account logged in
/// lately has a bucket of its own: strangers who guess cannot keep the owner out.
async fn take(desk: &PeopleDesk, tries: &Tries) -> Result<String, Refusal> {
    let now = desk.parts.clock.now();
    let (bucket, wait) = fill(desk, tries, now).await.map_err(broken)?;
    match wait {
        None => Ok(bucket),
        Some(millis) => {
            let seconds = u32::try_from(millis.saturating_add(999) / 1_000).unwrap_or(u32::MAX);
            Err(Refusal::TooMany { seconds })
        }
    }
}

async fn fill(desk: &PeopleDesk, tries: &Tries, now: Timestamp) -> Result<(String, Option<i64>), StoreError> {
    let mut tx = desk.parts.store.begin(Who::People).await?;
    let is_known = limit::free_at(tx.conn(), &tries.known).await?.is_some();
    let bucket = if is_known { &tries.known } else { &tries.account };
    let mut wait = limit::take(tx.conn(), &tries.address, ADDRESS, now).await?;
    if wait.is_none() {
        wait = limit::take(tx.conn(), bucket, ACCOUNT, now).await?;
    }
    if wait.is_none() {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    Ok((bucket.clone(), wait))
}

/// Whoever has this address and may log in.
async fn find(desk: &PeopleDesk, email: &str) -> Result<Option<PersonRecord>, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let person = person::find_by_email(lease.conn(), email).await.map_err(broken)?;
    Ok(person.filter(|person| person.disabled == 0))
}

/// Gives the try back, remembers the address, begins the session; clears away what is too old on the way.
async fn enter(
    desk: &PeopleDesk,
    tries: &Tries,
    bucket: &str,
    person: &PersonRecord,
    agent: &str,
) -> Result<SessionSecret, StoreError> {
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await?;
    limit::give_back(tx.conn(), &tries.address, ADDRESS).await?;
    limit::give_back(tx.conn(), bucket, ACCOUNT).await?;
    limit::open(tx.conn(), &tries.known, now).await?;
    limit::forget(tx.conn(), now.plus(-HOUR_MS), now.plus(-30 * DAY_MS)).await?;
    session::forget(tx.conn(), now.plus(-super::session::ABSOLUTE_MS), now.plus(-super::session::IDLE_MS))
        .await?;
    let session = begin(tx.conn(), PersonId(person.id), agent, now).await?;
    let address = tries.address.trim_start_matches(ADDRESS_NAME);
    let event = event_of(now, Some(person.id), person.id, "log_in", Some(address));
    event::append(tx.conn(), &[event]).await?;
    tx.commit().await?;
    desk.parts.committed.notify_waiters();
    Ok(session)
}

/// Writes down what happened at the door: of an unknown account nothing but that, and from where.
async fn note(
    desk: &PeopleDesk,
    actor: Option<Uuid>,
    person: Uuid,
    verb: &'static str,
    address: Option<&str>,
) -> Result<(), StoreError> {
    let mut tx = desk.parts.store.begin(Who::People).await?;
    let event = event_of(desk.parts.clock.now(), actor, person, verb, address);
    event::append(tx.conn(), &[event]).await?;
    tx.commit().await?;
    desk.parts.committed.notify_waiters();
    Ok(())
}

fn event_of(
    now: Timestamp,
    actor: Option<Uuid>,
    person: Uuid,
    verb: &'static str,
    address: Option<&str>,
) -> NewEvent {
    let detail = address.map_or_else(|| json!({}), |address| json!({ "address": address }));
    NewEvent {
        detail: detail.to_string(),
        ..NewEvent::plain(now, actor.map(PersonId), "person", person, verb)
    }
}

/// Begins a session; only its hash is stored.
pub async fn begin(
    conn: Conn<'_>,
    person: PersonId,
    agent: &str,
    now: Timestamp,
) -> Result<SessionSecret, StoreError> {
    let secret = secret::fresh();
    let agent: String = agent.chars().filter(|letter| !letter.is_control()).take(AGENT_CHARS).collect();
    session::insert(conn, person, &secret::hash(&secret), &agent, now).await?;
    Ok(SessionSecret(secret))
}

/// Hashes the password again with today's cost.
async fn strengthen(desk: &PeopleDesk, person: PersonId, password: String) -> Result<(), Refusal> {
    let hash = desk.passwords.hash(password, async { Ok(()) }).await?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    person::set_password(tx.conn(), person, &hash).await.map_err(broken)?;
    tx.commit().await.map_err(broken)
}

pub async fn log_out(desk: &PeopleDesk, secret: &SessionSecret) -> Result<(), Refusal> {
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    if let Some(person) = session::end(tx.conn(), &secret::hash(&secret.0)).await.map_err(broken)? {
        let event = NewEvent::plain(desk.parts.clock.now(), Some(person), "person", person.0, "log_out");
        event::append(tx.conn(), &[event]).await.map_err(broken)?;
    }
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}

pub async fn change_password(
    desk: &PeopleDesk,
    actor: &Actor,
    old: &str,
    new: &str,
    agent: &str,
) -> Result<SessionSecret, Refusal> {
    let new = check::password("password", new)?;
    prove(desk, actor.person, old).await?;
    let hash = desk.passwords.hash(new, async { Ok(()) }).await?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    if !person::set_password(tx.conn(), actor.person, &hash).await.map_err(broken)? {
        return Err(Refusal::LogIn);
    }
    session::end_all(tx.conn(), actor.person).await.map_err(broken)?;
    invitation::end_resets(tx.conn(), actor.person).await.map_err(broken)?;
    let session = begin(tx.conn(), actor.person, agent, now).await.map_err(broken)?;
    let event = NewEvent::plain(now, Some(actor.person), "person", actor.person.0, "change_password");
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(session)
}

/// Asks for the present password once more: whoever has a stolen session does not have it, and may not guess for long.
async fn prove(desk: &PeopleDesk, person: PersonId, password: &str) -> Result<(), Refusal> {
    let own = format!("proof:{person}");
    let tries = Tries { address: format!("{own}:all"), account: own.clone(), known: format!("{own}:known") };
    let bucket = take(desk, &tries).await?;
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let record = person::find(lease.conn(), person).await.map_err(broken)?;
    drop(lease);
    let hash = record.and_then(|person| person.password);
    if !desk.passwords.fits(check::spelled(password), hash).await? {
        let person = person.0;
        note(desk, Some(person), person, "fail_password", None).await.map_err(broken)?;
        return Err(Refusal::invalid("old", domain::refusal::Problem::WrongPassword));
    }
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    limit::give_back(tx.conn(), &tries.address, ADDRESS).await.map_err(broken)?;
    limit::give_back(tx.conn(), &bucket, ACCOUNT).await.map_err(broken)?;
    tx.commit().await.map_err(broken)
}
