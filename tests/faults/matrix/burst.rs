//! Many items in one run, and a burst of items that are due at the same time (F44).

use super::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    items,
    observer::{self, COUNT_SCHEDULED, Results},
};
use crate::{drafts, say};
use domain::{Timestamp, input_limits::MAX_BULK_ITEMS};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

/// Creates many drafts directly in SQL and returns their ids.
pub async fn create_drafts(cluster: &Cluster, count: usize) -> Vec<Uuid> {
    let ids: Vec<Uuid> = (0..count).map(|_| Uuid::now_v7()).collect();
    let literal = |id: &Uuid| match &cluster.database {
        Some(_) => format!("'{id}'"),
        None => format!("x'{}'", id.simple()),
    };
    for part in ids.chunks(1_000) {
        observer::execute(cluster, "a", &drafts::statements(part, literal)).await;
    }
    ids
}

/// Starts two nodes with this mutant on this database and Redis, with triggers and drafts.
pub async fn start_cluster(
    database: String,
    redis_url: String,
    mutant: Option<&str>,
    count: usize,
) -> (Cluster, Vec<Uuid>) {
    let mut cluster = Cluster::open(Some(database), None, "a").await;
    cluster.redis_url = Some(redis_url);
    observer::install(&cluster, "a").await;
    let drafts = create_drafts(&cluster, count).await;
    let build: Vec<_> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    for name in ["a", "b"] {
        cluster.start(name, &[], &build).await;
        cluster.wait_until_ready(name).await;
    }
    (cluster, drafts)
}

/// Schedules each of these drafts for its due time.
pub async fn schedule(cluster: &Cluster, scheduled: &[(Uuid, Timestamp)]) {
    for part in scheduled.chunks(MAX_BULK_ITEMS) {
        let task = |(id, due): &(Uuid, Timestamp)| json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
        let all: Vec<Value> = part.iter().map(task).collect();
        cluster.post("a", "/tasks/bulk", &json!({"items": all})).await;
    }
}

/// Waits until no task is scheduled any more, at most for the timeout, and evaluates the items.
pub async fn evaluate(cluster: &Cluster, scheduled: &[(Uuid, Timestamp)], timeout: Duration) -> Results {
    observer::wait_for_count(cluster, "a", COUNT_SCHEDULED, 0, timeout).await;
    let (out, mut results) = (observer::changes(cluster, "a").await, Results::default());
    for (id, due) in scheduled {
        let times: Vec<_> = out.get(&id.to_string()).into_iter().flatten().map(|seen| seen.at).collect();
        results.add("one of the burst", Some(*due), &times);
    }
    results
}

/// Returns how many tasks that were due in this period were executed from hints.
pub async fn count_by_hints(cluster: &Cluster, since: Timestamp, until: Timestamp) -> i64 {
    let (since, until) = (since.millis(), until.millis());
    let executed = "select count(*) from execution where popped_at is not null";
    observer::count(cluster, "a", &format!("{executed} and due_at >= {since} and due_at < {until}")).await
}

/// Returns the time until a timestamp.
pub fn time_until(at: Timestamp) -> Duration {
    Duration::from_millis(at.since(now()).max(0).unsigned_abs())
}

async fn run_scenario(cluster: Cluster, nodes: &[&str], what: &str) -> Results {
    let count = items(10_000, 100_000);
    observer::install(&cluster, "a").await;
    let ids = create_drafts(&cluster, count).await;
    for name in nodes {
        cluster.start(name, &[], &[]).await;
    }
    let due = now().plus(1_500 + i64::try_from(count).unwrap_or(0));
    let scheduled: Vec<_> = ids.into_iter().map(|id| (id, due)).collect();
    schedule(&cluster, &scheduled).await;
    assert!(now() < due, "void: scheduling took until they were due");
    let results = evaluate(&cluster, &scheduled, time_until(due) + WAIT_TIMEOUT).await;
    say(&format!("{count} due at the same time (F44), {what}: {results}"));
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_is_published_completely_and_each_item_once() {
    let postgres = test_support::postgres().await;
    let cluster =
        Cluster::open(Some(postgres.create_database()), Some(test_support::Redis::start().await), "a").await;
    let mut runs = JoinSet::new();
    runs.spawn(async move { run_scenario(cluster, &["a", "b"], "PostgreSQL and Redis, two nodes").await });
    let cluster = Cluster::open(None, None, "a").await;
    runs.spawn(async move { run_scenario(cluster, &["a"], "SQLite").await });
    for results in runs.join_all().await {
        assert_eq!(results.violations(), 0, "{results}");
    }
}
