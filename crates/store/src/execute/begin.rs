//! How a transaction of execution begins. On PostgreSQL the note of what the node takes into its hands, the begin and the locks are
//! one message and one answer; SQLite has one writer, and nobody to wait for.

use super::{Claim, Terms, claim, places};
use crate::{
    Store, StoreError, Tx, Who,
    hands::{self, Note},
    line::{Line, Lines},
    point,
};
use domain::Timestamp;
use std::time::Instant;

/// A transaction before it takes anything.
pub(super) struct Begun {
    pub tx: Tx,
    pub since: Instant,
    pub started_at: Timestamp,
    /// What there is room for; what it is about is locked.
    pub rest: Vec<Claim>,
    /// What there is no room for.
    pub full: Vec<Claim>,
}

/// Writes the note, begins, and locks what the claims are about.
pub(super) async fn begin(
    store: &Store,
    claims: &[Claim],
    terms: Terms<'_>,
    note: Option<Note<'_>>,
) -> Result<Begun, StoreError> {
    let sorted = claim::sorted(claims);
    let (mut tx, is_locked) = match store {
        Store::Sqlite { .. } => {
            if let Some(note) = note {
                note.write(store).await?;
            }
            (store.begin(Who::Engine).await?, true)
        }
        Store::Postgres { engine, .. } => {
            let ids = if terms.limits.is_empty() { sorted.as_slice() } else { &[] };
            let (line, is_locked) = at_once(engine, ids, note).await?;
            (Tx::Postgres(line), is_locked && terms.limits.is_empty())
        }
    };
    let (since, started_at) = (Instant::now(), terms.clock.now());
    point::pass_with(claims, "execute.noted").await?;
    point::pass_with(claims, "execute.begun").await?;
    let (rest, full) = places::admit(&mut tx, sorted, terms.limits).await?;
    if !is_locked {
        claim::lock_targets(&mut tx, &rest).await?;
    }
    point::pass_with(claims, "execute.locked").await?;
    Ok(Begun { tx, since, started_at, rest, full })
}

/// Everything in one message, and whether the locks were free: what somebody else holds is not waited for here, where the next
/// note waits for this one.
async fn at_once(
    engine: &Lines,
    claims: &[Claim],
    note: Option<Note<'_>>,
) -> Result<(Line, bool), StoreError> {
    let ids: Vec<String> = claims.iter().map(|claim| claim.task.0.simple().to_string()).collect();
    let lock = format!("execute presstime_lock('{{{}}}')", ids.join(","));
    let all = match &note {
        Some(note) => format!("begin; {}; commit; begin; {lock}", note.sql()),
        None => format!("begin; {lock}"),
    };
    let mut line = engine.line().await?;
    let mut answer = line.begin(&all).await;
    if says(&answer, UNKNOWN) {
        learn(&mut line).await?;
        answer = line.begin(&all).await;
    }
    let is_locked = !says(&answer, HELD);
    if is_locked {
        answer?;
    } else {
        // Whether the note or the lock was not to be had, nothing is left of the transaction, and one after the other will do.
        line.begin("rollback").await?;
        if let Some(note) = &note {
            note.write_over(&mut line).await?;
        }
        line.begin("begin").await?;
    }
    if let Some(note) = note {
        note.written();
    }
    Ok((line, is_locked))
}

/// Makes both statements known to a connection, which may know one of them.
async fn learn(line: &mut Line) -> Result<(), StoreError> {
    line.begin("rollback").await?;
    for statement in [hands::STATEMENT, claim::LOCK_STATEMENT] {
        let answer = line.begin(statement).await;
        if !says(&answer, KNOWN) {
            answer?;
        }
    }
    Ok(())
}

/// PostgreSQL's codes: there is no such prepared statement, there is one already, a lock is held by somebody else.
const UNKNOWN: &str = "26000";
const KNOWN: &str = "42P05";
const HELD: &str = "55P03";

fn says(answer: &Result<(), sqlx::Error>, code: &str) -> bool {
    matches!(answer, Err(sqlx::Error::Database(error)) if error.code().is_some_and(|said| said == code))
}
