//! Changes all undelivered messages of a channel: sends them again, or dismisses them.

use super::change::{require_found, wrong_state};
use crate::{app_state::AppState, services::internal_error};
use domain::{
    Actor, ChannelId, DomainError, Timestamp,
    channel::{Channel, ChannelState},
    delivery::{DeliveryState, Undelivered},
    error::ValidationError,
    input_limits::MAX_RETRY_ITEMS,
    task::BulkResult,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use store::{
    PoolRole, Tx, channel as channel_row, dashboard, delivery_group,
    dismissal::{self, DismissedDelivery, Reopening},
    event::{self, NewEvent},
};
use uuid::Uuid;

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
    if matches!(channel.state, ChannelState::Off | ChannelState::Deleting) {
        return Err(wrong_state(channel.state));
    }
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let (done, events) = resend_in(&mut tx, actor, channel, state, (limit(most), now)).await?;
    commit(parts, tx, &events).await?;
    Ok(BulkResult { done, refused: 0 })
}

/// Sends all undelivered messages now: those that wait, and the newest `most` that failed. A channel
/// that the receiver switched off is resumed; one that an admin paused stays paused.
pub async fn retry(
    parts: &AppState,
    actor: &Actor,
    channel: &Channel,
    most: u64,
) -> Result<BulkResult, DomainError> {
    if channel.state == ChannelState::Deleting {
        return Err(wrong_state(channel.state));
    }
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let mut event = None;
    if channel.state != ChannelState::Paused {
        require_found(channel_row::resume(tx.conn(), channel.id, now).await.map_err(internal_error)?)?;
        channel_row::send_now(tx.conn(), channel.id, now).await.map_err(internal_error)?;
        let verb = if channel.state == ChannelState::Off { "resume" } else { "retry" };
        let plain = NewEvent::simple(now, Some(actor.account), "channel", channel.id.0, verb);
        event = Some(NewEvent { detail: json!({"name": channel.settings.name}).to_string(), ..plain });
    }
    let failed = DeliveryState::Failed;
    let (resent, mut events) = resend_in(&mut tx, actor, channel, failed, (limit(most), now)).await?;
    events.extend(event);
    commit(parts, tx, &events).await?;
    Ok(BulkResult { done: channel.health.undelivered + resent, refused: 0 })
}

/// Cancels messages that were written until `seen_at`, and writes one event for each. The channel
/// may be deleted.
pub async fn dismiss(
    parts: &AppState,
    actor: &Actor,
    channel: ChannelId,
    which: Undelivered,
    (seen_at, most): (Timestamp, u64),
) -> Result<BulkResult, DomainError> {
    let now = parts.clock.now();
    let since = now.plus(-dashboard::ATTENTION_RETENTION_MS);
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let dismissed = dismissal::dismiss_all(tx.conn(), (channel, which), (since, seen_at), limit(most), now)
        .await
        .map_err(internal_error)?;
    let event = |one: &DismissedDelivery| {
        let was = DismissalDetail {
            channel: one.channel.clone(),
            task_id: one.task_id,
            channel_id: Some(channel.0),
            was: Some(one.state.clone()),
            was_ended_at: one.ended_at,
        };
        let event = NewEvent::simple(now, Some(actor.account), "delivery", one.id, "drop");
        NewEvent { detail: json!(was).to_string(), ..event }
    };
    let events: Vec<NewEvent> = dismissed.iter().map(event).collect();
    commit(parts, tx, &events).await?;
    Ok(BulkResult { done: dismissed.len() as u64, refused: 0 })
}

/// What the event of a dismissed message holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct DismissalDetail {
    /// Name of the channel.
    channel: String,
    /// Task that caused the message.
    task_id: Option<Uuid>,
    /// Id of the channel.
    #[serde(default)]
    channel_id: Option<Uuid>,
    /// State before.
    #[serde(default)]
    was: Option<String>,
    /// When it had ended, milliseconds.
    #[serde(default)]
    was_ended_at: Option<i64>,
}

/// Undoes the dismissals of this channel by the actor between two moments. Messages that were
/// changed since are refused.
pub async fn undo_dismissal(
    parts: &AppState,
    actor: &Actor,
    channel: ChannelId,
    between: (Timestamp, Timestamp),
) -> Result<BulkResult, DomainError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let events = event::of_actor(tx.conn(), actor.account, ("delivery", "drop"), between).await;
    let mut details: HashMap<Uuid, DismissalDetail> = HashMap::new();
    let mut rows = Vec::new();
    for event in events.map_err(internal_error)? {
        let Ok(detail) = serde_json::from_str::<DismissalDetail>(&event.detail) else { continue };
        let Some(state) = detail.was.clone().filter(|_| detail.channel_id == Some(channel.0)) else {
            continue;
        };
        let (id, ended_at, dismissed_at) = (event.entity_id, detail.was_ended_at, event.at);
        rows.push(Reopening { id, state, ended_at, dismissed_at });
        details.insert(id, detail);
    }
    if rows.is_empty() {
        return Err(DomainError::CannotUndo);
    }
    let reopened = dismissal::reopen_all(tx.conn(), &rows, now).await.map_err(internal_error)?;
    let event = |id: &Uuid| {
        let detail =
            details.get(id).map(|detail| json!({"channel": detail.channel, "task_id": detail.task_id}));
        let event = NewEvent::simple(now, Some(actor.account), "delivery", *id, "undo");
        NewEvent { detail: detail.unwrap_or_else(|| json!({})).to_string(), ..event }
    };
    let events: Vec<NewEvent> = reopened.iter().map(event).collect();
    commit(parts, tx, &events).await?;
    let done = reopened.len() as u64;
    Ok(BulkResult { done, refused: (rows.len() as u64).saturating_sub(done) })
}

fn limit(most: u64) -> i64 {
    i64::try_from(most.min(MAX_RETRY_ITEMS)).unwrap_or(0)
}

/// Resends in this transaction. Returns the number of messages and their events.
async fn resend_in(
    tx: &mut Tx,
    actor: &Actor,
    channel: &Channel,
    state: DeliveryState,
    (most, now): (i64, Timestamp),
) -> Result<(u64, Vec<NewEvent>), DomainError> {
    let since = now.plus(-dashboard::ATTENTION_RETENTION_MS);
    let sent = delivery_group::resend_all(tx.conn(), (channel.id, state), since, most, now)
        .await
        .map_err(internal_error)?;
    let event = |(id, task): &(Uuid, Option<Uuid>)| NewEvent {
        detail: json!({"channel": channel.settings.name, "task_id": task, "was": state}).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "delivery", *id, "resend")
    };
    Ok((sent.len() as u64, sent.iter().map(event).collect()))
}

/// Appends the events, commits, and wakes the dispatcher.
async fn commit(parts: &AppState, mut tx: Tx, events: &[NewEvent]) -> Result<(), DomainError> {
    event::append(tx.conn(), events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    parts.deliveries_added.notify_one();
    Ok(())
}
