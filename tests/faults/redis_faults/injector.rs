//! Injects faults into the Redis of a cluster.

use crate::faults::{
    cluster::{Cluster, now},
    observer::{self, COUNT_SCHEDULED},
    rng::Rng,
};
use domain::{Hint, KindClass, Priority, TaskId, Version};
use presstime::app_state::DEFAULT_WINDOW_MS;
use queue::{DEFAULT_BUCKETS, HintServer as _, PublishList as _, RedisHints, bucket_of};
use redis::{AsyncCommands as _, aio::MultiplexedConnection, pipe};
use std::time::Duration;
use tokio::time::{Instant, interval, sleep_until};

/// Time between two wipes, and number of wipes after which the window must be loaded again.
const WIPE_INTERVAL: Duration = Duration::from_secs(10);
const MAX_WIPES_UNTIL_LOADED: usize = 3;
/// Maximum time until the engine reports that Redis refuses writes.
const REPORT_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of invalid entries and of plausible wrong hints in each tenth of a second: a million in
/// 110 s.
const INVALID: usize = 800;
const PLAUSIBLE: usize = 200;

/// Injects faults into the Redis of a cluster.
pub struct Injector<'a> {
    cluster: &'a Cluster,
    redis: MultiplexedConnection,
    hints: RedisHints,
    /// Tasks that must not be executed, with their versions.
    unwanted: Vec<(TaskId, i32)>,
    rng: Rng,
    /// Number of invented hints.
    pub invented: usize,
    /// Violations found during the faults.
    pub wrong: Vec<String>,
}

impl<'a> Injector<'a> {
    pub async fn connect(cluster: &'a Cluster, unwanted: Vec<(TaskId, i32)>) -> Self {
        let url = cluster.redis_url.as_deref().unwrap();
        let client = redis::Client::open(url).unwrap();
        let redis = client.get_multiplexed_async_connection().await.unwrap();
        let hints = RedisHints::new(url, "pt", DEFAULT_BUCKETS).unwrap();
        Self { cluster, redis, hints, unwanted, rng: Rng::new(22), invented: 0, wrong: Vec::new() }
    }

    async fn command(&mut self, words: &[&str]) {
        let response: String =
            redis::cmd(words[0]).arg(&words[1..]).query_async(&mut self.redis).await.expect("Redis responds");
        assert_eq!(response, "OK", "{words:?}");
    }

    /// Deletes all data every ten seconds; the window must be loaded again in between.
    pub async fn wipe(&mut self, end: Instant) {
        let (mut turns, mut missing) = (interval(WIPE_INTERVAL), 0);
        turns.tick().await;
        while Instant::now() < end {
            self.command(&["FLUSHALL"]).await;
            turns.tick().await;
            missing = if self.is_loaded().await { 0 } else { missing + 1 };
            if missing >= MAX_WIPES_UNTIL_LOADED {
                self.wrong.push(format!("after {MAX_WIPES_UNTIL_LOADED} wipes the window is not loaded"));
            }
        }
    }

    /// Whether each task in the window has its hint, except those due within two seconds.
    async fn is_loaded(&self) -> bool {
        let (from, until) = (now().plus(2_000).millis(), now().plus(DEFAULT_WINDOW_MS - 10_000).millis());
        let due = format!("{COUNT_SCHEDULED} and due_at between {from} and {until}");
        let wanted = observer::count(self.cluster, &due).await;
        self.hints
            .depth()
            .await
            .is_ok_and(|waiting| i64::try_from(waiting.future).is_ok_and(|all| all >= wanted))
    }

    pub async fn flush_scripts(&mut self, end: Instant) {
        let mut turns = interval(Duration::from_millis(100));
        while Instant::now() < end {
            turns.tick().await;
            self.command(&["SCRIPT", "FLUSH"]).await;
        }
    }

    pub async fn fill(&mut self, policy: &str, end: Instant) {
        self.command(&["CONFIG", "SET", "maxmemory-policy", policy]).await;
        self.command(&["CONFIG", "SET", "maxmemory", "1"]).await;
        if !self.is_reported().await {
            self.wrong.push(format!("no report that Redis is full ({policy})"));
        }
        sleep_until(end).await;
        self.command(&["CONFIG", "SET", "maxmemory", "0"]).await;
        self.command(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]).await;
    }

    /// Whether the engine reports the fault in time.
    async fn is_reported(&self) -> bool {
        let (mut polls, end) = (interval(Duration::from_millis(250)), Instant::now() + REPORT_TIMEOUT);
        while Instant::now() < end {
            polls.tick().await;
            let stats = self.cluster.get("a", "/api/v1/stats").await;
            let is_named = |stats: &str| {
                stats.contains("\"issue\":\"hint_store_") || stats.contains("\"issue\":\"redis_")
            };
            if stats.is_some_and(|(_, stats)| is_named(&stats)) {
                return true;
            }
        }
        false
    }

    pub async fn set_wrong_type(&mut self, end: Instant) {
        let lists: Vec<String> = (0..DEFAULT_BUCKETS)
            .map(|bucket| format!("pt:{{{bucket}}}:publish:{}", Priority::Normal))
            .collect();
        for list in &lists {
            self.command(&["SET", list, "not a list"]).await;
        }
        sleep_until(end).await;
        let _: u64 = self.redis.del(&lists).await.expect("Redis responds");
    }

    /// Adds invalid entries, and hints of cancelled tasks and of tasks that are not due, in past,
    /// current and future versions.
    pub async fn invent_hints(&mut self, end: Instant) {
        let mut turns = interval(Duration::from_millis(100));
        while Instant::now() < end {
            turns.tick().await;
            let mut invalid = pipe();
            for _ in 0..INVALID {
                let (bucket, length) = (self.rng.below(usize::from(DEFAULT_BUCKETS)), self.rng.below(60));
                let bytes: Vec<u8> = (0..length).map(|_| self.rng.below(256) as u8).collect();
                let list = format!("pt:{{{bucket}}}:publish:{}", Priority::Normal);
                invalid.rpush(list, bytes).ignore();
            }
            invalid.exec_async(&mut self.redis).await.expect("Redis accepts it");
            let hints: Vec<Hint> = (0..PLAUSIBLE).map(|_| self.plausible_hint()).collect();
            self.hints.add_due(&hints, now()).await.expect("Redis accepts them");
            self.invented += INVALID + hints.len();
        }
    }

    fn plausible_hint(&self) -> Hint {
        let (task, version) = self.unwanted[self.rng.below(self.unwanted.len())];
        let version = Version((version + self.rng.below(3) as i32 - 1).max(1));
        Hint {
            task,
            version,
            due_at: now(),
            priority: Priority::Normal,
            class: KindClass::Content,
            bucket: bucket_of(task, DEFAULT_BUCKETS),
        }
    }
}
