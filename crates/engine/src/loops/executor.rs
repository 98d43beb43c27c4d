//! Executes claims in batches. A batch that fails is split in half until the failing task is
//! isolated.

use crate::Context;
use crate::{LoopName, Stale};
use domain::{Hint, KindClass, Timestamp, health::IssueDetail};
use futures::FutureExt;
use std::{
    collections::BTreeMap,
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};
use store::{
    Store, StoreError, canary,
    execute::{self, Claim, CrashOutcome, ExecutionContext, Limit, Outcome},
};
use tracing::{Instrument, field::Empty};

/// Target duration of a transaction on SQLite: users who save wait for its single writer.
const TARGET_TRANSACTION_TIME: Duration = Duration::from_millis(20);
/// The same for classes beside content: content that is due waits for the single writer too.
const TARGET_TIME_BESIDE_CONTENT: Duration = Duration::from_millis(10);
/// Minimum number of tasks in one transaction on SQLite, because each transaction waits for the
/// disk once.
const MIN_BATCH_SIZE: usize = 50;
/// The same for classes beside content, whose tasks may take longer.
const MIN_SIZE_BESIDE_CONTENT: usize = 10;
/// Delay before a task is retried that waits for an earlier task of its target, milliseconds.
const REQUEUE_DELAY_MS: i64 = 250;
/// Delay before a task is retried that exceeded the concurrency limit of its kind, milliseconds.
const LIMIT_RETRY_MS: i64 = 20;
/// Maximum time in which tasks of limited kinds are executed one after another before other tasks
/// continue.
const MAX_LIMITED_TIME: Duration = Duration::from_millis(50);

/// Executes claims and adapts the size of batches to the measured duration.
pub struct Executor {
    context: Context,
    /// Size of the next batch of each class.
    batches: [AtomicUsize; KindClass::ALL.len()],
}

/// Why an execution transaction failed.
enum ExecutionError {
    /// The database is unavailable, full or busy: retry later, no task is to blame.
    Unavailable(StoreError),
    /// A task in the batch failed.
    Batch(String),
}

impl Executor {
    /// Creates the executor.
    #[must_use]
    pub fn new(context: Context) -> Self {
        let max = context.limits.batch_size;
        let batch =
            if matches!(context.store, Store::Sqlite { .. }) { max.min(2 * MIN_BATCH_SIZE) } else { max };
        Self { context, batches: std::array::from_fn(|_| AtomicUsize::new(batch)) }
    }

    /// Whether execution is blocked: the engine is paused, or the clocks are too far apart.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.context.engine.is_paused() || self.context.engine.are_clocks_apart()
    }

    /// Executes the claims that SQL allows and returns the number of executed tasks. Claims that
    /// are early or must wait are requeued as hints. On an error (database unavailable) the
    /// remaining claims are requeued too.
    pub async fn execute(&self, name: LoopName, claims: &[Claim]) -> Result<u64, StoreError> {
        let (batched, alone) = self.context.execution.in_flight.split_quarantined(claims);
        match self.execute_in_batches(name, &batched, self.context.limits.batch_size).await {
            Ok(executed) => Ok(executed + self.execute_in_batches(name, &alone, 1).await?),
            Err(error) => {
                self.requeue(&alone).await;
                Err(error)
            }
        }
    }

    async fn execute_in_batches(
        &self,
        name: LoopName,
        claims: &[Claim],
        max: usize,
    ) -> Result<u64, StoreError> {
        let (mut executed, mut rest, mut full) = (0, claims, Vec::new());
        while !rest.is_empty() {
            if self.is_blocked() {
                self.requeue(&[rest, &full].concat()).await;
                return Ok(executed);
            }
            let size = self.batches[class_of(rest) as usize].load(Relaxed);
            let (chunk, after) = rest.split_at(chunk_size(rest.len(), size.min(max)));
            match self.execute_chunk(name, chunk, &mut full).await {
                Ok(done) => executed += done,
                Err(error) => {
                    self.requeue(&[rest, &full].concat()).await;
                    return Err(error);
                }
            }
            rest = after;
        }
        Ok(executed + self.execute_limited(name, full).await?)
    }

    /// Executes claims of limited kinds a few at a time while the limit allows it, for at most
    /// [`MAX_LIMITED_TIME`]. Requeues the rest.
    async fn execute_limited(&self, name: LoopName, mut waiting: Vec<Claim>) -> Result<u64, StoreError> {
        let (began, mut executed) = (Instant::now(), 0);
        while !waiting.is_empty() && began.elapsed() < MAX_LIMITED_TIME && !self.is_blocked() {
            let limits = self.context.engine.limits();
            let few = limits.iter().filter_map(|limit| limit.max_concurrency.map(usize::from)).sum::<usize>();
            let few = few.clamp(1, waiting.len());
            let mut full = Vec::new();
            match self.execute_chunk(name, &waiting[..few], &mut full).await {
                Ok(done) => executed += done,
                Err(error) => {
                    self.requeue(&waiting).await;
                    return Err(error);
                }
            }
            let is_stuck = full.len() == few;
            waiting.splice(..few, full);
            if is_stuck {
                break;
            }
        }
        self.context.engine.hint_counters.record_stale(Stale::AtLimit, waiting.len() as u64);
        let at = self.context.clock.now().plus(LIMIT_RETRY_MS);
        self.add_hints(&waiting.iter().map(|claim| claim.hint(at)).collect::<Vec<_>>()).await;
        Ok(executed)
    }

    /// Executes claims in one batch. Those above the concurrency limit of their kind are added to
    /// `full`.
    async fn execute_chunk(
        &self,
        name: LoopName,
        chunk: &[Claim],
        full: &mut Vec<Claim>,
    ) -> Result<u64, StoreError> {
        let (mut executed, mut stack) = (0, vec![chunk]);
        while let Some(part) = stack.pop() {
            match self.attempt(part).await {
                Ok(mut outcome) => {
                    let over_limit =
                        outcome.stale.extract_if(.., |(_, why)| *why == execute::Stale::ConcurrencyLimit);
                    full.extend(over_limit.map(|(claim, _)| claim));
                    self.adapt_batch_size(class_of(part), part.len(), outcome.duration);
                    executed += outcome.executed.len() as u64;
                    self.process_outcome(outcome).await;
                }
                Err(ExecutionError::Unavailable(error)) => return Err(error),
                Err(ExecutionError::Batch(why)) if part.len() == 1 => {
                    self.record_crash(name, &part[0], &why).await?
                }
                Err(ExecutionError::Batch(_)) => {
                    let (first, second) = part.split_at(part.len() / 2);
                    stack.extend([second, first]);
                }
            }
        }
        Ok(executed)
    }

    async fn attempt(&self, claims: &[Claim]) -> Result<Outcome, ExecutionError> {
        // Written before execution, so that other nodes know the tasks in flight if one of them
        // crashes this process.
        let guard = self.context.execution.in_flight.begin(claims);
        let write = guard.pending_write(self.context.node.id).await;
        let limits = self.context.engine.limits();
        let terms = self.execution_context(&limits);
        let span = tracing::info_span!("execute", claims = claims.len(), executed = Empty);
        let run = AssertUnwindSafe(execute::run(&self.context.store, claims, terms, write)).catch_unwind();
        match run.instrument(span.clone()).await {
            Ok(Ok(outcome)) => {
                span.record("executed", outcome.executed.len());
                span.in_scope(|| (self.context.execution.on_done)(&outcome, claims));
                Ok(outcome)
            }
            Ok(Err(error)) if error.is_temporary() => Err(ExecutionError::Unavailable(error)),
            Ok(Err(error)) => Err(ExecutionError::Batch(error.to_string())),
            Err(_) => Err(ExecutionError::Batch("the task handler panicked".to_owned())),
        }
    }

    /// Prepares the connections of this many batches before anything is due.
    pub async fn warm_up(&self, batches: usize) {
        // A connection that is not prepared now is prepared when a task is due.
        if let Err(error) = execute::warm_up(&self.context.store, self.execution_context(&[]), batches).await
        {
            tracing::debug!("preparing connections failed: {error:?}");
        }
    }

    fn execution_context<'a>(&'a self, limits: &'a [Limit]) -> ExecutionContext<'a> {
        let Context { node, clock, execution, .. } = &self.context;
        ExecutionContext {
            node: &node.name,
            clock: clock.as_ref(),
            handler: execution.handler.as_ref(),
            limits,
        }
    }

    /// Adapts the batch size of a class on SQLite, so that a transaction takes about
    /// [`TARGET_TRANSACTION_TIME`] or [`TARGET_TIME_BESIDE_CONTENT`].
    fn adapt_batch_size(&self, class: KindClass, tasks: usize, took: Duration) {
        let batch = self.batches[class as usize].load(Relaxed);
        if matches!(self.context.store, Store::Postgres { .. }) || tasks < batch {
            return;
        }
        let (target, min) = match class {
            KindClass::Content => (TARGET_TRANSACTION_TIME, MIN_BATCH_SIZE),
            KindClass::People | KindClass::Machines => (TARGET_TIME_BESIDE_CONTENT, MIN_SIZE_BESIDE_CONTENT),
        };
        let fits = tasks as f64 * target.as_secs_f64() / took.as_secs_f64().max(1e-6);
        // Moves only half-way: one slow disk write must not make all batches small.
        let max = self.context.limits.batch_size;
        let next = batch.midpoint(fits.min(max as f64) as usize);
        self.batches[class as usize].store(next.clamp(min.min(max), max), Relaxed);
    }

    async fn process_outcome(&self, outcome: Outcome) {
        if outcome.has_changes() {
            self.context.committed.notify_waiters();
            self.context.execution.done.notify_one();
        }
        if outcome.deliveries > 0 {
            self.context.deliveries_added.notify_one();
        }
        let lags = metrics::histogram!("presstime_task_lag_seconds");
        let mut kinds = BTreeMap::<&'static str, u64>::new();
        for task in &outcome.executed {
            lags.record(outcome.at.since(task.due_at) as f64 / 1_000.0);
            *kinds.entry(task.kind).or_default() += 1;
        }
        for (kind, count) in kinds {
            metrics::counter!("presstime_tasks_executed_total", "kind" => kind).increment(count);
        }
        metrics::counter!("presstime_tasks_failed_total").increment(outcome.failed.len() as u64);
        metrics::counter!("presstime_tasks_missed_total").increment(outcome.missed.len() as u64);
        let mut again = outcome.rescheduled;
        for (claim, stale) in &outcome.stale {
            if claim.task != canary::ID {
                self.context.engine.hint_counters.record_stale(reason(*stale), 1);
            }
            match stale {
                execute::Stale::Early { until } | execute::Stale::RateLimit { until } => {
                    again.push(claim.hint(*until));
                }
                execute::Stale::AfterEarlierTask => again.push(claim.hint(outcome.at.plus(REQUEUE_DELAY_MS))),
                _ => {}
            }
        }
        self.add_hints(&again).await;
    }

    async fn record_crash(&self, name: LoopName, claim: &Claim, why: &str) -> Result<(), StoreError> {
        let now = self.context.clock.now();
        tracing::error!(task = %claim.task, "executing a task failed: {why}");
        self.context.engine.record_error(name, now, IssueDetail::TaskPanics { task: claim.task });
        match execute::record_crash(&self.context.store, claim, now).await? {
            CrashOutcome::RetryAt(at) => self.add_hints(&[claim.hint(at)]).await,
            CrashOutcome::Failed => self.context.committed.notify_waiters(),
            CrashOutcome::Rescheduled(hint) => {
                self.context.committed.notify_waiters();
                self.add_hints(&[hint]).await;
            }
            CrashOutcome::Changed => {}
        }
        Ok(())
    }

    /// Requeues claims that were not executed.
    pub async fn requeue(&self, claims: &[Claim]) {
        // Uses the earlier clock: with a clock that is ahead, other nodes would pick up the hints
        // late.
        let at: Timestamp = self.context.loop_now().plus(REQUEUE_DELAY_MS);
        let hints: Vec<Hint> = claims.iter().map(|claim| claim.hint(at)).collect();
        self.add_hints(&hints).await;
    }

    async fn add_hints(&self, hints: &[Hint]) {
        if hints.is_empty() {
            return;
        }
        // The sweeper finds tasks whose hints are lost here.
        if let Err(error) = self.context.hints.add(hints).await {
            tracing::debug!("{} hints were not requeued: {error}", hints.len());
        }
    }
}

/// Returns the class of claims that are executed together; content if there are none.
fn class_of(claims: &[Claim]) -> KindClass {
    claims.first().map_or(KindClass::Content, |claim| claim.class)
}

/// Returns the size of the next batch of about `max` out of `all`. A small remainder is included.
fn chunk_size(all: usize, max: usize) -> usize {
    if all <= max + max / 4 { all } else { max }
}

fn reason(stale: execute::Stale) -> Stale {
    match stale {
        execute::Stale::Gone => Stale::Gone,
        execute::Stale::Changed | execute::Stale::Ended => Stale::Changed,
        execute::Stale::Early { .. } => Stale::Early,
        execute::Stale::Unapproved => Stale::Unapproved,
        execute::Stale::AfterEarlierTask => Stale::Blocked,
        execute::Stale::UnknownKind => Stale::UnknownKind,
        execute::Stale::ConcurrencyLimit | execute::Stale::RateLimit { .. } => Stale::AtLimit,
    }
}

#[cfg(test)]
mod tests {
    use super::chunk_size;

    #[test]
    fn a_small_remainder_is_included_in_the_chunk() {
        for (all, max, expected) in
            [(500, 497, 500), (500, 100, 100), (3, 1, 1), (1, 1, 1), (7, 4, 4), (5, 4, 5)]
        {
            assert_eq!(chunk_size(all, max), expected, "{all} of {max}");
        }
    }
}
