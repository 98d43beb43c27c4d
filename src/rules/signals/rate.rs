//! Limits the signals that an account sends, and the waits that a rule opens by them. What is refused is
//! answered with 429 and shown to admins on Attention.

use crate::{
    app_state::AppState,
    rules::kinds::refuse::{self, REFUSE},
    services::{hints, internal_error},
};
use domain::{
    AccountId, Actor, DomainError, Timestamp,
    signal::{MAX_SIGNALS_OF_ACCOUNT, MAX_WAITS_OF_RULE},
};
use std::collections::BTreeMap;
use store::{
    PoolRole, StoreError, Tx, desk_signal,
    event::NewEvent,
    signal_rate::{self, SignalRate},
    task,
};
use uuid::Uuid;

const MINUTE_MS: i64 = 60_000;

const fn per_minute(max: u32) -> SignalRate {
    SignalRate { cost_ms: MINUTE_MS / max as i64, capacity: max as i64 }
}

/// Counts signals of an account.
pub async fn count_signals(
    tx: &mut Tx,
    account: AccountId,
    signals: usize,
    now: Timestamp,
) -> Result<(), DomainError> {
    let count = i64::try_from(signals).unwrap_or(i64::MAX);
    let rate = (per_minute(MAX_SIGNALS_OF_ACCOUNT), count);
    match signal_rate::acquire(tx.conn(), account.0, rate, now).await.map_err(internal_error)? {
        None => Ok(()),
        Some(wait_ms) => Err(too_many(MAX_SIGNALS_OF_ACCOUNT, String::new(), wait_ms)),
    }
}

/// Counts the waits that signals of a request open, by the id of the rule. The targets are locked already.
pub async fn count_waits(
    tx: &mut Tx,
    opened: &BTreeMap<Uuid, (String, u32)>,
    now: Timestamp,
) -> Result<(), DomainError> {
    for (rule, (name, count)) in opened {
        let rate = (per_minute(MAX_WAITS_OF_RULE), i64::from(*count));
        let wait_ms = signal_rate::acquire(tx.conn(), *rule, rate, now).await.map_err(internal_error)?;
        if let Some(wait_ms) = wait_ms {
            return Err(too_many(MAX_WAITS_OF_RULE, name.clone(), wait_ms));
        }
    }
    Ok(())
}

fn too_many(max: u32, rule: String, wait_ms: i64) -> DomainError {
    let seconds = u32::try_from(wait_ms.div_euclid(1_000) + 1).unwrap_or(u32::MAX);
    DomainError::SignalRate { max, rule, seconds }
}

/// Shows on Attention that signals of this account were refused; at most once a minute. An error is only
/// logged: the client knows.
pub async fn report(parts: &AppState, actor: &Actor) {
    match insert_report(parts, actor).await {
        Ok(hint) => hints::publish(parts, hint.into_iter().collect()),
        Err(error) => tracing::warn!("refused signals are not on Attention: {error:?}"),
    }
}

async fn insert_report(parts: &AppState, actor: &Actor) -> Result<Option<domain::Hint>, StoreError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await?;
    let since = now.plus(-MINUTE_MS);
    if !desk_signal::note_refusal(tx.conn(), (REFUSE, actor.account), (since, now)).await? {
        return Ok(None);
    }
    let mut task = refuse::new_task(actor.account, now);
    task.bucket = queue::bucket_of(task.id, parts.hints.buckets());
    let scheduled = NewEvent {
        to_state: Some("scheduled"),
        version: Some(1),
        detail: serde_json::json!({"due_at": now}).to_string(),
        ..NewEvent::simple(now, None, "task", task.id.0, "schedule")
    };
    task::insert(tx.conn(), std::slice::from_ref(&task), now, &[scheduled]).await?;
    tx.commit().await?;
    Ok(Some(task.hint()))
}
