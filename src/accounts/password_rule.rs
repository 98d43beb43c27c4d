//! Log-ins with a password can be switched off for the desk, from the command line. One admin keeps them for emergencies.

use crate::{accounts::AccountService, services::internal_error};
use domain::{AccountId, DomainError, Role, accounts::sign_in::SignInProblem};
use serde_json::json;
use store::{
    Conn, PoolRole, account,
    event::{self, NewEvent},
    setting, sign_in,
};
use uuid::Uuid;

/// Setting with the id of the admin that keeps its password. Empty or unset: all accounts keep theirs.
const SETTING: &str = "sign_in.emergency_admin";

/// Refuses a log-in with a password if they are switched off. `account`: its account; `None`: a new one.
pub async fn require_on(conn: Conn<'_>, account: Option<AccountId>) -> Result<(), DomainError> {
    let kept = setting::find(conn, SETTING).await.map_err(internal_error)?.unwrap_or_default();
    let is_kept = account.is_some_and(|account| account.to_string() == kept);
    if kept.is_empty() || is_kept { Ok(()) } else { Err(SignInProblem::PasswordsOff.into()) }
}

/// Switches log-ins with a password off for all accounts but this admin, which must have one; `None`: on. `NoSuch` without
/// an enabled provider or such an admin.
pub async fn switch(service: &AccountService, emergency: Option<AccountId>) -> Result<(), DomainError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if let Some(id) = emergency {
        let found = account::find(tx.conn(), id).await.map_err(internal_error)?;
        let is_admin = found.is_some_and(|person| {
            person.role == Role::Admin.as_str() && person.is_disabled == 0 && person.password_hash.is_some()
        });
        if !is_admin {
            return Err(DomainError::no_such("enabled admin with a password"));
        }
        let providers = sign_in::list(tx.conn()).await.map_err(internal_error)?;
        if !providers.iter().any(|provider| provider.is_enabled != 0) {
            return Err(DomainError::no_such("enabled provider"));
        }
    }
    let value = emergency.map(|id| id.to_string()).unwrap_or_default();
    setting::put(tx.conn(), SETTING, &value).await.map_err(internal_error)?;
    let event = NewEvent::simple(service.parts.clock.now(), None, "settings", Uuid::nil(), "change");
    let detail = json!({ "passwords": emergency.is_none() }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
