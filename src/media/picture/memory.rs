//! Limits the memory of all pictures being processed at once.

use domain::media::MAX_PIXELS;
use std::sync::{Condvar, Mutex, PoisonError};

/// Maximum memory of all pictures together, bytes: what the largest picture needs.
const MAX_BYTES: u64 = 12 * MAX_PIXELS;

/// Bytes of pictures being processed; the largest picture always fits alone.
static USED: Mutex<u64> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

/// Returned to the budget on drop.
#[derive(Debug)]
pub struct ReservedBytes(u64);

/// Waits until the bytes fit besides those of other pictures.
pub fn reserve(bytes: u64) -> ReservedBytes {
    let used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_full = |used: &mut u64| used.saturating_add(bytes) > MAX_BYTES && *used > 0;
    let mut used = CHANGED.wait_while(used, is_full).unwrap_or_else(PoisonError::into_inner);
    *used += bytes;
    ReservedBytes(bytes)
}

impl Drop for ReservedBytes {
    fn drop(&mut self) {
        *USED.lock().unwrap_or_else(PoisonError::into_inner) -= self.0;
        CHANGED.notify_all();
    }
}
