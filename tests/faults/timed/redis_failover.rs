//! The Redis master fails and a replica that lags behind is promoted: hints that the master
//! acknowledged are lost (F13).

use super::{MAX_LATENESS_MS, start_cluster};
use crate::faults::{
    REQUEST_TIMEOUT, WAIT_TIMEOUT,
    cluster::{now, time_until},
    items,
    observer::count_by_hints,
    results::Results,
    say,
};
use std::time::Duration;
use test_support::{Redis, Sentinel};
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep},
};

/// Time from the first item to the last in milliseconds: longer than the circuit breaker stays
/// open.
const SPAN_MS: i64 = 10_000;
/// Minimum number of hints that the failover must lose; fewer prove nothing.
const MIN_LOST_HINTS: usize = 1_000;

/// Counts the hints in the future set.
const COUNT_HINTS: &str = "
    local count = 0
    for _, key in ipairs(redis.call('keys', 'pt:{*}:future:*')) do count = count + redis.call('zcard', key) end
    return count";

async fn count_hints(redis: &Redis) -> usize {
    redis.query(&["eval", COUNT_HINTS, "0"]).await.trim().parse().expect("a number")
}

/// Waits until Redis has this number of hints.
async fn wait_for_hints(redis: &Redis, count: usize) {
    let (mut polls, end) = (interval(Duration::from_millis(50)), Instant::now() + REQUEST_TIMEOUT);
    while count_hints(redis).await < count {
        assert!(Instant::now() < end, "void: the master does not get the hints");
        polls.tick().await;
    }
}

/// Runs the scenario on two nodes with this mutant.
async fn run_scenario(mutant: Option<&str>, count: usize) -> Results {
    let (postgres, mut redis) = (test_support::postgres().await, Sentinel::start_with_replica().await);
    let (cluster, drafts) = start_cluster(postgres.create_database(), redis.url(), mutant, count).await;
    redis.stop_replication();
    let each = i64::try_from(count).unwrap();
    let base = now().plus(4_000 + 3 * each);
    let scheduled: Vec<_> =
        (0..).zip(drafts).map(|(index, id)| (id, base.plus(index * SPAN_MS / each))).collect();
    cluster.schedule_all("a", &scheduled).await;
    wait_for_hints(redis.master(), count).await;
    assert!(now() < base, "void: scheduling took until the first was due");
    sleep(time_until(base)).await;
    let before = count_hints(redis.master()).await;
    redis.kill_master().await;
    // Until its promotion the replica gets no other writes.
    let lost = before.saturating_sub(count_hints(redis.replica()).await);
    assert!(lost >= MIN_LOST_HINTS, "void: only {lost} hints were lost");
    redis.replica().wait_until(&["info", "replication"], "role:master").await;
    let (promoted, end) = (now(), base.plus(SPAN_MS));
    let results = Results::after(&cluster, &scheduled, time_until(end) + WAIT_TIMEOUT).await;
    say(&format!(
        "a Redis failover that loses {lost} acknowledged hints (F13), {}: {results}; promoted after {} ms, \
         then {} were executed from hints",
        mutant.unwrap_or("normal build"),
        promoted.since(base),
        count_by_hints(&cluster, promoted, end).await
    ));
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_that_loses_hints_loses_and_delays_nothing() {
    let (count, mut runs) = (items(1_200, 5_000), JoinSet::new());
    runs.spawn(async move {
        let mutant = run_scenario(Some("no-sweeper"), count).await;
        assert!(
            mutant.lost > 0 || mutant.max_lateness_ms() >= MAX_LATENESS_MS,
            "void: late or lost tasks are not detected: {mutant}"
        );
    });
    runs.spawn(async move {
        let results = run_scenario(None, count).await;
        assert_eq!(results.violations(), 0, "{results}");
        assert!(results.max_lateness_ms() < MAX_LATENESS_MS, "later than {MAX_LATENESS_MS} ms: {results}");
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
