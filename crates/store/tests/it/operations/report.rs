//! Figures of the engine page.

use crate::test_database::{START, TestDatabase};
use domain::Kind;
use store::{PoolRole, report};

async fn lateness_is_reported_in_percentiles(db: &TestDatabase) {
    let texts = db.texts(100).await;
    for (place, text) in texts.iter().enumerate() {
        let one = db.publish(text, START.plus(-(place as i64))).await;
        db.run(&[one]).await;
    }
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let lag = report::lateness(lease.conn(), START.plus(-1_000)).await.unwrap();
    assert_eq!((lag.count, lag.p50, lag.p95, lag.p99, lag.max, lag.early), (100, 49, 94, 98, 99, 0));
    let none = report::lateness(lease.conn(), START.plus(1)).await.unwrap();
    assert_eq!(none, domain::engine::Lateness::default());
}

async fn throughput_is_counted_by_minute(db: &TestDatabase) {
    let texts = db.texts(4).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START.plus(-1)).await;
    db.run(&claims[..1]).await;
    db.advance(60_000);
    db.run(&claims[1..]).await;
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let minutes = report::throughput(lease.conn(), START.millis() / 60_000 - 1, 3).await.unwrap();
    assert_eq!(minutes, [0, 1, 3]);
}

async fn stage_times_of_the_newest_tasks_are_reported(db: &TestDatabase) {
    let texts = db.texts(2).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    let hinted = store::execute::Claim { moved_at: Some(START), popped_at: Some(START), ..claims[1] };
    db.run(&[claims[0], hinted]).await;
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let ways = report::stage_times(lease.conn(), START.plus(-1_000)).await.unwrap();
    let mut moved: Vec<_> = ways.iter().map(|(due, stages)| (*due, stages.moved_at)).collect();
    moved.sort_unstable();
    assert_eq!(moved, [(START, None), (START, Some(START))]);
    assert!(report::stage_times(lease.conn(), START.plus(60_000)).await.unwrap().is_empty());
}

async fn totals_are_reported_by_state(db: &TestDatabase) {
    let texts = db.texts(3).await;
    let claims = db.plan(Kind::ArticlePublish, &texts, START).await;
    db.run(&claims[..2]).await;
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let totals = report::totals(lease.conn()).await.unwrap();
    assert_eq!((totals.scheduled, totals.executed, totals.missed), (1, 2, 0));
    let name = report::database(lease.conn()).await.unwrap();
    assert!(name.starts_with("SQLite 3.") || name.starts_with("PostgreSQL "), "{name}");
    let clocks = db.store.read_clocks(&db.clock).await.unwrap();
    assert!((0..20_000).contains(&clocks.database.since(clocks.node)), "{clocks:?}");
}

crate::on_both!(
    lateness_is_reported_in_percentiles,
    throughput_is_counted_by_minute,
    stage_times_of_the_newest_tasks_are_reported,
    totals_are_reported_by_state,
);
