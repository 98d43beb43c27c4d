//! Rooms: settings, opening hours, capacity, free and busy.

use super::{HOUR, MINUTE};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{RoomId, meetings::use_cases::GridQuery};
use serde_json::{Value, json};

on_both!(
    a_room_is_created_changed_and_archived,
    the_form_says_that_the_room_was_archived_meanwhile,
    a_booking_stays_within_the_opening_hours,
    free_rooms_are_found_by_capacity,
    free_rooms_are_found_by_equipment_and_seats_smallest_first,
    the_grid_shows_the_days_of_all_rooms,
    the_next_free_time_skips_bookings_and_closed_hours,
    invalid_settings_are_refused_with_the_field,
);

fn id(room: &Value) -> &str {
    room["id"].as_str().unwrap()
}

async fn a_room_is_created_changed_and_archived(server: TestServer) {
    let settings = json!({"name": "Aula", "capacity": 12, "zone": "Europe/Berlin", "approval": "required",
        "request_holds": true, "approval_deadline": {"after_minutes": 30, "decision": "hold"}, "buffer_minutes": 5,
        "opening_hours": [{"weekdays": ["monday"], "from": "08:00", "to": "18:00"}],
        "check_in": {"grace_minutes": 10}, "place": "Ground floor", "equipment": ["projector", "screen"]});
    let room = server.create_room(settings.clone()).await;
    for (field, value) in settings.as_object().unwrap() {
        let is_same = match field.as_str() {
            "check_in" => room[field]["grace_minutes"] == 10 && room[field]["exempt_over_minutes"] == 480,
            "approval_deadline" => room[field]["after_minutes"] == 30 && room[field]["decision"] == "hold",
            _ => &room[field] == value,
        };
        assert!(is_same, "{field}: {room}");
    }
    assert_eq!(room["version"], 1);
    let path = format!("/api/v1/rooms/{}", id(&room));
    assert_eq!(server.as_creator().get(&path).await.expect(200)["name"], "Aula");
    let edit = json!({"capacity": null, "approval": "none", "seen_version": 1});
    assert_eq!(server.as_creator().patch(&path, &edit).await.refused(403), "not_allowed");
    let edited = server.as_admin().patch(&path, &edit).await.expect(200);
    assert_eq!(
        (&edited["capacity"], &edited["approval"], &edited["version"]),
        (&Value::Null, &json!("none"), &json!(2))
    );
    assert_eq!(edited["place"], "Ground floor", "other fields stay");
    assert_eq!(server.as_admin().patch(&path, &edit).await.refused(409), "changed");
    let second = server.create_room(json!({"name": "Library"})).await;
    let same = json!({"name": "Library", "seen_version": 2});
    assert_eq!(server.as_admin().patch(&path, &same).await.refused(409), "taken");
    let archive = json!({"is_archived": true, "seen_version": 2});
    let archived = server.as_admin().patch(&path, &archive).await.expect(200);
    assert_eq!((&archived["is_archived"], &archived["may_book"]), (&json!(true), &json!(false)));
    let listed = server.as_creator().get("/api/v1/rooms").await.expect(200);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
    let refused = server.book(&room, HOUR, 2 * HOUR).await.expect(422);
    assert_eq!(refused["error"]["field"], "room_id");
    let order = [&second, &room].map(|room| id(room).parse::<RoomId>().unwrap());
    let rooms = &server.app.services.rooms;
    let names = |rooms: Vec<domain::meetings::Room>| {
        rooms.into_iter().map(|room| room.settings.name).collect::<Vec<_>>()
    };
    let ordered = rooms.reorder(&server.admin.actor, order.to_vec()).await.unwrap();
    assert_eq!(names(ordered), ["Library", "Aula"]);
    let admins_only = json!({"name": "Board room", "booked_by": "admin"});
    let board = server.create_room(admins_only).await;
    assert_eq!(server.book(&board, HOUR, 2 * HOUR).await.refused(403), "not_allowed");
}

async fn the_form_says_that_the_room_was_archived_meanwhile(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let archive = json!({"is_archived": true, "seen_version": room["version"]});
    server.as_admin().patch(&format!("/api/v1/rooms/{}", id(&room)), &archive).await.expect(200);
    let new = server.new_meeting(&room, HOUR, 2 * HOUR);
    let local =
        |text: &Value| text.as_str().unwrap().split(['T', '.', 'Z']).map(str::to_owned).collect::<Vec<_>>();
    let (start, end) = (local(&new["starts_at"]), local(&new["ends_at"]));
    let fields = [
        ("meeting[title]", "Typed title"),
        ("room_id", id(&room)),
        ("date", &start[0]),
        ("time", &start[1]),
        ("zone", "UTC"),
        ("end", &end[1]),
        ("end_date", &end[0]),
        ("from", "/meetings/new"),
    ];
    let refused = server.log_in_browser(&server.creator).await.form("/fn/book_meeting", &fields).await;
    assert_eq!(refused.status, 422);
    assert_contains(
        &refused.text,
        &["This room was archived or deleted. Choose another one.", "Typed title"],
    );
}

async fn a_booking_stays_within_the_opening_hours(server: TestServer) {
    let hours = json!([{"from": "09:00", "to": "17:00"}]);
    let room =
        server.create_room(json!({"name": "Aula", "zone": "Europe/Berlin", "opening_hours": hours})).await;
    // The clock shows 09:00 in Berlin.
    let closed = server.book(&room, -MINUTE, HOUR).await.expect(422);
    assert_eq!(closed["error"]["field"], "starts_at", "{closed}");
    assert!(closed["error"]["message"].as_str().unwrap().contains("09:00–17:00 (Europe/Berlin)"), "{closed}");
    assert_eq!(server.book(&room, 7 * HOUR, 8 * HOUR + 1_000).await.status, 422);
    let last = server.book(&room, 7 * HOUR, 8 * HOUR).await.expect(201);
    server.advance(7 * HOUR).await;
    let extend = json!({"seen_version": 2, "minutes": 1});
    let refused = server.as_creator().post(&super::path(&last, "/extend"), &extend).await.expect(422);
    assert_eq!(refused["error"]["field"], "minutes");
}

async fn free_rooms_are_found_by_capacity(server: TestServer) {
    let small = server.create_room(json!({"name": "Small", "capacity": 4})).await;
    let large = server.create_room(json!({"name": "Large", "capacity": 40, "buffer_minutes": 30})).await;
    server.create_room(json!({"name": "Unknown"})).await;
    server.create_room(json!({"name": "Admins", "booked_by": "admin"})).await;
    let free = async |from: i64, to: i64, more: &str| {
        let (from, to) = (server.time_after(from), server.time_after(to));
        let page = server
            .as_creator()
            .get(&format!("/api/v1/rooms/free?from={from}&to={to}{more}"))
            .await
            .expect(200);
        let names =
            page["items"].as_array().unwrap().iter().map(|room| room["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(free(HOUR, 2 * HOUR, "").await, ["Small", "Large", "Unknown"]);
    assert_eq!(free(HOUR, 2 * HOUR, "&capacity=5").await, ["Large"]);
    let meeting = server.book(&large, 2 * HOUR, 3 * HOUR).await.expect(201);
    server.book(&small, 2 * HOUR, 3 * HOUR).await.expect(201);
    assert_eq!(free(HOUR, 2 * HOUR, "&capacity=1").await, ["Small"], "the buffer of the large one");
    assert_eq!(free(HOUR, 2 * HOUR - 30 * MINUTE, "&capacity=5").await, ["Large"]);
    let (from, to) = (server.time_after(0), server.time_after(24 * HOUR));
    let busy = format!("/api/v1/rooms/{}/busy?from={from}&to={to}", id(&large));
    let busy = server.as_colleague().get(&busy).await.expect(200);
    assert_eq!(busy["items"].as_array().map(Vec::len), Some(1));
    let one = &busy["items"][0];
    assert_eq!((&one["id"], &one["state"]), (&meeting["id"], &json!("confirmed")));
    assert_eq!(one["free_at"], json!(server.time_after(3 * HOUR + 30 * MINUTE)));
    for query in [
        "",
        "?from=2027-03-01T00:00:00Z",
        "?from=2027-03-02T00:00:00Z&to=2027-03-01T00:00:00Z",
        "?from=2027-03-01T00:00:00Z&to=2028-03-01T00:00:00Z",
    ] {
        let reply = server.as_creator().get(&format!("/api/v1/rooms/free{query}")).await;
        assert_eq!(reply.status, 422, "{query}");
    }
    assert_eq!(server.as_creator().get("/api/v1/rooms/free?from=x&to=y&capacity=many").await.status, 422);
}

async fn free_rooms_are_found_by_equipment_and_seats_smallest_first(server: TestServer) {
    for (name, capacity, equipment) in [
        ("Hall", json!(90), json!(["Projector", "Piano"])),
        ("Attic", json!(null), json!(["Projector"])),
        ("Cabin", json!(2), json!([])),
        ("Studio", json!(12), json!(["projector", "Screen"])),
    ] {
        server.create_room(json!({"name": name, "capacity": capacity, "equipment": equipment})).await;
    }
    let (from, until) = (server.time_after(HOUR), server.time_after(2 * HOUR));
    let free = async |more: &str| {
        let path = format!("/api/v1/rooms/free?from={from}&until={until}{more}");
        let page = server.as_creator().get(&path).await.expect(200);
        let names = page["items"].as_array().unwrap().iter();
        names.map(|room| room["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(free("").await, ["Cabin", "Studio", "Hall", "Attic"]);
    assert_eq!(free("&equipment=PROJECTOR").await, ["Studio", "Hall", "Attic"]);
    assert_eq!(free("&equipment=projector,screen").await, ["Studio"]);
    assert_eq!(free("&seats=10&equipment=Projector").await, ["Studio", "Hall"]);
    assert_eq!(free("&seats=91").await, [""; 0]);
    let many = format!("/api/v1/rooms/free?from={from}&until={until}&seats=many");
    assert_eq!(server.as_creator().get(&many).await.status, 422);
    // `until` and `to` mean the same, and a refusal names the one that was sent.
    let later = server.time_after(3 * HOUR);
    for (query, field) in [
        (format!("from={from}&until=soon"), "until"),
        (format!("from={from}&to=soon"), "to"),
        (format!("from={from}&until={until}&to=soon"), "to"),
        (format!("from={from}&until={until}&to={later}"), "until"),
        (format!("from={from}"), "until"),
        (format!("until={until}"), "from"),
    ] {
        let refused = server.as_creator().get(&format!("/api/v1/rooms/free?{query}")).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{query}: {refused}");
    }
    assert_eq!(free(&format!("&to={until}")).await, ["Cabin", "Studio", "Hall", "Attic"]);
    // The form on the page of rooms.
    let day = &from[..10];
    let found = format!("/rooms?date={day}&start=20:00&end=21:00&people=10&equipment=screen");
    let page = server.page(&server.creator, &found).await;
    assert!(page.contains("Book Studio") && !page.contains("Book Hall"), "{page}");
    assert!(page.contains("<datalist id=\"find-known\">") && page.contains("value=\"Piano\""), "{page}");
}

async fn the_grid_shows_the_days_of_all_rooms(server: TestServer) {
    let hours = json!([{"weekdays": ["monday"], "from": "09:00", "to": "17:00"}]);
    let room = server.create_room(json!({"name": "Aula", "opening_hours": hours})).await;
    server.create_room(json!({"name": "Library"})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let rooms = &server.app.services.rooms;
    let actor = &server.creator.actor;
    let day = rooms.grid(actor, GridQuery::default()).await.unwrap();
    assert_eq!(
        (day.date.as_str(), day.previous.as_str(), day.next.as_str()),
        ("2027-03-01", "2027-02-28", "2027-03-02")
    );
    assert_eq!((day.days.len(), day.rooms.len()), (2, 2));
    assert_eq!(day.rooms[0].busy[0].meeting_id.to_string(), meeting["id"].as_str().unwrap());
    assert_eq!(day.rooms[0].open[0].0.at.to_string(), "2027-03-01T09:00:00.000Z");
    assert_eq!(day.rooms[1].open, [(day.days[0], day.days[1])], "always open");
    let room_id = Some(id(&room).parse().unwrap());
    let week = GridQuery { date: Some("2027-02-28".to_owned()), days: 7, room_id };
    let week = rooms.grid(actor, week).await.unwrap();
    assert_eq!((week.days.len(), week.rooms.len(), week.rooms[0].open.len()), (8, 1, 1));
    assert_eq!(week.rooms[0].busy.len(), 1);
    let wrong = GridQuery { date: Some("2027-02-30".to_owned()), ..GridQuery::default() };
    assert_eq!(rooms.grid(actor, wrong).await.unwrap_err().field(), Some("date"));
}

async fn the_next_free_time_skips_bookings_and_closed_hours(server: TestServer) {
    let hours = json!([{"from": "08:00", "to": "12:00"}]);
    let room = server.create_room(json!({"name": "Aula", "opening_hours": hours})).await;
    server.book(&room, 0, 2 * HOUR).await.expect(201);
    let room_id: RoomId = id(&room).parse().unwrap();
    let next = async |minutes| {
        let found =
            server.app.services.rooms.next_free(&server.creator.actor, room_id, server.now(), minutes).await;
        found.unwrap().map(|at| at.at.since(server.now()) / MINUTE)
    };
    assert_eq!(next(60).await, Some(120));
    assert_eq!(next(150).await, Some(24 * 60), "tomorrow morning");
    assert_eq!(next(300).await, None, "never open that long");
}

async fn invalid_settings_are_refused_with_the_field(server: TestServer) {
    for (settings, field) in [
        (json!({}), "name"),
        (json!({"name": "x".repeat(101)}), "name"),
        (json!({"name": "A\u{202e}B"}), "name"),
        (json!({"name": "Aula", "capacity": 0}), "capacity"),
        (json!({"name": "Aula", "zone": "Mars/Olympus"}), "zone"),
        (json!({"name": "Aula", "approval": "maybe"}), "approval"),
        (json!({"name": "Aula", "buffer_minutes": -1}), "buffer_minutes"),
        (json!({"name": "Aula", "buffer_minutes": 721}), "buffer_minutes"),
        (json!({"name": "Aula", "opening_hours": [{"from": "18:00", "to": "08:00"}]}), "opening_hours"),
        (json!({"name": "Aula", "opening_hours": [{"from": "8", "to": "9"}]}), "opening_hours"),
        (json!({"name": "Aula", "check_in": {"grace_minutes": 241}}), "check_in.grace_minutes"),
        (json!({"name": "Aula", "approval_deadline": {"decision": "toss"}}), "approval_deadline.decision"),
        (
            json!({"name": "Aula", "approval_deadline": {"after_minutes": 0}}),
            "approval_deadline.after_minutes",
        ),
        (json!({"name": "Aula", "equipment": vec!["x"; 31]}), "equipment"),
    ] {
        let refused = server.as_admin().post("/api/v1/rooms", &settings).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
    let unknown = json!({"name": "Aula", "colour": "red"});
    assert_eq!(server.as_admin().post("/api/v1/rooms", &unknown).await.status, 422);
    server.create_room(json!({"name": "Aula"})).await;
    let again = server.as_admin().post("/api/v1/rooms", &json!({"name": "Aula"})).await;
    assert_eq!(again.refused(409), "taken");
}
