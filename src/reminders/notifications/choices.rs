//! What accounts have chosen to be notified of.

use crate::{
    app_state::AppState,
    services::{internal_error, write_error},
};
use domain::{
    Actor, DomainError,
    error::ValidationError,
    reminders::{NotificationChoices, check_usual_minutes},
};
use store::{
    PoolRole, announcement,
    event::{self, NewEvent},
};

/// What the user has chosen.
pub async fn find(parts: &AppState, actor: &Actor) -> Result<NotificationChoices, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    announcement::choices(lease.conn(), actor.account).await.map_err(internal_error)
}

/// Stores what the user has chosen.
pub async fn choose(
    parts: &AppState,
    actor: &Actor,
    choices: NotificationChoices,
) -> Result<NotificationChoices, DomainError> {
    if !choices.has_valid_times() {
        return Err(DomainError::invalid("quiet_until", ValidationError::SameAsStart));
    }
    check_usual_minutes("meeting_reminder_minutes", &choices.usual_minutes())?;
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    announcement::choose(tx.conn(), actor.account, &choices).await.map_err(write_error(parts))?;
    let changed =
        NewEvent::simple(parts.clock.now(), Some(actor.account), "account", actor.account.0, "change");
    event::append(tx.conn(), &[changed]).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    parts.committed.notify_waiters();
    Ok(choices)
}
