//! Writes incidents (outages, clock problems) to the event log, so that a task's page can explain
//! later why it was late.

use crate::{Context, redis_data_loss::BANNER_MS};
use domain::{Timestamp, engine::NodeRole};
use serde_json::json;
use std::sync::atomic::{
    AtomicBool, AtomicI64,
    Ordering::{Relaxed, SeqCst},
};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    node,
};
use uuid::Uuid;

/// Shorter database outages are not recorded, milliseconds.
const MIN_DATABASE_OUTAGE_MS: i64 = 1_500;
/// Shorter times without a running engine are not recorded, milliseconds. A node writes one
/// heartbeat a second.
const MIN_ENGINE_GAP_MS: i64 = 2_500;

/// Incidents this node has recorded so far.
#[derive(Debug, Default)]
pub struct IncidentLog {
    has_started: AtomicBool,
    hints_unusable: AtomicBool,
    /// When the last recorded data loss of Redis was detected.
    data_loss_at: AtomicI64,
    are_clocks_apart: AtomicBool,
    /// When the database last answered before the current outage; 0: it answers.
    failing_since: AtomicI64,
    answered_at: AtomicI64,
}

impl IncidentLog {
    /// Records a failed database operation.
    pub fn record_failure(&self, now: Timestamp) {
        let answered = match self.answered_at.load(Relaxed) {
            0 => now.millis(),
            answered => answered,
        };
        _ = self.failing_since.compare_exchange(0, answered, SeqCst, Relaxed);
    }

    /// Writes one event for each change since the last call. Nodes without an engine write nothing.
    pub async fn write(&self, context: &Context, now: Timestamp) -> Result<(), StoreError> {
        if context.node.role == NodeRole::Web {
            return Ok(());
        }
        if context.engine.database_issue().is_some() {
            self.record_failure(now);
            return Ok(());
        }
        self.answered_at.store(now.millis(), Relaxed);
        let mut events = Vec::new();
        if !self.has_started.load(Relaxed) {
            events.extend(start_event(context, now).await?);
        }
        let failing_since = self.failing_since.load(Relaxed);
        if failing_since > 0 && now.millis() - failing_since >= MIN_DATABASE_OUTAGE_MS {
            events.push(incident(context, now, "regain_database", Some(failing_since)));
        }
        let (hints, clock) = (context.engine.are_hints_unusable(), context.engine.are_clocks_apart());
        if self.hints_unusable.load(Relaxed) != hints {
            events.push(incident(context, now, if hints { "lose_hints" } else { "regain_hints" }, None));
        }
        // At most one event a minute, even if Redis loses its data repeatedly.
        let written = Timestamp::from_millis(self.data_loss_at.load(Relaxed));
        let data_loss = context.engine.server_health.redis_data_loss.recent(context.clock.now());
        let data_loss = data_loss.filter(|data_loss| data_loss.found_at.since(written) >= BANNER_MS);
        events.extend(
            data_loss.map(|data_loss| incident(context, now, "forget_hints", Some(data_loss.since.millis()))),
        );
        if self.are_clocks_apart.load(Relaxed) != clock {
            events.push(incident(context, now, if clock { "lose_clock" } else { "regain_clock" }, None));
        }
        if !events.is_empty() {
            let mut tx = context.store.begin(PoolRole::Engine).await?;
            event::append(tx.conn(), &events).await?;
            tx.commit().await?;
            context.committed.notify_waiters();
        }
        self.has_started.store(true, Relaxed);
        self.hints_unusable.store(hints, Relaxed);
        if let Some(data_loss) = data_loss {
            self.data_loss_at.store(data_loss.found_at.millis(), Relaxed);
        }
        self.are_clocks_apart.store(clock, Relaxed);
        self.failing_since.store(0, Relaxed);
        Ok(())
    }
}

/// Returns an event about the time in which no engine ran, if there was such a time.
async fn start_event(context: &Context, now: Timestamp) -> Result<Option<NewEvent>, StoreError> {
    let clocks = context.store.read_clocks(context.clock.as_ref()).await?;
    let mut lease = context.store.read(PoolRole::Engine).await?;
    let last_seen = node::engine_last_seen(lease.conn(), context.node.id.0).await?;
    // Heartbeats use the database's clock, events the nodes' clocks.
    let idle =
        last_seen.map(|last_seen| clocks.database.since(last_seen)).filter(|idle| *idle >= MIN_ENGINE_GAP_MS);
    Ok(idle.map(|idle| incident(context, now, "start", Some(now.millis() - idle))))
}

fn incident(context: &Context, now: Timestamp, verb: &'static str, since: Option<i64>) -> NewEvent {
    NewEvent {
        detail: json!({"node": &*context.node.name, "since": since}).to_string(),
        ..NewEvent::simple(now, None, "engine", Uuid::nil(), verb)
    }
}
