//! Locks the accounts of a change by an admin, so that concurrent changes cannot remove the last one.

use crate::services::internal_error;
use domain::{AccountId, Actor, DomainError, Role};
use store::{
    Tx,
    account::{self, LockedAccount},
};

/// The accounts of a change, locked until its transaction ends.
pub struct Locked(Vec<LockedAccount>);

impl Locked {
    /// Locks the actor, these accounts and all admins in id order. Must be the first lock of the
    /// transaction. Refuses an actor who is no admin any more.
    pub async fn all(
        tx: &mut Tx,
        actor: &Actor,
        id: AccountId,
        to: Option<AccountId>,
    ) -> Result<Self, DomainError> {
        let ids = [actor.account, id, to.unwrap_or(id)];
        let locked = Self(account::lock_with_admins(tx.conn(), ids).await.map_err(internal_error)?);
        let is_admin = locked.find(actor.account).is_some_and(is_active_admin);
        if is_admin { Ok(locked) } else { Err(DomainError::NotAllowed) }
    }

    fn find(&self, id: AccountId) -> Option<&LockedAccount> {
        self.0.iter().find(|one| one.id == id.0)
    }

    /// Whether the account exists and is enabled.
    pub fn is_enabled(&self, id: AccountId) -> bool {
        self.find(id).is_some_and(|one| one.is_disabled == 0)
    }

    /// Refuses a change that would leave no admin without `id`.
    pub fn require_other_admin(&self, id: AccountId) -> Result<(), DomainError> {
        let has_other = self.0.iter().any(|one| one.id != id.0 && is_active_admin(one));
        if has_other { Ok(()) } else { Err(DomainError::LastAdmin) }
    }
}

fn is_active_admin(one: &LockedAccount) -> bool {
    one.is_disabled == 0 && one.role == Role::Admin.as_str()
}
