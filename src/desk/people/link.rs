//! One-time links: invitations, and resets of a password.

use super::{PeopleDesk, admin_only, check, known, log_in, set_up};
use crate::{
    desk::{broken, proof},
    secret,
};
use domain::{
    Actor, PersonId, Refusal, Role, Timestamp,
    person::{Client, Invitation, Link, LoggedIn},
};
use serde_json::json;
use store::{
    Tx, Who,
    event::{self, NewEvent},
    invitation::{self, InvitationRecord},
    person, session, setting, token,
};
use uuid::Uuid;

const HOUR_MS: i64 = 3_600_000;
const INVITE_MS: i64 = 7 * 24 * HOUR_MS;
const RESET_MS: i64 = 24 * HOUR_MS;

pub async fn invite(
    desk: &PeopleDesk,
    actor: &Actor,
    email: &str,
    name: &str,
    role: Role,
) -> Result<Link, Refusal> {
    admin_only(actor)?;
    let email = check::email(email)?;
    let name = check::person_name(name)?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    proof::require(tx.conn(), actor, now).await?;
    if person::find_by_email(tx.conn(), &email).await.map_err(broken)?.is_some() {
        return Err(Refusal::Taken { what: "e-mail".to_owned() });
    }
    invitation::end_for(tx.conn(), &email).await.map_err(broken)?;
    let wanted = InvitationRecord {
        token_hash: String::new(),
        purpose: "invite".to_owned(),
        person_id: None,
        email,
        name,
        role: role.as_str().to_owned(),
        expires_at: now.plus(INVITE_MS).millis(),
    };
    hand_out(desk, tx, wanted, event_of(now, actor, Uuid::nil(), "invite")).await
}

pub async fn reset(desk: &PeopleDesk, actor: &Actor, id: PersonId) -> Result<Link, Refusal> {
    admin_only(actor)?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    proof::require(tx.conn(), actor, now).await?;
    let person = person::find(tx.conn(), id).await.map_err(broken)?;
    let person = person.filter(|person| person.disabled == 0).ok_or_else(|| Refusal::no_such("person"))?;
    invitation::end_resets(tx.conn(), id).await.map_err(broken)?;
    let wanted = InvitationRecord {
        token_hash: String::new(),
        purpose: "reset".to_owned(),
        person_id: Some(id.0),
        email: person.email,
        name: person.name,
        role: person.role,
        expires_at: now.plus(RESET_MS).millis(),
    };
    hand_out(desk, tx, wanted, event_of(now, actor, id.0, "reset")).await
}

fn event_of(now: Timestamp, actor: &Actor, id: Uuid, verb: &'static str) -> NewEvent {
    NewEvent::plain(now, Some(actor.person), "person", id, verb)
}

/// Stores the link under a fresh token and commits.
async fn hand_out(
    desk: &PeopleDesk,
    mut tx: Tx,
    wanted: InvitationRecord,
    event: NewEvent,
) -> Result<Link, Refusal> {
    let token = secret::fresh();
    let link = InvitationRecord { token_hash: secret::hash(&token), ..wanted };
    invitation::insert(tx.conn(), &link).await.map_err(broken)?;
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(Link { path: format!("/invite?token={token}"), expires_at: link.expires_at.into() })
}

/// What a link is for.
pub async fn find(desk: &PeopleDesk, token: &str) -> Result<Invitation, Refusal> {
    let link = open(desk, &secret::hash(token)).await?;
    Ok(Invitation {
        is_reset: link.purpose == "reset",
        role: role_of(&link)?,
        expires_at: link.expires_at.into(),
        email: link.email,
        name: link.name,
    })
}

async fn open(desk: &PeopleDesk, token_hash: &str) -> Result<InvitationRecord, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let link = invitation::find(lease.conn(), token_hash, desk.parts.clock.now()).await.map_err(broken)?;
    link.filter(|link| link.purpose != "set_up").ok_or(Refusal::LinkSpent)
}

fn role_of(link: &InvitationRecord) -> Result<Role, Refusal> {
    link.role.parse().map_err(|_| Refusal::LinkSpent)
}

pub async fn accept(
    desk: &PeopleDesk,
    token: &str,
    name: &str,
    password: &str,
    client: &Client,
) -> Result<LoggedIn, Refusal> {
    let token_hash = secret::hash(token);
    let link = open(desk, &token_hash).await?;
    let is_reset = link.purpose == "reset";
    let name = if is_reset { String::new() } else { check::person_name(name)? };
    let password = check::password("password", password, &[&link.email, &link.name, &name])?;
    let still_open = async { open(desk, &token_hash).await.map(|_| ()) };
    let password = desk.passwords.hash(password, still_open).await?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let taken = invitation::take(tx.conn(), &token_hash, desk.parts.clock.now()).await.map_err(broken)?;
    let link = taken.filter(|link| link.purpose != "set_up").ok_or(Refusal::LinkSpent)?;
    match link.person_id {
        Some(person) => renew(desk, tx, PersonId(person), &password, client).await,
        None => {
            let settings = setting::desk(tx.conn()).await.map_err(broken)?;
            let now = desk.parts.clock.now();
            let person = set_up::newcomer(link.email.clone(), name, role_of(&link)?, &settings, now);
            set_up::join(desk, tx, &person, &password, (client, "create")).await
        }
    }
}

/// A new password for an account that exists; ends its sessions and API tokens.
async fn renew(
    desk: &PeopleDesk,
    mut tx: Tx,
    person: PersonId,
    password_hash: &str,
    client: &Client,
) -> Result<LoggedIn, Refusal> {
    let now = desk.parts.clock.now();
    if !person::set_password(tx.conn(), person, password_hash).await.map_err(broken)? {
        return Err(Refusal::LinkSpent);
    }
    session::end_all(tx.conn(), person).await.map_err(broken)?;
    let ended = token::end_all(tx.conn(), person).await.map_err(broken)?;
    let (session, mut events) = log_in::begin(&mut tx, person, client, now).await.map_err(broken)?;
    let event = NewEvent::plain(now, Some(person), "person", person.0, "change_password");
    events.push(NewEvent { detail: json!({ "tokens_ended": ended }).to_string(), ..event });
    event::append(tx.conn(), &events).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(LoggedIn { session, mark: known::mark(desk, person, password_hash, None) })
}
