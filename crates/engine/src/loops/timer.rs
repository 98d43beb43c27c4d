//! Timer with 0.2 ms precision: a thread that sleeps until an instant and then notifies. Tokio's sleep wakes
//! 1.5–2 ms late.

use domain::Timestamp;
use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use tokio::sync::Notify;

/// Length of one sleep within the last millisecond. The clock counts whole milliseconds, so a
/// single sleep could be a millisecond late.
const FINAL_SLEEP: Duration = Duration::from_micros(120);
/// Maximum number of such sleeps. Then the timer fires even if the clock does not advance, so that the
/// thread does not spin.
const MAX_FINAL_SLEEPS: u32 = 25;

/// Thread that notifies at an instant. Ends when dropped.
pub struct Timer {
    shared: Arc<Shared>,
}

struct Shared {
    scheduled: Mutex<Scheduled>,
    changed: Condvar,
    fired: Notify,
}

#[derive(Default)]
struct Scheduled {
    at: Option<Timestamp>,
    ends: bool,
}

impl Timer {
    /// Starts the thread with nothing scheduled. `now` is called often and must be cheap.
    pub fn start(now: impl Fn() -> Timestamp + Send + 'static) -> io::Result<Self> {
        let shared =
            Arc::new(Shared { scheduled: Mutex::default(), changed: Condvar::new(), fired: Notify::new() });
        let timer = Self { shared: Arc::clone(&shared) };
        thread::Builder::new().name("timer".to_owned()).spawn(move || shared.run_thread(&now))?;
        Ok(timer)
    }

    /// Schedules one notification and replaces the one scheduled before. An instant in the past
    /// fires immediately. `None` schedules nothing.
    pub fn schedule(&self, at: Option<Timestamp>) {
        self.shared.scheduled().at = at;
        self.shared.changed.notify_one();
    }

    /// Waits until the timer has fired. A notification that occurred before the call is kept.
    pub async fn fired(&self) {
        self.shared.fired.notified().await;
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.shared.scheduled().ends = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn scheduled(&self) -> MutexGuard<'_, Scheduled> {
        self.scheduled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_thread(&self, now: &dyn Fn() -> Timestamp) {
        let (mut scheduled, mut steps) = (self.scheduled(), 0);
        while !scheduled.ends {
            let Some(at) = scheduled.at else {
                scheduled = self.changed.wait(scheduled).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = at.since(now());
            if left <= 0 || steps >= MAX_FINAL_SLEEPS {
                (scheduled.at, steps) = (None, 0);
                self.fired.notify_one();
                continue;
            }
            steps = if left == 1 { steps + 1 } else { 0 };
            let sleep = if left == 1 {
                FINAL_SLEEP
            } else {
                Duration::from_millis(u64::try_from(left - 1).unwrap_or(1))
            };
            scheduled = self.changed.wait_timeout(scheduled, sleep).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Clock, clock::SystemClock};

    #[tokio::test]
    async fn it_fires_at_its_time_and_not_before() {
        let timer = Timer::start(|| SystemClock.now()).unwrap();
        for wait in [0, 1, 7, 40] {
            let at = SystemClock.now().plus(wait);
            timer.schedule(Some(at));
            timer.fired().await;
            assert!(SystemClock.now() >= at);
        }
    }

    #[tokio::test]
    async fn an_earlier_time_replaces_a_later_one() {
        let timer = Timer::start(|| SystemClock.now()).unwrap();
        timer.schedule(Some(SystemClock.now().plus(3_600_000)));
        timer.schedule(Some(SystemClock.now().plus(5)));
        tokio::time::timeout(Duration::from_secs(20), timer.fired()).await.unwrap();
    }
}
