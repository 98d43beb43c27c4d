//! Accounts: the user's own profile, and changes by admins.

use super::{AccountService, admin_only, check};
use crate::{
    accounts::password_check,
    services::{Presenter, internal_error},
};
use domain::{
    AccountId, Actor, DomainError, FieldProblems, Role, Timestamp,
    account::{Account, OnDisable, ProfileEdit},
    state::State,
    task::{TaskRow, reason},
};
use serde_json::json;
use store::{
    PoolRole, Tx,
    account::{self, AccountRecord},
    event::{self, NewEvent},
    invitation, owner_tasks, session, task_list, token,
};

pub async fn me(service: &AccountService, actor: &Actor) -> Result<Account, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    account_of(account::find(lease.conn(), actor.account).await.map_err(internal_error)?)
}

fn account_of(record: Option<AccountRecord>) -> Result<Account, DomainError> {
    record.ok_or_else(|| DomainError::no_such("account"))?.try_into().map_err(internal_error)
}

pub async fn change_profile(
    service: &AccountService,
    actor: &Actor,
    edit: ProfileEdit,
) -> Result<Account, DomainError> {
    let mut problems = FieldProblems::default();
    let name = edit.name.map(|name| problems.take(check::person_name(&name))).transpose()?;
    let zone = edit.zone.map(|zone| problems.take(check::zone(&zone))).transpose()?;
    problems.finish()?;
    let edit = ProfileEdit { name, zone, ..edit };
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let was = account_of(account::find(tx.conn(), actor.account).await.map_err(internal_error)?)?;
    let person =
        account_of(account::set_profile(tx.conn(), actor.account, &edit).await.map_err(internal_error)?)?;
    let mut event = event_of(service.parts.clock.now(), actor, actor.account, "change_profile");
    if was.name != person.name {
        event.detail = json!({ "name": person.name, "was": was.name }).to_string();
    }
    commit_with_events(service, tx, vec![event]).await?;
    Ok(person)
}

pub async fn list(service: &AccountService, actor: &Actor) -> Result<Vec<Account>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let people = account::all(lease.conn()).await.map_err(internal_error)?;
    people.into_iter().map(|record| record.try_into().map_err(internal_error)).collect()
}

pub async fn change_role(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    role: Role,
) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, service.parts.clock.now()).await?;
    if role != Role::Admin {
        require_other_admin(&mut tx, id).await?;
    }
    let was = account_of(account::find(tx.conn(), id).await.map_err(internal_error)?)?;
    if was.role == role {
        return Ok(was);
    }
    let person = account_of(account::set_role(tx.conn(), id, role).await.map_err(internal_error)?)?;
    session::end_all(tx.conn(), id).await.map_err(internal_error)?;
    let mut event = event_of(service.parts.clock.now(), actor, id, "change_role");
    event.detail = json!({ "role": role, "was": was.role }).to_string();
    commit_with_events(service, tx, vec![event]).await?;
    Ok(person)
}

/// Locks all admins and refuses a change that would remove the last one.
async fn require_other_admin(tx: &mut Tx, id: AccountId) -> Result<(), DomainError> {
    let admins = account::lock_admins(tx.conn()).await.map_err(internal_error)?;
    if admins == [id.0] { Err(DomainError::LastAdmin) } else { Ok(()) }
}

pub async fn waiting_of(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
) -> Result<Vec<TaskRow>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, service.parts.clock.now()).await?;
    let lines = task_list::waiting_of_owner(lease.conn(), id).await.map_err(internal_error)?;
    Ok(presenter.tasks(lines))
}

pub async fn disable(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    on_disable: Option<OnDisable>,
) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let mut events = handle_owned_tasks(&mut tx, actor, id, on_disable, now).await?;
    require_other_admin(&mut tx, id).await?;
    let person = account_of(account::set_disabled(tx.conn(), id, true).await.map_err(internal_error)?)?;
    session::end_all(tx.conn(), id).await.map_err(internal_error)?;
    token::end_all(tx.conn(), id).await.map_err(internal_error)?;
    invitation::end_resets(tx.conn(), id).await.map_err(internal_error)?;
    events.push(event_of(now, actor, id, "disable"));
    commit_with_events(service, tx, events).await?;
    Ok(person)
}

/// Handles the account's scheduled tasks as requested; refuses if nothing was requested. Returns
/// the events.
async fn handle_owned_tasks(
    tx: &mut Tx,
    actor: &Actor,
    id: AccountId,
    on_disable: Option<OnDisable>,
    now: Timestamp,
) -> Result<Vec<NewEvent>, DomainError> {
    match on_disable {
        Some(OnDisable::Keep) => hand_over(tx, actor, id, actor.account, now).await,
        Some(OnDisable::HandOver(to)) => hand_over(tx, actor, id, to, now).await,
        None => match owner_tasks::count(tx.conn(), id).await.map_err(internal_error)? {
            0 => Ok(Vec::new()),
            count => Err(DomainError::HasTasks { count }),
        },
        Some(OnDisable::Cancel) => {
            owner_tasks::lock_targets(tx.conn(), id).await.map_err(internal_error)?;
            let meetings = owner_tasks::cancel_meetings(tx.conn(), id).await.map_err(internal_error)?;
            let cancelled = owner_tasks::cancel(tx.conn(), id).await.map_err(internal_error)?;
            let meetings = meetings.into_iter().map(|(meeting, version)| NewEvent {
                to_state: Some("cancelled"),
                version: Some(version),
                detail: json!({ "reason": reason::OWNER_DISABLED }).to_string(),
                ..NewEvent::simple(now, Some(actor.account), "meeting", meeting, "cancel")
            });
            let event = |(task, version)| NewEvent {
                at: now,
                actor: Some(actor.account),
                entity: "task",
                entity_id: task,
                verb: "cancel",
                from_state: Some(State::Scheduled.as_str()),
                to_state: Some(State::Cancelled.as_str()),
                version: Some(version),
                detail: json!({ "reason": reason::OWNER_DISABLED }).to_string(),
            };
            Ok(meetings.chain(cancelled.into_iter().map(event)).collect())
        }
    }
}

/// Makes `to` the owner of the scheduled tasks of `from` and of their articles. Returns the events.
async fn hand_over(
    tx: &mut Tx,
    actor: &Actor,
    from: AccountId,
    to: AccountId,
    now: Timestamp,
) -> Result<Vec<NewEvent>, DomainError> {
    if to != actor.account {
        let is_enabled = account::lock_enabled(tx.conn(), to).await.map_err(internal_error)?;
        if to == from || !is_enabled {
            return Err(DomainError::no_such("account"));
        }
    }
    owner_tasks::lock_targets(tx.conn(), from).await.map_err(internal_error)?;
    let handed = owner_tasks::reassign(tx.conn(), from, to).await.map_err(internal_error)?;
    let event = |(task, version)| NewEvent {
        version: Some(version),
        ..NewEvent::simple(now, Some(actor.account), "task", task, "hand_over")
    };
    Ok(handed.into_iter().map(event).collect())
}

pub async fn enable(service: &AccountService, actor: &Actor, id: AccountId) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let person = account_of(account::set_disabled(tx.conn(), id, false).await.map_err(internal_error)?)?;
    let event = event_of(service.parts.clock.now(), actor, id, "enable");
    commit_with_events(service, tx, vec![event]).await?;
    Ok(person)
}

fn event_of(now: Timestamp, actor: &Actor, id: AccountId, verb: &'static str) -> NewEvent {
    NewEvent::simple(now, Some(actor.account), "account", id.0, verb)
}

async fn commit_with_events(
    service: &AccountService,
    mut tx: Tx,
    events: Vec<NewEvent>,
) -> Result<(), DomainError> {
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
