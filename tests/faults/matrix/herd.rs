//! Very many items are due at one instant (F44).

use super::{
    PATIENCE,
    hall::{Hall, now},
    items,
    watch::{self, Sheet, WAITING},
};
use crate::{drafts, say};
use domain::limit::BULK_ITEMS;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

/// Writes many drafts past the program; their identities.
pub async fn write(hall: &Hall, count: usize) -> Vec<Uuid> {
    let ids: Vec<Uuid> = (0..count).map(|_| Uuid::now_v7()).collect();
    let literal = |id: &Uuid| match &hall.database {
        Some(_) => format!("'{id}'"),
        None => format!("x'{}'", id.simple()),
    };
    for part in ids.chunks(1_000) {
        watch::sql(hall, "a", &drafts::statements(part, literal)).await;
    }
    ids
}

async fn play(hall: Hall, nodes: &[&str], what: &str) -> Sheet {
    let count = items(10_000, 100_000);
    watch::watch(&hall, "a").await;
    let ids = write(&hall, count).await;
    for name in nodes {
        hall.start(name, &[], &[]).await;
    }
    let due = now().plus(1_500 + i64::try_from(count).unwrap_or(0));
    let task = |id: &Uuid| json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
    let all: Vec<Value> = ids.iter().map(task).collect();
    for part in all.chunks(BULK_ITEMS) {
        hall.have("a", "/tasks/bulk", &json!({"items": part})).await;
    }
    assert!(now() < due, "void: planning took until they were due");
    let ahead = Duration::from_millis(due.since(now()).unsigned_abs());
    watch::until(&hall, "a", WAITING, 0, ahead + PATIENCE).await;
    let (out, mut sheet) = (watch::seen(&hall, "a").await, Sheet::default());
    for id in ids {
        let times: Vec<_> = out.get(&id.to_string()).into_iter().flatten().map(|seen| seen.at).collect();
        sheet.judge("one of the herd", Some(due), &times);
    }
    say(&format!("{count} due at one instant (F44), {what}: {sheet}"));
    sheet
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_herd_goes_out_whole_and_each_of_it_once() {
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(rig::Redis::start().await), "a").await;
    let mut runs = JoinSet::new();
    runs.spawn(async move { play(hall, &["a", "b"], "PostgreSQL and Redis, two nodes").await });
    let hall = Hall::open(None, None, "a").await;
    runs.spawn(async move { play(hall, &["a"], "SQLite").await });
    for sheet in runs.join_all().await {
        assert_eq!(sheet.bad(), 0, "{sheet}");
    }
}
