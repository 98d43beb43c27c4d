//! PostgreSQL is away for longer than the time after which a node is dead, while publications with messages
//! become due (F54).

use crate::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now, time_until},
    drafts, items, observer,
    results::Results,
    say,
};
use std::{collections::BTreeMap, time::Duration};
use test_support::{Postgres, Redis, Sink};
use tokio::{task::block_in_place, time::sleep};

const NODES: [&str; 3] = ["a", "b", "c"];
/// How long PostgreSQL is away. All items become due then; a node is dead after 10 s.
const OUTAGE: Duration = Duration::from_secs(13);
/// Time between two items in milliseconds.
const ITEM_INTERVAL_MS: i64 = 100;
/// Time before the outage in milliseconds, for scheduling.
const LEAD_MS: i64 = 3_000;
const NOT_DELIVERED: &str = "select count(*) from delivery where state <> 'delivered'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_that_all_nodes_share_sends_no_message_twice() {
    let (postgres, sink) = (Postgres::start_durable().await, Sink::start().await);
    let cluster = Cluster::open(Some(postgres.create_database()), Some(Redis::start().await)).await;
    observer::install(&cluster).await;
    let drafts = drafts::create(&cluster, items(60, 120)).await;
    for name in NODES {
        cluster.start(name).await;
        cluster.wait_until_ready(name).await;
    }
    cluster.create_channel("a", &sink.url()).await;
    let base = now().plus(LEAD_MS);
    let scheduled: Vec<_> =
        drafts.into_iter().zip(0..).map(|(id, place)| (id, base.plus(place * ITEM_INTERVAL_MS))).collect();
    cluster.schedule_all("a", &scheduled).await;
    sleep(time_until(base)).await;
    block_in_place(|| postgres.stop());
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
    assert_eq!((copies.len(), repeated), (scheduled.len(), 0), "messages, and those that were sent again");
}
