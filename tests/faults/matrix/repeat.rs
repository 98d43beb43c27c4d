//! The same request comes several times at once (F43).

use super::{
    hall::{Article, Hall, now},
    items, watch,
};
use crate::say;
use futures::{StreamExt, future::join_all, stream};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Copies of each request.
const COPIES: usize = 5;

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

/// One article and one task, each asked for five times at once. What is wrong.
async fn ask(hall: &Hall, nodes: &[&str], number: usize) -> Vec<String> {
    let (keys, mut wrong) = ([format!("article {number}"), format!("task {number}")], Vec::new());
    let new = json!({"title": format!("Item {number}"), "body": "A text."});
    let answers = send(hall, nodes, "/articles", &new, &[("idempotency-key", &keys[0])]).await;
    let Some(article) = same(&answers, &mut wrong) else { return wrong };
    let due = now().plus(3_600_000).to_string();
    let task = json!({"kind": "article.publish", "target_id": article.id, "due_at": due});
    let answers = send(hall, nodes, "/tasks", &task, &[("idempotency-key", &keys[1])]).await;
    same(&answers, &mut wrong);
    let other =
        json!({"kind": "article.publish", "target_id": article.id, "due_at": now().plus(60_000).to_string()});
    let answers = send(hall, nodes, "/tasks", &other, &[("idempotency-key", &keys[1])]).await;
    wrong.extend(
        answers.iter().filter(|(status, _)| *status != 422).map(|other| format!("not 422: {other:?}")),
    );
    wrong
}

/// What all answers say, if it is one thing.
fn same(answers: &[(u16, String)], wrong: &mut Vec<String>) -> Option<Article> {
    if answers.iter().any(|answer| *answer != answers[0] || answer.0 != 201) {
        wrong.push(format!("{answers:?}"));
    }
    let made: Value = serde_json::from_str(&answers[0].1).ok()?;
    Some(Article { id: made["id"].as_str()?.to_owned(), slug: String::new() })
}

async fn play(hall: Hall, nodes: &[&str], what: &str) {
    let count = items(30, 2_000);
    for name in nodes {
        hall.start(name, &[], &[]).await;
    }
    // Without a key they are five wishes: whoever counts sees the difference.
    let new = json!({"title": "Without a key", "body": ""});
    send(&hall, nodes, "/articles", &new, &[]).await;
    let articles = "select count(*) from article";
    assert_eq!(watch::count(&hall, "a", articles).await, COPIES as i64, "void: copies are not noticed");
    let asked = stream::iter(0..count).map(|number| ask(&hall, nodes, number)).buffer_unordered(4);
    let wrong: Vec<String> = asked.map(stream::iter).flatten().collect().await;
    let made = watch::count(&hall, "a", articles).await - COPIES as i64;
    let tasks = watch::count(&hall, "a", watch::WAITING).await;
    say(&format!(
        "{count} requests, {COPIES} copies at once (F43), {what}: {made} articles, {tasks} tasks, {} wrong",
        wrong.len()
    ));
    assert_eq!((made, tasks, wrong), (count as i64, count as i64, Vec::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_comes_five_times_is_done_once() {
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(rig::Redis::start().await), "a").await;
    let mut runs = JoinSet::new();
    runs.spawn(play(hall, &["a", "b"], "PostgreSQL, two nodes"));
    let hall = Hall::open(None, None, "a").await;
    runs.spawn(play(hall, &["a"], "SQLite"));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
