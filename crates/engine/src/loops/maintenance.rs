//! Maintenance: health snapshots, clock offset, audits, retention, checkpoints and the canary.

use crate::context::{Context, PREVIOUS_BUCKETS_MARGIN_MS};
use crate::{
    Loop, LoopName,
    audit::{self, AUDIT_INTERVAL_MS, AuditOutcome},
    dispatcher::unfinished_changes,
    incident_log::IncidentLog,
    index_fill::IndexFill,
    trash,
};
use async_trait::async_trait;
use domain::{
    Timestamp,
    health::{HealthIssue, IssueDetail},
};
use queue::bucket_of;
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    time::Duration,
};
use store::{
    PoolRole, Store, StoreError,
    audit_summary::AuditSummary,
    buckets, canary,
    dispatch::{self, Stuck},
    event::{self, NewEvent},
    failover, failpoint, overdue, pause, retention,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Age after which a due task is reported as overdue, milliseconds.
pub const OVERDUE_MS: i64 = 5_000;
const TICK_INTERVAL: Duration = Duration::from_secs(1);
const CLOCK_CHECK_INTERVAL_MS: i64 = 5_000;
const CHECKPOINT_INTERVAL_MS: i64 = 5_000;
/// A delivery that is due for this time, in two checks in a row, is stuck, milliseconds.
const STUCK_AFTER_MS: i64 = 60_000;
/// Number of hints on the publish lists from which a burst is in progress.
const BURST_SIZE: u64 = 1_000;

/// The maintenance loop.
pub struct Maintenance {
    context: Context,
    clocks_at: AtomicI64,
    checkpoint_at: AtomicI64,
    audit_at: AtomicI64,
    deliveries_checked_at: AtomicI64,
    incidents: IncidentLog,
    index: IndexFill,
    found: Mutex<FoundIssues>,
}

/// Issues found by the last check of each kind.
#[derive(Debug, Clone, Default)]
struct FoundIssues {
    clocks: Option<HealthIssue>,
    audit: Option<HealthIssue>,
    messages: Option<HealthIssue>,
    /// Deliveries that were stuck in the last check.
    stuck: Stuck,
}

impl Maintenance {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self {
            context,
            clocks_at: AtomicI64::new(0),
            checkpoint_at: AtomicI64::new(0),
            audit_at: AtomicI64::new(0),
            deliveries_checked_at: AtomicI64::new(0),
            incidents: IncidentLog::default(),
            index: IndexFill::default(),
            found: Mutex::default(),
        }
    }

    /// Runs all checks that are due. Returns the most severe issue; `None`: there is none.
    async fn check(&self, now: Timestamp) -> Result<Option<HealthIssue>, StoreError> {
        let now = now.plus(self.context.engine.clock_correction_ms());
        self.detect_failover(now).await?;
        self.read_health_snapshot(now).await?;
        self.apply_bucket_count(now).await?;
        if is_due(&self.clocks_at, now, CLOCK_CHECK_INTERVAL_MS) {
            let clocks = self.compare_clocks().await?;
            self.update_found(|found| found.clocks = clocks);
            self.context.events.high_watermark.store(&self.context.store).await?;
        }
        self.checkpoint(now).await?;
        if is_due(&self.audit_at, now, AUDIT_INTERVAL_MS) {
            self.audit(now).await?;
        }
        if is_due(&self.deliveries_checked_at, now, STUCK_AFTER_MS) {
            self.detect_stuck_deliveries(now).await?;
        }
        self.incidents.write(&self.context, now).await?;
        if let Err(error) = self.index.run(&self.context, now).await {
            tracing::warn!("filling the search index failed and will be retried: {error:?}");
        }
        if let Err(error) = unfinished_changes::run(&self.context, now).await {
            tracing::warn!("changing the deliveries of a channel failed and will be retried: {error:?}");
        }
        failpoint::hit("maintenance.checked").await?;
        let found = self.update_found(|_| {});
        Ok(found.clocks.or(found.audit).or(found.messages))
    }

    fn update_found(&self, change: impl FnOnce(&mut FoundIssues)) -> FoundIssues {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut found);
        found.clone()
    }

    async fn read_health_snapshot(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        let before = now.plus(-OVERDUE_MS);
        let snapshot = overdue::health_snapshot(lease.conn(), before, now).await?;
        let kinds = match snapshot.overdue {
            0 => Vec::new(),
            _ => overdue::kinds(lease.conn(), before, now).await?,
        };
        drop(lease);
        let known = self.context.execution.handler.kinds();
        self.context.engine.set_unknown_kinds(kinds.iter().any(|kind| !known.contains(&kind.as_str())));
        self.context.engine.set_health_snapshot(&snapshot, self.context.clock.now());
        if snapshot.has_expired_pause {
            self.end_expired_pause(now).await?;
        }
        if let Err(error) = audit::persist_gap(&self.context).await {
            tracing::debug!("recording a monitoring gap failed and will be retried: {error:?}");
        }
        self.ensure_canary(snapshot.canary, now).await
    }

    /// Resumes publishing at the end of a pause.
    async fn end_expired_pause(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.context.store.begin(PoolRole::Engine).await?;
        if pause::end_expired(tx.conn(), now).await? {
            let resume = NewEvent::simple(now, None, "engine", Uuid::nil(), "resume");
            event::append(tx.conn(), &[resume]).await?;
            tx.commit().await?;
            self.context.committed.notify_waiters();
        }
        Ok(())
    }

    /// Makes sure that the canary is scheduled and has a hint. The sweeper skips it unless hints
    /// are unavailable.
    async fn ensure_canary(&self, due: Option<Timestamp>, now: Timestamp) -> Result<(), StoreError> {
        let is_known = self.context.execution.handler.kinds().contains(&canary::KIND);
        // A due time far ahead was set by a node whose clock was ahead.
        let due = due.filter(|due| due.since(now) < canary::MAX_AHEAD_MS);
        let is_well = due.is_some_and(|due| now.since(due) < canary::INTERVAL_MS);
        if is_well
            || !is_known
            || !self.context.node.role.runs_engine()
            || self.context.engine.are_clocks_apart()
        {
            return Ok(());
        }
        let bucket = bucket_of(canary::ID, self.context.hints.buckets());
        if due.is_none() {
            let mut tx = self.context.store.begin(PoolRole::Engine).await?;
            canary::ensure_exists(tx.conn(), bucket, now).await?;
            tx.commit().await?;
        }
        // Without hints the sweeper executes it.
        if let Err(error) = self.context.hints.add(&[canary::hint(due.unwrap_or(now), bucket)]).await {
            tracing::debug!("adding the hint of the canary failed: {error}");
        }
        Ok(())
    }

    /// Applies a changed number of buckets.
    async fn apply_bucket_count(&self, now: Timestamp) -> Result<(), StoreError> {
        if !self.context.hints.is_shared() {
            return Ok(());
        }
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        if let Some(stored) = buckets::find(lease.conn()).await? {
            let served = stored.served_count(now, self.context.limits.window_ms + PREVIOUS_BUCKETS_MARGIN_MS);
            self.context.hints.resize(stored.count, served);
        }
        Ok(())
    }

    /// Detects a failover to another database server, and then checks that it has all writes
    /// acknowledged to this node.
    async fn detect_failover(&self, now: Timestamp) -> Result<(), StoreError> {
        let context = &self.context;
        let timeline = failover::timeline(context.store.read(PoolRole::Engine).await?.conn()).await?;
        match (context.engine.timeline(), timeline) {
            (Some(known), Some(timeline)) if known != timeline => {
                let gap =
                    failover::compare(&context.store, &context.node.name, context.node.id.0, now).await?;
                context.engine.set_timeline(gap.timeline);
                let lost = gap.lost;
                tracing::warn!(lost, timeline, "the database failed over to another server");
                context.events.bus.invalidate();
                context.committed.notify_waiters();
                context.deliveries_added.notify_one();
            }
            (None, Some(timeline)) => context.engine.set_timeline(timeline),
            _ => {}
        }
        Ok(())
    }

    /// Detects deliveries that are due and not sent. Two checks in a row must find them: a channel
    /// that was just released has sent nothing yet.
    async fn detect_stuck_deliveries(&self, now: Timestamp) -> Result<(), StoreError> {
        let is_blocked = self.context.engine.is_paused() || self.context.engine.are_clocks_apart();
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        let stuck = match is_blocked {
            true => Stuck::default(),
            false => dispatch::stuck(lease.conn(), now.plus(-STUCK_AFTER_MS)).await?,
        };
        drop(lease);
        metrics::gauge!("presstime_channels_stuck").set(stuck.channels.len() as f64);
        self.update_found(|found| {
            found.messages = stuck_issue(&found.stuck, &stuck);
            found.stuck = stuck;
        });
        Ok(())
    }

    async fn compare_clocks(&self) -> Result<Option<HealthIssue>, StoreError> {
        let clocks = self.context.store.read_clocks(self.context.clock.as_ref()).await?;
        let offset_ms = clocks.database.since(clocks.node);
        self.context.engine.set_offset_ms(offset_ms);
        Ok(HealthIssue::of_clock_offset(offset_ms))
    }

    /// Moves SQLite's write-ahead log into the database file. Commits would wait for it, so a burst
    /// goes first, for at most two intervals.
    async fn checkpoint(&self, now: Timestamp) -> Result<(), StoreError> {
        let since = (now.millis() - self.checkpoint_at.load(Relaxed)).abs();
        if since < CHECKPOINT_INTERVAL_MS || !matches!(self.context.store, Store::Sqlite { .. }) {
            return Ok(());
        }
        let burst = self.context.hints.depth().await.map_or(0, |waiting| waiting.publish);
        if burst >= BURST_SIZE && since < 2 * CHECKPOINT_INTERVAL_MS {
            return Ok(());
        }
        self.checkpoint_at.store(now.millis(), Relaxed);
        self.context.store.checkpoint().await
    }

    async fn audit(&self, now: Timestamp) -> Result<(), StoreError> {
        let outcome = audit::audit(&self.context).await?;
        let issue = self.context.engine.audit.summary().and_then(audit_issue);
        self.update_found(|found| found.audit = issue);
        match outcome {
            AuditOutcome::Done => self.purge_expired(now).await?,
            AuditOutcome::More => self.audit_at.store(now.millis() - AUDIT_INTERVAL_MS, Relaxed),
            // Shifts this node's schedule, so that two nodes do not collide each minute.
            AuditOutcome::Conflict => self.audit_at.store(now.millis() - AUDIT_INTERVAL_MS / 2, Relaxed),
        }
        Ok(())
    }

    async fn purge_expired(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.context.store.begin(PoolRole::Engine).await?;
        retention::delete_expired(tx.conn(), now).await?;
        tx.commit().await?;
        trash::empty(&self.context, now).await
    }
}

/// Returns the issue that the audits found; `None`: all executions are correct.
fn audit_issue(summary: AuditSummary) -> Option<HealthIssue> {
    let AuditSummary { audited, lost, early, duplicates, .. } = summary;
    let since = Timestamp::from_millis(summary.since);
    (summary.disagreements() > 0)
        .then(|| IssueDetail::Audit { since, audited, lost, early, duplicates }.into())
}

/// Whether `every` ms have passed since `last`; then sets `last` to `now`.
fn is_due(last: &AtomicI64, now: Timestamp, every: i64) -> bool {
    let is_due = (now.millis() - last.load(Relaxed)).abs() >= every;
    if is_due {
        last.store(now.millis(), Relaxed);
    }
    is_due
}

/// Returns the issue for what was stuck in two checks in a row.
fn stuck_issue(before: &Stuck, now: &Stuck) -> Option<HealthIssue> {
    let channels: Vec<&str> = now.channels.intersection(&before.channels).map(String::as_str).collect();
    if !channels.is_empty() {
        return Some(IssueDetail::MessagesStuck { channels: channels.join(", ") }.into());
    }
    let count = now.claims.min(before.claims);
    (count > 0).then(|| IssueDetail::AttemptsLost { count }.into())
}

#[async_trait]
impl Loop for Maintenance {
    fn name(&self) -> LoopName {
        LoopName::Maintenance
    }

    async fn tick(&self, now: Timestamp) {
        let issue = match self.check(now).await {
            Ok(None) => {
                self.context.engine.record_round(LoopName::Maintenance, now);
                return;
            }
            Ok(Some(issue)) => issue,
            Err(error) => {
                tracing::warn!("the maintenance checks failed: {error:?}");
                self.incidents.record_failure(now);
                HealthIssue::from(&error)
            }
        };
        self.context.engine.record_error(LoopName::Maintenance, now, issue);
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.tick(self.context.clock.now()).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(TICK_INTERVAL) => {}
            }
        }
    }
}
