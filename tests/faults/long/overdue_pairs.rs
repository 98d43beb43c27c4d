//! Publish and unpublish tasks of the same articles are overdue together after an engine outage
//! (F42).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, Environment, now},
    drafts::{self, slug},
    items,
    observer::{self, COUNT_SCHEDULED},
    say,
};
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

/// Number of articles with both tasks.
const PAIRS: usize = 1_000;
/// Duration of the outage, in seconds; in a long run the second.
const OUTAGE: (usize, usize) = (60, 300);
/// Time from scheduling to the first due time, and from there to the second, in milliseconds.
const LEAD_MS: i64 = 30_000;
const SECOND_AFTER_MS: i64 = 300;
/// Number of pages that the reader reads each time, during the outage and after it.
const PAGES_DURING_OUTAGE: usize = 1;
const PAGES_AFTER_OUTAGE: usize = 100;

/// The node with the engine, and the node that serves pages and requests during the outage.
const ENGINE: &str = "engine";
const WEB: &str = "web";

/// An article with two tasks.
#[derive(Clone)]
struct Pair {
    article: Uuid,
    /// Whether it is public before and after both tasks. Otherwise it is public neither before nor
    /// after.
    is_public: bool,
}

async fn pages(cluster: &Cluster, pairs: &[Pair]) -> Vec<bool> {
    let is_public = |pair: &Pair| {
        let path = format!("/site/{}", slug(&pair.article));
        async move { cluster.get(WEB, &path).await.is_some_and(|(status, _)| status == 200) }
    };
    stream::iter(pairs.iter().map(is_public)).buffered(4).collect().await
}

/// Reads some pages twenty times a second until `stop`, and at least each once. Returns how many showed the intermediate
/// state, and how many were read.
async fn read_pages(
    cluster: Arc<Cluster>,
    pairs: Vec<Pair>,
    is_over: CancellationToken,
    stop: CancellationToken,
) -> (usize, usize) {
    let (mut polls, mut flashes, mut read, mut first) = (interval(Duration::from_millis(50)), 0, 0, 0);
    while !stop.is_cancelled() || read <= PAIRS {
        polls.tick().await;
        let count = if is_over.is_cancelled() { PAGES_AFTER_OUTAGE } else { PAGES_DURING_OUTAGE };
        let some = &pairs[first..pairs.len().min(first + count)];
        let seen = pages(&cluster, some).await;
        flashes += some.iter().zip(seen).filter(|(pair, seen)| pair.is_public != *seen).count();
        read += some.len();
        first = (first + some.len()) % pairs.len();
    }
    (flashes, read)
}

async fn prepare(cluster: &Cluster) -> Vec<Pair> {
    let all = drafts::create(cluster, PAIRS).await.into_iter().enumerate();
    all.map(|(number, article)| Pair { article, is_public: number % 2 == 1 }).collect()
}

fn task(pair: &Pair, kind: &str, due: Timestamp) -> Value {
    json!({"kind": kind, "target_id": pair.article, "due_at": due.to_string()})
}

/// Schedules both tasks of each pair, the second soon after the first.
async fn schedule_items(cluster: &Cluster, pairs: &[Pair], due: Timestamp) {
    let both = |pair: &Pair| {
        let kinds = match pair.is_public {
            true => ["article.unpublish", "article.publish"],
            false => ["article.publish", "article.unpublish"],
        };
        [task(pair, kinds[0], due), task(pair, kinds[1], due.plus(SECOND_AFTER_MS))]
    };
    let all: Vec<Value> = pairs.iter().flat_map(both).collect();
    cluster.post(WEB, "/tasks/bulk", &json!({"items": all})).await;
    assert!(now() < due, "void: scheduling took until they were due");
}

/// Returns whether the article was public after each transaction that changed it.
fn visible(seen: &BTreeMap<String, Vec<observer::Change>>, article: &Uuid, since: Timestamp) -> Vec<bool> {
    let mut last = BTreeMap::new();
    for one in seen.get(&article.to_string()).into_iter().flatten().filter(|one| one.at >= since) {
        last.insert(one.tx, one.revision.is_some());
    }
    last.into_values().collect()
}

async fn run_scenario(cluster: Cluster) {
    let (cluster, start) = (Arc::new(cluster), now());
    observer::install(&cluster).await;
    cluster.start_with(WEB, &["--role", "web"], Environment::new()).await;
    cluster.start(ENGINE).await;
    let pairs = prepare(&cluster).await;
    let before_due = now().plus(10_000);
    let public: Vec<Value> = pairs
        .iter()
        .filter(|pair| pair.is_public)
        .map(|pair| task(pair, "article.publish", before_due))
        .collect();
    cluster.post(WEB, "/tasks/bulk", &json!({"items": public})).await;
    assert!(
        observer::wait_for_count(&cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await,
        "the articles that must be public before are public"
    );
    cluster.kill(ENGINE).await;
    let outage = Duration::from_secs(items(OUTAGE.0, OUTAGE.1) as u64);
    let (since, ends) = (now(), Instant::now() + outage);
    schedule_items(&cluster, &pairs, since.plus(LEAD_MS)).await;
    let (is_over, stop, mut reader) = (CancellationToken::new(), CancellationToken::new(), JoinSet::new());
    reader.spawn(read_pages(Arc::clone(&cluster), pairs.clone(), is_over.clone(), stop.clone()));
    sleep_until(ends).await;
    is_over.cancel();
    cluster.start(ENGINE).await;
    assert!(observer::wait_for_count(&cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await, "all tasks end");
    stop.cancel();
    let (flashes, read) = reader.join_next().await.unwrap().unwrap();
    let (seen, end) = (observer::changes(&cluster).await, pages(&cluster, &pairs).await);
    // The observer must have seen the publications before the outage.
    let shown = |pair: &&Pair| pair.is_public && visible(&seen, &pair.article, start).contains(&true);
    assert_eq!(pairs.iter().filter(shown).count(), PAIRS / 2, "void: the observer recorded nothing");
    let wrong = pairs.iter().zip(end).filter(|(pair, end)| pair.is_public != *end).count();
    let exposures = |pair: &Pair| visible(&seen, &pair.article, since).contains(&!pair.is_public);
    let exposures = pairs.iter().filter(|pair| exposures(pair)).count();
    say(&format!(
        "{PAIRS} pairs overdue together after {outage:?} (F42): {wrong} end wrong, {flashes} of {read} pages \
         showed an intermediate state, {exposures} commits exposed one"
    ));
    assert_eq!((wrong, flashes, exposures), (0, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pairs_that_are_overdue_together_show_only_the_last_state() {
    let postgres = test_support::postgres().await;
    run_scenario(Cluster::open_on(&postgres, None).await).await;
}
