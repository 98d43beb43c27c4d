//! Crash counts, SQLite's single writer, and concurrent heartbeats.

use crate::test_database::{START, TestDatabase, sql};
use domain::{Kind, engine::NodeRole, kind::KindValues};
use store::{
    PoolRole,
    execute::{CrashOutcome, Stale, record_crash},
    kind_limit,
    node::{self, HeartbeatInput},
};
use uuid::Uuid;

async fn the_fifth_crash_fails_a_task(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let mut delays = Vec::new();
    for _ in 0..4 {
        let CrashOutcome::RetryAt(at) = record_crash(&db.store, &one, START).await.unwrap() else {
            panic!("too early")
        };
        delays.push(at.since(START));
    }
    assert_eq!(delays, [500, 1_000, 2_000, 4_000]);
    assert_eq!(record_crash(&db.store, &one, START).await.unwrap(), CrashOutcome::Failed);
    assert_eq!(record_crash(&db.store, &one, START).await.unwrap(), CrashOutcome::Changed);
    assert_eq!(db.task(one.task).await, ("failed".to_owned(), 1, Some("poison".to_owned())));
    assert_eq!(db.verbs(one.task.0).await, ["fail"]);
}

async fn the_retry_schedule_of_its_kind_says_when_a_task_is_tried_again(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    let values = KindValues { retry_schedule: Some("1s, 5m".parse().unwrap()), ..KindValues::UNSET };
    let mut tx = db.tx().await;
    kind_limit::set(tx.conn(), Kind::ArticlePublish.as_str(), &values, 0).await.unwrap();
    tx.commit().await.unwrap();
    for delay in [1_000, 300_000] {
        let outcome = record_crash(&db.store, &one, START).await.unwrap();
        assert_eq!(outcome, CrashOutcome::RetryAt(START.plus(delay)));
    }
    assert_eq!(record_crash(&db.store, &one, START).await.unwrap(), CrashOutcome::Failed);
    assert_eq!(db.task(one.task).await, ("failed".to_owned(), 1, Some("poison".to_owned())));
}

async fn a_task_waits_after_a_crash_and_may_still_run(db: &TestDatabase) {
    let text = db.text().await;
    let one = db.publish(&text, START).await;
    record_crash(&db.store, &one, START).await.unwrap();
    let outcome = db.run(&[one]).await;
    assert_eq!(outcome.stale, [(one, Stale::Early { until: START.plus(500) })]);
    db.advance(500);
    assert_eq!(db.run(&[one]).await.executed.len(), 1);
    assert_eq!(db.count("select cast(attempts as bigint) from task").await, 2);
}

async fn a_dropped_transaction_frees_the_writer(db: &TestDatabase) {
    let text = db.text().await;
    for _ in 0..20 {
        drop(db.store.begin(PoolRole::Engine).await.unwrap());
        drop(db.store.begin(PoolRole::Web).await.unwrap());
    }
    let one = db.publish(&text, START).await;
    assert_eq!(db.run(&[one]).await.executed.len(), 1);
    db.store.checkpoint().await.unwrap();
}

#[tokio::test]
async fn concurrent_heartbeats_do_not_wait_for_each_other() {
    let db = TestDatabase::postgres().await;
    let beat = |number: u128, name: &'static str| HeartbeatInput {
        id: Uuid::from_u128(number),
        name,
        role: NodeRole::All,
        version: "1",
        is_engine_alive: None,
        overdue_checked_ago_ms: None,
        timeline: None,
    };
    for one in [beat(1, "first"), beat(2, "second")] {
        node::heartbeat(&db.store, one, &db.clock).await.unwrap();
    }
    // The database clock is set: each node looks dead to the other.
    db.advance(3_600_000);
    let mut second = db.tx().await;
    sql!(
        second.conn(),
        sqlx::query("update node set heartbeat_at = heartbeat_at where id = $1").bind(Uuid::from_u128(2))
    )
    .unwrap();
    // If it waited, the lock would time out after 10 s.
    let heartbeat = node::heartbeat(&db.store, beat(1, "first"), &db.clock).await.unwrap();
    assert!(heartbeat.lost.is_empty(), "{:?}", heartbeat.lost);
    second.rollback().await.unwrap();
    let heartbeat = node::heartbeat(&db.store, beat(1, "first"), &db.clock).await.unwrap();
    assert_eq!(heartbeat.lost, ["second"]);
}

async fn a_heartbeat_reads_that_the_node_was_asked_to_stop(db: &TestDatabase) {
    let beat = HeartbeatInput {
        id: Uuid::from_u128(1),
        name: "one",
        role: NodeRole::All,
        version: "1",
        is_engine_alive: None,
        overdue_checked_ago_ms: None,
        timeline: None,
    };
    let is_asked = async || node::heartbeat(&db.store, beat, &db.clock).await.unwrap().is_drain_requested;
    let ask = async || node::request_drain(&db.store, beat.id, &db.clock).await.unwrap();
    assert!(!ask().await && !is_asked().await);
    assert!(ask().await && is_asked().await && is_asked().await);
    node::record_stop(&db.store, beat.id, &db.clock).await.unwrap();
    assert!(!ask().await);
    assert_eq!(node::state_of(&db.store, beat.id).await.unwrap().as_deref(), Some("stopped"));
}

crate::on_both!(
    a_heartbeat_reads_that_the_node_was_asked_to_stop,
    the_fifth_crash_fails_a_task,
    the_retry_schedule_of_its_kind_says_when_a_task_is_tried_again,
    a_task_waits_after_a_crash_and_may_still_run,
    a_dropped_transaction_frees_the_writer,
);
