//! Hints in the memory of this process. Needs no server; the hints are lost with the process and
//! loaded again from SQL.

use crate::{
    Buckets, FutureSet, Health, HintScope, HintServer, Promoted, PublishList, QueueDepth, QueueError,
    order::{CLASSES, RANKS, Rank, divide},
};
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, KindClass, Priority, TaskId, Timestamp, Version};
use std::{
    array,
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
    /// Signals hints of [`HintScope::Urgent`] only.
    urgent: Notify,
    /// Signals high-priority hints only.
    high: Notify,
}

#[derive(Default)]
struct State {
    buckets: Vec<Bucket>,
    /// One list for each priority and class, over all buckets: hints are popped in the order in which
    /// they became due.
    publish: [VecDeque<DueHint>; RANKS],
    /// The hints on the publish lists; a hint that is already there is not added again.
    listed: HashSet<HintKey>,
    /// Number of pops, which small batches count to serve each class.
    round: usize,
}

#[derive(Default, Clone)]
struct Bucket {
    /// By priority and class, then due time: when the hint was added.
    future: [BTreeMap<(Timestamp, HintKey), Timestamp>; RANKS],
    /// Rank and due time of each hint.
    position: HashMap<HintKey, (Rank, Timestamp)>,
    loaded_until: Option<Timestamp>,
}

impl Bucket {
    fn put(&mut self, hint: &Hint, now: Timestamp) {
        let member = (hint.task, hint.version);
        let rank = Rank { priority: hint.priority, class: hint.class };
        if let Some((rank, due_at)) = self.position.insert(member, (rank, hint.due_at)) {
            self.future[rank.index()].remove(&(due_at, member));
        }
        self.future[rank.index()].insert((hint.due_at, member), now);
    }

    fn next_due(&self) -> Option<Timestamp> {
        self.future.iter().filter_map(|hints| hints.first_key_value().map(|((due_at, _), _)| *due_at)).min()
    }

    /// Pops up to `limit` due hints of a rank: task, version and when it was added.
    fn due(&mut self, rank: Rank, now: Timestamp, limit: u32) -> Vec<(HintKey, Timestamp)> {
        let mut due = Vec::new();
        while due.len() < limit as usize
            && let Some(first) = self.future[rank.index()].first_entry()
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
            self.publish[Rank { priority: hint.priority, class: hint.class }.index()].push_back(hint);
        }
    }

    fn pop(&mut self, scope: HintScope, limit: usize, popped_at: Timestamp) -> Vec<DueHint> {
        let mut popped = Vec::new();
        self.round = self.round.wrapping_add(1);
        for priority in Priority::ALL {
            let first = *priority as usize * CLASSES;
            let lists = &mut self.publish[first..first + scope.classes(*priority)];
            let mut waiting = [0; CLASSES];
            lists.iter().zip(&mut waiting).for_each(|(list, waiting)| *waiting = list.len());
            let counts = divide(limit - popped.len(), waiting, self.round);
            for (list, count) in lists.iter_mut().zip(counts) {
                popped.extend(list.drain(..count).map(|hint| DueHint { popped_at, ..hint }));
            }
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
            high: Notify::new(),
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
        scope: HintScope,
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError> {
        let (answer, [has_urgent, has_high]) = {
            let (mut guard, mut moved) = (self.state(), 0);
            let state = &mut *guard;
            for rank in scope.ranks() {
                let Rank { priority, class } = rank;
                for ((task, version), hinted) in
                    state.buckets[usize::from(bucket % self.buckets)].due(rank, now, limit)
                {
                    let hinted_at = Some(hinted);
                    moved += 1;
                    state.list(DueHint {
                        task,
                        version,
                        priority,
                        class,
                        bucket,
                        hinted_at,
                        moved_at: now,
                        popped_at: now,
                    });
                }
            }
            let has_due = |scope: HintScope| {
                moved > 0 && scope.ranks().any(|rank| !state.publish[rank.index()].is_empty())
            };
            let has_due = [HintScope::Urgent, HintScope::High].map(has_due);
            let bucket = &state.buckets[usize::from(bucket % self.buckets)];
            let answer = Promoted { moved, next_due: bucket.next_due(), loaded_until: bucket.loaded_until };
            (answer, has_due)
        };
        if answer.moved > 0 {
            self.due.notify_one();
        }
        if has_urgent {
            self.urgent.notify_one();
        }
        if has_high {
            self.high.notify_one();
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
                let Hint { task, version, priority, class, bucket, .. } = *hint;
                let hinted_at = Some(now);
                state.list(DueHint {
                    task,
                    version,
                    priority,
                    class,
                    bucket,
                    hinted_at,
                    moved_at: now,
                    popped_at: now,
                });
            }
        }
        for notify in [&self.due, &self.urgent, &self.high] {
            notify.notify_waiters();
        }
        Ok(())
    }

    async fn pop(
        &self,
        scope: HintScope,
        limit: usize,
        now: &dyn Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        let notify = match scope {
            HintScope::All => &self.due,
            HintScope::Urgent => &self.urgent,
            HintScope::High => &self.high,
        };
        let until = Instant::now() + wait;
        loop {
            // Registers before checking the lists, so that a signal in between is not lost.
            let notified = notify.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            let popped = self.state().pop(scope, limit, now.now());
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
            content: count(&mut Rank::all().filter(|rank| rank.class == KindClass::Content).map(|rank| {
                let future = state.buckets.iter().map(|bucket| bucket.future[rank.index()].len());
                state.publish[rank.index()].len() + future.sum::<usize>()
            })),
            oldest_moved_at: array::from_fn(|class| {
                let lists = state.publish.iter().skip(class).step_by(CLASSES);
                lists.filter_map(|list| Some(list.front()?.moved_at)).min()
            }),
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
