//! Time as a parameter: nothing in the product reads the machine's clock except through [`Clock`].

use crate::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};

/// Tells the time. The only source of "now" in the product.
pub trait Clock: Send + Sync + 'static {
    /// The current moment, floored to the millisecond: rounding up would be early.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that stands still until it is moved. For tests and simulations.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `at`.
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
