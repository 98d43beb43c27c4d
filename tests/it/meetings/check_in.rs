//! No-shows: the room is released unless a user checks in.

use super::{HOUR, MINUTE, act, path, task, tasks};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_room_is_released_unless_a_user_checks_in,
    a_check_in_is_possible_shortly_before_the_start,
    a_released_room_is_kept_by_an_undo,
    long_and_late_bookings_need_no_check_in,
    a_room_is_kept_if_the_server_was_not_running,
);

async fn room(server: &TestServer) -> Value {
    server.create_room(json!({"name": "Aula", "check_in": {"grace_minutes": 10}})).await
}

async fn a_room_is_released_unless_a_user_checks_in(server: TestServer) {
    let room = room(&server).await;
    let used = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let unused = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let release = json!(server.time_after(5 * HOUR + 10 * MINUTE));
    assert_eq!(tasks(&unused)[1], task("meeting.release", &release), "{unused}");
    assert_eq!(unused["release_at"], release);
    server.advance(3 * HOUR).await;
    let running = server.meeting(&used).await;
    let used = act(&server.as_colleague(), &running, "check-in").await.expect(200);
    assert_eq!(used["checked_in_at"], json!(server.time_after(0)));
    assert_eq!(tasks(&used), [task("meeting.end", &used["ends_at"])]);
    let again = act(&server.as_creator(), &used, "check-in").await.expect(200);
    assert_eq!(again["version"], used["version"], "nothing to do");
    server.advance(2 * HOUR).await;
    assert_eq!(
        (server.state(&used).await, server.state(&unused).await),
        ("ended".to_owned(), "in_progress".to_owned())
    );
    server.advance(10 * MINUTE).await;
    let released = server.meeting(&unused).await;
    assert_eq!((&released["state"], tasks(&released).len()), (&json!("released"), 0));
    assert_eq!(server.verbs(&unused).await, ["book", "start", "release"]);
    server.book(&room, MINUTE, 30 * MINUTE).await.expect(201);
    assert_eq!(act(&server.as_creator(), &released, "check-in").await.refused(409), "wrong_state");
    server.advance(60 * MINUTE).await;
    assert_eq!(server.state(&unused).await, "released", "it does not end");
    server.assert_execution_records_match().await;
}

async fn a_check_in_is_possible_shortly_before_the_start(server: TestServer) {
    let room = room(&server).await;
    let meeting = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    let page = path(&meeting, "").replace("/api/v1", "");
    let button = "value=\"check_in\"";
    server.advance(3 * HOUR - 16 * MINUTE).await;
    assert_eq!(act(&server.as_creator(), &meeting, "check-in").await.refused(409), "check_in_too_early");
    assert!(!server.page(&server.creator, &page).await.contains(button));
    server.advance(MINUTE).await;
    assert!(server.page(&server.creator, &page).await.contains(button));
    let used = act(&server.as_creator(), &meeting, "check-in").await.expect(200);
    assert_eq!(used["checked_in_at"], json!(server.time_after(0)));
}

async fn a_released_room_is_kept_by_an_undo(server: TestServer) {
    let room = room(&server).await;
    let meeting = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    server.advance(3 * HOUR).await;
    server.advance(10 * MINUTE).await;
    let released = server.meeting(&meeting).await;
    assert_eq!((&released["state"], &released["undo"]["verb"]), (&json!("released"), &json!("release")));
    let kept = act(&server.as_creator(), &released, "undo").await.expect(200);
    assert_eq!(kept["state"], "in_progress");
    assert_eq!(tasks(&kept), [task("meeting.end", &meeting["ends_at"])]);
    server.advance(50 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "ended");
}

async fn long_and_late_bookings_need_no_check_in(server: TestServer) {
    let room = room(&server).await;
    let long = server.book(&room, 24 * HOUR, 32 * HOUR).await.expect(201);
    let late = server.book(&room, 2 * HOUR - 1, 3 * HOUR).await.expect(201);
    for meeting in [&long, &late] {
        assert_eq!(tasks(meeting).len(), 2, "{meeting}");
        assert!(meeting["checked_in_at"].is_string() && meeting["release_at"].is_null(), "{meeting}");
    }
    let settings =
        json!({"name": "Library", "check_in": {"grace_minutes": 1, "auto_if_booked_within_minutes": 0}});
    let strict = server.create_room(settings).await;
    let meeting = server.book(&strict, MINUTE, HOUR).await.expect(201);
    server.advance(MINUTE).await;
    server.advance(MINUTE).await;
    assert_eq!(server.state(&meeting).await, "released");
}

async fn a_room_is_kept_if_the_server_was_not_running(server: TestServer) {
    let room = room(&server).await;
    let meeting = server.book(&room, 3 * HOUR, 4 * HOUR).await.expect(201);
    server.advance_without_loops(3 * HOUR + 20 * MINUTE);
    server.tick().await;
    server.advance(1).await;
    let kept = server.meeting(&meeting).await;
    assert_eq!(kept["state"], "in_progress", "no user could check in: {kept}");
    assert_eq!(server.verbs(&meeting).await, ["book", "start", "keep"]);
}
