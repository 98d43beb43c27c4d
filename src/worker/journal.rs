//! The journal: notes bad weather in the log, so that a task's page can say later why it was late.

use crate::{parts::Parts, wipe::NEWS_MS};
use domain::{Timestamp, engine::NodeRole};
use serde_json::json;
use std::sync::atomic::{
    AtomicBool, AtomicI64,
    Ordering::{Relaxed, SeqCst},
};
use store::{
    StoreError, Who,
    event::{self, NewEvent},
    node,
};
use uuid::Uuid;

/// A database that was away for less is not worth a line, milliseconds.
const BLINK_MS: i64 = 1_500;
/// An engine that was off for less is not worth a line; others show life once a second, milliseconds.
const SHORT_MS: i64 = 2_500;

/// What this node has noted so far.
#[derive(Debug, Default)]
pub struct Journal {
    has_begun: AtomicBool,
    are_hints_away: AtomicBool,
    /// When the last wipe of Redis was found out that has a line.
    wiped_at: AtomicI64,
    is_off_time: AtomicBool,
    /// When the database last answered before it fell silent; 0: it answers.
    silent_since: AtomicI64,
    answered_at: AtomicI64,
}

impl Journal {
    /// Notes that the database did not do what it was asked.
    pub fn miss(&self, now: Timestamp) {
        let answered = match self.answered_at.load(Relaxed) {
            0 => now.millis(),
            answered => answered,
        };
        _ = self.silent_since.compare_exchange(0, answered, SeqCst, Relaxed);
    }

    /// Writes what has changed since the last call: one line of the log each. Only where an engine runs.
    pub async fn write(&self, parts: &Parts, now: Timestamp) -> Result<(), StoreError> {
        if parts.role == NodeRole::Web {
            return Ok(());
        }
        if parts.pulse.database().is_some() {
            self.miss(now);
            return Ok(());
        }
        self.answered_at.store(now.millis(), Relaxed);
        let mut lines = Vec::new();
        if !self.has_begun.load(Relaxed) {
            lines.extend(begin(parts, now).await?);
        }
        let silent_since = self.silent_since.load(Relaxed);
        if silent_since > 0 && now.millis() - silent_since >= BLINK_MS {
            lines.push(line(parts, now, "regain_database", Some(silent_since)));
        }
        let (hints, clock) = (parts.pulse.lacks_hints(), parts.pulse.is_off_time());
        if self.are_hints_away.load(Relaxed) != hints {
            lines.push(line(parts, now, if hints { "lose_hints" } else { "regain_hints" }, None));
        }
        // One line a minute is enough where something wipes it again and again.
        let written = Timestamp::from_millis(self.wiped_at.load(Relaxed));
        let wiped = parts.pulse.servers.wipe.news(parts.clock.now());
        let wiped = wiped.filter(|wiped| wiped.found_at.since(written) >= NEWS_MS);
        lines.extend(wiped.map(|wiped| line(parts, now, "forget_hints", Some(wiped.since.millis()))));
        if self.is_off_time.load(Relaxed) != clock {
            lines.push(line(parts, now, if clock { "lose_clock" } else { "regain_clock" }, None));
        }
        if !lines.is_empty() {
            let mut tx = parts.store.begin(Who::Engine).await?;
            event::append(tx.conn(), &lines).await?;
            tx.commit().await?;
            parts.committed.notify_waiters();
        }
        self.has_begun.store(true, Relaxed);
        self.are_hints_away.store(hints, Relaxed);
        if let Some(wiped) = wiped {
            self.wiped_at.store(wiped.found_at.millis(), Relaxed);
        }
        self.is_off_time.store(clock, Relaxed);
        self.silent_since.store(0, Relaxed);
        Ok(())
    }
}

/// A line about the time in which no engine ran, if there was one.
async fn begin(parts: &Parts, now: Timestamp) -> Result<Option<NewEvent>, StoreError> {
    let clocks = parts.store.clocks(parts.clock.as_ref()).await?;
    let mut lease = parts.store.read(Who::Engine).await?;
    let worked = node::worked_before(lease.conn(), parts.node_id.0).await?;
    // Nodes show life by the database's clock, the log tells of the nodes' own.
    let idle = worked.map(|worked| clocks.database.since(worked)).filter(|idle| *idle >= SHORT_MS);
    Ok(idle.map(|idle| line(parts, now, "start", Some(now.millis() - idle))))
}

fn line(parts: &Parts, now: Timestamp, verb: &'static str, since: Option<i64>) -> NewEvent {
    NewEvent {
        detail: json!({"node": &*parts.node, "since": since}).to_string(),
        ..NewEvent::plain(now, None, "engine", Uuid::nil(), verb)
    }
}
