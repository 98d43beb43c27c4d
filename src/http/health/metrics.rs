//! Metrics of this process for Prometheus. `docs/files/grafana.json` is a dashboard for them.

use domain::{
    delivery::Outcome,
    engine::{EngineStatus, StaleReason, backups::BackupProblem},
    health::{HealthIssue, HealthIssueKind, Severity},
};
use engine::LoopName;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Bucket bounds of the lag histogram, seconds: from a millisecond to an hour.
const LATENESS_BUCKETS: [f64; 14] =
    [0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 1.0, 5.0, 60.0, 3600.0];

/// Installs the metrics recorder. Call it before the loops start; later calls have no effect.
pub fn install() {
    if handle().is_some() {
        describe();
        initialize();
    }
}

fn describe() {
    describe_histogram!("presstime_task_lag_seconds", "Execution time minus due time.");
    describe_counter!("presstime_tasks_executed_total", "Tasks executed, by kind.");
    describe_counter!("presstime_tasks_failed_total", "Tasks that failed.");
    describe_counter!("presstime_tasks_missed_total", "Tasks found after their grace period.");
    describe_counter!("presstime_hints_loaded_total", "Hints loaded into the future set by the feeder.");
    describe_counter!("presstime_hints_promoted_total", "Hints promoted to the publish list by the mover.");
    describe_counter!("presstime_hints_stale_total", "Stale hints, by reason.");
    describe_counter!("presstime_sweeper_rescued_total", "Overdue tasks that no hint brought.");
    describe_counter!("presstime_delivery_attempts_total", "Attempts to deliver a message, by outcome.");
    describe_gauge!(
        "presstime_channels_stuck",
        "Channels with deliveries due for more than a minute that are not sent."
    );
    describe_gauge!("presstime_backup_age_seconds", "Time since the last backup was begun that was written.");
    describe_gauge!("presstime_backup_problem", "1 while backups have this problem, by problem.");
    describe_counter!("presstime_loop_errors_total", "Failed rounds of a loop.");
    describe_counter!("presstime_audited_total", "Executions audited by this node; each is audited once.");
    describe_gauge!(
        "presstime_audit_disagreements",
        "Executions found lost, early or duplicated by audits, of all nodes since the first audit."
    );
    describe_gauge!("presstime_clock_offset_seconds", "Database clock minus node clock.");
    describe_gauge!("presstime_tasks_overdue", "Tasks overdue by more than 5 s.");
    describe_gauge!("presstime_tasks_needing_attention", "Tasks that need attention.");
    describe_counter!("presstime_hints_wiped_total", "Data losses of Redis detected by this node.");
    describe_gauge!("presstime_health_issue", "1 while this health issue impairs the engine, by issue.");
    describe_gauge!("presstime_engine_healthy", "1 while the engine publishes.");
    describe_gauge!("presstime_engine_paused", "1 while an admin has paused it.");
    describe_gauge!("presstime_heartbeat_age_seconds", "Time since the last round of the consumer.");
}

/// Initialises all counters to 0, so that rates over them have a value before the first increment.
fn initialize() {
    for name in [
        "presstime_tasks_failed_total",
        "presstime_tasks_missed_total",
        "presstime_hints_loaded_total",
        "presstime_hints_promoted_total",
        "presstime_hints_wiped_total",
        "presstime_sweeper_rescued_total",
        "presstime_audited_total",
    ] {
        counter!(name).increment(0);
    }
    gauge!("presstime_channels_stuck").set(0.0);
    for problem in BackupProblem::NAMES {
        gauge!("presstime_backup_problem", "problem" => *problem).set(0.0);
    }
    for kind in crate::kinds::words() {
        counter!("presstime_tasks_executed_total", "kind" => kind).increment(0);
    }
    for reason in StaleReason::ALL {
        counter!("presstime_hints_stale_total", "reason" => reason.as_str()).increment(0);
    }
    for outcome in Outcome::NAMES {
        counter!("presstime_delivery_attempts_total", "outcome" => *outcome).increment(0);
    }
    for name in LoopName::ALL {
        counter!("presstime_loop_errors_total", "loop" => name.as_str()).increment(0);
    }
    gauge!("presstime_audit_disagreements").increment(0.0);
}

fn handle() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let handle = HANDLE.get_or_init(|| {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("lag_seconds".to_owned()), &LATENESS_BUCKETS)
            .ok()?
            .install_recorder()
            .ok()
    });
    handle.as_ref()
}

/// Returns all metrics, including the engine's state, in the text format of Prometheus. Notices have
/// metrics of their own.
#[must_use]
pub fn text(status: &EngineStatus, issues: &[HealthIssue]) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts and milliseconds fit into 53 bits")]
    {
        gauge!("presstime_engine_healthy").set(f64::from(u8::from(status.is_healthy)));
        gauge!("presstime_engine_paused").set(f64::from(u8::from(status.is_paused())));
        gauge!("presstime_heartbeat_age_seconds").set(status.now.since(status.heartbeat_at) as f64 / 1_000.0);
    }
    for kind in HealthIssueKind::ALL.iter().filter(|kind| kind.severity() != Severity::Notice) {
        let is_current = issues.iter().any(|issue| issue.kind == *kind && issue.severity != Severity::Notice);
        gauge!("presstime_health_issue", "issue" => kind.as_str()).set(f64::from(u8::from(is_current)));
    }
    handle().map(PrometheusHandle::render).unwrap_or_default()
}
