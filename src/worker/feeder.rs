//! The feeder: loads hints of the coming window from SQL into the future set.
//!
//! Incremental, from the watermark in the hint store to now + window. What is scheduled later within the window and its
//! margin adds its own hint, so nothing falls between. Any number of nodes may feed: a hint added twice is one hint.

use super::{Loop, Name, wrong};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::{Hint, Timestamp, fault::Fault};
use queue::bucket_of;
use std::{
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    time::Duration,
};
use store::{
    Who,
    feed::{self, Place, Waiting},
    point,
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Rows read in one statement.
const PAGE: u32 = 2_000;
/// Most hints in the future set, however long the window: memory is bounded by this.
const MOST: u64 = 150_000;
/// Between rounds while all is loaded. Well below the margin of a schedule.
const REST: Duration = Duration::from_secs(10);
/// Between rounds while the future set is full, or the last round failed.
const SHORT_REST: Duration = Duration::from_millis(500);

/// The feeder.
pub struct Feeder {
    parts: Parts,
    again: Notify,
    /// Set at the start and whenever hints may have been lost: load everything that waits, not only what is new.
    from_start: AtomicBool,
}

/// Why a round did not succeed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("the database did not answer")]
    Store(#[from] store::StoreError),
    #[error("{0}")]
    Hints(#[from] queue::QueueError),
}

impl Trouble {
    fn fault(&self) -> Fault {
        match self {
            Self::Store(error) => wrong(error),
            Self::Hints(error) => error.fault(),
        }
    }
}

impl Feeder {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts, again: Notify::new(), from_start: AtomicBool::new(true) }
    }

    /// Hints may have been lost (the store was wiped, or was away): loads all that waits, at once.
    pub fn reload(&self) {
        self.from_start.store(true, SeqCst);
        self.again.notify_one();
    }

    /// Puts what waits of these tasks into the future set, if it is due in the window. For tasks another process scheduled.
    pub(super) async fn feed(&self, ids: &[uuid::Uuid], now: Timestamp) -> Result<(), Trouble> {
        let until = now.plus(self.parts.window_ms + crate::parts::MARGIN_MS);
        let mut lease = self.parts.store.read(Who::Engine).await?;
        let tasks = feed::of(lease.conn(), ids, until).await?;
        drop(lease);
        self.add(&tasks).await
    }

    /// Loads up to now + window. True: the future set is full, there is more.
    async fn load(&self, now: Timestamp) -> Result<bool, Trouble> {
        let until = now.plus(self.parts.window_ms);
        let marks = self.parts.hints.fed().await?;
        let oldest = marks.into_iter().min().flatten();
        let whole = self.from_start.swap(false, SeqCst);
        let mut place = oldest.filter(|_| !whole).map_or(Place::start(), Place::after);
        let waiting = self.parts.hints.waiting().await?;
        let mut room = MOST.saturating_sub(waiting.future + waiting.publish);
        loop {
            if room == 0 {
                return Ok(true);
            }
            let tasks = self.page(place, until).await?;
            point::pass("feeder.read").await?;
            self.add(&tasks).await?;
            point::pass("feeder.added").await?;
            room = room.saturating_sub(tasks.len() as u64);
            match tasks.last() {
                Some(last) if tasks.len() >= PAGE as usize => {
                    place = Place::from(last);
                    // Of the last moment there may be more; everything before it is loaded.
                    self.mark(last.due_at.plus(-1)).await?;
                }
                _ => break,
            }
        }
        self.mark(until).await?;
        point::pass("feeder.marked").await?;
        Ok(false)
    }

    async fn page(&self, place: Place, until: Timestamp) -> Result<Vec<Waiting>, Trouble> {
        let mut lease = self.parts.store.read(Who::Engine).await?;
        Ok(feed::page(lease.conn(), place, until, PAGE).await?)
    }

    async fn add(&self, tasks: &[Waiting]) -> Result<(), Trouble> {
        let buckets = self.parts.hints.buckets();
        let hint = |task: &Waiting| Hint {
            task: task.task,
            version: task.version,
            due_at: task.runs_at,
            lane: task.lane,
            bucket: bucket_of(task.task, buckets),
        };
        self.parts.hints.add(&tasks.iter().map(hint).collect::<Vec<_>>()).await?;
        self.parts.pulse.counts.fed(tasks.len() as u64);
        Ok(())
    }

    async fn mark(&self, until: Timestamp) -> Result<(), Trouble> {
        self.parts.hints.mark_fed(until).await?;
        self.parts.pulse.set_fed_until(until);
        Ok(())
    }

    /// One round; how long to rest after it.
    async fn round(&self, now: Timestamp) -> Duration {
        match self.load(now).await {
            Ok(is_full) => {
                self.parts.pulse.beat(Name::Feeder, now);
                self.parts.pulse.set_hints_shut(false);
                if is_full { SHORT_REST } else { REST }
            }
            Err(trouble) => {
                self.from_start.store(true, SeqCst);
                if matches!(trouble, Trouble::Hints(_)) {
                    self.parts.pulse.set_hints_shut(true);
                }
                self.parts.pulse.trouble(Name::Feeder, now, trouble.fault());
                SHORT_REST
            }
        }
    }
}

#[async_trait]
impl Loop for Feeder {
    fn name(&self) -> Name {
        Name::Feeder
    }

    async fn tick(&self, now: Timestamp) {
        self.round(now).await;
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let rest = self.round(self.parts.loop_now()).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.again.notified() => {}
                () = tokio::time::sleep(rest) => {}
            }
        }
    }
}
