//! Locks the files of a hash over all nodes while its files and rows change together: one node must not delete
//! the bytes that another one stores. A row is the lock; that of a node that died expires.

use crate::{app_state::AppState, services::internal_error};
use domain::DomainError;
use std::time::Duration;
use store::{PoolRole, StoreError, media_lock};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// How long a lock is valid without being kept, milliseconds. It exceeds an interruption of the database that
/// a change survives.
const LEASE_MS: i64 = 60_000;
/// Interval at which a change keeps its locks.
const KEEP_INTERVAL: Duration = Duration::from_secs(10);
/// How long a change waits for another one, before the person is asked to try again.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Interval at which a change that waits tries again.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Does `work` while no other node changes the files of these hashes. `Changed`: another node still does.
pub async fn with_lock<T>(
    parts: &AppState,
    hashes: &[String],
    work: impl Future<Output = Result<T, DomainError>> + Send,
) -> Result<T, DomainError> {
    let holder = Uuid::now_v7();
    // In one order, so that no two changes wait for each other.
    let mut hashes = hashes.to_vec();
    hashes.sort_unstable();
    hashes.dedup();
    if hashes.is_empty() {
        return work.await;
    }
    let result = match take_all(parts, &hashes, holder).await {
        Ok(()) => tokio::select! {
            result = work => result,
            lost = keep(parts, holder, hashes.len() as u64) => Err(lost),
        },
        Err(why) => Err(why),
    };
    if let Err(error) = release(parts, holder).await {
        tracing::warn!("the lock of an uploaded file was not released; it expires in a minute: {error:?}");
    }
    result
}

async fn take_all(parts: &AppState, hashes: &[String], holder: Uuid) -> Result<(), DomainError> {
    let begun = Instant::now();
    for hash in hashes {
        while !take(parts, hash, holder).await.map_err(internal_error)? {
            if begun.elapsed() >= MAX_WAIT {
                return Err(DomainError::Changed);
            }
            sleep(RETRY_INTERVAL).await;
        }
    }
    Ok(())
}

async fn take(parts: &AppState, hash: &str, holder: Uuid) -> Result<bool, StoreError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await?;
    let is_taken = media_lock::take(tx.conn(), hash, holder, (now, now.plus(LEASE_MS))).await?;
    tx.commit().await?;
    Ok(is_taken)
}

/// Keeps the locks until it is dropped. Returns if one of them is lost: another node took it, because this one
/// did not reach the database for longer than the lease.
async fn keep(parts: &AppState, holder: Uuid, count: u64) -> DomainError {
    loop {
        sleep(KEEP_INTERVAL).await;
        match keep_once(parts, holder).await {
            Ok(kept) if kept < count => return DomainError::Changed,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!("the lock of an uploaded file was not kept and will be retried: {error:?}");
            }
        }
    }
}

async fn keep_once(parts: &AppState, holder: Uuid) -> Result<u64, StoreError> {
    let mut tx = parts.store.begin(PoolRole::Web).await?;
    let kept = media_lock::keep(tx.conn(), holder, parts.clock.now().plus(LEASE_MS)).await?;
    tx.commit().await?;
    Ok(kept)
}

async fn release(parts: &AppState, holder: Uuid) -> Result<(), StoreError> {
    let mut tx = parts.store.begin(PoolRole::Web).await?;
    media_lock::release(tx.conn(), holder).await?;
    tx.commit().await
}
