//! Strikes, the one writer of SQLite, and nodes that beat at the same time.

use crate::memory::{Memory, START, sql};
use domain::engine::NodeRole;
use store::{
    Who,
    execute::{Stale, Strike, strike},
    node::{self, Beat},
};
use uuid::Uuid;

async fn the_fifth_strike_fails_a_task(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    let mut rests = Vec::new();
    for _ in 0..4 {
        let Strike::Again(at) = strike(&memory.store, &one, START).await.unwrap() else {
            panic!("too early")
        };
        rests.push(at.since(START));
    }
    assert_eq!(rests, [500, 1_000, 2_000, 4_000]);
    assert_eq!(strike(&memory.store, &one, START).await.unwrap(), Strike::Out);
    assert_eq!(strike(&memory.store, &one, START).await.unwrap(), Strike::Changed);
    assert_eq!(memory.task(one.task).await, ("failed".to_owned(), 1, Some("poison".to_owned())));
    assert_eq!(memory.verbs(one.task.0).await, ["fail"]);
}

async fn a_struck_task_rests_and_may_still_happen(memory: &Memory) {
    let text = memory.text().await;
    let one = memory.publish(&text, START).await;
    strike(&memory.store, &one, START).await.unwrap();
    let outcome = memory.run(&[one]).await;
    assert_eq!(outcome.stale, [(one, Stale::Early { until: START.plus(500) })]);
    memory.advance(500);
    assert_eq!(memory.run(&[one]).await.executed.len(), 1);
    assert_eq!(memory.count("select cast(attempts as bigint) from task").await, 2);
}

async fn a_transaction_that_is_dropped_lets_the_next_one_write(memory: &Memory) {
    let text = memory.text().await;
    for _ in 0..20 {
        drop(memory.store.begin(Who::Engine).await.unwrap());
        drop(memory.store.begin(Who::People).await.unwrap());
    }
    let one = memory.publish(&text, START).await;
    assert_eq!(memory.run(&[one]).await.executed.len(), 1);
    memory.store.checkpoint().await.unwrap();
}

#[tokio::test]
async fn a_beat_waits_for_no_node_that_beats_at_the_same_time() {
    let memory = Memory::postgres().await;
    let beat = |number: u128, name: &'static str| Beat {
        id: Uuid::from_u128(number),
        name,
        role: NodeRole::All,
        version: "1",
        works: None,
        looked: None,
        timeline: None,
    };
    for one in [beat(1, "first"), beat(2, "second")] {
        node::beat(&memory.store, one, &memory.clock).await.unwrap();
    }
    // The database's clock is set: each looks lost to the other.
    memory.advance(3_600_000);
    let mut second = memory.tx().await;
    sql!(
        second.conn(),
        sqlx::query("update node set beat_at = beat_at where id = $1").bind(Uuid::from_u128(2))
    )
    .unwrap();
    // Would it wait, the lock would be refused after 10 s.
    let told = node::beat(&memory.store, beat(1, "first"), &memory.clock).await.unwrap();
    assert!(told.lost.is_empty(), "{:?}", told.lost);
    second.rollback().await.unwrap();
    let told = node::beat(&memory.store, beat(1, "first"), &memory.clock).await.unwrap();
    assert_eq!(told.lost, ["second"]);
}

crate::on_both!(
    the_fifth_strike_fails_a_task,
    a_struck_task_rests_and_may_still_happen,
    a_transaction_that_is_dropped_lets_the_next_one_write,
);
