//! Starting, supervising and stopping the loops.

use crate::Context;
use crate::{EngineState, Loop};
use domain::{Clock, health::HealthIssueKind};
use std::{sync::Arc, time::Duration};
use tokio::task::JoinHandle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Delay before a loop that panicked is restarted.
const RESTART_DELAY: Duration = Duration::from_millis(500);

/// The running loops. Dropping it requests a stop without waiting for the loops to end.
#[must_use]
pub struct Supervisor {
    stop: CancellationToken,
    running: TaskTracker,
}

impl Supervisor {
    /// Starts each loop in its own task. A loop that panics is logged and restarted.
    pub fn start(loops: Vec<Arc<dyn Loop>>, context: &Context) -> Self {
        let (stop, running) = (CancellationToken::new(), TaskTracker::new());
        for one in loops {
            let (stop, pulse, clock) =
                (stop.clone(), Arc::clone(&context.engine), Arc::clone(&context.clock));
            running.spawn(supervise(one, stop, pulse, clock));
        }
        running.close();
        Self { stop, running }
    }

    /// Requests a stop and waits for open transactions to end, at most `timeout`.
    /// Returns false if some loops were still running.
    pub async fn stop(self, timeout: Duration) -> bool {
        self.stop.cancel();
        tokio::time::timeout(timeout, self.running.wait()).await.is_ok()
    }

    /// Returns a token that is cancelled when the loops are requested to stop.
    #[must_use]
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn supervise(
    one: Arc<dyn Loop>,
    stop: CancellationToken,
    pulse: Arc<EngineState>,
    clock: Arc<dyn Clock>,
) {
    while !stop.is_cancelled() {
        let Err(error) = launch(Arc::clone(&one), stop.clone()).await else { return };
        if error.is_cancelled() {
            return;
        }
        pulse.record_error(one.name(), clock.now(), HealthIssueKind::LoopFailed);
        tracing::error!(name = one.name().as_str(), "a loop panicked and will be restarted: {error}");
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(RESTART_DELAY) => {}
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the supervisor awaits the handle, so that it detects a panic")]
fn launch(one: Arc<dyn Loop>, stop: CancellationToken) -> JoinHandle<()> {
    tokio::spawn(async move { one.run(stop).await })
}
