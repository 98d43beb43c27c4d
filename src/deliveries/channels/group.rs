//! Resends all deliveries of a channel that have the same state.

use crate::{server::app_state::AppState, services::internal_error};
use domain::{
    Actor, DomainError,
    channel::{Channel, ChannelState},
    delivery::DeliveryState,
    error::ValidationError,
    input_limits::MAX_RETRY_ITEMS,
    task::BulkResult,
};
use serde_json::json;
use store::{
    PoolRole, dashboard, delivery,
    event::{self, NewEvent},
};

/// Resends the deliveries and writes one event for each.
pub async fn resend(
    parts: &AppState,
    actor: &Actor,
    channel: &Channel,
    state: DeliveryState,
    most: u64,
) -> Result<BulkResult, DomainError> {
    if !matches!(state, DeliveryState::Failed | DeliveryState::Unconfirmed) {
        return Err(DomainError::invalid(
            "state",
            ValidationError::NotOneOf { words: "failed, unconfirmed".to_owned() },
        ));
    }
    if channel.state == ChannelState::Off {
        return Err(DomainError::WrongState { what: "channel".to_owned(), state: channel.state.to_string() });
    }
    let (now, most) = (parts.clock.now(), i64::try_from(most.min(MAX_RETRY_ITEMS)).unwrap_or(0));
    let since = now.plus(-dashboard::ATTENTION_RETENTION_MS);
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let sent = delivery::resend_all(tx.conn(), (channel.id, state), since, most, now)
        .await
        .map_err(internal_error)?;
    let events: Vec<NewEvent> = sent
        .iter()
        .map(|(id, task)| NewEvent {
            detail: json!({"channel": channel.settings.name, "task_id": task, "was": state}).to_string(),
            ..NewEvent::simple(now, Some(actor.account), "delivery", *id, "resend")
        })
        .collect();
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    parts.deliveries_added.notify_one();
    Ok(BulkResult { done: sent.len() as u64, refused: 0 })
}
