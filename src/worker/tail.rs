//! The tail: follows the log and tells whoever listens, in this process, what happened — in any process.

use super::{Loop, Name, feeder::Feeder, wrong};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::{State, Timestamp, event::Signal};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use store::{Store, StoreError, Who, point, tail, tail::Watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Lines read in one statement.
const PAGE: u32 = 1_000;
/// Lines of before the start that are kept, so that browsers resume across a restart.
const BEFORE: i64 = 2_000;
/// How long a missing number may still turn up: longer than a statement may take. Then it was rolled back.
const SETTLES_MS: i64 = 35_000;
/// Most missing numbers that are asked for; a larger gap is none of a running transaction.
const MOST_HOLES: i64 = 1_000;
/// Lines looked through in one statement while nobody listens.
const LOOK: u32 = 10_000;
/// Commits within this time after a bell are read together.
const GATHER: Duration = Duration::from_millis(4);
/// And in a crowd within a longer time, this many times what it took to read: who watches must not hold up what is watched.
const REST_OF_WORK: u32 = 4;
/// But not longer than this.
const LONGEST: Duration = Duration::from_millis(100);
/// The log is read at least this often, whatever the bells say.
const SAFETY: Duration = Duration::from_secs(1);
/// SQLite is asked this often whether another process committed.
const POLL: Duration = Duration::from_millis(100);
/// Rest before a lost connection is opened again.
const REST: Duration = Duration::from_secs(1);

/// The tail.
pub struct Tail {
    parts: Parts,
    feeder: Arc<Feeder>,
    place: Mutex<Place>,
}

/// How far the log has been read.
#[derive(Debug, Default)]
struct Place {
    /// Whether it is known where the log stood at the start.
    has_begun: bool,
    /// The highest number seen.
    high: i64,
    /// Numbers below it that were not there yet, with when they were first missed (PostgreSQL).
    holes: BTreeMap<i64, Timestamp>,
}

impl Place {
    /// Notes what was read above `high`, and which numbers were missing between.
    fn advance(&mut self, signals: &[Signal], now: Timestamp) {
        for signal in signals {
            let missing = self.high + 1..signal.seq;
            if self.high > 0 && signal.seq - self.high <= MOST_HOLES {
                self.holes.extend(missing.map(|seq| (seq, now)));
            }
            self.high = signal.seq;
        }
    }

    /// Notes what turned up, and gives up what will not.
    fn fill(&mut self, signals: &[Signal], now: Timestamp) {
        for signal in signals {
            self.holes.remove(&signal.seq);
        }
        self.holes.retain(|_, since| now.since(*since) < SETTLES_MS);
    }

    /// The last number before which nothing is missing.
    fn prefix(&self) -> i64 {
        self.holes.keys().next().map_or(self.high, |hole| hole - 1)
    }
}

impl Tail {
    /// Over `parts`; tells `feeder` of tasks other processes scheduled, where hints are not shared.
    #[must_use]
    pub fn new(parts: Parts, feeder: Arc<Feeder>) -> Self {
        Self { parts, feeder, place: Mutex::default() }
    }

    /// Learns where the log stands, so that who listens from now on misses nothing. If the database does not answer, the
    /// first round does it.
    pub async fn catch_up(&self, now: Timestamp) {
        if let Err(error) = self.wake(now).await {
            self.parts.pulse.trouble(Name::Tail, now, wrong(&error));
        }
    }

    /// Reads what is new. True: there is more.
    async fn read(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.wake(now).await?;
        let (high, holes) = {
            let place = self.place();
            (place.high, place.holes.keys().copied().collect::<Vec<_>>())
        };
        let mut lease = self.parts.store.read(Who::Engine).await?;
        let mut news = if holes.is_empty() { Vec::new() } else { tail::among(lease.conn(), &holes).await? };
        let above = tail::after(lease.conn(), high, PAGE).await?;
        drop(lease);
        let is_more = above.len() >= PAGE as usize;
        let prefix = {
            let mut place = self.place();
            place.fill(&news, now);
            place.advance(&above, now);
            place.prefix()
        };
        news.extend(above);
        self.feed(&scheduled(&news), now).await;
        self.parts.live.tell(news, prefix);
        Ok(is_more)
    }

    /// Where nobody listened until now: reads the last lines of before, for browsers that resume. Nobody is told of them.
    async fn wake(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.parts.live.is_awake() {
            return Ok(());
        }
        self.look(now).await?;
        let mut lease = self.parts.store.read(Who::Engine).await?;
        let last = store::event::last_seq(lease.conn()).await?;
        let floor = (last - BEFORE).max(0);
        // Of what gets its hint here no line is passed over.
        let floor = if self.parts.hints.is_shared() { floor } else { floor.min(self.place().high) };
        let mut before = Vec::new();
        loop {
            let from = before.last().map_or(floor, |signal: &Signal| signal.seq);
            let page = tail::after(lease.conn(), from, PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            before.extend(page);
            if is_last {
                break;
            }
        }
        drop(lease);
        // Since the look some may have been scheduled.
        self.feed(&scheduled(&before), now).await;
        let mut place = self.place();
        *place = Place { has_begun: true, high: floor, holes: BTreeMap::new() };
        place.advance(&before, now);
        self.parts.live.begin(before, floor, place.prefix());
        Ok(())
    }

    /// What is of interest while nobody listens: what another process scheduled, where hints are not shared.
    async fn look(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.parts.hints.is_shared() {
            return Ok(());
        }
        if !self.place().has_begun {
            let high = store::event::last_seq(self.parts.store.read(Who::Engine).await?.conn()).await?;
            *self.place() = Place { has_begun: true, high, holes: BTreeMap::new() };
            // What was scheduled after the feeder's first round and before this one is not news to this loop.
            self.feeder.reload();
        }
        loop {
            let high = self.place().high;
            let mut lease = self.parts.store.read(Who::Engine).await?;
            let (Some(last), tasks) = tail::scheduled(lease.conn(), high, LOOK).await? else { return Ok(()) };
            drop(lease);
            self.place().high = last;
            self.feed(&tasks, now).await;
        }
    }

    /// Tasks another process scheduled have no hint here unless the hints are shared. A hint added twice is one hint.
    async fn feed(&self, tasks: &[Uuid], now: Timestamp) {
        let is_wanted = !tasks.is_empty() && !self.parts.hints.is_shared();
        if is_wanted && self.feeder.feed(tasks, now).await.is_err() {
            self.feeder.reload();
        }
    }

    /// Reads until nothing is new.
    async fn read_all(&self, now: Timestamp) -> Result<(), StoreError> {
        while self.read(now).await? {}
        Ok(())
    }

    /// Tells how a round went.
    fn show(&self, now: Timestamp, done: Result<(), StoreError>) {
        match done {
            Ok(()) => self.parts.pulse.beat(Name::Tail, now),
            Err(error) => self.parts.pulse.trouble(Name::Tail, now, wrong(&error)),
        }
    }

    /// Whether the lines need not be read: nobody listens, and hints for new tasks do not depend on them.
    fn dozes(&self) -> bool {
        let can_look = self.parts.hints.is_shared() || matches!(self.parts.store, Store::Sqlite { .. });
        can_look && self.parts.live.dozes()
    }

    async fn follow(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            // Listens before it reads: a commit in between is not slept through.
            let rung = self.parts.committed.notified();
            tokio::pin!(rung);
            rung.as_mut().enable();
            let (now, began) = (self.parts.clock.now(), Instant::now());
            let done = if self.dozes() { self.look(now).await } else { self.read_all(now).await };
            self.show(now, done);
            _ = point::pass("tail.read").await;
            let rest = rest_after(began);
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.parts.live.wanted() => {}
                () = rung => tokio::time::sleep(rest).await,
                () = tokio::time::sleep(SAFETY) => {}
            }
        }
    }

    /// Rings the bell of this process for commits of others.
    async fn watch(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            // A lost connection is not this loop's trouble: the log is read each second anyway.
            if let Err(error) = self.listen(stop).await {
                tracing::debug!("the database does not tell of commits: {error}");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(REST) => {}
            }
        }
    }

    /// Tells other processes what this one executed: all of a few milliseconds together.
    async fn tell(&self, stop: &CancellationToken) {
        let mut rest = GATHER;
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.parts.executed.notified() => tokio::time::sleep(rest).await,
            }
            let began = Instant::now();
            if let Err(error) = tail::tell(&self.parts.store, self.parts.node_id.0).await {
                tracing::debug!("other nodes are not told of what was executed: {error}");
            }
            rest = rest_after(began);
        }
    }

    async fn listen(&self, stop: &CancellationToken) -> Result<(), StoreError> {
        let mut watch = Watch::open(&self.parts.store, self.parts.node_id.0).await?;
        while !stop.is_cancelled() {
            let changed = if watch.polls() {
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    () = tokio::time::sleep(POLL) => {}
                }
                watch.changed().await?
            } else {
                // The connection belongs to this wait alone and ends with it.
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    changed = watch.changed() => changed?,
                }
            };
            if changed {
                self.parts.committed.notify_waiters();
            }
        }
        Ok(())
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long commits are gathered after work that began then.
fn rest_after(began: Instant) -> Duration {
    (began.elapsed() * REST_OF_WORK).clamp(GATHER, LONGEST)
}

/// Tasks that are scheduled in these lines.
fn scheduled(news: &[Signal]) -> Vec<Uuid> {
    let waits = |signal: &&Signal| {
        signal.entity == "task" && signal.to_state.as_deref() == Some(State::Scheduled.as_str())
    };
    news.iter().filter(waits).map(|signal| signal.entity_id).collect()
}

#[async_trait]
impl Loop for Tail {
    fn name(&self) -> Name {
        Name::Tail
    }

    async fn tick(&self, now: Timestamp) {
        let done = self.read_all(now).await;
        self.show(now, done);
    }

    async fn run(&self, stop: CancellationToken) {
        futures::join!(self.follow(&stop), self.watch(&stop), self.tell(&stop));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::live::tests::signal;

    #[test]
    fn the_prefix_stops_at_a_hole_until_it_is_filled_or_given_up() {
        let at = Timestamp::from_millis;
        let mut place = Place { has_begun: true, high: 3, holes: BTreeMap::new() };
        place.advance(&[signal(4), signal(7)], at(0));
        assert_eq!((place.prefix(), place.high), (4, 7));
        place.fill(&[signal(5)], at(1_000));
        assert_eq!(place.prefix(), 5);
        place.fill(&[], at(SETTLES_MS));
        assert_eq!(place.prefix(), 7);
    }
}
