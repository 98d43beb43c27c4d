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
use queue::{BUCKETS, Hints as _, RedisHints, bucket_of};
use redis::{AsyncCommands as _, aio::MultiplexedConnection, pipe};
use serde_json::json;
use std::time::Duration;
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep_until},
};
use uuid::Uuid;

/// Two items are so far apart, milliseconds.
const APART: i64 = 25;
/// Before the first item, milliseconds: what is planned is planned by then.
const AHEAD: i64 = 6_000;
/// Items that must not go out: half of them cancelled, half due in an hour.
const UNWANTED: usize = 40;
/// Longer than the engine may take for whatever Redis does, milliseconds.
const LATE: i64 = 5_000;

/// What Redis does, for how long it does it.
type Misfortune = for<'r> fn(&'r mut Liar, Instant) -> BoxFuture<'r, ()>;

/// What is answered with errors comes last: a Redis that errs is left alone for 5 s.
const MISFORTUNES: [(&str, Misfortune); 6] = [
    ("forgets everything each second", |liar, end| liar.forgets(end).boxed()),
    ("forgets its scripts", |liar, end| liar.forgets_scripts(end).boxed()),
    ("invents hints", |liar, end| liar.invents(end).boxed()),
    ("is full", |liar, end| liar.is_full("noeviction", end).boxed()),
    ("is full and evicts", |liar, end| liar.is_full("allkeys-random", end).boxed()),
    ("holds texts where lists were", |liar, end| liar.holds_texts(end).boxed()),
];

/// Somebody at the Redis of a desk who means ill.
struct Liar {
    redis: MultiplexedConnection,
    hints: RedisHints,
    /// What must not go out, and the versions there are of it.
    unwanted: Vec<(TaskId, i32)>,
    dice: Dice,
    invented: usize,
}

impl Liar {
    async fn at(hall: &Hall, unwanted: Vec<(TaskId, i32)>) -> Self {
        let url = hall.redis_url.as_deref().unwrap();
        let client = redis::Client::open(url).unwrap();
        let redis = client.get_multiplexed_async_connection().await.unwrap();
        let hints = RedisHints::new(url, "pt", BUCKETS).unwrap();
        Self { redis, hints, unwanted, dice: Dice::new(22), invented: 0 }
    }

    async fn tell(&mut self, words: &[&str]) {
        let told: String =
            redis::cmd(words[0]).arg(&words[1..]).query_async(&mut self.redis).await.expect("Redis answers");
        assert_eq!(told, "OK", "{words:?}");
    }

    async fn again_and_again(&mut self, words: &[&str], every: Duration, end: Instant) {
        let mut turns = interval(every);
        while Instant::now() < end {
            turns.tick().await;
            self.tell(words).await;
        }
    }

    async fn forgets(&mut self, end: Instant) {
        self.again_and_again(&["FLUSHALL"], Duration::from_secs(1), end).await;
    }

    async fn forgets_scripts(&mut self, end: Instant) {
        self.again_and_again(&["SCRIPT", "FLUSH"], Duration::from_millis(100), end).await;
    }

    async fn is_full(&mut self, policy: &str, end: Instant) {
        self.tell(&["CONFIG", "SET", "maxmemory-policy", policy]).await;
        self.tell(&["CONFIG", "SET", "maxmemory", "1"]).await;
        sleep_until(end).await;
        self.tell(&["CONFIG", "SET", "maxmemory", "0"]).await;
        self.tell(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]).await;
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
        let (mut turns, most) = (interval(Duration::from_millis(100)), items(1_000, 2_000));
        while Instant::now() < end {
            turns.tick().await;
            let mut nonsense = pipe();
            for _ in 0..most {
                let (bucket, length) = (self.dice.below(usize::from(BUCKETS)), self.dice.below(60));
                let bytes: Vec<u8> = (0..length).map(|_| self.dice.below(256) as u8).collect();
                let list = format!("pt:{{{bucket}}}:publish:{}", Lane::Normal);
                nonsense.rpush(list, bytes).ignore();
            }
            nonsense.exec_async(&mut self.redis).await.expect("Redis takes it");
            let hints: Vec<Hint> = (0..most / 4).map(|_| self.likely()).collect();
            self.hints.add_due(&hints, now()).await.expect("Redis takes them");
            self.invented += most + hints.len();
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
async fn play(mutant: Option<&str>, misfortunes: &[(&str, Misfortune)]) -> Sheet {
    let reign = Duration::from_secs(items(3, 60) as u64);
    let span = i64::try_from(reign.as_millis()).unwrap();
    let wanted = usize::try_from(span * misfortunes.len() as i64 / APART).unwrap();
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(rig::Redis::start().await), "a").await;
    watch::watch(&hall, "a").await;
    let mutant: Vec<_> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    let drafts = herd::write(&hall, wanted + UNWANTED).await;
    for name in ["a", "b"] {
        hall.start(name, &[], &mutant).await;
    }
    let base = now().plus(AHEAD);
    let (drafts, rest) = drafts.split_at(wanted);
    let items: Vec<(&Uuid, Timestamp)> =
        drafts.iter().enumerate().map(|(place, id)| (id, base.plus(place as i64 * APART))).collect();
    for part in items.chunks(domain::limit::BULK_ITEMS) {
        plan(&hall, part.iter().copied()).await;
    }
    let mut liar = Liar::at(&hall, unwanted(&hall, rest, base.plus(span)).await).await;
    assert!(now() < base, "void: planning took until the first was due");
    let begins = Instant::now() + Duration::from_millis(u64::try_from(base.since(now())).unwrap_or(0));
    for (place, (_, misfortune)) in misfortunes.iter().enumerate() {
        sleep_until(begins + reign * u32::try_from(place).unwrap()).await;
        misfortune(&mut liar, begins + reign * u32::try_from(place + 1).unwrap()).await;
    }
    let due = format!("{WAITING} and due_at < {}", now().plus(60_000).millis());
    watch::until(&hall, "a", &due, 0, PATIENCE).await;
    judge(&hall, &items, rest, misfortunes, span, liar.invented).await
}

async fn judge(
    hall: &Hall,
    items: &[(&Uuid, Timestamp)],
    unwanted: &[Uuid],
    misfortunes: &[(&str, Misfortune)],
    span: i64,
    invented: usize,
) -> Sheet {
    let (out, mut all) = (watch::seen(hall, "a").await, Sheet::default());
    let times = |id: &Uuid| -> Vec<_> {
        out.get(&id.to_string()).into_iter().flatten().map(|seen| seen.at).collect()
    };
    let each = usize::try_from(span / APART).unwrap();
    for ((name, _), part) in misfortunes.iter().zip(items.chunks(each)) {
        let mut sheet = Sheet::default();
        for (id, due) in part {
            sheet.judge(name, Some(*due), &times(id));
            all.judge(name, Some(*due), &times(id));
        }
        say(&format!("  Redis {name}: {sheet}"));
    }
    for id in unwanted {
        all.judge("cancelled, or due in an hour", None, &times(id));
    }
    say(&format!(
        "a Redis that forgets, refuses and lies (F12 F15 F16 F18 F19 F22): {all}; {invented} hints invented"
    ));
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_redis_does_all_goes_out_once_and_soon() {
    let mut runs = JoinSet::new();
    runs.spawn(async {
        let bad = play(Some("popped-means-allowed"), &MISFORTUNES[2..3]).await;
        assert!(bad.wrong > 0, "void: nobody notices what was invented and went out: {bad}");
        bad
    });
    runs.spawn(async {
        let sheet = play(None, &MISFORTUNES).await;
        assert_eq!(sheet.bad(), 0, "{sheet}");
        assert!(sheet.worst() < LATE, "later than {LATE} ms: {sheet}");
        sheet
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
