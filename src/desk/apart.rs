//! Slow work on a thread that serves nobody: hashing, and rendering of whole texts.

use super::broken;
use domain::Refusal;
use store::StoreError;

/// Runs the work and waits for it; the loops and other requests go on meanwhile.
pub async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| broken(StoreError::Corrupt("slow work was cut off".to_owned())))
}
