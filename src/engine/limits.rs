//! Limits and retries of kinds: set by admins, applied by every node. And what is in force for the queue.

use crate::{app_state::AppState, kinds, services::internal_error};
use ::engine::limits_of;
use domain::{
    Actor, ChannelId, DomainError, Kind, Version,
    engine::queue::{KindSettings, QueueReport, SettingChange},
    error::ValidationError,
    input_limits::{MAX_KIND_CONCURRENCY, MAX_KIND_GRACE_MINUTES, MAX_KIND_RATE},
    kind::{KindEdit, KindLimit, KindValues},
    retry_schedule::RetrySchedule,
};
use serde_json::{Value, json};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    kind_limit::{self, KindLimitRow},
    setting_change::{self, KindChange},
};
use uuid::Uuid;

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Returns the limit of each kind.
pub async fn read(parts: &AppState) -> Result<Vec<KindLimit>, StoreError> {
    let mut lease = parts.store.read(PoolRole::Web).await?;
    let rows = kind_limit::all(lease.conn()).await?;
    let of = |kind: Kind| limit_of(kind, &rows);
    Ok(kinds::words().into_iter().filter_map(|word| word.parse().ok()).map(of).collect())
}

fn limit_of(kind: Kind, rows: &[KindLimitRow]) -> KindLimit {
    let row = rows.iter().find(|row| row.kind == kind.as_str());
    KindLimit {
        kind,
        values: row.map_or(KindValues::UNSET, KindLimitRow::values),
        version: Version(row.map_or(0, |row| row.version)),
    }
}

/// Returns what is in force for the queue.
pub async fn report(parts: &AppState) -> Result<QueueReport, StoreError> {
    let limits = read(parts).await?;
    let mut lease = parts.store.read(PoolRole::Web).await?;
    let changes = setting_change::of_kinds(lease.conn()).await?;
    let of_channels = setting_change::of_channels(lease.conn()).await?;
    let settings = |limit: KindLimit| KindSettings {
        default_grace_ms: kinds::default_grace_ms(limit.kind),
        has_common_grace: kinds::has_common_grace(limit.kind),
        change: changes
            .iter()
            .find(|one| is_about(one, limit.kind))
            .map(|one| SettingChange { by: one.actor.clone(), at: one.at.into() }),
        limit,
    };
    let kinds = limits.into_iter().map(settings).collect();
    let channels = of_channels
        .into_iter()
        .map(|one| (ChannelId(one.id), SettingChange { by: one.actor, at: one.at.into() }))
        .collect();
    Ok(QueueReport { kinds, channels })
}

fn is_about(change: &KindChange, kind: Kind) -> bool {
    let detail: Option<Value> = serde_json::from_str(&change.detail).ok();
    detail.is_some_and(|detail| detail["kind"] == kind.as_str())
}

/// Validates a limit; `None`: no limit.
fn checked(field: &str, limit: Option<u16>, max: u16) -> Result<Option<u16>, DomainError> {
    if limit.is_none_or(|most| (1..=max).contains(&most)) {
        return Ok(limit);
    }
    let why = format!("must be between 1 and {max}, or empty");
    Err(DomainError::invalid(field, ValidationError::Unreadable { why }))
}

/// Validates a retry schedule; `None`: the default, for a text without delays.
fn checked_schedule(text: &str) -> Result<Option<RetrySchedule>, DomainError> {
    let wrong = |_| DomainError::invalid("retry_schedule", ValidationError::InvalidRetrySchedule);
    let schedule = text.parse::<RetrySchedule>().map_err(wrong)?;
    Ok(Some(schedule).filter(|schedule| schedule.max_attempts() > 1))
}

/// Validates a change; what it does not say stays as in `before`.
fn changed(kind: Kind, edit: &KindEdit, before: KindValues) -> Result<KindValues, DomainError> {
    let rate = match edit.rate {
        None => before.rate,
        Some(0) => None,
        rate => checked("rate", rate, MAX_KIND_RATE)?,
    };
    let retry_schedule = match &edit.retry_schedule {
        None => before.retry_schedule,
        Some(text) => checked_schedule(text)?,
    };
    Ok(KindValues {
        max_concurrency: checked("max_concurrency", edit.max_concurrency, MAX_KIND_CONCURRENCY)?,
        grace_ms: edit.grace_ms.map_or(Ok(before.grace_ms), |grace_ms| checked_grace(kind, grace_ms))?,
        rate,
        rate_per: edit.rate_per.unwrap_or(before.rate_per),
        retry_schedule,
    })
}

/// Validates the grace of a kind; `None`: as the kind says.
fn checked_grace(kind: Kind, grace_ms: i64) -> Result<Option<i64>, DomainError> {
    if grace_ms == 0 {
        return Ok(None);
    }
    if !kinds::has_common_grace(kind) {
        let why = "cannot be set for this kind: something else says it for each task".to_owned();
        return Err(DomainError::invalid("grace_ms", ValidationError::Unreadable { why }));
    }
    let max = i64::from(MAX_KIND_GRACE_MINUTES) * MINUTE_MS;
    if (MINUTE_MS..=max).contains(&grace_ms) && grace_ms % MINUTE_MS == 0 {
        return Ok(Some(grace_ms));
    }
    let why = format!("must be between 1 and {MAX_KIND_GRACE_MINUTES} whole minutes, or empty");
    Err(DomainError::invalid("grace_ms", ValidationError::Unreadable { why }))
}

/// Changes the settings of a kind if its version is `seen`.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    kind: Kind,
    edit: &KindEdit,
    seen: Version,
) -> Result<KindLimit, DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let rows = kind_limit::all(tx.conn()).await.map_err(internal_error)?;
    let before = limit_of(kind, &rows).values;
    let rate_before = (before.rate, before.rate_per);
    let values = changed(kind, edit, before)?;
    let set = kind_limit::set(tx.conn(), kind.as_str(), &values, seen.0).await;
    set.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let now = parts.clock.now();
    if (values.rate, values.rate_per) != rate_before {
        kind_limit::release_turns(tx.conn(), kind.as_str(), now).await.map_err(internal_error)?;
    }
    let mut event = NewEvent::simple(now, Some(actor.account), "engine", Uuid::nil(), "limit");
    event.detail = json!({
        "kind": kind, "max_concurrency": values.max_concurrency, "grace_ms": values.grace_ms, "rate": values.rate,
        "rate_per": values.rate_per, "retry_schedule": values.retry_schedule,
    })
    .to_string();
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    let rows = kind_limit::all(tx.conn()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.engine.set_limits(limits_of(&kinds::words(), &rows));
    parts.committed.notify_waiters();
    Ok(limit_of(kind, &rows))
}
