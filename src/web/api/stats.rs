//! `/stats`: whether the engine lives, how much there is, how late it is.

use super::{super::Web, ApiError, sent::Bearer};
use axum::{Json, extract::State};
use domain::{
    Timestamp,
    engine::{EngineReport, Heartbeat, Weather},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Whether the engine lives.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeartbeatBody {
    /// The server's clock.
    #[schema(value_type = String, format = DateTime)]
    now: Timestamp,
    /// When a consumer last finished a round.
    #[schema(value_type = String, format = DateTime)]
    beat_at: Timestamp,
    /// Whether an admin has paused it.
    is_paused: bool,
    /// Whether it publishes.
    is_healthy: bool,
    /// How many tasks need a person.
    attention: u64,
    /// What keeps it from working as it should: `database_away`, `database_read_only`, `database_full`, `clock_off`,
    /// `stuck`, `newer_release` (what is overdue is of a kind that only a newer release knows), or, while tasks go out all the
    /// same, `hints_away` (Redis is not used), `database_slow`, `hints_slow`, `hints_apart` (not
    /// everybody uses the same Redis), `hints_wiped` (Redis had forgotten everything less than a minute ago) and
    /// `messages_held` (until an admin confirms). Null: nothing.
    weather: Option<&'static str>,
}

/// Tasks by state, counted about once a second. Each number stops at 10,001, which means: more than 10,000.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotalsBody {
    scheduled: u64,
    executed: u64,
    failed: u64,
    cancelled: u64,
    missed: u64,
}

/// How late the tasks of the last hour were, in milliseconds: the newest 10,000 of them, looked at about once a second.
#[derive(Debug, Serialize, ToSchema)]
pub struct LagBody {
    /// How many were measured.
    count: u64,
    p50: i64,
    p95: i64,
    p99: i64,
    max: i64,
    /// Executed before their moment. Always 0.
    early: u64,
}

/// The numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatsBody {
    /// Whether the engine lives.
    heartbeat: HeartbeatBody,
    /// How many tasks wait; 10,001 means: more than 10,000.
    scheduled: u64,
    /// How many need a person.
    attention: u64,
    /// How many were executed in the last 24 hours; 10,001 means: more than 10,000.
    executed_today: u64,
    /// Tasks by state; null unless the token's owner is an admin.
    counts: Option<TotalsBody>,
    /// Since then messages are held until an admin confirms, see `/restore`; null: they go out, or the token's owner is no admin.
    #[schema(value_type = Option<String>, format = DateTime)]
    held_since: Option<Timestamp>,
    /// Release of the IANA time-zone data this node goes by.
    time_zone_data: &'static str,
    /// Lag of the last hour; null unless the token's owner is an admin.
    lag: Option<LagBody>,
}

impl From<Heartbeat> for HeartbeatBody {
    fn from(beat: Heartbeat) -> Self {
        let Heartbeat { now, beat_at, is_paused, is_healthy, attention, weather } = beat;
        Self { now, beat_at, is_paused, is_healthy, attention, weather: weather.map(Weather::as_str) }
    }
}

fn numbers(report: &EngineReport) -> (TotalsBody, LagBody) {
    let (totals, lag) = (report.totals, report.lag);
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

/// Shows counts, lag and the heartbeat.
#[utoipa::path(get, path = "/stats", tag = "about", responses(
    (status = 200, description = "The numbers", body = StatsBody)))]
pub(super) async fn show(State(web): State<Web>, Bearer(actor): Bearer) -> Result<Json<StatsBody>, ApiError> {
    let board = web.desk.tasks.board(&actor).await?;
    let report = if actor.is_admin() { Some(web.desk.engine.report(&actor).await?) } else { None };
    let (counts, lag) = report.as_ref().map(numbers).unzip();
    Ok(Json(StatsBody {
        heartbeat: web.desk.engine.heartbeat().await.into(),
        scheduled: board.scheduled,
        attention: board.attention,
        executed_today: board.executed_today,
        held_since: report.as_ref().and_then(|report| report.held_since),
        time_zone_data: crate::zone::data_version(),
        counts,
        lag,
    }))
}
