//! Settings of the desk.

use super::{PeopleDesk, admin_only, check};
use crate::desk::broken;
use domain::{Actor, Refusal, settings::DeskSettings};
use store::{
    Who,
    event::{self, NewEvent},
    setting,
};
use uuid::Uuid;

pub async fn read(desk: &PeopleDesk) -> Result<DeskSettings, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    setting::desk(lease.conn()).await.map_err(broken)
}

pub async fn change(
    desk: &PeopleDesk,
    actor: &Actor,
    settings: DeskSettings,
) -> Result<DeskSettings, Refusal> {
    admin_only(actor)?;
    let settings = checked(settings)?;
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    setting::put_desk(tx.conn(), &settings).await.map_err(broken)?;
    let mut event =
        NewEvent::plain(desk.parts.clock.now(), Some(actor.person), "settings", Uuid::nil(), "change");
    event.detail = serde_json::json!(settings).to_string();
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(settings)
}

/// The settings, if they can be.
pub fn checked(settings: DeskSettings) -> Result<DeskSettings, Refusal> {
    Ok(DeskSettings {
        title: check::name("title", &settings.title)?,
        zone: check::zone(&settings.zone)?,
        language: settings.language,
    })
}
