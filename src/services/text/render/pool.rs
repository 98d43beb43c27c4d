//! Thread pool for slow work on texts, with a bounded queue. It does not delay the shutdown of the
//! process.

use super::{Budget, RENDER_TIMEOUT};
use domain::DomainError;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};
use tokio::sync::{Semaphore, oneshot};
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

type Job = Box<dyn FnOnce() + Send>;

/// Threads that process one queue.
pub struct Pool {
    jobs: SyncSender<Job>,
    slots: Arc<Semaphore>,
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
        let (jobs, queue) = sync_channel(max_jobs);
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name(format!("render-{number}"));
            if let Err(why) = thread.spawn(move || work(&queue)) {
                tracing::error!("a thread for rendering cannot be started: {why}");
            }
        }
        Self { jobs, slots: Arc::new(Semaphore::new(max_jobs)) }
    }

    /// Runs `work` in one of the threads and waits for it. [`DomainError::Busy`]: the queue is
    /// full.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        self.run_until(CancellationToken::new(), work).await
    }

    /// Like [`Pool::run`], but cancelled when the client of the current request disconnects.
    pub async fn run_for_client<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        self.run_until(CLIENT.try_with(CancellationToken::clone).unwrap_or_default(), work).await
    }

    async fn run_until<T: Send + 'static>(
        &self,
        gone: CancellationToken,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        let waiting = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.slots).acquire_owned());
        let Ok(Ok(slot)) = waiting.await else { return Err(DomainError::Busy) };
        let (sender, receiver) = oneshot::channel();
        let job = Box::new(move || {
            if !gone.is_cancelled() && !sender.is_closed() {
                let _ = sender.send(work(&Budget::new(RENDER_TIMEOUT, gone)));
            }
            drop(slot);
        });
        self.jobs.try_send(job).map_err(|_| DomainError::Busy)?;
        receiver.await.map_err(|_| DomainError::Busy)
    }
}

fn work(queue: &Mutex<Receiver<Job>>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            tracing::error!("rendering a text panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_refuses_and_a_disconnected_client_is_not_served() {
        let pool = Arc::new(Pool::start(1, 2));
        let (release, held) = channel::<()>();
        let first = {
            let pool = Arc::clone(&pool);
            async move { pool.run(move |_| held.recv().is_ok()).await }
        };
        let gone = CancellationToken::new();
        let second = with_client(gone.clone(), pool.run_for_client(|_| true));
        let third = async {
            let refused = pool.run(|_| true).await;
            gone.cancel();
            release.send(()).unwrap();
            refused
        };
        let (first, second, third) = tokio::join!(first, second, third);
        assert_eq!((first, second, third), (Ok(true), Err(DomainError::Busy), Err(DomainError::Busy)));
        assert_eq!(pool.run(|budget| budget.check().is_ok()).await, Ok(true));
    }
}
