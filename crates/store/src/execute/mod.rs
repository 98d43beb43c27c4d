//! Execution: the one place that decides whether a task happens. A hint is never permission.
//!
//! One transaction a batch: lock the targets in id order → compare-and-set of the tasks → effects → execution rows →
//! events → commit. What was asked for and did not happen is looked at and told by reason.

mod begin;
mod claim;
mod companions;
mod explain;
mod ledger;
mod miss;
#[cfg(all(feature = "mutants", debug_assertions))]
mod mutants;
mod places;
mod strike;

pub use claim::{Claim, Stale};
pub use places::Limit;
pub use strike::{Strike, strike};

use crate::{
    Store, StoreError, Tx,
    event::NewEvent,
    hands::Note,
    outbox::{self, Message},
    point,
};
use async_trait::async_trait;
use begin::Begun;
use claim::Catch;
use domain::{Clock, RevisionId, TaskId, Timestamp, Version};
use explain::{Fate, Leftover};
use ledger::Book;
#[cfg(all(feature = "mutants", debug_assertions))]
use std::ops::ControlFlow;
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};
use uuid::Uuid;

/// A task that is being executed in this transaction: the compare-and-set has taken it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Identity.
    pub id: TaskId,
    /// What shall happen: one of [`Effects::kinds`].
    pub kind: &'static str,
    /// To what.
    pub target_id: Uuid,
    /// The approved revision, where the kind pins one.
    pub revision_id: Option<RevisionId>,
    /// When it was due.
    pub due_at: Timestamp,
    /// The version that is executed.
    pub version: Version,
}

/// What a strategy made of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It happened.
    Done,
    /// Not now: once more at that moment.
    RetryAt(Timestamp),
    /// It cannot happen, now or later: a code of [`domain::task::reason`] or a sentence.
    Dead(&'static str),
}

/// What strategies leave to be written at the end of the transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aftermath {
    /// What is to stand in the log beside the tasks' own lines.
    pub log: Vec<NewEvent>,
    /// What the outside is to be told of.
    pub messages: Vec<Message>,
}

/// What happens when tasks are due: the effects, in the transaction that marks the tasks.
#[async_trait]
pub trait Effects: Send + Sync {
    /// The kinds it knows. Tasks of others are left alone: a newer release may know them.
    fn kinds(&self) -> &'static [&'static str];

    /// Executes tasks of one kind, no two of them of the same target. One verdict each, in their order. What follows
    /// from it goes into `after`.
    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[Taken],
        at: Timestamp,
        after: &mut Aftermath,
    ) -> Result<Vec<Verdict>, StoreError>;

    /// Is told of what happened, after the commit; not told if the process dies in between.
    fn happened(&self, _tasks: &[Taken]) {}
}

/// Under what terms a batch runs.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// Name of this process, for the execution rows.
    pub node: &'a str,
    /// This process's clock: nothing due later than it says is executed, whatever the database's clock says.
    pub clock: &'a dyn Clock,
    /// What happens.
    pub effects: &'a dyn Effects,
    /// Kinds of which only so many tasks may happen at once, on all nodes together.
    pub limits: &'a [Limit],
}

/// What became of a batch. All of it is committed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What happened, with the moment it was due.
    pub executed: Vec<Taken>,
    /// Could not happen.
    pub failed: Vec<TaskId>,
    /// Were found beyond their late rule, or not approved in time.
    pub missed: Vec<TaskId>,
    /// What was asked for and is not to happen, or not yet.
    pub stale: Vec<(Claim, Stale)>,
    /// `executed_at` of all that happened.
    pub at: Timestamp,
    /// How many deliveries were written.
    pub posted: u64,
    /// How long the transaction took, from its begin to its commit.
    pub took: Duration,
}

impl Outcome {
    /// Whether something changed: events were written.
    #[must_use]
    pub fn is_news(&self) -> bool {
        !(self.executed.is_empty() && self.failed.is_empty() && self.missed.is_empty())
    }
}

/// Executes what of `claims` SQL allows, in one transaction. All or nothing: an error means that nothing happened (an
/// error at the commit leaves it unknown; claiming again is harmless).
///
/// Several tasks of one target happen in due order, and readers see only the last state.
///
/// `note` is written before anything is taken.
pub async fn run(
    store: &Store,
    claims: &[Claim],
    terms: Terms<'_>,
    note: Option<Note>,
) -> Result<Outcome, StoreError> {
    #[cfg(all(feature = "mutants", debug_assertions))]
    let note = match mutants::run(store, claims, terms, note).await {
        ControlFlow::Break(outcome) => return outcome,
        ControlFlow::Continue(note) => note,
    };
    attempt(store, claims, terms, note).await
}

/// Executes nothing over `count` connections to PostgreSQL: they have their statements ready afterwards, prepared and planned, and
/// the first of a burst need not wait for it. Changes nothing.
pub async fn rehearse(store: &Store, terms: Terms<'_>, count: usize) -> Result<(), StoreError> {
    let mut all = Vec::new();
    if matches!(store, Store::Postgres { .. }) {
        for _ in 0..count {
            all.push(begin::begin(store, &[], terms, None).await?);
        }
    }
    for Begun { mut tx, bounds, .. } in all {
        claim::take(tx.conn(), &[], bounds).await?;
        if let Tx::Postgres(line) = tx {
            ledger::rehearse(line).await?;
        }
    }
    Ok(())
}

async fn attempt(
    store: &Store,
    claims: &[Claim],
    terms: Terms<'_>,
    note: Option<Note>,
) -> Result<Outcome, StoreError> {
    let Begun { mut tx, since, started_at, bounds, mut rest, full, mut caught } =
        begin::begin(store, claims, terms, note).await?;
    let now = bounds.now;
    let mut run = Run {
        book: Book::new(terms.node, started_at, now),
        outcome: Outcome {
            at: now,
            stale: full.into_iter().map(|one| (one, Stale::Full)).collect(),
            ..Outcome::default()
        },
        messages: Vec::new(),
    };
    #[cfg(all(feature = "mutants", debug_assertions))]
    let bounds = {
        let mut bounds = bounds;
        mutants::persuade(&mut tx, &rest, &mut bounds).await?;
        bounds
    };
    // A further round only where several tasks of one target are due.
    while !rest.is_empty() {
        let Catch { tasks: taken, crowded } = match caught.take() {
            Some(caught) => caught,
            None => claim::take(tx.conn(), &rest, bounds).await?,
        };
        point::pass_with(claims, "execute.taken").await?;
        let mut gone: HashSet<Uuid> = taken.iter().map(|task| task.target_id).collect();
        let ids: HashSet<TaskId> = taken.iter().map(|task| task.id).collect();
        run.settle(&mut tx, terms.effects, taken, &rest).await?;
        point::pass_with(claims, "execute.settled").await?;
        rest.retain(|claim| !ids.contains(&claim.task));
        let left = explain::explain(tx.conn(), &rest, bounds).await?;
        point::pass_with(claims, "execute.explained").await?;
        gone.extend(run.give_up(&mut tx, &left, bounds.sql_now).await?);
        rest = run.sort(left, &gone);
        let known: HashSet<TaskId> = rest.iter().map(|claim| claim.task).collect();
        let more = companions::of(tx.conn(), &crowded, bounds, terms.limits).await?;
        rest.extend(more.into_iter().filter(|claim| !known.contains(&claim.task)));
    }
    let Run { book, mut outcome, messages } = run;
    outcome.posted = outbox::post(&mut tx, &messages, now).await?;
    point::pass_with(claims, "execute.posted").await?;
    book.commit(tx, claims).await?;
    outcome.took = since.elapsed();
    point::pass_with(claims, "execute.committed").await?;
    terms.effects.happened(&outcome.executed);
    point::pass_with(claims, "execute.told").await?;
    Ok(outcome)
}

/// A transaction of execution on its way.
struct Run<'a> {
    book: Book<'a>,
    outcome: Outcome,
    messages: Vec<Message>,
}

impl Run<'_> {
    /// Applies the effects of what was taken, and books it.
    async fn settle(
        &mut self,
        tx: &mut Tx,
        effects: &dyn Effects,
        taken: Vec<Taken>,
        claims: &[Claim],
    ) -> Result<(), StoreError> {
        let (mut done, mut dead, mut later) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = Aftermath::default();
        for kind in effects.kinds() {
            let tasks: Vec<Taken> = taken.iter().filter(|task| task.kind == *kind).copied().collect();
            if tasks.is_empty() {
                continue;
            }
            let verdicts = effects.apply(tx, kind, &tasks, self.outcome.at, &mut after).await?;
            if verdicts.len() != tasks.len() {
                return Err(StoreError::Corrupt(format!(
                    "{} verdicts for {} tasks",
                    verdicts.len(),
                    tasks.len()
                )));
            }
            for (task, verdict) in tasks.into_iter().zip(verdicts) {
                match verdict {
                    Verdict::Done => done.push(task),
                    Verdict::RetryAt(at) => later.push((task, at)),
                    Verdict::Dead(reason) => dead.push((task, reason)),
                }
            }
        }
        self.book.executed(&done, claims);
        self.book.log.append(&mut after.log);
        self.messages.append(&mut after.messages);
        self.outcome.executed.append(&mut done);
        self.end(tx, dead).await?;
        self.put_off(tx, later, claims).await
    }

    async fn end(&mut self, tx: &mut Tx, dead: Vec<(Taken, &'static str)>) -> Result<(), StoreError> {
        if dead.is_empty() {
            return Ok(());
        }
        ledger::fail(tx.conn(), &dead).await?;
        self.book.failed(&dead);
        self.outcome.failed.extend(dead.iter().map(|(task, _)| task.id));
        Ok(())
    }

    async fn put_off(
        &mut self,
        tx: &mut Tx,
        later: Vec<(Taken, Timestamp)>,
        claims: &[Claim],
    ) -> Result<(), StoreError> {
        if later.is_empty() {
            return Ok(());
        }
        ledger::put_off(tx.conn(), &later).await?;
        let until: HashMap<TaskId, Timestamp> = later.iter().map(|(task, at)| (task.id, *at)).collect();
        let early = claims
            .iter()
            .filter_map(|claim| Some((*claim, Stale::Early { until: *until.get(&claim.task)? })));
        self.outcome.stale.extend(early);
        Ok(())
    }

    /// Misses what it is too late for; returns what those were about.
    async fn give_up(
        &mut self,
        tx: &mut Tx,
        left: &[Leftover],
        sql_now: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        let lost: Vec<Claim> =
            left.iter().filter(|one| one.fate == Fate::Lost).map(|one| one.claim).collect();
        if lost.is_empty() {
            return Ok(Vec::new());
        }
        let missed = miss::miss(tx.conn(), &lost, sql_now).await?;
        self.book.missed(&missed);
        self.outcome.missed.extend(missed.iter().map(|one| one.id));
        Ok(missed.into_iter().map(|one| one.target_id).collect())
    }

    /// What waited for something that is gone now, for another round; the others are stale.
    fn sort(&mut self, left: Vec<Leftover>, gone: &HashSet<Uuid>) -> Vec<Claim> {
        let mut again = Vec::new();
        for one in left {
            match one.fate {
                Fate::Lost => {}
                Fate::Stale(Stale::Waits) if one.target.is_some_and(|target| gone.contains(&target)) => {
                    again.push(one.claim);
                }
                Fate::Stale(stale) => self.outcome.stale.push((one.claim, stale)),
            }
        }
        again
    }
}
