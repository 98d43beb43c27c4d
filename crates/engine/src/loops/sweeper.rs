//! Sweeper: finds overdue tasks in SQL that no hint brought, and executes them. It makes Redis
//! optional.

use crate::Context;
use crate::{Loop, LoopName, executor::Executor};
use async_trait::async_trait;
use domain::{KindClass, TaskId, Timestamp};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};
use store::{
    PoolRole, StoreError, canary, failpoint,
    mutant::{self, Mutant},
    overdue::{self, Cursor},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How long after its due time a task may still be brought by a hint, milliseconds.
const HINT_GRACE_MS: i64 = 1_000;
/// Interval while hints work.
const INTERVAL: Duration = Duration::from_millis(500);
/// Interval while hints do not work.
const INTERVAL_WITHOUT_HINTS: Duration = Duration::from_millis(250);

/// Number of hints on the publish lists from which on not every sweep reads the rows of their tasks.
const LARGE_BACKLOG: u64 = 10_000;
/// While that number waits, one of this number of sweeps reads all rows: one in 5 s.
const WHOLE_SWEEP_INTERVAL: u32 = 10;
/// Number of classes.
const CLASSES: usize = KindClass::ALL.len();

/// The sweeper loop.
pub struct Sweeper {
    context: Context,
    executor: Executor,
    has_swept: AtomicBool,
    /// Number of sweeps.
    sweeps: AtomicU32,
    /// Where the last sweep of each class ended.
    swept: Mutex<[Option<Cursor>; CLASSES]>,
}

impl Sweeper {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self {
            executor: Executor::new(context.clone()),
            context,
            has_swept: AtomicBool::new(false),
            sweeps: AtomicU32::new(0),
            swept: Mutex::new([None; CLASSES]),
        }
    }

    /// Whether no hints can be expected: at the start, and while hints do not work.
    fn is_without_hints(&self) -> bool {
        self.context.engine.are_hints_unusable() || !self.has_swept.load(Relaxed)
    }

    /// Returns the time before which due tasks of each class are swept, and whether many hints wait on the
    /// publish lists. Without hints there is no grace. Otherwise tasks newer than the head of their publish
    /// lists are left to the consumer, so that a burst in progress is not swept.
    async fn horizons(&self, now: Timestamp) -> ([Timestamp; CLASSES], bool) {
        let waiting = self.context.hints.depth().await;
        let is_without_hints = self.is_without_hints();
        match waiting {
            Ok(waiting) if !is_without_hints => {
                let horizon = |oldest: Option<Timestamp>| oldest.map_or(now, |oldest| oldest.min(now));
                let horizons = waiting.oldest_moved_at.map(|oldest| horizon(oldest).plus(-HINT_GRACE_MS));
                (horizons, waiting.publish > LARGE_BACKLOG)
            }
            _ => ([now.plus(1); CLASSES], false),
        }
    }

    /// Returns the kinds of each class. The canary must show whether hints work, so it is left to the
    /// consumer.
    fn kinds(&self) -> [Vec<&'static str>; CLASSES] {
        let is_included = |kind: &&str| *kind != canary::KIND || self.is_without_hints();
        let kinds = self.context.execution.handler.kinds().iter().copied().filter(is_included);
        let mut classes = [const { Vec::new() }; CLASSES];
        kinds.for_each(|kind| classes[KindClass::of(kind) as usize].push(kind));
        classes
    }

    /// Returns where the sweep of each class begins. While many hints wait, the rows of their tasks are not
    /// read again each time: most sweeps begin where the last one ended.
    fn begin(&self, is_backlog_large: bool) -> [Option<Cursor>; CLASSES] {
        let sweeps = self.sweeps.fetch_add(1, Relaxed);
        let is_whole = !is_backlog_large || sweeps.is_multiple_of(WHOLE_SWEEP_INTERVAL);
        if is_whole { [None; CLASSES] } else { *self.swept.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// Executes overdue tasks page by page and returns the number of executed tasks. While an earlier class
    /// has more, a later one gets a tenth of a batch.
    async fn sweep(&self, mut now: Timestamp) -> Result<u64, StoreError> {
        let (mut horizons, is_backlog_large) = self.horizons(now).await;
        let (kinds, mut places) = (self.kinds(), self.begin(is_backlog_large));
        let (mut rescued, mut has_more) = (0, [true; CLASSES]);
        while has_more.contains(&true) && !self.executor.is_blocked() {
            let mut is_shared = false;
            for (class, kinds) in kinds.iter().enumerate() {
                if !has_more[class] && !self.is_without_hints() {
                    continue;
                }
                let max = self.context.limits.batch_size as u32;
                let max = if is_shared { (max / 10).max(1) } else { max };
                let page = {
                    let mut lease = self.context.store.read(PoolRole::Engine).await?;
                    let span = (places[class], horizons[class]);
                    overdue::page(lease.conn(), kinds, span, now, max).await?
                };
                failpoint::hit_for(&page.claims, "sweeper.read").await?;
                rescued += self.executor.execute(LoopName::Sweeper, &page.claims).await?;
                failpoint::hit_for(&page.claims, "sweeper.done").await?;
                has_more[class] = page.next.is_some();
                is_shared |= has_more[class];
                // What becomes due later comes after all that was due before the horizon.
                let end = (horizons[class].plus(-1), TaskId(Uuid::max()));
                places[class] = Some(page.next.unwrap_or(end));
                if self.executor.is_blocked() {
                    return Ok(rescued);
                }
            }
            if self.is_without_hints() {
                now = now.max(self.context.loop_now());
                horizons = [now.plus(1); CLASSES];
            }
        }
        *self.swept.lock().unwrap_or_else(PoisonError::into_inner) = places;
        Ok(rescued)
    }
}

#[async_trait]
impl Loop for Sweeper {
    fn name(&self) -> LoopName {
        LoopName::Sweeper
    }

    async fn tick(&self, now: Timestamp) {
        if self.executor.is_blocked() || mutant::is_active(Mutant::NoSweeper) {
            self.context.engine.record_round(LoopName::Sweeper, now);
            return;
        }
        match self.sweep(now).await {
            Ok(rescued) => {
                self.has_swept.store(true, Relaxed);
                if rescued > 0 {
                    self.context.engine.hint_counters.record_rescued(rescued);
                }
                self.context.engine.record_round(LoopName::Sweeper, self.context.clock.now());
            }
            Err(error) => {
                tracing::warn!("overdue tasks were not executed and will be retried: {error:?}");
                self.context.engine.record_error(LoopName::Sweeper, now, &error);
            }
        }
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.tick(self.context.loop_now()).await;
            let rest = if self.is_without_hints() { INTERVAL_WITHOUT_HINTS } else { INTERVAL };
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(rest) => {}
            }
        }
    }
}
