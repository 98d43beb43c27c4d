//! The machine room: whether the engine lives, all it knows of itself, and the switch.

use super::broken;
use crate::parts::Parts;
use async_trait::async_trait;
use domain::{
    Actor, NodeId, Refusal, Timestamp,
    desk::Engine,
    engine::{EngineReport, Heartbeat, HintCounts, Lag, NodeReport, NodeState, PartReport, Totals},
};
use std::time::Instant;
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    node, pause, report, restore,
};
use uuid::Uuid;

const MINUTE_MS: i64 = 60_000;
const MINUTES: u16 = 60;

/// What people can do with the engine.
#[derive(Clone)]
pub struct EngineDesk {
    /// What it is built from.
    pub parts: Parts,
}

/// What SQL says for the engine page.
struct Memory {
    sql: PartReport,
    lag: Lag,
    throughput: Vec<u32>,
    totals: Totals,
    nodes: Vec<NodeReport>,
    held_since: Option<Timestamp>,
}

impl EngineDesk {
    /// The desk of the engine over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }

    fn pulse(&self) -> Heartbeat {
        let (pulse, now) = (&self.parts.pulse, self.parts.clock.now());
        Heartbeat {
            now,
            beat_at: pulse.beat_at(crate::worker::Name::Consumer).unwrap_or_else(|| pulse.started_at()),
            is_paused: pulse.is_paused(),
            is_healthy: pulse.is_healthy(now),
            attention: pulse.attention(),
        }
    }

    async fn remember(&self, now: Timestamp) -> Result<Memory, StoreError> {
        let mut lease = self.parts.store.read(Who::People).await?;
        // The first question may have to connect; the second one is the round trip.
        let name = report::database(lease.conn()).await?;
        let asked = Instant::now();
        report::database(lease.conn()).await?;
        let ping_us = Some(micros(asked));
        let totals = report::totals(lease.conn()).await?;
        let lag = report::lag(lease.conn(), now.plus(-i64::from(MINUTES) * MINUTE_MS)).await?;
        let throughput = report::throughput(lease.conn(), now, MINUTES).await?;
        let held_since = restore::held_since(lease.conn()).await?;
        drop(lease);
        let nodes = self.read_nodes().await?;
        let sql = PartReport { name, is_up: true, trouble: None, ping_us };
        Ok(Memory { sql, lag, throughput, totals, nodes, held_since })
    }

    async fn read_nodes(&self) -> Result<Vec<NodeReport>, StoreError> {
        let (now, rows) = node::list(&self.parts.store, Who::People, self.parts.clock.as_ref()).await?;
        rows.into_iter().map(|row| report_of(row, now, self.parts.node_id)).collect()
    }

    /// The hints' health and how many of them wait.
    async fn hints(&self) -> (PartReport, HintCounts) {
        let health = self.parts.hints.health().await;
        let waiting = self.parts.hints.waiting().await;
        let is_up = waiting.is_ok();
        let waiting = waiting.unwrap_or_default();
        let ping_us = is_up.then(|| u64::try_from(health.ping.as_micros()).unwrap_or(u64::MAX));
        let counts =
            HintCounts { future: waiting.future, publish: waiting.publish, ..self.parts.pulse.counts() };
        (PartReport { name: health.name, is_up, trouble: health.trouble, ping_us }, counts)
    }

    async fn let_go(&self, actor: &Actor) -> Result<bool, StoreError> {
        let now = self.parts.clock.now();
        let mut tx = self.parts.store.begin(Who::People).await?;
        let was_held = restore::confirm(tx.conn()).await?;
        if was_held {
            let event = NewEvent::plain(now, Some(actor.person), "engine", Uuid::nil(), "confirm_restore");
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
            self.parts.posted.notify_one();
        }
        Ok(was_held)
    }

    async fn switch(&self, actor: &Actor, is_paused: bool) -> Result<(), StoreError> {
        let now = self.parts.clock.now();
        let verb = if is_paused { "pause" } else { "resume" };
        let mut tx = self.parts.store.begin(Who::People).await?;
        if pause::set(tx.conn(), is_paused).await? {
            let event = NewEvent::plain(now, Some(actor.person), "engine", Uuid::nil(), verb);
            event::append(tx.conn(), &[event]).await?;
            tx.commit().await?;
            self.parts.committed.notify_waiters();
        }
        self.parts.pulse.set_paused(is_paused);
        Ok(())
    }
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

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// What is shown of SQL while it does not answer.
fn silence(error: StoreError) -> Memory {
    let trouble = match broken(error) {
        Refusal::Internal { reference } => format!("a question failed; the log has more under {reference}"),
        _ => "it does not answer; nothing is published until it does".to_owned(),
    };
    Memory {
        sql: PartReport { name: "SQL".to_owned(), is_up: false, trouble: Some(trouble), ping_us: None },
        lag: Lag::default(),
        throughput: vec![0; usize::from(MINUTES)],
        totals: Totals::default(),
        nodes: Vec::new(),
        held_since: None,
    }
}

#[async_trait]
impl Engine for EngineDesk {
    async fn heartbeat(&self) -> Heartbeat {
        self.pulse()
    }

    async fn report(&self, actor: &Actor) -> Result<EngineReport, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        let heartbeat = self.pulse();
        let memory = self.remember(heartbeat.now).await.unwrap_or_else(silence);
        let (hints, hint_counts) = self.hints().await;
        let pulse = &self.parts.pulse;
        Ok(EngineReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: pulse.started_at(),
            lag: memory.lag,
            throughput: memory.throughput,
            totals: memory.totals,
            loops: pulse.loops(self.parts.role),
            nodes: memory.nodes,
            held_since: memory.held_since,
            sql: memory.sql,
            hints,
            hint_counts,
            clock_offset_ms: pulse.offset_ms(),
            fed_until: pulse.fed_until(),
            heartbeat,
        })
    }

    async fn nodes(&self, actor: &Actor) -> Result<Vec<NodeReport>, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        self.read_nodes().await.map_err(broken)
    }

    async fn confirm_restore(&self, actor: &Actor) -> Result<bool, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        self.let_go(actor).await.map_err(broken)
    }

    async fn pause(&self, actor: &Actor, is_paused: bool) -> Result<Heartbeat, Refusal> {
        if !actor.is_admin() {
            return Err(Refusal::NotAllowed);
        }
        self.switch(actor, is_paused).await.map_err(broken)?;
        Ok(self.pulse())
    }
}
