//! Redis loses data, refuses writes and returns wrong data while many tasks are due (F12, F15, F16,
//! F18, F19, F22).

use super::{
    WAIT_TIMEOUT, burst,
    cluster::{Cluster, now, text},
    items,
    observer::{self, COUNT_SCHEDULED, Results},
};
use crate::{rng::Rng, say};
use domain::{Hint, Priority, TaskId, Timestamp, Version};
use futures::{FutureExt, future::BoxFuture};
use presstime::app_state::DEFAULT_WINDOW_MS;
use queue::{DEFAULT_BUCKETS, Hints as _, RedisHints, bucket_of};
use redis::{AsyncCommands as _, aio::MultiplexedConnection, pipe};
use serde_json::json;
use std::time::Duration;
use tokio::time::{Instant, interval, sleep_until};
use uuid::Uuid;

/// Time before the first item in milliseconds, for scheduling: a constant part, and a part for each
/// 100 items.
const LEAD_MS: i64 = 6_000;
const LEAD_PER_100_MS: i64 = 50;
/// Number of items with the same due time.
const GROUP_SIZE: usize = 4;
/// Time between two wipes, and number of wipes after which the window must be loaded again.
const WIPE_INTERVAL: Duration = Duration::from_secs(10);
const MAX_WIPES_UNTIL_LOADED: usize = 3;
/// Maximum time until the engine reports that Redis refuses writes.
const REPORT_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of items that must not be published: half cancelled, half due in an hour.
const UNWANTED: usize = 40;
/// Number of invalid entries and of plausible wrong hints in each tenth of a second: a million in
/// 110 s.
const INVALID: usize = 800;
const PLAUSIBLE: usize = 200;
/// Maximum lateness in milliseconds, whatever Redis does.
const MAX_LATENESS_MS: i64 = 5_000;
/// No limit: a hint behind a million others on shared processors may take any time.
const NO_LIMIT: i64 = i64::MAX;

/// Injects a fault until the given time.
type Inject = for<'r> fn(&'r mut Injector<'_>, Instant) -> BoxFuture<'r, ()>;

/// A fault of Redis.
struct Fault {
    name: &'static str,
    /// Duration in seconds; in a long run at least 60.
    seconds: u64,
    /// Time between two items in milliseconds.
    interval_ms: i64,
    /// Maximum lateness in milliseconds.
    max_lateness_ms: i64,
    inject: Inject,
}

/// The other faults take their defaults from this one.
const FLUSHES_SCRIPTS: Fault = Fault {
    name: "loses its scripts",
    seconds: 5,
    interval_ms: 25,
    max_lateness_ms: MAX_LATENESS_MS,
    inject: |injector, end| injector.flush_scripts(end).boxed(),
};
const EVICTS: Fault = Fault {
    name: "is full and evicts",
    inject: |injector, end| injector.fill("allkeys-random", end).boxed(),
    ..FLUSHES_SCRIPTS
};
const WRONG_TYPE: Fault = Fault {
    name: "has strings in place of lists",
    inject: |injector, end| injector.set_wrong_type(end).boxed(),
    ..FLUSHES_SCRIPTS
};
const IS_FULL: Fault = Fault {
    name: "is full",
    seconds: 60,
    inject: |injector, end| injector.fill("noeviction", end).boxed(),
    ..FLUSHES_SCRIPTS
};
const INVENTS: Fault = Fault {
    name: "invents hints",
    seconds: 110,
    max_lateness_ms: NO_LIMIT,
    inject: |injector, end| injector.invent_hints(end).boxed(),
    ..FLUSHES_SCRIPTS
};
const LOSES_DATA: Fault = Fault {
    name: "loses all data",
    seconds: 300,
    interval_ms: 6,
    inject: |injector, end| injector.wipe(end).boxed(),
    ..FLUSHES_SCRIPTS
};

impl Fault {
    fn duration(&self) -> Duration {
        let seconds = usize::try_from(self.seconds).unwrap();
        Duration::from_secs(items(seconds, seconds.max(60)) as u64)
    }

    fn items(&self) -> usize {
        usize::try_from(self.span() / self.interval_ms).unwrap()
    }

    fn span(&self) -> i64 {
        i64::try_from(self.duration().as_millis()).unwrap()
    }
}

/// Injects faults into the Redis of a cluster.
struct Injector<'a> {
    cluster: &'a Cluster,
    redis: MultiplexedConnection,
    hints: RedisHints,
    /// Tasks that must not be executed, with their versions.
    unwanted: Vec<(TaskId, i32)>,
    rng: Rng,
    invented: usize,
    /// Violations found during the faults.
    wrong: Vec<String>,
}

impl<'a> Injector<'a> {
    async fn connect(cluster: &'a Cluster, unwanted: Vec<(TaskId, i32)>) -> Self {
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
    async fn wipe(&mut self, end: Instant) {
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
        let wanted = observer::count(self.cluster, "a", &due).await;
        self.hints
            .depth()
            .await
            .is_ok_and(|waiting| i64::try_from(waiting.future).is_ok_and(|all| all >= wanted))
    }

    async fn flush_scripts(&mut self, end: Instant) {
        let mut turns = interval(Duration::from_millis(100));
        while Instant::now() < end {
            turns.tick().await;
            self.command(&["SCRIPT", "FLUSH"]).await;
        }
    }

    async fn fill(&mut self, policy: &str, end: Instant) {
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

    async fn set_wrong_type(&mut self, end: Instant) {
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
    async fn invent_hints(&mut self, end: Instant) {
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
            bucket: bucket_of(task, DEFAULT_BUCKETS),
        }
    }
}

/// Schedules drafts in one request and returns the tasks.
async fn schedule(cluster: &Cluster, items: impl Iterator<Item = (&Uuid, Timestamp)>) -> Vec<TaskId> {
    let task = |(id, due): (&Uuid, Timestamp)| json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
    let made = cluster.post("a", "/tasks/bulk", &json!({"items": items.map(task).collect::<Vec<_>>()})).await;
    let all = made["items"].as_array().expect("the tasks");
    all.iter().map(|task| text(&task["id"]).parse().expect("an id")).collect()
}

/// Creates tasks that must not be executed: cancelled, or due in an hour.
async fn unwanted(cluster: &Cluster, drafts: &[Uuid], due: Timestamp) -> Vec<(TaskId, i32)> {
    let far = now().plus(3_600_000);
    let (cancelled, early) = drafts.split_at(drafts.len() / 2);
    let mut all: Vec<_> = schedule(cluster, cancelled.iter().map(|id| (id, due)))
        .await
        .into_iter()
        .map(|task| (task, 2))
        .collect();
    for (task, _) in &all {
        cluster.post("a", &format!("/tasks/{task}/cancel"), &json!({"seen_version": 1})).await;
    }
    all.extend(schedule(cluster, early.iter().map(|id| (id, far))).await.into_iter().map(|task| (task, 1)));
    all
}

/// Runs these faults one after the other on two nodes.
async fn run_scenario(mutant: Option<&str>, faults: &[Fault]) -> Results {
    let wanted: usize = faults.iter().map(Fault::items).sum();
    let postgres = test_support::postgres().await;
    let cluster =
        Cluster::open(Some(postgres.create_database()), Some(test_support::Redis::start().await), "a").await;
    observer::install(&cluster, "a").await;
    let mutant: Vec<_> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    let drafts = burst::create_drafts(&cluster, wanted + UNWANTED).await;
    for name in ["a", "b"] {
        cluster.start(name, &[], &mutant).await;
    }
    let base = now().plus(LEAD_MS + LEAD_PER_100_MS * i64::try_from(wanted / 100).unwrap());
    let (drafts, rest) = drafts.split_at(wanted);
    let due_times = due_times(faults, base);
    let end = *due_times.last().unwrap();
    let scheduled: Vec<(Uuid, Timestamp)> = drafts.iter().copied().zip(due_times).collect();
    burst::schedule(&cluster, &scheduled).await;
    let mut injector = Injector::connect(&cluster, unwanted(&cluster, rest, end).await).await;
    assert!(now() < base, "void: scheduling took until the first was due");
    let mut ends = Instant::now() + burst::time_until(base);
    for fault in faults {
        sleep_until(ends).await;
        ends += fault.duration();
        (fault.inject)(&mut injector, ends).await;
    }
    let due = format!("{COUNT_SCHEDULED} and due_at < {}", now().plus(60_000).millis());
    observer::wait_for_count(&cluster, "a", &due, 0, WAIT_TIMEOUT).await;
    let (wrong, invented) = (injector.wrong, injector.invented);
    let mut results = evaluate(&cluster, &scheduled, rest, faults).await;
    wrong.into_iter().for_each(|what| results.add_wrong(what));
    say(&format!("Redis faults (F12 F15 F16 F18 F19 F22): {results}; {invented} hints invented"));
    results
}

/// Returns the due times of all items, at the interval of each fault.
fn due_times(faults: &[Fault], base: Timestamp) -> Vec<Timestamp> {
    let (mut all, mut begins) = (Vec::new(), base);
    for one in faults {
        let due = |index: usize| {
            begins.plus(i64::try_from(index / GROUP_SIZE * GROUP_SIZE).unwrap() * one.interval_ms)
        };
        all.extend((0..one.items()).map(due));
        begins = begins.plus(one.span());
    }
    all
}

async fn evaluate(
    cluster: &Cluster,
    scheduled: &[(Uuid, Timestamp)],
    unwanted: &[Uuid],
    faults: &[Fault],
) -> Results {
    let (out, mut all, mut rest) = (observer::changes(cluster, "a").await, Results::default(), scheduled);
    let times = |id: &Uuid| -> Vec<_> {
        out.get(&id.to_string()).into_iter().flatten().map(|seen| seen.at).collect()
    };
    for one in faults {
        let (part, later) = rest.split_at(one.items());
        let mut results = Results::default();
        for (id, due) in part {
            results.add(one.name, Some(*due), &times(id));
            all.add(one.name, Some(*due), &times(id));
        }
        say(&format!("  Redis {}: {results}", one.name));
        if results.max_lateness_ms() >= one.max_lateness_ms {
            all.add_wrong(format!("Redis {}: later than {} ms", one.name, one.max_lateness_ms));
        }
        rest = later;
    }
    for id in unwanted {
        all.add("cancelled, or due in an hour", None, &times(id));
    }
    all
}

/// Runs the faults with the normal build: nothing may be lost, double, early, wrong or too late.
async fn check(faults: &[Fault]) {
    let results = run_scenario(None, faults).await;
    assert_eq!(results.violations(), 0, "{results}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_loses_all_data_delays_nothing() {
    check(&[LOSES_DATA]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_published_once_and_in_time_whatever_redis_does() {
    let mutant = run_scenario(Some("popped-means-allowed"), &[Fault { seconds: 3, ..INVENTS }]).await;
    assert!(mutant.wrong > 0, "void: executions of invented hints are not detected: {mutant}");
    // Faults with error responses come last: they open the circuit breaker for 5 s.
    check(&[FLUSHES_SCRIPTS, INVENTS, IS_FULL, EVICTS, WRONG_TYPE]).await;
}
