//! The report of the engine page.

use super::{
    backups::Backups,
    stats_cache::{Stats, StatsCache},
    throughput_cache::MINUTES,
};
use crate::{
    app_state::AppState,
    process::commit,
    services::internal_error,
    zone::{self, Zone},
};
use domain::{
    DomainError, LocalizedTime, NodeId, Timestamp,
    engine::{
        AuditReport, ComponentReport, EngineReport, EngineStatus, HintCounts, NodeReport, NodeState,
        PauseReport, Upcoming, backups::SystemReport,
    },
    health::{HealthIssue, IssueDetail},
    kind::KindLimit,
};
use std::time::Instant;
use store::{
    PoolRole, StoreError,
    audit_summary::{self, AuditSummary},
    node,
    pause::{self, Pause},
    report, restore, task_list,
};

const HOUR_MS: i64 = 3_600_000;

/// The part of the report that is read from SQL.
struct SqlPart {
    sql: ComponentReport,
    issue: Option<HealthIssue>,
    counts: Stats,
    nodes: Vec<NodeReport>,
    limits: Vec<KindLimit>,
    held_since: Option<Timestamp>,
    sheet: Option<AuditSummary>,
    pause: Option<Pause>,
    /// Due time of the next task, and number of tasks due within an hour.
    upcoming: (Option<Timestamp>, u64),
    site_zone: Zone,
}

/// Returns the report for a user in the zone `viewer`, without the parts that are unavailable, and
/// without the backups.
pub async fn all(parts: &AppState, cache: &StatsCache, status: EngineStatus, viewer: &str) -> EngineReport {
    let sql = read_sql(parts, cache, status.now).await;
    let part = sql.unwrap_or_else(|error| sql_unavailable(parts, error));
    let (hints, hint_counts, hint_issue) = hints(parts).await;
    let engine = &parts.engine;
    let mut issues = engine.health_issues(status.now);
    part.issue.into_iter().chain(hint_issue).for_each(|found| add_issue(&mut issues, found));
    let moment = |at| zone::moment(at, Zone::stored(viewer), part.site_zone);
    EngineReport {
        pause: part.pause.map(|pause| pause_report(pause, moment)),
        upcoming: Upcoming {
            next: part.upcoming.0.map(moment),
            in_next_hour: part.upcoming.1,
            hour_end: Some(moment(status.now.plus(HOUR_MS))),
        },
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time_zone_data: zone::data_version().to_owned(),
        started_at: engine.started_at(),
        lateness: part.counts.lag,
        stages: part.counts.stages,
        throughput: part.counts.throughput,
        totals: part.counts.totals,
        audit: audit_report(parts, part.sheet, moment),
        loops: engine.loops(parts.node.role),
        nodes: part.nodes,
        backups: None,
        limits: part.limits,
        hold_since: part.held_since,
        hold_reason: String::new(),
        issues: issues.into_iter().map(Into::into).collect(),
        database: part.sql,
        hints,
        hint_counts,
        stale: engine.hint_counters.stale_by_reason(),
        buckets: parts.hints.buckets(),
        polled_buckets: parts.hints.polled_buckets(),
        clock_offset_ms: engine.offset_ms(),
        loaded_until: engine.loaded_until(),
        canary_at: engine.canary_last_seen(),
        status,
    }
}

async fn read_sql(parts: &AppState, cache: &StatsCache, now: Timestamp) -> Result<SqlPart, StoreError> {
    let counts = cache.read(&parts.store, now).await?;
    let mut lease = parts.store.read(PoolRole::Web).await?;
    // The first query may have to connect; the second one measures the round trip.
    let name = report::database(lease.conn()).await?;
    let asked = Instant::now();
    report::database(lease.conn()).await?;
    let ping_us = Some(u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX));
    let held_since = restore::delivery_hold_since(lease.conn()).await?;
    let sheet = audit_summary::find(lease.conn()).await?;
    let pause = pause::find(lease.conn(), now).await?;
    let upcoming = report::upcoming(lease.conn(), now.plus(HOUR_MS)).await?;
    let site_zone =
        task_list::site_time_zone(lease.conn()).await?.map_or(Zone::UTC, |name| Zone::stored(&name));
    drop(lease);
    let (nodes, limits) = (nodes(parts).await?, super::limits::read(parts).await?);
    let sql = ComponentReport { name, is_up: true, ping_us, memory: None };
    Ok(SqlPart { sql, issue: None, counts, nodes, limits, held_since, sheet, pause, upcoming, site_zone })
}

fn pause_report(pause: Pause, moment: impl Fn(Timestamp) -> LocalizedTime) -> PauseReport {
    PauseReport {
        since: moment(pause.paused_at.into()),
        by: pause.name,
        until: pause.ends_at.map(|at| moment(at.into())),
    }
}

/// Presents the audit summary with the latest health snapshot of this process.
fn audit_report(
    parts: &AppState,
    sheet: Option<AuditSummary>,
    moment: impl Fn(Timestamp) -> LocalizedTime,
) -> AuditReport {
    let report = AuditReport {
        overdue: parts.engine.overdue(),
        overdue_checked_at: parts.engine.audit.snapshot_at(),
        ..AuditReport::default()
    };
    let Some(sheet) = sheet else { return report };
    let whole = |count: i64| u64::try_from(count).unwrap_or(0);
    AuditReport {
        since: Some(moment(Timestamp::from_millis(sheet.since))),
        audited: whole(sheet.audited),
        audited_at: sheet.audited_at.map(Timestamp::from_millis),
        lost: whole(sheet.lost),
        early: whole(sheet.early),
        duplicates: whole(sheet.duplicates),
        unmonitored_gaps: whole(sheet.unmonitored_gaps),
        last_gap_at: sheet.last_gap_at.map(Timestamp::from_millis),
        longest_gap_ms: sheet.longest_gap_ms,
        ..report
    }
}

/// Returns versions, the last backup and its last verification.
pub async fn system(parts: &AppState, backups: &Backups) -> Result<SystemReport, StoreError> {
    let steps = parts.store.schema_versions().await?;
    let backups = backups.report().await?;
    Ok(SystemReport {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: commit::get().map(str::to_owned),
        schema_step: steps.found,
        known_schema_step: steps.known,
        time_zone_data: zone::data_version().to_owned(),
        last_backup: backups.last_written,
        last_verification: backups.last_verified,
        backup_problem: backups.problem,
    })
}

/// Returns all nodes of the database.
pub async fn nodes(parts: &AppState) -> Result<Vec<NodeReport>, StoreError> {
    let (now, rows) = node::list(&parts.store, PoolRole::Web, parts.clock.as_ref()).await?;
    rows.into_iter().map(|row| report_of(row, now, parts.node.id)).collect()
}

/// Adds an issue that was found just now. If the engine has not reported it, it is a notice, unless
/// it is blocking.
fn add_issue(issues: &mut Vec<HealthIssue>, found: HealthIssue) {
    match issues.iter_mut().find(|issue| issue.kind == found.kind) {
        Some(issue) => issue.detail = found.detail.or(issue.detail.take()),
        None if found.is_blocking() => issues.insert(0, found),
        None => issues.push(found.into_notice()),
    }
}

/// Returns the health of the hint store, the number of waiting hints, and what is wrong.
async fn hints(parts: &AppState) -> (ComponentReport, HintCounts, Option<HealthIssue>) {
    let health = parts.hints.health().await;
    let waiting = parts.hints.depth().await;
    let is_up = waiting.is_ok();
    let waiting = waiting.unwrap_or_default();
    let ping_us = is_up.then(|| u64::try_from(health.ping.as_micros()).unwrap_or(u64::MAX));
    let counts = HintCounts {
        future: waiting.future,
        publish: waiting.publish,
        ..parts.engine.hint_counters.snapshot()
    };
    (ComponentReport { name: health.name, is_up, ping_us, memory: health.memory }, counts, health.issue)
}

/// Presents a node. One whose heartbeat is too old counts as lost, even if no node has recorded
/// that yet.
fn report_of(row: node::NodeRow, now: Timestamp, own: NodeId) -> Result<NodeReport, StoreError> {
    let state = match row.state.as_str() {
        "stopped" => NodeState::Stopped,
        "alive" if now.millis() - row.heartbeat_at <= node::NODE_LOST_AFTER_MS => NodeState::Alive,
        _ => NodeState::Lost,
    };
    Ok(NodeReport {
        role: row.role.parse().map_err(StoreError::Corrupt)?,
        name: row.name,
        version: row.version,
        is_draining: state == NodeState::Alive && row.drain_requested_at.is_some(),
        state,
        started_at: Timestamp::from_millis(row.started_at),
        heartbeat_at: Timestamp::from_millis(row.heartbeat_at),
        is_self: row.id == own.0,
    })
}

/// Returns the part shown while SQL does not answer.
fn sql_unavailable(parts: &AppState, error: StoreError) -> SqlPart {
    let issue = HealthIssue::from(&error);
    let issue = match internal_error(error) {
        DomainError::Internal { reference } => IssueDetail::QueryLogged { reference }.into(),
        _ => issue,
    };
    SqlPart {
        sql: ComponentReport { name: "SQL".to_owned(), is_up: false, ping_us: None, memory: None },
        issue: Some(issue),
        counts: Stats { throughput: vec![0; usize::from(MINUTES)], ..Stats::default() },
        nodes: Vec::new(),
        limits: Vec::new(),
        held_since: None,
        sheet: parts.engine.audit.summary(),
        pause: None,
        upcoming: (None, 0),
        site_zone: Zone::UTC,
    }
}
