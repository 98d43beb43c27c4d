//! How a transaction of execution begins. On PostgreSQL the note of what the node takes into its hands, the begin, the locks and
//! the compare-and-set are one message and one answer; SQLite has one writer, and nobody to wait for.

#[cfg(all(feature = "mutants", debug_assertions))]
use super::mutants;
use super::{
    Claim, Terms,
    claim::{self, Bounds, Catch},
    ledger, places,
};
use crate::{
    Store, StoreError, Tx, Who,
    hands::{self, Note},
    line::Line,
    point,
};
use domain::Timestamp;
use sqlx::postgres::PgRow;
use std::time::Instant;

/// A transaction that has begun.
pub(super) struct Begun {
    pub tx: Tx,
    pub since: Instant,
    pub started_at: Timestamp,
    pub bounds: Bounds,
    /// What there is room for; what it is about is locked.
    pub rest: Vec<Claim>,
    /// What there is no room for.
    pub full: Vec<Claim>,
    /// What of the rest has been taken with the same message; `None`: nothing was tried.
    pub caught: Option<Catch>,
}

/// Writes the note, begins, and locks what the claims are about.
pub(super) async fn begin(
    store: &Store,
    claims: &[Claim],
    terms: Terms<'_>,
    note: Option<Note>,
) -> Result<Begun, StoreError> {
    let now = || {
        let now = terms.clock.now();
        Bounds { now, sql_now: store.sql_now(now), kinds: terms.effects.kinds() }
    };
    let sorted = claim::sorted(claims);
    let (mut tx, since, first, grip) = match store {
        Store::Sqlite { .. } => {
            if let Some(note) = note {
                note.write(store).await?;
            }
            (store.begin(Who::Engine).await?, Instant::now(), now(), Grip::None)
        }
        Store::Postgres { engine, .. } => {
            let mut line = engine.line().await?;
            let (since, first) = (Instant::now(), now());
            let begin = match &note {
                Some(note) => format!("begin; {}; commit; begin", note.sql()),
                None => "begin".to_owned(),
            };
            // Of limited kinds it is not known yet what there is room for.
            let wanted = if terms.limits.is_empty() { sorted.as_slice() } else { &[] };
            let grip = grip(&mut line, &begin, wanted, first).await?;
            if let Some(note) = note {
                note.written();
            }
            (Tx::Postgres(line), since, first, if terms.limits.is_empty() { grip } else { Grip::None })
        }
    };
    point::pass_with(claims, "execute.noted").await?;
    point::pass_with(claims, "execute.begun").await?;
    let (rest, full) = places::admit(&mut tx, sorted, terms.limits).await?;
    point::pass_with(claims, "execute.admitted").await?;
    if matches!(grip, Grip::None) {
        claim::lock_targets(&mut tx, &rest).await?;
    }
    let (bounds, caught) = match grip {
        Grip::Caught(catch) => (first, Some(catch)),
        Grip::None | Grip::Locked => (now(), None),
    };
    point::pass_with(claims, "execute.locked").await?;
    Ok(Begun { tx, since, started_at: first.now, bounds, rest, full, caught })
}

/// What of the claims a transaction holds.
enum Grip {
    /// Nothing.
    None,
    /// What they are about is locked.
    Locked,
    /// What may be taken has been.
    Caught(Catch),
}

/// Begins, locks what the claims are about, and takes them if they are few. What somebody else has locked is not waited for here,
/// where whoever looks at all the node's notes would wait for this one, and the node seem dead: then only the transaction has begun.
async fn grip(line: &mut Line, begin: &str, claims: &[Claim], bounds: Bounds) -> Result<Grip, StoreError> {
    let lock = claim::lock_call(claims);
    let takes = claim::are_few(claims) && !is_persuaded();
    let answer = match takes {
        true => say(line, &format!("{begin}; {lock}; {}", claim::take_call(claims, bounds))).await,
        false => say(line, &format!("{begin}; {lock}")).await,
    };
    if says(&answer, HELD) {
        // Whether the note or the lock was not to be had, nothing is left of the transaction.
        line.begin("rollback").await?;
        say(line, &format!("{begin}; {}", claim::lock_call(&[]))).await?;
        return Ok(Grip::None);
    }
    let rows = answer?;
    Ok(if takes { Grip::Caught(claim::caught(&rows, bounds)?) } else { Grip::Locked })
}

/// Whether a mutant has to do something between the locks and the compare-and-set.
fn is_persuaded() -> bool {
    #[cfg(all(feature = "mutants", debug_assertions))]
    return mutants::persuades();
    #[cfg(not(all(feature = "mutants", debug_assertions)))]
    false
}

/// Says the words, which begin a transaction, over a connection that may have to learn the statements in them first.
async fn say(line: &mut Line, words: &str) -> Result<Vec<PgRow>, sqlx::Error> {
    let answer = line.begin(words).await;
    if !says(&answer, UNKNOWN) {
        return answer;
    }
    line.begin("rollback").await?;
    // The locks are part of every beginning: whoever knows the last of them knows all.
    for statement in [
        ledger::SAY_STATEMENT,
        ledger::BOOK_STATEMENT,
        claim::TAKE_STATEMENT,
        hands::STATEMENT,
        claim::LOCK_STATEMENT,
    ] {
        let answer = line.begin(statement).await;
        if !says(&answer, KNOWN) {
            answer?;
        }
    }
    line.begin(words).await
}

/// PostgreSQL's codes: there is no such prepared statement, there is one already, a lock is held by somebody else.
const UNKNOWN: &str = "26000";
const KNOWN: &str = "42P05";
const HELD: &str = "55P03";

fn says<T>(answer: &Result<T, sqlx::Error>, code: &str) -> bool {
    matches!(answer, Err(sqlx::Error::Database(error)) if error.code().is_some_and(|said| said == code))
}
