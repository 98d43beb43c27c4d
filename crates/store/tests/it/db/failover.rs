//! Failover: acknowledged writes that the new server lacks are reported, and deliveries are held.

use crate::test_database::{START, TestDatabase, sql};
use domain::Timestamp;
use std::collections::BTreeSet;
use store::{
    PoolRole, db_identity,
    event::{self, NewEvent},
    failover, restore,
};
use uuid::Uuid;

const NODE: Uuid = Uuid::from_u128(7);

fn lines(count: i64) -> Vec<NewEvent> {
    let line = |place| NewEvent::simple(START.plus(place), None, "task", Uuid::now_v7(), "schedule");
    (0..count).map(line).collect()
}

async fn write(db: &TestDatabase, lines: &[NewEvent]) {
    for part in lines.chunks(100) {
        let mut tx = db.tx().await;
        event::append(tx.conn(), part).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn held_since(db: &TestDatabase) -> Option<Timestamp> {
    let mut lease = db.store.read(PoolRole::Engine).await.unwrap();
    restore::delivery_hold_since(lease.conn()).await.unwrap()
}

async fn last_seq(db: &TestDatabase) -> i64 {
    event::last_seq(db.store.read(PoolRole::Engine).await.unwrap().conn()).await.unwrap()
}

/// Deletes all events from an instant on, without the program.
async fn lose(db: &TestDatabase, from: Timestamp) {
    let mut tx = db.tx().await;
    let lose = "delete from event where at >= $1 and verb = 'schedule'";
    sql!(tx.conn(), sqlx::query(lose).bind(from.millis())).unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_acknowledged_writes_are_reported_and_deliveries_held() {
    let db = TestDatabase::postgres().await;
    let (all, now) = (lines(2_500), START.plus(60_000));
    write(&db, &all).await;
    let mut undone = db.tx().await;
    event::append(undone.conn(), &lines(3)).await.unwrap();
    undone.rollback().await.unwrap();
    lose(&db, START.plus(1_200)).await;
    let before = last_seq(&db).await;
    let gap = failover::compare(&db.store, "here", NODE, now).await.unwrap();
    assert_eq!((gap.lost, gap.is_truncated, gap.events.len()), (1_300, false, 1_000));
    assert_eq!(gap.span, (START.millis() + 1_200, START.millis() + 2_499));
    let named: BTreeSet<Uuid> = gap.events.iter().map(|line| line.id).collect();
    assert_eq!(named, all[1_200..2_200].iter().map(|line| line.entity_id).collect());
    assert!(gap.events.iter().all(|line| line.verb == "schedule" && line.actor == "engine"));
    assert_eq!(held_since(&db).await, Some(now));
    // A client that has read the log beyond its present end must not miss new events.
    assert!(last_seq(&db).await > before + 1_300);
    let reports =
        failover::lost_writes(db.store.read(PoolRole::Engine).await.unwrap().conn(), now).await.unwrap();
    assert_eq!(reports, [(now, gap)]);
    // Missing events are reported once.
    assert_eq!(failover::compare(&db.store, "here", NODE, now).await.unwrap().lost, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn if_all_is_missing_the_report_is_truncated_and_if_nothing_is_nothing_is_held() {
    let db = TestDatabase::postgres().await;
    let now = START.plus(60_000);
    assert_eq!(failover::compare(&db.store, "here", NODE, now).await.unwrap().lost, 0);
    write(&db, &lines(20)).await;
    let gap = failover::compare(&db.store, "here", NODE, now).await.unwrap();
    assert_eq!((gap.lost, gap.is_truncated, held_since(&db).await), (0, false, None));
    assert!(
        failover::lost_writes(db.store.read(PoolRole::Engine).await.unwrap().conn(), now)
            .await
            .unwrap()
            .is_empty()
    );
    let mut tx = db.tx().await;
    sql!(tx.conn(), sqlx::query("delete from event")).unwrap();
    tx.commit().await.unwrap();
    let gap = failover::compare(&db.store, "here", NODE, now).await.unwrap();
    // Two events are those of the two comparisons before.
    assert_eq!((gap.lost, gap.is_truncated), (22, true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_timeline_of_the_server_is_read() {
    let (db, other) = (TestDatabase::postgres().await, TestDatabase::sqlite().await);
    let of = async |db: &TestDatabase| {
        failover::timeline(db.store.read(PoolRole::Engine).await.unwrap().conn()).await.unwrap()
    };
    assert_eq!((of(&db).await, of(&other).await), (Some(1), None));
    assert_eq!(db_identity::check(&db.store, START, None).await.unwrap(), None);
}
