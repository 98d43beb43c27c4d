//! The first steps on a new desk.

use crate::{
    accounts::{AccountService, admin_only},
    services::internal_error,
};
use domain::{
    Actor, DomainError,
    accounts::first_week::{FirstStep, FirstWeek},
};
use store::{PoolRole, first_week};

/// How long a desk is new, milliseconds: 30 days.
const NEW_FOR_MS: i64 = 30 * 24 * 3_600_000;

pub async fn read(service: &AccountService, actor: &Actor) -> Result<Option<FirstWeek>, DomainError> {
    if !actor.is_admin() {
        return Ok(None);
    }
    let new_since = service.parts.clock.now().plus(-NEW_FOR_MS);
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let facts = first_week::facts(lease.conn(), actor.account, new_since).await.map_err(internal_error)?;
    let is_hidden = facts.iter().any(|fact| matches!(fact.as_str(), first_week::CLOSED | first_week::OLD));
    let done: Vec<FirstStep> = facts.iter().filter_map(|fact| fact.parse().ok()).collect();
    let is_over = is_hidden || done.len() == FirstStep::ALL.len();
    Ok(Some(FirstWeek { done, is_over }))
}

pub async fn close(service: &AccountService, actor: &Actor) -> Result<(), DomainError> {
    admin_only(actor)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    first_week::close(tx.conn()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)
}
