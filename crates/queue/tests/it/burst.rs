//! Bursts of hints, and concurrent consumers.

use crate::subject::{BUCKETS, Subject, at, connect, hint};
use domain::{Hint, Priority, TaskId, Version};
use queue::{FutureSet as _, HintScope, RedisHints, bucket_of};
use std::collections::HashSet;

fn burst(size: usize) -> Vec<Hint> {
    (0..size)
        .map(|_| {
            let one = hint(10);
            Hint { bucket: bucket_of(one.task, BUCKETS), ..one }
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_hint_of_a_burst_of_20_000_is_popped_exactly_once() {
    for subject in Subject::each().await {
        let all = burst(20_000);
        subject.hints.add(&all).await.unwrap();
        let began = std::time::Instant::now();
        let mut moved = 0;
        for bucket in 0..BUCKETS {
            loop {
                let answer = subject.hints.promote(bucket, HintScope::All, at(10), 1_000).await.unwrap();
                moved += answer.moved;
                if answer.next_due.is_none() {
                    break;
                }
            }
        }
        let promoted = began.elapsed();
        assert_eq!(moved, 20_000);
        let (mut one, mut other) = (Vec::new(), Vec::new());
        while one.len() + other.len() < 20_000 {
            let (some, more) = tokio::join!(subject.pop(500), subject.pop(500));
            assert!(!some.is_empty() || !more.is_empty());
            one.extend(some);
            other.extend(more);
        }
        println!(
            "{}: promoted in {promoted:?}, taken after {:?}",
            subject.hints.health().await.name,
            began.elapsed()
        );
        let tasks: HashSet<TaskId> = one.iter().chain(&other).map(|hint| hint.task).collect();
        assert_eq!(tasks, all.iter().map(|hint| hint.task).collect());
    }
}

#[tokio::test]
async fn a_hint_takes_at_most_130_bytes_of_redis() {
    let (server, prefix) = (test_support::redis().await, TaskId::generate().to_string());
    let hints = RedisHints::new(&server.url(), &prefix, 1).unwrap();
    let all: Vec<Hint> = burst(10_000)
        .into_iter()
        .map(|hint| Hint { bucket: 0, priority: Priority::Normal, version: Version(12), ..hint })
        .collect();
    hints.add(&all).await.unwrap();
    let mut connection = connect(&server.url()).await;
    let usage: u64 = redis::cmd("MEMORY")
        .arg("USAGE")
        .arg(format!("{prefix}:{{0}}:future:normal"))
        .arg("SAMPLES")
        .arg(0)
        .query_async(&mut connection)
        .await
        .unwrap();
    assert!(usage / 10_000 <= 130, "{} bytes a hint", usage / 10_000);
}
