//! Concurrency limits of kinds: set by admins, applied by every node. And what is in force for the queue.

use crate::{app_state::AppState, kinds, services::internal_error};
use domain::{
    Actor, ChannelId, DomainError, Kind, Version,
    engine::queue::{KindSettings, QueueReport, SettingChange},
    error::ValidationError,
    input_limits::{MAX_KIND_CONCURRENCY, MAX_KIND_GRACE_MINUTES},
    kind::{KindEdit, KindLimit},
};
use serde_json::{Value, json};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    execute::Limit,
    kind_limit::{self, KindLimitRow},
    setting_change::{self, KindChange},
};
use uuid::Uuid;

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Returns the limits of the kinds this release knows.
#[must_use]
pub fn known(rows: &[KindLimitRow]) -> Vec<Limit> {
    let limit = |row: &KindLimitRow| {
        let kind: Kind = row.kind.parse().ok()?;
        Some((kind.as_str(), u16::try_from(row.max_concurrency?).ok()?))
    };
    rows.iter().filter_map(limit).collect()
}

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
        max_concurrency: row.and_then(|row| u16::try_from(row.max_concurrency?).ok()),
        grace_ms: row.and_then(|row| row.grace_ms),
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
        limit,
        default_grace_ms: kinds::default_grace_ms(limit.kind),
        has_common_grace: kinds::has_common_grace(limit.kind),
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
fn checked(max_concurrency: Option<u16>) -> Result<Option<u16>, DomainError> {
    if max_concurrency.is_none_or(|most| (1..=MAX_KIND_CONCURRENCY).contains(&most)) {
        return Ok(max_concurrency);
    }
    let why = format!("must be between 1 and {MAX_KIND_CONCURRENCY}, or empty");
    Err(DomainError::invalid("max_concurrency", ValidationError::Unreadable { why }))
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

/// Sets limit and grace of a kind if its version is `seen`.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    kind: Kind,
    edit: KindEdit,
    seen: Version,
) -> Result<KindLimit, DomainError> {
    let max_concurrency = checked(edit.max_concurrency)?;
    let grace = edit.grace_ms.map(|grace_ms| checked_grace(kind, grace_ms)).transpose()?;
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let rows = kind_limit::all(tx.conn()).await.map_err(internal_error)?;
    let grace_ms = grace.unwrap_or_else(|| limit_of(kind, &rows).grace_ms);
    let set = kind_limit::set(tx.conn(), kind.as_str(), max_concurrency, grace_ms, seen.0).await;
    set.map_err(internal_error)?.ok_or(DomainError::Changed)?;
    let mut event = NewEvent::simple(parts.clock.now(), Some(actor.account), "engine", Uuid::nil(), "limit");
    event.detail =
        json!({"kind": kind, "max_concurrency": max_concurrency, "grace_ms": grace_ms}).to_string();
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    let rows = kind_limit::all(tx.conn()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.engine.set_limits(known(&rows));
    parts.committed.notify_waiters();
    Ok(limit_of(kind, &rows))
}
