//! The clock as a parameter: the product reads the system clock only through [`Clock`].

use crate::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};

/// Returns the time. The only source of "now" in the product.
pub trait Clock: Send + Sync + 'static {
    /// The current time, floored to the millisecond: rounding up would execute tasks early.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that changes only when it is set. For tests and simulations.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Returns a clock that shows `at`.
    #[must_use]
    pub fn at(at: Timestamp) -> Self {
        Self(AtomicI64::new(at.millis()))
    }

    /// Moves the clock by `millis` (negative: back) and returns the new time.
    pub fn advance(&self, millis: i64) -> Timestamp {
        Timestamp::from_millis(self.0.fetch_add(millis, Ordering::SeqCst) + millis)
    }

    /// Sets the clock.
    pub fn set(&self, at: Timestamp) {
        self.0.store(at.millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}
