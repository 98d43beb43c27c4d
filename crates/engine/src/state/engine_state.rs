//! State of the engine in this process: loop status, counters, health issues, pause, clock offset.
//! It uses atomics and short locks, so that a page can read it without waiting for a loop.

use crate::{LoopName, audit::AuditState, hint_counters::HintCounters, server_health::ServerHealth};
use domain::{
    Clock, Timestamp,
    engine::{HealthIssue, LoopError, LoopReport, NodeRole},
    fault::Fault,
};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, Ordering::Relaxed},
};
use store::{canary, execute::Limit, node, overdue::HealthSnapshot};

/// Clock offset to the database above which the consumer stops, milliseconds.
const MAX_CLOCK_OFFSET_MS: i64 = 30_000;
/// Without a sign of life for this time the engine counts as not running, milliseconds.
const ENGINE_DEAD_AFTER_MS: i64 = 5_000;
/// How long a "disk full" error is reported after it occurred, milliseconds.
const DISK_FULL_REPORT_MS: i64 = 10_000;
/// Status of one loop.
#[derive(Debug, Default)]
struct LoopStatus {
    /// End of the last successful round, UTC milliseconds; 0: none yet.
    last_round_at: AtomicI64,
    rounds: AtomicU64,
    error: Mutex<Option<(Timestamp, Fault)>>,
}

/// State of the engine. One per process, shared by all loops and pages.
#[derive(Debug)]
pub struct EngineState {
    started_at: Timestamp,
    loops: [LoopStatus; LoopName::ALL.len()],
    offset_ms: AtomicI64,
    is_paused: AtomicBool,
    resumed_at: AtomicI64,
    canary_last_seen: AtomicI64,
    overdue: AtomicU64,
    attention: AtomicU64,
    snapshot_at: AtomicI64,
    hints_unavailable: AtomicBool,
    hints_rejecting: AtomicBool,
    loaded_until: AtomicI64,
    /// Counters of hints.
    pub hint_counters: HintCounters,
    database_issue: Mutex<Option<HealthIssue>>,
    full_at: AtomicI64,
    has_unknown_kinds: AtomicBool,
    /// Whether deliveries are held until an admin releases them.
    pub deliveries_held: AtomicBool,
    /// Timeline of the PostgreSQL server; 0: not known.
    timeline: AtomicI32,
    limits: Mutex<Arc<[Limit]>>,
    /// State of the audit.
    pub audit: AuditState,
    /// Latency and membership checks of the database and Redis.
    pub server_health: ServerHealth,
}

impl EngineState {
    /// Creates the state of a process that starts now.
    #[must_use]
    pub fn new(started_at: Timestamp) -> Self {
        Self {
            started_at,
            loops: Default::default(),
            offset_ms: AtomicI64::new(0),
            is_paused: AtomicBool::new(false),
            resumed_at: AtomicI64::new(started_at.millis()),
            canary_last_seen: AtomicI64::new(0),
            overdue: AtomicU64::new(0),
            attention: AtomicU64::new(0),
            snapshot_at: AtomicI64::new(started_at.millis()),
            hints_unavailable: AtomicBool::new(false),
            hints_rejecting: AtomicBool::new(false),
            loaded_until: AtomicI64::new(0),
            hint_counters: HintCounters::default(),
            database_issue: Mutex::new(None),
            full_at: AtomicI64::new(0),
            has_unknown_kinds: AtomicBool::new(false),
            deliveries_held: AtomicBool::new(false),
            server_health: ServerHealth::default(),
            timeline: AtomicI32::new(0),
            limits: Mutex::default(),
            audit: AuditState::default(),
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

    /// Records why a round of a loop failed. Logs it only when the fault changes.
    pub fn record_error(&self, name: LoopName, now: Timestamp, fault: Fault) {
        let mut error = self.loops[name as usize].error.lock().unwrap_or_else(PoisonError::into_inner);
        if error.as_ref().is_none_or(|(_, old)| *old != fault) {
            tracing::warn!(name = name.as_str(), "a loop reported a fault: {fault}");
        }
        *error = Some((now, fault));
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
        Some(self.timeline.load(Relaxed)).filter(|timeline| *timeline != 0)
    }

    /// Records the PostgreSQL timeline.
    pub fn set_timeline(&self, timeline: i32) {
        self.timeline.store(timeline, Relaxed);
    }

    /// Returns the status of each loop of a node of this role, for the engine page.
    #[must_use]
    pub fn loops(&self, role: NodeRole) -> Vec<LoopReport> {
        let report = |name: LoopName| {
            let status = &self.loops[name as usize];
            let error = status.error.lock().unwrap_or_else(PoisonError::into_inner).clone();
            LoopReport {
                name: name.as_str().to_owned(),
                last_round_at: self.last_round_at(name),
                rounds: status.rounds.load(Relaxed),
                error: error.map(|(at, fault)| LoopError { at, fault: fault.into() }),
            }
        };
        LoopName::ALL.into_iter().filter(|name| name.runs_on(role)).map(report).collect()
    }

    /// Returns how far the database's clock is ahead of this process's, milliseconds.
    #[must_use]
    pub fn offset_ms(&self) -> i64 {
        self.offset_ms.load(Relaxed)
    }

    /// Records a measured clock offset.
    pub fn set_offset_ms(&self, offset: i64) {
        self.offset_ms.store(offset, Relaxed);
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
        self.is_paused.load(Relaxed)
    }

    /// Returns the kinds with a concurrency limit.
    #[must_use]
    pub fn limits(&self) -> Arc<[Limit]> {
        Arc::clone(&self.limits.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records the limits read from SQL.
    pub fn set_limits(&self, limits: Vec<Limit>) {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) = limits.into();
    }

    /// Pauses or resumes the engine.
    pub fn set_paused(&self, is_paused: bool, now: Timestamp) {
        if self.is_paused.swap(is_paused, Relaxed) && !is_paused {
            self.resumed_at.store(now.millis(), Relaxed);
        }
    }

    /// Returns when the canary was last executed, as read from SQL; `None`: not known.
    #[must_use]
    pub fn canary_last_seen(&self) -> Option<Timestamp> {
        Some(self.canary_last_seen.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Returns when the consumer last finished a round.
    fn last_consumed_at(&self) -> Timestamp {
        self.last_round_at(LoopName::Consumer).unwrap_or(self.started_at)
    }

    /// Returns why the canary was not executed although the consumer runs.
    fn canary_issue(&self, now: Timestamp) -> Option<HealthIssue> {
        if now.since(self.last_consumed_at()) >= ENGINE_DEAD_AFTER_MS {
            return None;
        }
        let resumed_at = Timestamp::from_millis(self.resumed_at.load(Relaxed));
        let is_late = |at: Timestamp| now.since(at.max(resumed_at)) > self.server_health.canary_timeout_ms();
        let why =
            if self.is_heartbeat_late(now) { HealthIssue::DatabaseUnavailable } else { HealthIssue::Stuck };
        (!self.is_paused() && self.canary_last_seen().is_some_and(is_late)).then_some(why)
    }

    fn is_heartbeat_late(&self, now: Timestamp) -> bool {
        self.last_round_at(LoopName::Heartbeat).is_some_and(|at| now.since(at) > node::NODE_LOST_AFTER_MS)
    }

    /// Records the health snapshot that is read from SQL each second.
    pub fn set_health_snapshot(&self, snapshot: &HealthSnapshot, now: Timestamp) {
        self.set_paused(snapshot.is_paused, now);
        self.deliveries_held.store(snapshot.is_held, Relaxed);
        if let Some(due) = snapshot.canary {
            self.canary_last_seen.store(due.millis() - canary::INTERVAL_MS, Relaxed);
        }
        self.overdue.store(snapshot.overdue, Relaxed);
        self.attention.store(snapshot.attention, Relaxed);
        let last = self.snapshot_at.swap(now.millis(), Relaxed);
        self.audit.record_snapshot(now, now.millis() - last);
        metrics::gauge!("presstime_tasks_overdue").set(snapshot.overdue as f64);
        metrics::gauge!("presstime_tasks_needing_attention").set(snapshot.attention as f64);
    }

    /// Returns the number of tasks that need attention.
    #[must_use]
    pub fn attention(&self) -> u64 {
        self.attention.load(Relaxed)
    }

    /// Returns the number of overdue tasks in the last snapshot.
    #[must_use]
    pub fn overdue(&self) -> u64 {
        self.overdue.load(Relaxed)
    }

    /// Records the health issue of the database; `None`: it works.
    pub fn set_database_issue(&self, issue: Option<HealthIssue>) {
        *self.database_issue.lock().unwrap_or_else(PoisonError::into_inner) = issue;
    }

    /// Records that the database answers. After an outage the canary gets its full time again.
    pub fn record_database_reachable(&self, now: Timestamp) {
        if self.is_heartbeat_late(now) || self.database_issue().is_some() {
            self.resumed_at.store(now.millis(), Relaxed);
        }
        self.set_database_issue(None);
    }

    /// Returns the health issue of the database; `None`: it works.
    #[must_use]
    pub fn database_issue(&self) -> Option<HealthIssue> {
        *self.database_issue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a user's write failed; the engine's smaller writes may succeed on a full disk.
    pub fn record_write_error(&self, issue: Option<HealthIssue>, now: Timestamp) {
        if issue == Some(HealthIssue::DatabaseFull) {
            self.full_at.store(now.millis(), Relaxed);
        }
    }

    /// Records whether an overdue task is of a kind that only a newer release knows.
    pub fn set_unknown_kinds(&self, is_unknown: bool) {
        self.has_unknown_kinds.store(is_unknown, Relaxed);
    }

    /// Returns `DatabaseFull` if a write failed on a full disk within the last
    /// [`DISK_FULL_REPORT_MS`].
    fn disk_full_issue(&self, now: Timestamp) -> Option<HealthIssue> {
        (now.millis() - self.full_at.load(Relaxed) < DISK_FULL_REPORT_MS).then_some(HealthIssue::DatabaseFull)
    }

    /// Returns the most severe health issue; `None`: the engine works.
    #[must_use]
    pub fn health_issue(&self, now: Timestamp) -> Option<HealthIssue> {
        let clock = self.are_clocks_apart().then_some(HealthIssue::ClockSkew);
        let hints = self.are_hints_unusable().then_some(HealthIssue::HintStoreUnavailable);
        let if_so = |flag: &AtomicBool, issue| flag.load(Relaxed).then_some(issue);
        self.database_issue()
            .or(self.disk_full_issue(now))
            .or(clock)
            .or(self.canary_issue(now))
            .or(if_so(&self.has_unknown_kinds, HealthIssue::NewerRelease))
            .or(hints)
            .or(self.server_health.health_issue(now))
            .or(if_so(&self.deliveries_held, HealthIssue::DeliveriesHeld))
    }

    /// Whether the engine publishes: consumer and database responded within the last 5 s, no task
    /// is overdue by more than 5 s, and no health issue stops it.
    #[must_use]
    pub fn is_healthy(&self, now: Timestamp) -> bool {
        let is_fresh = |at: i64| now.millis() - at < ENGINE_DEAD_AFTER_MS;
        is_fresh(self.last_consumed_at().millis())
            && is_fresh(self.snapshot_at.load(Relaxed))
            && self.overdue.load(Relaxed) == 0
            && !self.health_issue(now).is_some_and(HealthIssue::stops_execution)
    }

    /// Whether the hint store is unavailable.
    #[must_use]
    pub fn are_hints_unavailable(&self) -> bool {
        self.hints_unavailable.load(Relaxed)
    }

    /// Whether hints do not work: their store is unavailable, or rejects writes, as a full Redis
    /// does (it still answers the mover that nothing is due). The sweeper then finds all due tasks.
    #[must_use]
    pub fn are_hints_unusable(&self) -> bool {
        self.are_hints_unavailable() || self.hints_rejecting.load(Relaxed)
    }

    /// Records whether the hint store is unavailable. Returns whether that changed.
    pub fn set_hints_unavailable(&self, is_unavailable: bool) -> bool {
        let was_unavailable = self.hints_unavailable.swap(is_unavailable, Relaxed);
        self.update_hint_gauge();
        was_unavailable != is_unavailable
    }

    /// Records whether the hint store rejects writes.
    pub fn set_hints_rejecting(&self, is_rejecting: bool) {
        self.hints_rejecting.store(is_rejecting, Relaxed);
        self.update_hint_gauge();
    }

    fn update_hint_gauge(&self) {
        metrics::gauge!("presstime_hint_store_unavailable")
            .set(f64::from(u8::from(self.are_hints_unusable())));
    }

    /// Returns the time up to which the feeder has loaded all buckets; `None`: not yet.
    #[must_use]
    pub fn loaded_until(&self) -> Option<Timestamp> {
        Some(self.loaded_until.load(Relaxed)).filter(|at| *at != 0).map(Timestamp::from_millis)
    }

    /// Records the time up to which the feeder has loaded all buckets.
    pub fn set_loaded_until(&self, until: Timestamp) {
        self.loaded_until.store(until.millis(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_database_outage_the_canary_gets_its_full_time() {
        let begin = Timestamp::from_millis(1_803_888_000_000);
        let engine = EngineState::new(begin);
        let canary_seen =
            HealthSnapshot { canary: Some(begin.plus(canary::INTERVAL_MS)), ..HealthSnapshot::default() };
        engine.set_health_snapshot(&canary_seen, begin);
        let health_issue = |now: Timestamp| {
            engine.record_round(LoopName::Consumer, now);
            engine.health_issue(now)
        };
        engine.record_round(LoopName::Heartbeat, begin);
        engine.set_database_issue(Some(HealthIssue::DatabaseUnavailable));
        let back = begin.plus(10_000);
        assert_eq!(health_issue(back), Some(HealthIssue::DatabaseUnavailable));
        engine.record_database_reachable(back);
        engine.record_round(LoopName::Heartbeat, back);
        assert_eq!(health_issue(back), None);
        // Reached each second from then on: the grace period is not extended.
        let later = back.plus(4_001);
        for at in [1_000, 2_000, 3_000, 4_000].map(|after| back.plus(after)) {
            engine.record_database_reachable(at);
            engine.record_round(LoopName::Heartbeat, at);
        }
        assert_eq!(health_issue(later), Some(HealthIssue::Stuck));
    }
}
