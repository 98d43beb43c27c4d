//! The newest committed log events of this process, as acknowledged by PostgreSQL. After a failover
//! the new server may lack some of them. Only the process that received the commit knows which.

use domain::{TaskId, Timestamp, task::CANARY_ID};
use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// Maximum number of events events: 5 MB, and more than a standby usually lags.
const MAX_EVENTS: usize = 65_536;

/// An event of the log, without its display fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct AckedEvent {
    pub at: i64,
    pub actor: Option<Uuid>,
    pub entity: &'static str,
    pub entity_id: Uuid,
    pub verb: &'static str,
    pub version: Option<i32>,
}

impl AckedEvent {
    /// The event of an executed task.
    pub fn executed(at: Timestamp, task: TaskId, version: i32) -> Self {
        let (entity, verb) = ("task", "execute");
        Self { at: at.millis(), actor: None, entity, entity_id: task.0, verb, version: Some(version) }
    }

    /// Whether the loss of this event matters. False for the canary, which is executed each second.
    pub fn is_tracked(&self) -> bool {
        self.entity_id != CANARY_ID.0
    }
}

/// The events, oldest first. Clones share one list.
#[derive(Debug, Clone, Default)]
pub(crate) struct AckedWrites(Arc<Mutex<VecDeque<AckedEvent>>>);

impl AckedWrites {
    /// Adds events whose commit was acknowledged; drops the oldest above the maximum.
    pub fn append(&self, event: Vec<AckedEvent>) {
        if event.is_empty() {
            return;
        }
        let mut lock = self.events();
        lock.extend(event);
        let surplus = lock.len().saturating_sub(MAX_EVENTS);
        lock.drain(..surplus);
    }

    /// Returns the events, newest first.
    pub fn newest(&self) -> Vec<AckedEvent> {
        self.events().iter().rev().copied().collect()
    }

    /// Removes events that were found missing and are reported.
    pub fn remove(&self, missing: &HashSet<AckedEvent>) {
        self.events().retain(|event| !missing.contains(event));
    }

    fn events(&self) -> MutexGuard<'_, VecDeque<AckedEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_events_are_kept() {
        let log = AckedWrites::default();
        let event = |at: i64| AckedEvent::executed(Timestamp::from_millis(at), TaskId(Uuid::nil()), 1);
        log.append((0..70_000).map(event).collect());
        log.append(vec![event(70_000)]);
        let newest = log.newest();
        assert_eq!(
            (newest.len(), newest[0].at, newest[MAX_EVENTS - 1].at),
            (MAX_EVENTS, 70_000, 70_001 - MAX_EVENTS as i64)
        );
        log.remove(&HashSet::from([event(70_000), event(69_999), event(1)]));
        assert_eq!((log.newest().len(), log.newest()[0].at), (MAX_EVENTS - 2, 69_998));
    }
}
