//! The numbers of the engine page.

use crate::memory::{Memory, START};
use domain::Kind;
use store::{Who, report};

async fn lag_is_told_by_percentiles(memory: &Memory) {
    let texts = memory.texts(100).await;
    for (place, text) in texts.iter().enumerate() {
        let one = memory.publish(text, START.plus(-(place as i64))).await;
        memory.run(&[one]).await;
    }
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let lag = report::lag(lease.conn(), START.plus(-1_000)).await.unwrap();
    assert_eq!((lag.count, lag.p50, lag.p95, lag.p99, lag.max, lag.early), (100, 49, 94, 98, 99, 0));
    let none = report::lag(lease.conn(), START.plus(1)).await.unwrap();
    assert_eq!(none, domain::engine::Lag::default());
}

async fn throughput_is_counted_by_minute(memory: &Memory) {
    let texts = memory.texts(4).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START.plus(-1)).await;
    memory.run(&claims[..1]).await;
    memory.advance(60_000);
    memory.run(&claims[1..]).await;
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let minutes = report::throughput(lease.conn(), START.millis() / 60_000 - 1, 3).await.unwrap();
    assert_eq!(minutes, [0, 1, 3]);
}

async fn the_ways_of_the_newest_are_told(memory: &Memory) {
    let texts = memory.texts(2).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let hinted = store::execute::Claim { moved_at: Some(START), popped_at: Some(START), ..claims[1] };
    memory.run(&[claims[0], hinted]).await;
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let ways = report::ways(lease.conn(), START.plus(-1_000)).await.unwrap();
    let mut moved: Vec<_> = ways.iter().map(|(due, stages)| (*due, stages.moved_at)).collect();
    moved.sort_unstable();
    assert_eq!(moved, [(START, None), (START, Some(START))]);
    assert!(report::ways(lease.conn(), START.plus(60_000)).await.unwrap().is_empty());
}

async fn totals_are_told_by_state(memory: &Memory) {
    let texts = memory.texts(3).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    memory.run(&claims[..2]).await;
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let totals = report::totals(lease.conn()).await.unwrap();
    assert_eq!((totals.scheduled, totals.executed, totals.missed), (1, 2, 0));
    let name = report::database(lease.conn()).await.unwrap();
    assert!(name.starts_with("SQLite 3.") || name.starts_with("PostgreSQL "), "{name}");
    let clocks = memory.store.clocks(&memory.clock).await.unwrap();
    assert!((0..20_000).contains(&clocks.database.since(clocks.node)), "{clocks:?}");
}

crate::on_both!(
    lag_is_told_by_percentiles,
    throughput_is_counted_by_minute,
    the_ways_of_the_newest_are_told,
    totals_are_told_by_state,
);
