//! PostgreSQL is away for longer than the time after which a node is dead, while messages are in flight and
//! publications become due (F54).

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now},
    drafts, items, observer,
    results::Results,
    say,
};
use serde_json::json;
use std::{collections::BTreeMap, iter::repeat_n, sync::Arc, time::Duration};
use test_support::{Behaviour, Postgres, Redis, Sink};
use tokio::{sync::Notify, task::block_in_place, time::sleep};

const NODES: [&str; 3] = ["a", "b", "c"];
/// How long PostgreSQL is away. All items become due then; a node is dead after 10 s.
const OUTAGE: Duration = Duration::from_secs(13);
/// Time between two items in milliseconds.
const ITEM_INTERVAL_MS: i64 = 100;
/// Time before the first item in milliseconds, for scheduling.
const LEAD_MS: i64 = 3_000;
/// Number of channels; each gets a message for each item.
const CHANNELS: usize = 6;
/// Number of items whose messages are in flight when the outage begins: at most the concurrency of a channel.
const IN_FLIGHT: usize = 20;
const NOT_DELIVERED: &str = "select count(*) from delivery where state <> 'delivered'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_that_all_nodes_share_sends_no_message_twice() {
    let (postgres, sink) = (Postgres::start_durable().await, Sink::start().await);
    let cluster = Cluster::open(Some(postgres.create_database()), Some(Redis::start().await)).await;
    observer::install(&cluster).await;
    let drafts = drafts::create(&cluster, IN_FLIGHT + items(60, 120)).await;
    for name in NODES {
        cluster.start(name).await;
        cluster.wait_until_ready(name).await;
    }
    for number in 0..CHANNELS {
        let name = format!("Sink {number}");
        let channel = json!({"name": name, "url": sink.url(), "concurrency": IN_FLIGHT, "on_unknown_outcome": "retry",
                             "retry_schedule": "1s, 1s, 2s, 5s"});
        cluster.post("a", "/channels", &channel).await;
    }
    let respond = Arc::new(Notify::new());
    sink.behave(repeat_n(Behaviour::RespondWhen(Arc::clone(&respond), 204), CHANNELS * IN_FLIGHT));
    let base = now().plus(LEAD_MS);
    // The messages of the first ones are in flight when the outage begins; the others become due in it.
    let due = |place: usize| base.plus(place.saturating_sub(IN_FLIGHT) as i64 * ITEM_INTERVAL_MS);
    let scheduled: Vec<_> = drafts.into_iter().enumerate().map(|(place, id)| (id, due(place))).collect();
    cluster.schedule_all("a", &scheduled).await;
    sink.wait_for(CHANNELS * IN_FLIGHT).await;
    block_in_place(|| postgres.stop());
    respond.notify_waiters();
    sleep(OUTAGE).await;
    postgres.restart().await;
    let results = Results::after(&cluster, &scheduled, WAIT_TIMEOUT).await;
    assert_eq!(results.violations(), 0, "{results}");
    let is_delivered = observer::wait_for_count(&cluster, NOT_DELIVERED, 0, WAIT_TIMEOUT).await;
    let mut copies: BTreeMap<String, usize> = BTreeMap::new();
    for message in sink.received() {
        *copies.entry(message.header("webhook-id").to_owned()).or_default() += 1;
    }
    let repeated = copies.values().filter(|count| **count > 1).count();
    say(&format!(
        "PostgreSQL away for {OUTAGE:?} with three nodes (F54): {results}; {} messages, {repeated} sent again",
        copies.len()
    ));
    assert!(is_delivered, "a message is not delivered");
    let all = CHANNELS * scheduled.len();
    assert_eq!((copies.len(), repeated), (all, 0), "messages, and those that were sent again");
}
