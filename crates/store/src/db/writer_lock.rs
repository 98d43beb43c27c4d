//! Fair lock for SQLite's single writer. Engine loops have priority and alternate with user
//! requests. An engine transaction takes about 20 ms.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// The lock. Clones share one queue.
#[derive(Debug, Clone, Default)]
pub struct WriterLock(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_locked: bool,
    engine: VecDeque<oneshot::Sender<WriterGuard>>,
    web: VecDeque<oneshot::Sender<WriterGuard>>,
    /// Whether the last holder was an engine loop.
    was_engine: bool,
}

/// The right to write. When it is dropped, the next waiter gets it.
#[derive(Debug)]
pub struct WriterGuard(Option<WriterLock>);

impl WriterLock {
    /// Waits for the lock. A dropped future gives up its place in the queue.
    pub async fn acquire(&self, is_engine: bool) -> WriterGuard {
        let receiver = {
            let mut queue = self.queue();
            if !queue.is_locked {
                (queue.is_locked, queue.was_engine) = (true, is_engine);
                return WriterGuard(Some(self.clone()));
            }
            let (sender, receiver) = oneshot::channel();
            if is_engine {
                queue.engine.push_back(sender)
            } else {
                queue.web.push_back(sender)
            }
            receiver
        };
        // The sender lives in the queue, which lives as long as the lock: an error cannot happen.
        // If it did, the writer pool has one connection and still serializes the writers.
        receiver.await.unwrap_or(WriterGuard(None))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(self) {
        loop {
            let next = {
                let mut queue = self.queue();
                let next = queue.next();
                if next.is_none() {
                    queue.is_locked = false;
                    return;
                }
                next
            };
            let Some(next) = next else { return };
            match next.send(WriterGuard(Some(self.clone()))) {
                Ok(()) => return,
                // The waiter is gone. The guard comes back; disarm it, so that it does not release
                // the lock again.
                Err(mut guard) => guard.0 = None,
            }
        }
    }
}

impl Queue {
    fn next(&mut self) -> Option<oneshot::Sender<WriterGuard>> {
        let is_web_turn = self.engine.is_empty() || self.was_engine;
        self.was_engine = !is_web_turn || self.web.is_empty();
        if self.was_engine { self.engine.pop_front() } else { self.web.pop_front() }
    }
}

impl Drop for WriterGuard {
    fn drop(&mut self) {
        if let Some(lock) = self.0.take() {
            lock.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt, stream::FuturesUnordered};

    #[tokio::test]
    async fn the_engine_has_priority_and_alternates_with_requests() {
        assert_eq!(order_after(false).await, "epepeee");
        assert_eq!(order_after(true).await, "pepeeee");
    }

    /// Returns the order of the writers after a first one that found the lock free.
    async fn order_after(is_engine: bool) -> String {
        let lock = WriterLock::default();
        let first = lock.acquire(is_engine).await;
        let log = Arc::new(Mutex::new(String::new()));
        let mut waiting: FuturesUnordered<_> = [false, true, true, true, true, false, true]
            .into_iter()
            .map(|is_engine| {
                let (lock, log) = (lock.clone(), Arc::clone(&log));
                async move {
                    let _guard = lock.acquire(is_engine).await;
                    log.lock().unwrap().push(if is_engine { 'e' } else { 'p' });
                }
            })
            .collect();
        assert!(futures::StreamExt::next(&mut waiting).now_or_never().is_none());
        drop(first);
        while futures::StreamExt::next(&mut waiting).await.is_some() {}
        assert!(lock.acquire(false).now_or_never().is_some());
        std::mem::take(&mut *log.lock().unwrap())
    }

    #[tokio::test]
    async fn a_dropped_waiter_gives_up_its_place() {
        let lock = WriterLock::default();
        let first = lock.acquire(true).await;
        let mut gone = Box::pin(lock.acquire(true));
        assert!((&mut gone).now_or_never().is_none());
        drop(gone);
        drop(first);
        assert!(lock.acquire(false).now_or_never().is_some());
    }
}
