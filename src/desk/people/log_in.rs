//! Logging in and out, and the password of those who are logged in.

use super::{PeopleDesk, check, known, tries::Tries};
use crate::{desk::broken, password_hash, secret};
use domain::{
    Actor, PersonId, Refusal, Timestamp,
    person::{ActorSession, Client, LoggedIn, NewPassword, SessionSecret},
    refusal::Problem,
};
use serde_json::json;
use store::{
    StoreError, Tx, Who,
    event::{self, NewEvent},
    invitation,
    person::{self, PersonRecord},
    session, token,
};
use uuid::Uuid;

/// Characters kept of what a browser says of itself.
const AGENT_CHARS: usize = 200;

pub async fn log_in(
    desk: &PeopleDesk,
    email: &str,
    password: &str,
    client: &Client,
) -> Result<LoggedIn, Refusal> {
    let email = check::folded(email);
    let person = find(desk, &email).await?;
    let browser = person.as_ref().and_then(|person| browser_of(desk, person, client));
    let tries = Tries::to_log_in(&email, &client.address, browser);
    tries.take(desk).await?;
    let hash = person.as_ref().and_then(|person| person.password.clone());
    let password = check::spelled(password);
    let fits = desk.passwords.fits(password.clone(), hash).await?;
    let Some(person) = person.as_ref().filter(|_| fits) else {
        let aimed_at = person.as_ref().map_or(Uuid::nil(), |person| person.id);
        note(desk, None, aimed_at, "fail_log_in", Some(&client.address)).await.map_err(broken)?;
        return Err(Refusal::WrongLogIn);
    };
    let session = enter(desk, &tries, person, client).await.map_err(broken)?;
    let mut hash = person.password.clone().unwrap_or_default();
    if password_hash::is_outdated(&hash) {
        hash = strengthen(desk, PersonId(person.id), password).await?;
    }
    Ok(LoggedIn { session, mark: known::mark(desk, PersonId(person.id), &hash, browser) })
}

/// The identity of the browser, if this account has logged in there.
fn browser_of(desk: &PeopleDesk, person: &PersonRecord, client: &Client) -> Option<Uuid> {
    let hash = person.password.as_deref()?;
    known::find(desk, PersonId(person.id), hash, &client.marks)
}

/// Whoever has this address and may log in.
async fn find(desk: &PeopleDesk, email: &str) -> Result<Option<PersonRecord>, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let person = person::find_by_email(lease.conn(), email).await.map_err(broken)?;
    Ok(person.filter(|person| person.disabled == 0))
}

/// Gives the try back and begins the session; clears away sessions that are too old on the way.
async fn enter(
    desk: &PeopleDesk,
    tries: &Tries,
    person: &PersonRecord,
    client: &Client,
) -> Result<SessionSecret, StoreError> {
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await?;
    tries.give_back(tx.conn()).await?;
    session::forget(tx.conn(), now.plus(-super::session::ABSOLUTE_MS), now.plus(-super::session::IDLE_MS))
        .await?;
    let (session, mut events) = begin(&mut tx, PersonId(person.id), client, now).await?;
    events.push(event_of(now, Some(person.id), person.id, "log_in", Some(&client.address)));
    event::append(tx.conn(), &events).await?;
    tx.commit().await?;
    desk.parts.committed.notify_waiters();
    Ok(session)
}

/// Writes down what happened at the log-in: of an unknown account nothing but that, and from where.
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

/// Begins a session, of which only the hash is stored, and ends the one that the browser carried. Answers the events of that,
/// to be appended last.
pub async fn begin(
    tx: &mut Tx,
    person: PersonId,
    client: &Client,
    now: Timestamp,
) -> Result<(SessionSecret, Vec<NewEvent>), StoreError> {
    let mut events = Vec::new();
    if let Some(SessionSecret(carried)) = &client.session
        && let Some(owner) = session::end(tx.conn(), &secret::hash(carried)).await?
    {
        events.push(NewEvent::plain(now, Some(owner), "person", owner.0, "log_out"));
    }
    let secret = secret::fresh();
    let agent =
        client.agent.chars().filter(|letter| !letter.is_control()).take(AGENT_CHARS).collect::<String>();
    session::insert(tx.conn(), person, &secret::hash(&secret), &agent, now).await?;
    Ok((SessionSecret(secret), events))
}

/// Hashes the password again with today's cost; the new hash.
async fn strengthen(desk: &PeopleDesk, person: PersonId, password: String) -> Result<String, Refusal> {
    let hash = desk.passwords.hash(password, async { Ok(()) }).await?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    person::set_password(tx.conn(), person, &hash).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    Ok(hash)
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
    change: NewPassword,
    client: &Client,
) -> Result<LoggedIn, Refusal> {
    let person = own(desk, actor).await?;
    let new = check::password("password", &change.new, &[&person.email, &person.name])?;
    let browser = prove(desk, &person, ("old", &change.old), client).await?;
    let hash = desk.passwords.hash(new, async { Ok(()) }).await?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    if !person::set_password(tx.conn(), actor.person, &hash).await.map_err(broken)? {
        return Err(Refusal::LogIn);
    }
    session::end_all(tx.conn(), actor.person).await.map_err(broken)?;
    let ended = token::end_all_but(tx.conn(), actor.person, &change.keep).await.map_err(broken)?;
    invitation::end_resets(tx.conn(), actor.person).await.map_err(broken)?;
    let (session, mut events) = begin(&mut tx, actor.person, client, now).await.map_err(broken)?;
    let event = NewEvent::plain(now, Some(actor.person), "person", actor.person.0, "change_password");
    events.push(NewEvent { detail: json!({ "tokens_ended": ended }).to_string(), ..event });
    event::append(tx.conn(), &events).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(LoggedIn { session, mark: known::mark(desk, actor.person, &hash, browser) })
}

async fn own(desk: &PeopleDesk, actor: &Actor) -> Result<PersonRecord, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    person::find(lease.conn(), actor.person).await.map_err(broken)?.ok_or(Refusal::LogIn)
}

/// Checks the present password, typed into `field`: a stolen session does not have it, and may not guess for long. Wrong ones
/// count as those of log-ins do. Answers the identity of a known browser.
async fn prove(
    desk: &PeopleDesk,
    person: &PersonRecord,
    (field, typed): (&str, &str),
    client: &Client,
) -> Result<Option<Uuid>, Refusal> {
    let browser = browser_of(desk, person, client);
    let tries = Tries::to_confirm(&person.email, browser);
    tries.take(desk).await?;
    if !desk.passwords.fits(check::spelled(typed), person.password.clone()).await? {
        note(desk, Some(person.id), person.id, "fail_password", None).await.map_err(broken)?;
        return Err(Refusal::invalid(field, Problem::WrongPassword));
    }
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    tries.give_back(tx.conn()).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    Ok(browser)
}

pub async fn confirm_password(
    desk: &PeopleDesk,
    actor: &Actor,
    password: &str,
    client: &Client,
) -> Result<Actor, Refusal> {
    let Some(session) = &actor.session else { return Err(Refusal::LogIn) };
    prove(desk, &own(desk, actor).await?, ("password", password), client).await?;
    let password_at = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    session::prove(tx.conn(), &session.hash, password_at).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    let session = ActorSession { hash: session.hash.clone(), password_at };
    Ok(Actor { session: Some(session), ..actor.clone() })
}
