//! The next occurrences of a series are added by the task `series.extend`.

use super::{DAY, HOUR, count, weekly};
use crate::{on_both, test_server::TestServer};
use domain::{account::OnDisable, services::Accounts as _};
use serde_json::{Value, json};
use store::{Conn, PoolRole};
use uuid::Uuid;

on_both!(
    the_next_meetings_are_added_when_their_time_comes_closer,
    a_conflict_that_comes_up_later_is_recorded_and_shown,
    after_an_outage_one_decision_is_made_for_each_series,
    a_cancelled_meeting_is_not_added_again,
    the_series_of_a_disabled_account_ends,
    two_series_that_grow_together_do_not_overlap,
    a_rule_that_cannot_be_read_fails_its_series_alone,
);

fn daily(room: &Value) -> Value {
    weekly(room, &json!({"frequency": "daily", "until": "2028-06-01"}))
}

async fn extend_tasks(server: &TestServer) -> Value {
    let path = "/api/v1/tasks?kind=series.extend&state=scheduled";
    server.as_admin().get(path).await.expect(200)["items"].clone()
}

async fn the_next_meetings_are_added_when_their_time_comes_closer(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&daily(&room)).await.expect(201);
    assert_eq!(first["series"]["booked"], 60);
    let waiting = extend_tasks(&server).await;
    assert_eq!((count(&waiting), &waiting[0]["title"]), (1, &json!("Planning")));
    assert_eq!(waiting[0]["due_at"], "2027-04-07T09:00:00.000Z", "at the middle of those that are booked");
    server.advance(37 * DAY + HOUR).await;
    server.tick().await;
    let starts = server.starts("Planning").await;
    assert_eq!(starts.last().unwrap(), "2027-06-06T09:00", "60 are ahead");
    assert_eq!(count(&extend_tasks(&server).await), 1);
    let series = server.series(&first).await;
    let last = series["meetings"].as_array().unwrap().last().unwrap().clone();
    let last = server.meeting(&last).await;
    assert_eq!((&last["series_id"], super::super::tasks(&last).len()), (&first["series_id"], 2));
    assert_eq!(server.verbs(&json!({"id": first["series_id"]})).await, ["book", "extend"]);
    server.assert_execution_records_match().await;
    assert_eq!(server.overlaps().await, 0);
}

async fn a_conflict_that_comes_up_later_is_recorded_and_shown(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&daily(&room)).await.expect(201);
    let other = server.occupy(&room, "2027-05-20T09:30:00Z", "2027-05-20T12:00:00Z").await;
    server.advance(37 * DAY + HOUR).await;
    server.tick().await;
    let series = server.series(&first).await;
    assert_eq!(series["skipped"][0]["original_local"], "2027-05-20T09:00", "{series}");
    assert_eq!(series["skipped"][0]["conflicts"][0]["id"], other["id"]);
    assert!(!server.starts("Planning").await.contains(&"2027-05-20T09:00".to_owned()));
    assert_eq!(server.overlaps().await, 0);
}

async fn after_an_outage_one_decision_is_made_for_each_series(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&daily(&room)).await.expect(201);
    // No node runs for 100 days: 40 occurrences passed that were never booked.
    server.advance(100 * DAY).await;
    for _ in 0..4 {
        server.tick().await;
    }
    let starts = server.starts("Planning").await;
    assert!(starts.iter().all(|start| start.as_str() >= "2027-06-09"), "{starts:?}");
    assert_eq!((starts.len(), starts.last().unwrap().as_str()), (60, "2027-08-07T09:00"));
    let verbs = server.verbs(&json!({"id": first["series_id"]})).await;
    assert_eq!(verbs, ["book", "extend"], "one decision");
    let series = server.series(&first).await;
    assert_eq!(series["skipped"][0]["reason"], "missed", "{}", series["skipped"]);
    assert_eq!(count(&extend_tasks(&server).await), 1);
}

async fn a_cancelled_meeting_is_not_added_again(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&daily(&room)).await.expect(201);
    let last = server.series(&first).await["meetings"][59].clone();
    let last = server.meeting(&last).await;
    super::super::act(&server.as_creator(), &last, "cancel").await.expect(200);
    server.advance(37 * DAY + HOUR).await;
    server.tick().await;
    let start = last["starts_at"].as_str().unwrap()[..16].to_owned();
    assert!(!server.starts("Planning").await.contains(&start));
}

async fn the_series_of_a_disabled_account_ends(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let new = daily(&room);
    server.as_colleague().post("/api/v1/meetings", &new).await.expect(201);
    let account = server.colleague.actor.account;
    let cancel = Some(OnDisable::Cancel);
    server.app.accounts.disable(&server.admin.actor, account, cancel).await.unwrap();
    assert_eq!(extend_tasks(&server).await, json!([]));
    server.advance(40 * DAY).await;
    assert_eq!(server.starts("Planning").await.len(), 0);
}

async fn two_series_that_grow_together_do_not_overlap(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let mut other = daily(&room);
    other["title"] = json!("Retro");
    other["local_start"] = json!("2027-03-08T09:30");
    other["local_end"] = json!("2027-03-08T10:30");
    // Both are confirmed later, when no booking is in the way yet.
    let first = server.book_series(&daily(&room)).await.expect(201);
    other["conflicts"] = json!("skip");
    assert_eq!(server.book_series(&other).await.refused(409), "room_taken");
    other["local_start"] = json!("2027-03-08T11:00");
    other["local_end"] = json!("2027-03-08T12:00");
    server.book_series(&other).await.expect(201);
    server.advance(37 * DAY + 4 * HOUR).await;
    server.tick().await;
    server.tick().await;
    assert_eq!(server.starts("Retro").await.last().unwrap(), "2027-06-06T11:00");
    assert_eq!(server.series(&first).await["skipped"], json!([]));
    assert_eq!(server.overlaps().await, 0);
}

async fn a_rule_that_cannot_be_read_fails_its_series_alone(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let broken = server.book_series(&daily(&room)).await.expect(201);
    let mut other = daily(&server.create_room(json!({"name": "Foyer"})).await);
    other["title"] = json!("Retro");
    let other = server.book_series(&other).await.expect(201);
    let id: Uuid = broken["series_id"].as_str().unwrap().parse().unwrap();
    let text = "update series set rule = 'broken' where id = $1";
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).bind(id).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).bind(id).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
    server.advance(37 * DAY + HOUR).await;
    server.tick().await;
    assert_eq!(server.verbs(&json!({"id": other["series_id"]})).await, ["book", "extend"]);
    assert_eq!(server.verbs(&json!({"id": broken["series_id"]})).await, ["book"]);
    let path = "/api/v1/tasks?kind=series.extend&state=failed";
    let failed = server.as_admin().get(path).await.expect(200)["items"].clone();
    assert_eq!((count(&failed), &failed[0]["reason"]), (1, &json!("series_rule")), "{failed}");
}
