//! A PostgreSQL standby takes over, with synchronous replication or lagging behind its primary
//! (F31).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now, publish_task, text, time_until},
    drafts, items,
    observer::{self, COUNT_SCHEDULED},
    results::Results,
    say,
};
use domain::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use test_support::{Postgres, Proxy, Redis, Sink};
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Time between two items that are scheduled before the failover, in milliseconds.
const ITEM_INTERVAL_MS: i64 = 25;
/// Time before the first of them in milliseconds, for scheduling.
const LEAD_MS: i64 = 3_000;
/// Time from scheduling to the due time of tasks that users schedule during the failover, in
/// milliseconds.
const USER_LEAD_MS: i64 = 1_500;
/// Maximum lateness in milliseconds, including the outage.
const MAX_LATENESS_MS: i64 = 10_000;
/// Lease of an attempt whose outcome is not recorded.
const LEASE: Duration = Duration::from_secs(60);
/// Maximum number of lost events that no node reports: those of unacknowledged commits.
const MAX_UNREPORTED: usize = 40;
/// Id of the engine's canary task.
const CANARY: &str = "00000000-0000-0000-0000-0000000000ca";

/// An event: entity, verb, version after it, time.
type Event = (String, String, Option<i64>, String);

/// An item and what its user was answered.
struct Item {
    article: String,
    /// `None`: unknown, the response was lost.
    task: Option<String>,
    due: Timestamp,
}

/// A primary, its standby, and an address that leads to the current primary.
struct Pair {
    primary: Postgres,
    standby: Postgres,
    /// Proxy for the replication.
    replication: Proxy,
    address: Proxy,
}

impl Pair {
    async fn start(is_synchronous: bool) -> (Self, String) {
        let primary = Postgres::start_durable().await;
        let (replication, address) = (Proxy::to(primary.port()).await, Proxy::to(primary.port()).await);
        let database = primary.create_database();
        let standby = primary.start_standby(replication.port()).await;
        if is_synchronous {
            primary.wait_for_standby();
        }
        let [there, here] = [primary.port(), address.port()].map(|port| format!(":{port}/"));
        let database = database.replace(&there, &here);
        (Self { primary, standby, replication, address }, database)
    }

    /// Crashes the primary and promotes the standby.
    fn fail_over(&self) {
        self.primary.stop();
        self.standby.promote();
        self.address.retarget(self.standby.port());
    }
}

/// Creates and schedules an item every 50 ms through alternating nodes.
async fn schedule_items(cluster: Arc<Cluster>, stop: CancellationToken) -> Vec<Item> {
    let (mut scheduled, mut turns) = (Vec::new(), interval(Duration::from_millis(50)));
    while !stop.is_cancelled() {
        turns.tick().await;
        let node = if scheduled.len() % 2 == 0 { "a" } else { "b" };
        let new = json!({"title": format!("Item {}", scheduled.len()), "body": "A text."});
        let (_, article) = cluster.try_post(node, "/articles", &new).await;
        let article = text(&article["id"]);
        if article.is_empty() {
            continue;
        }
        let due = now().plus(USER_LEAD_MS);
        let (_, task) = cluster.try_post(node, "/tasks", &publish_task(&article, due)).await;
        let task = Some(text(&task["id"])).filter(|id| !id.is_empty());
        scheduled.push(Item { article, task, due });
    }
    scheduled
}

/// Schedules items from `base` on, one every 25 ms.
async fn schedule_batch(cluster: &Cluster, count: usize, base: Timestamp) -> Vec<Item> {
    let due = |index: usize| base.plus(i64::try_from(index).unwrap() * ITEM_INTERVAL_MS);
    let drafts = drafts::create(cluster, count).await.into_iter().enumerate();
    let drafts: Vec<(Uuid, Timestamp)> = drafts.map(|(index, id)| (id, due(index))).collect();
    let tasks = cluster.schedule_all("a", &drafts).await;
    let item = |((id, due), task): ((Uuid, Timestamp), String)| Item {
        article: id.to_string(),
        task: Some(task),
        due,
    };
    drafts.into_iter().zip(tasks).map(item).collect()
}

/// Returns a node's answer about held messages.
async fn delivery_hold(cluster: &Cluster) -> Value {
    match cluster.request("b", Method::GET, "/delivery-hold", &Value::Null).await {
        (200, hold) => hold,
        _ => Value::Null,
    }
}

/// Returns the events that the nodes report as lost.
fn reported(held: &Value) -> BTreeSet<Event> {
    let nodes = held["lost_writes"].as_array().into_iter().flatten();
    let events = nodes.flat_map(|node| node["events"].as_array().into_iter().flatten());
    events
        .map(|event| {
            (text(&event["entity_id"]), text(&event["verb"]), event["version"].as_i64(), text(&event["at"]))
        })
        .collect()
}

/// Returns the event log of a server.
async fn event_log(url: &str) -> BTreeSet<Event> {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let all = "select entity_id::text, verb, version::bigint, at from event where entity_id <> $1::uuid";
    let rows: Vec<(String, String, Option<i64>, i64)> =
        sqlx::query_as(all).bind(CANARY).fetch_all(&mut connection).await.unwrap();
    rows.into_iter()
        .map(|(id, verb, version, at)| (id, verb, version, Timestamp::from_millis(at).to_string()))
        .collect()
}

/// Returns the acknowledged tasks that do not exist.
async fn lost(cluster: &Cluster, items: &[Item]) -> BTreeSet<String> {
    let mut connection = PgConnection::connect(cluster.database.as_deref().unwrap()).await.unwrap();
    let existing: Vec<String> =
        sqlx::query_scalar("select id::text from task").fetch_all(&mut connection).await.unwrap();
    let existing: BTreeSet<String> = existing.into_iter().collect();
    items.iter().filter_map(|item| item.task.clone()).filter(|task| !existing.contains(task)).collect()
}

/// Evaluates the items that are not lost.
async fn evaluate(cluster: &Cluster, items: &[Item], lost: &BTreeSet<String>) -> Results {
    let (out, mut results) = (observer::publications(cluster).await, Results::default());
    for item in items.iter().filter(|item| item.task.as_ref().is_none_or(|task| !lost.contains(task))) {
        let times = out.get(&item.article).map_or(&[][..], Vec::as_slice);
        if item.task.is_some() || !times.is_empty() {
            results.add("scheduled", Some(item.due), times);
        }
    }
    results
}

/// Waits until all messages are delivered. An attempt whose outcome was lost waits for the end of
/// its lease.
async fn wait_for_deliveries(cluster: &Cluster) {
    let open = "select count(*) from delivery where state <> 'delivered'";
    let is_delivered = observer::wait_for_count(cluster, open, 0, LEASE + WAIT_TIMEOUT).await;
    assert!(is_delivered, "messages are not delivered:\n{}", cluster.log("a"));
}

/// Runs the scenario until everything is published. Returns servers, cluster, receiver and items.
async fn run_scenario(is_synchronous: bool) -> (Pair, Arc<Cluster>, Sink, Vec<Item>) {
    let (pair, database) = Pair::start(is_synchronous).await;
    let (cluster, sink) =
        (Cluster::open(Some(database), Some(Redis::start().await)).await, Sink::start().await);
    observer::install(&cluster).await;
    for node in ["a", "b"] {
        cluster.start(node).await;
    }
    let cluster = Arc::new(cluster);
    cluster.create_channel("a", &sink.url()).await;
    let span = Duration::from_secs(items(8, 30) as u64);
    let base = now().plus(LEAD_MS);
    let count = usize::try_from(i64::try_from(span.as_millis()).unwrap() / ITEM_INTERVAL_MS).unwrap();
    let mut all = schedule_batch(&cluster, count, base).await;
    let begins = Instant::now() + time_until(base);
    let (stop, mut users) = (CancellationToken::new(), JoinSet::new());
    users.spawn(schedule_items(Arc::clone(&cluster), stop.clone()));
    if !is_synchronous {
        sleep_until(begins + span / 8).await;
        pair.replication.hold(true);
    }
    sleep_until(begins + span / 3).await;
    tokio::task::block_in_place(|| pair.fail_over());
    sleep_until(begins + span).await;
    stop.cancel();
    all.extend(users.join_all().await.into_iter().flatten());
    observer::wait_for_count(&cluster, COUNT_SCHEDULED, 0, WAIT_TIMEOUT).await;
    (pair, cluster, sink, all)
}

async fn synchronous() {
    let (_pair, cluster, sink, items) = run_scenario(true).await;
    let lost = lost(&cluster, &items).await;
    let results = evaluate(&cluster, &items, &lost).await;
    assert!(
        delivery_hold(&cluster).await["held_since"].is_null(),
        "nothing is lost, and no messages are held"
    );
    wait_for_deliveries(&cluster).await;
    let (received, ids) =
        (sink.received(), |message: &test_support::Received| message.header("webhook-id").to_owned());
    let once: BTreeSet<String> = received.iter().map(ids).collect();
    say(&format!(
        "a synchronous standby takes over (F31): {results}; {} acknowledged and lost; {} messages, {} copies",
        lost.len(),
        once.len(),
        received.len() - once.len()
    ));
    assert_eq!((results.violations(), lost.len(), once.len()), (0, 0, results.scheduled), "{results}");
    assert!(results.max_lateness_ms() < MAX_LATENESS_MS, "{results}");
}

async fn lagging() {
    let (pair, cluster, sink, items) = run_scenario(false).await;
    let lost = lost(&cluster, &items).await;
    let results = evaluate(&cluster, &items, &lost).await;
    assert!(!lost.is_empty(), "void: the standby has everything");
    let hold = timeout(WAIT_TIMEOUT, async {
        loop {
            let hold = delivery_hold(&cluster).await;
            if hold["held_since"].is_string() {
                return hold;
            }
        }
    });
    let hold = hold.await.expect("messages are held");
    let received_before = sink.received().len();
    let pending = observer::count(&cluster, "select count(*) from delivery where state = 'pending'").await;
    assert!(pending > 0, "void: no messages are pending");
    // Compares the event logs of the old and the new primary.
    pair.primary.restart().await;
    let database = cluster.database.as_deref().unwrap();
    let [there, here] = [pair.address.port(), pair.primary.port()].map(|port| format!(":{port}/"));
    let (before, after) = (event_log(&database.replace(&there, &here)).await, event_log(database).await);
    let (lost_events, reported) = (&before - &after, reported(&hold));
    let unknown = (&lost_events - &reported).len();
    say(&format!(
        "a lagging standby takes over (F31): of what it had {results}; {} acknowledged tasks lost, {} events lost, \
         {} reported, {unknown} unreported; {pending} messages held",
        lost.len(),
        lost_events.len(),
        reported.len()
    ));
    assert!(reported.is_subset(&lost_events), "reported, but it exists: {:?}", &reported - &lost_events);
    let is_named = |task: &String| reported.iter().any(|(id, verb, ..)| id == task && verb == "schedule");
    assert!(lost.iter().all(is_named), "acknowledged, lost and not reported");
    assert!(unknown < MAX_UNREPORTED, "not reported: {:?}", &lost_events - &reported);
    assert_eq!(results.violations(), 0, "{results}");
    assert!(results.max_lateness_ms() < MAX_LATENESS_MS, "{results}");
    assert_eq!(sink.received().len(), received_before, "messages are held");
    cluster.post("a", "/delivery-hold/confirm", &Value::Null).await;
    wait_for_deliveries(&cluster).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failover_nothing_is_lost_or_the_lost_writes_are_reported() {
    let mut runs = JoinSet::new();
    runs.spawn(synchronous());
    runs.spawn(lagging());
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
