//! Notifies systemd when the node is ready, while its engine works, and when it stops.

use crate::{process::systemd::Systemd, server::Server};
use domain::{
    engine::EngineStatus,
    health::{HealthIssueKind, Severity},
};
use std::{future::pending, time::Duration};
use tokio_util::sync::CancellationToken;

/// Timeout for the first healthy state of the engine. After it the node is reported as started:
/// pages work without the engine.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval between the checks before it.
const READY_INTERVAL: Duration = Duration::from_millis(100);
/// A consumer that has finished no round for this long is stuck, milliseconds.
const SILENT_AFTER_MS: i64 = 30_000;

/// Sends the notifications until `stop`; without systemd none.
pub(super) async fn run(server: &Server, systemd: &Systemd, stop: &CancellationToken) {
    if !systemd.is_present() {
        return;
    }
    let until_stuck = async {
        wait_until_healthy(server).await;
        systemd.notify("READY=1");
        let Some(interval) = systemd.watchdog_interval() else { return pending::<()>().await };
        loop {
            let status = server.services.engine.status().await;
            if !server.config.role.runs_engine() || !is_stuck(&status) {
                systemd.notify("WATCHDOG=1");
            }
            tokio::time::sleep(interval).await;
        }
    };
    tokio::select! {
        () = until_stuck => {}
        () = stop.cancelled() => systemd.notify("STOPPING=1"),
    }
}

async fn wait_until_healthy(server: &Server) {
    if !server.config.role.runs_engine() {
        return;
    }
    let healthy = async {
        while !server.services.engine.status().await.is_healthy {
            tokio::time::sleep(READY_INTERVAL).await;
        }
    };
    if tokio::time::timeout(READY_TIMEOUT, healthy).await.is_err() {
        tracing::warn!("the engine does not execute tasks yet; /readyz says why");
    }
}

/// Whether only a restart helps: no canary passes, or the consumer does not respond, although
/// database and clock work. A restart does not repair another server.
fn is_stuck(status: &EngineStatus) -> bool {
    match status.issue {
        Some(HealthIssueKind::Stuck) => true,
        Some(kind) if kind.severity() == Severity::Blocking => false,
        _ => status.now.since(status.heartbeat_at) > SILENT_AFTER_MS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    #[test]
    fn an_engine_is_stuck_only_if_a_restart_may_help() {
        let status = |silent_ms: i64, issue: Option<HealthIssueKind>| EngineStatus {
            now: Timestamp::from_millis(silent_ms),
            heartbeat_at: Timestamp::from_millis(0),
            heartbeat_offset: 0,
            paused_since: None,
            paused_until: None,
            paused_by: None,
            failing_channels: 0,
            stopped_channels: 0,
            are_deliveries_held: false,
            is_healthy: false,
            attention: 0,
            attention_watched: 0,
            issue,
        };
        assert!(!is_stuck(&status(1_000, None)));
        assert!(is_stuck(&status(1_000, Some(HealthIssueKind::Stuck))));
        assert!(is_stuck(&status(SILENT_AFTER_MS + 1, None)));
        assert!(!is_stuck(&status(SILENT_AFTER_MS + 1, Some(HealthIssueKind::DatabaseUnavailable))));
    }
}
