//! A hint store that cannot be believed: it loses, repeats, reorders, delays, hurries and invents hints, and goes away.

use crate::world::Shared;
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, Lane, Timestamp, Version};
use queue::{Health, Hints, Promoted, QueueError, Waiting};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::mutant::gap;

/// The store; shared by all nodes.
pub struct Lies {
    shared: Arc<Shared>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    future: Vec<Hint>,
    publish: Vec<DueHint>,
    fed: Option<Timestamp>,
    /// Every hint there ever was, for inventing likely ones.
    seen: Vec<Hint>,
    is_away: bool,
}

impl Lies {
    pub fn new(shared: &Arc<Shared>) -> Self {
        Self { shared: Arc::clone(shared), state: Mutex::default() }
    }

    /// Forgets everything.
    pub fn wipe(&self) {
        let mut state = self.state();
        (state.future, state.publish, state.fed) = (Vec::new(), Vec::new(), None);
    }

    /// Goes away, or comes back.
    pub fn toggle(&self) {
        let mut state = self.state();
        state.is_away = !state.is_away;
    }

    /// Is there again, for good.
    pub fn come_back(&self) {
        self.state().is_away = false;
    }

    /// Puts a hint on the publish list that nobody gave: of some task, in some version.
    pub fn invent(&self) {
        let (dice, mut state) = (&self.shared.dice, self.state());
        if state.seen.is_empty() {
            return;
        }
        let hint = state.seen[dice.below(state.seen.len())];
        let version = Version((hint.version.0 + dice.below(3) as i32 - 1).max(1));
        let due = due(&Hint { version, ..hint }, self.shared.clock.now());
        state.publish.push(due);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn there(&self) -> Result<MutexGuard<'_, State>, QueueError> {
        let state = self.state();
        if state.is_away { Err(QueueError::Open) } else { Ok(state) }
    }

    fn lies(&self, in_a_hundred: usize) -> bool {
        !self.shared.is_calm() && self.shared.dice.chance(in_a_hundred)
    }
}

fn due(hint: &Hint, now: Timestamp) -> DueHint {
    let Hint { task, version, lane, bucket, .. } = *hint;
    DueHint { task, version, lane, bucket, hinted_at: None, moved_at: now, popped_at: now }
}

#[async_trait]
impl Hints for Lies {
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError> {
        let mut state = self.there()?;
        for hint in hints {
            state.seen.push(*hint);
            if self.lies(15) {
                continue;
            }
            let shift = if self.lies(20) { self.shared.dice.millis(3_000) - 1_500 } else { 0 };
            let told = Hint { due_at: hint.due_at.plus(shift), ..*hint };
            state.future.push(told);
            if self.lies(10) {
                state.future.push(told);
            }
        }
        Ok(())
    }

    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError> {
        let mut state = self.there()?;
        for hint in hints {
            state.seen.push(*hint);
            if !self.lies(15) {
                state.publish.push(due(hint, now));
            }
        }
        Ok(())
    }

    async fn promote(
        &self,
        _bucket: u16,
        _lanes: &[Lane],
        now: Timestamp,
        _limit: u32,
    ) -> Result<Promoted, QueueError> {
        gap().await;
        let mut state = self.there()?;
        let (ready, rest): (Vec<_>, Vec<_>) = state.future.drain(..).partition(|hint| hint.due_at <= now);
        state.future = rest;
        let moved = ready.len() as u32;
        for hint in ready {
            if self.lies(10) {
                continue;
            }
            state.publish.push(due(&hint, now));
            if self.lies(10) {
                // A script that ran half-way: moved, and still there.
                state.future.push(Hint { due_at: now.plus(1), ..hint });
            }
        }
        let next_due = state.future.iter().map(|hint| hint.due_at).min();
        Ok(Promoted { moved, next_due, fed_until: state.fed })
    }

    async fn take(
        &self,
        _lanes: &[Lane],
        limit: usize,
        now: &dyn Clock,
        _wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        gap().await;
        let taken: Vec<DueHint> = {
            let mut state = self.there()?;
            let count = state.publish.len().min(limit);
            let mut taken: Vec<_> = state.publish.drain(..count).collect();
            if taken.len() > 1 && self.lies(30) {
                let place = self.shared.dice.below(taken.len());
                taken.rotate_left(place);
            }
            if self.lies(10) {
                // The answer was lost on its way and is given once more.
                state.publish.extend(taken.iter().copied());
            }
            taken
        };
        gap().await;
        Ok(taken.into_iter().map(|hint| DueHint { popped_at: now.now(), ..hint }).collect())
    }

    async fn fed(&self) -> Result<Vec<Option<Timestamp>>, QueueError> {
        gap().await;
        Ok(vec![self.there()?.fed])
    }

    async fn mark_fed(&self, until: Timestamp) -> Result<(), QueueError> {
        self.there()?.fed = Some(until);
        Ok(())
    }

    async fn changed(&self) {
        std::future::pending().await
    }

    async fn waiting(&self) -> Result<Waiting, QueueError> {
        gap().await;
        let state = self.there()?;
        Ok(Waiting {
            future: state.future.len() as u64,
            publish: state.publish.len() as u64,
            oldest_moved_at: state.publish.first().map(|hint| hint.moved_at),
        })
    }

    async fn health(&self) -> Health {
        Health {
            name: "lies".to_owned(),
            keeps: String::new(),
            trouble: None,
            ping: Duration::ZERO,
            memory: None,
        }
    }

    fn buckets(&self) -> u16 {
        1
    }

    fn is_shared(&self) -> bool {
        true
    }
}
