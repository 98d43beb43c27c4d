//! Everything that frees a room makes an offer.

use crate::{
    meetings::{HOUR, MINUTE, act, path},
    on_both,
    test_server::TestServer,
};
use serde_json::json;

on_both!(every_change_that_frees_a_room_makes_an_offer, a_series_that_is_cancelled_frees_its_rooms,);

async fn every_change_that_frees_a_room_makes_an_offer(server: TestServer) {
    let check_in = json!({"grace_minutes": 10, "auto_if_booked_within_minutes": 0});
    let room = server.create_room(json!({"name": "Aula", "check_in": check_in})).await;
    let deadline = json!({"after_minutes": 20, "decision": "reject"});
    let asked = server
        .create_room(json!({"name": "Library", "approval": "required", "approval_deadline": deadline}))
        .await;
    let creator = server.as_creator();
    // Moved away, and the move undone.
    let moved = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let waits = server.wait_for(&room, "Moved", 5 * HOUR, 6 * HOUR).await.expect(201);
    let away = json!({"seen_version": 1, "starts_at": server.time_after(8 * HOUR), "ends_at": server.time_after(9 * HOUR)});
    creator.patch(&path(&moved, ""), &away).await.expect(200);
    assert_eq!(server.state(&waits).await, "offered");
    let back = server.wait_for(&room, "Back", 8 * HOUR, 9 * HOUR).await.expect(201);
    server.act_now(&waits, "decline").await.expect(200);
    server.act_now(&moved, "undo").await.expect(200);
    assert_eq!(server.state(&back).await, "offered");
    // Another room.
    let waits = server.wait_for(&room, "Other room", 5 * HOUR, 6 * HOUR).await.expect(201);
    let other = json!({"seen_version": server.meeting(&moved).await["version"], "room_id": asked["id"]});
    creator.patch(&path(&moved, ""), &other).await.expect(200);
    assert_eq!(server.state(&waits).await, "offered");
    // The booking itself is undone.
    let undone = server.book(&room, 10 * HOUR, 11 * HOUR).await.expect(201);
    let waits = server.wait_for(&room, "Undone", 10 * HOUR, 11 * HOUR).await.expect(201);
    server.act_now(&undone, "undo").await.expect(200);
    assert_eq!(server.state(&waits).await, "offered");
    // A request expires.
    server.book(&asked, 2 * HOUR, 3 * HOUR).await.expect(201);
    let waits = server.wait_for(&asked, "Expired", 2 * HOUR, 3 * HOUR).await.expect(201);
    server.advance(20 * MINUTE).await;
    assert_eq!(server.state(&waits).await, "offered");
    // No user checks in.
    let released = server.book(&room, HOUR, 3 * HOUR).await.expect(201);
    let waits = server.wait_for(&room, "Released", 2 * HOUR, 3 * HOUR).await.expect(201);
    server.advance(HOUR + 10 * MINUTE).await;
    assert_eq!(server.states([&released, &waits]).await, ["released", "offered"]);
    server.act_now(&waits, "accept").await.expect(200);
    assert_eq!(server.overlaps().await, 0);
    server.assert_execution_records_match().await;
}

async fn a_series_that_is_cancelled_frees_its_rooms(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let mut new = server.new_meeting(&room, 48 * HOUR, 49 * HOUR);
    new["zone"] = json!("UTC");
    new["series"] = json!({"rule": {"frequency": "daily", "count": 3}});
    let series = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let first = server.wait_for(&room, "First day", 48 * HOUR, 49 * HOUR).await.expect(201);
    let third = server.wait_for(&room, "Third day", 96 * HOUR, 97 * HOUR).await.expect(201);
    let all = json!({"seen_version": series["version"], "reach": "all"});
    server.as_creator().post(&path(&series, "/cancel"), &all).await.expect(200);
    assert_eq!(server.states([&first, &third]).await, ["offered", "offered"]);
    assert!(act(&server.as_creator(), &server.meeting(&series).await, "undo").await.status == 409);
    assert_eq!(server.overlaps().await, 0);
}
