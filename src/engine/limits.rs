//! Concurrency limits of kinds: set by admins, applied by every node. And what is in force for the queue.

use crate::{
    app_state::AppState,
    kinds::{self, TaskKind},
    services::internal_error,
};
use domain::{
    Actor, ChannelId, DomainError, Kind, Version,
    engine::queue::{KindSettings, QueueReport, SettingChange},
    error::ValidationError,
    input_limits::MAX_KIND_CONCURRENCY,
    kind::{DEFAULT_GRACE_MS, KindLimit},
};
use serde_json::{Value, json};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    execute::Limit,
    kind_limit::{self, Row},
    setting_change::{self, KindChange},
};
use uuid::Uuid;

/// Returns the limits of the kinds this release knows.
#[must_use]
pub fn known(rows: &[Row]) -> Vec<Limit> {
    let limit = |(kind, max_concurrency, _): &Row| {
        let kind: Kind = kind.parse().ok()?;
        Some((kind.as_str(), u16::try_from((*max_concurrency)?).ok()?))
    };
    rows.iter().filter_map(limit).collect()
}

/// Returns the limit of each kind.
pub async fn read(parts: &AppState) -> Result<Vec<KindLimit>, StoreError> {
    let mut lease = parts.store.read(PoolRole::Web).await?;
    let rows = kind_limit::all(lease.conn()).await?;
    let of = |kind: Kind| {
        let row = rows.iter().find(|(name, ..)| name == kind.as_str());
        let max_concurrency = row.and_then(|(_, max_concurrency, _)| u16::try_from((*max_concurrency)?).ok());
        KindLimit { kind, max_concurrency, version: Version(row.map_or(0, |(.., version)| *version)) }
    };
    Ok(kinds::words().into_iter().filter_map(|word| word.parse().ok()).map(of).collect())
}

/// Returns what is in force for the queue.
pub async fn report(parts: &AppState) -> Result<QueueReport, StoreError> {
    let limits = read(parts).await?;
    let mut lease = parts.store.read(PoolRole::Web).await?;
    let changes = setting_change::of_kinds(lease.conn()).await?;
    let of_channels = setting_change::of_channels(lease.conn()).await?;
    let settings = |limit: KindLimit| KindSettings {
        limit,
        grace_ms: kinds::find(limit.kind.as_str()).map_or(DEFAULT_GRACE_MS, TaskKind::grace_ms),
        change: changes
            .iter()
            .find(|one| is_about(one, limit.kind))
            .map(|one| SettingChange { by: one.actor.clone(), at: one.at.into() }),
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
pub fn checked(max_concurrency: Option<u16>) -> Result<Option<u16>, DomainError> {
    if max_concurrency.is_none_or(|most| (1..=MAX_KIND_CONCURRENCY).contains(&most)) {
        return Ok(max_concurrency);
    }
    let why = format!("must be between 1 and {MAX_KIND_CONCURRENCY}, or empty");
    Err(DomainError::invalid("max_concurrency", ValidationError::Unreadable { why }))
}

/// Sets the limit of a kind if its version is `seen`.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    kind: Kind,
    max_concurrency: Option<u16>,
    seen: Version,
) -> Result<KindLimit, DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let set =
        kind_limit::set(tx.conn(), kind.as_str(), max_concurrency, seen.0).await.map_err(internal_error)?;
    let version = Version(set.ok_or(DomainError::Changed)?);
    let mut event = NewEvent::simple(parts.clock.now(), Some(actor.account), "engine", Uuid::nil(), "limit");
    event.detail = json!({"kind": kind, "max_concurrency": max_concurrency}).to_string();
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    let rows = kind_limit::all(tx.conn()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.engine.set_limits(known(&rows));
    parts.committed.notify_waiters();
    Ok(KindLimit { kind, max_concurrency, version })
}
