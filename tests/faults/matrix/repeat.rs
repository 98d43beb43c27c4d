//! The same request comes several times at once (F43).

use super::{
    hall::{Hall, now},
    herd, watch,
};
use crate::say;
use domain::Timestamp;
use futures::{StreamExt, future::join_all, stream};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

/// Copies of each request.
const COPIES: usize = 5;
/// Requests that plan a task, and with how many of them one more writes an article.
const REQUESTS: usize = 2_000;
const WRITES: usize = 10;
/// On SQLite fewer: there is one writer, and nothing to race for.
const FEW: usize = 200;

/// Sends the copies at once, to the nodes in turn; the answers.
async fn send(
    hall: &Hall,
    nodes: &[&str],
    path: &str,
    body: &Value,
    key: &[(&str, &str)],
) -> Vec<(u16, String)> {
    let one = |place: usize| hall.ask(nodes[place % nodes.len()], Method::POST, path, body, key);
    join_all((0..COPIES).map(one)).await.into_iter().map(|answer| answer.expect("it is answered")).collect()
}

/// One task of this draft, asked for five times at once, and with some an article; the key with another text is refused. What is wrong.
async fn ask(hall: &Hall, nodes: &[&str], number: usize, draft: Uuid) -> Vec<String> {
    let mut wrong = Vec::new();
    if number.is_multiple_of(WRITES) {
        let new = json!({"title": format!("Item {number}"), "body": "A text."});
        let key = format!("article {number}");
        same(&send(hall, nodes, "/articles", &new, &[("idempotency-key", &key)]).await, &mut wrong);
    }
    let (key, due) = (format!("task {number}"), now().plus(3_600_000));
    let key = [("idempotency-key", key.as_str())];
    let task =
        |due: Timestamp| json!({"kind": "article.publish", "target_id": draft, "due_at": due.to_string()});
    same(&send(hall, nodes, "/tasks", &task(due), &key).await, &mut wrong);
    let node = nodes[number % nodes.len()];
    let other = hall.ask(node, Method::POST, "/tasks", &task(due.plus(60_000)), &key).await;
    if !matches!(other, Some((422, _))) {
        wrong.push(format!("not 422: {other:?}"));
    }
    wrong
}

/// All answers must say one thing: it is done.
fn same(answers: &[(u16, String)], wrong: &mut Vec<String>) {
    if answers.iter().any(|answer| *answer != answers[0] || answer.0 != 201) {
        wrong.push(format!("{answers:?}"));
    }
}

async fn play(hall: Hall, nodes: &[&str], count: usize, what: &str) {
    for name in nodes {
        hall.start(name, &[], &[]).await;
    }
    // Without a key they are five wishes: whoever counts sees the difference.
    let new = json!({"title": "Without a key", "body": ""});
    send(&hall, nodes, "/articles", &new, &[]).await;
    let articles = "select count(*) from article";
    assert_eq!(watch::count(&hall, "a", articles).await, COPIES as i64, "void: copies are not noticed");
    let drafts = herd::write(&hall, count).await;
    let before = watch::count(&hall, "a", articles).await;
    let (hall, nodes, began) = (&hall, nodes, std::time::Instant::now());
    let asks = drafts.into_iter().enumerate().map(|(number, draft)| ask(hall, nodes, number, draft));
    let wrong: Vec<String> =
        stream::iter(asks).buffer_unordered(4).map(stream::iter).flatten().collect().await;
    let made = watch::count(hall, "a", articles).await - before;
    let tasks = watch::count(hall, "a", watch::WAITING).await;
    say(&format!(
        "{count} requests, {COPIES} copies at once (F43), {what}, in {:.1?}: {made} articles, {tasks} tasks, {} wrong",
        began.elapsed(),
        wrong.len()
    ));
    assert_eq!((made, tasks, wrong), ((count / WRITES) as i64, count as i64, Vec::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_comes_five_times_is_done_once() {
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(rig::Redis::start().await), "a").await;
    let mut runs = JoinSet::new();
    runs.spawn(play(hall, &["a", "b"], REQUESTS, "PostgreSQL, two nodes"));
    let hall = Hall::open(None, None, "a").await;
    runs.spawn(play(hall, &["a"], FEW, "SQLite"));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
