//! A faulty hint store: it loses, duplicates, reorders, delays and invents hints, delivers some
//! early, and is sometimes unavailable.

use crate::simulation::cluster::Shared;
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, KindClass, Timestamp, Version};
use queue::{
    Buckets, FutureSet, Health, HintScope, HintServer, Promoted, PublishList, QueueDepth, QueueError,
};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::mutant::gap;

/// A hint store that all nodes share.
pub struct FaultyHints {
    shared: Arc<Shared>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    future: Vec<Hint>,
    publish: Vec<DueHint>,
    fed: Option<Timestamp>,
    /// All hints so far, for inventing similar ones.
    seen: Vec<Hint>,
    is_unavailable: bool,
}

impl FaultyHints {
    pub fn new(shared: &Arc<Shared>) -> Self {
        Self { shared: Arc::clone(shared), state: Mutex::default() }
    }

    /// Deletes everything.
    pub fn wipe(&self) {
        let mut state = self.state();
        (state.future, state.publish, state.fed) = (Vec::new(), Vec::new(), None);
    }

    /// Becomes unavailable, or available again.
    pub fn toggle(&self) {
        let mut state = self.state();
        state.is_unavailable = !state.is_unavailable;
    }

    /// Becomes available for the rest of the seed.
    pub fn restore(&self) {
        self.state().is_unavailable = false;
    }

    /// Puts an invented hint on the publish list: of a random task, in a random version.
    pub fn invent(&self) {
        let (rng, mut state) = (&self.shared.rng, self.state());
        if state.seen.is_empty() {
            return;
        }
        let hint = state.seen[rng.below(state.seen.len())];
        let version = Version((hint.version.0 + rng.below(3) as i32 - 1).max(1));
        let due = due(&Hint { version, ..hint }, self.shared.clock.now());
        state.publish.push(due);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn available(&self) -> Result<MutexGuard<'_, State>, QueueError> {
        let state = self.state();
        if state.is_unavailable { Err(QueueError::CircuitOpen) } else { Ok(state) }
    }

    fn has_fault(&self, percent: usize) -> bool {
        !self.shared.are_faults_over() && self.shared.rng.chance(percent)
    }
}

fn due(hint: &Hint, now: Timestamp) -> DueHint {
    let Hint { task, version, priority, class, bucket, .. } = *hint;
    DueHint { task, version, priority, class, bucket, hinted_at: None, moved_at: now, popped_at: now }
}

#[async_trait]
impl FutureSet for FaultyHints {
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError> {
        let mut state = self.available()?;
        for hint in hints {
            state.seen.push(*hint);
            if self.has_fault(15) {
                continue;
            }
            let shift = if self.has_fault(20) { self.shared.rng.millis(3_000) - 1_500 } else { 0 };
            let stored = Hint { due_at: hint.due_at.plus(shift), ..*hint };
            state.future.push(stored);
            if self.has_fault(10) {
                state.future.push(stored);
            }
        }
        Ok(())
    }

    async fn promote(
        &self,
        _bucket: u16,
        _scope: HintScope,
        now: Timestamp,
        _limit: u32,
    ) -> Result<Promoted, QueueError> {
        gap().await;
        let mut state = self.available()?;
        let (ready, rest): (Vec<_>, Vec<_>) = state.future.drain(..).partition(|hint| hint.due_at <= now);
        state.future = rest;
        let moved = ready.len() as u32;
        for hint in ready {
            if self.has_fault(10) {
                continue;
            }
            state.publish.push(due(&hint, now));
            if self.has_fault(10) {
                // A script that ran half-way: the hint is promoted and still in the future set.
                state.future.push(Hint { due_at: now.plus(1), ..hint });
            }
        }
        let next_due = state.future.iter().map(|hint| hint.due_at).min();
        Ok(Promoted { moved, next_due, loaded_until: state.fed })
    }

    async fn loaded_until(&self) -> Result<Vec<Option<Timestamp>>, QueueError> {
        gap().await;
        Ok(vec![self.available()?.fed])
    }

    async fn mark_loaded(&self, until: Timestamp) -> Result<(), QueueError> {
        self.available()?.fed = Some(until);
        Ok(())
    }

    async fn head_changed(&self) {
        std::future::pending().await
    }
}

#[async_trait]
impl PublishList for FaultyHints {
    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError> {
        let mut state = self.available()?;
        for hint in hints {
            state.seen.push(*hint);
            if !self.has_fault(15) {
                state.publish.push(due(hint, now));
            }
        }
        Ok(())
    }

    async fn pop(
        &self,
        _scope: HintScope,
        limit: usize,
        now: &dyn Clock,
        _wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        gap().await;
        let taken: Vec<DueHint> = {
            let mut state = self.available()?;
            let count = state.publish.len().min(limit);
            let mut taken: Vec<_> = state.publish.drain(..count).collect();
            if taken.len() > 1 && self.has_fault(30) {
                let offset = self.shared.rng.below(taken.len());
                taken.rotate_left(offset);
            }
            if self.has_fault(10) {
                // The response was lost, and the hints are delivered again.
                state.publish.extend(taken.iter().copied());
            }
            taken
        };
        gap().await;
        Ok(taken.into_iter().map(|hint| DueHint { popped_at: now.now(), ..hint }).collect())
    }
}

impl Buckets for FaultyHints {
    fn buckets(&self) -> u16 {
        1
    }
}

#[async_trait]
impl HintServer for FaultyHints {
    async fn depth(&self) -> Result<QueueDepth, QueueError> {
        gap().await;
        let state = self.available()?;
        Ok(QueueDepth {
            future: state.future.len() as u64,
            publish: state.publish.len() as u64,
            content: state.future.iter().filter(|hint| hint.class == KindClass::Content).count() as u64,
            oldest_moved_at: std::array::from_fn(|class| {
                let mut of_class = state.publish.iter().filter(|hint| hint.class as usize == class);
                of_class.next().map(|hint| hint.moved_at)
            }),
        })
    }

    async fn health(&self) -> Health {
        Health {
            name: "faulty hints".to_owned(),
            persistence: String::new(),
            issue: None,
            ping: Duration::ZERO,
            memory: None,
        }
    }

    fn is_shared(&self) -> bool {
        true
    }
}
