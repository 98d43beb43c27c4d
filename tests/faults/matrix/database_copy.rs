//! The database of a running cluster is copied, and nodes start on the copy (F52).

use super::{
    WAIT_TIMEOUT,
    cluster::{Cluster, copy_folder, now},
    observer::{self, COUNT_SCHEDULED},
};
use crate::say;
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};
use test_support::{Postgres, Redis, Sink};
use tokio::task::JoinSet;

/// Creates a channel on the original and schedules items.
async fn prepare(cluster: &Cluster, sink: &Sink, items: usize) {
    cluster.start("a", &[], &[]).await;
    let channel =
        json!({"name": "Sink", "url": sink.url(), "retry_schedule": "1s, 1s", "on_unknown_outcome": "retry"});
    cluster.post("a", "/channels", &channel).await;
    for number in 0..items {
        let article = cluster.create_article("a", &format!("Item {number}"), "A text.").await;
        cluster.schedule("a", &article, "article.publish", now().plus(4_000)).await;
    }
}

async fn is_held(cluster: &Cluster) -> bool {
    let (_, text) = cluster.get("a", "/api/v1/stats").await.unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["held_since"].is_string()
}

/// Runs the original and its copy at the same time. Only the original sends messages until an admin
/// releases those of the copy.
async fn run_scenario(original: &Cluster, copy: &Cluster, sink: &Sink, items: usize, what: &str) {
    copy.start("a", &[], &[]).await;
    assert!(is_held(copy).await && !is_held(original).await, "{what}: the copy is held, the original is not");
    for cluster in [original, copy] {
        assert!(
            observer::wait_for_count(cluster, "a", COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await,
            "{what}: tasks are executed on both"
        );
    }
    sink.wait_for(items).await;
    // The copy's messages are pending.
    let pending = "select count(*) from delivery where state = 'pending'";
    assert!(
        observer::wait_for_count(copy, "a", pending, items as i64, WAIT_TIMEOUT).await,
        "{what}: the copy has messages"
    );
    copy.kill("a").await;
    copy.start("a", &[], &[]).await;
    assert!(is_held(copy).await, "{what}: a restart does not release the messages");
    let before_release = sink.received().len();
    let confirmed = copy.request("a", Method::POST, "/delivery-hold/confirm", &Value::Null, &[]).await;
    assert!(matches!(confirmed, Some((200, _))), "{confirmed:?}");
    sink.wait_for(2 * items).await;
    original.kill("a").await;
    original.start("a", &[], &[]).await;
    copy.kill("a").await;
    copy.start("a", &[], &[]).await;
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
    assert_eq!(before_release, items, "{what}: only the original sent messages");
    assert_eq!(each.len(), 2 * items, "{what}: one message for each item of each");
}

async fn sqlite() {
    let (original, sink, items) = (Cluster::open(None, None, "a").await, Sink::start().await, 5);
    prepare(&original, &sink, items).await;
    let mut copy = Cluster::without_admin(tempfile::tempdir().unwrap(), None, None);
    copy_folder(&original.folder.path().join("a"), &copy.folder.path().join("a"));
    copy.token.clone_from(&original.token);
    run_scenario(&original, &copy, &sink, items, "SQLite, the data folder").await;
}

async fn postgres(server: Arc<Postgres>) {
    let redis = Redis::start().await;
    let database = server.create_database();
    let (original, sink, items) =
        (Cluster::open(Some(database.clone()), Some(redis), "a").await, Sink::start().await, 5);
    prepare(&original, &sink, items).await;
    let copied = server.copy(&database);
    let mut copy =
        Cluster::without_admin(tempfile::tempdir().unwrap(), Some(copied), Some(Redis::start().await));
    copy.token.clone_from(&original.token);
    run_scenario(&original, &copy, &sink, items, "PostgreSQL, a dump").await;
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
