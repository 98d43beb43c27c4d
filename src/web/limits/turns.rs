//! Turns at rendering. A page is polled only while it has one of as many turns as there are cores, so that other threads of
//! the web's runtime stay free for connections and transactions. While a page waits for the database it needs no turn.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    thread::available_parallelism,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::PollSemaphore;

/// Most pages that are being made at once, those that wait included.
const PAGES: usize = 256;

/// The turns of one node.
pub struct Turns {
    cores: Arc<Semaphore>,
    pages: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        Self::new(available_parallelism().map_or(1, usize::from), PAGES)
    }
}

impl Turns {
    fn new(cores: usize, pages: usize) -> Self {
        Self { cores: Arc::new(Semaphore::new(cores)), pages: Arc::new(Semaphore::new(pages)) }
    }

    /// A place among those who wait for turns; `None`: too many do.
    #[must_use]
    pub fn enter(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.pages).try_acquire_owned().ok()
    }

    /// Whether others wait for turns.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.cores.available_permits() == 0
    }

    /// The same work, done in turns.
    pub fn take<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        InTurns { work: Box::pin(work), cores: PollSemaphore::new(Arc::clone(&self.cores)) }
    }
}

struct InTurns<F> {
    work: Pin<Box<F>>,
    cores: PollSemaphore,
}

impl<F: Future> Future for InTurns<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let _turn = ready!(self.cores.poll_acquire(cx));
        self.work.as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use std::{
        future::{pending, poll_fn, ready},
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
    };

    #[test]
    fn what_waits_for_something_else_needs_no_turn() {
        let turns = Turns::new(1, 4);
        let mut waits = Box::pin(turns.take(pending::<()>()));
        assert!((&mut waits).now_or_never().is_none());
        assert_eq!(turns.take(ready(7)).now_or_never(), Some(7));
    }

    #[test]
    fn no_more_places_are_given_than_there_are() {
        let turns = Turns::new(1, 2);
        let (one, other) = (turns.enter(), turns.enter());
        assert!(one.is_some() && other.is_some() && turns.enter().is_none());
        drop(one);
        assert!(turns.enter().is_some());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn no_more_work_at_once_than_there_are_turns() {
        let (turns, busy, most) = (Turns::new(2, 99), AtomicUsize::new(0), AtomicUsize::new(0));
        let (busy, most) = (Arc::new(busy), Arc::new(most));
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..32 {
            let (busy, most, mut left) = (Arc::clone(&busy), Arc::clone(&most), 20);
            all.spawn(turns.take(poll_fn(move |cx| {
                most.fetch_max(busy.fetch_add(1, SeqCst) + 1, SeqCst);
                std::thread::yield_now();
                busy.fetch_sub(1, SeqCst);
                left -= 1;
                cx.waker().wake_by_ref();
                if left == 0 { Poll::Ready(()) } else { Poll::Pending }
            })));
        }
        all.join_all().await;
        assert!(most.load(SeqCst) <= 2, "{most:?}");
    }
}
