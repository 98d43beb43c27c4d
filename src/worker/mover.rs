//! The mover: moves due hints from the future sets to the publish lists, woken by a timer armed to the next moment.

use super::{Loop, Name, feeder::Feeder, timer::Timer};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::Timestamp;
use futures::{StreamExt, stream};
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

    /// Moves what is due at `now` in these buckets, `most` of each lane of each; whether some of them have more. A few are moved
    /// of all buckets at once, many call by call: consumers ask the same server for what has been moved, and would wait for all
    /// that was asked before.
    async fn round(&self, now: Timestamp, buckets: impl Iterator<Item = u16>, most: u32) -> bool {
        let (hints, at_once) = (&self.parts.hints, if most <= FIRST { usize::from(MOST_BUCKETS) } else { 1 });
        let answers =
            stream::iter(buckets.map(async |bucket| (bucket, hints.promote(bucket, now, most).await)));
        let mut answers = answers.buffered(at_once);
        let (mut sum, mut is_empty, mut is_more) = (Found::default(), true, false);
        while let Some((bucket, answer)) = answers.next().await {
            is_empty = false;
            is_more |= self.note(bucket, now, answer, &mut sum);
        }
        if is_empty {
            return false;
        }
        if sum.moved > 0 {
            self.parts.pulse.count_moved(sum.moved);
            // Whether it errs here is nobody's concern: the hints have moved.
            _ = store::point::pass("mover.promoted").await;
        }
        self.judge(now, sum);
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
                pulse.trouble(Name::Mover, now, &error.to_string());
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

    /// A round over all buckets, whatever is known of them.
    async fn look(&self, now: Timestamp, most: u32) -> bool {
        let served = self.parts.hints.served();
        // Buckets that are served no more have no next moment.
        self.heads()[usize::from(served)..].fill(None);
        self.round(now, 0..served, most).await
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
        let mut is_more = self.look(now, FIRST).await;
        while is_more {
            is_more = self.round(now, self.due(now).into_iter(), CHUNK).await;
        }
    }

    async fn run(&self, stop: CancellationToken) {
        let clock = self.parts.clone();
        let timer = match Timer::start(move || clock.loop_now()) {
            Ok(timer) => timer,
            // Ends the loop; the supervisor starts it again.
            Err(error) => {
                return self.parts.pulse.trouble(Name::Mover, self.parts.loop_now(), &error.to_string());
            }
        };
        let mut is_more = self.look(self.parts.loop_now(), FIRST).await;
        while !stop.is_cancelled() {
            // While the store is away the heads are old: only the safety round asks for it.
            timer.arm(self.next().filter(|_| !self.parts.pulse.are_hints_away()));
            let is_rung = tokio::select! {
                () = stop.cancelled() => return,
                () = timer.rung() => true,
                () = self.parts.hints.changed() => false,
                () = tokio::time::sleep(SAFETY) => false,
            };
            // With a new look at the clock each time: what is urgent is not to wait until a whole crowd has moved.
            let (now, most) = (self.parts.loop_now(), if is_more { CHUNK } else { FIRST });
            is_more = if is_rung {
                self.round(now, self.due(now).into_iter(), most).await
            } else {
                self.look(now, most).await
            };
        }
    }
}
