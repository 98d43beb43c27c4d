//! When a message may leave.

use crate::memory::Memory;
use domain::{Clock as _, DeliveryId, Timestamp, Version, channel::Happening, clock::SystemClock};
use store::{
    Store,
    outbox::{self, NewDelivery},
};
use uuid::Uuid;

async fn a_message_of_a_node_that_is_ahead_leaves_by_the_clock_of_the_database(memory: &Memory) {
    let ahead = SystemClock.now().plus(3_600_000);
    let id = DeliveryId::fresh();
    let new = NewDelivery {
        id,
        task: None,
        version: Version(1),
        channel_id: Uuid::nil(),
        channel: "A channel".to_owned(),
        event: Happening::Test,
        title: "A title".to_owned(),
        body: "{}".to_owned(),
        max_attempts: 1,
    };
    let mut tx = memory.tx().await;
    outbox::insert(tx.conn(), &[new], ahead).await.unwrap();
    tx.commit().await.unwrap();
    let times: Option<(i64, i64)> =
        memory.one("select not_before, created_at from delivery where id = $1", id.0).await;
    let (not_before, created_at) = times.unwrap();
    assert_eq!(created_at, ahead.millis());
    let may_leave = Timestamp::from_millis(not_before);
    match memory.store {
        // One machine, one clock.
        Store::Sqlite { .. } => assert_eq!(may_leave, ahead),
        Store::Postgres { .. } => assert!(may_leave <= SystemClock.now(), "not in an hour: {may_leave:?}"),
    }
}

crate::on_both!(a_message_of_a_node_that_is_ahead_leaves_by_the_clock_of_the_database);
