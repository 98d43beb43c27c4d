//! Begins a transaction of execution. On PostgreSQL the in-flight row, the begin, the locks and the
//! compare-and-set are sent in one message. SQLite has one writer, so there are no locks to wait
//! for.

#[cfg(all(feature = "mutants", debug_assertions))]
use super::mutants;
use super::{
    Claim, ExecutionContext,
    claim::{self, ClaimBatch, TimeBounds},
    concurrency_limit::{self, Admission},
    records,
};
use crate::{
    PoolRole, Store, StoreError, Tx, failpoint,
    in_flight::{self, InFlightWrite},
    pg::PgConn,
};
use domain::Timestamp;
use sqlx::postgres::PgRow;
use std::time::Instant;

/// A transaction that has begun.
pub(super) struct Begun {
    pub tx: Tx,
    pub since: Instant,
    pub started_at: Timestamp,
    pub bounds: TimeBounds,
    /// Claims within the concurrency limits; their targets are locked.
    pub admitted: Vec<Claim>,
    /// Claims beyond the concurrency limits.
    pub over_limit: Vec<Claim>,
    /// Claims beyond the rates, and when it is their turn.
    pub over_rate: Vec<(Claim, Timestamp)>,
    /// Tasks of `admitted` that were claimed in the same message; `None`: no claim was tried.
    pub claimed: Option<ClaimBatch>,
}

/// Writes the in-flight row, begins, and locks the targets of the claims.
pub(super) async fn begin(
    store: &Store,
    claims: &[Claim],
    context: ExecutionContext<'_>,
    write: Option<InFlightWrite>,
) -> Result<Begun, StoreError> {
    let now = || {
        let now = context.clock.now();
        TimeBounds { now, sql_now: store.sql_now(now), kinds: context.handler.kinds() }
    };
    let sorted = claim::sorted(claims);
    let (mut tx, since, first, lock_state) = match store {
        Store::Sqlite { .. } => {
            if let Some(write) = write {
                write.write(store).await?;
            }
            (store.begin(PoolRole::Engine).await?, Instant::now(), now(), LockState::None)
        }
        Store::Postgres { engine, .. } => {
            let mut line = engine.acquire().await?;
            let (since, first) = (Instant::now(), now());
            let begin = match &write {
                Some(write) => format!("begin; {}; commit; begin", write.sql()),
                None => "begin".to_owned(),
            };
            // With concurrency limits it is not known yet which claims are within them.
            let wanted = if context.limits.is_empty() { sorted.as_slice() } else { &[] };
            let lock_state = lock_now(&mut line, &begin, wanted, first).await?;
            if let Some(write) = write {
                write.written();
            }
            (
                Tx::Postgres(line),
                since,
                first,
                if context.limits.is_empty() { lock_state } else { LockState::None },
            )
        }
    };
    failpoint::hit_for(claims, "execute.in_flight_written").await?;
    failpoint::hit_for(claims, "execute.begun").await?;
    let admission = concurrency_limit::admit(&mut tx, sorted, context.limits, first.now).await?;
    let Admission { admitted, over_limit, over_rate } = admission;
    failpoint::hit_for(claims, "execute.admitted").await?;
    if matches!(lock_state, LockState::None) {
        claim::lock_targets(&mut tx, &admitted).await?;
    }
    let (bounds, claimed) = match lock_state {
        LockState::Claimed(batch) => (first, Some(batch)),
        LockState::None | LockState::Locked => (now(), None),
    };
    failpoint::hit_for(claims, "execute.locked").await?;
    Ok(Begun { tx, since, started_at: first.now, bounds, admitted, over_limit, over_rate, claimed })
}

/// What a transaction has locked and claimed so far.
enum LockState {
    /// No locks.
    None,
    /// The targets are locked.
    Locked,
    /// The targets are locked, and the tasks that may be executed are claimed.
    Claimed(ClaimBatch),
}

/// Begins, locks the targets, and claims the tasks if they are few. If another transaction holds a
/// lock, it only begins and does not wait: until the in-flight write is finished its slot stays
/// locked in this process, so the heartbeat would wait for it and the node would seem dead.
async fn lock_now(
    line: &mut PgConn,
    begin: &str,
    claims: &[Claim],
    bounds: TimeBounds,
) -> Result<LockState, StoreError> {
    let lock = claim::lock_call(claims);
    let takes = claim::are_few(claims) && !is_guard_bypassed();
    let answer = match takes {
        true => send(line, &format!("{begin}; {lock}; {}", claim::claim_call(claims, bounds))).await,
        false => send(line, &format!("{begin}; {lock}")).await,
    };
    if has_code(&answer, LOCK_NOT_AVAILABLE) {
        // The in-flight row or a target is locked: PostgreSQL has aborted the transaction.
        line.begin("rollback").await?;
        send(line, &format!("{begin}; {}", claim::lock_call(&[]))).await?;
        return Ok(LockState::None);
    }
    let rows = answer?;
    Ok(if takes { LockState::Claimed(claim::claimed(&rows, bounds)?) } else { LockState::Locked })
}

/// Whether a mutant acts between the locks and the compare-and-set.
fn is_guard_bypassed() -> bool {
    #[cfg(all(feature = "mutants", debug_assertions))]
    return mutants::bypasses_guard();
    #[cfg(not(all(feature = "mutants", debug_assertions)))]
    false
}

/// Sends statements that begin a transaction; prepares the named statements first if the connection
/// does not know them.
async fn send(line: &mut PgConn, statements: &str) -> Result<Vec<PgRow>, sqlx::Error> {
    let answer = line.begin(statements).await;
    if !has_code(&answer, UNKNOWN_STATEMENT) {
        return answer;
    }
    line.begin("rollback").await?;
    // Every begin calls the lock statement, so it is prepared last: a connection that knows it
    // knows all.
    for statement in [
        records::EVENTS_STATEMENT,
        records::RECORD_STATEMENT,
        claim::CLAIM_STATEMENT,
        in_flight::STATEMENT,
        claim::LOCK_STATEMENT,
    ] {
        let answer = line.begin(statement).await;
        if !has_code(&answer, DUPLICATE_STATEMENT) {
            answer?;
        }
    }
    line.begin(statements).await
}

/// PostgreSQL's codes: the prepared statement does not exist, it exists already, another
/// transaction holds the lock.
const UNKNOWN_STATEMENT: &str = "26000";
const DUPLICATE_STATEMENT: &str = "42P05";
const LOCK_NOT_AVAILABLE: &str = "55P03";

fn has_code<T>(answer: &Result<T, sqlx::Error>, code: &str) -> bool {
    matches!(answer, Err(sqlx::Error::Database(error)) if error.code().is_some_and(|found| found == code))
}
