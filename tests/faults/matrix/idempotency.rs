//! Several copies of one request arrive at the same time (F43).

use crate::faults::{
    cluster::{Cluster, now, publish_task},
    drafts, items, observer, say,
};
use futures::{StreamExt, future::join_all, stream};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

/// Number of copies of each request.
const COPIES: usize = 5;
/// Number of times that a request is sent until there is a response.
const TRIES: usize = 3;
/// Number of requests that schedule a task, and in a long run. Every nth also creates an article.
const REQUESTS: (usize, usize) = (500, 2_000);
const ARTICLE_EVERY: usize = 10;
/// Number of requests on SQLite, where one writer allows no race.
const SQLITE_REQUESTS: usize = 100;

/// Sends the copies at the same time to alternating nodes, each again if there is no response.
/// Returns the responses.
async fn send(
    cluster: &Cluster,
    nodes: &[&str],
    path: &str,
    body: &Value,
    key: Option<&str>,
) -> Vec<(u16, String)> {
    let one = async |copy: usize| {
        for _ in 0..TRIES {
            let answer = cluster.post_keyed(nodes[copy % nodes.len()], path, body, key).await;
            if let Some(answer) = answer {
                return answer;
            }
        }
        panic!("the node does not respond");
    };
    join_all((0..COPIES).map(one)).await
}

/// Sends copies of a request for a task, sometimes also for an article. The key with another body
/// must be refused. Returns the violations.
async fn send_copies(cluster: &Cluster, nodes: &[&str], number: usize, draft: Uuid) -> Vec<String> {
    let mut wrong = Vec::new();
    if number.is_multiple_of(ARTICLE_EVERY) {
        let new = json!({"title": format!("Item {number}"), "body": "A text."});
        let key = format!("article {number}");
        check_same(&send(cluster, nodes, "/articles", &new, Some(&key)).await, &mut wrong);
    }
    let (key, due) = (format!("task {number}"), now().plus(3_600_000));
    let (key, task) = (Some(key.as_str()), publish_task(&draft, due));
    check_same(&send(cluster, nodes, "/tasks", &task, key).await, &mut wrong);
    let (node, other) = (nodes[number % nodes.len()], publish_task(&draft, due.plus(60_000)));
    let other = cluster.post_keyed(node, "/tasks", &other, key).await;
    if !matches!(other, Some((422, _))) {
        wrong.push(format!("not 422: {other:?}"));
    }
    wrong
}

/// Checks that all responses are the same and successful.
fn check_same(answers: &[(u16, String)], wrong: &mut Vec<String>) {
    if answers.iter().any(|answer| *answer != answers[0] || answer.0 != 201) {
        wrong.push(format!("{answers:?}"));
    }
}

async fn run_scenario(cluster: Cluster, nodes: &[&str], count: usize, what: &str) {
    for name in nodes {
        cluster.start(name).await;
    }
    // Without a key these are five requests: the count must show them.
    let new = json!({"title": "Without a key", "body": ""});
    send(&cluster, nodes, "/articles", &new, None).await;
    let articles = "select count(*) from article";
    assert_eq!(observer::count(&cluster, articles).await, COPIES as i64, "void: copies are not detected");
    let drafts = drafts::create(&cluster, count).await;
    let before = observer::count(&cluster, articles).await;
    let (cluster, nodes, began) = (&cluster, nodes, std::time::Instant::now());
    let requests =
        drafts.into_iter().enumerate().map(|(number, draft)| send_copies(cluster, nodes, number, draft));
    let wrong: Vec<String> =
        stream::iter(requests).buffer_unordered(4).map(stream::iter).flatten().collect().await;
    let made = observer::count(cluster, articles).await - before;
    let tasks = observer::count(cluster, observer::COUNT_SCHEDULED).await;
    say(&format!(
        "{count} requests, {COPIES} parallel copies (F43), {what}, in {:.1?}: {made} articles, {tasks} tasks, {} wrong",
        began.elapsed(),
        wrong.len()
    ));
    assert_eq!((made, tasks, wrong), ((count / ARTICLE_EVERY) as i64, count as i64, Vec::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_arrives_five_times_is_executed_once() {
    let postgres = test_support::postgres().await;
    let cluster = Cluster::open_on(&postgres, None).await;
    let mut runs = JoinSet::new();
    runs.spawn(run_scenario(cluster, &["a", "b"], items(REQUESTS.0, REQUESTS.1), "PostgreSQL, two nodes"));
    let cluster = Cluster::open(None, None).await;
    runs.spawn(run_scenario(cluster, &["a"], SQLITE_REQUESTS, "SQLite"));
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
