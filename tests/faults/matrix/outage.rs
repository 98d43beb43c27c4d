//! PostgreSQL is away for long, then locked by somebody else, and Redis stands still, while much is due (F17, F27, F28).

use super::{
    PATIENCE,
    hall::{Hall, now},
    herd, items,
    watch::{self, Sheet},
};
use crate::say;
use domain::Timestamp;
use rig::{Postgres, Proxy, Redis};
use std::{process::Command, time::Duration};
use tokio::{
    task::{block_in_place, spawn_blocking},
    time::{Instant, interval, sleep},
};
use uuid::Uuid;

/// Two items are so far apart, milliseconds.
const APART: i64 = 25;
/// Before the first item, milliseconds: what is planned is planned by then.
const AHEAD: i64 = 3_000;
/// Longer than anything may be late, milliseconds.
const LATE: i64 = 5_000;
/// So long after a lock everything goes as before, milliseconds.
const RECOVERS: i64 = 10_000;
/// So much more memory a node may have after a lock, KiB.
const GROWS: u64 = 50 << 10;
/// So many connections a second may a node try to open while there is no server.
const TRIES: u64 = 5;
/// Each connection there was may be tried once at the beginning.
const AT_FIRST: u64 = 20;
/// At least so many a second go out of what has become overdue.
const PACE: i64 = 500;
/// 99 of 100 pages come within this while Redis stands still, or within three times what they take without that on a machine that
/// others keep busy.
const QUICK: Duration = Duration::from_millis(300);
/// Due after an outage, while what has become overdue goes out.
const FRESH: usize = 200;

/// Two nodes and what they stand on.
struct Ordeal {
    hall: Hall,
    postgres: Postgres,
    way: Proxy,
    redis: Redis,
    drafts: Vec<Uuid>,
}

impl Ordeal {
    async fn start(drafts: usize) -> Self {
        let (postgres, redis) = (Postgres::start_durable().await, Redis::start().await);
        let way = Proxy::to(postgres.port()).await;
        let [there, here] = [postgres.port(), way.port()].map(|port| format!(":{port}/"));
        let database = postgres.fresh_database().replace(&there, &here);
        let (hall, drafts) = herd::gather(database, redis.url(), None, drafts).await;
        Self { hall, postgres, way, redis, drafts }
    }

    /// Plans so many drafts, the first for `base`, each so much later; waits until then.
    async fn plan(&mut self, count: usize, base: Timestamp, apart: f64) -> Vec<(Uuid, Timestamp)> {
        let drafts = self.drafts.split_off(self.drafts.len() - count);
        let later = |place: usize| (place as f64 * apart) as i64;
        let planned: Vec<_> =
            drafts.into_iter().enumerate().map(|(place, id)| (id, base.plus(later(place)))).collect();
        herd::plan(&self.hall, &planned).await;
        assert!(now() < base, "void: planning took until the first was due");
        planned
    }

    /// When each of these went out first.
    async fn out(&self, planned: &[(Uuid, Timestamp)]) -> Vec<(Timestamp, Timestamp)> {
        let seen = watch::seen(&self.hall, "a").await;
        let first = |(id, due): &(Uuid, Timestamp)| Some((*due, seen.get(&id.to_string())?.first()?.at));
        planned.iter().filter_map(first).collect()
    }

    /// PostgreSQL is away while much becomes due (F27).
    async fn away(&mut self) -> Sheet {
        let (span, count) = (Duration::from_secs(items(8, 600) as u64), items(2_000, 20_000));
        let base = now().plus(AHEAD + count as i64);
        let end = base.plus(i64::try_from(span.as_millis()).unwrap());
        let mut planned = self.plan(count, base, end.since(base) as f64 / count as f64).await;
        planned.extend(self.plan(FRESH, end, 20.0).await);
        sleep(herd::ahead(base)).await;
        block_in_place(|| self.postgres.stop());
        let before = self.way.taken();
        sleep(herd::ahead(end)).await;
        let tries = self.way.taken() - before;
        let told = self.hall.get("a", "/readyz").await;
        assert!(matches!(told, Some((503, _))), "{told:?}");
        self.postgres.start_again().await;
        let back = now();
        let sheet = herd::judge(&self.hall, &planned, PATIENCE + span).await;
        let out = self.out(&planned).await;
        let after = |from: Timestamp, until: Timestamp| {
            out.iter().filter(move |(due, at)| *due >= from && *due < until && *at >= back)
        };
        let overdue: Vec<Timestamp> = after(base, end).map(|(_, at)| *at).collect();
        let (first, last) = (*overdue.iter().min().unwrap(), *overdue.iter().max().unwrap());
        let pace = overdue.len() as i64 * 1_000 / last.since(first).max(1);
        let fresh = after(end, end.plus(60_000)).map(|(due, at)| at.since((*due).max(back))).max().unwrap();
        say(&format!(
            "PostgreSQL away for {span:?} (F27): {sheet}; {tries} connections tried meanwhile; the first out {} ms after it was \
             back, {} overdue at {pace} a second; what was due then at most {fresh} ms late",
            first.since(back),
            overdue.len(),
        ));
        assert!(tries <= 2 * TRIES * span.as_secs() + AT_FIRST, "{tries} connections tried");
        assert!(first.since(back) < LATE && pace >= PACE && fresh < LATE, "too slow when it was back");
        sheet
    }

    /// Somebody else locks all tasks (F28).
    async fn locked(&mut self) -> Sheet {
        let span = Duration::from_secs(items(4, 30) as u64);
        let millis = i64::try_from(span.as_millis()).unwrap();
        let base = now().plus(AHEAD);
        let planned = self.plan((millis / APART) as usize, base, APART as f64).await;
        sleep(herd::ahead(base)).await;
        let before = [self.hall.resident("a").await, self.hall.resident("b").await];
        let database = self.hall.database.clone().unwrap();
        let (name, port) =
            (database.rsplit('/').next().unwrap().to_owned(), self.postgres.port().to_string());
        let locked = spawn_blocking(move || {
            let lock =
                format!("lock table task in access exclusive mode; select pg_sleep({})", span.as_secs());
            let psql =
                ["-q", "-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-d", &name, "-o", "/dev/null"];
            Command::new("psql").args(psql).args(["-c", &lock]).status().unwrap().success()
        });
        assert!(locked.await.unwrap(), "it is locked");
        let end = now();
        let grown = [self.hall.resident("a").await, self.hall.resident("b").await];
        let grown =
            grown.iter().zip(before).map(|(after, before)| after.saturating_sub(before)).max().unwrap();
        let sheet = herd::judge(&self.hall, &planned, PATIENCE).await;
        let last =
            self.out(&planned).await.into_iter().map(|(due, at)| at.since(due.max(end))).max().unwrap();
        say(&format!(
            "all tasks locked for {span:?} (F28): {sheet}; {last} ms after it all was out; {grown} KiB more memory"
        ));
        assert!(last < RECOVERS && grown < GROWS, "it does not recover");
        sheet
    }

    /// Redis stands still, and people read (F17).
    async fn frozen(&mut self) -> Sheet {
        let span = Duration::from_secs(items(4, 60) as u64);
        let millis = i64::try_from(span.as_millis()).unwrap();
        let (_, usual) = self.read(span).await;
        let base = now().plus(AHEAD);
        let planned = self.plan((millis / APART) as usize, base, APART as f64).await;
        sleep(herd::ahead(base)).await;
        self.signal("-STOP");
        let (count, slow) = self.read(span).await;
        self.signal("-CONT");
        let sheet = herd::judge(&self.hall, &planned, PATIENCE).await;
        say(&format!(
            "Redis stands still for {span:?} (F17): {sheet}; of {count} pages 99 % within {slow:?}, before it within {usual:?}"
        ));
        assert!(sheet.worst() < LATE, "later than {LATE} ms: {sheet}");
        assert!(slow < QUICK.max(3 * usual), "whoever reads waits for Redis: {slow:?}, before {usual:?}");
        sheet
    }

    /// Reads pages for so long: how many, and how soon 99 of 100 came.
    async fn read(&self, span: Duration) -> (usize, Duration) {
        let (end, mut turns) = (Instant::now() + span, interval(Duration::from_millis(50)));
        let mut took = Vec::new();
        while Instant::now() < end {
            turns.tick().await;
            let asked = Instant::now();
            let answer = self.hall.get("b", "/api/v1/tasks?limit=50").await;
            assert!(matches!(answer, Some((200, _))), "{answer:?}");
            took.push(asked.elapsed());
        }
        took.sort_unstable();
        (took.len(), took[took.len() * 99 / 100])
    }

    fn signal(&self, name: &str) {
        let pid = self.redis.pid().expect("it runs").to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_long_a_server_is_away_all_goes_out_once_it_is_back() {
    let drafts = items(2_000, 20_000) + FRESH + items(160, 1_200) + items(160, 2_400);
    let mut ordeal = Ordeal::start(drafts).await;
    for sheet in [ordeal.away().await, ordeal.locked().await, ordeal.frozen().await] {
        assert_eq!(sheet.bad(), 0, "{sheet}");
    }
}
