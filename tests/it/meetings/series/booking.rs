//! Booking a series: dry run, conflicts, and what the response holds.

use super::{DRY_RUN, count, ten_mondays, weekly};
use crate::{meetings::tasks, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_series_books_its_meetings_with_their_tasks,
    a_dry_run_lists_every_conflict_and_books_nothing,
    a_series_with_conflicts_is_refused_or_books_the_others,
    a_series_without_any_free_meeting_is_refused,
    meetings_outside_the_opening_hours_are_conflicts,
    a_series_keeps_its_local_time_when_the_clocks_change,
    requests_of_a_series_wait_for_their_approval,
    a_repeated_request_books_one_series,
    a_booked_series_is_undone_as_a_whole,
    a_series_of_another_zone_names_it,
);

async fn a_series_books_its_meetings_with_their_tasks(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let mut new = weekly(&room, &ten_mondays());
    new["attendees"] = json!([{"email": "ada@example.org"}]);
    let first = server.book_series(&new).await.expect(201);
    assert_eq!(
        (&first["starts_at"], &first["state"]),
        (&json!("2027-03-08T09:00:00.000Z"), &json!("confirmed"))
    );
    assert_eq!((&first["series"]["booked"], &first["series"]["skipped"]), (&json!(10), &json!([])));
    assert_eq!((tasks(&first).len(), count(&first["attendees"])), (2, 1));
    let starts = server.starts("Planning").await;
    assert_eq!(
        (starts.len(), starts[0].as_str(), starts[9].as_str()),
        (10, "2027-03-08T09:00", "2027-05-10T09:00")
    );
    let series = server.series(&first).await;
    assert_eq!((&series["id"], count(&series["meetings"])), (&first["series_id"], 10));
    assert_eq!((&series["rule"]["frequency"], &series["rule"]["count"]), (&json!("weekly"), &json!(10)));
    assert_eq!((&series["following_count"], &series["all_count"]), (&json!(10), &json!(10)));
    let third = server.meeting(&series["meetings"][2]).await;
    assert_eq!((&third["series_id"], tasks(&third).len()), (&first["series_id"], 2));
    assert_eq!(third["attendees"], first["attendees"]);
    assert_eq!(server.verbs(&third).await, ["book"]);
    let extend = server.as_admin().get("/api/v1/tasks?kind=series.extend").await.expect(200);
    assert_eq!(extend["items"], json!([]), "all ten are booked");
    let alone = server.book(&room, 0, 60_000).await.expect(201);
    let missing = server.as_creator().get(&crate::meetings::path(&alone, "/series")).await;
    assert_eq!(missing.refused(404), "no_such");
}

async fn a_dry_run_lists_every_conflict_and_books_nothing(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let rule = json!({"frequency": "weekly", "count": 52});
    for week in [0_i64, 3, 40] {
        let from = server.now().plus((7 + week * 7) * super::DAY + super::HOUR);
        server.occupy(&room, &from.to_string(), &from.plus(super::HOUR / 2).to_string()).await;
    }
    let run = server.as_creator().post(DRY_RUN, &weekly(&room, &rule)).await.expect(200);
    assert_eq!((&run["count"], &run["booked_at_once"], count(&run["next"])), (&json!(52), &json!(52), 10));
    let locals: Vec<&Value> =
        run["occurrences"].as_array().unwrap().iter().map(|one| &one["original_local"]).collect();
    assert_eq!(locals, ["2027-03-08T09:00", "2027-03-29T09:00", "2027-12-13T09:00"]);
    assert_eq!(run["occurrences"][0]["reason"], "room_taken");
    assert_eq!(run["occurrences"][0]["conflicts"][0]["title"], "Elsewhere");
    assert_eq!(count(&run["conflicts"]), 3);
    assert_eq!(server.starts("Planning").await.len(), 0);
    let daily = json!({"frequency": "daily", "until": "2028-06-01"});
    let run = server.as_creator().post(DRY_RUN, &weekly(&room, &daily)).await.expect(200);
    assert_eq!((&run["booked_at_once"], &run["count"]), (&json!(60), &json!(452)));
}

async fn a_series_with_conflicts_is_refused_or_books_the_others(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let other = server.occupy(&room, "2027-03-15T09:30:00Z", "2027-03-15T11:00:00Z").await;
    let mut new = weekly(&room, &ten_mondays());
    let refused = server.book_series(&new).await.expect(409);
    assert_eq!(refused["error"]["code"], "room_taken");
    assert!(refused["error"]["message"].as_str().unwrap().contains("1 of the 10 meetings"), "{refused}");
    assert_eq!((&refused["conflicts"][0]["id"], count(&refused["occurrences"])), (&other["id"], 1));
    assert_eq!(refused["occurrences"][0]["original_local"], "2027-03-15T09:00");
    assert_eq!(server.starts("Planning").await.len(), 0, "nothing was booked");
    new["conflicts"] = json!("skip");
    let booked = server.book_series(&new).await.expect(201);
    assert_eq!(booked["series"]["booked"], 9);
    assert_eq!(booked["series"]["skipped"][0]["original_local"], "2027-03-15T09:00");
    let series = server.series(&booked).await;
    assert_eq!((count(&series["meetings"]), count(&series["skipped"])), (9, 1));
    assert_eq!(series["skipped"][0]["conflicts"][0]["id"], other["id"]);
    assert_eq!(server.overlaps().await, 0);
}

async fn a_series_without_any_free_meeting_is_refused(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    server.occupy(&room, "2027-03-08T09:00:00Z", "2027-03-08T10:00:00Z").await;
    let mut new = weekly(&room, &json!({"frequency": "daily", "count": 1}));
    new["conflicts"] = json!("skip");
    assert_eq!(server.book_series(&new).await.refused(409), "room_taken");
}

async fn meetings_outside_the_opening_hours_are_conflicts(server: TestServer) {
    let hours = json!([{"weekdays": ["monday", "tuesday"], "from": "08:00", "to": "18:00"}]);
    let room = server.create_room(json!({"name": "Aula", "opening_hours": hours})).await;
    let rule = json!({"frequency": "daily", "count": 4});
    let run = server.as_creator().post(DRY_RUN, &weekly(&room, &rule)).await.expect(200);
    let reasons: Vec<&Value> =
        run["occurrences"].as_array().unwrap().iter().map(|one| &one["reason"]).collect();
    assert_eq!(reasons, ["closed", "closed"], "Wednesday and Thursday");
}

async fn a_series_keeps_its_local_time_when_the_clocks_change(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "zone": "Europe/Berlin"})).await;
    let rule = json!({"frequency": "weekly", "count": 3});
    let new = json!({"title": "Planning", "room_id": room["id"], "local_start": "2027-03-21T09:00",
                     "local_end": "2027-03-21T10:00", "zone": "Europe/Berlin", "series": {"rule": rule}});
    let first = server.book_series(&new).await.expect(201);
    assert_eq!(server.starts("Planning").await, ["2027-03-21T08:00", "2027-03-28T07:00", "2027-04-04T07:00"]);
    let series = server.series(&first).await;
    let second = server.meeting(&series["meetings"][1]).await;
    assert_eq!(
        (&second["local_start"], &second["local_end"]),
        (&json!("2027-03-28T09:00"), &json!("2027-03-28T10:00"))
    );
    let night = json!({"title": "Night", "local_start": "2027-03-27T02:30", "local_end": "2027-03-27T03:30",
                       "zone": "Europe/Berlin", "series": {"rule": {"frequency": "daily", "count": 3}}});
    let run = server.as_creator().post(DRY_RUN, &night).await.expect(200);
    assert_eq!(
        (&run["next"][1]["mark"], &run["next"][1]["has_other_offset"]),
        (&json!("moved_by_gap"), &json!(true))
    );
    server.book_series(&night).await.expect(201);
    assert_eq!(server.starts("Night").await, ["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"]);
}

async fn requests_of_a_series_wait_for_their_approval(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "approval": "required"})).await;
    let first = server.book_series(&weekly(&room, &ten_mondays())).await.expect(201);
    assert_eq!((&first["state"], &first["series"]["booked"]), (&json!("requested"), &json!(10)));
    let waiting = server.as_reviewer().get("/api/v1/meetings?scope=to_approve").await.expect(200);
    assert_eq!(count(&waiting["items"]), 10);
}

async fn a_repeated_request_books_one_series(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let creator = server.as_creator();
    let send = async || {
        let request = creator.request(reqwest::Method::POST, "/api/v1/meetings");
        let request = request.header("idempotency-key", "one").json(&weekly(&room, &ten_mondays()));
        crate::http_client::Reply::of(request).await.expect(201)
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(first, again);
    assert_eq!(server.starts("Planning").await.len(), 10);
}

async fn a_booked_series_is_undone_as_a_whole(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&weekly(&room, &ten_mondays())).await.expect(201);
    assert_eq!(first["undo"]["verb"], "book_series");
    let undone = crate::meetings::act(&server.as_creator(), &first, "undo").await.expect(200);
    assert_eq!(undone["state"], "cancelled");
    assert_eq!(server.starts("Planning").await.len(), 0);
    server.book_series(&weekly(&room, &ten_mondays())).await.expect(201);
}

async fn a_series_of_another_zone_names_it(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let mut new = weekly(&room, &ten_mondays());
    new["zone"] = json!("Asia/Shanghai");
    let first = server.book_series(&new).await.expect(201);
    let page = server.page(&server.creator, &format!("/meetings/{}", first["id"].as_str().unwrap())).await;
    assert!(page.contains("Repeats every week on Mon, 10 times (Shanghai time)."), "{page}");
}
