//! The log: what is written together stands in it in its order, however alike its lines are.

use crate::memory::{Memory, START};
use domain::PersonId;
use serde_json::json;
use store::{
    Who,
    event::{self, EventRow, NewEvent},
};
use uuid::Uuid;

fn line(actor: Option<PersonId>, verb: &'static str, place: i32) -> NewEvent {
    let detail = json!({"place": place, "words": "a \"b\"\n'c'\\ — é"});
    let version = (place % 3 > 0).then_some(place);
    NewEvent {
        version,
        detail: detail.to_string(),
        ..NewEvent::plain(START, actor, "task", Uuid::now_v7(), verb)
    }
}

async fn write(memory: &Memory, lines: &[NewEvent]) {
    let mut tx = memory.tx().await;
    let before = event::last_seq(tx.conn()).await.unwrap();
    event::append(tx.conn(), lines).await.unwrap();
    tx.commit().await.unwrap();
    let mut lease = memory.store.read(Who::People).await.unwrap();
    let rows = event::since(lease.conn(), before, 1_000, START.plus(60_000)).await.unwrap();
    let told = |row: &EventRow| (row.entity_id, row.verb.clone(), row.version, row.detail.clone());
    let meant = |line: &NewEvent| (line.entity_id, line.verb.into(), line.version, line.detail.to_string());
    assert_eq!(rows.iter().map(told).collect::<Vec<_>>(), lines.iter().map(meant).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.actor == "engine" && row.at == START.millis()));
}

async fn lines_stand_in_the_order_in_which_they_were_given(memory: &Memory) {
    let alike: Vec<_> = (0..300).map(|place| line(None, "execute", place)).collect();
    write(memory, &alike).await;
    let somebody = Some(PersonId::fresh());
    let runs: Vec<_> = [(None, "execute"), (somebody, "cancel"), (None, "miss")]
        .into_iter()
        .flat_map(|(actor, verb)| (0..9).map(move |place| line(actor, verb, place)))
        .collect();
    write(memory, &runs).await;
    let verbs = ["cancel", "schedule"].into_iter().cycle();
    let mixed: Vec<_> = verbs.zip(0..300).map(|(verb, place)| line(somebody, verb, place)).collect();
    write(memory, &mixed).await;
}

crate::on_both!(lines_stand_in_the_order_in_which_they_were_given);
