//! When a delivery may be sent.

use crate::test_database::TestDatabase;
use domain::{Clock as _, DeliveryId, Timestamp, Version, channel::ChannelEvent, clock::SystemClock};
use store::{
    Store,
    outbox::{self, NewDelivery},
};
use uuid::Uuid;

async fn a_delivery_of_a_node_with_a_fast_clock_follows_the_database_clock(db: &TestDatabase) {
    let ahead = SystemClock.now().plus(3_600_000);
    let id = DeliveryId::generate();
    let new = NewDelivery {
        id,
        task: None,
        version: Version(1),
        channel_id: Uuid::nil(),
        channel: "A channel".to_owned(),
        event: ChannelEvent::Test,
        title: "A title".to_owned(),
        body: "{}".to_owned(),
        message: None,
        is_held: false,
        max_attempts: 1,
    };
    let mut tx = db.tx().await;
    outbox::insert(tx.conn(), &[new], ahead).await.unwrap();
    tx.commit().await.unwrap();
    let times: Option<(i64, i64)> =
        db.one("select not_before, created_at from delivery where id = $1", id.0).await;
    let (not_before, created_at) = times.unwrap();
    assert_eq!(created_at, ahead.millis());
    let may_leave = Timestamp::from_millis(not_before);
    match db.store {
        // SQLite uses the clock of the process.
        Store::Sqlite { .. } => assert_eq!(may_leave, ahead),
        Store::Postgres { .. } => assert!(may_leave <= SystemClock.now(), "not in an hour: {may_leave:?}"),
    }
}

crate::on_both!(a_delivery_of_a_node_with_a_fast_clock_follows_the_database_clock);
