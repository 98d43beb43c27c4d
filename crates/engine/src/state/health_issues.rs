//! Health issues of the engine in this process, derived from its state. Banners, the engine page,
//! `/readyz` and metrics read them here.

use crate::{EngineState, LoopName};
use domain::{
    Timestamp,
    health::{HealthIssue, HealthIssueKind, IssueDetail},
};
use std::sync::{PoisonError, atomic::Ordering::Relaxed};
use store::node;

/// Without a sign of life for this time the engine counts as not running, milliseconds.
const ENGINE_DEAD_AFTER_MS: i64 = 5_000;
/// How long a "disk full" error is reported after it occurred, milliseconds.
const DISK_FULL_REPORT_MS: i64 = 10_000;

impl EngineState {
    /// Returns all health issues, most severe first. The causes of some are known only to a loop.
    #[must_use]
    pub fn health_issues(&self, now: Timestamp) -> Vec<HealthIssue> {
        let is_full = now.millis() - self.database.full_at.load(Relaxed) < DISK_FULL_REPORT_MS;
        let clocks = HealthIssue::of_clock_offset(self.offset_ms()).filter(HealthIssue::is_blocking);
        let of = |is_so: bool, kind: HealthIssueKind| is_so.then(|| kind.into());
        let disk = of(is_full, HealthIssueKind::DatabaseFull);
        let mut issues: Vec<HealthIssue> =
            [self.database_issue().or(disk), clocks].into_iter().flatten().collect();
        // The others explain the canary.
        if issues.is_empty() {
            issues.extend(self.canary_issue(now).map(HealthIssue::from));
        }
        issues.extend(of(self.counts.has_unknown_kinds.load(Relaxed), HealthIssueKind::NewerRelease));
        issues.extend(of(self.are_hints_unusable(), HealthIssueKind::HintStoreUnavailable));
        issues.extend(self.server_health.health_issues(now));
        issues.extend(of(self.deliveries_held.load(Relaxed), HealthIssueKind::DeliveriesHeld));
        for issue in issues.iter_mut().filter(|issue| issue.detail.is_none()) {
            issue.detail = self.loop_issue(issue.kind).and_then(|known| known.detail);
        }
        let certificate = Timestamp::from_millis(self.certificate_expires_at.load(Relaxed));
        issues.extend(IssueDetail::of_certificate(certificate, now).map(HealthIssue::from));
        issues
    }

    /// Records when the certificate with which this node answers expires.
    pub fn set_certificate_expiry(&self, at: Timestamp) {
        self.certificate_expires_at.store(at.millis(), Relaxed);
    }

    /// Whether the engine publishes: consumer and database responded within the last 5 s, no task
    /// is overdue by more than 5 s, and none of its `issues` stops it.
    #[must_use]
    pub fn is_healthy(&self, issues: &[HealthIssue], now: Timestamp) -> bool {
        let is_fresh = |at: i64| now.millis() - at < ENGINE_DEAD_AFTER_MS;
        is_fresh(self.last_consumed_at().millis())
            && is_fresh(self.counts.at.load(Relaxed))
            && self.overdue() == 0
            && !issues.iter().any(HealthIssue::is_blocking)
    }

    /// Returns when the consumer last finished a round.
    fn last_consumed_at(&self) -> Timestamp {
        self.last_round_at(LoopName::Consumer).unwrap_or(self.started_at())
    }

    /// Returns why the canary was not executed although the consumer runs.
    fn canary_issue(&self, now: Timestamp) -> Option<HealthIssueKind> {
        if now.since(self.last_consumed_at()) >= ENGINE_DEAD_AFTER_MS {
            return None;
        }
        let resumed_at = Timestamp::from_millis(self.pause.resumed_at.load(Relaxed));
        let is_late = |at: Timestamp| now.since(at.max(resumed_at)) > self.server_health.canary_timeout_ms();
        let why = match self.is_heartbeat_late(now) {
            true => HealthIssueKind::DatabaseUnavailable,
            false => HealthIssueKind::Stuck,
        };
        (!self.is_paused() && self.canary_last_seen().is_some_and(is_late)).then_some(why)
    }

    fn is_heartbeat_late(&self, now: Timestamp) -> bool {
        self.last_round_at(LoopName::Heartbeat).is_some_and(|at| now.since(at) > node::NODE_LOST_AFTER_MS)
    }

    /// Records the health issue of the database; `None`: it works.
    pub fn set_database_issue(&self, issue: Option<HealthIssue>) {
        *self.database.issue.lock().unwrap_or_else(PoisonError::into_inner) = issue;
    }

    /// Records that the database answers. After an outage the canary gets its full time again.
    pub fn record_database_reachable(&self, now: Timestamp) {
        if self.is_heartbeat_late(now) || self.database_issue().is_some() {
            self.pause.resumed_at.store(now.millis(), Relaxed);
        }
        self.set_database_issue(None);
    }

    /// Returns the health issue of the database; `None`: it works.
    #[must_use]
    pub fn database_issue(&self) -> Option<HealthIssue> {
        self.database.issue.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records that a user's write failed; the engine's smaller writes may succeed on a full disk.
    pub fn record_write_error(&self, issue: &HealthIssue, now: Timestamp) {
        if issue.kind == HealthIssueKind::DatabaseFull {
            self.database.full_at.store(now.millis(), Relaxed);
        }
    }

    /// Records whether an overdue task is of a kind that only a newer release knows.
    pub fn set_unknown_kinds(&self, is_unknown: bool) {
        self.counts.has_unknown_kinds.store(is_unknown, Relaxed);
    }

    /// Whether the hint store is unavailable.
    #[must_use]
    pub fn are_hints_unavailable(&self) -> bool {
        self.hints.is_unavailable.load(Relaxed)
    }

    /// Whether hints do not work: their store is unavailable, or rejects writes, as a full Redis
    /// does (it still answers the mover that nothing is due). The sweeper then finds all due tasks.
    #[must_use]
    pub fn are_hints_unusable(&self) -> bool {
        self.are_hints_unavailable() || self.hints.is_rejecting.load(Relaxed)
    }

    /// Records whether the hint store is unavailable. Returns whether that changed.
    pub fn set_hints_unavailable(&self, is_unavailable: bool) -> bool {
        self.hints.is_unavailable.swap(is_unavailable, Relaxed) != is_unavailable
    }

    /// Records whether the hint store rejects writes.
    pub fn set_hints_rejecting(&self, is_rejecting: bool) {
        self.hints.is_rejecting.store(is_rejecting, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::health::Severity;
    use store::{canary, overdue::HealthSnapshot};

    #[test]
    fn all_issues_are_listed_most_severe_first_with_the_cause_that_a_loop_reported() {
        let now = Timestamp::from_millis(1_803_888_000_000);
        let engine = EngineState::new(now);
        engine.deliveries_held.store(true, Relaxed);
        engine.set_hints_unavailable(true);
        engine.record_error(LoopName::Mover, now, IssueDetail::RedisFull);
        engine.record_error(LoopName::Feeder, now, IssueDetail::QueryFailed { why: "deadlock".to_owned() });
        let issues = engine.health_issues(now);
        assert_eq!(issues, [IssueDetail::RedisFull.into(), HealthIssueKind::DeliveriesHeld.into()]);
        assert!(issues.iter().all(|issue| issue.severity == Severity::Degraded));
        assert!(engine.is_healthy(&issues, now));
        engine.set_offset_ms(-2_001);
        assert_eq!(engine.health_issues(now), issues, "a small offset is only a notice of maintenance");
        engine.set_offset_ms(30_001);
        let issues = engine.health_issues(now);
        assert_eq!(issues[0], IssueDetail::ClockOffset { offset_ms: 30_001 }.into());
        assert!(issues[0].is_blocking() && issues.len() == 3 && !engine.is_healthy(&issues, now));
    }

    #[test]
    fn a_certificate_is_a_notice_from_two_weeks_before_its_end() {
        let end = Timestamp::from_millis(1_803_888_000_000);
        let engine = EngineState::new(end);
        assert!(engine.health_issues(end).is_empty(), "this node has none");
        engine.set_certificate_expiry(end);
        assert!(engine.health_issues(end.plus(-14 * 86_400_000)).is_empty());
        let issues = engine.health_issues(end.plus(1 - 14 * 86_400_000));
        assert_eq!(issues, [IssueDetail::CertificateExpires { at: end }.into()]);
        assert_eq!(issues[0].severity, Severity::Notice);
        let expired = engine.health_issues(end.plus(1));
        assert_eq!(expired, [IssueDetail::CertificateExpired { at: end }.into()]);
    }

    #[test]
    fn after_a_database_outage_the_canary_gets_its_full_time() {
        let begin = Timestamp::from_millis(1_803_888_000_000);
        let engine = EngineState::new(begin);
        let canary_seen =
            HealthSnapshot { canary: Some(begin.plus(canary::INTERVAL_MS)), ..HealthSnapshot::default() };
        engine.set_health_snapshot(&canary_seen, begin);
        let health_issue = |now: Timestamp| {
            engine.record_round(LoopName::Consumer, now);
            engine.health_issues(now).first().map(|issue| issue.kind)
        };
        engine.record_round(LoopName::Heartbeat, begin);
        engine.set_database_issue(Some(HealthIssueKind::DatabaseUnavailable.into()));
        let back = begin.plus(10_000);
        assert_eq!(health_issue(back), Some(HealthIssueKind::DatabaseUnavailable));
        engine.record_database_reachable(back);
        engine.record_round(LoopName::Heartbeat, back);
        assert_eq!(health_issue(back), None);
        // Reached each second from then on: the grace period is not extended.
        let later = back.plus(4_001);
        for at in [1_000, 2_000, 3_000, 4_000].map(|after| back.plus(after)) {
            engine.record_database_reachable(at);
            engine.record_round(LoopName::Heartbeat, at);
        }
        assert_eq!(health_issue(later), Some(HealthIssueKind::Stuck));
    }
}
