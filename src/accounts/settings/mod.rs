//! Site settings.

pub mod look;
pub mod look_api;

use super::{AccountService, admin_only, check};
use crate::services::internal_error;
use domain::{Actor, DomainError, FieldProblems, settings::SiteSettings};
use store::{
    PoolRole,
    event::{self, NewEvent},
    setting,
};
use uuid::Uuid;

pub async fn read(service: &AccountService) -> Result<SiteSettings, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    setting::site_settings(lease.conn()).await.map_err(internal_error)
}

pub async fn change(
    service: &AccountService,
    actor: &Actor,
    settings: SiteSettings,
) -> Result<SiteSettings, DomainError> {
    admin_only(actor)?;
    let settings = checked(settings, FieldProblems::default())?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    setting::put_site_settings(tx.conn(), &settings).await.map_err(internal_error)?;
    let mut event =
        NewEvent::simple(service.parts.clock.now(), Some(actor.account), "settings", Uuid::nil(), "change");
    event.detail = serde_json::json!(settings).to_string();
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(settings)
}

/// Validates the settings, the last fields of a form with these `problems`.
pub fn checked(settings: SiteSettings, mut problems: FieldProblems) -> Result<SiteSettings, DomainError> {
    let settings = SiteSettings {
        title: problems.take(check::name("title", &settings.title))?,
        zone: problems.take(check::zone(&settings.zone))?,
        language: settings.language,
    };
    problems.finish()?;
    Ok(settings)
}
