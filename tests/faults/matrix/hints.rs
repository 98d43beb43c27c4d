//! A Redis that forgets, refuses and lies while much is due (F12, F15, F16, F18, F19, F22).

use super::{
    PATIENCE,
    hall::{Hall, now, text},
    herd, items,
    watch::{self, Sheet, WAITING},
};
use crate::{dice::Dice, say};
use domain::{Hint, Lane, TaskId, Timestamp, Version};
use futures::{FutureExt, future::BoxFuture};
use presstime::parts::WINDOW_MS;
use queue::{BUCKETS, Hints as _, RedisHints, bucket_of};
use redis::{AsyncCommands as _, aio::MultiplexedConnection, pipe};
use serde_json::json;
use std::time::Duration;
use tokio::time::{Instant, interval, sleep_until};
use uuid::Uuid;

/// Before the first item, milliseconds, and for each hundred that are planned so many milliseconds more: by then all are.
const AHEAD: i64 = 6_000;
const HUNDRED: i64 = 50;
/// So many are due at one instant.
const TOGETHER: usize = 4;
/// Between two wipes, and after how many all that is due in the window is loaded again at the latest.
const WIPES_APART: Duration = Duration::from_secs(10);
const LOADED_AFTER: usize = 3;
/// Longer than the engine may take to say that Redis takes nothing more.
const TOLD: Duration = Duration::from_secs(10);
/// Items that must not go out: half of them cancelled, half due in an hour.
const UNWANTED: usize = 40;
/// What is invented each tenth of a second: nonsense, and hints that might be. In 110 seconds a million, a busy machine's pauses counted in.
const NONSENSE: usize = 800;
const LIKELY: usize = 200;
/// Longer than the engine may take for whatever Redis does, milliseconds.
const LATE: i64 = 5_000;
/// What stands in a row with a million others, on processors that others use, too, comes when it comes.
const BUSY: i64 = i64::MAX;

/// What Redis does, until then.
type Deed = for<'r> fn(&'r mut Liar<'_>, Instant) -> BoxFuture<'r, ()>;

/// What Redis does, for how many seconds (in a long run at least a minute), and how many milliseconds apart the items are meanwhile.
struct Misfortune {
    what: &'static str,
    seconds: u64,
    apart: i64,
    /// None may be later, milliseconds.
    late: i64,
    deed: Deed,
}

/// Most of them are as brief, and ask as much, as this one.
const FORGETS_SCRIPTS: Misfortune = Misfortune {
    what: "forgets its scripts",
    seconds: 5,
    apart: 25,
    late: LATE,
    deed: |liar, end| liar.forgets_scripts(end).boxed(),
};
const EVICTS: Misfortune = Misfortune {
    what: "is full and evicts",
    deed: |liar, end| liar.is_full("allkeys-random", end).boxed(),
    ..FORGETS_SCRIPTS
};
const HOLDS_TEXTS: Misfortune = Misfortune {
    what: "holds texts where lists were",
    deed: |liar, end| liar.holds_texts(end).boxed(),
    ..FORGETS_SCRIPTS
};
const IS_FULL: Misfortune = Misfortune {
    what: "is full",
    seconds: 60,
    deed: |liar, end| liar.is_full("noeviction", end).boxed(),
    ..FORGETS_SCRIPTS
};
const INVENTS: Misfortune = Misfortune {
    what: "invents hints",
    seconds: 110,
    late: BUSY,
    deed: |liar, end| liar.invents(end).boxed(),
    ..FORGETS_SCRIPTS
};
const FORGETS: Misfortune = Misfortune {
    what: "forgets everything",
    seconds: 300,
    apart: 6,
    deed: |liar, end| liar.forgets(end).boxed(),
    ..FORGETS_SCRIPTS
};

impl Misfortune {
    fn reign(&self) -> Duration {
        let seconds = usize::try_from(self.seconds).unwrap();
        Duration::from_secs(items(seconds, seconds.max(60)) as u64)
    }

    fn items(&self) -> usize {
        usize::try_from(self.span() / self.apart).unwrap()
    }

    fn span(&self) -> i64 {
        i64::try_from(self.reign().as_millis()).unwrap()
    }
}

/// Somebody at the Redis of a desk who means ill.
struct Liar<'a> {
    hall: &'a Hall,
    redis: MultiplexedConnection,
    hints: RedisHints,
    /// What must not go out, and the versions there are of it.
    unwanted: Vec<(TaskId, i32)>,
    dice: Dice,
    invented: usize,
    /// What it found wrong while it was at it.
    wrong: Vec<String>,
}

impl<'a> Liar<'a> {
    async fn at(hall: &'a Hall, unwanted: Vec<(TaskId, i32)>) -> Self {
        let url = hall.redis_url.as_deref().unwrap();
        let client = redis::Client::open(url).unwrap();
        let redis = client.get_multiplexed_async_connection().await.unwrap();
        let hints = RedisHints::new(url, "pt", BUCKETS).unwrap();
        Self { hall, redis, hints, unwanted, dice: Dice::new(22), invented: 0, wrong: Vec::new() }
    }

    async fn tell(&mut self, words: &[&str]) {
        let told: String =
            redis::cmd(words[0]).arg(&words[1..]).query_async(&mut self.redis).await.expect("Redis answers");
        assert_eq!(told, "OK", "{words:?}");
    }

    /// Everything, each ten seconds; meanwhile the window must be loaded again.
    async fn forgets(&mut self, end: Instant) {
        let (mut turns, mut missing) = (interval(WIPES_APART), 0);
        turns.tick().await;
        while Instant::now() < end {
            self.tell(&["FLUSHALL"]).await;
            turns.tick().await;
            missing = if self.is_loaded().await { 0 } else { missing + 1 };
            if missing >= LOADED_AFTER {
                self.wrong.push(format!("after {LOADED_AFTER} wipes what is due soon is not loaded yet"));
            }
        }
    }

    /// Whether each task that is due in the window, but for the next two seconds, has its hint.
    async fn is_loaded(&self) -> bool {
        let (from, until) = (now().plus(2_000).millis(), now().plus(WINDOW_MS - 10_000).millis());
        let due = format!("{WAITING} and due_at between {from} and {until}");
        let wanted = watch::count(self.hall, "a", &due).await;
        self.hints
            .waiting()
            .await
            .is_ok_and(|waiting| i64::try_from(waiting.future).is_ok_and(|all| all >= wanted))
    }

    async fn forgets_scripts(&mut self, end: Instant) {
        let mut turns = interval(Duration::from_millis(100));
        while Instant::now() < end {
            turns.tick().await;
            self.tell(&["SCRIPT", "FLUSH"]).await;
        }
    }

    async fn is_full(&mut self, policy: &str, end: Instant) {
        self.tell(&["CONFIG", "SET", "maxmemory-policy", policy]).await;
        self.tell(&["CONFIG", "SET", "maxmemory", "1"]).await;
        if !self.is_told_of().await {
            self.wrong.push(format!("no page says that Redis is full ({policy})"));
        }
        sleep_until(end).await;
        self.tell(&["CONFIG", "SET", "maxmemory", "0"]).await;
        self.tell(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]).await;
    }

    /// Whether something is said of it soon enough.
    async fn is_told_of(&self) -> bool {
        let (mut looks, end) = (interval(Duration::from_millis(250)), Instant::now() + TOLD);
        while Instant::now() < end {
            looks.tick().await;
            let stats = self.hall.get("a", "/api/v1/stats").await;
            if stats.is_some_and(|(_, stats)| stats.contains("\"weather\":\"hints")) {
                return true;
            }
        }
        false
    }

    async fn holds_texts(&mut self, end: Instant) {
        let lists: Vec<String> =
            (0..BUCKETS).map(|bucket| format!("pt:{{{bucket}}}:publish:{}", Lane::Normal)).collect();
        for list in &lists {
            self.tell(&["SET", list, "no list"]).await;
        }
        sleep_until(end).await;
        let _: u64 = self.redis.del(&lists).await.expect("Redis answers");
    }

    /// Nonsense, and hints of what was cancelled or is not due, in versions that are, were and will be.
    async fn invents(&mut self, end: Instant) {
        let mut turns = interval(Duration::from_millis(100));
        while Instant::now() < end {
            turns.tick().await;
            let mut nonsense = pipe();
            for _ in 0..NONSENSE {
                let (bucket, length) = (self.dice.below(usize::from(BUCKETS)), self.dice.below(60));
                let bytes: Vec<u8> = (0..length).map(|_| self.dice.below(256) as u8).collect();
                let list = format!("pt:{{{bucket}}}:publish:{}", Lane::Normal);
                nonsense.rpush(list, bytes).ignore();
            }
            nonsense.exec_async(&mut self.redis).await.expect("Redis takes it");
            let hints: Vec<Hint> = (0..LIKELY).map(|_| self.likely()).collect();
            self.hints.add_due(&hints, now()).await.expect("Redis takes them");
            self.invented += NONSENSE + hints.len();
        }
    }

    fn likely(&self) -> Hint {
        let (task, version) = self.unwanted[self.dice.below(self.unwanted.len())];
        let version = Version((version + self.dice.below(3) as i32 - 1).max(1));
        Hint { task, version, due_at: now(), lane: Lane::Normal, bucket: bucket_of(task, BUCKETS) }
    }
}

/// Plans drafts, in one request: the tasks.
async fn plan(hall: &Hall, items: impl Iterator<Item = (&Uuid, Timestamp)>) -> Vec<TaskId> {
    let task = |(id, due): (&Uuid, Timestamp)| json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
    let made = hall.have("a", "/tasks/bulk", &json!({"items": items.map(task).collect::<Vec<_>>()})).await;
    let all = made["items"].as_array().expect("the tasks");
    all.iter().map(|task| text(&task["id"]).parse().expect("an identity")).collect()
}

/// What must not go out: cancelled, or not due yet.
async fn unwanted(hall: &Hall, drafts: &[Uuid], due: Timestamp) -> Vec<(TaskId, i32)> {
    let far = now().plus(3_600_000);
    let (cancelled, early) = drafts.split_at(drafts.len() / 2);
    let mut all: Vec<_> =
        plan(hall, cancelled.iter().map(|id| (id, due))).await.into_iter().map(|task| (task, 2)).collect();
    for (task, _) in &all {
        hall.have("a", &format!("/tasks/{task}/cancel"), &json!({"seen_version": 1})).await;
    }
    all.extend(plan(hall, early.iter().map(|id| (id, far))).await.into_iter().map(|task| (task, 1)));
    all
}

/// Plays these misfortunes one after the other over two nodes.
async fn play(mutant: Option<&str>, misfortunes: &[Misfortune]) -> Sheet {
    let wanted: usize = misfortunes.iter().map(Misfortune::items).sum();
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(rig::Redis::start().await), "a").await;
    watch::watch(&hall, "a").await;
    let mutant: Vec<_> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    let drafts = herd::write(&hall, wanted + UNWANTED).await;
    for name in ["a", "b"] {
        hall.start(name, &[], &mutant).await;
    }
    let base = now().plus(AHEAD + HUNDRED * i64::try_from(wanted / 100).unwrap());
    let (drafts, rest) = drafts.split_at(wanted);
    let moments = moments(misfortunes, base);
    let end = *moments.last().unwrap();
    let planned: Vec<(Uuid, Timestamp)> = drafts.iter().copied().zip(moments).collect();
    herd::plan(&hall, &planned).await;
    let mut liar = Liar::at(&hall, unwanted(&hall, rest, end).await).await;
    assert!(now() < base, "void: planning took until the first was due");
    let mut ends = Instant::now() + herd::ahead(base);
    for misfortune in misfortunes {
        sleep_until(ends).await;
        ends += misfortune.reign();
        (misfortune.deed)(&mut liar, ends).await;
    }
    let due = format!("{WAITING} and due_at < {}", now().plus(60_000).millis());
    watch::until(&hall, "a", &due, 0, PATIENCE).await;
    let (wrong, invented) = (liar.wrong, liar.invented);
    let mut sheet = judge(&hall, &planned, rest, misfortunes).await;
    wrong.into_iter().for_each(|what| sheet.wrong(what));
    say(&format!(
        "a Redis that forgets, refuses and lies (F12 F15 F16 F18 F19 F22): {sheet}; {invented} hints invented"
    ));
    sheet
}

/// When the items are due, as dense as each of the misfortunes says.
fn moments(misfortunes: &[Misfortune], base: Timestamp) -> Vec<Timestamp> {
    let (mut all, mut begins) = (Vec::new(), base);
    for one in misfortunes {
        let due = |place: usize| begins.plus(i64::try_from(place / TOGETHER * TOGETHER).unwrap() * one.apart);
        all.extend((0..one.items()).map(due));
        begins = begins.plus(one.span());
    }
    all
}

async fn judge(
    hall: &Hall,
    planned: &[(Uuid, Timestamp)],
    unwanted: &[Uuid],
    misfortunes: &[Misfortune],
) -> Sheet {
    let (out, mut all, mut rest) = (watch::seen(hall, "a").await, Sheet::default(), planned);
    let times = |id: &Uuid| -> Vec<_> {
        out.get(&id.to_string()).into_iter().flatten().map(|seen| seen.at).collect()
    };
    for one in misfortunes {
        let (part, later) = rest.split_at(one.items());
        let mut sheet = Sheet::default();
        for (id, due) in part {
            sheet.judge(one.what, Some(*due), &times(id));
            all.judge(one.what, Some(*due), &times(id));
        }
        say(&format!("  Redis {}: {sheet}", one.what));
        if sheet.worst() >= one.late {
            all.wrong(format!("Redis {}: later than {} ms", one.what, one.late));
        }
        rest = later;
    }
    for id in unwanted {
        all.judge("cancelled, or due in an hour", None, &times(id));
    }
    all
}

/// Over the program as it is built: nothing is lost, doubled, early or wrong, or later than it may be.
async fn holds(misfortunes: &[Misfortune]) {
    let sheet = play(None, misfortunes).await;
    assert_eq!(sheet.bad(), 0, "{sheet}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_forgets_everything_delays_nothing() {
    holds(&[FORGETS]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_redis_does_all_goes_out_once_and_soon() {
    let bad = play(Some("popped-means-allowed"), &[Misfortune { seconds: 3, ..INVENTS }]).await;
    assert!(bad.wrong > 0, "void: nobody notices what was invented and went out: {bad}");
    // What is answered with errors comes last: a Redis that errs is left alone for 5 s.
    holds(&[FORGETS_SCRIPTS, INVENTS, IS_FULL, EVICTS, HOLDS_TEXTS]).await;
}
