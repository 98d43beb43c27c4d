//! What an admin does for an account that has lost its passkeys.

use super::commit;
use crate::{
    accounts::{AccountService, admin_only, password_check},
    services::internal_error,
};
use domain::{AccountId, Actor, DomainError, account::Account};
use store::{PoolRole, account, event::NewEvent, passkey, session};

/// Returns the accounts that have a passkey.
pub async fn accounts(service: &AccountService, actor: &Actor) -> Result<Vec<Account>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let ids = passkey::accounts(lease.conn()).await.map_err(internal_error)?;
    let people = account::all(lease.conn()).await.map_err(internal_error)?;
    let people = people.into_iter().filter(|person| ids.contains(&person.id));
    people.map(|person| person.try_into().map_err(internal_error)).collect()
}

/// Removes the passkeys of an account, lets its password log in, and ends its sessions.
pub async fn reset(service: &AccountService, actor: &Actor, id: AccountId) -> Result<(), DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    passkey::lock(tx.conn(), id).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let removed = passkey::remove_all(tx.conn(), id).await.map_err(internal_error)?;
    passkey::turn_password_on(tx.conn(), id).await.map_err(internal_error)?;
    if removed == 0 {
        return Err(DomainError::no_such("passkey"));
    }
    session::end_all(tx.conn(), id).await.map_err(internal_error)?;
    let actor = Some(actor.account);
    commit(service, tx, &[NewEvent::simple(now, actor, "account", id.0, "reset_passkeys")]).await
}
