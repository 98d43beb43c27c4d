//! Requests: approved, rejected, or decided by their deadline.

mod warnings;

use super::{HOUR, MINUTE, act, path, task, tasks};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_request_is_approved_or_rejected_by_a_person,
    a_deadline_rejects_confirms_or_holds,
    a_request_that_holds_nothing_gives_way,
    a_deadline_is_kept_after_an_outage,
);

fn room(name: &str, decision: &str) -> Value {
    json!({"name": name, "approval": "required",
           "approval_deadline": {"after_minutes": 30, "before_start_minutes": 60, "decision": decision}})
}

async fn a_request_is_approved_or_rejected_by_a_person(server: TestServer) {
    let room = server.create_room(room("Aula", "reject")).await;
    let request = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    assert_eq!(request["state"], "requested");
    let decide = task("meeting.decide", &json!(server.time_after(30 * MINUTE)));
    assert_eq!(tasks(&request).last(), Some(&decide), "after two warnings");
    assert_eq!(server.book(&room, 2 * HOUR, 3 * HOUR).await.refused(409), "room_taken", "it holds the room");
    for client in [server.as_creator(), server.as_colleague()] {
        assert_eq!(act(&client, &request, "approve").await.refused(403), "not_allowed");
    }
    let approved = act(&server.as_reviewer(), &request, "approve").await.expect(200);
    assert_eq!((&approved["state"], &approved["decide_at"]), (&json!("confirmed"), &Value::Null));
    let expected = [task("meeting.start", &request["starts_at"]), task("meeting.end", &request["ends_at"])];
    assert_eq!(tasks(&approved), expected);
    assert_eq!(act(&server.as_admin(), &request, "approve").await.refused(409), "changed");
    assert_eq!(act(&server.as_admin(), &approved, "reject").await.refused(409), "wrong_state");
    let second = server.book(&room, 4 * HOUR, 5 * HOUR).await.expect(201);
    let body = json!({"seen_version": second["version"], "reason": "Cleaning day"});
    let rejected = server.as_reviewer().post(&path(&second, "/reject"), &body).await.expect(200);
    assert_eq!((&rejected["state"], &rejected["reason"]), (&json!("rejected"), &json!("Cleaning day")));
    assert_eq!(tasks(&rejected).len(), 0);
    server.book(&room, 4 * HOUR, 5 * HOUR).await.expect(201);
    let own = json!({"title": "Own", "room_id": room["id"], "starts_at": server.time_after(6 * HOUR),
                     "ends_at": server.time_after(7 * HOUR)});
    let own = server.as_reviewer().post("/api/v1/meetings", &own).await.expect(201);
    assert_eq!(act(&server.as_reviewer(), &own, "approve").await.refused(403), "not_allowed");
    let waiting = server.as_reviewer().get("/api/v1/meetings?scope=to_approve").await.expect(200);
    assert_eq!(waiting["items"].as_array().map(Vec::len), Some(1), "not the own one: {waiting}");
}

async fn a_deadline_rejects_confirms_or_holds(server: TestServer) {
    let mut requests = Vec::new();
    for decision in ["reject", "confirm", "hold"] {
        let room = server.create_room(room(decision, decision)).await;
        requests.push(server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201));
    }
    server.advance(30 * MINUTE - 1).await;
    for request in &requests {
        assert_eq!(server.state(request).await, "requested");
    }
    server.advance(1).await;
    assert_eq!(server.state(&requests[0]).await, "expired");
    let confirmed = server.meeting(&requests[1]).await;
    assert_eq!(confirmed["state"], "confirmed");
    assert_eq!(tasks(&confirmed).len(), 2, "{confirmed}");
    let held = server.meeting(&requests[2]).await;
    assert_eq!((&held["state"], &held["is_held"]), (&json!("requested"), &json!(true)));
    assert_eq!(tasks(&held), [task("meeting.decide", &held["ends_at"])]);
    assert_eq!(server.verbs(&held).await, ["book", "hold"]);
    server.advance(90 * MINUTE).await;
    assert_eq!(server.state(&confirmed).await, "in_progress");
    let late = act(&server.as_admin(), &held, "approve").await.expect(200);
    assert_eq!(late["state"], "confirmed");
    server.advance(1).await;
    assert_eq!(server.state(&held).await, "in_progress", "it has begun already");
    let expired = server.verbs(&requests[0]).await;
    assert_eq!(expired, ["book", "expire"]);
    server.assert_execution_records_match().await;
}

async fn a_request_that_holds_nothing_gives_way(server: TestServer) {
    let settings = json!({"name": "Aula", "approval": "required", "request_holds": false,
                          "approval_deadline": {"after_minutes": 30, "decision": "confirm"}});
    let room = server.create_room(settings).await;
    let first = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    let second = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    let third = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    act(&server.as_admin(), &second, "approve").await.expect(200);
    let refused = act(&server.as_admin(), &third, "approve").await.expect(409);
    assert_eq!(refused["conflicts"][0]["id"], second["id"], "{refused}");
    server.advance(30 * MINUTE).await;
    for request in [&first, &third] {
        let expired = server.meeting(request).await;
        assert_eq!((&expired["state"], &expired["reason"]), (&json!("expired"), &json!("room_taken")));
    }
    let pair = [4, 4].map(|hour| (hour * HOUR, (hour + 1) * HOUR));
    let mut requests = Vec::new();
    for (from, to) in pair {
        requests.push(server.book(&room, from, to).await.expect(201));
    }
    server.advance(30 * MINUTE).await;
    let states = [server.state(&requests[0]).await, server.state(&requests[1]).await];
    assert!(states.contains(&"confirmed".to_owned()) && states.contains(&"expired".to_owned()), "{states:?}");
    assert_eq!(server.overlaps().await, 0);
}

async fn a_deadline_is_kept_after_an_outage(server: TestServer) {
    let room = server.create_room(room("Aula", "reject")).await;
    let request = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    let other = server.create_room(json!({"name": "Library"})).await;
    let meeting = server.book(&other, HOUR, 2 * HOUR).await.expect(201);
    server.advance_without_loops(72 * HOUR);
    server.tick().await;
    server.advance(1).await;
    assert_eq!(
        (server.state(&request).await, server.state(&meeting).await),
        ("expired".to_owned(), "ended".to_owned())
    );
    assert_eq!(server.verbs(&meeting).await, ["book", "start", "end"]);
}
