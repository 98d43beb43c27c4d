//! Undoes the last change of an account by the admin who made it. What the change ended (sessions,
//! tokens) stays ended.

use super::{
    change::{change_role_in, enable_in},
    disable::{OwnedTasks, disable_in},
    lock::Locked,
};
use crate::{
    accounts::{AccountService, admin_only, password_check},
    services::internal_error,
};
use domain::{
    AccountId, Actor, DomainError, Role, Timestamp,
    account::{Account, AccountUndo},
    input_limits::PASSWORD_GRACE_MS,
};
use serde::Deserialize;
use store::{
    PoolRole,
    account_change::{self, AccountChange},
};

/// What an undo does.
enum Reversal {
    /// Sets the role before.
    Role(Role),
    /// Enables the account.
    Enable,
    /// Disables the account.
    Disable,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Detail {
    was: Option<Role>,
    tasks: u64,
}

/// Returns what undoes the change; `None`: the actor did not make it, it is too old, or tasks were
/// handed over or cancelled with it.
fn reversal_of(change: &AccountChange, actor: &Actor, now: Timestamp) -> Option<Reversal> {
    let is_recent = now.since(change.at.into()) < PASSWORD_GRACE_MS;
    if change.actor_id != Some(actor.account.0) || !is_recent {
        return None;
    }
    let detail: Detail = serde_json::from_str(&change.detail).ok()?;
    match change.verb.as_str() {
        "change_role" => detail.was.map(Reversal::Role),
        "disable" => (detail.tasks == 0).then_some(Reversal::Enable),
        "enable" => Some(Reversal::Disable),
        _ => None,
    }
}

/// Returns the last change of an account if the actor may undo it now.
pub async fn undo_offer(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
) -> Result<Option<AccountUndo>, DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let last = account_change::last(lease.conn(), id).await.map_err(internal_error)?;
    let last = last.filter(|last| !actor.needs_password(now) && reversal_of(last, actor, now).is_some());
    Ok(last.map(|last| AccountUndo { account: id, verb: last.verb, seen: last.seq }))
}

/// Undoes the change with this number in the event log. `CannotUndo` if it is not the last one, or
/// can no longer be undone.
pub async fn undo_change(
    service: &AccountService,
    actor: &Actor,
    id: AccountId,
    seen: i64,
) -> Result<Account, DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let locked = Locked::all(&mut tx, actor, id, None).await?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let last = account_change::last(tx.conn(), id).await.map_err(internal_error)?;
    let last = last.filter(|last| last.seq == seen).ok_or(DomainError::CannotUndo)?;
    match reversal_of(&last, actor, now).ok_or(DomainError::CannotUndo)? {
        Reversal::Role(role) => change_role_in(service, tx, actor, (&locked, id), role).await,
        Reversal::Enable => enable_in(service, tx, actor, id).await,
        Reversal::Disable => disable_in(service, tx, actor, (&locked, id), OwnedTasks::default()).await,
    }
}
