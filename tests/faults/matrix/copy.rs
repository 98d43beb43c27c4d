//! Somebody copies the database of a living desk and starts the copy (F52).

use super::{
    PATIENCE,
    hall::{Hall, copy_folder, now},
    watch::{self, WAITING},
};
use crate::say;
use reqwest::Method;
use rig::{Postgres, Redis, Sink};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};
use tokio::task::JoinSet;

/// Plans so many items on the original and gives it a channel.
async fn prepare(hall: &Hall, sink: &Sink, items: usize) {
    hall.start("a", &[], &[]).await;
    let channel = json!({"name": "Sink", "address": sink.url(), "ladder": "1s, 1s", "on_ambiguous": "retry"});
    hall.have("a", "/channels", &channel).await;
    for number in 0..items {
        let article = hall.write("a", &format!("Item {number}"), "A text.").await;
        hall.plan("a", &article, "article.publish", now().plus(4_000)).await;
    }
}

async fn held(hall: &Hall) -> bool {
    let (_, text) = hall.get("a", "/api/v1/stats").await.unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["held_since"].is_string()
}

/// The original and its copy run beside each other; whoever is told is told once, until an admin lets the copy tell.
async fn play(original: &Hall, copy: &Hall, sink: &Sink, items: usize, what: &str) {
    copy.start("a", &[], &[]).await;
    assert!(held(copy).await && !held(original).await, "{what}: the copy is held, the original is not");
    for hall in [original, copy] {
        assert!(watch::until(hall, "a", WAITING, 0, PATIENCE).await, "{what}: tasks go out on both");
    }
    sink.wait_for(items).await;
    // What the copy has to tell lies there.
    let pending = "select count(*) from delivery where state = 'pending'";
    assert!(watch::until(copy, "a", pending, items as i64, PATIENCE).await, "{what}: the copy has messages");
    copy.kill("a").await;
    copy.start("a", &[], &[]).await;
    assert!(held(copy).await, "{what}: another start does not let go");
    let told = sink.received().len();
    let confirmed = copy.ask("a", Method::POST, "/restore/confirm", &Value::Null, &[]).await;
    assert!(matches!(confirmed, Some((200, _))), "{confirmed:?}");
    sink.wait_for(2 * items).await;
    original.kill("a").await;
    original.start("a", &[], &[]).await;
    copy.kill("a").await;
    copy.start("a", &[], &[]).await;
    assert!(!held(original).await && !held(copy).await, "{what}: who has confirmed is not asked again");
    let mut each = BTreeMap::<String, usize>::new();
    for message in sink.received() {
        *each.entry(message.header("webhook-id").to_owned()).or_default() += 1;
    }
    say(&format!(
        "a copy beside its original (F52), {what}: {told} messages while it was held, {} after the word",
        sink.received().len()
    ));
    assert_eq!(told, items, "{what}: only the original told");
    assert_eq!(each.len(), 2 * items, "{what}: each its own message");
}

async fn sqlite() {
    let (original, sink, items) = (Hall::open(None, None, "a").await, Sink::start().await, 5);
    prepare(&original, &sink, items).await;
    let mut copy = Hall::over(tempfile::tempdir().unwrap(), None, None);
    copy_folder(&original.folder.path().join("a"), &copy.folder.path().join("a"));
    copy.token.clone_from(&original.token);
    play(&original, &copy, &sink, items, "SQLite, the data folder").await;
}

async fn postgres(server: Arc<Postgres>) {
    let redis = Redis::start().await;
    let database = server.fresh_database();
    let (original, sink, items) =
        (Hall::open(Some(database.clone()), Some(redis), "a").await, Sink::start().await, 5);
    prepare(&original, &sink, items).await;
    let copied = server.copy(&database);
    let mut copy = Hall::over(tempfile::tempdir().unwrap(), Some(copied), Some(Redis::start().await));
    copy.token.clone_from(&original.token);
    play(&original, &copy, &sink, items, "PostgreSQL, a dump").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_beside_its_original_tells_nobody_until_somebody_says_so() {
    let mut runs = JoinSet::new();
    runs.spawn(sqlite());
    runs.spawn(postgres(rig::postgres().await));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
