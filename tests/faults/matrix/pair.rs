//! Publish and unpublish of the same articles are overdue together, after an outage of the engine (F42).

use super::{
    PATIENCE,
    hall::{Article, Hall, now},
    items,
    watch::{self, WAITING},
};
use crate::say;
use domain::Timestamp;
use futures::{StreamExt, stream};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::{task::JoinSet, time::interval};
use tokio_util::sync::CancellationToken;

/// The engine, and who shows pages and plans meanwhile.
const ENGINE: &str = "engine";
const PAGES: &str = "pages";

/// One article and what is to become of it.
#[derive(Clone)]
struct Pair {
    article: Article,
    /// Public before and after; else neither.
    is_public: bool,
}

async fn pages(hall: &Hall, pairs: &[Pair]) -> Vec<bool> {
    let look = |pair: &Pair| {
        let path = format!("/site/{}", pair.article.slug);
        async move { hall.get(PAGES, &path).await.is_some_and(|(status, _)| status == 200) }
    };
    stream::iter(pairs.iter().map(look)).buffered(4).collect().await
}

/// Reads all pages, over and over; how many were seen to be what they never are meant to be.
async fn look(hall: Arc<Hall>, pairs: Vec<Pair>, stop: CancellationToken) -> (usize, usize) {
    let (mut looks, mut flashes, mut rounds) = (interval(Duration::from_millis(50)), 0, 0);
    while !stop.is_cancelled() {
        looks.tick().await;
        let seen = pages(&hall, &pairs).await;
        flashes += pairs.iter().zip(seen).filter(|(pair, seen)| pair.is_public != *seen).count();
        rounds += 1;
    }
    (flashes, rounds)
}

async fn prepare(hall: &Hall, count: usize) -> Vec<Pair> {
    let write = |number: usize| async move {
        let article = hall.write(PAGES, &format!("Pair {number}"), "A text.").await;
        Pair { article, is_public: number % 2 == 1 }
    };
    stream::iter((0..count).map(write)).buffered(4).collect().await
}

/// Plans both tasks of each; they are due in this order, one soon after the other.
async fn plan(hall: &Hall, pairs: &[Pair], due: Timestamp) {
    let plan = |pair: &Pair| {
        let (pair, later) = (pair.clone(), due.plus(300));
        let kinds = if pair.is_public {
            ["article.unpublish", "article.publish"]
        } else {
            ["article.publish", "article.unpublish"]
        };
        async move {
            hall.plan(PAGES, &pair.article, kinds[0], due).await;
            hall.plan(PAGES, &pair.article, kinds[1], later).await;
        }
    };
    stream::iter(pairs.iter().map(plan)).buffer_unordered(4).collect::<Vec<()>>().await;
    assert!(now() < due, "void: planning took until they were due");
}

/// What became visible at once: the last state each transaction left, by article.
fn visible(seen: &BTreeMap<String, Vec<watch::Seen>>, article: &str, since: Timestamp) -> Vec<bool> {
    let mut last = BTreeMap::new();
    for one in seen.get(article).into_iter().flatten().filter(|one| one.at >= since) {
        last.insert(one.tx, one.revision.is_some());
    }
    last.into_values().collect()
}

async fn play(hall: Hall) {
    let (hall, count, start) = (Arc::new(hall), items(60, 1_000), now());
    watch::watch(&hall, PAGES).await;
    hall.start(PAGES, &["--role", "web"], &[]).await;
    hall.start(ENGINE, &[], &[]).await;
    let pairs = prepare(&hall, count).await;
    for pair in pairs.iter().filter(|pair| pair.is_public) {
        hall.plan(PAGES, &pair.article, "article.publish", now().plus(3_000)).await;
    }
    assert!(watch::until(&hall, PAGES, WAITING, 0, PATIENCE).await, "what is public before is public");
    hall.kill(ENGINE).await;
    let since = now();
    let due = since.plus(3_000 + i64::try_from(count).unwrap_or(0) * 90);
    plan(&hall, &pairs, due).await;
    let (stop, mut reader) = (CancellationToken::new(), JoinSet::new());
    reader.spawn(look(Arc::clone(&hall), pairs.clone(), stop.clone()));
    // Until both of each are overdue by so much that they were held up, nothing works.
    let outage = due.plus(1_000).since(now());
    tokio::time::sleep(Duration::from_millis(u64::try_from(outage).unwrap_or(0))).await;
    hall.start(ENGINE, &[], &[]).await;
    assert!(watch::until(&hall, PAGES, WAITING, 0, PATIENCE).await, "all of it ends");
    stop.cancel();
    let (flashes, rounds) = reader.join_next().await.unwrap().unwrap();
    let (seen, end) = (watch::seen(&hall, PAGES).await, pages(&hall, &pairs).await);
    // Those that went public alone, before the outage, are seen by the same witness.
    let shown = |pair: &&Pair| pair.is_public && visible(&seen, &pair.article.id, start).contains(&true);
    assert_eq!(pairs.iter().filter(shown).count(), count / 2, "void: the witness sees nothing");
    let wrong = pairs.iter().zip(end).filter(|(pair, end)| pair.is_public != *end).count();
    let glimpses = |pair: &Pair| visible(&seen, &pair.article.id, since).contains(&!pair.is_public);
    let glimpses = pairs.iter().filter(|pair| glimpses(pair)).count();
    say(&format!(
        "{count} pairs overdue together (F42): {wrong} end wrong, {flashes} flashes in {rounds} rounds of the reader, \
         {glimpses} commits that show one"
    ));
    assert_eq!((wrong, flashes, glimpses), (0, 0, 0));
    assert!(rounds > 3, "void: nobody read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_overdue_together_shows_only_its_last_state() {
    let postgres = rig::postgres().await;
    let redis = rig::Redis::start().await;
    play(Hall::open(Some(postgres.fresh_database()), Some(redis), PAGES).await).await;
}
