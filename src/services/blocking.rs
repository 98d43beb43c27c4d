//! Runs slow work (hashing, rendering of whole texts) on a blocking thread.

use super::internal_error;
use domain::DomainError;
use store::StoreError;

/// Runs the work on a blocking thread and waits for it, without blocking loops and other requests.
pub async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, DomainError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| {
        internal_error(StoreError::Corrupt("a blocking task was cancelled or panicked".to_owned()))
    })
}
