//! Sweeper: finds overdue tasks in SQL that no hint brought, and executes them. It makes Redis
//! optional.

use crate::Context;
use crate::{Loop, LoopName, executor::Executor};
use async_trait::async_trait;
use domain::Timestamp;
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};
use store::{
    PoolRole, StoreError, canary, failpoint,
    mutant::{self, Mutant},
    overdue,
};
use tokio_util::sync::CancellationToken;

/// How long after its due time a task may still be brought by a hint, milliseconds.
const HINT_GRACE_MS: i64 = 1_000;
/// Interval while hints work.
const INTERVAL: Duration = Duration::from_millis(500);
/// Interval while hints do not work.
const INTERVAL_WITHOUT_HINTS: Duration = Duration::from_millis(250);

/// The sweeper loop.
pub struct Sweeper {
    context: Context,
    executor: Executor,
    has_swept: AtomicBool,
}

impl Sweeper {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { executor: Executor::new(context.clone()), context, has_swept: AtomicBool::new(false) }
    }

    /// Whether no hints can be expected: at the start, and while hints do not work.
    fn is_without_hints(&self) -> bool {
        self.context.engine.are_hints_unusable() || !self.has_swept.load(Relaxed)
    }

    /// Returns the time before which due tasks are swept. Without hints there is no grace.
    /// Otherwise tasks newer than the head of the publish list are left to the consumer, so that a
    /// burst in progress is not swept.
    async fn horizon(&self, now: Timestamp) -> Timestamp {
        let waiting = self.context.hints.depth().await;
        let is_without_hints = self.is_without_hints();
        match waiting {
            Ok(waiting) if !is_without_hints => {
                waiting.oldest_moved_at.map_or(now, |oldest| oldest.min(now)).plus(-HINT_GRACE_MS)
            }
            _ => now.plus(1),
        }
    }

    /// Executes overdue tasks page by page and returns the number of executed tasks.
    async fn sweep(&self, now: Timestamp) -> Result<u64, StoreError> {
        let horizon = self.horizon(now).await;
        // The canary must show whether hints work, so it is left to the consumer.
        let is_included = |kind: &&str| *kind != canary::KIND || self.is_without_hints();
        let kinds: Vec<&str> =
            self.context.execution.handler.kinds().iter().copied().filter(is_included).collect();
        let (mut rescued, mut after) = (0, None);
        loop {
            let page = {
                let mut lease = self.context.store.read(PoolRole::Engine).await?;
                let max = self.context.limits.batch_size as u32;
                overdue::page(lease.conn(), &kinds, horizon, now, after, max).await?
            };
            failpoint::hit_for(&page.claims, "sweeper.read").await?;
            rescued += self.executor.execute(LoopName::Sweeper, &page.claims).await?;
            failpoint::hit_for(&page.claims, "sweeper.done").await?;
            after = page.next;
            if after.is_none() || self.executor.is_blocked() {
                return Ok(rescued);
            }
        }
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
