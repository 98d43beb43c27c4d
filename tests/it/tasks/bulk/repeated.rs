//! Repeated bulk changes and undos: a request with a known idempotency key gets the first answer again.

use crate::{http_client::Reply, on_both, test_server::TestServer};
use domain::{Actor, DomainError, account::Idempotency};
use presstime::services::idempotency::answered_once;
use serde_json::{Value, json};
use store::{Conn, PoolRole, idempotency};
use uuid::Uuid;

on_both!(
    a_repeated_change_of_tasks_and_its_undo_have_one_answer,
    articles_meetings_and_reminders_are_changed_once,
    an_unfinished_request_is_not_made_again,
    a_refused_change_frees_its_key_and_a_failed_one_does_not,
    an_answer_that_no_backup_can_hold_is_not_stored,
);

const HOUR_MS: i64 = 3_600_000;

async fn post(server: &TestServer, path: &str, key: &str, body: &Value) -> Reply {
    let request = server.as_creator().request(reqwest::Method::POST, &format!("/api/v1{path}"));
    Reply::of(request.header("idempotency-key", key).json(body)).await
}

async fn a_repeated_change_of_tasks_and_its_undo_have_one_answer(server: TestServer) {
    let task = server.create_task("One", HOUR_MS).await;
    let body = |days: i64| json!({"ids": [task.id.to_string()], "change": {"type": "shift", "days": days}});
    let done = post(&server, "/tasks/bulk-change", "a", &body(1)).await.expect(200);
    assert_eq!(done["changed"], 1);
    assert_eq!(post(&server, "/tasks/bulk-change", "a", &body(1)).await.expect(200), done);
    let moved = server.find_task(task.id).await;
    assert_eq!(moved.due.at, task.due.at.plus(24 * HOUR_MS), "it is moved once");
    let other = post(&server, "/tasks/bulk-change", "a", &body(2)).await;
    assert_eq!(other.refused(422), "key_reused");
    let undo = format!("/batches/{}/undo", done["batch_id"].as_str().unwrap());
    let undone = post(&server, &undo, "b", &Value::Null).await.expect(200);
    assert_eq!(undone["changed"], 1);
    assert_eq!(post(&server, &undo, "b", &Value::Null).await.expect(200), undone);
    // With another key it is another request. A refused one leaves its key free.
    assert_eq!(post(&server, &undo, "c", &Value::Null).await.refused(409), "cannot_undo");
    let again = post(&server, "/tasks/bulk-change", "c", &body(1)).await.expect(200);
    assert_eq!(again["changed"], 1);
}

async fn articles_meetings_and_reminders_are_changed_once(server: TestServer) {
    let draft = server.create_draft("Quay").await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, 2 * HOUR_MS, 3 * HOUR_MS).await.expect(201);
    let new = json!({"text": "Call", "due_at": server.time_after(HOUR_MS)});
    let reminder = server.as_creator().post("/api/v1/reminders", &new).await.expect(201);
    let shift = json!({"type": "shift", "minutes": 30});
    for (things, one, change) in [
        ("articles", &draft, json!({"type": "add_tag", "tag": "News"})),
        ("meetings", &meeting, shift.clone()),
        ("reminders", &reminder, shift),
    ] {
        let body = json!({"ids": [one["id"]], "change": change});
        let path = format!("/{things}/bulk-change");
        let done = post(&server, &path, things, &body).await.expect(200);
        assert_eq!(done["changed"], 1, "{things}: {done}");
        assert_eq!(post(&server, &path, things, &body).await.expect(200), done);
        let undo = format!("/batches/{}/undo", done["batch_id"].as_str().unwrap());
        let key = format!("{things} undone");
        let undone = post(&server, &undo, &key, &Value::Null).await.expect(200);
        assert_eq!(undone["changed"], 1, "{things}: {undone}");
        assert_eq!(post(&server, &undo, &key, &Value::Null).await.expect(200), undone);
    }
}

async fn an_unfinished_request_is_not_made_again(server: TestServer) {
    let task = server.create_task("One", HOUR_MS).await;
    let body = json!({"ids": [task.id.to_string()], "change": {"type": "shift", "days": 1}});
    post(&server, "/tasks/bulk-change", "a", &body).await.expect(200);
    // As a node leaves it that died before it stored the answer.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let text = "update idempotency set answer = null";
    match tx.conn() {
        Conn::Sqlite(c) => drop(sqlx::query(text).execute(c).await.unwrap()),
        Conn::Postgres(c) => drop(sqlx::query(text).execute(c).await.unwrap()),
    }
    tx.commit().await.unwrap();
    let again = post(&server, "/tasks/bulk-change", "a", &body).await;
    assert_eq!(again.refused(409), "key_unfinished");
    assert_eq!(server.find_task(task.id).await.version.0, 2);
}

async fn a_refused_change_frees_its_key_and_a_failed_one_does_not(server: TestServer) {
    let (store, now) = (&server.app.parts.store, server.now());
    let claimed = Idempotency { key: "once".to_owned(), fingerprint: "request".to_owned() };
    let actor = Actor { idempotency: Some(claimed), ..server.creator.actor.clone() };
    let refused = Err::<u32, _>(DomainError::NotAllowed);
    assert_eq!(answered_once(store, &actor, now, async { refused }).await, Err(DomainError::NotAllowed));
    // A later transaction of it found no database.
    let failed = Err::<u32, _>(DomainError::Unavailable);
    assert_eq!(answered_once(store, &actor, now, async { failed }).await, Err(DomainError::Unavailable));
    assert_eq!(answered_once(store, &actor, now, async { Ok(1_u32) }).await, Err(DomainError::KeyUnfinished));
}

async fn an_answer_that_no_backup_can_hold_is_not_stored(server: TestServer) {
    let (account, key) = (server.creator.actor.account, "long");
    let claimed = Idempotency { key: key.to_owned(), fingerprint: "request".to_owned() };
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    idempotency::claim(tx.conn(), account, &claimed, Uuid::nil(), server.now()).await.unwrap();
    idempotency::set_answer(tx.conn(), account, key, &"x".repeat(4_000_001)).await.unwrap();
    assert_eq!(idempotency::answer(tx.conn(), account, key).await.unwrap(), None);
    idempotency::set_answer(tx.conn(), account, key, "short").await.unwrap();
    assert_eq!(idempotency::answer(tx.conn(), account, key).await.unwrap().as_deref(), Some("short"));
}
