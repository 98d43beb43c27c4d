//! The mutants of execution, each as a few statements around the code that is right.

use super::{
    Aftermath, Claim, Effects, Outcome, Taken, Terms, Verdict, attempt,
    claim::{self, Bounds, Stale},
    explain::{self, Fate},
};
use crate::{
    Conn, Store, StoreError, Tx, Who,
    db::on,
    hands::Note,
    mutant::{Mutant, chosen, gap},
};
use async_trait::async_trait;
use domain::Timestamp;
use std::{collections::HashSet, ops::ControlFlow};

/// How much too early [`Mutant::TrustHintTime`] is ready to be, milliseconds.
const TRUST_MS: i64 = 60_000;

/// Runs a batch as the chosen mutant would. [`ControlFlow::Continue`]: as it is right, and the note is not written.
pub(super) async fn run(
    store: &Store,
    claims: &[Claim],
    terms: Terms<'_>,
    note: Option<Note>,
) -> ControlFlow<Result<Outcome, StoreError>, Option<Note>> {
    let Some(mutant @ (Mutant::CheckThenAct | Mutant::EffectThenMark | Mutant::MarkThenEffect)) = chosen()
    else {
        return ControlFlow::Continue(note);
    };
    if let Some(note) = note
        && let Err(error) = note.write(store).await
    {
        return ControlFlow::Break(Err(error));
    }
    ControlFlow::Break(match mutant {
        Mutant::CheckThenAct => check_then_act(store, claims, terms).await,
        Mutant::EffectThenMark => effect_then_mark(store, claims, terms).await,
        _ => mark_then_effect(store, claims, terms).await,
    })
}

/// The batch as it is right; the note is written.
async fn right(store: &Store, claims: &[Claim], terms: Terms<'_>) -> Result<Outcome, StoreError> {
    attempt(store, claims, terms, None).await
}

/// Whether the chosen mutant does something between the locks and the compare-and-set.
pub(super) fn persuades() -> bool {
    matches!(
        chosen(),
        Some(Mutant::TrustHintTime | Mutant::NoApproval | Mutant::PoppedMeansAllowed | Mutant::CheckThenAct)
    )
}

/// What the chosen mutant does before the compare-and-set, so that it says yes.
pub(super) async fn persuade(tx: &mut Tx, claims: &[Claim], bounds: &mut Bounds) -> Result<(), StoreError> {
    match chosen() {
        Some(Mutant::TrustHintTime) => {
            (bounds.now, bounds.sql_now) = (bounds.now.plus(TRUST_MS), bounds.sql_now + TRUST_MS);
        }
        Some(Mutant::NoApproval) => {
            for one in claims {
                on!(tx.conn(), c => sqlx::query(
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

/// Makes the task what the claim says it is.
async fn force(conn: Conn<'_>, one: &Claim, now: Timestamp) -> Result<(), StoreError> {
    on!(conn, c => sqlx::query(
        "update task
            set state = 'scheduled', version = $2, approved_version = $2, executed_at = null, not_before = null,
                due_at = case when due_at > $3 then $3 else due_at end
          where id = $1 and state <> 'executed'")
        .bind(one.task.0).bind(one.version.0).bind(now.millis())
        .execute(c).await.map(drop))?;
    Ok(())
}

async fn check_then_act(store: &Store, claims: &[Claim], terms: Terms<'_>) -> Result<Outcome, StoreError> {
    let now = terms.clock.now();
    let bounds = Bounds { now, sql_now: store.sql_now(now), kinds: terms.effects.kinds() };
    let mut lease = store.read(Who::Engine).await?;
    let seen = explain::explain(lease.conn(), &claim::sorted(claims), bounds).await?;
    drop(lease);
    // That it waits for another one is what is said of a task against which nothing speaks.
    let (allowed, stale): (Vec<_>, Vec<_>) =
        seen.into_iter().partition(|one| matches!(one.fate, Fate::Stale(Stale::Waits) | Fate::Lost));
    gap().await;
    let allowed: Vec<Claim> = allowed.into_iter().map(|one| one.claim).collect();
    let mut outcome = right(store, &allowed, terms).await?;
    outcome.stale.extend(stale.into_iter().filter_map(|one| match one.fate {
        Fate::Stale(stale) => Some((one.claim, stale)),
        Fate::Lost => None,
    }));
    Ok(outcome)
}

async fn effect_then_mark(store: &Store, claims: &[Claim], terms: Terms<'_>) -> Result<Outcome, StoreError> {
    let now = terms.clock.now();
    let bounds = Bounds { now, sql_now: store.sql_now(now), kinds: terms.effects.kinds() };
    let mut tx = store.begin(Who::Engine).await?;
    let taken = claim::take(tx.conn(), &claim::sorted(claims), bounds).await?.tasks;
    apply(&mut tx, terms.effects, &taken, now).await?;
    for task in &taken {
        on!(tx.conn(), c => sqlx::query("update task set state = 'scheduled', executed_at = null where id = $1")
            .bind(task.id.0).execute(c).await.map(drop))?;
    }
    tx.commit().await?;
    gap().await;
    let done: HashSet<_> = taken.iter().map(|task| task.id).collect();
    let (marks, others): (Vec<Claim>, Vec<Claim>) =
        claims.iter().copied().partition(|one| done.contains(&one.task));
    let mut outcome = right(store, &marks, Terms { effects: &Nothing(terms.effects), ..terms }).await?;
    let rest = right(store, &others, terms).await?;
    outcome.executed.extend(rest.executed);
    outcome.missed.extend(rest.missed);
    outcome.stale.extend(rest.stale);
    Ok(outcome)
}

async fn mark_then_effect(store: &Store, claims: &[Claim], terms: Terms<'_>) -> Result<Outcome, StoreError> {
    let outcome = right(store, claims, Terms { effects: &Nothing(terms.effects), ..terms }).await?;
    gap().await;
    for task in &outcome.executed {
        let mut tx = store.begin(Who::Engine).await?;
        apply(&mut tx, terms.effects, std::slice::from_ref(task), outcome.at).await?;
        tx.commit().await?;
    }
    Ok(outcome)
}

async fn apply(tx: &mut Tx, effects: &dyn Effects, taken: &[Taken], at: Timestamp) -> Result<(), StoreError> {
    for kind in effects.kinds() {
        let tasks: Vec<Taken> = taken.iter().filter(|task| task.kind == *kind).copied().collect();
        if !tasks.is_empty() {
            effects.apply(tx, kind, &tasks, at, &mut Aftermath::default()).await?;
        }
    }
    Ok(())
}

/// Says that everything happened, and does nothing.
struct Nothing<'a>(&'a dyn Effects);

#[async_trait]
impl Effects for Nothing<'_> {
    fn kinds(&self) -> &'static [&'static str] {
        self.0.kinds()
    }

    async fn apply(
        &self,
        _tx: &mut Tx,
        _kind: &'static str,
        tasks: &[Taken],
        _at: Timestamp,
        _after: &mut Aftermath,
    ) -> Result<Vec<Verdict>, StoreError> {
        Ok(vec![Verdict::Done; tasks.len()])
    }
}
