//! Redis dies and its replica, which was left behind, is promoted: what the master had taken is lost (F13).

use super::{LIMIT, PATIENCE, hall::now, herd, items, watch::Sheet};
use crate::say;
use rig::{Redis, Sentinel};
use std::time::Duration;
use tokio::{
    task::JoinSet,
    time::{Instant, interval, sleep},
};

/// From the first item to the last, milliseconds: longer than a Redis that erred is left alone.
const SPAN: i64 = 10_000;
/// A fail-over that loses fewer hints proves nothing.
const ENOUGH: usize = 1_000;
/// Longer than the engine may take for whatever Redis does, milliseconds.
const LATE: i64 = 5_000;

/// How many hints wait in a Redis for their moment.
const HELD: &str = "
    local count = 0
    for _, key in ipairs(redis.call('keys', 'pt:{*}:future:*')) do count = count + redis.call('zcard', key) end
    return count";

async fn held(redis: &Redis) -> usize {
    redis.ask(&["eval", HELD, "0"]).await.trim().parse().expect("a number")
}

/// Waits until it holds so many.
async fn holds(redis: &Redis, count: usize) {
    let (mut looks, end) = (interval(Duration::from_millis(50)), Instant::now() + LIMIT);
    while held(redis).await < count {
        assert!(Instant::now() < end, "void: the master does not take what was planned");
        looks.tick().await;
    }
}

/// Plays it over two nodes of that build.
async fn play(mutant: Option<&str>, count: usize) -> Sheet {
    let (postgres, mut redis) = (rig::postgres().await, Sentinel::start_with_replica().await);
    let (hall, drafts) = herd::gather(postgres.fresh_database(), redis.url(), mutant, count).await;
    redis.leave_the_replica_behind();
    let each = i64::try_from(count).unwrap();
    let base = now().plus(4_000 + 3 * each);
    let planned: Vec<_> = (0..).zip(drafts).map(|(place, id)| (id, base.plus(place * SPAN / each))).collect();
    herd::plan(&hall, &planned).await;
    holds(redis.master(), count).await;
    assert!(now() < base, "void: planning took until the first was due");
    sleep(herd::ahead(base)).await;
    let taken = held(redis.master()).await;
    redis.kill_the_master().await;
    // Only its master writes to it until it is promoted.
    let lost = taken.saturating_sub(held(redis.replica()).await);
    assert!(lost >= ENOUGH, "void: only {lost} hints were lost");
    redis.replica().wait_until(&["info", "replication"], "role:master").await;
    let (promoted, end) = (now(), base.plus(SPAN));
    let sheet = herd::judge(&hall, &planned, herd::ahead(end) + PATIENCE).await;
    say(&format!(
        "a fail-over of Redis that loses {lost} hints it had taken (F13), {}: {sheet}; promoted after {} ms, then {} came by hints",
        mutant.unwrap_or("as it is built"),
        promoted.since(base),
        herd::by_hints(&hall, promoted, end).await
    ));
    sheet
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_that_loses_hints_loses_and_delays_nothing() {
    let (count, mut runs) = (items(1_200, 5_000), JoinSet::new());
    runs.spawn(async move {
        let bad = play(Some("no-sweeper"), count).await;
        assert!(bad.lost > 0 || bad.worst() >= LATE, "void: nobody notices what no hint brings: {bad}");
    });
    runs.spawn(async move {
        let sheet = play(None, count).await;
        assert_eq!(sheet.bad(), 0, "{sheet}");
        assert!(sheet.worst() < LATE, "later than {LATE} ms: {sheet}");
    });
    while let Some(ended) = runs.join_next().await {
        ended.unwrap();
    }
}
