//! Many items, planned at once and judged together; very many are due at one instant (F44).

use super::{
    PATIENCE,
    hall::{Hall, now},
    items,
    watch::{self, Sheet, WAITING},
};
use crate::{drafts, say};
use domain::{Timestamp, limit::BULK_ITEMS};
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

/// Two nodes of that build on this database, their hints at that address, the triggers set; and so many drafts.
pub async fn gather(
    database: String,
    redis_url: String,
    mutant: Option<&str>,
    count: usize,
) -> (Hall, Vec<Uuid>) {
    let mut hall = Hall::open(Some(database), None, "a").await;
    hall.redis_url = Some(redis_url);
    watch::watch(&hall, "a").await;
    let drafts = write(&hall, count).await;
    let build: Vec<_> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    for name in ["a", "b"] {
        hall.start(name, &[], &build).await;
        hall.is_ready(name).await;
    }
    (hall, drafts)
}

/// Plans each of these drafts for its moment.
pub async fn plan(hall: &Hall, planned: &[(Uuid, Timestamp)]) {
    for part in planned.chunks(BULK_ITEMS) {
        let task = |(id, due): &(Uuid, Timestamp)| json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
        let all: Vec<Value> = part.iter().map(task).collect();
        hall.have("a", "/tasks/bulk", &json!({"items": all})).await;
    }
}

/// Waits until none of them waits any more, at most for the patience; what became of each.
pub async fn judge(hall: &Hall, planned: &[(Uuid, Timestamp)], patience: Duration) -> Sheet {
    watch::until(hall, "a", WAITING, 0, patience).await;
    let (out, mut sheet) = (watch::seen(hall, "a").await, Sheet::default());
    for (id, due) in planned {
        let times: Vec<_> = out.get(&id.to_string()).into_iter().flatten().map(|seen| seen.at).collect();
        sheet.judge("one of the herd", Some(*due), &times);
    }
    sheet
}

/// How many that were due from then until then were brought by hints.
pub async fn by_hints(hall: &Hall, since: Timestamp, until: Timestamp) -> i64 {
    let (since, until) = (since.millis(), until.millis());
    let brought = "select count(*) from execution where popped_at is not null";
    watch::count(hall, "a", &format!("{brought} and due_at >= {since} and due_at < {until}")).await
}

/// How long it is until then.
pub fn ahead(moment: Timestamp) -> Duration {
    Duration::from_millis(moment.since(now()).max(0).unsigned_abs())
}

async fn play(hall: Hall, nodes: &[&str], what: &str) -> Sheet {
    let count = items(10_000, 100_000);
    watch::watch(&hall, "a").await;
    let ids = write(&hall, count).await;
    for name in nodes {
        hall.start(name, &[], &[]).await;
    }
    let due = now().plus(1_500 + i64::try_from(count).unwrap_or(0));
    let planned: Vec<_> = ids.into_iter().map(|id| (id, due)).collect();
    plan(&hall, &planned).await;
    assert!(now() < due, "void: planning took until they were due");
    let sheet = judge(&hall, &planned, ahead(due) + PATIENCE).await;
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
