//! Feeder: loads hints of the coming window from SQL into the future set.
//!
//! It loads incrementally, from the watermark in the hint store to now + window. A task scheduled
//! later within the window and its margin adds its own hint, so none is missed. Any number of nodes
//! may feed: adding a hint twice is harmless.

use crate::Context;
use crate::{Loop, LoopName};
use async_trait::async_trait;
use domain::{Hint, KindClass, Timestamp, health::HealthIssue};
use queue::bucket_of;
use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};
use store::{
    PoolRole, failpoint,
    feed::{self, Cursor, ScheduledTask},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Maximum number of rows read by one statement.
const PAGE_SIZE: u32 = 2_000;
/// Maximum number of hints in the future set. It bounds the memory of the hint store: with other hints it
/// holds at most as many of content besides.
const MAX_FUTURE_HINTS: u64 = 150_000;
/// Delay between rounds while everything is loaded. Well below the margin of a schedule.
const FEED_INTERVAL: Duration = Duration::from_secs(10);
/// Delay between rounds while the future set is full, or after a failed round.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// The feeder loop.
pub struct Feeder {
    context: Context,
    again: Notify,
    /// Set at the start and whenever hints may have been lost: load all scheduled tasks, not only
    /// new ones.
    from_start: AtomicBool,
    /// Up to where content was loaded while the future set was full.
    content_loaded: Mutex<Cursor>,
}

/// Why a round failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FeedError {
    #[error("the database did not answer")]
    Store(#[from] store::StoreError),
    #[error("{0}")]
    Hints(#[from] queue::QueueError),
}

impl From<&FeedError> for HealthIssue {
    fn from(error: &FeedError) -> Self {
        match error {
            FeedError::Store(error) => error.into(),
            FeedError::Hints(error) => error.into(),
        }
    }
}

impl Feeder {
    /// Creates the loop. It does nothing until it runs.
    #[must_use]
    pub fn new(context: Context) -> Self {
        let (again, from_start) = (Notify::new(), AtomicBool::new(true));
        Self { context, again, from_start, content_loaded: Mutex::new(Cursor::start()) }
    }

    /// Requests an immediate load of all scheduled tasks, because hints may have been lost (the
    /// hint store lost its data or was unavailable).
    pub fn reload(&self) {
        self.from_start.store(true, SeqCst);
        self.again.notify_one();
    }

    /// Adds hints for those of these tasks that are scheduled within the window. For tasks
    /// scheduled by other processes.
    pub(crate) async fn add_hints_for(&self, ids: &[uuid::Uuid], now: Timestamp) -> Result<(), FeedError> {
        let until = now.plus(self.context.limits.window_ms + crate::context::WINDOW_MARGIN_MS);
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        let tasks = feed::find(lease.conn(), ids, until).await?;
        drop(lease);
        self.add(&tasks).await
    }

    /// Loads up to now + window. Returns true if the future set is full and there is more.
    async fn load(&self, now: Timestamp) -> Result<bool, FeedError> {
        let until = now.plus(self.context.limits.window_ms);
        let watermarks = self.context.hints.loaded_until().await?;
        let oldest = watermarks.into_iter().min().flatten();
        let whole = self.from_start.swap(false, SeqCst);
        if whole {
            *self.content_loaded() = Cursor::start();
        }
        let mut place = oldest.filter(|_| !whole).map_or(Cursor::start(), Cursor::after);
        let waiting = self.context.hints.depth().await?;
        let mut free = MAX_FUTURE_HINTS.saturating_sub(waiting.future + waiting.publish);
        loop {
            if free == 0 {
                self.load_content(place, until).await?;
                return Ok(true);
            }
            let tasks = self.page(place, until).await?;
            failpoint::hit("feeder.read").await?;
            self.add(&tasks).await?;
            failpoint::hit("feeder.added").await?;
            free = free.saturating_sub(tasks.len() as u64);
            match tasks.last() {
                Some(last) if tasks.len() >= PAGE_SIZE as usize => {
                    place = Cursor::from(last);
                    // There may be more tasks with the last due time; all earlier ones are loaded.
                    self.set_watermark(last.due_at.plus(-1)).await?;
                }
                _ => break,
            }
        }
        self.set_watermark(until).await?;
        failpoint::hit("feeder.marked").await?;
        Ok(false)
    }

    /// Loads the content after `place` while the future set is full: what others left waiting must not keep
    /// the hints of articles out. Continues where the last call ended.
    async fn load_content(&self, place: Cursor, until: Timestamp) -> Result<(), FeedError> {
        let mut place = place.max(*self.content_loaded());
        let mut free = MAX_FUTURE_HINTS.saturating_sub(self.context.hints.depth().await?.content);
        while free > 0 {
            let tasks = self.page(place, until).await?;
            let is_content = |task: &&ScheduledTask| task.class == KindClass::Content;
            let content: Vec<ScheduledTask> = tasks.iter().filter(is_content).copied().collect();
            self.add(&content).await?;
            free = free.saturating_sub(content.len() as u64);
            let Some(last) = tasks.last() else { break };
            place = Cursor::from(last);
            *self.content_loaded() = place;
        }
        Ok(())
    }

    fn content_loaded(&self) -> MutexGuard<'_, Cursor> {
        self.content_loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn page(&self, place: Cursor, until: Timestamp) -> Result<Vec<ScheduledTask>, FeedError> {
        let mut lease = self.context.store.read(PoolRole::Engine).await?;
        Ok(feed::page(lease.conn(), place, until, PAGE_SIZE).await?)
    }

    async fn add(&self, tasks: &[ScheduledTask]) -> Result<(), FeedError> {
        let buckets = self.context.hints.buckets();
        let hint = |task: &ScheduledTask| Hint {
            task: task.task,
            version: task.version,
            due_at: task.runs_at,
            priority: task.priority,
            class: task.class,
            bucket: bucket_of(task.task, buckets),
        };
        self.context.hints.add(&tasks.iter().map(hint).collect::<Vec<_>>()).await?;
        self.context.engine.hint_counters.record_loaded(tasks.len() as u64);
        Ok(())
    }

    async fn set_watermark(&self, until: Timestamp) -> Result<(), FeedError> {
        self.context.hints.mark_loaded(until).await?;
        self.context.engine.set_loaded_until(until);
        Ok(())
    }

    /// Runs one round and returns the delay before the next.
    async fn round(&self, now: Timestamp) -> Duration {
        match self.load(now).await {
            Ok(is_full) => {
                self.context.engine.record_round(LoopName::Feeder, now);
                self.context.engine.set_hints_rejecting(false);
                if is_full { RETRY_INTERVAL } else { FEED_INTERVAL }
            }
            Err(trouble) => {
                self.from_start.store(true, SeqCst);
                if matches!(trouble, FeedError::Hints(_)) {
                    self.context.engine.set_hints_rejecting(true);
                }
                self.context.engine.record_error(LoopName::Feeder, now, &trouble);
                RETRY_INTERVAL
            }
        }
    }
}

#[async_trait]
impl Loop for Feeder {
    fn name(&self) -> LoopName {
        LoopName::Feeder
    }

    async fn tick(&self, now: Timestamp) {
        self.round(now).await;
    }

    async fn run(&self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let rest = self.round(self.context.loop_now()).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.again.notified() => {}
                () = tokio::time::sleep(rest) => {}
            }
        }
    }
}
