//! Starting, supervising and stopping the loops.

use super::{Loop, Pulse};
use crate::parts::Parts;
use domain::{Clock, fault::Fault};
use std::{sync::Arc, time::Duration};
use tokio::task::JoinHandle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How long a loop that panicked rests before it is started again.
const REST: Duration = Duration::from_millis(500);

/// The running loops. Dropped without [`Workers::stop`]: they are told to stop, and nobody waits for them.
#[must_use]
pub struct Workers {
    stop: CancellationToken,
    running: TaskTracker,
}

impl Workers {
    /// Starts each loop in a task of its own; one that panics is noted and started again.
    pub fn start(loops: Vec<Arc<dyn Loop>>, parts: &Parts) -> Self {
        let (stop, running) = (CancellationToken::new(), TaskTracker::new());
        for one in loops {
            let (stop, pulse, clock) = (stop.clone(), Arc::clone(&parts.pulse), Arc::clone(&parts.clock));
            running.spawn(supervise(one, stop, pulse, clock));
        }
        running.close();
        Self { stop, running }
    }

    /// Tells the loops to take nothing more and waits until open transactions have ended, at most `patience`.
    /// False: some were still at work.
    pub async fn stop(self, patience: Duration) -> bool {
        self.stop.cancel();
        tokio::time::timeout(patience, self.running.wait()).await.is_ok()
    }

    /// Cancelled when the loops are told to stop.
    #[must_use]
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn supervise(one: Arc<dyn Loop>, stop: CancellationToken, pulse: Arc<Pulse>, clock: Arc<dyn Clock>) {
    while !stop.is_cancelled() {
        let Err(error) = launch(Arc::clone(&one), stop.clone()).await else { return };
        if error.is_cancelled() {
            return;
        }
        pulse.trouble(one.name(), clock.now(), Fault::BrokeOff);
        tracing::error!(name = one.name().as_str(), "a loop panicked: {error}");
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(REST) => {}
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the supervisor awaits the handle, so that a panic of a loop is seen"
)]
fn launch(one: Arc<dyn Loop>, stop: CancellationToken) -> JoinHandle<()> {
    tokio::spawn(async move { one.run(stop).await })
}
