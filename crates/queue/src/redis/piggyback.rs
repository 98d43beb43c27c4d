//! Due hints that are returned with the response of a promotion, for waiting consumers of this
//! process.

use domain::{Clock, DueHint};
use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

/// Maximum number of hints in one response; the rest is left for the consumers of other processes.
const MAX_HINTS_PER_RESPONSE: usize = 16;

/// Hints received with promotions, and the number of waiting consumers.
#[derive(Debug, Default)]
pub(crate) struct Piggyback {
    waiting: AtomicUsize,
    hints: Mutex<VecDeque<DueHint>>,
}

/// Registration of a waiting consumer; ends when it is dropped.
pub(crate) struct WaitGuard<'a>(&'a AtomicUsize);

impl Piggyback {
    /// Registers a waiting consumer.
    pub fn register_waiter(&self) -> WaitGuard<'_> {
        self.waiting.fetch_add(1, SeqCst);
        WaitGuard(&self.waiting)
    }

    /// Number of hints to request with the next promotion; 0 unless a consumer waits.
    pub fn wanted(&self) -> usize {
        if self.waiting.load(SeqCst) > 0 { MAX_HINTS_PER_RESPONSE } else { 0 }
    }

    /// Stores hints received with a promotion.
    pub fn push(&self, hints: impl Iterator<Item = DueHint>) {
        self.hints().extend(hints);
    }

    /// Pops up to `limit` hints; their `popped_at` is the current time.
    pub fn pop(&self, limit: usize, clock: &dyn Clock) -> Vec<DueHint> {
        let mut hints = self.hints();
        let count = hints.len().min(limit);
        if count == 0 {
            return Vec::new();
        }
        let popped_at = clock.now();
        let mut popped: Vec<DueHint> =
            hints.drain(..count).map(|hint| DueHint { popped_at, ..hint }).collect();
        popped.sort_by_key(|hint| (hint.priority, hint.class));
        popped
    }

    fn hints(&self) -> MutexGuard<'_, VecDeque<DueHint>> {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}
