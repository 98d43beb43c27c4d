//! Executes tasks. Only this module decides whether a task is executed; a hint is never permission.
//!
//! One transaction per batch: lock the targets in id order → claim the tasks by compare-and-set →
//! apply their effects → write execution rows and events → commit. Each task that was requested and
//! not executed is reported with a reason.

mod begin;
mod claim;
mod concurrency_limit;
mod crash;
mod expire;
mod explain;
#[cfg(all(feature = "mutants", debug_assertions))]
mod mutants;
mod outcome;
mod rate_limit;
mod records;
mod restore_schedule;
mod same_target;
mod sub_tasks;

pub use claim::Stale;
pub use concurrency_limit::Limit;
pub use crash::{CrashOutcome, record_crash};
pub use outcome::Outcome;

pub use super::task_claim::Claim;

use crate::{
    Store, StoreError, Tx, desk_signal,
    event::NewEvent,
    failpoint,
    in_flight::InFlightWrite,
    meeting_outbox::{self, MeetingMessage},
    outbox::{self, Message, NewDelivery},
    post, report_outbox,
    task::NewTaskRow,
};
use async_trait::async_trait;
use begin::Begun;
use claim::ClaimBatch;
use domain::{Clock, Hint, RevisionId, TaskId, Timestamp, Version};
use explain::{UnclaimedReason, UnclaimedTask};
use records::ExecutionRecords;
#[cfg(all(feature = "mutants", debug_assertions))]
use std::ops::ControlFlow;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};
use uuid::Uuid;

/// A task that is being executed in this transaction: the compare-and-set has claimed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedTask {
    /// Id of the task.
    pub id: TaskId,
    /// One of [`TaskHandler::kinds`].
    pub kind: &'static str,
    /// What the task acts on.
    pub target_id: Uuid,
    /// The approved revision; `None` if the kind pins none.
    pub revision_id: Option<RevisionId>,
    /// When the task was due.
    pub due_at: Timestamp,
    /// The version that is executed.
    pub version: Version,
}

/// Result of executing one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The task was executed.
    Done,
    /// The task is tried again at this moment.
    RetryAt(Timestamp),
    /// The task fails for good: a code of [`domain::task::reason`] or a sentence.
    Dead(&'static str),
    /// The same, with a reason that was made for it.
    Blocked(String),
}

/// What handlers want written at the end of the transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SideEffects {
    /// Events beside those of the tasks themselves.
    pub log: Vec<NewEvent>,
    /// Messages for the channels.
    pub messages: Vec<Message>,
    /// Deliveries for one channel each.
    pub deliveries: Vec<NewDelivery>,
    /// Hints of tasks that were scheduled in the transaction, published after the commit.
    pub hints: Vec<Hint>,
    /// Tasks that were executed as parts of others, without having been scheduled.
    pub parts: Vec<NewTaskRow>,
}

/// Applies the effects of due tasks, in the transaction that marks the tasks as executed.
#[async_trait]
pub trait TaskHandler: Send + Sync {
    /// The kinds it can execute. Tasks of other kinds stay scheduled: a newer release may know
    /// them.
    fn kinds(&self) -> &'static [&'static str];

    /// Executes tasks of one kind, at most one per target. Returns one verdict per task, in the
    /// order of `tasks`. Events and messages go into `after`.
    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError>;

    /// Called with kind and target of tasks that have just become *missed*, in the transaction that found
    /// them. Returns events beside those of the tasks.
    async fn missed(
        &self,
        _tx: &mut Tx,
        _tasks: &[(String, Uuid)],
        _at: Timestamp,
    ) -> Result<Vec<NewEvent>, StoreError> {
        Ok(Vec::new())
    }

    /// Called with the executed tasks after the commit; not called if the process dies in between.
    fn after_commit(&self, _tasks: &[ClaimedTask]) {}
}

/// What a batch needs besides its claims.
#[derive(Clone, Copy)]
pub struct ExecutionContext<'a> {
    /// Name of this process, for the execution rows.
    pub node: &'a str,
    /// Clock of this process: no task due later is executed, whatever the database's clock says.
    pub clock: &'a dyn Clock,
    /// Applies the effects.
    pub handler: &'a dyn TaskHandler,
    /// Kinds with a maximum number of tasks executed at the same time, or started in a period, over all nodes.
    pub limits: &'a [Limit],
}

/// Executes those of `claims` that the database grants, in one transaction. An error means that
/// nothing was executed; after an error at the commit the outcome is unknown, and claiming again is
/// harmless.
///
/// Several tasks of one target are executed in due order, and readers see only the last state.
///
/// `write` is written before any task is claimed.
pub async fn run(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
    write: Option<InFlightWrite>,
) -> Result<Outcome, StoreError> {
    #[cfg(all(feature = "mutants", debug_assertions))]
    let write = match mutants::run(store, claims, context, write).await {
        ControlFlow::Break(outcome) => return outcome,
        ControlFlow::Continue(write) => write,
    };
    attempt(store, claims, context, write).await
}

/// Runs all statements without rows over `count` connections to PostgreSQL, so that they are
/// prepared and planned before the first burst. Changes nothing.
pub async fn warm_up(store: &Store, context: ExecutionContext<'_>, count: usize) -> Result<(), StoreError> {
    let mut all = Vec::new();
    if matches!(store, Store::Postgres { .. }) {
        for _ in 0..count {
            all.push(begin::begin(store, &[], context, None).await?);
        }
    }
    for Begun { mut tx, bounds, .. } in all {
        claim::claim_due(tx.conn(), &[], bounds).await?;
        if let Tx::Postgres(line) = tx {
            records::warm_up(line).await?;
        }
    }
    Ok(())
}

async fn attempt(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
    write: Option<InFlightWrite>,
) -> Result<Outcome, StoreError> {
    let Begun { mut tx, since, started_at, bounds, admitted: mut rest, over_limit, over_rate, mut claimed } =
        begin::begin(store, claims, context, write).await?;
    let now = bounds.now;
    let over_limit = over_limit.into_iter().map(|one| (one, Stale::ConcurrencyLimit));
    let waiting = over_rate.iter().map(|(one, until)| (*one, Stale::RateLimit { until: *until }));
    let mut run = Run {
        records: ExecutionRecords::new(context.node, started_at, now),
        outcome: Outcome { at: now, stale: over_limit.chain(waiting).collect(), ..Outcome::default() },
        messages: Vec::new(),
        meetings: Vec::new(),
        deliveries: Vec::new(),
    };
    #[cfg(all(feature = "mutants", debug_assertions))]
    let bounds = {
        let mut bounds = bounds;
        mutants::bypass_guard(&mut tx, &rest, &mut bounds).await?;
        bounds
    };
    // More than one round only if several tasks of one target are due.
    while !rest.is_empty() {
        let ClaimBatch { tasks, blocked_targets } = match claimed.take() {
            Some(batch) => batch,
            None => claim::claim_due(tx.conn(), &rest, bounds).await?,
        };
        failpoint::hit_for(claims, "execute.claimed").await?;
        let mut settled: HashSet<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let ids: HashSet<TaskId> = tasks.iter().map(|task| task.id).collect();
        run.settle(&mut tx, context.handler, tasks, &rest).await?;
        failpoint::hit_for(claims, "execute.settled").await?;
        rest.retain(|claim| !ids.contains(&claim.task));
        let left = explain::explain(tx.conn(), &rest, bounds).await?;
        failpoint::hit_for(claims, "execute.explained").await?;
        settled.extend(run.expire_late(&mut tx, context.handler, &left, bounds.sql_now).await?);
        rest = run.split_waiting(left, &settled);
        let known: HashSet<TaskId> = rest.iter().map(|claim| claim.task).collect();
        let more = same_target::due_tasks(tx.conn(), &blocked_targets, bounds, context.limits).await?;
        rest.extend(more.into_iter().filter(|claim| !known.contains(&claim.task)));
    }
    let Run { mut records, mut outcome, messages, meetings, deliveries } = run;
    outcome.deliveries = post::enqueue(&mut tx, &messages, now).await?;
    outcome.deliveries += meeting_outbox::enqueue(&mut tx, &meetings, now).await?;
    outcome.deliveries += report_outbox::report_events(&mut tx, &records.log, now).await?;
    let (mut hints, mut events) = desk_signal::emit(&mut tx, &messages, &meetings, now).await?;
    outcome.rescheduled.append(&mut hints);
    records.log.append(&mut events);
    outbox::insert(tx.conn(), &deliveries, now).await?;
    outcome.deliveries += deliveries.len() as u64;
    failpoint::hit_for(claims, "execute.enqueued").await?;
    rate_limit::postpone(tx.conn(), &over_rate).await?;
    records.commit(tx, claims).await?;
    outcome.duration = since.elapsed();
    failpoint::hit_for(claims, "execute.committed").await?;
    context.handler.after_commit(&outcome.executed);
    failpoint::hit_for(claims, "execute.notified").await?;
    Ok(outcome)
}

/// A running transaction of a batch.
struct Run<'a> {
    records: ExecutionRecords<'a>,
    outcome: Outcome,
    messages: Vec<Message>,
    meetings: Vec<MeetingMessage>,
    deliveries: Vec<NewDelivery>,
}

impl Run<'_> {
    /// Applies the effects of the claimed tasks and records the results.
    async fn settle(
        &mut self,
        tx: &mut Tx,
        handler: &dyn TaskHandler,
        claimed: Vec<ClaimedTask>,
        claims: &[Claim],
    ) -> Result<(), StoreError> {
        let (mut done, mut failed, mut later) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = SideEffects::default();
        for kind in handler.kinds() {
            let tasks: Vec<ClaimedTask> = claimed.iter().filter(|task| task.kind == *kind).copied().collect();
            if tasks.is_empty() {
                continue;
            }
            let verdicts = handler.apply(tx, kind, &tasks, self.outcome.at, &mut after).await?;
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
                    Verdict::Dead(reason) => failed.push((task, Cow::Borrowed(reason))),
                    Verdict::Blocked(reason) => failed.push((task, Cow::Owned(reason))),
                }
            }
        }
        self.records.executed(&done, claims);
        self.record_parts(tx, &after.parts).await?;
        self.meetings.extend(meeting_outbox::of_events(&after.log));
        self.records.log.append(&mut after.log);
        self.messages.append(&mut after.messages);
        self.deliveries.append(&mut after.deliveries);
        self.outcome.rescheduled.append(&mut after.hints);
        self.outcome.executed.append(&mut done);
        self.fail(tx, failed).await?;
        self.postpone(tx, later, claims).await
    }

    async fn fail(
        &mut self,
        tx: &mut Tx,
        failed: Vec<(ClaimedTask, Cow<'static, str>)>,
    ) -> Result<(), StoreError> {
        if failed.is_empty() {
            return Ok(());
        }
        records::fail(tx.conn(), &failed).await?;
        self.records.failed(&failed);
        let ids: Vec<TaskId> = failed.iter().map(|(task, _)| task.id).collect();
        self.restore_schedules(tx, &ids).await?;
        self.outcome.failed.extend(ids);
        Ok(())
    }

    /// Gives tasks whose "publish now" was not executed their previous schedule again.
    async fn restore_schedules(&mut self, tx: &mut Tx, tasks: &[TaskId]) -> Result<(), StoreError> {
        let (mut events, hints) = restore_schedule::restore_all(tx.conn(), tasks, self.outcome.at).await?;
        self.records.log.append(&mut events);
        self.outcome.rescheduled.extend(hints);
        Ok(())
    }

    async fn postpone(
        &mut self,
        tx: &mut Tx,
        later: Vec<(ClaimedTask, Timestamp)>,
        claims: &[Claim],
    ) -> Result<(), StoreError> {
        if later.is_empty() {
            return Ok(());
        }
        records::postpone(tx.conn(), &later).await?;
        let until: HashMap<TaskId, Timestamp> = later.iter().map(|(task, at)| (task.id, *at)).collect();
        let early = claims
            .iter()
            .filter_map(|claim| Some((*claim, Stale::Early { until: *until.get(&claim.task)? })));
        self.outcome.stale.extend(early);
        Ok(())
    }

    /// Marks tasks that are too late as missed; returns their targets.
    async fn expire_late(
        &mut self,
        tx: &mut Tx,
        handler: &dyn TaskHandler,
        left: &[UnclaimedTask],
        sql_now: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        let too_late: Vec<Claim> =
            left.iter().filter(|one| one.reason == UnclaimedReason::TooLate).map(|one| one.claim).collect();
        if too_late.is_empty() {
            return Ok(Vec::new());
        }
        let missed = expire::expire(tx.conn(), &too_late, sql_now).await?;
        self.records.missed(&missed);
        let ids: Vec<TaskId> = missed.iter().map(|one| one.id).collect();
        self.restore_schedules(tx, &ids).await?;
        let targets: Vec<_> = missed.iter().map(|one| (one.kind.clone(), one.target_id)).collect();
        self.records.log.extend(handler.missed(tx, &targets, self.outcome.at).await?);
        self.outcome.missed.extend(ids);
        Ok(missed.into_iter().map(|one| one.target_id).collect())
    }

    /// Returns the claims whose earlier task is settled now, for another round; the others are
    /// stale.
    fn split_waiting(&mut self, left: Vec<UnclaimedTask>, settled: &HashSet<Uuid>) -> Vec<Claim> {
        let mut again = Vec::new();
        for one in left {
            match one.reason {
                UnclaimedReason::TooLate => {}
                UnclaimedReason::Stale(Stale::AfterEarlierTask)
                    if one.target.is_some_and(|target| settled.contains(&target)) =>
                {
                    again.push(one.claim);
                }
                UnclaimedReason::Stale(stale) => self.outcome.stale.push((one.claim, stale)),
            }
        }
        again
    }
}
