//! Removes files that belong to nothing: unfinished uploads of an ended process, and files whose row
//! was not stored or is deleted.

use crate::{
    server::app_state::AppState,
    services::{internal_error, run_blocking},
};
use domain::{Clock as _, DomainError, Timestamp, clock::SystemClock};
use std::{
    collections::HashSet,
    time::{Duration, SystemTime},
};
use store::{PoolRole, media_file};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Interval between sweeps.
const INTERVAL: Duration = Duration::from_secs(3_600);
/// Number of hashes checked by one query.
const BATCH_SIZE: usize = 1_000;

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
            Ok(count) if count > 0 => tracing::info!(count, "files that belonged to nothing were removed"),
            Ok(_) => {}
            Err(why) => tracing::debug!("sweeping the media library failed and will be retried: {why}"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Sweeps once. Returns the number of removed folders.
pub async fn once(parts: &AppState, now: Timestamp) -> Result<usize, DomainError> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.millis()).unwrap_or_default());
    let folder = parts.media.clone();
    let (mut count, hashes) =
        run_blocking(move || (folder.sweep_unfinished(now), folder.older_hashes(now))).await?;
    for batch in hashes.chunks(BATCH_SIZE) {
        // While a batch is checked, no upload may store its files before its row.
        let _change = parts.media.lock().await;
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let known = media_file::known(lease.conn(), batch).await.map_err(internal_error)?;
        drop(lease);
        let known: HashSet<String> = known.into_iter().collect();
        let unknown: Vec<String> = batch.iter().filter(|hash| !known.contains(*hash)).cloned().collect();
        let folder = parts.media.clone();
        count +=
            run_blocking(move || unknown.iter().filter(|hash| folder.remove(hash).is_ok()).count()).await?;
    }
    Ok(count)
}
