//! Hints in the memory of this process. Needs no server; the hints are lost with the process and
//! loaded again from SQL.

use crate::{Buckets, FutureSet, Health, HintServer, Promoted, PublishList, QueueDepth, QueueError};
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, Priority, TaskId, Timestamp, Version};
use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// Identity of a hint: the same version of the same task is the same hint.
type HintKey = (TaskId, Version);

/// Future sets and publish lists in memory.
pub struct InProcessHints {
    buckets: u16,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    head_changed: Notify,
    due: Notify,
    /// Signals high-priority hints only.
    urgent: Notify,
}

#[derive(Default)]
struct State {
    buckets: Vec<Bucket>,
    /// One list for each priority, over all buckets: hints are popped in the order in which they
    /// became due.
    publish: [VecDeque<DueHint>; Priority::ALL.len()],
    /// The hints on the publish lists; a hint that is already there is not added again.
    listed: HashSet<HintKey>,
}

#[derive(Default, Clone)]
struct Bucket {
    /// By priority, then due time: when the hint was added.
    future: [BTreeMap<(Timestamp, HintKey), Timestamp>; Priority::ALL.len()],
    /// Priority and due time of each hint.
    position: HashMap<HintKey, (Priority, Timestamp)>,
    loaded_until: Option<Timestamp>,
}

impl Bucket {
    fn put(&mut self, hint: &Hint, now: Timestamp) {
        let member = (hint.task, hint.version);
        if let Some((priority, due_at)) = self.position.insert(member, (hint.priority, hint.due_at)) {
            self.future[priority as usize].remove(&(due_at, member));
        }
        self.future[hint.priority as usize].insert((hint.due_at, member), now);
    }

    fn next_due(&self) -> Option<Timestamp> {
        self.future.iter().filter_map(|hints| hints.first_key_value().map(|((due_at, _), _)| *due_at)).min()
    }

    /// Pops up to `limit` due hints of a priority: task, version and when it was added.
    fn due(&mut self, priority: Priority, now: Timestamp, limit: u32) -> Vec<(HintKey, Timestamp)> {
        let mut due = Vec::new();
        while due.len() < limit as usize
            && let Some(first) = self.future[priority as usize].first_entry()
            && first.key().0 <= now
        {
            let ((_, member), hinted_at) = first.remove_entry();
            self.position.remove(&member);
            due.push((member, hinted_at));
        }
        due
    }
}

impl State {
    fn list(&mut self, hint: DueHint) {
        if self.listed.insert((hint.task, hint.version)) {
            self.publish[hint.priority as usize].push_back(hint);
        }
    }

    fn pop(&mut self, priorities: &[Priority], limit: usize, popped_at: Timestamp) -> Vec<DueHint> {
        let mut popped = Vec::new();
        for priority in priorities {
            let list = &mut self.publish[*priority as usize];
            let count = list.len().min(limit - popped.len());
            popped.extend(list.drain(..count).map(|hint| DueHint { popped_at, ..hint }));
        }
        for hint in &popped {
            self.listed.remove(&(hint.task, hint.version));
        }
        popped
    }
}

impl InProcessHints {
    /// Creates empty sets; `clock` supplies the time at which hints are added.
    #[must_use]
    pub fn new(buckets: u16, clock: Arc<dyn Clock>) -> Self {
        let buckets = buckets.max(1);
        let state = State { buckets: vec![Bucket::default(); usize::from(buckets)], ..State::default() };
        Self {
            buckets,
            clock,
            state: Mutex::new(state),
            head_changed: Notify::new(),
            due: Notify::new(),
            urgent: Notify::new(),
        }
    }

    /// Deletes everything, like a Redis server that lost its data.
    pub fn wipe(&self) {
        *self.state() =
            State { buckets: vec![Bucket::default(); usize::from(self.buckets)], ..State::default() };
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl FutureSet for InProcessHints {
    async fn add(&self, hints: &[Hint]) -> Result<(), QueueError> {
        let (now, mut became_head) = (self.clock.now(), false);
        {
            let mut state = self.state();
            for hint in hints {
                if state.listed.contains(&(hint.task, hint.version)) {
                    continue;
                }
                let bucket = &mut state.buckets[usize::from(hint.bucket % self.buckets)];
                became_head |= bucket.next_due().is_none_or(|head| hint.due_at < head);
                bucket.put(hint, now);
            }
        }
        if became_head {
            self.head_changed.notify_one();
        }
        Ok(())
    }

    async fn promote(
        &self,
        bucket: u16,
        priorities: &[Priority],
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError> {
        let (answer, is_urgent) = {
            let (mut guard, mut moved) = (self.state(), 0);
            let state = &mut *guard;
            for priority in priorities.iter().copied() {
                for ((task, version), hinted) in
                    state.buckets[usize::from(bucket % self.buckets)].due(priority, now, limit)
                {
                    let hinted_at = Some(hinted);
                    moved += 1;
                    state.list(DueHint {
                        task,
                        version,
                        priority,
                        bucket,
                        hinted_at,
                        moved_at: now,
                        popped_at: now,
                    });
                }
            }
            let bucket = &state.buckets[usize::from(bucket % self.buckets)];
            let answer = Promoted { moved, next_due: bucket.next_due(), loaded_until: bucket.loaded_until };
            (answer, moved > 0 && !state.publish[Priority::High as usize].is_empty())
        };
        if answer.moved > 0 {
            self.due.notify_one();
        }
        if is_urgent {
            self.urgent.notify_one();
        }
        // Yields, because nothing else here awaits: otherwise a woken consumer on this thread would
        // run only after a whole burst was promoted.
        if answer.moved > 0 {
            tokio::task::yield_now().await;
        }
        Ok(answer)
    }

    async fn loaded_until(&self) -> Result<Vec<Option<Timestamp>>, QueueError> {
        Ok(self.state().buckets.iter().map(|bucket| bucket.loaded_until).collect())
    }

    async fn mark_loaded(&self, until: Timestamp) -> Result<(), QueueError> {
        for bucket in &mut self.state().buckets {
            bucket.loaded_until = Some(until);
        }
        Ok(())
    }

    async fn head_changed(&self) {
        self.head_changed.notified().await;
    }
}

#[async_trait]
impl PublishList for InProcessHints {
    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError> {
        {
            let mut state = self.state();
            for hint in hints {
                let Hint { task, version, priority, bucket, .. } = *hint;
                let hinted_at = Some(now);
                state.list(DueHint {
                    task,
                    version,
                    priority,
                    bucket,
                    hinted_at,
                    moved_at: now,
                    popped_at: now,
                });
            }
        }
        self.due.notify_waiters();
        self.urgent.notify_waiters();
        Ok(())
    }

    async fn pop(
        &self,
        priorities: &[Priority],
        limit: usize,
        now: &dyn Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        let notify = if priorities == Priority::ALL { &self.due } else { &self.urgent };
        let until = Instant::now() + wait;
        loop {
            // Registers before checking the lists, so that a signal in between is not lost.
            let notified = notify.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            let popped = self.state().pop(priorities, limit, now.now());
            if popped.len() >= limit {
                notify.notify_one();
            }
            if !popped.is_empty() || tokio::time::timeout_at(until.into(), notified).await.is_err() {
                return Ok(popped);
            }
        }
    }
}

impl Buckets for InProcessHints {
    fn buckets(&self) -> u16 {
        self.buckets
    }
}

#[async_trait]
impl HintServer for InProcessHints {
    async fn depth(&self) -> Result<QueueDepth, QueueError> {
        let state = self.state();
        let count = |counts: &mut dyn Iterator<Item = usize>| counts.map(|count| count as u64).sum();
        Ok(QueueDepth {
            future: count(&mut state.buckets.iter().map(|bucket| bucket.position.len())),
            publish: count(&mut state.publish.iter().map(VecDeque::len)),
            oldest_moved_at: state.publish.iter().filter_map(|list| Some(list.front()?.moved_at)).min(),
        })
    }

    async fn health(&self) -> Health {
        Health {
            name: "in memory".to_owned(),
            persistence: String::new(),
            issue: None,
            ping: Duration::ZERO,
            memory: None,
        }
    }

    fn is_shared(&self) -> bool {
        false
    }
}
