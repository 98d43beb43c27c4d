//! Which accounts must have a second factor.

use crate::{
    accounts::{AccountService, admin_only, password_check},
    services::internal_error,
};
use domain::{
    Actor, DomainError,
    accounts::second_factor::{RequiredFor, SecondFactorRule},
};
use serde_json::json;
use store::{
    PoolRole,
    event::{self, NewEvent},
    second_factor,
};
use uuid::Uuid;

pub async fn read(service: &AccountService) -> Result<SecondFactorRule, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    second_factor::rule(lease.conn()).await.map_err(internal_error)
}

pub async fn change(
    service: &AccountService,
    actor: &Actor,
    required_for: RequiredFor,
) -> Result<SecondFactorRule, DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let stored = second_factor::rule_text(tx.conn()).await.map_err(internal_error)?;
    let before = second_factor::rule_of(stored.as_deref()).map_err(internal_error)?;
    let rule = before.changed(required_for, now);
    if rule == before {
        return Ok(rule);
    }
    let replaced = second_factor::replace_rule(tx.conn(), stored.as_deref(), rule).await;
    if !replaced.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    let event = NewEvent::simple(now, Some(actor.account), "settings", Uuid::nil(), "change");
    let detail = json!({ "second_factor": rule, "was": before }).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..event }]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(rule)
}
