//! State of the engine in this process: loop status, counters, health issues, pause, clock offset.
//! It uses atomics and short locks, so that a page can read it without waiting for a loop.

use crate::{LoopName, audit::AuditState, hint_counters::HintCounters, server_health::ServerHealth};
use domain::{
    Clock, Timestamp,
    engine::{ActivePause, LoopError, LoopReport, NodeRole},
    health::{HealthIssue, HealthIssueKind, MAX_CLOCK_OFFSET_MS},
};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, Ordering::Relaxed},
};
use store::{canary, execute::Limit, overdue::HealthSnapshot};

/// Status of one loop.
#[derive(Debug, Default)]
struct LoopStatus {
    /// End of the last successful round, UTC milliseconds; 0: none yet.
    last_round_at: AtomicI64,
    rounds: AtomicU64,
    error: Mutex<Option<(Timestamp, HealthIssue)>>,
}

impl LoopStatus {
    fn error(&self) -> Option<(Timestamp, HealthIssue)> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// State of the engine. One per process, shared by all loops and pages.
#[derive(Debug)]
pub struct EngineState {
    started_at: Timestamp,
    loops: [LoopStatus; LoopName::ALL.len()],
    limits: Mutex<Arc<[Limit]>>,
    pub(super) pause: PauseState,
    pub(super) counts: SnapshotState,
    pub(super) hints: HintStoreState,
    pub(super) database: DatabaseState,
    /// Counters of hints.
    pub hint_counters: HintCounters,
    /// Whether deliveries are held until an admin releases them.
    pub deliveries_held: AtomicBool,
    /// When the certificate for HTTPS expires, UTC milliseconds; the greatest time: this node has none.
    pub(super) certificate_expires_at: AtomicI64,
    /// State of the audit.
    pub audit: AuditState,
    /// Latency and membership checks of the database and Redis.
    pub server_health: ServerHealth,
}

/// The pause, and since when publishing runs. Times are UTC milliseconds.
#[derive(Debug, Default)]
pub(super) struct PauseState {
    /// Since when publishing is paused; 0: it runs.
    since: AtomicI64,
    active: Mutex<Option<ActivePause>>,
    pub(super) resumed_at: AtomicI64,
}

/// What the last health snapshot counted.
#[derive(Debug, Default)]
pub(super) struct SnapshotState {
    /// When it was read, UTC milliseconds.
    pub(super) at: AtomicI64,
    overdue: AtomicU64,
    attention: AtomicU64,
    failing_channels: AtomicU64,
    stopped_channels: AtomicU64,
    /// When the canary was last executed, UTC milliseconds; 0: not known.
    canary_last_seen: AtomicI64,
    /// Whether an overdue task is of a kind that only a newer release knows.
    pub(super) has_unknown_kinds: AtomicBool,
}

/// The hint store.
#[derive(Debug, Default)]
pub(super) struct HintStoreState {
    pub(super) is_unavailable: AtomicBool,
    pub(super) is_rejecting: AtomicBool,
    /// Time up to which all buckets are loaded, UTC milliseconds; 0: none yet.
    loaded_until: AtomicI64,
}

/// The database.
#[derive(Debug, Default)]
pub(super) struct DatabaseState {
    pub(super) issue: Mutex<Option<HealthIssue>>,
    /// When a write last failed because the disk was full, UTC milliseconds.
    pub(super) full_at: AtomicI64,
    /// How far its clock is ahead of this process's, milliseconds.
    offset_ms: AtomicI64,
    /// Timeline of the PostgreSQL server; 0: not known.
    timeline: AtomicI32,
}

impl EngineState {
    /// Creates the state of a process that starts now.
    #[must_use]
    pub fn new(started_at: Timestamp) -> Self {
        let now = || AtomicI64::new(started_at.millis());
        Self {
            started_at,
            loops: Default::default(),
            limits: Mutex::default(),
            pause: PauseState { resumed_at: now(), ..PauseState::default() },
            counts: SnapshotState { at: now(), ..SnapshotState::default() },
            hints: HintStoreState::default(),
            database: DatabaseState::default(),
            hint_counters: HintCounters::default(),
            deliveries_held: AtomicBool::new(false),
            certificate_expires_at: AtomicI64::new(i64::MAX),
            audit: AuditState::default(),
            server_health: ServerHealth::default(),
        }
    }

    /// Returns when this process started.
    #[must_use]
    pub fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// Records a successful round of a loop and clears its error.
    pub fn record_round(&self, name: LoopName, now: Timestamp) {
        let status = &self.loops[name as usize];
        status.last_round_at.store(now.millis(), Relaxed);
        status.rounds.fetch_add(1, Relaxed);
        *status.error.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Records why a round of a loop failed. Logs it only when the issue changes.
    pub fn record_error(&self, name: LoopName, now: Timestamp, issue: impl Into<HealthIssue>) {
        let issue = issue.into();
        let mut error = self.loops[name as usize].error.lock().unwrap_or_else(PoisonError::into_inner);
        if error.as_ref().is_none_or(|(_, old)| *old != issue) {
            tracing::warn!(name = name.as_str(), issue = issue.kind.as_str(), "a loop reported: {issue}");
        }
        *error = Some((now, issue));
        metrics::counter!("presstime_loop_errors_total", "loop" => name.as_str()).increment(1);
    }

    /// Returns when a loop last finished a round; `None`: never.
    #[must_use]
    pub fn last_round_at(&self, name: LoopName) -> Option<Timestamp> {
        Some(self.loops[name as usize].last_round_at.load(Relaxed))
            .filter(|at| *at != 0)
            .map(Timestamp::from_millis)
    }

    /// Records the last round of a loop that runs on another node.
    pub fn set_last_round(&self, name: LoopName, at: Timestamp) {
        self.loops[name as usize].last_round_at.store(at.millis(), Relaxed);
    }

    /// Returns the PostgreSQL timeline on which this node last compared its acknowledged writes;
    /// `None`: not known.
    #[must_use]
    pub fn timeline(&self) -> Option<i32> {
        Some(self.database.timeline.load(Relaxed)).filter(|timeline| *timeline != 0)
    }

    /// Records the PostgreSQL timeline.
    pub fn set_timeline(&self, timeline: i32) {
        self.database.timeline.store(timeline, Relaxed);
    }

    /// Returns the status of each loop of a node of this role, for the engine page.
    #[must_use]
    pub fn loops(&self, role: NodeRole) -> Vec<LoopReport> {
        let report = |name: LoopName| {
            let status = &self.loops[name as usize];
            LoopReport {
                name: name.as_str().to_owned(),
                last_round_at: self.last_round_at(name),
                rounds: status.rounds.load(Relaxed),
                error: status.error().map(|(at, issue)| LoopError { at, issue: issue.into() }),
            }
        };
        LoopName::ALL.into_iter().filter(|name| name.runs_on(role)).map(report).collect()
    }

    /// Returns the issue of this kind that a loop reported last; `None`: none did.
    pub(super) fn loop_issue(&self, kind: HealthIssueKind) -> Option<HealthIssue> {
        let issues = self.loops.iter().filter_map(LoopStatus::error).filter(|(_, issue)| issue.kind == kind);
        issues.max_by_key(|(at, _)| *at).map(|(_, issue)| issue)
    }

    /// Returns how far the database's clock is ahead of this process's, milliseconds.
    #[must_use]
    pub fn offset_ms(&self) -> i64 {
        self.database.offset_ms.load(Relaxed)
    }

    /// Records a measured clock offset.
    pub fn set_offset_ms(&self, offset: i64) {
        self.database.offset_ms.store(offset, Relaxed);
        metrics::gauge!("presstime_clock_offset_seconds").set(offset as f64 / 1_000.0);
    }

    /// Whether the clocks are so far apart that nothing may be executed.
    #[must_use]
    pub fn are_clocks_apart(&self) -> bool {
        self.offset_ms().abs() > MAX_CLOCK_OFFSET_MS
    }

    /// Returns the correction for this process's clock, milliseconds; 0 while the clocks agree.
    /// Otherwise the earlier clock counts, because it is unknown which one is right.
    #[must_use]
    pub fn clock_correction_ms(&self) -> i64 {
        if self.are_clocks_apart() { self.offset_ms().min(0) } else { 0 }
    }

    /// Returns the time by which loops decide what is due: the earlier of the two clocks.
    #[must_use]
    pub fn now(&self, clock: &dyn Clock) -> Timestamp {
        clock.now().plus(self.offset_ms().min(0))
    }

    /// Whether an admin has paused the engine.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.pause.since.load(Relaxed) != 0
    }

    /// Returns the pause in effect; `None`: the engine runs.
    #[must_use]
    pub fn pause(&self) -> Option<ActivePause> {
        *self.pause.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the kinds with a limit.
    #[must_use]
    pub fn limits(&self) -> Arc<[Limit]> {
        Arc::clone(&self.limits.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records the limits read from SQL.
    pub fn set_limits(&self, limits: Vec<Limit>) {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) = limits.into();
    }

    /// Records the pause in effect, or that there is none.
    pub fn set_pause(&self, pause: Option<ActivePause>, now: Timestamp) {
        *self.pause.active.lock().unwrap_or_else(PoisonError::into_inner) = pause;
        let was_paused = self.pause.since.swap(pause.map_or(0, |pause| pause.since.millis()), Relaxed) != 0;
        if was_paused && pause.is_none() {
            self.pause.resumed_at.store(now.millis(), Relaxed);
        }
    }

    /// Returns when the canary was last executed, as read from SQL; `None`: not known.
    #[must_use]
    pub fn canary_last_seen(&self) -> Option<Timestamp> {
        Some(self.counts.canary_last_seen.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Records the health snapshot that is read from SQL each second.
    pub fn set_health_snapshot(&self, snapshot: &HealthSnapshot, now: Timestamp) {
        self.set_pause(snapshot.pause, now);
        self.deliveries_held.store(snapshot.is_held, Relaxed);
        if let Some(due) = snapshot.canary {
            self.counts.canary_last_seen.store(due.millis() - canary::INTERVAL_MS, Relaxed);
        }
        self.counts.overdue.store(snapshot.overdue, Relaxed);
        self.counts.attention.store(snapshot.attention, Relaxed);
        self.counts.failing_channels.store(snapshot.failing_channels, Relaxed);
        self.counts.stopped_channels.store(snapshot.stopped_channels, Relaxed);
        let last = self.counts.at.swap(now.millis(), Relaxed);
        self.audit.record_snapshot(now, now.millis() - last);
        metrics::gauge!("presstime_tasks_overdue").set(snapshot.overdue as f64);
        metrics::gauge!("presstime_tasks_needing_attention").set(snapshot.attention as f64);
    }

    /// Returns the number of tasks that need attention.
    #[must_use]
    pub fn attention(&self) -> u64 {
        self.counts.attention.load(Relaxed)
    }

    /// Returns the number of channels that do not accept messages, or are switched off.
    #[must_use]
    pub fn failing_channels(&self) -> u64 {
        self.counts.failing_channels.load(Relaxed)
    }

    /// Returns the number of those that are switched off, or have messages that ended undelivered.
    #[must_use]
    pub fn stopped_channels(&self) -> u64 {
        self.counts.stopped_channels.load(Relaxed)
    }

    /// Returns the number of overdue tasks in the last snapshot.
    #[must_use]
    pub fn overdue(&self) -> u64 {
        self.counts.overdue.load(Relaxed)
    }

    /// Returns the time up to which the feeder has loaded all buckets; `None`: not yet.
    #[must_use]
    pub fn loaded_until(&self) -> Option<Timestamp> {
        Some(self.hints.loaded_until.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Records the time up to which the feeder has loaded all buckets.
    pub fn set_loaded_until(&self, until: Timestamp) {
        self.hints.loaded_until.store(until.millis(), Relaxed);
    }
}
