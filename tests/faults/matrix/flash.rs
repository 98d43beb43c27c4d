//! Publish and unpublish of the same articles are overdue together, after an outage of the engine (F42).

use super::{
    PATIENCE,
    hall::{Hall, now},
    herd,
    watch::{self, WAITING},
};
use crate::{drafts::slug, say};
use domain::Timestamp;
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep_until},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Articles with both tasks.
const PAIRS: usize = 1_000;
/// How long nothing works.
const OUTAGE: Duration = Duration::from_secs(300);
/// From the plan to the first of the two moments, and to the second, milliseconds: all is planned by then.
const AHEAD: i64 = 20_000;
const BETWEEN: i64 = 300;
/// Pages the reader looks at each time while nothing can happen, and once the engine is back.
const GLANCE: usize = 1;
const STARE: usize = 100;

/// The engine, and who shows pages and plans meanwhile.
const ENGINE: &str = "engine";
const PAGES: &str = "pages";

/// One article and what is to become of it.
#[derive(Clone)]
struct Pair {
    article: Uuid,
    /// Public before and after; else neither.
    is_public: bool,
}

async fn pages(hall: &Hall, pairs: &[Pair]) -> Vec<bool> {
    let look = |pair: &Pair| {
        let path = format!("/site/{}", slug(&pair.article));
        async move { hall.get(PAGES, &path).await.is_some_and(|(status, _)| status == 200) }
    };
    stream::iter(pairs.iter().map(look)).buffered(4).collect().await
}

/// Reads the pages twenty times a second, some each time; how many were seen to be what they never are meant to be, and how many
/// were read.
async fn look(
    hall: Arc<Hall>,
    pairs: Vec<Pair>,
    back: CancellationToken,
    stop: CancellationToken,
) -> (usize, usize) {
    let (mut looks, mut flashes, mut read, mut place) = (interval(Duration::from_millis(50)), 0, 0, 0);
    while !stop.is_cancelled() {
        looks.tick().await;
        let most = if back.is_cancelled() { STARE } else { GLANCE };
        let some = &pairs[place..pairs.len().min(place + most)];
        let seen = pages(&hall, some).await;
        flashes += some.iter().zip(seen).filter(|(pair, seen)| pair.is_public != *seen).count();
        read += some.len();
        place = (place + some.len()) % pairs.len();
    }
    (flashes, read)
}

async fn prepare(hall: &Hall) -> Vec<Pair> {
    let all = herd::write(hall, PAIRS).await.into_iter().enumerate();
    all.map(|(number, article)| Pair { article, is_public: number % 2 == 1 }).collect()
}

fn task(pair: &Pair, kind: &str, due: Timestamp) -> Value {
    json!({"kind": kind, "target_id": pair.article, "due_at": due.to_string()})
}

/// Plans both tasks of each; they are due in this order, one soon after the other.
async fn plan(hall: &Hall, pairs: &[Pair], due: Timestamp) {
    let both = |pair: &Pair| {
        let kinds = match pair.is_public {
            true => ["article.unpublish", "article.publish"],
            false => ["article.publish", "article.unpublish"],
        };
        [task(pair, kinds[0], due), task(pair, kinds[1], due.plus(BETWEEN))]
    };
    let all: Vec<Value> = pairs.iter().flat_map(both).collect();
    hall.have(PAGES, "/tasks/bulk", &json!({"items": all})).await;
    assert!(now() < due, "void: planning took until they were due");
}

/// What became visible at once: the last state each transaction left, by article.
fn visible(seen: &BTreeMap<String, Vec<watch::Seen>>, article: &Uuid, since: Timestamp) -> Vec<bool> {
    let mut last = BTreeMap::new();
    for one in seen.get(&article.to_string()).into_iter().flatten().filter(|one| one.at >= since) {
        last.insert(one.tx, one.revision.is_some());
    }
    last.into_values().collect()
}

async fn play(hall: Hall) {
    let (hall, start) = (Arc::new(hall), now());
    watch::watch(&hall, PAGES).await;
    hall.start(PAGES, &["--role", "web"], &[]).await;
    hall.start(ENGINE, &[], &[]).await;
    let pairs = prepare(&hall).await;
    let soon = now().plus(3_000);
    let public: Vec<Value> =
        pairs.iter().filter(|pair| pair.is_public).map(|pair| task(pair, "article.publish", soon)).collect();
    hall.have(PAGES, "/tasks/bulk", &json!({"items": public})).await;
    assert!(watch::until(&hall, PAGES, WAITING, 0, PATIENCE).await, "what is public before is public");
    hall.kill(ENGINE).await;
    let (since, ends) = (now(), Instant::now() + OUTAGE);
    plan(&hall, &pairs, since.plus(AHEAD)).await;
    let (back, stop, mut reader) = (CancellationToken::new(), CancellationToken::new(), JoinSet::new());
    reader.spawn(look(Arc::clone(&hall), pairs.clone(), back.clone(), stop.clone()));
    sleep_until(ends).await;
    back.cancel();
    hall.start(ENGINE, &[], &[]).await;
    assert!(watch::until(&hall, PAGES, WAITING, 0, PATIENCE).await, "all of it ends");
    stop.cancel();
    let (flashes, read) = reader.join_next().await.unwrap().unwrap();
    let (seen, end) = (watch::seen(&hall, PAGES).await, pages(&hall, &pairs).await);
    // Those that went public alone, before the outage, are seen by the same witness.
    let shown = |pair: &&Pair| pair.is_public && visible(&seen, &pair.article, start).contains(&true);
    assert_eq!(pairs.iter().filter(shown).count(), PAIRS / 2, "void: the witness sees nothing");
    let wrong = pairs.iter().zip(end).filter(|(pair, end)| pair.is_public != *end).count();
    let glimpses = |pair: &Pair| visible(&seen, &pair.article, since).contains(&!pair.is_public);
    let glimpses = pairs.iter().filter(|pair| glimpses(pair)).count();
    say(&format!(
        "{PAIRS} pairs overdue together after {OUTAGE:?} (F42): {wrong} end wrong, {flashes} flashes in {read} pages read, \
         {glimpses} commits that show one"
    ));
    assert_eq!((wrong, flashes, glimpses), (0, 0, 0));
    assert!(read > PAIRS, "void: nobody read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_overdue_together_shows_only_its_last_state() {
    let postgres = rig::postgres().await;
    let redis = rig::Redis::start().await;
    play(Hall::open(Some(postgres.fresh_database()), Some(redis), PAGES).await).await;
}
