//! Mails that a limit holds.

use crate::test_database::{START, TestDatabase};
use domain::{DeliveryId, Version, channel::ChannelEvent, mail_limits::HeldReason};
use store::{
    PoolRole,
    mail::held::{self, NewHeldMail},
    outbox::{self, NewDelivery},
};
use uuid::Uuid;

fn delivery() -> NewDelivery {
    NewDelivery {
        id: DeliveryId::generate(),
        task: None,
        version: Version(1),
        channel_id: Uuid::nil(),
        channel: "Mail server".to_owned(),
        event: ChannelEvent::Test,
        title: "A mail".to_owned(),
        body: "{}".to_owned(),
        message: None,
        is_held: false,
        max_attempts: 1,
    }
}

async fn superseded_mails_are_cancelled_and_no_longer_held(db: &TestDatabase) {
    let all: Vec<NewDelivery> = (0..4).map(|_| delivery()).collect();
    let ids: Vec<Uuid> = all.iter().map(|one| one.id.0).collect();
    let mut tx = db.tx().await;
    outbox::insert(tx.conn(), &all, START).await.unwrap();
    for id in &ids {
        let new = NewHeldMail {
            delivery: *id,
            address: "anna@example.org",
            account: Uuid::nil(),
            reason: HeldReason::Address,
            rank: 0,
            until: Some(START.plus(60_000)),
        };
        held::hold(tx.conn(), &new, START).await.unwrap();
    }
    // One was cancelled before by its user.
    held::supersede(tx.conn(), &ids[2..3], START).await.unwrap();
    held::supersede(tx.conn(), &[], START.plus(1)).await.unwrap();
    held::supersede(tx.conn(), &ids[..3], START.plus(5)).await.unwrap();
    tx.commit().await.unwrap();
    let mut states = Vec::new();
    for id in &ids {
        let query = "select state, ended_at from delivery where id = $1";
        states.push(db.one::<(String, Option<i64>)>(query, *id).await.unwrap());
    }
    let cancelled = |millis: i64| ("cancelled".to_owned(), Some(START.millis() + millis));
    assert_eq!(states, [cancelled(5), cancelled(5), cancelled(0), ("pending".to_owned(), None)]);
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let left = held::list(lease.conn(), None, 10).await.unwrap();
    assert_eq!(left.iter().map(|row| row.delivery_id).collect::<Vec<_>>(), ids[3..]);
}

crate::on_both!(superseded_mails_are_cancelled_and_no_longer_held);
