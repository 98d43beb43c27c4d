//! Hints in the memory of this process: nothing to install, gone with the process, loaded again from SQL.

use crate::{Health, Hints, Promoted, QueueError, Waiting};
use async_trait::async_trait;
use domain::{Clock, DueHint, Hint, Lane, TaskId, Timestamp, Version};
use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// A hint's identity: the same task in the same version is the same hint.
type Member = (TaskId, Version);

/// Future sets and publish lists in memory.
pub struct InProcess {
    buckets: u16,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    head_changed: Notify,
    due: Notify,
    /// Rung for the high lane alone.
    urgent: Notify,
}

#[derive(Default)]
struct State {
    buckets: Vec<Bucket>,
    /// One list a lane for all buckets: they are taken in the order in which they became due.
    publish: [VecDeque<DueHint>; Lane::ALL.len()],
    /// What is on the publish lists: a hint that is there already is not added again.
    listed: HashSet<Member>,
}

#[derive(Default, Clone)]
struct Bucket {
    /// By lane, then moment: when each was added.
    future: [BTreeMap<(Timestamp, Member), Timestamp>; Lane::ALL.len()],
    /// Where a hint is.
    place: HashMap<Member, (Lane, Timestamp)>,
    fed: Option<Timestamp>,
}

impl Bucket {
    fn put(&mut self, hint: &Hint, now: Timestamp) {
        let member = (hint.task, hint.version);
        if let Some((lane, due_at)) = self.place.insert(member, (hint.lane, hint.due_at)) {
            self.future[lane as usize].remove(&(due_at, member));
        }
        self.future[hint.lane as usize].insert((hint.due_at, member), now);
    }

    fn next_due(&self) -> Option<Timestamp> {
        self.future.iter().filter_map(|lane| lane.first_key_value().map(|((due_at, _), _)| *due_at)).min()
    }

    /// Takes up to `limit` due hints of a lane: task, version and when it was added.
    fn due(&mut self, lane: Lane, now: Timestamp, limit: u32) -> Vec<(Member, Timestamp)> {
        let mut due = Vec::new();
        while due.len() < limit as usize
            && let Some(first) = self.future[lane as usize].first_entry()
            && first.key().0 <= now
        {
            let ((_, member), hinted_at) = first.remove_entry();
            self.place.remove(&member);
            due.push((member, hinted_at));
        }
        due
    }
}

impl State {
    fn list(&mut self, hint: DueHint) {
        if self.listed.insert((hint.task, hint.version)) {
            self.publish[hint.lane as usize].push_back(hint);
        }
    }

    fn take(&mut self, lanes: &[Lane], limit: usize, popped_at: Timestamp) -> Vec<DueHint> {
        let mut taken = Vec::new();
        for lane in lanes {
            let lane = &mut self.publish[*lane as usize];
            let some = lane.len().min(limit - taken.len());
            taken.extend(lane.drain(..some).map(|hint| DueHint { popped_at, ..hint }));
        }
        for hint in &taken {
            self.listed.remove(&(hint.task, hint.version));
        }
        taken
    }
}

impl InProcess {
    /// Empty sets; `clock` tells when a hint was added.
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

    /// Forgets everything, as a wiped server would.
    pub fn wipe(&self) {
        *self.state() =
            State { buckets: vec![Bucket::default(); usize::from(self.buckets)], ..State::default() };
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Hints for InProcess {
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

    async fn add_due(&self, hints: &[Hint], now: Timestamp) -> Result<(), QueueError> {
        {
            let mut state = self.state();
            for hint in hints {
                let Hint { task, version, lane, bucket, .. } = *hint;
                let hinted_at = Some(now);
                state.list(DueHint { task, version, lane, bucket, hinted_at, moved_at: now, popped_at: now });
            }
        }
        self.due.notify_waiters();
        self.urgent.notify_waiters();
        Ok(())
    }

    async fn promote(
        &self,
        bucket: u16,
        lanes: &[Lane],
        now: Timestamp,
        limit: u32,
    ) -> Result<Promoted, QueueError> {
        let (answer, is_urgent) = {
            let (mut guard, mut moved) = (self.state(), 0);
            let state = &mut *guard;
            for lane in lanes.iter().copied() {
                for ((task, version), hinted) in
                    state.buckets[usize::from(bucket % self.buckets)].due(lane, now, limit)
                {
                    let hinted_at = Some(hinted);
                    moved += 1;
                    state.list(DueHint {
                        task,
                        version,
                        lane,
                        bucket,
                        hinted_at,
                        moved_at: now,
                        popped_at: now,
                    });
                }
            }
            let bucket = &state.buckets[usize::from(bucket % self.buckets)];
            let answer = Promoted { moved, next_due: bucket.next_due(), fed_until: bucket.fed };
            (answer, moved > 0 && !state.publish[Lane::High as usize].is_empty())
        };
        if answer.moved > 0 {
            self.due.notify_one();
        }
        if is_urgent {
            self.urgent.notify_one();
        }
        // Nothing here waits for anybody: who is rung would have no turn on this thread until a whole crowd has moved.
        if answer.moved > 0 {
            tokio::task::yield_now().await;
        }
        Ok(answer)
    }

    async fn take(
        &self,
        lanes: &[Lane],
        limit: usize,
        now: &dyn Clock,
        wait: Duration,
    ) -> Result<Vec<DueHint>, QueueError> {
        let bell = if lanes == Lane::ALL { &self.due } else { &self.urgent };
        let until = Instant::now() + wait;
        loop {
            // Listens before it looks: what comes in between is not slept through.
            let rung = bell.notified();
            tokio::pin!(rung);
            rung.as_mut().enable();
            let taken = self.state().take(lanes, limit, now.now());
            if taken.len() >= limit {
                bell.notify_one();
            }
            if !taken.is_empty() || tokio::time::timeout_at(until.into(), rung).await.is_err() {
                return Ok(taken);
            }
        }
    }

    async fn fed(&self) -> Result<Vec<Option<Timestamp>>, QueueError> {
        Ok(self.state().buckets.iter().map(|bucket| bucket.fed).collect())
    }

    async fn mark_fed(&self, until: Timestamp) -> Result<(), QueueError> {
        for bucket in &mut self.state().buckets {
            bucket.fed = Some(until);
        }
        Ok(())
    }

    async fn changed(&self) {
        self.head_changed.notified().await;
    }

    async fn waiting(&self) -> Result<Waiting, QueueError> {
        let state = self.state();
        let count = |counts: &mut dyn Iterator<Item = usize>| counts.map(|count| count as u64).sum();
        Ok(Waiting {
            future: count(&mut state.buckets.iter().map(|bucket| bucket.place.len())),
            publish: count(&mut state.publish.iter().map(VecDeque::len)),
            oldest_moved_at: state.publish.iter().filter_map(|lane| Some(lane.front()?.moved_at)).min(),
        })
    }

    async fn health(&self) -> Health {
        Health {
            name: "in process".to_owned(),
            keeps: String::new(),
            trouble: None,
            ping: Duration::ZERO,
            memory: None,
        }
    }

    fn buckets(&self) -> u16 {
        self.buckets
    }

    fn is_shared(&self) -> bool {
        false
    }
}
