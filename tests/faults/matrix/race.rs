//! Users change tasks in the milliseconds in which they are executed (F39, F40, F41).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now, time_until},
    drafts::{self, slug},
    is_detected, items,
    observer::{self, COUNT_SCHEDULED},
    results::Results,
    rng::Rng,
    say,
};
use domain::Timestamp;
use futures::{StreamExt, future::join_all, stream};
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::HashMap, time::Duration};
use tokio::{
    sync::Semaphore,
    time::{Instant, interval, sleep},
};
use uuid::Uuid;

/// Number of items, and in a long run: a third for each of the three rows of the matrix; fewer with a mutant.
const ITEMS: (usize, usize) = (9_000, 30_000);
const MUTANT_ITEMS: usize = 60;
/// Number of runs after which there was no race.
const RACES: usize = 3;
/// Number of items with the same due time, and time to the next ones in milliseconds.
const GROUP_SIZE: usize = 8;
const GROUP_INTERVAL_MS: i64 = 30;
/// Number of items that are prepared and changed together. More would not add to the race, and on a
/// busy computer preparing them would take until the first is due.
const ROUND_ITEMS: usize = 3_000;
/// Time before the first item of the first round in milliseconds, for preparing. The next rounds
/// take what the last one needed.
const FIRST_LEAD_MS: i64 = 5_000;
/// Time before the first item in milliseconds beside the time for preparing.
const MIN_LEAD_MS: i64 = 500;
/// Number of rounds that may take longer to prepare than they have.
const MAX_LATE_ROUNDS: usize = 5;
/// Maximum number of changes in flight: more only wait in the server.
const PARALLEL_CHANGES: usize = 48;
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

/// Creates and schedules articles, and adds a second text to some, before the first is due after
/// `lead` milliseconds. `Err`: preparing took longer.
async fn prepare(
    cluster: &Cluster,
    numbers: std::ops::Range<usize>,
    lead: i64,
) -> Result<(Vec<Item>, i64), i64> {
    let drafts = drafts::create(cluster, numbers.len()).await;
    let articles: Vec<(usize, Uuid)> = numbers.zip(drafts).collect();
    let first = "update revision set body = given.body from given where article_id = given.id";
    update_texts(cluster, &articles, |_| true, first).await.unwrap();
    let (began, base) = (now(), now().plus(lead));
    let due = |index: usize| base.plus(i64::try_from(index / GROUP_SIZE).unwrap() * GROUP_INTERVAL_MS);
    let scheduled: Vec<(Uuid, Timestamp)> =
        articles.iter().enumerate().map(|(index, (_, article))| (*article, due(index))).collect();
    let tasks = cluster.try_schedule_all("b", &scheduled).await;
    let has_second = |number| matches!(operation(number), Operation::Replace | Operation::Edit);
    // A node that executes the tasks meanwhile locks the articles in another order.
    let updated = update_texts(cluster, &articles, has_second, ADD_SECOND_TEXT).await;
    let took = now().since(began);
    let Some(tasks) = tasks.filter(|_| took < lead) else { return Err(took) };
    updated.unwrap();
    let items = articles.into_iter().zip(scheduled).zip(tasks);
    let item = |(((number, article), (_, due)), task)| Item {
        article,
        task,
        operation: operation(number),
        number,
        due,
    };
    Ok((items.map(item).collect(), took))
}

fn operation(number: usize) -> Operation {
    OPERATIONS[number % OPERATIONS.len()]
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
    articles: &[(usize, Uuid)],
    is_wanted: impl Fn(usize) -> bool,
    statement: &str,
) -> sqlx::Result<()> {
    let which = if statement == ADD_SECOND_TEXT { "second" } else { "first" };
    let rows = articles.iter().filter(|(number, _)| is_wanted(*number));
    let rows: Vec<String> =
        rows.map(|(number, id)| format!("('{id}'::uuid, '{}')", body(*number, which))).collect();
    for part in rows.chunks(1_000) {
        let given = format!("with given (id, body) as (values {}) {statement}", part.join(","));
        observer::try_execute(cluster, &given).await?;
    }
    Ok(())
}

/// Saves a third text; the task keeps the first, whatever the response is.
async fn edit(cluster: &Cluster, item: &Item) {
    let change = json!({"body": body(item.number, "third"), "seen_revision": 2});
    let path = format!("/articles/{}", item.article);
    let answer = cluster.request("a", Method::PATCH, &path, &change).await;
    assert!(matches!(answer, (200 | 503 | NO_RESPONSE, _)), "{answer:?}");
}

/// Changes the item around its due time. Returns the expected result according to the response.
async fn apply_change(cluster: &Cluster, slots: &Semaphore, item: Item, jitter: i64) -> Expected {
    // At the due time, where change and execution race.
    sleep(time_until(item.due.plus(jitter))).await;
    let _slot = slots.acquire().await.unwrap();
    let later = item.due.plus(1_500);
    let seen = json!({"seen_version": 1});
    let was_done = match item.operation {
        Operation::Move => {
            let to = json!({"seen_version": 1, "due_at": later.to_string()});
            let is_moved = |task: &Value| task["due_at"] == to["due_at"];
            is_changed(cluster, ("a", &item, "reschedule"), &to, is_moved).await
        }
        Operation::Cancel => {
            let is_cancelled = |task: &Value| task["state"] == "cancelled";
            is_changed(cluster, ("b", &item, "cancel"), &seen, is_cancelled).await
        }
        Operation::Replace => {
            let is_replaced = |task: &Value| task["revision"] == 2;
            is_changed(cluster, ("a", &item, "replace-revision"), &seen, is_replaced).await
        }
        Operation::Withdraw => observer::count(cluster, &withdrawal(&item)).await == 1,
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

/// Status of a request without a response.
const NO_RESPONSE: u16 = 0;

/// Sends a change: true if it was executed, false if the task had been executed before. Repeats it
/// while the node is overloaded and has changed nothing, and after a lost response, which says
/// nothing: then the task itself shows what happened to the first try.
async fn is_changed(
    cluster: &Cluster,
    (node, item, verb): (&str, &Item, &str),
    body: &Value,
    is_done: impl Fn(&Value) -> bool,
) -> bool {
    let (mut turns, end) = (interval(Duration::from_millis(50)), Instant::now() + 3 * WAIT_TIMEOUT);
    let (path, mut is_known) = (format!("/tasks/{}", item.task), true);
    loop {
        turns.tick().await;
        let (status, answer) = cluster.try_post(node, &format!("{path}/{verb}"), body).await;
        match status {
            200 => return true,
            503 => {}
            NO_RESPONSE => is_known = false,
            // Executed before; or the new time has passed, and it will be executed at the old one.
            409 | 422 if is_known => return false,
            409 | 422 => {
                let (status, task) = cluster.request(node, Method::GET, &path, &Value::Null).await;
                if status == 200 && (is_done(&task) || task["state"] != "scheduled") {
                    return is_done(&task);
                }
            }
            _ => panic!("neither executed nor refused: {status} {answer}"),
        }
        assert!(Instant::now() < end, "{verb} of {path}: {status} {answer}");
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

/// Prepares and changes all items, round after round.
async fn change_all(cluster: &Cluster, count: usize, rng: &Rng, earlier: i64) -> Vec<Expected> {
    let (mut all, mut lead, mut late, slots) =
        (Vec::new(), FIRST_LEAD_MS, 0, Semaphore::new(PARALLEL_CHANGES));
    while all.len() < count {
        let round = all.len()..count.min(all.len() + ROUND_ITEMS);
        match prepare(cluster, round, lead).await {
            Ok((items, took)) => {
                lead = 2 * took + MIN_LEAD_MS;
                let changes = items
                    .into_iter()
                    .map(|item| apply_change(cluster, &slots, item, rng.millis(41) - earlier));
                all.extend(join_all(changes).await);
            }
            Err(took) => {
                (lead, late) = (2 * took, late + 1);
                assert!(late <= MAX_LATE_ROUNDS, "void: preparing took until the first was due: {took} ms");
            }
        }
    }
    all
}

async fn run_scenario(count: usize, seed: u64, mutant: Option<&'static str>) -> (Results, usize) {
    let postgres = test_support::postgres().await;
    let cluster = Cluster::open_on(&postgres, mutant).await;
    observer::install(&cluster).await;
    for name in ["a", "b"] {
        cluster.start(name).await;
    }
    // An edit leaves the schedule alone: what was scheduled is published.
    let pins = json!({"pins_always": true});
    let (status, answer) = cluster.request("a", Method::PATCH, "/settings/review", &pins).await;
    assert_eq!(status, 200, "{answer}");
    // With a mutant more changes come before the due time.
    let earlier = if mutant.is_some() { 80 } else { 20 };
    let all = change_all(&cluster, count, &Rng::new(seed), earlier).await;
    assert!(observer::wait_for_count(&cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await, "all tasks end");
    let (out, mut results) = (observer::publications(&cluster).await, Results::default());
    for expected in &all {
        let times = out.get(&expected.item.article.to_string()).map_or(&[][..], Vec::as_slice);
        results.add(&format!("{:?}", expected.item.operation), expected.due, times);
    }
    wrong_texts(&cluster, &all).await.into_iter().for_each(|what| results.add_wrong(what));
    let won =
        all.iter().filter(|expected| expected.was_done && expected.item.operation != Operation::Edit).count();
    (results, won)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_at_the_due_time_has_the_answered_result() {
    let seed = seed();
    let mutant = |number| async move {
        run_scenario(MUTANT_ITEMS, seed.wrapping_add(number), Some("popped-means-allowed")).await.0
    };
    assert!(
        is_detected(mutant, |results| results.violations() > 0).await,
        "void: the mutant is not detected, seed {seed}"
    );
    // On a busy machine all changes of a run may be too late.
    for seed in (seed..).take(RACES) {
        let (results, won) = run_scenario(items(ITEMS.0, ITEMS.1), seed, None).await;
        say(&format!(
            "changes at the due time ± 20 ms (F39 F40 F41), seed {seed}: {results}; {won} were in time"
        ));
        assert_eq!(results.violations(), 0, "{results}");
        if won > 0 && won < results.scheduled {
            return;
        }
    }
    panic!("void: no race");
}

fn seed() -> u64 {
    crate::faults::number("FAULTS_SEED").unwrap_or_else(|| now().millis().unsigned_abs() % 1_000_000)
}
