//! Sweeper: the consumer fed from SQL. It finds what is overdue and no hint brought; it is what makes Redis disposable.

use super::{Loop, Name, executor::Executor, wrong};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::Timestamp;
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};
use store::{
    StoreError, Who, canary,
    mutant::{self, Mutant},
    overdue, point,
};
use tokio_util::sync::CancellationToken;

/// How long a hint may take to bring its task, milliseconds.
const GRACE_MS: i64 = 1_000;
/// How often it looks while hints come.
const CALM: Duration = Duration::from_millis(500);
/// How often it looks while they do not.
const ALONE: Duration = Duration::from_millis(250);

/// The sweeper.
pub struct Sweeper {
    parts: Parts,
    executor: Executor,
    has_swept: AtomicBool,
}

impl Sweeper {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { executor: Executor::new(parts.clone()), parts, has_swept: AtomicBool::new(false) }
    }

    /// Whether no hints can be expected: at the start, and while there are none.
    fn is_alone(&self) -> bool {
        self.parts.pulse.lacks_hints() || !self.has_swept.load(Relaxed)
    }

    /// Tasks due before this moment are overdue: no grace where no hints can be expected; else nothing younger than the head
    /// of the publish list, so that a burst in progress is not rescued.
    async fn horizon(&self, now: Timestamp) -> Timestamp {
        let waiting = self.parts.hints.waiting().await;
        let is_alone = self.is_alone();
        match waiting {
            Ok(waiting) if !is_alone => {
                waiting.oldest_moved_at.map_or(now, |oldest| oldest.min(now)).plus(-GRACE_MS)
            }
            _ => now.plus(1),
        }
    }

    /// Executes what is overdue, page by page; returns how many tasks happened.
    async fn sweep(&self, now: Timestamp) -> Result<u64, StoreError> {
        let horizon = self.horizon(now).await;
        // The canary must show whether hints bring what is due.
        let is_mine = |kind: &&str| *kind != canary::KIND || self.is_alone();
        let kinds: Vec<&str> = self.parts.effects.kinds().iter().copied().filter(is_mine).collect();
        let (mut rescued, mut after) = (0, None);
        loop {
            let page = {
                let mut lease = self.parts.store.read(Who::Engine).await?;
                let most = self.parts.at_once as u32;
                overdue::page(lease.conn(), &kinds, horizon, now, after, most).await?
            };
            point::pass_with(&page.claims, "sweeper.read").await?;
            rescued += self.executor.execute(Name::Sweeper, &page.claims).await?;
            point::pass_with(&page.claims, "sweeper.done").await?;
            after = page.next;
            if after.is_none() || self.executor.is_held() {
                return Ok(rescued);
            }
        }
    }
}

#[async_trait]
impl Loop for Sweeper {
    fn name(&self) -> Name {
        Name::Sweeper
    }

    async fn tick(&self, now: Timestamp) {
        if self.executor.is_held() || mutant::is(Mutant::NoSweeper) {
            self.parts.pulse.beat(Name::Sweeper, now);
            return;
        }
        match self.sweep(now).await {
            Ok(rescued) => {
                self.has_swept.store(true, Relaxed);
                if rescued > 0 {
                    self.parts.pulse.counts.rescued(rescued);
                }
                self.parts.pulse.beat(Name::Sweeper, self.parts.clock.now());
            }
            Err(error) => {
                tracing::warn!("overdue tasks were not executed: {error:?}");
                self.parts.pulse.trouble(Name::Sweeper, now, wrong(&error));
            }
        }
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.tick(self.parts.loop_now()).await;
            let rest = if self.is_alone() { ALONE } else { CALM };
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(rest) => {}
            }
        }
    }
}
