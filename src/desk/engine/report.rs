//! All the engine knows of itself.

use super::{
    counts::{Counts, Latest},
    minutes::MINUTES,
};
use crate::{
    desk::broken,
    parts::Parts,
    zone::{self, Zone},
};
use domain::{
    Moment, NodeId, Refusal, Timestamp,
    engine::{EngineReport, Heartbeat, HintCounts, NodeReport, NodeState, PartReport, Promises},
    fault::Fault,
    kind::KindLimit,
};
use std::time::Instant;
use store::{
    StoreError, Who, node, report, restore,
    sheet::{self, Sheet},
    task_list,
};

/// What SQL says.
struct Memory {
    sql: PartReport,
    counts: Counts,
    nodes: Vec<NodeReport>,
    limits: Vec<KindLimit>,
    held_since: Option<Timestamp>,
    sheet: Option<Sheet>,
    desk: Zone,
}

/// The report for somebody in the zone `viewer`, whatever of it can be had.
pub async fn all(parts: &Parts, latest: &Latest, heartbeat: Heartbeat, viewer: &str) -> EngineReport {
    let remembered = remember(parts, latest, heartbeat.now).await;
    let memory = remembered.unwrap_or_else(|error| silence(parts, error));
    let (hints, hint_counts) = hints(parts).await;
    let pulse = &parts.pulse;
    EngineReport {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time_zone_data: zone::data_version().to_owned(),
        started_at: pulse.started_at(),
        lag: memory.counts.lag,
        stages: memory.counts.stages,
        throughput: memory.counts.throughput,
        totals: memory.counts.totals,
        promises: promises(parts, memory.sheet, |at| zone::moment(at, Zone::stored(viewer), memory.desk)),
        loops: pulse.loops(parts.role),
        nodes: memory.nodes,
        limits: memory.limits,
        held_since: memory.held_since,
        why_held: String::new(),
        sql: memory.sql,
        hints,
        hint_counts,
        stale: pulse.counts.reasons(),
        buckets: parts.hints.buckets(),
        served: parts.hints.served(),
        clock_offset_ms: pulse.offset_ms(),
        fed_until: pulse.fed_until(),
        canary_at: pulse.sung_at(),
        heartbeat,
    }
}

async fn remember(parts: &Parts, latest: &Latest, now: Timestamp) -> Result<Memory, StoreError> {
    let counts = latest.read(&parts.store, now).await?;
    let mut lease = parts.store.read(Who::People).await?;
    // The first question may have to connect; the second one is the round trip.
    let name = report::database(lease.conn()).await?;
    let asked = Instant::now();
    report::database(lease.conn()).await?;
    let ping_us = Some(u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX));
    let held_since = restore::held_since(lease.conn()).await?;
    let sheet = sheet::find(lease.conn()).await?;
    let desk = task_list::desk_zone(lease.conn()).await?.map_or(Zone::UTC, |name| Zone::stored(&name));
    drop(lease);
    let (nodes, limits) = (nodes(parts).await?, super::limits::read(parts).await?);
    let sql = PartReport { name, is_up: true, trouble: None, ping_us, memory: None };
    Ok(Memory { sql, counts, nodes, limits, held_since, sheet, desk })
}

/// The sheet as it is shown, with what this process saw a second ago.
fn promises(parts: &Parts, sheet: Option<Sheet>, moment: impl Fn(Timestamp) -> Moment) -> Promises {
    let looked = Promises {
        overdue: parts.pulse.overdue(),
        looked_at: parts.pulse.sheet.looked_at(),
        ..Promises::default()
    };
    let Some(sheet) = sheet else { return looked };
    let whole = |count: i64| u64::try_from(count).unwrap_or(0);
    Promises {
        since: Some(moment(Timestamp::from_millis(sheet.since))),
        audited: whole(sheet.audited),
        audited_at: sheet.audited_at.map(Timestamp::from_millis),
        lost: whole(sheet.lost),
        early: whole(sheet.early),
        twice: whole(sheet.twice),
        blind: whole(sheet.blind),
        blind_at: sheet.blind_at.map(Timestamp::from_millis),
        longest_ms: sheet.longest_ms,
        ..looked
    }
}

/// The processes that serve the database.
pub async fn nodes(parts: &Parts) -> Result<Vec<NodeReport>, StoreError> {
    let (now, rows) = node::list(&parts.store, Who::People, parts.clock.as_ref()).await?;
    rows.into_iter().map(|row| report_of(row, now, parts.node_id)).collect()
}

/// The hints' health and how many of them wait.
async fn hints(parts: &Parts) -> (PartReport, HintCounts) {
    let health = parts.hints.health().await;
    let waiting = parts.hints.waiting().await;
    let is_up = waiting.is_ok();
    let waiting = waiting.unwrap_or_default();
    let ping_us = is_up.then(|| u64::try_from(health.ping.as_micros()).unwrap_or(u64::MAX));
    let counts = HintCounts { future: waiting.future, publish: waiting.publish, ..parts.pulse.counts.read() };
    let (servers, now) = (&parts.pulse.servers, parts.clock.now());
    let trouble = health
        .trouble
        .or_else(|| servers.apart.fault(now))
        .or_else(|| servers.wipe.fault(now))
        .map(Into::into);
    (PartReport { name: health.name, is_up, trouble, ping_us, memory: health.memory }, counts)
}

/// A node as it is shown: silent for too long is lost, whether or not somebody has noted it yet.
fn report_of(row: node::NodeRow, now: Timestamp, own: NodeId) -> Result<NodeReport, StoreError> {
    let state = match row.state.as_str() {
        "stopped" => NodeState::Stopped,
        "alive" if now.millis() - row.beat_at <= node::SILENT_MS => NodeState::Alive,
        _ => NodeState::Lost,
    };
    Ok(NodeReport {
        role: row.role.parse().map_err(StoreError::Corrupt)?,
        name: row.name,
        version: row.version,
        state,
        started_at: Timestamp::from_millis(row.started_at),
        beat_at: Timestamp::from_millis(row.beat_at),
        is_self: row.id == own.0,
    })
}

/// What is shown of SQL while it does not answer.
fn silence(parts: &Parts, error: StoreError) -> Memory {
    let trouble = match broken(error) {
        Refusal::Internal { reference } => Some(Fault::Question { reference }.into()),
        _ => None,
    };
    Memory {
        sql: PartReport { name: "SQL".to_owned(), is_up: false, trouble, ping_us: None, memory: None },
        counts: Counts { throughput: vec![0; usize::from(MINUTES)], ..Counts::default() },
        nodes: Vec::new(),
        limits: Vec::new(),
        held_since: None,
        sheet: parts.pulse.sheet.row(),
        desk: Zone::UTC,
    }
}
