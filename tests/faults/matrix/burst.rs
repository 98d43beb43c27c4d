//! Many items in one run, and a burst of items that are due at the same time (F44).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, time_until},
    drafts, items, observer,
    results::Results,
    say,
};
use tokio::task::JoinSet;

/// Time for scheduling an item in milliseconds.
const LEAD_PER_ITEM_MS: i64 = 2;

async fn run_scenario(cluster: Cluster, nodes: &[&str], what: &str) -> Results {
    let count = items(10_000, 100_000);
    observer::install(&cluster).await;
    for name in nodes {
        cluster.start(name).await;
    }
    let lead = LEAD_PER_ITEM_MS * i64::try_from(count).unwrap();
    let scheduled = drafts::create_scheduled(&cluster, &vec![0; count], lead).await;
    let wait = time_until(scheduled[0].1) + WAIT_TIMEOUT;
    let results = Results::after(&cluster, &scheduled, wait).await;
    say(&format!("{count} due at the same time (F44), {what}: {results}"));
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_is_published_completely_and_each_item_once() {
    let postgres = test_support::postgres().await;
    let cluster = Cluster::open_on(&postgres, None).await;
    let mut runs = JoinSet::new();
    runs.spawn(async move { run_scenario(cluster, &["a", "b"], "PostgreSQL and Redis, two nodes").await });
    let cluster = Cluster::open(None, None).await;
    runs.spawn(async move { run_scenario(cluster, &["a"], "SQLite").await });
    for results in runs.join_all().await {
        assert_eq!(results.violations(), 0, "{results}");
    }
}
