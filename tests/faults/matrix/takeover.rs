//! A standby takes the database over, in step with its primary or behind it (F31).

use super::{
    PATIENCE,
    hall::{Hall, now, text},
    herd, items,
    watch::{self, Sheet, WAITING},
};
use crate::say;
use domain::{Timestamp, limit::BULK_ITEMS};
use reqwest::Method;
use rig::{Postgres, Proxy, Redis, Sink};
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Two items that are planned beforehand are so far apart, milliseconds.
const APART: i64 = 25;
/// Before the first of them, milliseconds: what is planned is planned by then.
const AHEAD: i64 = 3_000;
/// What people plan meanwhile is due so soon, milliseconds.
const SOON: i64 = 1_500;
/// Longer than anything may be late, outage and all, milliseconds.
const LATE: i64 = 10_000;
/// How long an attempt may take of which nobody says how it ended.
const LEASE: Duration = Duration::from_secs(60);
/// Lines of the log that no node was told of: those of the commits that were under way.
const UNDER_WAY: usize = 40;
/// The engine's own task.
const CANARY: &str = "00000000-0000-0000-0000-0000000000ca";

/// A line of the log: of what, what was done, the version after it, when.
type Line = (String, String, Option<i64>, String);

/// An item and what its people were told of it.
struct Item {
    article: String,
    /// `None`: nobody knows whether it was planned.
    task: Option<String>,
    due: Timestamp,
}

/// Two servers and an address that leads to whichever is in charge.
struct Pair {
    primary: Postgres,
    standby: Postgres,
    /// How changes reach the standby.
    way: Proxy,
    address: Proxy,
}

impl Pair {
    async fn start(is_in_step: bool) -> (Self, String) {
        let primary = Postgres::start_durable().await;
        let (way, address) = (Proxy::to(primary.port()).await, Proxy::to(primary.port()).await);
        let database = primary.fresh_database();
        let standby = primary.start_standby(way.port()).await;
        if is_in_step {
            primary.wait_for_standby();
        }
        let [there, here] = [primary.port(), address.port()].map(|port| format!(":{port}/"));
        let database = database.replace(&there, &here);
        (Self { primary, standby, way, address }, database)
    }

    /// The primary dies where it stands, and the standby takes over.
    fn take_over(&self) {
        self.primary.stop();
        self.standby.promote();
        self.address.lead_to(self.standby.port());
    }
}

/// Plans an item each 50 ms, due soon, through either node.
async fn plan(hall: Arc<Hall>, stop: CancellationToken) -> Vec<Item> {
    let (mut planned, mut turns) = (Vec::new(), interval(Duration::from_millis(50)));
    while !stop.is_cancelled() {
        turns.tick().await;
        let node = if planned.len() % 2 == 0 { "a" } else { "b" };
        let text_of = json!({"title": format!("Item {}", planned.len()), "body": "A text."});
        let (_, article) = hall.post(node, "/articles", &text_of).await;
        let article = text(&article["id"]);
        if article.is_empty() {
            continue;
        }
        let due = now().plus(SOON);
        let task = json!({"kind": "article.publish", "target_id": article, "due_at": due.to_string()});
        let (_, task) = hall.post(node, "/tasks", &task).await;
        let task = Some(text(&task["id"])).filter(|id| !id.is_empty());
        planned.push(Item { article, task, due });
    }
    planned
}

/// Plans items beforehand, one each 25 ms from `base` on.
async fn stock(hall: &Hall, count: usize, base: Timestamp) -> Vec<Item> {
    let drafts = herd::write(hall, count).await;
    let due = |place: usize| base.plus(i64::try_from(place).unwrap() * APART);
    let all: Vec<(usize, Uuid)> = drafts.into_iter().enumerate().collect();
    let mut planned = Vec::new();
    for part in all.chunks(BULK_ITEMS) {
        let task = |(place, id): &(usize, Uuid)| json!({"kind": "article.publish", "target_id": id, "due_at": due(*place).to_string()});
        let wishes: Vec<Value> = part.iter().map(task).collect();
        let made = hall.have("a", "/tasks/bulk", &json!({"items": wishes})).await;
        for ((place, id), task) in part.iter().zip(made["items"].as_array().unwrap()) {
            let task = Some(text(&task["id"]));
            planned.push(Item { article: id.to_string(), task, due: due(*place) });
        }
    }
    planned
}

/// What a node says of why messages are held.
async fn held(hall: &Hall) -> Value {
    let answer = hall.ask("b", Method::GET, "/restore", &Value::Null, &[]).await;
    let Some((200, text)) = answer else { return Value::Null };
    serde_json::from_str(&text).unwrap()
}

/// The lines that the nodes say are missing.
fn reported(held: &Value) -> BTreeSet<Line> {
    let gaps = held["gaps"].as_array().into_iter().flatten();
    let lines = gaps.flat_map(|gap| gap["lines"].as_array().into_iter().flatten());
    lines
        .map(|line| {
            (text(&line["entity_id"]), text(&line["verb"]), line["version"].as_i64(), text(&line["at"]))
        })
        .collect()
}

/// The log of a server.
async fn log(url: &str) -> BTreeSet<Line> {
    let mut past = PgConnection::connect(url).await.unwrap();
    let all = "select entity_id::text, verb, version::bigint, at from event where entity_id <> $1::uuid";
    let rows: Vec<(String, String, Option<i64>, i64)> =
        sqlx::query_as(all).bind(CANARY).fetch_all(&mut past).await.unwrap();
    rows.into_iter()
        .map(|(id, verb, version, at)| (id, verb, version, Timestamp::from_millis(at).to_string()))
        .collect()
}

/// Those of the items whose task is not there, though their people were told that it is.
async fn lost(hall: &Hall, items: &[Item]) -> BTreeSet<String> {
    let mut past = PgConnection::connect(hall.database.as_deref().unwrap()).await.unwrap();
    let there: Vec<String> =
        sqlx::query_scalar("select id::text from task").fetch_all(&mut past).await.unwrap();
    let there: BTreeSet<String> = there.into_iter().collect();
    items.iter().filter_map(|item| item.task.clone()).filter(|task| !there.contains(task)).collect()
}

/// What became of the items that are not lost.
async fn judge(hall: &Hall, items: &[Item], lost: &BTreeSet<String>) -> Sheet {
    let (out, mut sheet) = (watch::seen(hall, "a").await, Sheet::default());
    for item in items.iter().filter(|item| item.task.as_ref().is_none_or(|task| !lost.contains(task))) {
        let times: Vec<_> = out.get(&item.article).into_iter().flatten().map(|seen| seen.at).collect();
        if item.task.is_some() || !times.is_empty() {
            sheet.judge("planned", Some(item.due), &times);
        }
    }
    sheet
}

/// Everything that is to be told is told. What was on its way, and whose end is not there, waits until its lease is over.
async fn all_is_told(hall: &Hall) {
    let open = "select count(*) from delivery where state <> 'delivered'";
    let is_told = watch::until(hall, "a", open, 0, LEASE + PATIENCE).await;
    assert!(is_told, "messages do not leave:\n{}", hall.log("a"));
}

/// Plays it until everything that is there has gone out: the servers, the desk, who is told, and all that was planned.
async fn play(is_in_step: bool) -> (Pair, Arc<Hall>, Sink, Vec<Item>) {
    let (pair, database) = Pair::start(is_in_step).await;
    let (hall, sink) =
        (Hall::open(Some(database), Some(Redis::start().await), "a").await, Sink::start().await);
    watch::watch(&hall, "a").await;
    for node in ["a", "b"] {
        hall.start(node, &[], &[]).await;
    }
    let hall = Arc::new(hall);
    let channel =
        json!({"name": "Sink", "address": sink.url(), "ladder": "1s, 1s, 2s, 5s", "on_ambiguous": "retry"});
    hall.have("a", "/channels", &channel).await;
    let span = Duration::from_secs(items(8, 30) as u64);
    let base = now().plus(AHEAD);
    let count = usize::try_from(i64::try_from(span.as_millis()).unwrap() / APART).unwrap();
    let mut all = stock(&hall, count, base).await;
    assert!(now() < base, "void: planning took until the first was due");
    let begins = Instant::now() + Duration::from_millis(base.since(now()).unsigned_abs());
    let (stop, mut people) = (CancellationToken::new(), JoinSet::new());
    people.spawn(plan(Arc::clone(&hall), stop.clone()));
    if !is_in_step {
        sleep_until(begins + span / 8).await;
        pair.way.hold(true);
    }
    sleep_until(begins + span / 3).await;
    tokio::task::block_in_place(|| pair.take_over());
    sleep_until(begins + span).await;
    stop.cancel();
    all.extend(people.join_all().await.into_iter().flatten());
    watch::until(&hall, "a", WAITING, 0, PATIENCE).await;
    (pair, hall, sink, all)
}

async fn in_step() {
    let (_pair, hall, sink, items) = play(true).await;
    let lost = lost(&hall, &items).await;
    let sheet = judge(&hall, &items, &lost).await;
    assert!(held(&hall).await["held_since"].is_null(), "nothing is missing, and nothing is held");
    all_is_told(&hall).await;
    let (told, ids) = (sink.received(), |message: &rig::Received| message.header("webhook-id").to_owned());
    let once: BTreeSet<String> = told.iter().map(ids).collect();
    say(&format!(
        "a standby in step takes over (F31): {sheet}; {} acknowledged and gone; {} messages, {} copies",
        lost.len(),
        once.len(),
        told.len() - once.len()
    ));
    assert_eq!((sheet.bad(), lost.len(), once.len()), (0, 0, sheet.planned), "{sheet}");
    assert!(sheet.worst() < LATE, "{sheet}");
}

async fn behind() {
    let (pair, hall, sink, items) = play(false).await;
    let lost = lost(&hall, &items).await;
    let sheet = judge(&hall, &items, &lost).await;
    assert!(!lost.is_empty(), "void: the standby had everything");
    let why = timeout(PATIENCE, async {
        loop {
            let why = held(&hall).await;
            if why["held_since"].is_string() {
                return why;
            }
        }
    });
    let why = why.await.expect("messages are held");
    let told = sink.received().len();
    let pending = watch::count(&hall, "a", "select count(*) from delivery where state = 'pending'").await;
    assert!(pending > 0, "void: nothing was to be told meanwhile");
    // The log of the server that died, against that of the one that took over.
    pair.primary.start_again().await;
    let database = hall.database.as_deref().unwrap();
    let [there, here] = [pair.address.port(), pair.primary.port()].map(|port| format!(":{port}/"));
    let (before, after) = (log(&database.replace(&there, &here)).await, log(database).await);
    let (gone, reported) = (&before - &after, reported(&why));
    let unknown = (&gone - &reported).len();
    say(&format!(
        "a standby behind takes over (F31): of what it had {sheet}; {} tasks acknowledged and gone, {} lines of the log gone, \
         {} reported, {unknown} under way; {pending} messages held",
        lost.len(),
        gone.len(),
        reported.len()
    ));
    assert!(reported.is_subset(&gone), "reported, though it is there: {:?}", &reported - &gone);
    let is_named = |task: &String| reported.iter().any(|(id, verb, ..)| id == task && verb == "schedule");
    assert!(lost.iter().all(is_named), "acknowledged, gone and not reported");
    assert!(unknown < UNDER_WAY, "not reported: {:?}", &gone - &reported);
    assert_eq!(sheet.bad(), 0, "{sheet}");
    assert!(sheet.worst() < LATE, "{sheet}");
    assert_eq!(sink.received().len(), told, "messages are held");
    let confirmed = hall.ask("a", Method::POST, "/restore/confirm", &Value::Null, &[]).await;
    assert!(matches!(confirmed, Some((200, _))), "{confirmed:?}");
    all_is_told(&hall).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_takes_over_has_everything_or_says_what_it_lacks() {
    let mut runs = JoinSet::new();
    runs.spawn(in_step());
    runs.spawn(behind());
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
