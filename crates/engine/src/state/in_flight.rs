//! Tasks this process is executing. Tasks in flight when a process died are quarantined: they run
//! one at a time.

use domain::{NodeId, TaskId};
use std::{
    collections::HashSet,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::{
    execute::Claim,
    in_flight::{self, InFlightWrite},
};

/// Tasks in flight in this process. One per process, shared.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// One slot for each concurrent batch; grows to the highest number so far.
    slots: Vec<Slot>,
    quarantined: HashSet<TaskId>,
}

#[derive(Debug, Default)]
struct Slot {
    /// Claims in flight; `None`: the slot is free.
    claims: Option<Vec<Claim>>,
    /// What was last written to SQL. Locked during the write, so that writes of one slot keep their
    /// order.
    written: Arc<tokio::sync::Mutex<Vec<u8>>>,
}

/// Guard of tasks in flight; dropping it frees the slot.
pub struct InFlightGuard<'a> {
    in_flight: &'a InFlight,
    slot: usize,
}

impl InFlightGuard<'_> {
    /// Returns the write that must be committed before the tasks are executed; `None`: SQL is up to
    /// date.
    pub async fn pending_write(&self, node: NodeId) -> Option<InFlightWrite> {
        self.in_flight.pending_write(node, self.slot).await
    }
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.in_flight.state().slots[self.slot].claims = None;
    }
}

impl InFlight {
    /// Registers tasks as in flight in this process. Other nodes see it once the write of the guard
    /// is committed.
    pub fn begin(&self, claims: &[Claim]) -> InFlightGuard<'_> {
        let mut state = self.state();
        let slot = state.slots.iter().position(|slot| slot.claims.is_none()).unwrap_or_else(|| {
            state.slots.push(Slot::default());
            state.slots.len() - 1
        });
        state.slots[slot].claims = Some(claims.to_vec());
        InFlightGuard { in_flight: self, slot }
    }

    /// Returns the indexes of all slots.
    #[must_use]
    pub fn slots(&self) -> Range<usize> {
        0..self.state().slots.len()
    }

    /// Returns the write that brings SQL up to date for one slot; `None`: SQL is up to date. The
    /// slot stays locked until the write is finished or dropped.
    pub async fn pending_write(&self, node: NodeId, slot: usize) -> Option<InFlightWrite> {
        let written = self.state().slots.get(slot)?.written.clone();
        let last = written.lock_owned().await;
        let tasks = self.state().slots.get(slot)?.claims.as_ref().map(in_flight::encode);
        InFlightWrite::new(node.0, slot, tasks.unwrap_or_default(), last)
    }

    /// Forces a write of every slot: other nodes considered this node dead and cleared its rows.
    pub async fn force_rewrite(&self) {
        let written: Vec<_> = self.state().slots.iter().map(|slot| slot.written.clone()).collect();
        for written in written {
            written.lock().await.clear();
        }
    }

    /// Replaces the set of quarantined tasks.
    pub fn set_quarantined(&self, tasks: HashSet<TaskId>) {
        self.state().quarantined = tasks;
    }

    /// Splits claims into those that run in batches and those that run one at a time (quarantined).
    #[must_use]
    pub fn split_quarantined(&self, claims: &[Claim]) -> (Vec<Claim>, Vec<Claim>) {
        let state = self.state();
        claims.iter().copied().partition(|claim| !state.quarantined.contains(&claim.task))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{KindClass, Priority, Version};
    use store::Store;

    fn claim(number: u128) -> Claim {
        let (task, version) = (TaskId(uuid::Uuid::from_u128(number)), Version(1));
        Claim {
            task,
            version,
            priority: Priority::Normal,
            class: KindClass::Content,
            bucket: 0,
            hinted_at: None,
            moved_at: None,
            popped_at: None,
        }
    }

    #[tokio::test]
    async fn concurrent_batches_have_separate_slots_and_freed_slots_are_cleared_in_sql() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("in_flight.db").display());
        let store = Store::open(&store::Options::new(url)).await.unwrap();
        store.migrate().await.unwrap();
        let (in_flight, node) = (InFlight::default(), NodeId(uuid::Uuid::from_u128(7)));
        let (one, two) = (in_flight.begin(&[claim(1)]), in_flight.begin(&[claim(2), claim(3)]));
        assert_eq!(in_flight.slots(), 0..2);
        for guard in [&one, &two] {
            guard.pending_write(node).await.unwrap().write(&store).await.unwrap();
            assert!(guard.pending_write(node).await.is_none(), "SQL is up to date");
        }
        drop(one);
        // The slot is free, and SQL does not know it yet.
        let freed = in_flight.pending_write(node, 0).await.unwrap();
        freed.write(&store).await.unwrap();
        assert!(in_flight.pending_write(node, 0).await.is_none());
        let three = in_flight.begin(&[claim(4)]);
        assert_eq!((three.slot, in_flight.slots()), (0, 0..2));
        in_flight.force_rewrite().await;
        assert!(two.pending_write(node).await.is_some(), "other nodes cleared it");
    }
}
