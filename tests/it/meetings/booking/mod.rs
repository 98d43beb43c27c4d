//! Booking, and the life of a meeting.

mod import;
mod import_updates;

use super::{HOUR, MINUTE, act, path, task, tasks};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(
    a_meeting_starts_and_ends_by_itself,
    half_open_times_touch_without_conflict,
    a_buffer_keeps_bookings_apart,
    a_meeting_without_a_room_takes_none,
    both_hours_of_a_doubled_hour_can_be_booked,
    a_repeated_request_books_once,
    many_meetings_start_at_one_instant,
    tasks_of_a_meeting_are_not_changed_by_themselves,
    an_attendee_with_a_comma_in_the_name_is_kept_by_the_form,
    the_form_says_by_which_ways_no_reminders_are_sent,
    people_are_ticked_by_name_with_what_they_have_then,
);

async fn a_meeting_starts_and_ends_by_itself(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    assert_eq!((&meeting["state"], &meeting["version"]), (&json!("confirmed"), &json!(1)), "{meeting}");
    assert_eq!((&meeting["room_id"], &meeting["series_id"]), (&room["id"], &Value::Null));
    let expected = [task("meeting.start", &meeting["starts_at"]), task("meeting.end", &meeting["ends_at"])];
    assert_eq!(tasks(&meeting), expected);
    server.advance(HOUR - 1).await;
    assert_eq!(server.state(&meeting).await, "confirmed");
    server.advance(1).await;
    let running = server.meeting(&meeting).await;
    assert_eq!((&running["state"], tasks(&running).len()), (&json!("in_progress"), 1));
    server.advance(HOUR).await;
    let ended = server.meeting(&meeting).await;
    assert_eq!((&ended["state"], tasks(&ended).len()), (&json!("ended"), 0));
    assert_eq!(server.verbs(&meeting).await, ["book", "start", "end"]);
    server.assert_execution_records_match().await;
    let listed = server.as_creator().get("/api/v1/tasks?kind=meeting.start").await.expect(200);
    assert_eq!(listed["items"][0]["target_id"], meeting["id"], "{listed}");
}

async fn half_open_times_touch_without_conflict(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    server.book(&room, 0, HOUR).await.expect(201);
    for (from, to) in [(HOUR, 2 * HOUR), (HOUR + 1, HOUR + 2), (HOUR - 1, HOUR + 1), (0, 10 * HOUR)] {
        let refused = server.book(&room, from, to).await.expect(409);
        assert_eq!(refused["error"]["code"], "room_taken", "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains("the room is taken from"));
        let conflicts = refused["conflicts"].as_array().unwrap();
        assert!(conflicts.iter().any(|one| one["id"] == first["id"]), "{refused}");
    }
    let one = &server.book(&room, HOUR, 2 * HOUR).await.expect(409)["conflicts"][0];
    assert_eq!((&one["starts_at"], &one["ends_at"]), (&first["starts_at"], &first["ends_at"]));
    assert_eq!(one["title"], "Planning");
    let other = server.create_room(json!({"name": "Library"})).await;
    server.book(&other, HOUR, 2 * HOUR).await.expect(201);
    assert_eq!(server.overlaps().await, 0);
}

async fn a_buffer_keeps_bookings_apart(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "buffer_minutes": 15})).await;
    server.book(&room, 2 * HOUR, 3 * HOUR).await.expect(201);
    for (from, to) in
        [(3 * HOUR, 4 * HOUR), (3 * HOUR + 14 * MINUTE, 4 * HOUR), (HOUR, 2 * HOUR - 14 * MINUTE)]
    {
        assert_eq!(server.book(&room, from, to).await.refused(409), "room_taken");
    }
    server.book(&room, 3 * HOUR + 15 * MINUTE, 4 * HOUR).await.expect(201);
    server.book(&room, HOUR, 2 * HOUR - 15 * MINUTE).await.expect(201);
}

async fn a_meeting_without_a_room_takes_none(server: TestServer) {
    for _ in 0..2 {
        let new = json!({"title": "Call", "starts_at": server.time_after(HOUR), "ends_at": server.time_after(2 * HOUR),
                         "link": "https://meet.example.org/desk"});
        let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
        assert_eq!((&meeting["room_id"], &meeting["room"]), (&Value::Null, &json!("")));
        assert_eq!(meeting["link"], "https://meet.example.org/desk");
    }
}

async fn both_hours_of_a_doubled_hour_can_be_booked(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula", "zone": "Europe/Berlin"})).await;
    let new = |disambiguation: Value| {
        json!({"title": "Night shift", "room_id": room["id"], "zone": "Europe/Berlin", "disambiguation": disambiguation,
               "local_start": "2027-10-31T02:00", "local_end": "2027-10-31T02:45"})
    };
    let creator = server.as_creator();
    let unclear = creator.post("/api/v1/meetings", &new(Value::Null)).await.expect(422);
    assert_eq!(unclear["error"]["code"], "doubled_time");
    assert_eq!(unclear["error"]["field"], "local_start");
    assert_eq!(unclear["choices"][1]["disambiguation"], "later", "{unclear}");
    let first = creator.post("/api/v1/meetings", &new(json!("earlier"))).await.expect(201);
    let second = creator.post("/api/v1/meetings", &new(json!("later"))).await.expect(201);
    assert_eq!(first["starts_at"], "2027-10-31T00:00:00.000Z");
    assert_eq!(second["starts_at"], "2027-10-31T01:00:00.000Z");
    assert_eq!(
        (&second["local_start"], &second["zone"]),
        (&json!("2027-10-31T02:00"), &json!("Europe/Berlin"))
    );
    assert_eq!(creator.post("/api/v1/meetings", &new(json!("later"))).await.refused(409), "room_taken");
    let skipped = json!({"title": "Night", "zone": "Europe/Berlin", "local_start": "2027-03-28T02:30",
                         "local_end": "2027-03-28T04:00"});
    assert_eq!(creator.post("/api/v1/meetings", &skipped).await.refused(422), "skipped_time");
    let ends_in_the_gap = json!({"title": "Night", "zone": "Europe/Berlin", "local_start": "2027-03-28T01:30",
                                 "local_end": "2027-03-28T02:30"});
    let refused = creator.post("/api/v1/meetings", &ends_in_the_gap).await.expect(422);
    assert_eq!(refused["error"]["field"], "local_end", "{refused}");
}

async fn a_repeated_request_books_once(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let creator = server.as_creator();
    let send = async || {
        let request = creator.request(reqwest::Method::POST, "/api/v1/meetings");
        let request =
            request.header("idempotency-key", "one").json(&server.new_meeting(&room, HOUR, 2 * HOUR));
        crate::http_client::Reply::of(request).await.expect(201)
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(first, again);
}

async fn many_meetings_start_at_one_instant(server: TestServer) {
    let mut all = Vec::new();
    for number in 0..40 {
        let room = server.create_room(json!({"name": format!("Room {number}")})).await;
        all.push(server.book(&room, HOUR, 2 * HOUR).await.expect(201));
    }
    server.advance(HOUR).await;
    let running = server.as_creator().get("/api/v1/meetings?state=in_progress&limit=200").await.expect(200);
    assert_eq!(running["items"].as_array().map(Vec::len), Some(all.len()));
    server.assert_execution_records_match().await;
}

async fn tasks_of_a_meeting_are_not_changed_by_themselves(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let creator = server.as_creator();
    let start = &meeting["tasks"][0]["id"];
    let task = creator.get(&format!("/api/v1/tasks/{}", start.as_str().unwrap())).await.expect(200);
    assert_eq!((&task["title"], &task["undo"]), (&json!("Planning"), &Value::Null));
    for action in ["cancel", "publish-now", "undo"] {
        let action = format!("/api/v1/tasks/{}/{action}", start.as_str().unwrap());
        let refused = creator.post(&action, &json!({"seen_version": task["version"]})).await;
        assert_eq!(refused.refused(409), "follows_meeting", "{action}");
    }
    let new = json!({"kind": "meeting.end", "target_id": meeting["id"], "due_at": server.time_after(MINUTE)});
    assert_eq!(creator.post("/api/v1/tasks", &new).await.refused(409), "follows_meeting");
    act(&creator, &meeting, "cancel").await.expect(200);
    let task = creator.get(&format!("/api/v1/tasks/{}", start.as_str().unwrap())).await.expect(200);
    assert_eq!(task["state"], "cancelled");
    assert_eq!(creator.get(&path(&json!({"id": room["id"]}), "")).await.refused(404), "no_such");
}

async fn an_attendee_with_a_comma_in_the_name_is_kept_by_the_form(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let mut new = server.new_meeting(&room, HOUR, 2 * HOUR);
    new["attendees"] = json!([{"email": "john@example.org", "name": "Doe, John"}]);
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let browser = server.log_in_browser(&server.creator).await;
    let form = [
        ("id", meeting["id"].as_str().unwrap()),
        ("seen", "1"),
        ("meeting[title]", meeting["title"].as_str().unwrap()),
        ("meeting[description]", "Bring the plans."),
        ("meeting[attendees]", "\"Doe, John\" <john@example.org>"),
        ("from", "/meetings"),
    ];
    let reply = browser.form("/fn/edit_meeting", &form).await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    let edited = server.meeting(&meeting).await;
    assert_eq!(edited["description"], "Bring the plans.");
    assert_eq!(edited["attendees"][0]["name"], "Doe, John", "{edited}");
    assert_eq!(edited["attendees"].as_array().unwrap().len(), 1, "{edited}");
}

async fn the_form_says_by_which_ways_no_reminders_are_sent(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let (mail, sms) = ("reminders by mail are not sent", "reminders by SMS are not sent");
    let page = browser.get("/meetings/new").await.expect_page();
    assert!(page.contains(mail) && page.contains(sms), "{page}");
    // The desk has no room: none can be free.
    assert!(!page.contains("No room is free then."), "{page}");
    assert_eq!(page.matches("meeting[reminders]").count(), 4, "in the desk only: {page}");
    assert!(!page.contains("start.10.mail"), "no box that cannot work: {page}");
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let page = browser.get("/meetings/new").await.expect_page();
    assert!(!page.contains(mail) && page.contains(sms), "{page}");
    assert_eq!(page.matches("meeting[reminders]").count(), 8, "in the desk and by mail: {page}");
}

async fn people_are_ticked_by_name_with_what_they_have_then(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let busy = json!({"title": "Elsewhere", "room_id": room["id"], "starts_at": "2027-03-08T09:30:00Z",
                      "ends_at": "2027-03-08T10:30:00Z"});
    server.as_colleague().post("/api/v1/meetings", &busy).await.expect(201);
    let browser = server.log_in_browser(&server.creator).await;
    let at =
        |start: &str, end: &str| format!("/meetings/new?date=2027-03-08&start={start}&end={end}&zone=UTC");
    let then = browser.get(&at("09:00", "10:00")).await.expect_page();
    assert_eq!(then.matches("busy ").count(), 1, "{then}");
    let later = browser.get(&at("11:00", "12:00")).await.expect_page();
    assert!(!later.contains("busy ") && later.contains("meeting[people][]"), "{later}");
    let account = server.colleague.actor.account.to_string();
    let fields = |who: &str| {
        [
            ("meeting[title]", "Tide tables".to_owned()),
            ("meeting[attendees]", "guest@example.org".to_owned()),
            ("meeting[people][]", who.to_owned()),
            ("date", "2027-03-08".to_owned()),
            ("time", "11:00".to_owned()),
            ("end", "12:00".to_owned()),
            ("zone", "UTC".to_owned()),
            ("from", "/meetings/new".to_owned()),
        ]
    };
    let book = async |who: &str| {
        let fields = fields(who);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.form("/fn/book_meeting", &fields).await
    };
    assert_eq!(book("unknown").await.status, 422);
    let booked = book(&account).await;
    assert_eq!(booked.status, 303, "{}", booked.text);
    let list = server.as_creator().get("/api/v1/meetings?q=tide").await.expect(200);
    let meeting = server.meeting(&list["items"][0]).await;
    let emails: Vec<&str> =
        meeting["attendees"].as_array().unwrap().iter().map(|one| one["email"].as_str().unwrap()).collect();
    assert!(emails.len() == 2 && emails.contains(&server.colleague.email.as_str()), "{meeting}");
}
