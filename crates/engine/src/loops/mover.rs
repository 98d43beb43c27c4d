//! Mover: promotes due hints from the future sets to the publish lists, woken by a timer set to the
//! next due time.

use crate::Context;
use crate::{Loop, LoopName, feeder::Feeder, timer::Timer};
use async_trait::async_trait;
use domain::{Timestamp, health::IssueDetail};
use futures::future::join_all;
use queue::{HintScope, MAX_BUCKETS, Promoted, QueueError};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Maximum number of hints moved per priority, class and call. A longer script would block other clients
/// of Redis.
const MAX_CHUNK_SIZE: u32 = 250;
/// The same for the first round of a burst, so that its first tasks do not wait until thousands of
/// hints have moved.
const FIRST_CHUNK_SIZE: u32 = 16;
/// Delay after the first batch of a burst, so that it commits undisturbed. It is shorter than that
/// commit.
const FIRST_BATCH_DELAY: Duration = Duration::from_millis(4);
/// How often urgent hints are polled during one pass over all buckets of a burst.
const URGENT_POLLS_PER_BURST: usize = 8;
/// Maximum time between two rounds, even without a timer or notification.
const MAX_ROUND_INTERVAL: Duration = Duration::from_secs(1);

/// The mover loop.
pub struct Mover {
    context: Context,
    feeder: Arc<Feeder>,
    /// Next due time of each bucket, as last read.
    next_due_times: Mutex<Vec<Option<Timestamp>>>,
}

/// Result of one round over some buckets.
#[derive(Default)]
struct RoundResult {
    moved: u64,
    is_wiped: bool,
    error: Option<QueueError>,
}

impl Mover {
    /// Creates the loop. A bucket without a watermark makes `feeder` load everything again.
    #[must_use]
    pub fn new(context: Context, feeder: Arc<Feeder>) -> Self {
        let next_due_times = Mutex::new(vec![None; usize::from(MAX_BUCKETS)]);
        Self { context, feeder, next_due_times }
    }

    /// Moves hints due at `now` in all these buckets concurrently, at most `max` per bucket, priority and
    /// class. Returns whether some buckets have more.
    async fn round(&self, now: Timestamp, buckets: &[u16], scope: HintScope, max: u32) -> bool {
        if buckets.is_empty() {
            return false;
        }
        let answers = buckets.iter().map(|bucket| self.context.hints.promote(*bucket, scope, now, max));
        let (mut sum, mut is_more) = (RoundResult::default(), false);
        for (bucket, answer) in buckets.iter().zip(join_all(answers).await) {
            is_more |= self.add_result(*bucket, now, answer, &mut sum);
        }
        if sum.moved > 0 {
            self.context.engine.hint_counters.record_promoted(sum.moved);
            // An error here has no effect: the hints have moved.
            _ = store::failpoint::hit("mover.promoted").await;
        }
        self.evaluate_watermark(now, sum);
        is_more
    }

    /// Moves a burst bucket by bucket and reads the clock before each. Returns whether some buckets
    /// have more. Consumers use the same Redis and would wait for many concurrent calls. Up to
    /// [`URGENT_POLLS_PER_BURST`] times urgent hints of all buckets are moved too, so that high priority
    /// and content do not wait for the whole burst.
    async fn drain_burst(&self, buckets: &[u16]) -> bool {
        let mut is_more = false;
        for (place, bucket) in buckets.chunks(1).enumerate() {
            let now = self.context.loop_now();
            let all = if place % buckets.len().div_ceil(URGENT_POLLS_PER_BURST) == 0 {
                self.all_buckets()
            } else {
                Vec::new()
            };
            let urgent = self.round(now, &all, HintScope::Urgent, FIRST_CHUNK_SIZE);
            let (_, has_more) = tokio::join!(urgent, self.round(now, bucket, HintScope::All, MAX_CHUNK_SIZE));
            is_more |= has_more;
        }
        is_more
    }

    /// Adds the result of one call. Returns whether the bucket has more due hints.
    fn add_result(
        &self,
        bucket: u16,
        now: Timestamp,
        answer: Result<Promoted, QueueError>,
        sum: &mut RoundResult,
    ) -> bool {
        match answer {
            Ok(answer) => {
                sum.moved += u64::from(answer.moved);
                sum.is_wiped |= answer.loaded_until.is_none();
                self.next_due_times()[usize::from(bucket)] = answer.next_due;
                answer.next_due.is_some_and(|next| next <= now)
            }
            Err(error) => {
                sum.error.get_or_insert(error);
                false
            }
        }
    }

    fn evaluate_watermark(&self, now: Timestamp, found: RoundResult) {
        let engine = &self.context.engine;
        let is_back = match found.error {
            Some(error) => {
                engine.record_error(LoopName::Mover, now, &error);
                engine.set_hints_unavailable(true);
                false
            }
            None => {
                engine.record_round(LoopName::Mover, now);
                engine.set_hints_unavailable(false)
            }
        };
        // Tasks scheduled while the hint store was unavailable have no hint, regardless of the
        // watermark.
        if is_back || (found.is_wiped && engine.loaded_until().is_some()) {
            self.feeder.reload();
        }
    }

    fn next_due_times(&self) -> MutexGuard<'_, Vec<Option<Timestamp>>> {
        self.next_due_times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all buckets in use.
    fn all_buckets(&self) -> Vec<u16> {
        let served = self.context.hints.polled_buckets();
        // Buckets no longer in use have no next due time.
        self.next_due_times()[usize::from(served)..].fill(None);
        (0..served).collect()
    }

    fn next_due(&self) -> Option<Timestamp> {
        self.next_due_times().iter().flatten().min().copied()
    }

    fn due_buckets(&self, now: Timestamp) -> Vec<u16> {
        let next_due_times = self.next_due_times();
        (0u16..)
            .zip(next_due_times.iter())
            .filter(|(_, due_at)| due_at.is_some_and(|at| at <= now))
            .map(|(b, _)| b)
            .collect()
    }
}

#[async_trait]
impl Loop for Mover {
    fn name(&self) -> LoopName {
        LoopName::Mover
    }

    async fn tick(&self, now: Timestamp) {
        let (mut buckets, mut max) = (self.all_buckets(), FIRST_CHUNK_SIZE);
        while self.round(now, &buckets, HintScope::All, max).await {
            (buckets, max) = (self.due_buckets(now), MAX_CHUNK_SIZE);
        }
    }

    async fn run(&self, stop: CancellationToken) {
        let clock = self.context.clone();
        let timer = match Timer::start(move || clock.loop_now()) {
            Ok(timer) => timer,
            // Ends the loop; the supervisor restarts it.
            Err(error) => {
                let issue = IssueDetail::LoopEnded { why: error.to_string() };
                return self.context.engine.record_error(LoopName::Mover, self.context.loop_now(), issue);
            }
        };
        let mut is_more =
            self.round(self.context.loop_now(), &self.all_buckets(), HintScope::All, FIRST_CHUNK_SIZE).await;
        let mut was_more = false;
        while !stop.is_cancelled() {
            // While the hint store is unavailable, the due times are outdated: only the periodic
            // round calls it.
            timer.schedule(self.next_due().filter(|_| !self.context.engine.are_hints_unavailable()));
            let has_fired = tokio::select! {
                () = stop.cancelled() => return,
                () = timer.fired() => true,
                () = self.context.hints.head_changed() => false,
                () = tokio::time::sleep(MAX_ROUND_INTERVAL) => false,
            };
            let now = self.context.loop_now();
            let buckets = if has_fired { self.due_buckets(now) } else { self.all_buckets() };
            is_more = if is_more {
                self.drain_burst(&buckets).await
            } else {
                self.round(now, &buckets, HintScope::All, FIRST_CHUNK_SIZE).await
            };
            if is_more && !was_more {
                tokio::time::sleep(FIRST_BATCH_DELAY).await;
            }
            was_more = is_more;
        }
    }
}
