//! One-time links: invitations and password resets.

use super::{
    AccountService, admin_only, check, known_browser,
    log_in::{self, second_step},
    password_rule, set_up,
};
use crate::{accounts::password_check, security::tokens, services::internal_error};
use domain::{
    AccountId, Actor, DomainError, FieldProblems, Role, Timestamp,
    account::{Client, Invitation, InvitationRow, LoggedIn, NewMember, OneTimeLink},
    input_limits::MAX_INVITATIONS_SHOWN,
    settings::SiteSettings,
};
use serde_json::json;
use store::{
    PoolRole, Tx, account,
    event::{self, NewEvent},
    invitation::{self, InvitationRecord},
    passkey, session, setting, token,
};
use uuid::Uuid;

const HOUR_MS: i64 = 3_600_000;
const INVITATION_LIFETIME_MS: i64 = 7 * 24 * HOUR_MS;
const RESET_LIFETIME_MS: i64 = 24 * HOUR_MS;

pub async fn invite(
    service: &AccountService,
    actor: &Actor,
    email: &str,
    name: &str,
    role: Role,
) -> Result<OneTimeLink, DomainError> {
    admin_only(actor)?;
    let mut problems = FieldProblems::default();
    let name = problems.take(check::person_name(name))?;
    let email = problems.take(check::email(email))?;
    problems.finish()?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    if account::find_by_email(tx.conn(), &email).await.map_err(internal_error)?.is_some() {
        return Err(DomainError::Taken { what: "e-mail".to_owned() });
    }
    let was_invited = invitation::end_for_email(tx.conn(), &email).await.map_err(internal_error)?;
    let wanted = InvitationRecord {
        token_hash: String::new(),
        purpose: "invite".to_owned(),
        account_id: None,
        email,
        name,
        role: role.as_str().to_owned(),
        expires_at: now.plus(INVITATION_LIFETIME_MS).millis(),
    };
    let event = invitation_event((now, actor), &wanted.name, "invite");
    Ok(OneTimeLink { was_invited, ..issue(service, tx, wanted, event).await? })
}

/// Returns the invitations that were not accepted yet.
pub async fn list(service: &AccountService, actor: &Actor) -> Result<Vec<InvitationRow>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let links = invitation::list(lease.conn(), MAX_INVITATIONS_SHOWN).await.map_err(internal_error)?;
    let row = |link: InvitationRecord| {
        Ok(InvitationRow {
            id: link.id().to_owned(),
            role: role_of(&link)?,
            expires_at: link.expires_at.into(),
            email: link.email,
            name: link.name,
        })
    };
    links.into_iter().map(row).collect()
}

pub async fn renew(service: &AccountService, actor: &Actor, id: &str) -> Result<OneTimeLink, DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let link = take_invitation(&mut tx, id).await?;
    if account::find_by_email(tx.conn(), &link.email).await.map_err(internal_error)?.is_some() {
        return Err(DomainError::Taken { what: "e-mail".to_owned() });
    }
    let wanted = InvitationRecord { expires_at: now.plus(INVITATION_LIFETIME_MS).millis(), ..link };
    let event = invitation_event((now, actor), &wanted.name, "renew_invitation");
    issue(service, tx, wanted, event).await
}

pub async fn withdraw(service: &AccountService, actor: &Actor, id: &str) -> Result<(), DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let link = take_invitation(&mut tx, id).await?;
    let event = invitation_event((service.parts.clock.now(), actor), &link.name, "withdraw_invitation");
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

/// Deletes an invitation and returns it.
async fn take_invitation(tx: &mut Tx, id: &str) -> Result<InvitationRecord, DomainError> {
    let link = invitation::withdraw(tx.conn(), id).await.map_err(internal_error)?;
    link.ok_or_else(|| DomainError::no_such("invitation"))
}

pub async fn reset(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
) -> Result<OneTimeLink, DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let person = account::find(tx.conn(), id).await.map_err(internal_error)?;
    let person =
        person.filter(|person| person.is_disabled == 0).ok_or_else(|| DomainError::no_such("account"))?;
    invitation::end_resets(tx.conn(), id).await.map_err(internal_error)?;
    let wanted = InvitationRecord {
        token_hash: String::new(),
        purpose: "reset".to_owned(),
        account_id: Some(id.0),
        email: person.email,
        name: person.name,
        role: person.role,
        expires_at: now.plus(RESET_LIFETIME_MS).millis(),
    };
    issue(service, tx, wanted, event_of(now, actor, id.0, "reset")).await
}

/// The event of an invitation. It names the invited person, who has no account.
fn invitation_event((now, actor): (Timestamp, &Actor), name: &str, verb: &'static str) -> NewEvent {
    NewEvent { detail: json!({ "name": name }).to_string(), ..event_of(now, actor, Uuid::nil(), verb) }
}

fn event_of(now: Timestamp, actor: &Actor, id: Uuid, verb: &'static str) -> NewEvent {
    NewEvent::simple(now, Some(actor.account), "account", id, verb)
}

/// Stores the link with a new token and commits.
async fn issue(
    service: &AccountService,
    mut tx: Tx,
    wanted: InvitationRecord,
    event: NewEvent,
) -> Result<OneTimeLink, DomainError> {
    let token = tokens::generate_secret();
    let link = InvitationRecord { token_hash: tokens::hash(&token), ..wanted };
    invitation::insert(tx.conn(), &link).await.map_err(internal_error)?;
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    let path = format!("/invite?token={token}");
    Ok(OneTimeLink { path, expires_at: link.expires_at.into(), was_invited: false })
}

/// Returns the invitation or reset of a link.
pub async fn find(service: &AccountService, token: &str) -> Result<Invitation, DomainError> {
    let link = open(service, &tokens::hash(token)).await?;
    Ok(Invitation {
        is_reset: link.purpose == "reset",
        role: role_of(&link)?,
        expires_at: link.expires_at.into(),
        email: link.email,
        name: link.name,
    })
}

async fn open(service: &AccountService, token_hash: &str) -> Result<InvitationRecord, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let link = invitation::find(lease.conn(), token_hash, service.parts.clock.now())
        .await
        .map_err(internal_error)?;
    link.filter(|link| link.purpose != "set_up").ok_or(DomainError::LinkSpent)
}

fn role_of(link: &InvitationRecord) -> Result<Role, DomainError> {
    link.role.parse().map_err(|_| DomainError::LinkSpent)
}

pub async fn accept(
    service: &AccountService,
    token: &str,
    member: NewMember,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let token_hash = tokens::hash(token);
    let link = open(service, &token_hash).await?;
    let (member, password) = checked(&link, member)?;
    let still_open = async { open(service, &token_hash).await.map(|_| ()) };
    let password = service.passwords.hash(password, still_open).await?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let taken = invitation::consume(tx.conn(), &token_hash, service.parts.clock.now())
        .await
        .map_err(internal_error)?;
    let link = taken.filter(|link| link.purpose != "set_up").ok_or(DomainError::LinkSpent)?;
    password_rule::require_on(tx.conn(), link.account_id.map(AccountId)).await?;
    match link.account_id {
        Some(person) => reset_password(service, tx, AccountId(person), &password, client).await,
        None => {
            let desk = setting::site_settings(tx.conn()).await.map_err(internal_error)?;
            let settings = SiteSettings {
                zone: member.zone.unwrap_or(desk.zone),
                language: member.language.unwrap_or(desk.language),
                ..desk
            };
            let now = service.parts.clock.now();
            let person =
                set_up::new_account(link.email.clone(), member.name, role_of(&link)?, &settings, now);
            set_up::store_and_log_in(service, tx, &person, &password, (client, "create")).await
        }
    }
}

/// Validates the input of the form. Returns it, and the password for hashing.
fn checked(link: &InvitationRecord, member: NewMember) -> Result<(NewMember, String), DomainError> {
    let mut problems = FieldProblems::default();
    let mut member = member;
    if link.purpose == "invite" {
        member.name = problems.take(check::person_name(&member.name))?;
        member.zone = member.zone.map(|zone| problems.take(check::zone(&zone))).transpose()?;
    }
    let known = [link.email.as_str(), &link.name, &member.name];
    let password = problems.take(check::password("password", &member.password, &known))?;
    problems.finish()?;
    Ok((member, password))
}

/// Sets a new password of an existing account and ends its sessions and API tokens.
async fn reset_password(
    service: &AccountService,
    mut tx: Tx,
    person: AccountId,
    password_hash: &str,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let now = service.parts.clock.now();
    if !account::set_password(tx.conn(), person, password_hash).await.map_err(internal_error)? {
        return Err(DomainError::LinkSpent);
    }
    session::end_all(tx.conn(), person).await.map_err(internal_error)?;
    passkey::turn_password_on(tx.conn(), person).await.map_err(internal_error)?;
    let ended = token::end_all(tx.conn(), person).await.map_err(internal_error)?;
    let event = NewEvent::simple(now, Some(person), "account", person.0, "change_password");
    let changed = NewEvent { detail: json!({ "tokens_ended": ended }).to_string(), ..event };
    let code_needed = second_step::ask_in(&mut tx, person, client, now).await.map_err(internal_error)?;
    if let Some(code_needed) = code_needed {
        event::append(tx.conn(), &[changed]).await.map_err(internal_error)?;
        tx.commit().await.map_err(internal_error)?;
        service.parts.committed.notify_waiters();
        return Err(code_needed);
    }
    let (session, mut events) = log_in::begin(&mut tx, person, client, now).await.map_err(internal_error)?;
    events.push(changed);
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    let known_browser = known_browser::mark(service, person, password_hash, None);
    Ok(LoggedIn { session, known_browser, is_persistent: client.stays_logged_in })
}
