//! Removes uploaded exports that were not imported within a day.

use crate::{
    app_state::AppState,
    services::{cleanup::remove_hourly, run_blocking},
};
use domain::{DomainError, Timestamp, imports::KEPT_FOR_MS};
use std::time::{Duration, SystemTime};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Sweeps now and every hour, until `stop` is cancelled or the guard is dropped.
#[must_use]
pub fn start(parts: &AppState, stop: CancellationToken) -> DropGuard {
    let parts = parts.clone();
    remove_hourly("uploaded exports that were not imported within a day", stop, move |now| {
        let parts = parts.clone();
        async move { once(&parts, now).await }
    })
}

/// Sweeps once. Returns the number of removed files.
pub async fn once(parts: &AppState, now: Timestamp) -> Result<usize, DomainError> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.millis()).unwrap_or_default());
    let age = Duration::from_millis(u64::try_from(KEPT_FOR_MS).unwrap_or_default());
    let folder = parts.imports.clone();
    run_blocking(move || folder.remove_older(now, age)).await
}
