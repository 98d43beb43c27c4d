//! Slots for rendering pages, one for each CPU core. A page is polled only while it holds a slot,
//! so that other threads of the web runtime stay free for connections and transactions. A page that
//! waits for the database holds no slot.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    thread::available_parallelism,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::PollSemaphore;

/// Maximum number of pages being rendered, including waiting ones.
const MAX_PAGES: usize = 256;

/// The slots of one node.
pub struct RenderSlots {
    cores: Arc<Semaphore>,
    pages: Arc<Semaphore>,
}

impl Default for RenderSlots {
    fn default() -> Self {
        Self::new(available_parallelism().map_or(1, usize::from), MAX_PAGES)
    }
}

impl RenderSlots {
    fn new(cores: usize, pages: usize) -> Self {
        Self { cores: Arc::new(Semaphore::new(cores)), pages: Arc::new(Semaphore::new(pages)) }
    }

    /// Admits a page to the waiting ones; `None`: too many wait.
    #[must_use]
    pub fn try_admit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.pages).try_acquire_owned().ok()
    }

    /// Runs `work`, polled only while it holds a slot.
    pub fn run<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        InSlots { work: Box::pin(work), cores: PollSemaphore::new(Arc::clone(&self.cores)) }
    }
}

struct InSlots<F> {
    work: Pin<Box<F>>,
    cores: PollSemaphore,
}

impl<F: Future> Future for InSlots<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let _slot = ready!(self.cores.poll_acquire(cx));
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
    fn a_waiting_page_holds_no_slot() {
        let slots = RenderSlots::new(1, 4);
        let mut waits = Box::pin(slots.run(pending::<()>()));
        assert!((&mut waits).now_or_never().is_none());
        assert_eq!(slots.run(ready(7)).now_or_never(), Some(7));
    }

    #[test]
    fn no_more_pages_are_admitted_than_allowed() {
        let slots = RenderSlots::new(1, 2);
        let (one, other) = (slots.try_admit(), slots.try_admit());
        assert!(one.is_some() && other.is_some() && slots.try_admit().is_none());
        drop(one);
        assert!(slots.try_admit().is_some());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn no_more_pages_are_polled_at_once_than_there_are_slots() {
        let (slots, busy, most) = (RenderSlots::new(2, 99), AtomicUsize::new(0), AtomicUsize::new(0));
        let (busy, most) = (Arc::new(busy), Arc::new(most));
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..32 {
            let (busy, most, mut left) = (Arc::clone(&busy), Arc::clone(&most), 20);
            all.spawn(slots.run(poll_fn(move |cx| {
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
