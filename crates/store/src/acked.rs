//! What this process was told is committed: the newest lines of the log that it wrote. A server that takes the database over may not
//! have all of it, and nobody else can say then what is missing.

use crate::{canary, event::NewEvent};
use domain::{TaskId, Timestamp};
use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// So many lines are kept: 5 MB, and more than a standby is usually behind.
const KEPT: usize = 65_536;

/// A line of the log, without what is only to be read in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Said {
    pub at: i64,
    pub actor: Option<Uuid>,
    pub entity: &'static str,
    pub entity_id: Uuid,
    pub verb: &'static str,
    pub version: Option<i32>,
}

impl Said {
    /// That a task was executed.
    pub fn executed(at: Timestamp, task: TaskId, version: i32) -> Self {
        let (entity, verb) = ("task", "execute");
        Self { at: at.millis(), actor: None, entity, entity_id: task.0, verb, version: Some(version) }
    }

    /// Whether somebody would miss it: the engine's own task is executed each second.
    pub fn counts(&self) -> bool {
        self.entity_id != canary::ID.0
    }
}

impl From<&NewEvent> for Said {
    fn from(event: &NewEvent) -> Self {
        let NewEvent { at, actor, entity, entity_id, verb, version, .. } = *event;
        Self { at: at.millis(), actor: actor.map(|person| person.0), entity, entity_id, verb, version }
    }
}

/// The lines, oldest first. Cheap to clone; all clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Acked(Arc<Mutex<VecDeque<Said>>>);

impl Acked {
    /// Keeps what is committed now.
    pub fn keep(&self, said: Vec<Said>) {
        if said.is_empty() {
            return;
        }
        let mut kept = self.kept();
        kept.extend(said);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }

    /// What is kept, newest first.
    pub fn newest(&self) -> Vec<Said> {
        self.kept().iter().rev().copied().collect()
    }

    /// Forgets these: they are not there, and it was told.
    pub fn forget(&self, gone: &HashSet<Said>) {
        self.kept().retain(|said| !gone.contains(said));
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Said>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept() {
        let acked = Acked::default();
        let said = |at: i64| Said::executed(Timestamp::from_millis(at), TaskId(Uuid::nil()), 1);
        acked.keep((0..70_000).map(said).collect());
        acked.keep(vec![said(70_000)]);
        let newest = acked.newest();
        assert_eq!((newest.len(), newest[0].at, newest[KEPT - 1].at), (KEPT, 70_000, 70_001 - KEPT as i64));
        acked.forget(&HashSet::from([said(70_000), said(69_999), said(1)]));
        assert_eq!((acked.newest().len(), acked.newest()[0].at), (KEPT - 2, 69_998));
    }
}
