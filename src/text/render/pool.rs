//! A few threads for slow work on texts, apart from the server's own: at most so much waits, and none holds up the end of the
//! process.

use super::{Budget, TIME};
use domain::Refusal;
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

/// Texts that are worked on or wait at most.
const PLACES: usize = 64;
/// How long to wait for a place.
const PATIENCE: Duration = Duration::from_secs(2);

/// The pool of this process.
pub static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    Pool::start((cores / 2).clamp(2, 4), PLACES)
});

type Job = Box<dyn FnOnce() + Send>;

/// Threads that take work from one queue.
pub struct Pool {
    jobs: SyncSender<Job>,
    places: Arc<Semaphore>,
}

tokio::task_local! {
    /// Cancelled when the client of the running request has left.
    static CLIENT: CancellationToken;
}

/// Runs the handling of a request; work on texts ends when `gone` is cancelled.
pub async fn with_client<T>(gone: CancellationToken, handling: impl Future<Output = T>) -> T {
    CLIENT.scope(gone, handling).await
}

impl Pool {
    /// Starts the threads.
    #[must_use]
    pub fn start(threads: usize, places: usize) -> Self {
        let (jobs, queue) = sync_channel(places);
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name(format!("render-{number}"));
            if let Err(why) = thread.spawn(move || work(&queue)) {
                tracing::error!("a thread for rendering cannot be started: {why}");
            }
        }
        Self { jobs, places: Arc::new(Semaphore::new(places)) }
    }

    /// Does the work in one of the threads and waits for it. [`Refusal::Busy`]: too much waits already.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run_until(CancellationToken::new(), work).await
    }

    /// The same for what only the client of the running request wants: it ends when the client leaves.
    pub async fn run_for_client<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run_until(CLIENT.try_with(CancellationToken::clone).unwrap_or_default(), work).await
    }

    async fn run_until<T: Send + 'static>(
        &self,
        gone: CancellationToken,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let waiting = tokio::time::timeout(PATIENCE, Arc::clone(&self.places).acquire_owned());
        let Ok(Ok(place)) = waiting.await else { return Err(Refusal::Busy) };
        let (answer, answered) = oneshot::channel();
        let job = Box::new(move || {
            if !gone.is_cancelled() && !answer.is_closed() {
                let _ = answer.send(work(&Budget::new(TIME, gone)));
            }
            drop(place);
        });
        self.jobs.try_send(job).map_err(|_| Refusal::Busy)?;
        answered.await.map_err(|_| Refusal::Busy)
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
    async fn a_full_queue_refuses_and_a_client_that_left_is_not_served() {
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
        assert_eq!((first, second, third), (Ok(true), Err(Refusal::Busy), Err(Refusal::Busy)));
        assert_eq!(pool.run(|budget| budget.check().is_ok()).await, Ok(true));
    }
}
