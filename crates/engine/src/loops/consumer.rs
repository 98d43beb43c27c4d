//! Consumer: pops hints from the publish lists and executes their tasks. SQL alone decides whether
//! a task is executed.

use crate::Context;
use crate::{Loop, LoopName, executor::Executor};
use async_trait::async_trait;
use domain::Timestamp;
use futures::future::join_all;
use queue::{HintScope, QueueError};
use std::time::Duration;
use store::{Store, execute::Claim, failpoint};
use tokio_util::sync::CancellationToken;

/// Maximum wait for a hint, after which the loop records that it runs.
const HINT_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum number of tasks in the first batch after idling, so that the first of a burst do not
/// wait for 500 others.
const FIRST_BATCH_SIZE: usize = 16;
/// Concurrent batches on PostgreSQL with what they execute: while one waits for the disk or the
/// client, the server works on another. The last two are reserved during a burst: one for high priority
/// and content, one for high priority alone.
const POSTGRES_BATCHES: [HintScope; 5] =
    [HintScope::All, HintScope::All, HintScope::All, HintScope::Urgent, HintScope::High];
/// Concurrent batches on SQLite, which has one writer: while one is executed, the other is
/// prepared. The last one is reserved for high priority and content.
const SQLITE_BATCHES: [HintScope; 2] = [HintScope::All, HintScope::Urgent];
/// Delay before a retry while the engine is paused or the database or Redis is unavailable.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// The consumer loop.
pub struct Consumer {
    context: Context,
    executor: Executor,
}

impl Consumer {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { executor: Executor::new(context.clone()), context }
    }

    async fn pop(&self, scope: HintScope, max: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let hints = self.context.hints.pop(scope, max, self.context.clock.as_ref(), wait).await?;
        Ok(hints.into_iter().map(Claim::from).collect())
    }

    /// Executes claims, one priority and class after the other, so that urgent tasks do not share a
    /// transaction with hundreds of others. Returns false if the database is unavailable.
    async fn consume(&self, claims: &[Claim]) -> bool {
        if claims.is_empty() {
            return self.consume_class(claims).await;
        }
        let mut left = claims;
        for chunk in claims.chunk_by(|one, next| (one.priority, one.class) == (next.priority, next.class)) {
            left = &left[chunk.len()..];
            if !self.consume_class(chunk).await {
                self.executor.requeue(left).await;
                return false;
            }
        }
        true
    }

    /// Executes claims of one priority and class and records the round. Returns false if the database is
    /// unavailable.
    async fn consume_class(&self, claims: &[Claim]) -> bool {
        let done = self.executor.execute(LoopName::Consumer, claims).await;
        let now = self.context.clock.now();
        match &done {
            Ok(_) => self.context.engine.record_round(LoopName::Consumer, now),
            Err(error) => {
                tracing::warn!("tasks were not executed and will be retried: {error:?}");
                self.context.engine.record_error(LoopName::Consumer, now, error);
            }
        }
        done.is_ok()
    }

    /// Runs one round: waits for at most `max` hints of the scope, executes them, and sets
    /// `max` for the next round. Returns false if the caller should pause first.
    async fn round(&self, scope: HintScope, max: &mut usize, stop: &CancellationToken) -> bool {
        if self.executor.is_blocked() {
            self.context.engine.record_round(LoopName::Consumer, self.context.clock.now());
            return false;
        }
        let take = self.pop(scope, *max, HINT_TIMEOUT);
        tokio::pin!(take);
        let taken = tokio::select! {
            biased;
            taken = &mut take => taken,
            () = stop.cancelled() => match self.context.hints.is_shared() {
                // A response may be in flight. If it were dropped, its hints would be missing on
                // all nodes for a second.
                true => take.await,
                false => return true,
            },
        };
        match taken {
            Ok(claims) => {
                if failpoint::hit_for(&claims, "consumer.popped").await.is_err() {
                    return false;
                }
                *max = if claims.len() < *max {
                    self.first_batch_size()
                } else {
                    self.context.limits.batch_size.min(*max * 4)
                };
                let is_done = self.consume(&claims).await;
                // As if the database were unavailable: the hints are consumed.
                is_done && failpoint::hit_for(&claims, "consumer.done").await.is_ok()
            }
            // The sweeper finds the tasks meanwhile. The mover reports that the hint store is
            // unavailable.
            Err(_) => {
                self.context.engine.record_round(LoopName::Consumer, self.context.clock.now());
                false
            }
        }
    }

    fn first_batch_size(&self) -> usize {
        self.context.limits.batch_size.min(FIRST_BATCH_SIZE)
    }

    async fn run_batches(&self, scope: HintScope, stop: &CancellationToken) {
        let mut max = self.first_batch_size();
        while !stop.is_cancelled() {
            if !self.round(scope, &mut max, stop).await {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(RETRY_DELAY) => {}
                }
            }
        }
    }
}

#[async_trait]
impl Loop for Consumer {
    fn name(&self) -> LoopName {
        LoopName::Consumer
    }

    async fn tick(&self, now: Timestamp) {
        if self.executor.is_blocked() {
            self.context.engine.record_round(LoopName::Consumer, now);
            return;
        }
        while let Ok(claims) = self.pop(HintScope::All, self.context.limits.batch_size, Duration::ZERO).await
        {
            if !self.consume(&claims).await || claims.is_empty() {
                return;
            }
        }
    }

    async fn run(&self, stop: CancellationToken) {
        let batches: &[HintScope] = if matches!(self.context.store, Store::Sqlite { .. }) {
            &SQLITE_BATCHES
        } else {
            &POSTGRES_BATCHES
        };
        self.executor.warm_up(batches.len()).await;
        join_all(batches.iter().map(|scope| self.run_batches(*scope, &stop))).await;
    }
}
