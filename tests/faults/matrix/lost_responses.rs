//! PostgreSQL executes a commit and the response is lost; sometimes all connections end at once
//! (F24).

use super::client_abort::{COUNT_OPEN_TRANSACTIONS, find_partial_changes};
use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now, publish_task, text},
    is_detected, items, observer,
    results::Results,
    say,
};
use domain::Timestamp;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use test_support::Proxy;
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};
use tokio_util::sync::CancellationToken;

/// Minimum time between two faults.
const FAULT_INTERVAL: Duration = Duration::from_millis(50);
/// All connections end with every nth fault.
const END_ALL_EVERY: usize = 5;
/// Time between scheduling and the due time, in milliseconds.
const LEAD_MS: i64 = 1_000;

const END_ALL: &str = "
    select count(pg_terminate_backend(pid))
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";

/// Repeats a request with the same idempotency key until it is executed. `None`: the due time had
/// passed first.
async fn retry(cluster: &Cluster, node: &str, path: &str, body: &Value, key: &str) -> Option<Value> {
    let mut turns = interval(Duration::from_millis(20));
    loop {
        turns.tick().await;
        match cluster.post_keyed(node, path, body, Some(key)).await {
            Some((200..300, made)) => return serde_json::from_str(&made).ok(),
            Some((422, answer)) if answer.contains("\"past\"") => return None,
            Some((500..600, _)) | None => {}
            Some((status, answer)) => panic!("{path}: {status} {answer}"),
        }
    }
}

/// Creates and schedules articles until `stop`. Returns each article with its due time.
async fn schedule_items(
    cluster: Arc<Cluster>,
    node: &'static str,
    stop: CancellationToken,
) -> Vec<(String, Timestamp)> {
    let mut scheduled = Vec::new();
    while !stop.is_cancelled() {
        let name = format!("{node} {}", scheduled.len());
        let new = json!({"title": name, "body": "A text."});
        let article = retry(&cluster, node, "/articles", &new, &name).await.expect("an article");
        for turn in 0.. {
            let due = now().plus(LEAD_MS);
            let task = publish_task(&text(&article["id"]), due);
            if retry(&cluster, node, "/tasks", &task, &format!("{name} {turn}")).await.is_some() {
                scheduled.push((text(&article["id"]), due));
                break;
            }
        }
    }
    scheduled
}

/// Drops this number of responses and sometimes ends all connections. Returns how often it did the
/// latter.
async fn inject(cluster: &Cluster, proxy: &Proxy, count: usize) -> usize {
    let (mut turns, mut ended) = (interval(FAULT_INTERVAL), 0);
    for lost in 0..count {
        if lost % END_ALL_EVERY == 0 {
            observer::count(cluster, END_ALL).await;
            ended += 1;
        }
        proxy.drop_response_to("commit");
        let since = Instant::now();
        while proxy.is_drop_pending() {
            assert!(since.elapsed() < WAIT_TIMEOUT, "void: no node commits any more");
            turns.tick().await;
        }
        turns.tick().await;
    }
    ended
}

async fn run_scenario(mutant: Option<&str>, count: usize) -> Results {
    let postgres = test_support::postgres().await;
    let proxy = Proxy::to(postgres.port()).await;
    let mut cluster = Cluster::open_on(&postgres, mutant).await;
    let [there, here] = [postgres.port(), proxy.port()].map(|port| format!(":{port}/"));
    cluster.node_database = cluster.database.as_ref().map(|database| database.replace(&there, &here));
    observer::install(&cluster).await;
    for name in ["a", "b"] {
        cluster.start(name).await;
        // A node that meets a fault during its start exits.
        cluster.wait_until_ready(name).await;
    }
    let cluster = Arc::new(cluster);
    let (stop, mut users) = (CancellationToken::new(), JoinSet::new());
    for node in ["a", "b"] {
        users.spawn(schedule_items(Arc::clone(&cluster), node, stop.clone()));
    }
    let ended = inject(&cluster, &proxy, count).await;
    stop.cancel();
    let scheduled: Vec<_> = users.join_all().await.into_iter().flatten().collect();
    let mut results = Results::after(&cluster, &scheduled, WAIT_TIMEOUT).await;
    let is_closed =
        observer::wait_for_count(&cluster, COUNT_OPEN_TRANSACTIONS, 0, Duration::from_secs(10)).await;
    for partial in find_partial_changes(&cluster).await {
        results.add_wrong(partial);
    }
    if !is_closed {
        results.add_wrong("a transaction stayed open".to_owned());
    }
    say(&format!(
        "{count} responses of PostgreSQL lost, all connections ended {ended} times (F24): {results}"
    ));
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_response_loses_and_doubles_nothing() {
    let mut runs = JoinSet::new();
    runs.spawn(async {
        let run = |_| run_scenario(Some("effect-then-mark"), 40);
        assert!(
            is_detected(run, |mutant| mutant.double > 0).await,
            "void: double publications are not detected"
        );
    });
    runs.spawn(async {
        let results = run_scenario(None, items(60, 2_000)).await;
        assert_eq!(results.violations(), 0, "{results}");
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
