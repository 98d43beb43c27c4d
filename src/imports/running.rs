//! The checks and imports that run in this process.

use domain::ImportId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Longest wait for a cancelled one to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The checks and imports that run in this process, by their id. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct RunningJobs(Arc<Mutex<HashMap<ImportId, Handles>>>);

#[derive(Debug, Clone, Default)]
struct Handles {
    stop: CancellationToken,
    ended: CancellationToken,
}

/// A running check or import; it has ended when this is dropped.
#[derive(Debug)]
pub struct RunningJob {
    all: RunningJobs,
    id: ImportId,
    handles: Handles,
}

impl RunningJobs {
    /// Adds one.
    #[must_use]
    pub fn add(&self, id: ImportId) -> RunningJob {
        let handles = Handles::default();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, handles.clone());
        RunningJob { all: self.clone(), id, handles }
    }

    /// Cancels one and waits until it has ended.
    pub async fn stop(&self, id: ImportId) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let Some(Handles { stop, ended }) = running else { return };
        stop.cancel();
        if timeout(STOP_TIMEOUT, ended.cancelled()).await.is_err() {
            tracing::warn!(import = %id, "a cancelled import has not ended yet");
        }
    }
}

impl RunningJob {
    /// Cancelled when the job must end.
    #[must_use]
    pub fn token(&self) -> CancellationToken {
        self.handles.stop.clone()
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        self.handles.ended.cancel();
    }
}
