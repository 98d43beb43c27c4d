//! A Redis Cluster moves slots while much is due, and then loses the master that got them (F20).

use super::{PATIENCE, hall::now, herd, items, watch::Sheet};
use crate::say;
use queue::BUCKETS;
use rig::{Cluster, Redis};
use std::time::Duration;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

/// Two items are so far apart, milliseconds.
const APART: i64 = 25;
/// Before the first item, milliseconds: what is planned is planned by then.
const AHEAD: i64 = 6_000;
/// So long all is well before something happens.
const CALM: Duration = Duration::from_secs(1);
/// So many slots are moved at a time.
const SLOTS: usize = 1_000;
/// Longer than the engine may take for whatever Redis does, milliseconds.
const LATE: i64 = 5_000;

/// How often a command has touched keys of two slots, as the nodes that run count it.
async fn crossed(cluster: &Cluster) -> usize {
    let mut sum = 0;
    for node in cluster.nodes() {
        let told = node.ask(&["info", "errorstats"]).await;
        let count = told.lines().find_map(|line| line.strip_prefix("errorstat_CROSSSLOT:count="));
        sum += count.map_or(0, |count| count.trim().parse::<usize>().expect("a number"));
    }
    sum
}

/// How many buckets lie with this master.
async fn buckets(node: &Redis) -> usize {
    let mut count = 0;
    for bucket in 0..BUCKETS {
        let told = node.ask(&["get", &format!("pt:{{{bucket}}}:x")]).await;
        count += usize::from(!told.contains("MOVED"));
    }
    count
}

/// Moves slots to the first master, so many times; how many buckets went with them, and how long they were on their way.
async fn reshard(cluster: &Cluster, times: usize) -> (usize, Duration) {
    let first = cluster.nodes().next().unwrap();
    let (before, mut took) = (buckets(first).await, Duration::ZERO);
    for _ in 0..times {
        let began = Instant::now();
        cluster.reshard(SLOTS).await;
        took += began.elapsed();
        sleep(CALM).await;
    }
    (buckets(first).await - before, took)
}

/// Plays it over two nodes of that build.
async fn play(mutant: Option<&str>) -> Sheet {
    let (postgres, mut cluster) = (rig::postgres().await, Cluster::start().await);
    assert_eq!(crossed(&cluster).await, 0);
    cluster.nodes().last().unwrap().ask(&["mget", "{a}x", "{b}x"]).await;
    assert_eq!(crossed(&cluster).await, 1, "void: nobody notices a command over two slots");
    let span = items(45, 60) as i64 * 1_000;
    let count = usize::try_from(span / APART).unwrap();
    let (hall, drafts) = herd::gather(postgres.fresh_database(), cluster.url(), mutant, count).await;
    let base = now().plus(AHEAD);
    let planned: Vec<_> = (0..).zip(drafts).map(|(place, id)| (id, base.plus(place * APART))).collect();
    herd::plan(&hall, &planned).await;
    assert!(now() < base, "void: planning took until the first was due");
    sleep(herd::ahead(base) + CALM).await;
    let times = items(1, 5);
    let (moved, took) = reshard(&cluster, times).await;
    assert!(moved > 0, "void: no bucket has moved");
    let before = crossed(&cluster).await - 1;
    assert!(now() < base.plus(span - 1_000), "void: the slots moved until the last was due");
    cluster.kill_a_master().await;
    let died = now();
    let end = base.plus(span);
    let mut sheet = herd::judge(&hall, &planned, herd::ahead(end) + PATIENCE).await;
    // The one that was asked to cross is not the one that died.
    let crossings = before.max(crossed(&cluster).await - 1);
    if crossings > 0 {
        sheet.wrong(format!("{crossings} commands over two slots"));
    }
    let (brought, after) = (herd::by_hints(&hall, base, died).await, herd::by_hints(&hall, died, end).await);
    assert!(brought * APART * 2 > died.since(base), "void: hints brought only {brought} while all was well");
    say(&format!(
        "a cluster that moves {} slots with {moved} buckets in {took:.1?} and loses their master after {} ms (F20), {}: {sheet}; \
         {brought} came by hints before and {after} after, {crossings} commands over two slots",
        times * SLOTS,
        died.since(base),
        mutant.unwrap_or("as it is built")
    ));
    sheet
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_that_moves_slots_and_loses_their_master_loses_and_delays_nothing() {
    let mut runs = JoinSet::new();
    runs.spawn(async {
        let bad = play(Some("no-sweeper")).await;
        assert!(bad.lost > 0 || bad.worst() >= LATE, "void: nobody notices what no hint brings: {bad}");
    });
    runs.spawn(async {
        let sheet = play(None).await;
        assert_eq!(sheet.bad(), 0, "{sheet}");
        assert!(sheet.worst() < LATE, "later than {LATE} ms: {sheet}");
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
