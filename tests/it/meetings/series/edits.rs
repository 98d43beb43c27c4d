//! Changes of several occurrences, and their undo.

use super::{DAY, count, ten_mondays, weekly};
use crate::{
    http_client::Reply,
    meetings::{act, path, tasks},
    on_both,
    test_server::TestServer,
};
use serde_json::{Value, json};

on_both!(
    one_meeting_is_moved_and_cancelled_alone,
    this_and_the_following_are_moved_and_undone_together,
    moved_meetings_keep_their_time_or_follow,
    all_that_are_to_come_are_cancelled_and_undone_together,
    a_title_is_changed_for_this_and_the_following,
    an_edit_that_meets_a_booking_is_refused_as_a_whole,
    a_moved_series_grows_and_the_past_stays,
    an_undo_is_refused_when_a_meeting_was_changed_since,
    back_to_back_meetings_can_be_shifted_by_a_day,
    only_the_organizer_changes_a_series,
);

/// The meeting of a series at this place.
async fn nth(server: &TestServer, first: &Value, place: usize) -> Value {
    let series = server.series(first).await;
    server.meeting(&series["meetings"][place]).await
}

async fn patch(server: &TestServer, meeting: &Value, mut change: Value) -> Reply {
    change["seen_version"] = meeting["version"].clone();
    server.as_creator().patch(&path(meeting, ""), &change).await
}

async fn cancel(server: &TestServer, meeting: &Value, reach: &str) -> Reply {
    let body = json!({"seen_version": meeting["version"], "reach": reach, "reason": "Holidays"});
    server.as_creator().post(&path(meeting, "/cancel"), &body).await
}

fn at(day: &str, start: &str, end: &str) -> Value {
    json!({"local_start": format!("{day}T{start}"), "local_end": format!("{day}T{end}"), "zone": "UTC"})
}

fn reaching(mut change: Value, reach: &str) -> Value {
    change["reach"] = json!(reach);
    change
}

async fn scene(server: &TestServer) -> (Value, Value) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&weekly(&room, &ten_mondays())).await.expect(201);
    (room, first)
}

async fn one_meeting_is_moved_and_cancelled_alone(server: TestServer) {
    let (_, first) = scene(&server).await;
    let second = nth(&server, &first, 1).await;
    let moved =
        patch(&server, &second, reaching(at("2027-03-16", "11:00", "12:00"), "this")).await.expect(200);
    assert_eq!((&moved["starts_at"], &moved["series"]), (&json!("2027-03-16T11:00:00.000Z"), &Value::Null));
    assert_eq!(moved["series_id"], first["series_id"]);
    assert_eq!(server.series(&first).await["moved_count"], 1);
    let third = nth(&server, &first, 2).await;
    cancel(&server, &third, "this").await.expect(200);
    let starts = server.starts("Planning").await;
    assert_eq!((starts.len(), starts[1].as_str()), (9, "2027-03-16T11:00"));
}

async fn this_and_the_following_are_moved_and_undone_together(server: TestServer) {
    let (room, first) = scene(&server).await;
    let before = server.starts("Planning").await;
    let third = nth(&server, &first, 2).await;
    let change = reaching(at("2027-03-23", "10:30", "12:00"), "following");
    let moved = patch(&server, &third, change).await.expect(200);
    assert_eq!(
        (&moved["series"]["changed"], &moved["starts_at"]),
        (&json!(8), &json!("2027-03-23T10:30:00.000Z"))
    );
    assert_ne!(moved["series_id"], first["series_id"]);
    let starts = server.starts("Planning").await;
    assert_eq!(starts[..3], ["2027-03-08T09:00", "2027-03-15T09:00", "2027-03-23T10:30"]);
    assert_eq!((starts.len(), starts[9].as_str()), (10, "2027-05-11T10:30"));
    assert_eq!(moved["ends_at"], "2027-03-23T12:00:00.000Z");
    assert_eq!(tasks(&moved)[0].1, "2027-03-23T10:30:00.000Z");
    server.occupy(&room, "2027-03-29T09:00:00Z", "2027-03-29T09:30:00Z").await;
    let fifth = nth(&server, &moved, 2).await;
    assert_eq!(fifth["undo"]["verb"], "move_series");
    let refused = act(&server.as_creator(), &fifth, "undo").await.expect(409);
    assert_eq!(refused["occurrences"][0]["original_local"], "2027-03-29T09:00", "{refused}");
    let elsewhere =
        server.as_colleague().get("/api/v1/meetings?q=Elsewhere").await.expect(200)["items"][0].clone();
    act(&server.as_colleague(), &elsewhere, "cancel").await.expect(200);
    let undone = act(&server.as_creator(), &fifth, "undo").await.expect(200);
    assert_eq!((&undone["series_id"], tasks(&undone).len()), (&first["series_id"], 2));
    assert_eq!(server.starts("Planning").await, before);
    assert_eq!(server.series(&first).await["rule"]["count"], 10);
    assert_eq!(server.overlaps().await, 0);
}

async fn moved_meetings_keep_their_time_or_follow(server: TestServer) {
    let (_, first) = scene(&server).await;
    let fourth = nth(&server, &first, 3).await;
    patch(&server, &fourth, at("2027-03-30", "15:00", "16:00")).await.expect(200);
    let second = nth(&server, &first, 1).await;
    let change = reaching(at("2027-03-15", "08:00", "09:00"), "following");
    let kept = patch(&server, &second, change.clone()).await.expect(200);
    assert_eq!((&kept["series"]["changed"], &kept["series"]["kept_moved"]), (&json!(9), &json!(1)));
    assert_eq!(server.starts("Planning").await[3], "2027-03-30T15:00");
    let undone = act(&server.as_creator(), &kept, "undo").await.expect(200);
    let mut follow = change;
    follow["moved"] = json!("follow");
    patch(&server, &undone, follow).await.expect(200);
    assert_eq!(server.starts("Planning").await[3], "2027-03-29T08:00");
}

async fn all_that_are_to_come_are_cancelled_and_undone_together(server: TestServer) {
    let (room, first) = scene(&server).await;
    server.advance(15 * DAY).await;
    server.tick().await;
    let fifth = nth(&server, &first, 4).await;
    assert_eq!(server.series(&first).await["all_count"], 8, "two have taken place");
    let cancelled = cancel(&server, &fifth, "all").await.expect(200);
    assert_eq!((&cancelled["series"]["cancelled"], &cancelled["state"]), (&json!(8), &json!("cancelled")));
    assert_eq!((&cancelled["reason"], tasks(&cancelled).len()), (&json!("Holidays"), 0));
    assert_eq!(server.starts("Planning").await.len(), 0);
    let past = server.as_creator().get("/api/v1/meetings?state=ended").await.expect(200);
    assert_eq!(count(&past["items"]), 2, "the past stays");
    let undone = act(&server.as_creator(), &cancelled, "undo").await.expect(200);
    assert_eq!((&undone["state"], &undone["reason"]), (&json!("confirmed"), &json!("")));
    assert_eq!(server.starts("Planning").await.len(), 8);
    let again = cancel(&server, &undone, "following").await.expect(200);
    assert_eq!(again["series"]["cancelled"], 5);
    server.occupy(&room, "2027-04-19T09:00:00Z", "2027-04-19T10:00:00Z").await;
    assert_eq!(act(&server.as_creator(), &again, "undo").await.refused(409), "room_taken");
}

async fn a_title_is_changed_for_this_and_the_following(server: TestServer) {
    let (_, first) = scene(&server).await;
    let second = nth(&server, &first, 1).await;
    let renamed = patch(&server, &second, json!({"title": "Review", "reach": "following"})).await.expect(200);
    assert_eq!((&renamed["title"], &renamed["series"]["changed"]), (&json!("Review"), &json!(9)));
    assert_eq!((server.starts("Review").await.len(), server.starts("Planning").await.len()), (9, 1));
    let undone = act(&server.as_creator(), &renamed, "undo").await.expect(200);
    assert_eq!(undone["title"], "Planning");
    assert_eq!(server.starts("Planning").await.len(), 10);
}

async fn an_edit_that_meets_a_booking_is_refused_as_a_whole(server: TestServer) {
    let (room, first) = scene(&server).await;
    server.occupy(&room, "2027-04-05T13:00:00Z", "2027-04-05T14:00:00Z").await;
    let before = server.starts("Planning").await;
    let change = reaching(at("2027-03-08", "13:00", "14:00"), "all");
    let refused = patch(&server, &first, change).await.expect(409);
    assert_eq!((&refused["error"]["code"], count(&refused["occurrences"])), (&json!("room_taken"), 1));
    assert_eq!(server.starts("Planning").await, before);
    assert_eq!(server.meeting(&first).await["version"], first["version"]);
}

async fn a_moved_series_grows_and_the_past_stays(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let rule = json!({"frequency": "daily", "until": "2028-06-01"});
    let first = server.book_series(&weekly(&room, &rule)).await.expect(201);
    server.advance(9 * DAY).await;
    let next = nth(&server, &first, 20).await;
    let day = next["local_start"].as_str().unwrap()[..10].to_owned();
    patch(&server, &next, reaching(at(&day, "14:00", "15:00"), "all")).await.expect(200);
    server.advance(45 * DAY).await;
    server.tick().await;
    let starts = server.starts("Planning").await;
    assert!(starts.iter().all(|start| start.ends_with("T14:00")), "{starts:?}");
    assert!(starts.len() >= 30, "{starts:?}");
    assert_eq!(server.overlaps().await, 0);
    server.assert_execution_records_match().await;
}

async fn an_undo_is_refused_when_a_meeting_was_changed_since(server: TestServer) {
    let (_, first) = scene(&server).await;
    let moved = patch(&server, &first, reaching(at("2027-03-08", "14:00", "15:00"), "all")).await.expect(200);
    let second = nth(&server, &moved, 1).await;
    patch(&server, &second, json!({"title": "Other"})).await.expect(200);
    assert_eq!(act(&server.as_creator(), &moved, "undo").await.refused(409), "cannot_undo");
}

async fn back_to_back_meetings_can_be_shifted_by_a_day(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let new = json!({"title": "Planning", "room_id": room["id"], "local_start": "2027-03-08T09:00",
                     "local_end": "2027-03-09T09:00", "zone": "UTC",
                     "series": {"rule": {"frequency": "daily", "count": 5}}});
    let first = server.book_series(&new).await.expect(201);
    let change = json!({"local_start": "2027-03-09T09:00", "local_end": "2027-03-10T09:00", "zone": "UTC", "reach": "all"});
    let moved = patch(&server, &first, change).await.expect(200);
    assert_eq!(moved["series"]["changed"], 5);
    assert_eq!(server.starts("Planning").await[4], "2027-03-13T09:00");
    assert_eq!(server.overlaps().await, 0);
}

async fn only_the_organizer_changes_a_series(server: TestServer) {
    let (room, first) = scene(&server).await;
    let body = json!({"seen_version": first["version"], "reach": "all"});
    for action in ["/cancel", ""] {
        let path = path(&first, action);
        let reply = match action {
            "" => server.as_colleague().patch(&path, &body).await,
            _ => server.as_colleague().post(&path, &body).await,
        };
        assert_eq!(reply.refused(403), "not_allowed");
    }
    let stale = json!({"seen_version": 99, "reach": "all"});
    let path = path(&first, "/cancel");
    assert_eq!(server.as_creator().post(&path, &stale).await.refused(409), "changed");
    let alone = server.book(&room, 0, 60_000).await.expect(201);
    assert_eq!(cancel(&server, &alone, "all").await.refused(422), "invalid");
    assert_eq!(cancel(&server, &first, "every").await.refused(422), "invalid");
}
