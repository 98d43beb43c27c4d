//! The process crashes, panics, fails or hangs between each two steps of its work (F2).

use crate::faults::{
    cluster::{now, publish_task, text},
    directed::node::{NODE, Template, TestNode},
    observer, say,
};
use domain::Timestamp;
use futures::{FutureExt, StreamExt, stream};
use serde_json::{Value, json};
use std::{collections::BTreeMap, panic::AssertUnwindSafe, path::Path, time::Duration};
use store::failpoint;
use test_support::Sink;
use tokio::time::{Instant, Interval, interval};

/// Actions at a failpoint.
const ACTIONS: [&str; 4] = ["sleep", "panic", "error", "abort"];
/// Runs at the same time: those that hang mostly wait, but each starts its own servers.
const PARALLEL_RUNS: usize = 8;
/// Number of items in a run.
const ITEMS: usize = 20;
/// Timeout of a run: much longer than the lease of a claim with unknown outcome, which is a minute.
const RUN_TIMEOUT: Duration = Duration::from_secs(240);
/// Time from scheduling an item to its due time in milliseconds.
const LEAD_MS: i64 = 1_500;

/// Waits for a file. False: the timeout passed.
async fn exists(file: &Path) -> bool {
    let (mut polls, end) = (interval(Duration::from_millis(20)), Instant::now() + RUN_TIMEOUT);
    while Instant::now() < end {
        polls.tick().await;
        if file.exists() {
            return true;
        }
    }
    false
}

/// A user of a node that may crash once; repeats requests until they are answered.
struct User<'a> {
    node: &'a TestNode,
    turns: Interval,
    may_crash: bool,
    has_crashed: bool,
}

impl<'a> User<'a> {
    fn new(node: &'a TestNode, may_crash: bool) -> Self {
        Self { node, turns: interval(Duration::from_millis(100)), may_crash, has_crashed: false }
    }

    /// Handles a request without a response: restarts the node after its crash.
    async fn handle_no_response(&mut self) {
        self.turns.tick().await;
        if self.may_crash && !self.has_crashed {
            assert!(self.node.wait_until_exited().await, "the node neither responds nor crashes");
            self.node.start().await;
            self.has_crashed = true;
        }
    }

    /// Sends a POST request. Returns status and JSON; `None`: no response.
    async fn try_post(&self, path: &str, body: &Value, key: Option<&str>) -> Option<(u16, Value)> {
        let (status, text) = self.node.cluster.post_keyed(NODE, path, body, key).await?;
        Some((status, serde_json::from_str(&text).ok()?))
    }

    /// Creates and schedules an item; retries use the same idempotency key. Returns the article's
    /// id.
    async fn schedule(&mut self, item: usize, due: Timestamp, is_moved: bool) -> String {
        let (mut article, mut due, mut turn, end) = (None, due, 0, Instant::now() + RUN_TIMEOUT);
        while Instant::now() < end {
            let Some(id) = &article else {
                let new = json!({"title": format!("Item {item}"), "body": "A text."});
                match self.try_post("/articles", &new, Some(&format!("article {item}"))).await {
                    Some((201, made)) => article = Some(text(&made["id"])),
                    Some(_) => {}
                    None => self.handle_no_response().await,
                }
                continue;
            };
            let task = publish_task(id, due);
            match self.try_post("/tasks", &task, Some(&format!("task {item} {turn}"))).await {
                Some((201, made)) => {
                    if is_moved {
                        self.reschedule(made["id"].as_str().unwrap(), due).await;
                    }
                    return id.clone();
                }
                // The task is not scheduled, and its due time has passed.
                Some((422, answer)) if answer["error"]["code"] == "past" => {
                    (due, turn) = (now().plus(LEAD_MS), turn + 1);
                }
                Some((503 | 500, _)) => {}
                None => self.handle_no_response().await,
                Some(other) => panic!("{other:?}"),
            }
        }
        panic!("item {item} could not be scheduled");
    }

    /// Reschedules a task without an idempotency key, as the page does. After a lost response the
    /// version shows whether it was done.
    async fn reschedule(&mut self, task: &str, due: Timestamp) {
        let (mut due, end) = (due.plus(300), Instant::now() + RUN_TIMEOUT);
        while Instant::now() < end {
            let body = json!({"seen_version": 1, "due_at": due.to_string()});
            match self.try_post(&format!("/tasks/{task}/reschedule"), &body, None).await {
                // Done; or done by an earlier try, or the task has been executed.
                Some((200 | 409, _)) => return,
                Some((422, _)) => due = now().plus(LEAD_MS),
                Some((503 | 500, _)) => {}
                None => self.handle_no_response().await,
                Some(other) => panic!("{other:?}"),
            }
        }
        panic!("{task} could not be rescheduled");
    }
}

/// Runs one failpoint with one action. Returns the number of further message copies, or the
/// violation.
async fn run_scenario(template: &Template, name: &str, action: &str) -> Result<usize, String> {
    let folder = tempfile::tempdir().unwrap();
    let hit = folder.path().join("hit");
    let chosen = format!("{name}:{action}:{}", hit.display());
    let mut node = template.create_node(vec![("PRESSTIME_FAILPOINT".to_owned(), chosen)]).await;
    let sink = Sink::start().await;
    if name.starts_with("sweeper") {
        // Only the sweeper finds tasks without hints.
        node.cluster.kill_redis().await;
    }
    node.start().await;
    node.cluster.create_channel(NODE, &sink.url()).await;
    std::fs::write(folder.path().join("hit.armed"), "").unwrap();
    let mut user = User::new(&node, action == "abort");
    if name.starts_with("feeder") {
        // The feeder loads at the start.
        node.kill().await;
        node.cluster.spawn(NODE);
    }
    let mut articles = Vec::new();
    for item in 0..ITEMS {
        articles.push(user.schedule(item, now().plus(LEAD_MS), name.starts_with("group_commit")).await);
    }
    if !exists(&hit).await {
        return Err("the failpoint was never reached".to_owned());
    }
    if action == "abort" && !user.has_crashed {
        if !node.wait_until_exited().await {
            return Err("the node did not crash".to_owned());
        }
        node.start().await;
    }
    let waiting = "select 1::bigint where not exists
                       (select 1 from task where state = 'scheduled' and kind <> 'engine.canary')
                       and not exists (select 1 from delivery where state in ('pending', 'sending'))";
    node.wait_for_row_within(waiting.to_owned(), RUN_TIMEOUT).await;
    let publications = observer::publications(&node.cluster).await;
    let times = |article: &String| publications.get(article).map_or(0, Vec::len);
    if let Some(times) = articles.iter().map(times).find(|times| *times != 1) {
        return Err(format!("an item was published {times} times"));
    }
    let mut messages = BTreeMap::<String, Vec<String>>::new();
    for message in sink.received() {
        messages.entry(message.header("webhook-id").to_owned()).or_default().push(message.body.clone());
    }
    if messages.values().any(|copies| copies.iter().any(|body| *body != copies[0])) {
        return Err("two bodies of one message".to_owned());
    }
    match messages.len() {
        ITEMS => Ok(messages.values().map(|copies| copies.len() - 1).sum()),
        count => Err(format!("{count} messages of {ITEMS} items")),
    }
}

/// Whether a message may arrive twice: the process or its dispatcher was lost after sending and
/// before recording.
fn may_be_copied(name: &str, action: &str) -> bool {
    action == "abort" || action == "panic" && name.starts_with("dispatch.")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_published_once_with_a_fault_at_every_failpoint() {
    let (template, began) = (Template::prepare().await, Instant::now());
    let runs =
        ACTIONS.into_iter().flat_map(|action| failpoint::ALL.into_iter().map(move |name| (name, action)));
    // First the runs that wait longest: for a hanging process or for the end of a lease.
    let (long, short): (Vec<_>, Vec<_>) =
        runs.partition(|(name, action)| *action == "sleep" || may_be_copied(name, action));
    let run_scenario = |(name, action)| {
        let template = &template;
        async move {
            let end = AssertUnwindSafe(run_scenario(template, name, action)).catch_unwind().await;
            (name, action, end.unwrap_or_else(|_| Err("the run panicked".to_owned())))
        }
    };
    let ended: Vec<_> = stream::iter(long.into_iter().chain(short).map(run_scenario))
        .buffer_unordered(PARALLEL_RUNS)
        .collect()
        .await;
    let wrong: Vec<_> = ended.iter().filter(|(.., end)| end.is_err()).collect();
    let copies: usize = ended.iter().filter_map(|(.., end)| end.as_ref().ok()).sum();
    say(&format!(
        "{} faults at {} failpoints (F2): {} wrong, {copies} further copies of messages, in {:.1?}",
        ended.len(),
        failpoint::ALL.len(),
        wrong.len(),
        began.elapsed()
    ));
    assert!(wrong.is_empty(), "{wrong:#?}");
    let unexpected = ended.iter().filter(|(name, action, end)| {
        !may_be_copied(name, action) && end.as_ref().is_ok_and(|more| *more > 0)
    });
    assert_eq!(unexpected.count(), 0, "{ended:?}");
}
