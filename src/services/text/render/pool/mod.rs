//! Thread pool for slow work on texts, with a bounded queue. It does not delay the shutdown of the
//! process.
//!
//! Each account has a share: one job of each before a second of one. Neither an account nor all
//! previews together take the last thread, so that a save never waits for the previews of others.

mod queue;
#[cfg(test)]
mod tests;

use super::{Budget, RENDER_TIMEOUT};
use domain::{AccountId, Actor, DomainError};
use queue::{Job, Queue};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, LazyLock},
    thread,
    time::Duration,
};
use tokio::{
    sync::oneshot,
    time::{Instant, timeout_at},
};
use tokio_util::sync::CancellationToken;

/// Maximum number of texts being processed or waiting.
const MAX_JOBS: usize = 64;
/// Timeout for a place in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);

/// The pool of this process.
pub static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    Pool::start((cores / 2).clamp(2, 4), MAX_JOBS)
});

/// Whose share of the pool a job takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// An account.
    Account(AccountId),
    /// All readers of the public site together.
    Readers,
    /// The desk itself: work that no user waits for. It is not limited.
    Desk,
}

impl From<&Actor> for Share {
    fn from(actor: &Actor) -> Self {
        Self::Account(actor.account)
    }
}

/// Threads that process one queue.
pub struct Pool {
    queue: Arc<Queue>,
}

tokio::task_local! {
    /// Cancelled when the client of the current request disconnects.
    static CLIENT: CancellationToken;
}

/// Runs a request handler. Work of [`Pool::run_for_client`] in it is cancelled with `gone`.
pub async fn with_client<T>(gone: CancellationToken, handler: impl Future<Output = T>) -> T {
    CLIENT.scope(gone, handler).await
}

impl Pool {
    /// Starts the threads.
    #[must_use]
    pub fn start(threads: usize, max_jobs: usize) -> Self {
        let queue = Arc::new(Queue::new(threads, max_jobs));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name(format!("render-{number}"));
            if let Err(why) = thread.spawn(move || work(&queue)) {
                tracing::error!("a thread for rendering cannot be started: {why}");
            }
        }
        Self { queue }
    }

    /// Runs work of the desk in one of the threads and waits for it. [`DomainError::Busy`]: the
    /// queue is full.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        self.run_in(Share::Desk, work).await
    }

    /// Runs work in one of the threads, in this share, and waits for it. The work goes on when the
    /// client disconnects. [`DomainError::Busy`]: the queue is full.
    pub async fn run_in<T: Send + 'static>(
        &self,
        share: Share,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        self.run_until(share, None, work).await
    }

    /// Like [`Pool::run_in`], but cancelled when the client of the current request disconnects.
    pub async fn run_for_client<T: Send + 'static>(
        &self,
        share: Share,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        let gone = CLIENT.try_with(CancellationToken::clone).unwrap_or_default();
        self.run_until(share, Some(gone), work).await
    }

    async fn run_until<T: Send + 'static>(
        &self,
        share: Share,
        gone: Option<CancellationToken>,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        let (sender, receiver) = oneshot::channel();
        let client = gone.clone();
        let work = Box::new(move || {
            if !sender.is_closed() {
                let _ = sender.send(work(&Budget::new(RENDER_TIMEOUT, gone.unwrap_or_default())));
            }
        });
        let mut job = Job { share, client, work };
        let until = Instant::now() + QUEUE_TIMEOUT;
        loop {
            let freed = self.queue.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            match self.queue.push(job) {
                Ok(()) => break,
                Err(refused) => job = refused,
            }
            timeout_at(until, freed).await.map_err(|_| DomainError::Busy)?;
        }
        receiver.await.map_err(|_| DomainError::Busy)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn work(queue: &Queue) {
    while let Some((running, work)) = queue.take() {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            tracing::error!("rendering a text panicked");
        }
        queue.finish(running);
    }
}
