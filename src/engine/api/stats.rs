//! `/stats`: status of the engine, number of tasks, lateness.

use crate::http::{
    Web,
    api::{ApiError, extract::Auth},
};
use axum::{Json, extract::State};
use domain::{
    Timestamp,
    engine::{EngineReport, EngineStatus},
    health::HealthIssueKind,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Status of the engine.
#[derive(Debug, Serialize, ToSchema)]
pub struct EngineStatusBody {
    /// The server's clock.
    #[schema(value_type = String, format = DateTime)]
    now: Timestamp,
    /// When a consumer last finished a round.
    #[schema(value_type = String, format = DateTime)]
    heartbeat_at: Timestamp,
    /// Whether an admin has paused it.
    is_paused: bool,
    /// Whether it executes tasks.
    is_healthy: bool,
    /// Number of items that need attention.
    attention: u64,
    /// Most severe health issue; null: none. `database_unavailable`, `database_read_only`,
    /// `database_full`, `clock_skew`, `stuck` (no task is executed) and `newer_release` (an overdue
    /// task has a kind that only a newer release knows) stop the execution of tasks.
    /// `hint_store_unavailable` (Redis is not used), `database_slow`, `hint_store_slow`,
    /// `redis_mismatch` (nodes use different Redis servers), `redis_data_loss` (Redis lost its data
    /// less than a minute ago) and `deliveries_held` (until an admin confirms) do not.
    issue: Option<&'static str>,
}

/// Number of tasks by state, counted about once a second. 10,001 means more than 10,000.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotalsBody {
    scheduled: u64,
    executed: u64,
    failed: u64,
    cancelled: u64,
    missed: u64,
}

/// Lateness of the tasks of the last hour (the newest 10,000), milliseconds, updated about once a
/// second.
#[derive(Debug, Serialize, ToSchema)]
pub struct LagBody {
    /// Number of tasks measured.
    count: u64,
    p50: i64,
    p95: i64,
    p99: i64,
    max: i64,
    /// Number of tasks executed before their due time. Always 0.
    early: u64,
}

/// Status and statistics.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatsBody {
    /// Status of the engine.
    engine: EngineStatusBody,
    /// Number of scheduled tasks; 10,001 means more than 10,000.
    scheduled: u64,
    /// Number of items that need attention.
    attention: u64,
    /// Number of tasks executed in the last 24 hours; 10,001 means more than 10,000.
    executed_today: u64,
    /// Number of tasks by state; null unless the token's owner is an admin.
    counts: Option<TotalsBody>,
    /// Since when deliveries are held until an admin confirms, see `/delivery-hold`; null: they are
    /// not held, or the token's owner is not an admin.
    #[schema(value_type = Option<String>, format = DateTime)]
    held_since: Option<Timestamp>,
    /// Release of the IANA time-zone data that this node uses.
    time_zone_data: &'static str,
    /// Lateness of the last hour; null unless the token's owner is an admin.
    lag: Option<LagBody>,
}

impl From<EngineStatus> for EngineStatusBody {
    fn from(status: EngineStatus) -> Self {
        let EngineStatus { now, heartbeat_at, paused_since, is_healthy, attention, issue, .. } = status;
        Self {
            now,
            heartbeat_at,
            is_paused: paused_since.is_some(),
            is_healthy,
            attention,
            issue: issue.map(HealthIssueKind::as_str),
        }
    }
}

fn counts_and_lag(report: &EngineReport) -> (TotalsBody, LagBody) {
    let (totals, lag) = (report.totals, report.lateness);
    let counts = TotalsBody {
        scheduled: totals.scheduled,
        executed: totals.executed,
        failed: totals.failed,
        cancelled: totals.cancelled,
        missed: totals.missed,
    };
    let lag = LagBody {
        count: lag.count,
        p50: lag.p50,
        p95: lag.p95,
        p99: lag.p99,
        max: lag.max,
        early: lag.early,
    };
    (counts, lag)
}

/// Returns the status of the engine, counts and lateness.
#[utoipa::path(get, path = "/stats", tag = "about", responses(
    (status = 200, description = "Status and statistics", body = StatsBody)))]
pub async fn show(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<StatsBody>, ApiError> {
    let board = web.services.tasks.dashboard(&actor, false).await?;
    let report = if actor.is_admin() { Some(web.services.engine.report(&actor).await?) } else { None };
    let (counts, lag) = report.as_ref().map(counts_and_lag).unzip();
    let status = web.services.engine.status().await;
    let attention = web.services.attention.count(&actor, false).await?;
    Ok(Json(StatsBody {
        engine: EngineStatus { attention: attention.all, ..status }.into(),
        scheduled: board.scheduled,
        attention: board.attention,
        executed_today: board.executed_today,
        held_since: report.as_ref().and_then(|report| report.hold_since),
        time_zone_data: crate::zone::data_version(),
        counts,
        lag,
    }))
}
