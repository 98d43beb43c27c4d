//! Audit: verifies executions and detects gaps in the monitoring. Keeps the summary that was last
//! read from SQL.

use crate::Context;
use domain::Timestamp;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicI64, Ordering::Relaxed},
};
use store::{
    PoolRole, StoreError, audit,
    audit_summary::{self, AuditSummary as Row},
};

/// Interval between audits, and minimum time span of one audit, milliseconds.
pub const AUDIT_INTERVAL_MS: i64 = 60_000;
/// How far back the first audit reaches, milliseconds. Each later one continues where the previous
/// one ended.
const FIRST_AUDIT_SPAN_MS: i64 = 3_600_000;
/// Age after which an execution is either committed or rolled back, milliseconds. It allows for the
/// maximum clock difference and the timeout of a transaction.
const SETTLED_AFTER_MS: i64 = 60_000;
/// Maximum number of executions in one audit, so that the loop's other work does not wait.
const MAX_EXECUTIONS_PER_AUDIT: u32 = 50_000;
/// Maximum time between two health snapshots; a longer one is a monitoring gap, milliseconds.
const MAX_SNAPSHOT_INTERVAL_MS: i64 = 5_000;

/// State of the audit in this process.
#[derive(Debug, Default)]
pub struct AuditState {
    /// The summary as last read; shown while SQL does not answer.
    summary: Mutex<Option<Row>>,
    /// When this process last read a health snapshot, milliseconds; 0: not yet.
    snapshot_at: AtomicI64,
    /// A monitoring gap that is not written to SQL yet.
    gap: Mutex<Option<MonitoringGap>>,
}

/// A time in which this process read no health snapshot.
#[derive(Debug, Clone, Copy)]
struct MonitoringGap {
    ended: Timestamp,
    millis: i64,
}

/// Result of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditOutcome {
    /// Everything is audited, by this node or another node.
    Done,
    /// There is more to audit.
    More,
    /// Another node audited the same time span first.
    Conflict,
}

impl AuditState {
    /// Records a health snapshot, read `after` milliseconds after the previous one.
    pub fn record_snapshot(&self, now: Timestamp, after: i64) {
        self.snapshot_at.store(now.millis(), Relaxed);
        if after > MAX_SNAPSHOT_INTERVAL_MS {
            *lock(&self.gap) = Some(MonitoringGap { ended: now, millis: after });
        }
    }

    /// Returns when this process last read a health snapshot; `None`: not yet.
    #[must_use]
    pub fn snapshot_at(&self) -> Option<Timestamp> {
        Some(self.snapshot_at.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Returns the summary as last read; `None`: not yet.
    #[must_use]
    pub fn summary(&self) -> Option<Row> {
        *lock(&self.summary)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Audits executions that no node has audited yet, then reads the summary.
pub async fn audit(context: &Context) -> Result<AuditOutcome, StoreError> {
    let outcome = audit_next(context).await?;
    let mut lease = context.store.read(PoolRole::Engine).await?;
    let row = audit_summary::find(lease.conn()).await?;
    metrics::gauge!("presstime_audit_disagreements").set(row.map_or(0.0, |row| row.disagreements() as f64));
    *lock(&context.engine.audit.summary) = row;
    Ok(outcome)
}

async fn audit_next(context: &Context) -> Result<AuditOutcome, StoreError> {
    // The current time is uncertain, and nothing is executed.
    if context.engine.are_clocks_apart() {
        return Ok(AuditOutcome::Done);
    }
    let now = context.store.read_clocks(context.clock.as_ref()).await?.database;
    let until = now.plus(-SETTLED_AFTER_MS);
    let Some(row) = audit_summary::find(context.store.read(PoolRole::Engine).await?.conn()).await? else {
        let mut tx = context.store.begin(PoolRole::Dispatcher).await?;
        audit_summary::create(tx.conn(), until.plus(-FIRST_AUDIT_SPAN_MS)).await?;
        tx.commit().await?;
        return Ok(AuditOutcome::More);
    };
    match until.millis() - row.audited_until {
        AUDIT_INTERVAL_MS.. => audit_from(context, &row, until, now).await,
        ahead if ahead < -AUDIT_INTERVAL_MS => {
            let mut tx = context.store.begin(PoolRole::Dispatcher).await?;
            audit_summary::rewind(tx.conn(), &row, until).await?;
            tx.commit().await?;
            Ok(AuditOutcome::Done)
        }
        _ => Ok(AuditOutcome::Done),
    }
}

async fn audit_from(
    context: &Context,
    row: &Row,
    until: Timestamp,
    now: Timestamp,
) -> Result<AuditOutcome, StoreError> {
    let mut lease = context.store.read(PoolRole::Engine).await?;
    let span = audit_summary::next_span(lease.conn(), row, until, MAX_EXECUTIONS_PER_AUDIT).await?;
    let found = audit::audit_executions(lease.conn(), &span).await?;
    drop(lease);
    let mut tx = context.store.begin(PoolRole::Dispatcher).await?;
    let is_ours = audit_summary::add_findings(tx.conn(), &span, &found, now).await?;
    tx.commit().await?;
    if !is_ours {
        return Ok(AuditOutcome::Conflict);
    }
    metrics::counter!("presstime_audited_total").increment(found.rows);
    Ok(if span.until < until { AuditOutcome::More } else { AuditOutcome::Done })
}

/// Writes this process's monitoring gap to SQL, unless another node covered it.
pub async fn persist_gap(context: &Context) -> Result<(), StoreError> {
    let Some(gap) = *lock(&context.engine.audit.gap) else { return Ok(()) };
    let clocks = context.store.read_clocks(context.clock.as_ref()).await?;
    let ended = clocks.database.plus(-clocks.node.since(gap.ended).max(0));
    let mut tx = context.store.begin(PoolRole::Dispatcher).await?;
    audit_summary::record_gap(tx.conn(), ended, gap.millis, MAX_SNAPSHOT_INTERVAL_MS).await?;
    tx.commit().await?;
    *lock(&context.engine.audit.gap) = None;
    Ok(())
}
