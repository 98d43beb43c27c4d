//! A counter of calls in progress.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Decrements the counter when it is dropped.
pub(crate) struct DecrementOnDrop<'a>(pub(crate) &'a AtomicU32);

impl Drop for DecrementOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}
