//! Buckets of the hints: a Redis Cluster that loses a master, and a bucket count that changes
//! under load.

use crate::{
    nodes::{client_with_token, outcome, schedule, wait_until_all_executed},
    program::Program,
    sse_client::SseClient,
};
use serde_json::json;

#[tokio::test]
async fn a_redis_cluster_that_loses_a_master_loses_no_task() {
    let (postgres, mut cluster) = (test_support::postgres().await, test_support::Cluster::start().await);
    let (database, hints) = (postgres.create_database(), cluster.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let program = Program::new();
    let token = program.admin(&storage).await;
    let serving = program.serve(&storage).await;
    let caller = client_with_token(&serving, &token);
    let report = caller.get("/api/v1/stats").await.expect(200);
    assert_eq!(report["engine"]["is_healthy"], true);
    let tasks = schedule(&caller, 100, 1_000, 50).await;
    wait_until_all_executed(&caller, &tasks[20..=20]).await;
    let (before, _) = tasks.split_at(20);
    cluster.kill_master().await;
    wait_until_all_executed(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..5_000).contains(late)), "{late:?}");
    // With all masters alive, hints delivered the tasks: none waited for the sweeper.
    assert!(late[..before.len()].iter().all(|late| *late < 1_000), "{late:?}");
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_bucket_count_change_makes_no_task_lost_late_or_duplicate() {
    let (postgres, redis) = (test_support::postgres().await, test_support::Redis::start().await);
    let (database, hints) = (postgres.create_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let (first, other) = (Program::new(), Program::new());
    let token = first.admin(&storage).await;
    let serving = first.serve(&storage).await;
    let worker = other.work(&storage).await;
    let caller = client_with_token(&serving, &token);
    let tasks = schedule(&caller, 120, 1_000, 50).await;
    let change = async |count: &str| {
        let answer = first.run(&[&["buckets", count][..], &storage].concat()).await;
        assert_eq!(answer.code, 0, "{}", answer.err);
    };
    let mut stream = SseClient::open(&caller, None).await;
    change("32").await;
    let more = schedule(&caller, 60, 500, 50).await;
    stream.wait_until_executed(&json!({"id": more[20]})).await;
    change("3").await;
    let tasks = [tasks, more].concat();
    wait_until_all_executed(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..1_000).contains(late)), "{late:?}");
    let output = first.run(&[&["buckets"][..], &storage].concat()).await;
    assert_eq!(output.out, "3\n");
    assert_eq!(first.run(&["buckets", "257"]).await.code, 2);
    assert_eq!((worker.end().await, serving.end().await), (0, 0));
}
