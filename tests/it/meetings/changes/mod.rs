//! Move, end, extend, cancel and edit, and the undo of each.

mod hand_over;
mod many;

use super::{HOUR, MINUTE, act, path, task, tasks};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_meeting_is_moved_and_the_move_undone,
    a_meeting_is_ended_early_and_extended,
    each_change_is_undone,
    an_undo_needs_a_free_room,
    a_stale_version_changes_nothing,
    only_the_organizer_and_admins_change_a_meeting,
    attendees_are_replaced_and_keep_their_answers,
);

/// Changes fields of a meeting at its version.
async fn patch(server: &TestServer, meeting: &Value, mut fields: Value) -> crate::http_client::Reply {
    fields["seen_version"] = meeting["version"].clone();
    server.as_creator().patch(&path(meeting, ""), &fields).await
}

async fn a_meeting_is_moved_and_the_move_undone(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let other = server.create_room(json!({"name": "Library"})).await;
    let meeting = server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    server.book(&room, 4 * HOUR, 5 * HOUR).await.expect(201);
    let to =
        |from: i64, to: i64| json!({"starts_at": server.time_after(from), "ends_at": server.time_after(to)});
    assert_eq!(patch(&server, &meeting, to(3 * HOUR, 4 * HOUR + 1)).await.refused(409), "room_taken");
    let moved = patch(&server, &meeting, to(3 * HOUR, 4 * HOUR)).await.expect(200);
    assert_eq!(moved["starts_at"], json!(server.time_after(3 * HOUR)));
    assert_eq!(
        tasks(&moved),
        [task("meeting.start", &moved["starts_at"]), task("meeting.end", &moved["ends_at"])]
    );
    let ids = |meeting: &Value| [meeting["tasks"][0]["id"].clone(), meeting["tasks"][1]["id"].clone()];
    assert_eq!(ids(&moved), ids(&meeting), "the tasks were rescheduled");
    let shorter =
        patch(&server, &moved, json!({"ends_at": server.time_after(3 * HOUR + MINUTE)})).await.expect(200);
    assert_eq!(shorter["starts_at"], moved["starts_at"]);
    let undone = act(&server.as_creator(), &shorter, "undo").await.expect(200);
    assert_eq!((&undone["starts_at"], &undone["ends_at"]), (&moved["starts_at"], &moved["ends_at"]));
    assert_eq!(act(&server.as_creator(), &undone, "undo").await.refused(409), "cannot_undo");
    let elsewhere = patch(&server, &undone, json!({"room_id": other["id"]})).await.expect(200);
    assert_eq!(elsewhere["room"], "Library");
    server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let refused = act(&server.as_creator(), &elsewhere, "undo").await.expect(409);
    assert_eq!(refused["error"]["code"], "room_taken", "the old room was taken meanwhile");
    let local =
        json!({"local_start": "2027-03-02T09:00", "local_end": "2027-03-02T10:00", "zone": "Europe/Berlin"});
    let moved = patch(&server, &elsewhere, local).await.expect(200);
    assert_eq!(
        (&moved["starts_at"], &moved["zone"]),
        (&json!("2027-03-02T08:00:00.000Z"), &json!("Europe/Berlin"))
    );
    assert_eq!(server.overlaps().await, 0);
}

async fn a_meeting_is_ended_early_and_extended(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "buffer_minutes": 5})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    assert_eq!(act(&server.as_creator(), &meeting, "end").await.refused(409), "wrong_state");
    server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    server.advance(HOUR).await;
    let running = server.meeting(&meeting).await;
    let extend =
        |meeting: &Value, minutes: i64| json!({"seen_version": meeting["version"], "minutes": minutes});
    let creator = server.as_creator();
    let far = creator.post(&path(&meeting, "/extend"), &extend(&running, 56)).await;
    assert_eq!(far.refused(409), "room_taken", "the buffer is kept");
    let longer = creator.post(&path(&meeting, "/extend"), &extend(&running, 55)).await.expect(200);
    assert_eq!(longer["ends_at"], json!(server.time_after(HOUR + 55 * MINUTE)));
    assert_eq!(tasks(&longer), [task("meeting.end", &longer["ends_at"])]);
    let undone = act(&creator, &longer, "undo").await.expect(200);
    assert_eq!(undone["ends_at"], meeting["ends_at"]);
    server.advance(30 * MINUTE).await;
    let ended = act(&creator, &undone, "end").await.expect(200);
    assert_eq!((&ended["state"], &ended["ends_at"]), (&json!("ended"), &json!(server.time_after(0))));
    assert_eq!(server.book(&room, 4 * MINUTE, 10 * MINUTE).await.refused(409), "room_taken", "the buffer");
    let between = server.book(&room, 5 * MINUTE, 10 * MINUTE).await.expect(201);
    assert_eq!(act(&creator, &ended, "undo").await.refused(409), "room_taken");
    act(&creator, &between, "cancel").await.expect(200);
    let running = act(&creator, &ended, "undo").await.expect(200);
    assert_eq!((&running["state"], &running["ends_at"]), (&json!("in_progress"), &meeting["ends_at"]));
    server.advance(30 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "ended");
}

async fn each_change_is_undone(server: TestServer) {
    let settings = json!({"name": "Aula", "approval": "required", "check_in": {"grace_minutes": 10}});
    let room = server.create_room(settings).await;
    let admin = server.as_admin();
    let request = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let mut meeting = request.clone();
    for (action, state) in [("approve", "confirmed"), ("reject", "rejected"), ("cancel", "cancelled")] {
        let changed = act(&admin, &meeting, action).await.expect(200);
        assert_eq!((&changed["state"], &changed["undo"]["verb"]), (&json!(state), &json!(action)));
        meeting = act(&admin, &changed, "undo").await.expect(200);
        assert_eq!((&meeting["state"], tasks(&meeting)), (&json!("requested"), tasks(&request)), "{action}");
        assert_eq!(meeting["reason"], "");
    }
    let confirmed = act(&admin, &meeting, "approve").await.expect(200);
    server.advance(3 * HOUR - 10 * MINUTE).await;
    let used = act(&admin, &confirmed, "check-in").await.expect(200);
    assert_eq!((tasks(&confirmed).len(), tasks(&used).len()), (4, 2), "with the warning and the release");
    let unused = act(&admin, &used, "undo").await.expect(200);
    assert_eq!((&unused["checked_in_at"], tasks(&unused)), (&Value::Null, tasks(&confirmed)));
    let cancelled = act(&server.as_creator(), &unused, "cancel").await.expect(200);
    server.advance(10 * MINUTE).await;
    let running = act(&server.as_creator(), &cancelled, "undo").await.expect(200);
    assert_eq!(running["state"], "confirmed");
    server.advance(1).await;
    assert_eq!(server.state(&running).await, "in_progress", "it has begun meanwhile");
    let other = server.create_room(json!({"name": "Library"})).await;
    let booked = server.book(&other, HOUR, 2 * HOUR).await.expect(201);
    assert_eq!(act(&server.as_creator(), &booked, "undo").await.expect(200)["state"], "cancelled");
}

async fn an_undo_needs_a_free_room(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let cancelled = act(&server.as_creator(), &meeting, "cancel").await.expect(200);
    let other = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let refused = act(&server.as_creator(), &cancelled, "undo").await.expect(409);
    assert_eq!(refused["conflicts"][0]["id"], other["id"], "{refused}");
    act(&server.as_creator(), &other, "cancel").await.expect(200);
    assert_eq!(act(&server.as_creator(), &cancelled, "undo").await.expect(200)["state"], "confirmed");
    assert_eq!(server.overlaps().await, 0);
}

async fn a_stale_version_changes_nothing(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let renamed = patch(&server, &meeting, json!({"title": "Review"})).await.expect(200);
    assert_eq!((&renamed["title"], &renamed["undo"]), (&json!("Review"), &Value::Null));
    for action in ["cancel", "end", "check-in", "undo"] {
        assert_eq!(act(&server.as_creator(), &meeting, action).await.refused(409), "changed", "{action}");
    }
    assert_eq!(patch(&server, &meeting, json!({"title": "Other"})).await.refused(409), "changed");
    assert_eq!(server.meeting(&meeting).await["title"], "Review");
}

async fn only_the_organizer_and_admins_change_a_meeting(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    for client in [server.as_colleague(), server.as_reviewer()] {
        let edit = json!({"title": "Theirs", "seen_version": 1});
        assert_eq!(client.patch(&path(&meeting, ""), &edit).await.refused(403), "not_allowed");
        for action in ["cancel", "end", "undo"] {
            assert_eq!(act(&client, &meeting, action).await.refused(403), "not_allowed", "{action}");
        }
        let extend = json!({"seen_version": 1, "minutes": 5});
        assert_eq!(client.post(&path(&meeting, "/extend"), &extend).await.refused(403), "not_allowed");
    }
    act(&server.as_admin(), &meeting, "cancel").await.expect(200);
    let over = server.meeting(&meeting).await;
    assert_eq!(patch(&server, &over, json!({"title": "Late"})).await.refused(409), "wrong_state");
}

async fn attendees_are_replaced_and_keep_their_answers(server: TestServer) {
    let new = json!({"title": "Call", "starts_at": server.time_after(HOUR), "ends_at": server.time_after(2 * HOUR),
                     "attendees": [{"email": "Ada@Example.org", "name": "Ada"}, {"email": "colleague@desk.test"}]});
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let expected = json!([{"email": "ada@example.org", "name": "Ada", "answer": "pending", "is_blocked": false},
                          {"email": "colleague@desk.test", "name": "colleague", "answer": "pending", "is_blocked": false}]);
    assert_eq!(meeting["attendees"], expected);
    let mine = server.as_colleague().get("/api/v1/meetings?scope=mine").await.expect(200);
    assert_eq!(mine["items"][0]["id"], meeting["id"]);
    let fewer =
        patch(&server, &meeting, json!({"attendees": [{"email": "ada@example.org"}]})).await.expect(200);
    assert_eq!((&fewer["attendee_count"], &fewer["version"]), (&json!(1), &json!(2)));
    let mine = server.as_colleague().get("/api/v1/meetings?scope=mine").await.expect(200);
    assert_eq!(mine["items"], json!([]));
}
