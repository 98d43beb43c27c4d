//! What ended alike in one channel, sent again together.

use crate::{desk::broken, parts::Parts};
use domain::{
    Actor, Refusal,
    channel::{Channel, ChannelState},
    delivery::DeliveryState,
    limit::RETRY_ITEMS,
    refusal::Problem,
    task::Retried,
};
use serde_json::json;
use store::{
    Who, board, delivery,
    event::{self, NewEvent},
};

/// Sends it again, with a line of the log each.
pub async fn resend(
    parts: &Parts,
    actor: &Actor,
    channel: &Channel,
    state: DeliveryState,
    most: u64,
) -> Result<Retried, Refusal> {
    if !matches!(state, DeliveryState::Failed | DeliveryState::Unconfirmed) {
        return Err(Refusal::invalid("state", Problem::NotOneOf { words: "failed, unconfirmed".to_owned() }));
    }
    if channel.state == ChannelState::Off {
        return Err(Refusal::WrongState { what: "channel".to_owned(), state: channel.state.to_string() });
    }
    let (now, most) = (parts.clock.now(), i64::try_from(most.min(RETRY_ITEMS)).unwrap_or(0));
    let since = now.plus(-board::FORGOTTEN_MS);
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    let sent =
        delivery::resend_all(tx.conn(), (channel.id, state), since, most, now).await.map_err(broken)?;
    let lines: Vec<NewEvent> = sent
        .iter()
        .map(|(id, task)| NewEvent {
            detail: json!({"channel": channel.settings.name, "task_id": task, "was": state}).to_string(),
            ..NewEvent::plain(now, Some(actor.person), "delivery", *id, "resend")
        })
        .collect();
    event::append(tx.conn(), &lines).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    parts.committed.notify_waiters();
    parts.posted.notify_one();
    Ok(Retried { done: sent.len() as u64, refused: 0 })
}
