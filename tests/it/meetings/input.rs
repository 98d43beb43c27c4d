//! Bad input: each is refused with its field, and nothing is booked.

use super::{HOUR, MINUTE, act};
use crate::{on_both, test_server::TestServer};
use domain::meetings::MeetingQuery;
use serde_json::{Value, json};

on_both!(invalid_meetings_are_refused_with_the_field, the_list_filters_and_has_pages,);

async fn invalid_meetings_are_refused_with_the_field(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "capacity": 2})).await;
    let with = |field: &str, value: Value| {
        let mut new = server.new_meeting(&room, HOUR, 2 * HOUR);
        new[field] = value;
        new
    };
    let attendee = |email: &str| json!({ "email": email });
    let many: Vec<Value> = (0..1_000).map(|number| attendee(&format!("a{number}@example.org"))).collect();
    let three = json!([attendee("a@example.org"), attendee("b@example.org"), attendee("c@example.org")]);
    let local = |start: &str, end: &str, zone: &str| json!({"title": "Planning", "local_start": start, "local_end": end, "zone": zone});
    for (new, field) in [
        (with("title", json!("")), "title"),
        (with("title", json!("x".repeat(100_000))), "title"),
        (with("title", json!("A\nB")), "title"),
        (with("description", json!("x".repeat(20_001))), "description"),
        (with("ends_at", json!(server.time_after(HOUR))), "ends_at"),
        (with("ends_at", json!(server.time_after(MINUTE))), "ends_at"),
        (with("ends_at", json!(server.time_after(400 * 24 * HOUR))), "ends_at"),
        (with("starts_at", json!(server.time_after(-HOUR))), "starts_at"),
        (with("starts_at", json!("tomorrow")), "starts_at"),
        (with("room_id", json!("01890000-0000-7000-8000-000000000001")), "room_id"),
        (with("room_id", json!("Aula")), "room_id"),
        (with("attendees", json!(many)), "attendees"),
        (with("attendees", three), "room_id"),
        (with("attendees", json!([attendee("a@example.org\r\nBcc: b@example.org")])), "attendees"),
        (with("attendees", json!([attendee("no user")])), "attendees"),
        (with("link", json!("javascript:alert(1)")), "link"),
        (with("zone", json!("Mars/Olympus")), "zone"),
        (with("local_start", json!("2027-03-02T09:00")), "starts_at"),
        (json!({"title": "Planning"}), "starts_at"),
        (json!({"title": "Planning", "starts_at": server.time_after(HOUR)}), "ends_at"),
        (local("2027-02-30T09:00", "2027-03-01T10:00", "UTC"), "local_start"),
        (local("2027-03-02T09:00", "2027-03-02T08:00", "UTC"), "local_end"),
        (local("2427-03-02T09:00", "2427-03-02T10:00", "UTC"), "local_start"),
        (local("2029-03-02T09:00", "2029-03-02T10:00", "UTC"), "local_start"),
        (local("2027-03-02T09:00", "2027-03-02T10:00", "Mars/Olympus"), "zone"),
    ] {
        let refused = server.as_creator().post("/api/v1/meetings", &new).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().len() < 400, "{refused}");
    }
    let one_bad = with("attendees", json!([attendee("a@example.org"), attendee("not-an-address")]));
    let refused = server.as_creator().post("/api/v1/meetings", &one_bad).await.expect(422);
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("“not-an-address”") && !message.contains("a@example.org"), "{refused}");
    assert_eq!(server.as_creator().post("/api/v1/meetings", &with("colour", json!("red"))).await.status, 422);
    let skipped = local("2027-03-28T02:30", "2027-03-28T04:00", "Europe/Berlin");
    let refused = server.as_creator().post("/api/v1/meetings", &skipped).await.expect(422);
    assert_eq!(refused["error"]["field"], "local_start");
    let choices = json!([{"local_start": "2027-03-28T01:59"}, {"local_start": "2027-03-28T03:00"}]);
    assert_eq!(refused["choices"], choices);
    let none = server.as_creator().get("/api/v1/meetings").await.expect(200);
    assert_eq!(none["items"], json!([]));
}

async fn the_list_filters_and_has_pages(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let other = server.create_room(json!({"name": "Library"})).await;
    let mut all = Vec::new();
    for hour in 1..=5 {
        all.push(server.book(&room, hour * HOUR, (hour + 1) * HOUR).await.expect(201)["id"].clone());
    }
    let elsewhere = server.book(&other, HOUR, 2 * HOUR).await.expect(201)["id"].clone();
    let list =
        async |query: &str| server.as_creator().get(&format!("/api/v1/meetings{query}")).await.expect(200);
    let ids = |page: &Value| {
        page["items"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>()
    };
    let of_room = list(&format!("?room_id={}", room["id"].as_str().unwrap())).await;
    assert_eq!(ids(&of_room), all);
    let of_other = list(&format!("?room_id={}", other["id"].as_str().unwrap())).await;
    assert_eq!(ids(&of_other), [elsewhere]);
    let (from, to) = (server.time_after(2 * HOUR), server.time_after(4 * HOUR));
    assert_eq!(ids(&list(&format!("?from={from}&to={to}")).await), all[1..3]);
    let first = list("?limit=4").await;
    let next = list(&format!("?limit=4&cursor={}", first["next_cursor"].as_str().unwrap())).await;
    assert_eq!((ids(&first).len(), ids(&next).len()), (4, 2));
    assert_eq!(next["next_cursor"], Value::Null);
    assert_eq!(list("?state=in_progress").await["items"], json!([]));
    assert_eq!(ids(&list("?q=PLAN").await).len(), 6);
    for wrong in ["?state=running", "?cursor=x", "?room_id=x", "?from=x", "?scope=theirs"] {
        assert_eq!(server.as_creator().get(&format!("/api/v1/meetings{wrong}")).await.status, 422, "{wrong}");
    }
    let counts =
        server.app.services.meetings.counts(&server.creator.actor, MeetingQuery::default()).await.unwrap();
    assert_eq!((counts.mine, counts.to_approve, counts.all), (6, 0, 6));
    let cancelled = server.meeting(&json!({"id": all[0]})).await;
    act(&server.as_creator(), &cancelled, "cancel").await.expect(200);
    assert_eq!(ids(&list("?q=PLAN").await).len(), 6);
    let counts =
        server.app.services.meetings.counts(&server.creator.actor, MeetingQuery::default()).await.unwrap();
    assert_eq!((counts.mine, counts.all), (6, 6), "the list shows the cancelled one");
}
