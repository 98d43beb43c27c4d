//! Executes claims with all that may go wrong: a batch that breaks is halved until the broken task stands alone.

use super::{Name, Stale};
use crate::{parts::Parts, traces};
use domain::{Hint, Timestamp, fault::Fault};
use futures::FutureExt;
use std::{
    collections::BTreeMap,
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};
use store::{
    Store, StoreError, canary,
    execute::{self, Claim, Limit, Outcome, Strike, Terms},
};
use tracing::{Instrument, field::Empty};

/// How long a transaction may hold SQLite's one writer: people who save wait for it, and each one waits for the disk.
const TURN: Duration = Duration::from_millis(20);
/// Fewest tasks in one transaction on SQLite: each transaction waits for the disk once.
const SMALLEST: usize = 50;
/// After so long a task that waits for an earlier one of its target is looked at again, milliseconds.
const WAITS_MS: i64 = 250;
/// After so long a task for which there was no room is looked at again, milliseconds.
const FULL_MS: i64 = 20;
/// How long those for which there was no room are executed one after another before others have their turn.
const TURNS: Duration = Duration::from_millis(50);

/// Executes claims. Cheap to clone only by reference: it learns how large a batch may be.
pub struct Executor {
    parts: Parts,
    batch: AtomicUsize,
}

/// Why a transaction of execution did not come to its end.
enum Broken {
    /// The database is away, full or busy: nobody's fault, later again.
    Away(StoreError),
    /// Something in the batch.
    Batch(String),
}

impl Executor {
    /// Over `parts`.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let most = parts.at_once;
        let batch = if matches!(parts.store, Store::Sqlite { .. }) { most.min(2 * SMALLEST) } else { most };
        Self { parts, batch: AtomicUsize::new(batch) }
    }

    /// Whether nothing may be executed now: paused, or the clocks are too far apart.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.parts.pulse.is_paused() || self.parts.pulse.is_off_time()
    }

    /// Executes what of `claims` SQL allows and returns how many tasks happened. What is early or waits is given back to the
    /// hints. An error: the database is away; the claims that were not looked at are given back too.
    pub async fn execute(&self, name: Name, claims: &[Claim]) -> Result<u64, StoreError> {
        let (together, alone) = self.parts.hands.sort(claims);
        match self.in_batches(name, &together, self.parts.at_once).await {
            Ok(executed) => Ok(executed + self.in_batches(name, &alone, 1).await?),
            Err(error) => {
                self.give_back(&alone).await;
                Err(error)
            }
        }
    }

    async fn in_batches(&self, name: Name, claims: &[Claim], most: usize) -> Result<u64, StoreError> {
        let (mut executed, mut rest, mut full) = (0, claims, Vec::new());
        while !rest.is_empty() {
            if self.is_held() {
                self.give_back(&[rest, &full].concat()).await;
                return Ok(executed);
            }
            let (chunk, after) = rest.split_at(portion(rest.len(), self.batch.load(Relaxed).min(most)));
            match self.execute_chunk(name, chunk, &mut full).await {
                Ok(done) => executed += done,
                Err(error) => {
                    self.give_back(&[rest, &full].concat()).await;
                    return Err(error);
                }
            }
            rest = after;
        }
        Ok(executed + self.in_turn(name, full).await?)
    }

    /// Executes claims of limited kinds a few at a time, for as long as there is room again after each few; gives back what is
    /// left.
    async fn in_turn(&self, name: Name, mut waiting: Vec<Claim>) -> Result<u64, StoreError> {
        let (began, mut executed) = (Instant::now(), 0);
        while !waiting.is_empty() && began.elapsed() < TURNS && !self.is_held() {
            let few = self.parts.pulse.limits().iter().map(|(_, most)| usize::from(*most)).sum::<usize>();
            let few = few.clamp(1, waiting.len());
            let mut full = Vec::new();
            match self.execute_chunk(name, &waiting[..few], &mut full).await {
                Ok(done) => executed += done,
                Err(error) => {
                    self.give_back(&waiting).await;
                    return Err(error);
                }
            }
            let is_stuck = full.len() == few;
            waiting.splice(..few, full);
            if is_stuck {
                break;
            }
        }
        self.parts.pulse.counts.stale(Stale::Full, waiting.len() as u64);
        let at = self.parts.clock.now().plus(FULL_MS);
        self.hint(&waiting.iter().map(|claim| claim.hint(at)).collect::<Vec<_>>()).await;
        Ok(executed)
    }

    /// Executes claims together; those for which there is no room go to `full`.
    async fn execute_chunk(
        &self,
        name: Name,
        chunk: &[Claim],
        full: &mut Vec<Claim>,
    ) -> Result<u64, StoreError> {
        let (mut executed, mut stack) = (0, vec![chunk]);
        while let Some(part) = stack.pop() {
            match self.attempt(part).await {
                Ok(mut outcome) => {
                    let crowded = outcome.stale.extract_if(.., |(_, why)| *why == execute::Stale::Full);
                    full.extend(crowded.map(|(claim, _)| claim));
                    self.learn(part.len(), outcome.took);
                    executed += outcome.executed.len() as u64;
                    self.account(outcome).await;
                }
                Err(Broken::Away(error)) => return Err(error),
                Err(Broken::Batch(why)) if part.len() == 1 => self.strike(name, &part[0], &why).await?,
                Err(Broken::Batch(_)) => {
                    let (first, second) = part.split_at(part.len() / 2);
                    stack.extend([second, first]);
                }
            }
        }
        Ok(executed)
    }

    async fn attempt(&self, claims: &[Claim]) -> Result<Outcome, Broken> {
        // Written before any of it happens: should it kill this process, the others know what it was.
        let held = self.parts.hands.take(claims);
        let note = held.note(self.parts.node_id).await;
        let limits = self.parts.pulse.limits();
        let terms = self.terms(&limits);
        let span = tracing::info_span!("execute", claims = claims.len(), executed = Empty);
        let run = AssertUnwindSafe(execute::run(&self.parts.store, claims, terms, note)).catch_unwind();
        match run.instrument(span.clone()).await {
            Ok(Ok(outcome)) => {
                span.record("executed", outcome.executed.len());
                span.in_scope(|| traces::ways(&outcome, claims));
                Ok(outcome)
            }
            Ok(Err(error)) if error.is_temporary() => Err(Broken::Away(error)),
            Ok(Err(error)) => Err(Broken::Batch(error.to_string())),
            Err(_) => Err(Broken::Batch("a strategy panicked".to_owned())),
        }
    }

    /// Makes the connections of so many batches ready, before anything is due.
    pub async fn rehearse(&self, batches: usize) {
        // Who cannot be asked now is asked when something is due.
        if let Err(error) = execute::rehearse(&self.parts.store, self.terms(&[]), batches).await {
            tracing::debug!("connections are not ready yet: {error:?}");
        }
    }

    fn terms<'a>(&'a self, limits: &'a [Limit]) -> Terms<'a> {
        let Parts { node, clock, effects, .. } = &self.parts;
        Terms { node, clock: clock.as_ref(), effects: effects.as_ref(), limits }
    }

    /// On SQLite: as many tasks in a transaction as fit into a turn at the writer.
    fn learn(&self, tasks: usize, took: Duration) {
        let batch = self.batch.load(Relaxed);
        if matches!(self.parts.store, Store::Postgres { .. }) || tasks < batch {
            return;
        }
        let fits = tasks as f64 * TURN.as_secs_f64() / took.as_secs_f64().max(1e-6);
        // Half-way only: one slow disk write must not make all batches small.
        let most = self.parts.at_once;
        let next = batch.midpoint(fits.min(most as f64) as usize);
        self.batch.store(next.clamp(SMALLEST.min(most), most), Relaxed);
    }

    async fn account(&self, outcome: Outcome) {
        if outcome.is_news() {
            self.parts.committed.notify_waiters();
            self.parts.executed.notify_one();
        }
        if outcome.posted > 0 {
            self.parts.posted.notify_one();
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
        let mut again = Vec::new();
        for (claim, stale) in &outcome.stale {
            if claim.task != canary::ID {
                self.parts.pulse.counts.stale(reason(*stale), 1);
            }
            match stale {
                execute::Stale::Early { until } => again.push(claim.hint(*until)),
                execute::Stale::Waits => again.push(claim.hint(outcome.at.plus(WAITS_MS))),
                _ => {}
            }
        }
        self.hint(&again).await;
    }

    async fn strike(&self, name: Name, claim: &Claim, why: &str) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        tracing::error!(task = %claim.task, "executing it broke down: {why}");
        self.parts.pulse.trouble(name, now, Fault::BreaksDown { task: claim.task });
        match execute::strike(&self.parts.store, claim, now).await? {
            Strike::Again(at) => self.hint(&[claim.hint(at)]).await,
            Strike::Out => self.parts.committed.notify_waiters(),
            Strike::Changed => {}
        }
        Ok(())
    }

    /// Gives claims back that were not looked at.
    pub async fn give_back(&self, claims: &[Claim]) {
        // Not by a clock that is ahead: other nodes bring them, and would bring them late.
        let at: Timestamp = self.parts.loop_now().plus(WAITS_MS);
        let hints: Vec<Hint> = claims.iter().map(|claim| claim.hint(at)).collect();
        self.hint(&hints).await;
    }

    async fn hint(&self, hints: &[Hint]) {
        if hints.is_empty() {
            return;
        }
        // What does not come back as a hint is found by the sweeper.
        if let Err(error) = self.parts.hints.add(hints).await {
            tracing::debug!("{} hints were not given back: {error}", hints.len());
        }
    }
}

/// How many of `all` go into one batch of about `most`: a few that would be left over go along.
fn portion(all: usize, most: usize) -> usize {
    if all <= most + most / 4 { all } else { most }
}

fn reason(stale: execute::Stale) -> Stale {
    match stale {
        execute::Stale::Gone => Stale::Gone,
        execute::Stale::Changed | execute::Stale::Ended => Stale::Changed,
        execute::Stale::Early { .. } => Stale::Early,
        execute::Stale::Unapproved => Stale::Unapproved,
        execute::Stale::Waits => Stale::Waits,
        execute::Stale::Foreign => Stale::Foreign,
        execute::Stale::Full => Stale::Full,
    }
}

#[cfg(test)]
mod tests {
    use super::portion;

    #[test]
    fn what_is_left_over_goes_along_if_it_is_little() {
        for (all, most, expected) in
            [(500, 497, 500), (500, 100, 100), (3, 1, 1), (1, 1, 1), (7, 4, 4), (5, 4, 5)]
        {
            assert_eq!(portion(all, most), expected, "{all} of {most}");
        }
    }
}
