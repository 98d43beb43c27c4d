//! What stands in for one Redis: Valkey, and a replica that a sentinel has promoted.

use crate::{
    caller::Caller,
    nodes::{all_go_out, asks, outcome, schedule},
    program::Program,
};
use rig::Sentinel;

/// How many of these tasks a hint brought.
async fn by_hints(caller: &Caller, tasks: &[String]) -> usize {
    let mut count = 0;
    for task in tasks {
        let task = caller.get(&format!("/api/v1/tasks/{task}")).await.expect(200);
        count += usize::from(task["stages"]["popped_at"].is_string());
    }
    count
}

#[tokio::test]
async fn valkey_brings_what_is_due_as_redis_does() {
    let (postgres, valkey) = (rig::postgres().await, rig::Redis::start_valkey().await);
    assert!(valkey.ask(&["info", "server"]).await.contains("valkey_version:9."));
    let (database, hints) = (postgres.fresh_database(), valkey.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let program = Program::new();
    let token = program.admin(&storage).await;
    let serving = program.serve(&storage).await;
    let caller = asks(&serving, &token);
    let tasks = schedule(&caller, 60, 1_000, 25).await;
    all_go_out(&caller, &tasks).await;
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..1_000).contains(late)), "{late:?}");
    let stats = caller.get("/api/v1/stats").await.expect(200);
    assert_eq!(stats["heartbeat"]["is_healthy"], true, "{stats}");
    // Hints brought them, not the sweeper.
    assert_eq!(by_hints(&caller, &tasks).await, tasks.len());
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_promoted_replica_that_lost_hints_loses_no_task() {
    let (postgres, mut redis) = (rig::postgres().await, Sentinel::start_with_replica().await);
    let (database, hints) = (postgres.fresh_database(), redis.url());
    let storage = ["--database-url", &database, "--redis-url", &hints];
    let program = Program::new();
    let token = program.admin(&storage).await;
    let serving = program.serve(&storage).await;
    let caller = asks(&serving, &token);
    let tasks = schedule(&caller, 60, 1_000, 75).await;
    redis.leave_the_replica_behind();
    // The master has taken their hints, and nobody else ever will.
    let lost = schedule(&caller, 60, 1_000, 75).await;
    all_go_out(&caller, &tasks[..1]).await;
    redis.kill_the_master().await;
    let tasks = [tasks, lost].concat();
    all_go_out(&caller, &tasks).await;
    assert!(redis.replica().ask(&["info", "replication"]).await.contains("role:master"));
    let (late, executed) = outcome(&caller, &tasks).await;
    assert_eq!(executed, tasks.len());
    assert!(late.iter().all(|late| (0..5_000).contains(late)), "{late:?}");
    // Once the promoted one is found, hints bring tasks again.
    let after = loop {
        let more = schedule(&caller, 5, 500, 50).await;
        all_go_out(&caller, &more).await;
        if by_hints(&caller, &more).await == more.len() {
            break outcome(&caller, &more).await.0;
        }
    };
    assert!(after.iter().all(|late| (0..1_000).contains(late)), "{after:?}");
    assert_eq!(serving.end().await, 0);
}
