//! The promise sheet: what this process does for it, and how it stood when it was last read.

use crate::parts::Parts;
use domain::Timestamp;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicI64, Ordering::Relaxed},
};
use store::{
    StoreError, Who, check,
    sheet::{self, Sheet as Row},
};

/// How much is audited at once; with less to do nobody begins, milliseconds.
pub const AUDIT_MS: i64 = 60_000;
/// How far back the very first audit looks; each later one goes on where the last one ended, milliseconds.
const BACK_MS: i64 = 3_600_000;
/// What was executed so long ago, on a node whose clock is behind as far as it may be, is committed or it never will be;
/// milliseconds.
const SETTLED_MS: i64 = 60_000;
/// Executions audited at once, so that the checker's other work need not wait.
const MOST: u32 = 50_000;
/// Not to look for longer is too long, milliseconds.
const PATIENCE_MS: i64 = 5_000;

/// The sheet as this process sees it.
#[derive(Debug, Default)]
pub struct Sheet {
    /// As it was last read; for when SQL does not answer.
    row: Mutex<Option<Row>>,
    /// When this process last looked, milliseconds; 0: not yet.
    looked_at: AtomicI64,
    /// A time without a look that is not noted in SQL yet.
    gap: Mutex<Option<Gap>>,
}

/// Too long a time between two looks of this process.
#[derive(Debug, Clone, Copy)]
struct Gap {
    ended: Timestamp,
    millis: i64,
}

/// How an audit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Everything is audited, by this node or another one.
    Done,
    /// More waits to be audited.
    More,
    /// Another node was faster.
    Lost,
}

impl Sheet {
    /// Notes a look for what is overdue, failed or missed, `after` milliseconds after the one before.
    pub fn look(&self, now: Timestamp, after: i64) {
        self.looked_at.store(now.millis(), Relaxed);
        if after > PATIENCE_MS {
            *lock(&self.gap) = Some(Gap { ended: now, millis: after });
        }
    }

    /// When this process last looked; `None`: not yet.
    #[must_use]
    pub fn looked_at(&self) -> Option<Timestamp> {
        Some(self.looked_at.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// The sheet as it was last read.
    #[must_use]
    pub fn row(&self) -> Option<Row> {
        *lock(&self.row)
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Audits what the desk has executed and no node has audited yet, and reads the sheet.
pub async fn audit(parts: &Parts) -> Result<Turn, StoreError> {
    let turn = go_on(parts).await?;
    let mut lease = parts.store.read(Who::Engine).await?;
    let row = sheet::find(lease.conn()).await?;
    metrics::gauge!("presstime_audit_disagreements").set(row.map_or(0.0, |row| row.disagreements() as f64));
    *lock(&parts.pulse.sheet.row) = row;
    Ok(turn)
}

async fn go_on(parts: &Parts) -> Result<Turn, StoreError> {
    // Nobody knows what time it is, and nothing is executed.
    if parts.pulse.is_off_time() {
        return Ok(Turn::Done);
    }
    let now = parts.store.clocks(parts.clock.as_ref()).await?.database;
    let until = now.plus(-SETTLED_MS);
    let Some(row) = sheet::find(parts.store.read(Who::Engine).await?.conn()).await? else {
        let mut tx = parts.store.begin(Who::Dispatch).await?;
        sheet::begin(tx.conn(), until.plus(-BACK_MS)).await?;
        tx.commit().await?;
        return Ok(Turn::More);
    };
    match until.millis() - row.audited_until {
        AUDIT_MS.. => audit_from(parts, &row, until, now).await,
        ahead if ahead < -AUDIT_MS => {
            let mut tx = parts.store.begin(Who::Dispatch).await?;
            sheet::turn_back(tx.conn(), &row, until).await?;
            tx.commit().await?;
            Ok(Turn::Done)
        }
        _ => Ok(Turn::Done),
    }
}

async fn audit_from(parts: &Parts, row: &Row, until: Timestamp, now: Timestamp) -> Result<Turn, StoreError> {
    let mut lease = parts.store.read(Who::Engine).await?;
    let span = sheet::next(lease.conn(), row, until, MOST).await?;
    let found = check::ledger(lease.conn(), &span).await?;
    drop(lease);
    let mut tx = parts.store.begin(Who::Dispatch).await?;
    let is_ours = sheet::add(tx.conn(), &span, &found, now).await?;
    tx.commit().await?;
    if !is_ours {
        return Ok(Turn::Lost);
    }
    metrics::counter!("presstime_audited_total").increment(found.rows);
    Ok(if span.until < until { Turn::More } else { Turn::Done })
}

/// Notes in SQL that this process had not looked for too long, unless another node had.
pub async fn note_gap(parts: &Parts) -> Result<(), StoreError> {
    let Some(gap) = *lock(&parts.pulse.sheet.gap) else { return Ok(()) };
    let clocks = parts.store.clocks(parts.clock.as_ref()).await?;
    let ended = clocks.database.plus(-clocks.node.since(gap.ended).max(0));
    let mut tx = parts.store.begin(Who::Dispatch).await?;
    sheet::note_gap(tx.conn(), ended, gap.millis, PATIENCE_MS).await?;
    tx.commit().await?;
    *lock(&parts.pulse.sheet.gap) = None;
    Ok(())
}
