//! Wrong clocks, and clocks that are set while nodes run (F35, F36, F37).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    observer::{self, COUNT_SCHEDULED, Listener},
    results::Results,
    say,
};
use domain::Timestamp;
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};
use test_support::{FakeSystemClock, Postgres, Sink};
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep_until},
};

const HOUR: i64 = 3_600;
/// Maximum time until a wrong clock is reported.
const ALARM_TIMEOUT: Duration = Duration::from_secs(10);
/// Minimum time for which a clock stays wrong.
const WRONG_FOR: Duration = Duration::from_secs(4);
/// Time between two items in milliseconds.
const ITEM_INTERVAL_MS: i64 = 120;
/// Number of scheduled items.
const ITEMS: usize = 110;

/// Waits until a node reports that the clocks differ, or agree again. Returns how long that took.
async fn wait_for_report(cluster: &Cluster, node: &str, is_off: bool) -> Duration {
    let (began, mut polls) = (Instant::now(), interval(Duration::from_millis(100)));
    loop {
        polls.tick().await;
        if let Some((status, text)) = cluster.get(node, "/readyz").await {
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            let is_clock_named = answer["message"].as_str().unwrap_or_default().contains("more than 30 s");
            let is_reported = status == 503 && answer["reason"] == "clock_skew" && is_clock_named;
            if is_reported == is_off && (is_off || status == 200) {
                return began.elapsed();
            }
            let limit = if is_off { ALARM_TIMEOUT } else { WAIT_TIMEOUT };
            assert!(
                began.elapsed() < limit,
                "{node}: clock off {is_off}: {status} {text}
{}",
                cluster.log(node)
            );
        }
    }
}

/// Creates items and schedules them through all nodes. Returns them with their due times.
async fn schedule_items(cluster: &Cluster, nodes: &[&str]) -> Vec<(String, Timestamp)> {
    let mut writes = Vec::new();
    for number in 0..ITEMS {
        let title = format!("Item {number}");
        writes.push(async move { cluster.create_article(nodes[number % nodes.len()], &title).await });
    }
    let articles: Vec<String> = stream::iter(writes).buffered(6).collect().await;
    let base = now().plus(2_500);
    let due = |number: usize| base.plus(i64::try_from(number).unwrap_or(0) * ITEM_INTERVAL_MS);
    let items: Vec<_> =
        articles.into_iter().enumerate().map(|(number, article)| (article, due(number))).collect();
    for (index, node) in nodes.iter().enumerate() {
        let part: Vec<_> = items.iter().skip(index).step_by(nodes.len()).cloned().collect();
        cluster.schedule_all(node, &part).await;
    }
    items
}

/// Sets the clock to each of these offsets in hours for a while. Returns the longest time until the
/// node reported it.
async fn step(cluster: &Cluster, node: &str, clock: &FakeSystemClock, hours: &[i64]) -> Duration {
    let mut worst = Duration::ZERO;
    for hour in hours {
        clock.set(hour * HOUR);
        let until = Instant::now() + WRONG_FOR;
        worst = worst.max(wait_for_report(cluster, node, *hour != 0).await);
        sleep_until(until).await;
    }
    worst
}

async fn evaluate(cluster: &Cluster, listener: &Listener, items: &[(String, Timestamp)]) -> Results {
    assert!(
        observer::wait_for_count(cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await,
        "everything is published"
    );
    listener.wait_for(items.len()).await;
    Results::from_publications(&listener.publications(), items)
}

/// Publishes an article now, also through a node with a wrong clock.
async fn publish_now(cluster: &Cluster, node: &str) -> (String, Timestamp) {
    let article = cluster.create_article(node, "Now").await;
    let task = cluster.schedule("a", &article, now().plus(600_000)).await;
    let due = now();
    cluster.post(node, &format!("/tasks/{task}/publish-now"), &json!({"seen_version": 1})).await;
    (article, due)
}

async fn one_node(clock: FakeSystemClock) {
    let postgres = test_support::postgres().await;
    let cluster = Cluster::open_on(&postgres, None).await;
    observer::install(&cluster).await;
    let (listener, sink) = (Listener::open(&cluster).await, Sink::start().await);
    for name in ["a", "b"] {
        cluster.start(name).await;
    }
    cluster.create_channel("a", &sink.url()).await;
    clock.set(HOUR);
    cluster.start_with("c", &[], clock.environment()).await;
    let at_start = wait_for_report(&cluster, "c", true).await;
    let found = cluster.run_failing("c", &["doctor"]).await;
    assert!(found.contains("Publishing is paused until they agree"), "{found}");
    let mut items = schedule_items(&cluster, &["a", "b", "c"]).await;
    items.push(publish_now(&cluster, "c").await);
    let stepped = step(&cluster, "c", &clock, &[-1, 0, 1]).await;
    items.push(publish_now(&cluster, "c").await);
    clock.set(0);
    let corrected = wait_for_report(&cluster, "c", false).await;
    let results = evaluate(&cluster, &listener, &items).await;
    let ids: BTreeSet<String> = sink
        .wait_for(items.len())
        .await
        .into_iter()
        .map(|message| message.header("webhook-id").to_owned())
        .collect();
    let copies = sink.received().len() - ids.len();
    say(&format!(
        "one of three nodes an hour ahead, behind, correct (F35, F36): {results}; reported after {at_start:.1?} at the start, \
         {stepped:.1?} at a step, correct again {corrected:.1?}; {} messages, {copies} copies",
        ids.len()
    ));
    assert_eq!(results.violations(), 0, "{results}");
    assert!(results.max_lateness_ms() < 15_000, "late by more than the other nodes need: {results}");
    assert_eq!((ids.len(), copies), (items.len(), 0), "each message once");
}

async fn the_database(clock: FakeSystemClock) {
    let postgres = Postgres::start_with_clock(&clock).await;
    let cluster = Cluster::open_on(&postgres, None).await;
    observer::install(&cluster).await;
    let listener = Listener::open(&cluster).await;
    for name in ["a", "b"] {
        cluster.start(name).await;
    }
    let mut items = schedule_items(&cluster, &["a", "b"]).await;
    let ahead = step(&cluster, "a", &clock, &[1]).await;
    items.push(publish_now(&cluster, "b").await);
    let behind = step(&cluster, "a", &clock, &[-1]).await;
    clock.set(0);
    let (corrected_at, corrected) = (now(), wait_for_report(&cluster, "a", false).await);
    let results = evaluate(&cluster, &listener, &items).await;
    let out = listener.publications();
    let since = items
        .iter()
        .filter_map(|(article, due)| Some(out.get(article)?.first()?.since(corrected_at.max(*due))));
    let caught_up = since.max().unwrap_or(0);
    say(&format!(
        "PostgreSQL's clock an hour ahead, behind, correct (F37): {results}; reported after {ahead:.1?} and \
         {behind:.1?}, correct again {corrected:.1?}; everything was published {caught_up} ms after that"
    ));
    assert_eq!(results.violations(), 0, "{results}");
    assert!(caught_up < 20_000, "delayed tasks are too late: {caught_up} ms");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_clock_is_reported_and_makes_nothing_early_or_lost() {
    is_faked(&FakeSystemClock::accurate()).await;
    let mut runs = JoinSet::new();
    runs.spawn(one_node(FakeSystemClock::accurate()));
    runs.spawn(the_database(FakeSystemClock::accurate()));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}

/// Checks that programs read the fake clock.
async fn is_faked(clock: &FakeSystemClock) {
    let read = async || {
        let mut date = tokio::process::Command::new("date");
        let out = date.arg("+%s").envs(clock.environment()).output().await.unwrap().stdout;
        String::from_utf8(out).unwrap().trim().parse::<i64>().unwrap() * 1_000 - now().millis()
    };
    assert!(read().await.abs() < 5_000);
    clock.set(-HOUR);
    assert!((read().await / 1_000 + HOUR).abs() < 5, "void: programs do not read the fake clock");
}
