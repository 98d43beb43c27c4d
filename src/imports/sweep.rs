//! Removes uploaded exports that were not imported within a day.

use crate::{server::app_state::AppState, services::run_blocking};
use domain::{Clock as _, DomainError, Timestamp, clock::SystemClock, imports::KEPT_FOR_MS};
use std::time::{Duration, SystemTime};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Interval between sweeps.
const INTERVAL: Duration = Duration::from_secs(3_600);

/// Starts a background task that sweeps now and every hour. It runs until `stop` is cancelled or the
/// guard is dropped.
#[must_use]
pub fn start(parts: &AppState, stop: CancellationToken) -> DropGuard {
    #[expect(clippy::disallowed_methods, reason = "a background task: each sweep may be interrupted")]
    tokio::spawn(repeat(parts.clone(), stop.clone()));
    stop.drop_guard()
}

async fn repeat(parts: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        // The ages of files are by the clock of the system.
        match once(&parts, SystemClock.now()).await {
            Ok(count) if count > 0 => tracing::info!(count, "uploaded exports were removed after a day"),
            Ok(_) => {}
            Err(why) => tracing::debug!("removing uploaded exports failed and will be retried: {why}"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Sweeps once. Returns the number of removed files.
pub async fn once(parts: &AppState, now: Timestamp) -> Result<usize, DomainError> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.millis()).unwrap_or_default());
    let age = Duration::from_millis(u64::try_from(KEPT_FOR_MS).unwrap_or_default());
    let folder = parts.imports.clone();
    run_blocking(move || folder.remove_older(now, age)).await
}
