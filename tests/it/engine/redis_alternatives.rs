//! Alternatives to a single Redis: Valkey, and a replica promoted by Sentinel.

use crate::{
    http_client::HttpClient,
    nodes::{client_with_token, outcome, schedule, wait_until_all_executed},
    program::Program,
};
use test_support::Sentinel;

/// Counts the tasks that were delivered by hints.
async fn count_delivered_by_hints(caller: &HttpClient, tasks: &[String]) -> usize {
    let mut count = 0;
    for task in tasks {
        let task = caller.get(&format!("/api/v1/tasks/{task}")).await.expect(200);
        count += usize::from(task["stages"]["popped_at"].is_string());
    }
    count
}

#[tokio::test]
async fn valkey_delivers_hints_like_redis() {
    let (postgres, valkey) = (test_support::postgres().await, test_support::Redis::start_valkey().await);
    assert!(valkey.query(&["info", "server"]).await.contains("valkey_version:9."));
    let (database, hints) = (postgres.create_database(), valkey.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let program = Program::new();
    let token = program.admin(&storage).await;
    let serving = program.serve(&storage).await;
    let caller = client_with_token(&serving, &token);
    let tasks = schedule(&caller, 60, 1_000, 25).await;
    wait_until_all_executed(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..1_000).contains(late)), "{late:?}");
    let stats = caller.get("/api/v1/stats").await.expect(200);
    assert_eq!(stats["engine"]["is_healthy"], true, "{stats}");
    // Delivered by hints, not by the sweeper.
    assert_eq!(count_delivered_by_hints(&caller, &tasks).await, tasks.len());
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_promoted_replica_that_lost_hints_loses_no_task() {
    let (postgres, mut redis) = (test_support::postgres().await, Sentinel::start_with_replica().await);
    let (database, hints) = (postgres.create_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let program = Program::new();
    let token = program.admin(&storage).await;
    let serving = program.serve(&storage).await;
    let caller = client_with_token(&serving, &token);
    let tasks = schedule(&caller, 60, 1_000, 75).await;
    redis.stop_replication();
    // Only the old master has their hints, so they are lost with it.
    let lost = schedule(&caller, 60, 1_000, 75).await;
    wait_until_all_executed(&caller, &tasks[..1]).await;
    redis.kill_master().await;
    let tasks = [tasks, lost].concat();
    wait_until_all_executed(&caller, &tasks).await;
    assert!(redis.replica().query(&["info", "replication"]).await.contains("role:master"));
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..5_000).contains(late)), "{late:?}");
    // After the new master is found, hints deliver tasks again.
    let after = loop {
        let more = schedule(&caller, 5, 500, 50).await;
        wait_until_all_executed(&caller, &more).await;
        if count_delivered_by_hints(&caller, &more).await == more.len() {
            break outcome(&caller, &more).await.0;
        }
    };
    assert!(after.iter().all(|late| (0..1_000).contains(late)), "{after:?}");
    assert_eq!(serving.end().await, 0);
}
