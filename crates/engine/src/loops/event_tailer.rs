//! Event tailer: follows the event log and passes events of all processes to the subscribers in
//! this process.

use crate::Context;
use crate::{Loop, LoopName, feeder::Feeder};
use async_trait::async_trait;
use domain::{State, Timestamp, event::Signal};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use store::{PoolRole, Store, StoreError, change_watch, change_watch::ChangeWatch, failpoint};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Maximum number of events read by one statement.
const PAGE_SIZE: u32 = 1_000;
/// Number of events from before the start that are kept, so that browsers can resume after a
/// restart.
const MAX_REPLAYED_EVENTS: i64 = 2_000;
/// How long a missing sequence number may still appear, milliseconds. It exceeds the statement
/// timeout; after it the transaction counts as rolled back.
const GAP_TIMEOUT_MS: i64 = 35_000;
/// Maximum gap of missing numbers that is tracked. Open transactions do not cause larger ones.
const MAX_TRACKED_GAP: i64 = 1_000;
/// Maximum number of events scanned by one statement while there are no subscribers.
const SCAN_SIZE: u32 = 10_000;
/// Minimum time in which commits are gathered after a notification, to be read together.
const MIN_BATCH_DELAY: Duration = Duration::from_millis(4);
/// In a burst, commits are gathered for this many times the duration of the last read, so that
/// reading does not slow down publishing.
const BATCH_DELAY_FACTOR: u32 = 4;
/// Maximum time in which commits are gathered.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(100);
/// Maximum time between two reads of the log, even without a notification.
const MAX_READ_INTERVAL: Duration = Duration::from_secs(1);
/// Interval at which SQLite is checked for commits of other processes.
const SQLITE_POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Delay before a lost connection is reopened.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// The event tailer.
pub struct EventTailer {
    context: Context,
    feeder: Arc<Feeder>,
    position: Mutex<Position>,
}

/// Position up to which the log has been read.
#[derive(Debug, Default)]
struct Position {
    /// Whether the position at the start has been read.
    is_initialized: bool,
    /// Highest sequence number read.
    high: i64,
    /// Lower numbers that were not visible yet, with the time they were first missed (PostgreSQL).
    gaps: BTreeMap<i64, Timestamp>,
}

impl Position {
    /// Records events read above `high` and the numbers missing between them.
    fn advance(&mut self, signals: &[Signal], now: Timestamp) {
        for signal in signals {
            let missing = self.high + 1..signal.seq;
            if self.high > 0 && signal.seq - self.high <= MAX_TRACKED_GAP {
                self.gaps.extend(missing.map(|seq| (seq, now)));
            }
            self.high = signal.seq;
        }
    }

    /// Removes numbers that have appeared, and those that will not appear any more.
    fn resolve_gaps(&mut self, signals: &[Signal], now: Timestamp) {
        for signal in signals {
            self.gaps.remove(&signal.seq);
        }
        self.gaps.retain(|_, since| now.since(*since) < GAP_TIMEOUT_MS);
    }

    /// Returns the highest number below which no number is missing.
    fn prefix(&self) -> i64 {
        self.gaps.keys().next().map_or(self.high, |gap| gap - 1)
    }
}

impl EventTailer {
    /// Creates the loop. If hints are not shared, it passes tasks scheduled by other processes to
    /// `feeder`.
    #[must_use]
    pub fn new(context: Context, feeder: Arc<Feeder>) -> Self {
        Self { context, feeder, position: Mutex::default() }
    }

    /// Reads the current position of the log, so that subscribers miss nothing from now on. If the
    /// database does not answer, the first round does it.
    pub async fn catch_up(&self, now: Timestamp) {
        if let Err(error) = self.start_reading(now).await {
            self.context.engine.record_error(LoopName::EventTailer, now, &error);
        }
    }

    /// Reads one page of new events. Returns whether there is more.
    async fn read(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.start_reading(now).await?;
        let (high, gaps) = {
            let position = self.position();
            (position.high, position.gaps.keys().copied().collect::<Vec<_>>())
        };
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        let mut events =
            if gaps.is_empty() { Vec::new() } else { change_watch::find_by_seq(lease.conn(), &gaps).await? };
        let above = change_watch::events_after(lease.conn(), high, PAGE_SIZE).await?;
        drop(lease);
        let is_more = above.len() >= PAGE_SIZE as usize;
        let prefix = {
            let mut position = self.position();
            position.resolve_gaps(&events, now);
            position.advance(&above, now);
            position.prefix()
        };
        events.extend(above);
        self.add_hints(&scheduled(&events), now).await;
        self.context.events.bus.publish(events, prefix);
        Ok(is_more)
    }

    /// On the first subscriber, reads the most recent events for browsers that resume. They are not
    /// sent to subscribers.
    async fn start_reading(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.context.events.bus.is_reading() {
            return Ok(());
        }
        self.scan_scheduled(now).await?;
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        let last = store::event::last_seq(lease.conn()).await?;
        let floor = (last - MAX_REPLAYED_EVENTS).max(0);
        // Hints that are not shared are created here, so no event is skipped.
        let floor = if self.context.hints.is_shared() { floor } else { floor.min(self.position().high) };
        let mut before = Vec::new();
        loop {
            let from = before.last().map_or(floor, |signal: &Signal| signal.seq);
            let page = change_watch::events_after(lease.conn(), from, PAGE_SIZE).await?;
            let is_last = page.len() < PAGE_SIZE as usize;
            before.extend(page);
            if is_last {
                break;
            }
        }
        drop(lease);
        // Some tasks may have been scheduled since the scan.
        self.add_hints(&scheduled(&before), now).await;
        let mut position = self.position();
        *position = Position { is_initialized: true, high: floor, gaps: BTreeMap::new() };
        position.advance(&before, now);
        self.context.events.bus.start(before, floor, position.prefix());
        Ok(())
    }

    /// Without subscribers, scans only for tasks that other processes scheduled, and only if hints
    /// are not shared.
    async fn scan_scheduled(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.context.hints.is_shared() {
            return Ok(());
        }
        if !self.position().is_initialized {
            let high =
                store::event::last_seq(self.context.store.read(PoolRole::Engine).await?.conn()).await?;
            *self.position() = Position { is_initialized: true, high, gaps: BTreeMap::new() };
            // Tasks scheduled between the feeder's first round and this one are not found by this
            // loop.
            self.feeder.reload();
        }
        loop {
            let high = self.position().high;
            let mut lease = self.context.store.read(PoolRole::Engine).await?;
            let (Some(last), tasks) = change_watch::scheduled_after(lease.conn(), high, SCAN_SIZE).await?
            else {
                return Ok(());
            };
            drop(lease);
            self.position().high = last;
            self.add_hints(&tasks, now).await;
        }
    }

    /// Adds hints for tasks that another process scheduled, if hints are not shared. Adding a hint
    /// twice is harmless.
    async fn add_hints(&self, tasks: &[Uuid], now: Timestamp) {
        let is_wanted = !tasks.is_empty() && !self.context.hints.is_shared();
        if is_wanted && self.feeder.add_hints_for(tasks, now).await.is_err() {
            self.feeder.reload();
        }
    }

    /// Reads until there are no new events.
    async fn read_all(&self, now: Timestamp) -> Result<(), StoreError> {
        while self.read(now).await? {}
        Ok(())
    }

    /// Records the result of a round.
    fn record_result(&self, now: Timestamp, done: Result<(), StoreError>) {
        match done {
            Ok(()) => self.context.engine.record_round(LoopName::EventTailer, now),
            Err(error) => self.context.engine.record_error(LoopName::EventTailer, now, &error),
        }
    }

    /// Whether events need not be read: there are no subscribers, and hints for new tasks do not
    /// depend on them.
    fn can_idle(&self) -> bool {
        let can_look = self.context.hints.is_shared() || matches!(self.context.store, Store::Sqlite { .. });
        can_look && self.context.events.bus.stop_if_idle()
    }

    async fn read_loop(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            // Subscribes before it reads, so that a commit in between is not missed.
            let notified = self.context.committed.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            let (now, began) = (self.context.clock.now(), Instant::now());
            let done =
                if self.can_idle() { self.scan_scheduled(now).await } else { self.read_all(now).await };
            self.record_result(now, done);
            _ = failpoint::hit("event_tailer.read").await;
            let rest = batch_delay(began);
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.context.events.bus.subscriber_added() => {}
                () = notified => tokio::time::sleep(rest).await,
                () = tokio::time::sleep(MAX_READ_INTERVAL) => {}
            }
        }
    }

    /// Notifies this process of commits of other processes.
    async fn watch_commits(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            // A lost connection is not an error of this loop: it reads the log each second anyway.
            if let Err(error) = self.forward_commits(stop).await {
                tracing::debug!("the connection for commit notifications failed: {error}");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(RECONNECT_DELAY) => {}
            }
        }
    }

    /// Notifies other processes of tasks executed here, batched over a few milliseconds.
    async fn notify_executions(&self, stop: &CancellationToken) {
        let mut rest = MIN_BATCH_DELAY;
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.context.execution.done.notified() => tokio::time::sleep(rest).await,
            }
            let began = Instant::now();
            if let Err(error) = change_watch::notify(&self.context.store, self.context.node.id.0).await {
                tracing::debug!("other nodes were not notified of executions: {error}");
            }
            rest = batch_delay(began);
        }
    }

    async fn forward_commits(&self, stop: &CancellationToken) -> Result<(), StoreError> {
        let mut watch = ChangeWatch::open(&self.context.store, self.context.node.id.0).await?;
        while !stop.is_cancelled() {
            let changed = if watch.is_polling() {
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    () = tokio::time::sleep(SQLITE_POLL_INTERVAL) => {}
                }
                watch.changed().await?
            } else {
                // The connection is used for this wait only and closed with it.
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    changed = watch.changed() => changed?,
                }
            };
            if changed {
                self.context.committed.notify_waiters();
            }
        }
        Ok(())
    }

    fn position(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns how long to gather commits after a read that began at `began`.
fn batch_delay(began: Instant) -> Duration {
    (began.elapsed() * BATCH_DELAY_FACTOR).clamp(MIN_BATCH_DELAY, MAX_BATCH_DELAY)
}

/// Returns the tasks that these events scheduled.
fn scheduled(events: &[Signal]) -> Vec<Uuid> {
    let waits = |signal: &&Signal| {
        signal.entity == "task" && signal.to_state.as_deref() == Some(State::Scheduled.as_str())
    };
    events.iter().filter(waits).map(|signal| signal.entity_id).collect()
}

#[async_trait]
impl Loop for EventTailer {
    fn name(&self) -> LoopName {
        LoopName::EventTailer
    }

    async fn tick(&self, now: Timestamp) {
        let done = self.read_all(now).await;
        self.record_result(now, done);
    }

    async fn run(&self, stop: CancellationToken) {
        futures::join!(self.read_loop(&stop), self.watch_commits(&stop), self.notify_executions(&stop));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event_bus::tests::signal;

    #[test]
    fn the_prefix_stops_at_a_gap_until_it_is_filled_or_expires() {
        let at = Timestamp::from_millis;
        let mut position = Position { is_initialized: true, high: 3, gaps: BTreeMap::new() };
        position.advance(&[signal(4), signal(7)], at(0));
        assert_eq!((position.prefix(), position.high), (4, 7));
        position.resolve_gaps(&[signal(5)], at(1_000));
        assert_eq!(position.prefix(), 5);
        position.resolve_gaps(&[], at(GAP_TIMEOUT_MS));
        assert_eq!(position.prefix(), 7);
    }
}
