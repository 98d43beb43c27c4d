//! Due hints that came along with the answer of a promotion, for consumers of this process that wait for some.

use domain::{Clock, DueHint};
use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

/// Most hints that come along with one answer: other processes have consumers, too.
const MOST: usize = 16;

/// What is in hand, and how many wait.
#[derive(Debug, Default)]
pub(crate) struct Handed {
    waiting: AtomicUsize,
    hints: Mutex<VecDeque<DueHint>>,
}

/// Somebody who waits; no more when it is dropped.
pub(crate) struct Waits<'a>(&'a AtomicUsize);

impl Handed {
    /// Notes that somebody waits.
    pub fn wait(&self) -> Waits<'_> {
        self.waiting.fetch_add(1, SeqCst);
        Waits(&self.waiting)
    }

    /// How many hints are to come along: none unless somebody waits for them.
    pub fn wanted(&self) -> usize {
        if self.waiting.load(SeqCst) > 0 { MOST } else { 0 }
    }

    /// Puts down what came along.
    pub fn put(&self, hints: impl Iterator<Item = DueHint>) {
        self.hints().extend(hints);
    }

    /// Takes up to `limit`, popped now.
    pub fn take(&self, limit: usize, clock: &dyn Clock) -> Vec<DueHint> {
        let mut hints = self.hints();
        let count = hints.len().min(limit);
        if count == 0 {
            return Vec::new();
        }
        let popped_at = clock.now();
        hints.drain(..count).map(|hint| DueHint { popped_at, ..hint }).collect()
    }

    fn hints(&self) -> MutexGuard<'_, VecDeque<DueHint>> {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}
