//! PostgreSQL is unavailable, then locked by another transaction, and Redis hangs, while many tasks
//! are due (F17, F27, F28).

use super::{MAX_LATENESS_MS, start_cluster};
use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now, time_until},
    items, observer,
    results::Results,
    say,
};
use domain::Timestamp;
use std::{process::Command, time::Duration};
use test_support::{Postgres, Proxy, Redis};
use tokio::{
    task::{block_in_place, spawn_blocking},
    time::{Instant, interval, sleep},
};
use uuid::Uuid;

/// Time between two items in milliseconds.
const ITEM_INTERVAL_MS: i64 = 25;
/// Time before the first item in milliseconds, for scheduling.
const LEAD_MS: i64 = 3_000;
/// Maximum recovery time after a lock in milliseconds.
const MAX_RECOVERY_MS: i64 = 10_000;
/// Maximum memory growth of a node during a lock in KiB.
const MAX_GROWTH_KIB: u64 = 50 << 10;
/// Maximum connection attempts of a node per second while the server is down.
const MAX_CONNECTS_PER_SECOND: u64 = 5;
/// Additional attempts at the start: one for each connection that was open.
const INITIAL_CONNECTS: u64 = 20;
/// Minimum number of overdue tasks executed per second.
const MIN_RATE: i64 = 500;
/// Maximum p99 of page times while Redis hangs, or three times the normal p99 on a busy computer.
const MAX_PAGE_TIME: Duration = Duration::from_millis(300);
/// Number of tasks due after the outage, while the overdue ones are executed.
const DUE_AFTER_OUTAGE: usize = 200;

/// Two nodes and their servers.
struct Scenario {
    cluster: Cluster,
    postgres: Postgres,
    proxy: Proxy,
    redis: Redis,
    drafts: Vec<Uuid>,
}

impl Scenario {
    async fn start(drafts: usize) -> Self {
        let (postgres, redis) = (Postgres::start_durable().await, Redis::start().await);
        let proxy = Proxy::to(postgres.port()).await;
        let [there, here] = [postgres.port(), proxy.port()].map(|port| format!(":{port}/"));
        let database = postgres.create_database().replace(&there, &here);
        let (cluster, drafts) = start_cluster(database, redis.url(), None, drafts).await;
        Self { cluster, postgres, proxy, redis, drafts }
    }

    /// Schedules drafts from `base` on at this interval in milliseconds. Returns them with their
    /// due times.
    async fn schedule(&mut self, count: usize, base: Timestamp, interval_ms: f64) -> Vec<(Uuid, Timestamp)> {
        let drafts = self.drafts.split_off(self.drafts.len() - count);
        let later = |index: usize| (index as f64 * interval_ms) as i64;
        let scheduled: Vec<_> =
            drafts.into_iter().enumerate().map(|(index, id)| (id, base.plus(later(index)))).collect();
        self.cluster.schedule_all("a", &scheduled).await;
        scheduled
    }

    /// Returns due time and first publication of each item.
    async fn publications(&self, scheduled: &[(Uuid, Timestamp)]) -> Vec<(Timestamp, Timestamp)> {
        let seen = observer::publications(&self.cluster).await;
        let first = |(id, due): &(Uuid, Timestamp)| Some((*due, *seen.get(&id.to_string())?.first()?));
        scheduled.iter().filter_map(first).collect()
    }

    /// PostgreSQL is down while many tasks become due (F27).
    async fn postgres_down(&mut self) -> Results {
        let (span, count) = (Duration::from_secs(items(8, 600) as u64), items(2_000, 20_000));
        let base = now().plus(LEAD_MS + count as i64);
        let end = base.plus(i64::try_from(span.as_millis()).unwrap());
        let mut scheduled = self.schedule(count, base, end.since(base) as f64 / count as f64).await;
        scheduled.extend(self.schedule(DUE_AFTER_OUTAGE, end, 20.0).await);
        sleep(time_until(base)).await;
        block_in_place(|| self.postgres.stop());
        let before = self.proxy.connection_count();
        sleep(time_until(end)).await;
        let tries = self.proxy.connection_count() - before;
        let ready = self.cluster.get("a", "/readyz").await;
        assert!(matches!(ready, Some((503, _))), "{ready:?}");
        self.postgres.restart().await;
        let restarted = now();
        let results = Results::after(&self.cluster, &scheduled, WAIT_TIMEOUT + span).await;
        let out = self.publications(&scheduled).await;
        let after = |from: Timestamp, until: Timestamp| {
            out.iter().filter(move |(due, at)| *due >= from && *due < until && *at >= restarted)
        };
        let overdue: Vec<Timestamp> = after(base, end).map(|(_, at)| *at).collect();
        let (first, last) = (*overdue.iter().min().unwrap(), *overdue.iter().max().unwrap());
        let rate = overdue.len() as i64 * 1_000 / last.since(first).max(1);
        let new_lateness =
            after(end, end.plus(60_000)).map(|(due, at)| at.since((*due).max(restarted))).max().unwrap();
        say(&format!(
            "PostgreSQL down for {span:?} (F27): {results}; {tries} connection attempts; the first publication {} ms after the \
             restart, {} overdue at {rate} a second; tasks due then at most {new_lateness} ms late",
            first.since(restarted),
            overdue.len(),
        ));
        assert!(
            tries <= 2 * MAX_CONNECTS_PER_SECOND * span.as_secs() + INITIAL_CONNECTS,
            "{tries} connection attempts"
        );
        assert!(
            first.since(restarted) < MAX_LATENESS_MS && rate >= MIN_RATE && new_lateness < MAX_LATENESS_MS,
            "too slow after the restart"
        );
        results
    }

    /// Another transaction locks all tasks (F28).
    async fn tasks_locked(&mut self) -> Results {
        let span = Duration::from_secs(items(4, 30) as u64);
        let millis = i64::try_from(span.as_millis()).unwrap();
        let base = now().plus(LEAD_MS);
        let scheduled =
            self.schedule((millis / ITEM_INTERVAL_MS) as usize, base, ITEM_INTERVAL_MS as f64).await;
        sleep(time_until(base)).await;
        let before = [self.cluster.memory_kib("a"), self.cluster.memory_kib("b")];
        let database = self.cluster.database.clone().unwrap();
        let (name, port) =
            (database.rsplit('/').next().unwrap().to_owned(), self.postgres.port().to_string());
        let locked = spawn_blocking(move || {
            let lock =
                format!("lock table task in access exclusive mode; select pg_sleep({})", span.as_secs());
            let psql =
                ["-q", "-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-d", &name, "-o", "/dev/null"];
            Command::new("psql").args(psql).args(["-c", &lock]).status().unwrap().success()
        });
        assert!(locked.await.unwrap(), "the tasks are locked");
        let end = now();
        let grown = [self.cluster.memory_kib("a"), self.cluster.memory_kib("b")];
        let grown =
            grown.iter().zip(before).map(|(after, before)| after.saturating_sub(before)).max().unwrap();
        let results = Results::after(&self.cluster, &scheduled, WAIT_TIMEOUT).await;
        let last = self
            .publications(&scheduled)
            .await
            .into_iter()
            .map(|(due, at)| at.since(due.max(end)))
            .max()
            .unwrap();
        say(&format!(
            "all tasks locked for {span:?} (F28): {results}; everything published {last} ms after it; {grown} KiB more memory"
        ));
        assert!(last < MAX_RECOVERY_MS && grown < MAX_GROWTH_KIB, "the node does not recover");
        results
    }

    /// Redis hangs while users read pages (F17).
    async fn redis_hangs(&mut self) -> Results {
        let span = Duration::from_secs(items(4, 60) as u64);
        let millis = i64::try_from(span.as_millis()).unwrap();
        let (_, usual) = self.read(span).await;
        let base = now().plus(LEAD_MS);
        let scheduled =
            self.schedule((millis / ITEM_INTERVAL_MS) as usize, base, ITEM_INTERVAL_MS as f64).await;
        sleep(time_until(base)).await;
        self.signal("-STOP");
        let (count, slow) = self.read(span).await;
        self.signal("-CONT");
        let results = Results::after(&self.cluster, &scheduled, WAIT_TIMEOUT).await;
        say(&format!(
            "Redis hangs for {span:?} (F17): {results}; {count} pages, p99 {slow:?}, before {usual:?}"
        ));
        assert!(results.max_lateness_ms() < MAX_LATENESS_MS, "later than {MAX_LATENESS_MS} ms: {results}");
        assert!(slow < MAX_PAGE_TIME.max(3 * usual), "pages wait for Redis: {slow:?}, before {usual:?}");
        results
    }

    /// Reads pages for this time. Returns their number and the p99 of their times.
    async fn read(&self, span: Duration) -> (usize, Duration) {
        let (end, mut turns) = (Instant::now() + span, interval(Duration::from_millis(50)));
        let mut took = Vec::new();
        while Instant::now() < end {
            turns.tick().await;
            let started = Instant::now();
            let answer = self.cluster.get("b", "/api/v1/tasks?limit=50").await;
            assert!(matches!(answer, Some((200, _))), "{answer:?}");
            took.push(started.elapsed());
        }
        took.sort_unstable();
        (took.len(), took[took.len() * 99 / 100])
    }

    fn signal(&self, name: &str) {
        let pid = self.redis.pid().expect("Redis runs").to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_published_after_an_outage_of_a_server() {
    let drafts = items(2_000, 20_000) + DUE_AFTER_OUTAGE + items(160, 1_200) + items(160, 2_400);
    let mut scenario = Scenario::start(drafts).await;
    for results in
        [scenario.postgres_down().await, scenario.tasks_locked().await, scenario.redis_hangs().await]
    {
        assert_eq!(results.violations(), 0, "{results}");
    }
}
