//! The mutants of execution: each adds a few statements around the correct code.

use super::{
    Claim, ClaimedTask, ExecutionContext, Outcome, SideEffects, TaskHandler, Verdict, attempt,
    claim::{self, Stale, TimeBounds},
    explain::{self, UnclaimedReason},
};
use crate::{
    Conn, PoolRole, Store, StoreError, Tx,
    db::with_conn,
    in_flight::InFlightWrite,
    mutant::{Mutant, chosen, gap},
};
use async_trait::async_trait;
use domain::Timestamp;
use std::{collections::HashSet, ops::ControlFlow};

/// How much too early [`Mutant::TrustHintTime`] executes a task, milliseconds.
const TRUST_MS: i64 = 60_000;

/// Runs a batch as the chosen mutant does. [`ControlFlow::Continue`]: run the correct code; the
/// write is not done yet.
pub(super) async fn run(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
    write: Option<InFlightWrite>,
) -> ControlFlow<Result<Outcome, StoreError>, Option<InFlightWrite>> {
    let Some(mutant @ (Mutant::CheckThenAct | Mutant::EffectThenMark | Mutant::MarkThenEffect)) = chosen()
    else {
        return ControlFlow::Continue(write);
    };
    if let Some(write) = write
        && let Err(error) = write.write(store).await
    {
        return ControlFlow::Break(Err(error));
    }
    ControlFlow::Break(match mutant {
        Mutant::CheckThenAct => check_then_act(store, claims, context).await,
        Mutant::EffectThenMark => effect_then_mark(store, claims, context).await,
        _ => mark_then_effect(store, claims, context).await,
    })
}

/// Runs the batch with the correct code; the in-flight row is written already.
async fn run_correct(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
) -> Result<Outcome, StoreError> {
    attempt(store, claims, context, None).await
}

/// Whether the chosen mutant acts between the locks and the compare-and-set.
pub(super) fn bypasses_guard() -> bool {
    matches!(
        chosen(),
        Some(Mutant::TrustHintTime | Mutant::NoApproval | Mutant::PoppedMeansAllowed | Mutant::CheckThenAct)
    )
}

/// Makes the compare-and-set grant what the chosen mutant wrongly executes.
pub(super) async fn bypass_guard(
    tx: &mut Tx,
    claims: &[Claim],
    bounds: &mut TimeBounds,
) -> Result<(), StoreError> {
    match chosen() {
        Some(Mutant::TrustHintTime) => {
            (bounds.now, bounds.sql_now) = (bounds.now.plus(TRUST_MS), bounds.sql_now + TRUST_MS);
        }
        Some(Mutant::NoApproval) => {
            for one in claims {
                with_conn!(tx.conn(), c => sqlx::query(
                    "update task set approved_version = version where id = $1 and state = 'scheduled'")
                    .bind(one.task.0).execute(c).await.map(drop))?;
            }
        }
        Some(Mutant::PoppedMeansAllowed | Mutant::CheckThenAct) => {
            for one in claims {
                force(tx.conn(), one, bounds.now).await?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Changes the row so that the claim is granted.
async fn force(conn: Conn<'_>, one: &Claim, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update task
            set state = 'scheduled', version = $2, approved_version = $2, executed_at = null, not_before = null,
                due_at = case when due_at > $3 then $3 else due_at end
          where id = $1 and state <> 'executed'")
        .bind(one.task.0).bind(one.version.0).bind(now.millis())
        .execute(c).await.map(drop))?;
    Ok(())
}

async fn check_then_act(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
) -> Result<Outcome, StoreError> {
    let now = context.clock.now();
    let bounds = TimeBounds { now, sql_now: store.sql_now(now), kinds: context.handler.kinds() };
    let mut lease = store.read(PoolRole::Engine).await?;
    let seen = explain::explain(lease.conn(), &claim::sorted(claims), bounds).await?;
    drop(lease);
    // `AfterEarlierTask` is also the answer for a task that could be executed.
    let (allowed, stale): (Vec<_>, Vec<_>) = seen.into_iter().partition(|one| {
        matches!(one.reason, UnclaimedReason::Stale(Stale::AfterEarlierTask) | UnclaimedReason::TooLate)
    });
    gap().await;
    let allowed: Vec<Claim> = allowed.into_iter().map(|one| one.claim).collect();
    let mut outcome = run_correct(store, &allowed, context).await?;
    outcome.stale.extend(stale.into_iter().filter_map(|one| match one.reason {
        UnclaimedReason::Stale(stale) => Some((one.claim, stale)),
        UnclaimedReason::TooLate => None,
    }));
    Ok(outcome)
}

async fn effect_then_mark(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
) -> Result<Outcome, StoreError> {
    let now = context.clock.now();
    let bounds = TimeBounds { now, sql_now: store.sql_now(now), kinds: context.handler.kinds() };
    let mut tx = store.begin(PoolRole::Engine).await?;
    let claimed = claim::claim_due(tx.conn(), &claim::sorted(claims), bounds).await?.tasks;
    apply(&mut tx, context.handler, &claimed, now).await?;
    for task in &claimed {
        with_conn!(tx.conn(), c => sqlx::query("update task set state = 'scheduled', executed_at = null where id = $1")
            .bind(task.id.0).execute(c).await.map(drop))?;
    }
    tx.commit().await?;
    gap().await;
    let done: HashSet<_> = claimed.iter().map(|task| task.id).collect();
    let (marks, others): (Vec<Claim>, Vec<Claim>) =
        claims.iter().copied().partition(|one| done.contains(&one.task));
    let mut outcome =
        run_correct(store, &marks, ExecutionContext { handler: &NoEffects(context.handler), ..context })
            .await?;
    let rest = run_correct(store, &others, context).await?;
    outcome.executed.extend(rest.executed);
    outcome.missed.extend(rest.missed);
    outcome.stale.extend(rest.stale);
    Ok(outcome)
}

async fn mark_then_effect(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
) -> Result<Outcome, StoreError> {
    let outcome =
        run_correct(store, claims, ExecutionContext { handler: &NoEffects(context.handler), ..context })
            .await?;
    gap().await;
    for task in &outcome.executed {
        let mut tx = store.begin(PoolRole::Engine).await?;
        apply(&mut tx, context.handler, std::slice::from_ref(task), outcome.at).await?;
        tx.commit().await?;
    }
    Ok(outcome)
}

async fn apply(
    tx: &mut Tx,
    handler: &dyn TaskHandler,
    claimed: &[ClaimedTask],
    at: Timestamp,
) -> Result<(), StoreError> {
    for kind in handler.kinds() {
        let tasks: Vec<ClaimedTask> = claimed.iter().filter(|task| task.kind == *kind).copied().collect();
        if !tasks.is_empty() {
            handler.apply(tx, kind, &tasks, at, &mut SideEffects::default()).await?;
        }
    }
    Ok(())
}

/// Reports every task as done and applies no effects.
struct NoEffects<'a>(&'a dyn TaskHandler);

#[async_trait]
impl TaskHandler for NoEffects<'_> {
    fn kinds(&self) -> &'static [&'static str] {
        self.0.kinds()
    }

    async fn apply(
        &self,
        _tx: &mut Tx,
        _kind: &'static str,
        tasks: &[ClaimedTask],
        _at: Timestamp,
        _after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        Ok(vec![Verdict::Done; tasks.len()])
    }
}
