//! A Redis Cluster moves slots while many tasks are due, then loses the master that got them (F20).

use super::{MAX_LATENESS_MS, start_cluster};
use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{now, time_until},
    items,
    observer::count_by_hints,
    results::Results,
    say,
};
use queue::DEFAULT_BUCKETS;
use std::time::Duration;
use test_support::{Cluster, Redis};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

/// Time between two items in milliseconds.
const ITEM_INTERVAL_MS: i64 = 25;
/// Time before the first item in milliseconds, for scheduling.
const LEAD_MS: i64 = 6_000;
/// Time without faults before each fault.
const QUIET_TIME: Duration = Duration::from_secs(1);
/// Number of slots to move at a time.
const SLOTS: usize = 1_000;

/// Returns how many commands with keys of two slots the running nodes have counted.
async fn count_cross_slot(redis_cluster: &Cluster) -> usize {
    let mut sum = 0;
    for node in redis_cluster.nodes() {
        let response = node.query(&["info", "errorstats"]).await;
        let count = response.lines().find_map(|line| line.strip_prefix("errorstat_CROSSSLOT:count="));
        sum += count.map_or(0, |count| count.trim().parse::<usize>().expect("a number"));
    }
    sum
}

/// Returns the number of buckets on this master.
async fn count_buckets(node: &Redis) -> usize {
    let mut count = 0;
    for bucket in 0..DEFAULT_BUCKETS {
        let response = node.query(&["get", &format!("pt:{{{bucket}}}:x")]).await;
        count += usize::from(!response.contains("MOVED"));
    }
    count
}

/// Moves slots to the first master several times. Returns how many buckets moved, and how long that
/// took.
async fn reshard(redis_cluster: &Cluster, times: usize) -> (usize, Duration) {
    let first = redis_cluster.nodes().next().unwrap();
    let (before, mut took) = (count_buckets(first).await, Duration::ZERO);
    for _ in 0..times {
        let began = Instant::now();
        redis_cluster.reshard(SLOTS).await;
        took += began.elapsed();
        sleep(QUIET_TIME).await;
    }
    (count_buckets(first).await - before, took)
}

/// Runs the scenario on two nodes with this mutant.
async fn run_scenario(mutant: Option<&str>) -> Results {
    let (postgres, mut redis_cluster) = (test_support::postgres().await, Cluster::start().await);
    assert_eq!(count_cross_slot(&redis_cluster).await, 0);
    redis_cluster.nodes().last().unwrap().query(&["mget", "{a}x", "{b}x"]).await;
    assert_eq!(count_cross_slot(&redis_cluster).await, 1, "void: a command with two slots is not counted");
    let span = items(45, 60) as i64 * 1_000;
    let count = usize::try_from(span / ITEM_INTERVAL_MS).unwrap();
    let (cluster, drafts) =
        start_cluster(postgres.create_database(), redis_cluster.url(), mutant, count).await;
    let base = now().plus(LEAD_MS);
    let scheduled: Vec<_> =
        (0..).zip(drafts).map(|(index, id)| (id, base.plus(index * ITEM_INTERVAL_MS))).collect();
    cluster.schedule_all("a", &scheduled).await;
    sleep(time_until(base) + QUIET_TIME).await;
    let times = items(1, 5);
    let (moved, took) = reshard(&redis_cluster, times).await;
    assert!(moved > 0, "void: no bucket has moved");
    let before = count_cross_slot(&redis_cluster).await - 1;
    assert!(now() < base.plus(span - 1_000), "void: the slots moved until the last was due");
    redis_cluster.kill_master().await;
    let died = now();
    let end = base.plus(span);
    let mut results = Results::after(&cluster, &scheduled, time_until(end) + WAIT_TIMEOUT).await;
    // The node that got the test's own command is not the one that died.
    let cross_slot = before.max(count_cross_slot(&redis_cluster).await - 1);
    if cross_slot > 0 {
        results.add_wrong(format!("{cross_slot} commands with two slots"));
    }
    let (by_hints, after) =
        (count_by_hints(&cluster, base, died).await, count_by_hints(&cluster, died, end).await);
    assert!(
        by_hints * ITEM_INTERVAL_MS * 2 > died.since(base),
        "void: only {by_hints} were executed from hints without a fault"
    );
    say(&format!(
        "a Redis Cluster that moves {} slots with {moved} buckets in {took:.1?} and loses their master after {} ms (F20), \
         {}: {results}; {by_hints} were executed from hints before and {after} after, {cross_slot} commands with two slots",
        times * SLOTS,
        died.since(base),
        mutant.unwrap_or("normal build")
    ));
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_that_moves_slots_and_loses_their_master_loses_and_delays_nothing() {
    let mut runs = JoinSet::new();
    runs.spawn(async {
        let mutant = run_scenario(Some("no-sweeper")).await;
        assert!(
            mutant.lost > 0 || mutant.max_lateness_ms() >= MAX_LATENESS_MS,
            "void: late or lost tasks are not detected: {mutant}"
        );
    });
    runs.spawn(async {
        let results = run_scenario(None).await;
        assert_eq!(results.violations(), 0, "{results}");
        assert!(results.max_lateness_ms() < MAX_LATENESS_MS, "later than {MAX_LATENESS_MS} ms: {results}");
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
