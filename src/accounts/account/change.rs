//! Changes of an account by an admin: its role, and enabling it again.

use super::{account_of, commit_with_events, event_of, lock::Locked};
use crate::{
    accounts::{AccountService, admin_only, password_check},
    services::internal_error,
};
use domain::{AccountId, Actor, DomainError, Role, account::Account};
use serde_json::json;
use store::{PoolRole, Tx, account, rule_waits, session};

pub async fn change_role(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    role: Role,
) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let locked = Locked::all(&mut tx, actor, id, None).await?;
    password_check::require_recent(tx.conn(), actor, service.parts.clock.now()).await?;
    change_role_in(service, tx, actor, (&locked, id), role).await
}

/// Changes the role of a locked account and commits.
pub async fn change_role_in(
    service: &AccountService,
    mut tx: Tx,
    actor: &Actor,
    (locked, id): (&Locked, AccountId),
    role: Role,
) -> Result<Account, DomainError> {
    let was = account_of(account::find(tx.conn(), id).await.map_err(internal_error)?)?;
    if role != Role::Admin {
        locked.require_other_admin(id)?;
    }
    if was.role == role {
        return Ok(was);
    }
    let changed = account::set_role(tx.conn(), id, was.role, role).await.map_err(internal_error)?;
    let person = account_of(Some(changed.ok_or(DomainError::Changed)?))?;
    session::end_all(tx.conn(), id).await.map_err(internal_error)?;
    let mut event = event_of(service.parts.clock.now(), actor, id, "change_role");
    event.detail = json!({ "role": role, "was": was.role }).to_string();
    commit_with_events(service, tx, vec![event]).await?;
    Ok(person)
}

pub async fn enable(service: &AccountService, actor: &Actor, id: AccountId) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    Locked::all(&mut tx, actor, id, None).await?;
    enable_in(service, tx, actor, id).await
}

/// Enables a locked account and commits. Does nothing if it is enabled.
pub async fn enable_in(
    service: &AccountService,
    mut tx: Tx,
    actor: &Actor,
    id: AccountId,
) -> Result<Account, DomainError> {
    let was = account_of(account::find(tx.conn(), id).await.map_err(internal_error)?)?;
    let changed = account::set_disabled(tx.conn(), id, false).await.map_err(internal_error)?;
    let Some(changed) = changed else { return Ok(was) };
    rule_waits::act_now_for(tx.conn(), id).await.map_err(internal_error)?;
    let event = event_of(service.parts.clock.now(), actor, id, "enable");
    commit_with_events(service, tx, vec![event]).await?;
    account_of(Some(changed))
}
