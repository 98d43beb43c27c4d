//! The mover: moves due hints from the future sets to the publish lists, woken by a timer armed to the next moment.

use super::{Loop, Name, feeder::Feeder, timer::Timer};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::{Lane, Timestamp, fault::Fault};
use futures::future::join_all;
use queue::{MOST_BUCKETS, Promoted, QueueError};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Hints moved of one lane in one call: a longer script would hold up everybody else at the server.
const CHUNK: u32 = 250;
/// And in the first round of a crowd: the first of a burst need not wait until thousands have moved.
const FIRST: u32 = 16;
/// So long the first of a crowd have the machine to themselves: less than they take.
const HEAD_START: Duration = Duration::from_millis(4);
/// So many times in a round over all buckets of a crowd what is urgent is looked for.
const LOOKS: usize = 8;
/// A round is made at least this often, whatever timer and bells say.
const SAFETY: Duration = Duration::from_secs(1);

/// The mover.
pub struct Mover {
    parts: Parts,
    feeder: Arc<Feeder>,
    /// The next moment of each bucket as last seen.
    heads: Mutex<Vec<Option<Timestamp>>>,
}

/// What one round over some buckets found.
#[derive(Default)]
struct Found {
    moved: u64,
    is_wiped: bool,
    error: Option<QueueError>,
}

impl Mover {
    /// Over `parts`; a bucket without a watermark makes `feeder` load again.
    #[must_use]
    pub fn new(parts: Parts, feeder: Arc<Feeder>) -> Self {
        let heads = Mutex::new(vec![None; usize::from(MOST_BUCKETS)]);
        Self { parts, feeder, heads }
    }

    /// Moves what is due at `now` in these buckets, `most` of each of these lanes, all buckets at once; whether some of them have
    /// more.
    async fn round(&self, now: Timestamp, buckets: &[u16], lanes: &[Lane], most: u32) -> bool {
        if buckets.is_empty() {
            return false;
        }
        let answers = buckets.iter().map(|bucket| self.parts.hints.promote(*bucket, lanes, now, most));
        let (mut sum, mut is_more) = (Found::default(), false);
        for (bucket, answer) in buckets.iter().zip(join_all(answers).await) {
            is_more |= self.note(*bucket, now, answer, &mut sum);
        }
        if sum.moved > 0 {
            self.parts.pulse.counts.moved(sum.moved);
            // Whether it errs here is nobody's concern: the hints have moved.
            _ = store::point::pass("mover.promoted").await;
        }
        self.judge(now, sum);
        is_more
    }

    /// Moves a crowd bucket by bucket, each with a new look at the clock; whether some have more. Consumers ask the same server for
    /// what has been moved, and would wait for all that was asked before. With some of them, or each, goes a call for what is urgent of
    /// all buckets: it does not wait until a whole crowd has moved.
    async fn crowd(&self, buckets: &[u16]) -> bool {
        let mut is_more = false;
        for (place, bucket) in buckets.chunks(1).enumerate() {
            let now = self.parts.loop_now();
            let all = if place % buckets.len().div_ceil(LOOKS) == 0 { self.all() } else { Vec::new() };
            let urgent = self.round(now, &all, &[Lane::High], FIRST);
            let (_, has_more) = tokio::join!(urgent, self.round(now, bucket, Lane::ALL, CHUNK));
            is_more |= has_more;
        }
        is_more
    }

    /// Adds what one call found; whether more is due in that bucket.
    fn note(
        &self,
        bucket: u16,
        now: Timestamp,
        answer: Result<Promoted, QueueError>,
        sum: &mut Found,
    ) -> bool {
        match answer {
            Ok(answer) => {
                sum.moved += u64::from(answer.moved);
                sum.is_wiped |= answer.fed_until.is_none();
                self.heads()[usize::from(bucket)] = answer.next_due;
                answer.next_due.is_some_and(|next| next <= now)
            }
            Err(error) => {
                sum.error.get_or_insert(error);
                false
            }
        }
    }

    fn judge(&self, now: Timestamp, found: Found) {
        let pulse = &self.parts.pulse;
        let came_back = match found.error {
            Some(error) => {
                pulse.trouble(Name::Mover, now, error.fault());
                pulse.set_hints_away(true);
                false
            }
            None => {
                pulse.beat(Name::Mover, now);
                pulse.set_hints_away(false)
            }
        };
        // What was scheduled while the store was away has no hint, whatever the watermark says.
        if came_back || (found.is_wiped && pulse.fed_until().is_some()) {
            self.feeder.reload();
        }
    }

    fn heads(&self) -> MutexGuard<'_, Vec<Option<Timestamp>>> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All buckets, whatever is known of them.
    fn all(&self) -> Vec<u16> {
        let served = self.parts.hints.served();
        // Buckets that are served no more have no next moment.
        self.heads()[usize::from(served)..].fill(None);
        (0..served).collect()
    }

    fn next(&self) -> Option<Timestamp> {
        self.heads().iter().flatten().min().copied()
    }

    fn due(&self, now: Timestamp) -> Vec<u16> {
        let heads = self.heads();
        (0u16..)
            .zip(heads.iter())
            .filter(|(_, head)| head.is_some_and(|at| at <= now))
            .map(|(b, _)| b)
            .collect()
    }
}

#[async_trait]
impl Loop for Mover {
    fn name(&self) -> Name {
        Name::Mover
    }

    async fn tick(&self, now: Timestamp) {
        let (mut buckets, mut most) = (self.all(), FIRST);
        while self.round(now, &buckets, Lane::ALL, most).await {
            (buckets, most) = (self.due(now), CHUNK);
        }
    }

    async fn run(&self, stop: CancellationToken) {
        let clock = self.parts.clone();
        let timer = match Timer::start(move || clock.loop_now()) {
            Ok(timer) => timer,
            // Ends the loop; the supervisor starts it again.
            Err(error) => {
                let fault = Fault::Other(error.to_string());
                return self.parts.pulse.trouble(Name::Mover, self.parts.loop_now(), fault);
            }
        };
        let mut is_more = self.round(self.parts.loop_now(), &self.all(), Lane::ALL, FIRST).await;
        let mut was_more = false;
        while !stop.is_cancelled() {
            // While the store is away the heads are old: only the safety round asks for it.
            timer.arm(self.next().filter(|_| !self.parts.pulse.are_hints_away()));
            let is_rung = tokio::select! {
                () = stop.cancelled() => return,
                () = timer.rung() => true,
                () = self.parts.hints.changed() => false,
                () = tokio::time::sleep(SAFETY) => false,
            };
            let now = self.parts.loop_now();
            let buckets = if is_rung { self.due(now) } else { self.all() };
            is_more = if is_more {
                self.crowd(&buckets).await
            } else {
                self.round(now, &buckets, Lane::ALL, FIRST).await
            };
            if is_more && !was_more {
                tokio::time::sleep(HEAD_START).await;
            }
            was_more = is_more;
        }
    }
}
