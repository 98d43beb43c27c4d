//! Concurrency limits of kinds: set by admins, applied by every node.

use crate::{app_state::AppState, kinds, services::internal_error};
use domain::{
    Actor, DomainError, Kind, Version, error::ValidationError, input_limits::MAX_KIND_CONCURRENCY,
    kind::KindLimit,
};
use serde_json::json;
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    execute::Limit,
    kind_limit::{self, Row},
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
