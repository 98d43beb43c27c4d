//! Shards of the hints: a Redis Cluster that loses a master, and a number of buckets that changes while everything runs.

use crate::{
    ear::Ear,
    nodes::{all_go_out, asks, outcome, schedule},
    program::Program,
};
use serde_json::json;

#[tokio::test]
async fn a_cluster_that_loses_a_master_loses_no_task() {
    let (postgres, mut cluster) = (rig::postgres().await, rig::Cluster::start().await);
    let (database, hints) = (postgres.fresh_database(), cluster.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let program = Program::new();
    let token = program.admin(&storage).await;
    let serving = program.serve(&storage).await;
    let caller = asks(&serving, &token);
    let report = caller.get("/api/v1/stats").await.expect(200);
    assert_eq!(report["heartbeat"]["is_healthy"], true);
    let tasks = schedule(&caller, 100, 1_000, 50).await;
    Ear::open(&caller, None).await.hear_executed(&json!({"id": tasks[20]})).await;
    let (before, _) = tasks.split_at(20);
    cluster.kill_a_master().await;
    all_go_out(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..5_000).contains(late)), "{late:?}");
    // With all masters there, hints brought them: nothing waited for the sweeper.
    assert!(late[..before.len()].iter().all(|late| *late < 1_000), "{late:?}");
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn the_number_of_buckets_changes_and_nothing_is_lost_late_or_done_twice() {
    let (postgres, redis) = (rig::postgres().await, rig::Redis::start().await);
    let (database, hints) = (postgres.fresh_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let (desk, other) = (Program::new(), Program::new());
    let token = desk.admin(&storage).await;
    let serving = desk.serve(&storage).await;
    let working = other.work(&storage).await;
    let caller = asks(&serving, &token);
    let tasks = schedule(&caller, 120, 1_000, 50).await;
    let change = async |count: &str| {
        let answer = desk.run(&[&["buckets", count][..], &storage].concat()).await;
        assert_eq!(answer.code, 0, "{}", answer.err);
    };
    let mut ear = Ear::open(&caller, None).await;
    change("32").await;
    let more = schedule(&caller, 60, 500, 50).await;
    ear.hear_executed(&json!({"id": more[20]})).await;
    change("3").await;
    let tasks = [tasks, more].concat();
    all_go_out(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..1_000).contains(late)), "{late:?}");
    let told = desk.run(&[&["buckets"][..], &storage].concat()).await;
    assert_eq!(told.out, "3\n");
    assert_eq!(desk.run(&["buckets", "257"]).await.code, 2);
    assert_eq!((working.end().await, serving.end().await), (0, 0));
}
