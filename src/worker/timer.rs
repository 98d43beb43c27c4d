//! The timer: one thread that sleeps to a moment and rings. The runtime's own sleep wakes 1.5–2 ms late, a thread's 0.2 ms.

use domain::Timestamp;
use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use tokio::sync::Notify;

/// The clock counts whole milliseconds: the last one is slept in small steps, so that the bell is not a millisecond late.
const STEP: Duration = Duration::from_micros(120);
/// Steps before the bell rings whatever the clock says; a clock that stands still must not keep the thread busy.
const STEPS: u32 = 25;

/// A thread that rings at a moment. Ends when dropped.
pub struct Timer {
    shared: Arc<Shared>,
}

struct Shared {
    armed: Mutex<Armed>,
    changed: Condvar,
    bell: Notify,
}

#[derive(Default)]
struct Armed {
    at: Option<Timestamp>,
    ends: bool,
}

impl Timer {
    /// Starts the thread, armed to nothing. `now` is asked often and must be cheap.
    pub fn start(now: impl Fn() -> Timestamp + Send + 'static) -> io::Result<Self> {
        let shared =
            Arc::new(Shared { armed: Mutex::default(), changed: Condvar::new(), bell: Notify::new() });
        let timer = Self { shared: Arc::clone(&shared) };
        thread::Builder::new().name("timer".to_owned()).spawn(move || shared.keep_time(&now))?;
        Ok(timer)
    }

    /// Rings once at that moment instead of any earlier set one; at once if it has passed. `None`: not at all.
    pub fn arm(&self, at: Option<Timestamp>) {
        self.shared.armed().at = at;
        self.shared.changed.notify_one();
    }

    /// Returns when it has rung. A ring nobody waited for is kept.
    pub async fn rung(&self) {
        self.shared.bell.notified().await;
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.shared.armed().ends = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn armed(&self) -> MutexGuard<'_, Armed> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep_time(&self, now: &dyn Fn() -> Timestamp) {
        let (mut armed, mut steps) = (self.armed(), 0);
        while !armed.ends {
            let Some(at) = armed.at else {
                armed = self.changed.wait(armed).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = at.since(now());
            if left <= 0 || steps >= STEPS {
                (armed.at, steps) = (None, 0);
                self.bell.notify_one();
                continue;
            }
            steps = if left == 1 { steps + 1 } else { 0 };
            let sleep =
                if left == 1 { STEP } else { Duration::from_millis(u64::try_from(left - 1).unwrap_or(1)) };
            armed = self.changed.wait_timeout(armed, sleep).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Clock, clock::SystemClock};

    #[tokio::test]
    async fn it_rings_at_its_moment_and_not_before() {
        let timer = Timer::start(|| SystemClock.now()).unwrap();
        for wait in [0, 1, 7, 40] {
            let at = SystemClock.now().plus(wait);
            timer.arm(Some(at));
            timer.rung().await;
            assert!(SystemClock.now() >= at);
        }
    }

    #[tokio::test]
    async fn an_earlier_moment_replaces_a_later_one() {
        let timer = Timer::start(|| SystemClock.now()).unwrap();
        timer.arm(Some(SystemClock.now().plus(3_600_000)));
        timer.arm(Some(SystemClock.now().plus(5)));
        tokio::time::timeout(Duration::from_secs(20), timer.rung()).await.unwrap();
    }
}
