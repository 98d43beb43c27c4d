//! Limits the number of pixels that are in memory at once, over all pictures being processed.

use domain::media::MAX_PIXELS;
use std::sync::{Condvar, Mutex, PoisonError};

/// Pixels of pictures being processed; the largest picture always fits alone.
static USED: Mutex<u64> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

/// Returned to the budget on drop.
#[derive(Debug)]
pub struct ReservedPixels(u64);

/// Waits until the pixels fit besides those of other pictures.
pub fn reserve(pixels: u64) -> ReservedPixels {
    let used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |used: &mut u64| *used + pixels > MAX_PIXELS && *used > 0;
    let mut used = CHANGED.wait_while(used, fits).unwrap_or_else(PoisonError::into_inner);
    *used += pixels;
    ReservedPixels(pixels)
}

impl Drop for ReservedPixels {
    fn drop(&mut self) {
        *USED.lock().unwrap_or_else(PoisonError::into_inner) -= self.0;
        CHANGED.notify_all();
    }
}
