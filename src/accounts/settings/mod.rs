//! Site settings.

pub mod desk_api;
pub mod first_week;
pub mod look;
pub mod look_api;
pub mod second_factor;
pub mod second_factor_api;
pub mod style;
mod style_check;

use super::{AccountService, admin_only, check};
use crate::{services::internal_error, tasks::bulk::to_zone};
use domain::{
    Actor, DomainError, FieldProblems,
    bulk_change::BulkOutcome,
    settings::{SettingsChange, SiteSettings, ZoneChange},
};
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

/// Changes the settings. With another time zone, `zone_change` says what becomes of the items that are planned
/// in the current one.
pub async fn change_desk(
    service: &AccountService,
    actor: &Actor,
    settings: SiteSettings,
    zone_change: Option<ZoneChange>,
) -> Result<SettingsChange, DomainError> {
    admin_only(actor)?;
    let settings = checked(settings, FieldProblems::default())?;
    let was = read(service).await?.zone;
    let unchanged = |settings| SettingsChange { settings, outcome: BulkOutcome::default() };
    if was == settings.zone {
        return change(service, actor, settings).await.map(unchanged);
    }
    let effect = to_zone::effect(&service.parts, &was, &settings.zone).await?;
    if effect.count == 0 {
        return change(service, actor, settings).await.map(unchanged);
    }
    let choice = zone_change.ok_or_else(|| DomainError::ZoneChoice { effect: Box::new(effect) })?;
    let outcome = to_zone::change(&service.parts, actor, (&was, &settings), choice).await?;
    Ok(SettingsChange { settings, outcome })
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
