//! Users change tasks in the milliseconds in which they are executed (F39, F40, F41).

use super::{
    WAIT_TIMEOUT, burst,
    cluster::{Cluster, now, text},
    lock_processors,
    observer::{self, COUNT_SCHEDULED, Results},
};
use crate::{drafts::slug, rng::Rng, say};
use domain::{Timestamp, input_limits::MAX_BULK_ITEMS};
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::HashMap, time::Duration};
use tokio::time::{Instant, interval, sleep_until};
use uuid::Uuid;

/// Number of items: a third for each of the three rows of the matrix; fewer with a mutant.
const ITEMS: usize = 30_000;
const MUTANT_ITEMS: usize = 60;
/// Number of items with the same due time, and time to the next ones in milliseconds.
const GROUP_SIZE: usize = 8;
const GROUP_INTERVAL_MS: i64 = 30;
/// Time before the first item in milliseconds, for preparing: a constant part, and a part for each
/// 100 items.
const LEAD_MS: i64 = 4_000;
const LEAD_PER_100_MS: i64 = 100;
/// The public page of every nth item is read; the texts of all are compared in SQL.
const READ_EVERY: usize = 20;
/// Number of parallel readers.
const READERS: usize = 4;

/// A change at the due time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Move,
    Cancel,
    Replace,
    Withdraw,
    Edit,
}

/// The changes in turn: as many moves as cancellations as changes of the text or its approval.
const OPERATIONS: [Operation; 9] = [
    Operation::Move,
    Operation::Cancel,
    Operation::Replace,
    Operation::Move,
    Operation::Cancel,
    Operation::Withdraw,
    Operation::Move,
    Operation::Cancel,
    Operation::Edit,
];

/// An item and its change.
struct Item {
    article: Uuid,
    task: String,
    operation: Operation,
    number: usize,
    due: Timestamp,
}

/// The expected result of an item.
struct Expected {
    item: Item,
    /// `None`: it must not be published.
    due: Option<Timestamp>,
    text: &'static str,
    was_done: bool,
}

fn body(number: usize, text: &str) -> String {
    format!("The {text} text of {number}: 准时，一次。")
}

/// Creates and schedules the articles, and adds a second text to some, before the first is due.
async fn prepare(cluster: &Cluster, count: usize) -> Vec<Item> {
    let articles = burst::create_drafts(cluster, count).await;
    update_texts(
        cluster,
        &articles,
        |_| true,
        "update revision set body = given.body from given where article_id = given.id",
    )
    .await;
    let base = now().plus(LEAD_MS + i64::try_from(count / 100).unwrap() * LEAD_PER_100_MS);
    let due = |number: usize| base.plus(i64::try_from(number / GROUP_SIZE).unwrap_or(0) * GROUP_INTERVAL_MS);
    let task = |(number, article): (usize, &Uuid)| json!({"kind": "article.publish", "target_id": article, "due_at": due(number).to_string()});
    let wanted: Vec<Value> = articles.iter().enumerate().map(task).collect();
    let mut tasks = Vec::new();
    for part in wanted.chunks(MAX_BULK_ITEMS) {
        let made = cluster.post("b", "/tasks/bulk", &json!({"items": part})).await;
        tasks.extend(made["items"].as_array().unwrap().iter().map(|task| text(&task["id"])));
    }
    let operation = |number: usize| OPERATIONS[number % OPERATIONS.len()];
    let has_second = |number| matches!(operation(number), Operation::Replace | Operation::Edit);
    update_texts(cluster, &articles, has_second, ADD_SECOND_TEXT).await;
    assert!(now() < base, "void: preparing took until the first was due");
    let items = articles.into_iter().zip(tasks).enumerate();
    items
        .map(|(number, (article, task))| Item {
            article,
            task,
            operation: operation(number),
            number,
            due: due(number),
        })
        .collect()
}

/// Adds the texts in `given` as second revisions; the tasks keep the first.
const ADD_SECOND_TEXT: &str = "
    , second as (insert into revision (id, article_id, number, title, body, words, author_id, saved_at)
                 select gen_random_uuid(), r.article_id, 2, r.title, given.body, 2, r.author_id, 2
                   from given join revision r on r.article_id = given.id
                 returning id, article_id)
    update article set revision = 2, revision_id = second.id, changed_at = 2 from second where article.id = second.article_id";

/// Runs a statement on `given`, a table with a text for each wanted article.
async fn update_texts(
    cluster: &Cluster,
    articles: &[Uuid],
    is_wanted: impl Fn(usize) -> bool,
    statement: &str,
) {
    let which = if statement == ADD_SECOND_TEXT { "second" } else { "first" };
    let rows = articles.iter().enumerate().filter(|(number, _)| is_wanted(*number));
    let rows: Vec<String> =
        rows.map(|(number, id)| format!("('{id}'::uuid, '{}')", body(number, which))).collect();
    for part in rows.chunks(1_000) {
        let given = format!("with given (id, body) as (values {}) {statement}", part.join(","));
        observer::execute(cluster, "a", &given).await;
    }
}

/// Saves a third text; the task keeps the first.
async fn edit(cluster: &Cluster, item: &Item) {
    let change = json!({"body": body(item.number, "third"), "seen_revision": 2});
    let path = format!("/articles/{}", item.article);
    let answer = cluster.request("a", Method::PATCH, &path, &change, &[]).await;
    assert!(matches!(answer, Some((200 | 503, _))), "{answer:?}");
}

/// Changes the item around its due time. Returns the expected result according to the response.
async fn apply_change(cluster: &Cluster, item: Item, jitter: i64) -> Expected {
    let wait = item.due.since(now()) + jitter;
    // At the due time, where change and execution race.
    sleep_until(Instant::now() + Duration::from_millis(u64::try_from(wait).unwrap_or(0))).await;
    let later = item.due.plus(1_500);
    let seen = json!({"seen_version": 1});
    let was_done = match item.operation {
        Operation::Move => {
            let to = json!({"seen_version": 1, "due_at": later.to_string()});
            is_changed(cluster, "a", &item, "reschedule", &to).await
        }
        Operation::Cancel => is_changed(cluster, "b", &item, "cancel", &seen).await,
        Operation::Replace => is_changed(cluster, "a", &item, "replace-revision", &seen).await,
        Operation::Withdraw => observer::count(cluster, "a", &withdrawal(&item)).await == 1,
        Operation::Edit => {
            edit(cluster, &item).await;
            true
        }
    };
    let (due, text) = match (item.operation, was_done) {
        (Operation::Move, true) => (Some(later), "first"),
        (Operation::Cancel | Operation::Withdraw, true) => (None, "first"),
        (Operation::Replace, true) => (Some(item.due), "second"),
        _ => (Some(item.due), "first"),
    };
    Expected { item, due, text, was_done }
}

/// Sends a change: true if it was executed, false if the task had been executed before. Repeats it
/// while the node is overloaded and has changed nothing.
async fn is_changed(cluster: &Cluster, node: &str, item: &Item, verb: &str, body: &Value) -> bool {
    let (mut turns, end) = (interval(Duration::from_millis(50)), Instant::now() + 3 * WAIT_TIMEOUT);
    loop {
        turns.tick().await;
        match cluster.try_post(node, &format!("/tasks/{}/{verb}", item.task), body).await {
            (200, _) => return true,
            (409, _) => return false,
            (503, _) if Instant::now() < end => {}
            (status, answer) => panic!("neither executed nor refused: {status} {answer}"),
        }
    }
}

/// Returns SQL that withdraws the approval. No service does so yet; it locks the target first, as
/// its transaction would.
fn withdrawal(item: &Item) -> String {
    format!(
        "with locked as (select id from target where id = '{}' for no key update),
              withdrawn as (update task set version = version + 1, approved_version = null
                             where id = '{}' and state = 'scheduled' and target_id in (select id from locked)
                         returning 1)
         select count(*) from withdrawn",
        item.article, item.task
    )
}

/// Checks that the public page has the expected text and no other.
async fn check_page(cluster: &Cluster, expected: &Expected) -> Result<(), String> {
    let item = &expected.item;
    let page = cluster.get("a", &format!("/site/{}", slug(&item.article))).await;
    let Some((status, page)) = page else { return Err("the site does not respond".to_owned()) };
    if expected.due.is_none() {
        return if status == 404 { Ok(()) } else { Err(format!("{status} for what must not be public")) };
    }
    let has = |text| page.contains(&format!("<p>{}</p>", body(item.number, text)));
    let others = ["first", "second", "third"].into_iter().filter(|text| *text != expected.text);
    match status == 200 && has(expected.text) && !others.into_iter().any(has) {
        true => Ok(()),
        false => Err(format!("{:?} of {}: not the {} text", item.operation, item.number, expected.text)),
    }
}

/// Returns the items with a wrong public text: all by SQL, some by their page.
async fn wrong_texts(cluster: &Cluster, all: &[Expected]) -> Vec<String> {
    let public: HashMap<Uuid, String> = observer::public_texts(cluster).await.into_iter().collect();
    let mut wrong: Vec<String> = all
        .iter()
        .filter(|one| {
            let wanted = one.due.map(|_| body(one.item.number, one.text));
            public.get(&one.item.article) != wanted.as_ref()
        })
        .map(|one| {
            format!("{:?} of {}: not the {} text in SQL", one.item.operation, one.item.number, one.text)
        })
        .collect();
    let read = all.iter().step_by(READ_EVERY).map(|one| check_page(cluster, one));
    let pages: Vec<_> = stream::iter(read).buffer_unordered(READERS).collect().await;
    wrong.extend(pages.into_iter().filter_map(Result::err));
    wrong
}

async fn run_scenario(count: usize, seed: u64, mutant: Option<&'static str>) -> (Results, usize) {
    let postgres = test_support::postgres().await;
    let cluster =
        Cluster::open(Some(postgres.create_database()), Some(test_support::Redis::start().await), "a").await;
    observer::install(&cluster, "a").await;
    let environment: Vec<(String, String)> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    for name in ["a", "b"] {
        cluster.start(name, &[], &environment).await;
    }
    let (rng, items) = (Rng::new(seed), prepare(&cluster, count).await);
    // With a mutant more changes come before the due time.
    let lead = if mutant.is_some() { 80 } else { 20 };
    let acts = items.into_iter().map(|item| apply_change(&cluster, item, rng.millis(41) - lead));
    let all: Vec<Expected> = futures::future::join_all(acts).await;
    assert!(observer::wait_for_count(&cluster, "a", COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await, "all tasks end");
    let (out, mut results) = (observer::changes(&cluster, "a").await, Results::default());
    for expected in &all {
        let times = out.get(&expected.item.article.to_string()).into_iter().flatten();
        let times: Vec<Timestamp> = times.map(|seen| seen.at).collect();
        results.add(&format!("{:?}", expected.item.operation), expected.due, &times);
    }
    wrong_texts(&cluster, &all).await.into_iter().for_each(|what| results.add_wrong(what));
    let won =
        all.iter().filter(|expected| expected.was_done && expected.item.operation != Operation::Edit).count();
    (results, won)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_at_the_due_time_has_the_answered_result() {
    let (_lock, seed) = (lock_processors().await, seed());
    let runs = [
        (true, run_scenario(MUTANT_ITEMS, seed, Some("popped-means-allowed")).await),
        (false, run_scenario(ITEMS, seed, None).await),
    ];
    for (is_mutant, (results, won)) in runs {
        let name = if is_mutant { "popped-means-allowed" } else { "normal build" };
        say(&format!(
            "changes at the due time ± 20 ms (F39 F40 F41), {name}, seed {seed}: {results}; {won} were in time"
        ));
        match is_mutant {
            true => assert!(results.violations() > 0, "void: the mutant is not detected"),
            false => {
                assert_eq!(results.violations(), 0, "{results}");
                assert!(won > 0 && won < results.scheduled, "void: no race, {won} won");
            }
        }
    }
}

fn seed() -> u64 {
    crate::number("FAULTS_SEED").unwrap_or_else(|| now().millis().unsigned_abs() % 1_000_000)
}
