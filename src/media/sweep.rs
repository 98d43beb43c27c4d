//! Removes files that belong to nothing: unfinished uploads of an ended process, and files whose row
//! was not stored or is deleted.

use super::{hash_lock::with_lock, upload::refusal};
use crate::{
    app_state::AppState,
    files::FilesError,
    services::{cleanup::remove_hourly, internal_error},
};
use domain::{DomainError, Timestamp};
use std::{
    collections::HashSet,
    slice,
    time::{Duration, SystemTime},
};
use store::{PoolRole, media_content};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Number of hashes checked by one query.
const BATCH_SIZE: usize = 1_000;

/// Sweeps now and every hour, until `stop` is cancelled or the guard is dropped.
#[must_use]
pub fn start(parts: &AppState, stop: CancellationToken) -> DropGuard {
    let parts = parts.clone();
    remove_hourly("files that belonged to nothing", stop, move |now| {
        let parts = parts.clone();
        async move { once(&parts, now).await }
    })
}

/// Sweeps once. Returns the number of removed folders.
pub async fn once(parts: &AppState, now: Timestamp) -> Result<usize, DomainError> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.millis()).unwrap_or_default());
    let (mut count, hashes) = parts.media.sweep(now).await.map_err(unswept)?;
    for batch in hashes.chunks(BATCH_SIZE) {
        // While a batch is checked, no upload may store its files before its row.
        let _change = parts.media.lock().await;
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let known = media_content::used_folders(lease.conn(), batch).await.map_err(internal_error)?;
        drop(lease);
        let known: HashSet<String> = known.into_iter().collect();
        let unknown: Vec<String> = batch.iter().filter(|hash| !known.contains(*hash)).cloned().collect();
        for hash in unknown {
            match with_lock(parts, slice::from_ref(&hash), remove(parts, &hash)).await {
                Ok(is_removed) => count += usize::from(is_removed),
                // Another node stores or removes the files.
                Err(DomainError::Changed) => {}
                Err(why) => return Err(why),
            }
        }
    }
    Ok(count)
}

/// Removes the files of a locked hash, unless another node has stored a row meanwhile. Whether they were removed.
async fn remove(parts: &AppState, hash: &str) -> Result<bool, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let known =
        media_content::used_folders(lease.conn(), &[hash.to_owned()]).await.map_err(internal_error)?;
    drop(lease);
    Ok(known.is_empty() && parts.media.remove(hash).await.is_ok())
}

/// The first sweep is at the start: a bucket that does not answer is logged then, and every hour.
fn unswept(why: FilesError) -> DomainError {
    tracing::warn!("files that belong to nothing were not looked for: {why}");
    refusal(&why)
}
