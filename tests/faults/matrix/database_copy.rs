//! The database of a running cluster is copied, and nodes start on the copy (F52).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    observer::{self, COUNT_SCHEDULED},
    say,
};
use domain::Timestamp;
use serde_json::Value;
use std::{collections::BTreeMap, path::Path, process::Command, sync::Arc};
use test_support::{Postgres, Redis, Sink};
use tokio::task::JoinSet;

/// Time until the items are due in milliseconds: the database is copied before. On a busy machine it takes longer, and
/// begins again.
const LEADS_MS: [i64; 3] = [20_000, 60_000, 180_000];
/// Number of items.
const ITEMS: usize = 5;

/// Creates a channel on the original and schedules items. Returns when they are due.
async fn prepare(cluster: &Cluster, sink: &Sink, lead: i64) -> Timestamp {
    cluster.start("a").await;
    cluster.create_channel("a", &sink.url()).await;
    let due = now().plus(lead);
    for number in 0..ITEMS {
        let article = cluster.create_article("a", &format!("Item {number}")).await;
        cluster.schedule("a", &article, due).await;
    }
    due
}

async fn is_held(cluster: &Cluster) -> bool {
    let (_, text) = cluster.get("a", "/api/v1/stats").await.unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["held_since"].is_string()
}

/// Runs the original and its copy at the same time. Only the original sends messages until an admin
/// releases those of the copy.
async fn run_scenario(original: &Cluster, copy: &mut Cluster, sink: &Sink, what: &str) {
    copy.token.clone_from(&original.token);
    copy.start("a").await;
    assert!(is_held(copy).await && !is_held(original).await, "{what}: the copy is held, the original is not");
    for cluster in [original, &*copy] {
        assert!(
            observer::wait_for_count(cluster, COUNT_SCHEDULED, 0, 2 * WAIT_TIMEOUT).await,
            "{what}: tasks are executed on both"
        );
    }
    sink.wait_for(ITEMS).await;
    // The copy's messages are pending.
    let pending = "select count(*) from delivery where state = 'pending'";
    assert!(
        observer::wait_for_count(copy, pending, ITEMS as i64, WAIT_TIMEOUT).await,
        "{what}: the copy has messages"
    );
    copy.kill("a").await;
    copy.start("a").await;
    assert!(is_held(copy).await, "{what}: a restart does not release the messages");
    let before_release = sink.received().len();
    copy.post("a", "/delivery-hold/confirm", &Value::Null).await;
    sink.wait_for(2 * ITEMS).await;
    original.kill("a").await;
    original.start("a").await;
    copy.kill("a").await;
    copy.start("a").await;
    assert!(
        !is_held(original).await && !is_held(copy).await,
        "{what}: a confirmed release stays after a restart"
    );
    let mut each = BTreeMap::<String, usize>::new();
    for message in sink.received() {
        *each.entry(message.header("webhook-id").to_owned()).or_default() += 1;
    }
    say(&format!(
        "a copy beside its original (F52), {what}: {before_release} messages while it was held, {} after the release",
        sink.received().len()
    ));
    assert_eq!(before_release, ITEMS, "{what}: only the original sent messages");
    assert_eq!(each.len(), 2 * ITEMS, "{what}: one message for each item of each");
}

/// Copies a folder with `cp -r`.
fn copy_folder(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").arg(from).arg(to).status();
    assert!(copied.unwrap().success(), "cp");
}

async fn sqlite() {
    for lead in LEADS_MS {
        let (original, sink) = (Cluster::open(None, None).await, Sink::start().await);
        let due = prepare(&original, &sink, lead).await;
        let mut copy = Cluster::without_admin(tempfile::tempdir().unwrap(), None, None);
        copy_folder(&original.folder.path().join("a"), &copy.folder.path().join("a"));
        if now() < due {
            return run_scenario(&original, &mut copy, &sink, "SQLite, the data folder").await;
        }
    }
    panic!("void: copying took until the items were due");
}

async fn postgres(server: Arc<Postgres>) {
    for lead in LEADS_MS {
        let (database, redis) = (server.create_database(), Redis::start().await);
        let (original, sink) =
            (Cluster::open(Some(database.clone()), Some(redis)).await, Sink::start().await);
        let due = prepare(&original, &sink, lead).await;
        let copied = server.copy(&database);
        if now() < due {
            let redis = Some(Redis::start().await);
            let mut copy = Cluster::without_admin(tempfile::tempdir().unwrap(), Some(copied), redis);
            return run_scenario(&original, &mut copy, &sink, "PostgreSQL, a dump").await;
        }
    }
    panic!("void: copying took until the items were due");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_sends_nothing_until_an_admin_releases_it() {
    let mut runs = JoinSet::new();
    runs.spawn(sqlite());
    runs.spawn(postgres(test_support::postgres().await));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
