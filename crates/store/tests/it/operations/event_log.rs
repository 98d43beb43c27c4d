//! The event log keeps the order in which events of one batch are given, even if they differ only
//! in a few fields.

use crate::test_database::{START, TestDatabase};
use domain::AccountId;
use serde_json::json;
use store::{
    PoolRole,
    event::{self, EventRow, NewEvent},
};
use uuid::Uuid;

fn line(actor: Option<AccountId>, verb: &'static str, place: i32) -> NewEvent {
    let detail = json!({"place": place, "words": "a \"b\"\n'c'\\ — é"});
    let version = (place % 3 > 0).then_some(place);
    NewEvent {
        version,
        detail: detail.to_string(),
        ..NewEvent::simple(START, actor, "task", Uuid::now_v7(), verb)
    }
}

async fn write(db: &TestDatabase, lines: &[NewEvent]) {
    let mut tx = db.tx().await;
    let before = event::last_seq(tx.conn()).await.unwrap();
    event::append(tx.conn(), lines).await.unwrap();
    tx.commit().await.unwrap();
    let mut lease = db.store.read(PoolRole::Web).await.unwrap();
    let rows = event::since(lease.conn(), before, 1_000, START.plus(60_000)).await.unwrap();
    let stored = |row: &EventRow| (row.entity_id, row.verb.clone(), row.version, row.detail.clone());
    let expected =
        |line: &NewEvent| (line.entity_id, line.verb.into(), line.version, line.detail.to_string());
    assert_eq!(rows.iter().map(stored).collect::<Vec<_>>(), lines.iter().map(expected).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.actor == "engine" && row.at == START.millis()));
}

async fn events_are_stored_in_the_given_order(db: &TestDatabase) {
    let alike: Vec<_> = (0..300).map(|place| line(None, "execute", place)).collect();
    write(db, &alike).await;
    let account = Some(AccountId::generate());
    let runs: Vec<_> = [(None, "execute"), (account, "cancel"), (None, "miss")]
        .into_iter()
        .flat_map(|(actor, verb)| (0..9).map(move |place| line(actor, verb, place)))
        .collect();
    write(db, &runs).await;
    let verbs = ["cancel", "schedule"].into_iter().cycle();
    let mixed: Vec<_> = verbs.zip(0..300).map(|(verb, place)| line(account, verb, place)).collect();
    write(db, &mixed).await;
}

crate::on_both!(events_are_stored_in_the_given_order);
