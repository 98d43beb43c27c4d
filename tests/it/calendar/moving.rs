//! An item is moved from the calendar: the function that a drop calls.

use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_task_is_moved_by_version,
    a_meeting_keeps_its_room_its_zone_and_its_length,
    a_skipped_or_doubled_time_is_asked_about,
    what_may_not_be_moved_is_refused,
);

/// Calls the function as a script does.
async fn place(client: &HttpClient, fields: &[(&str, &str)]) -> (u16, Value) {
    let fields: Vec<(String, &str)> =
        fields.iter().map(|(name, value)| (format!("place[{name}]"), *value)).collect();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let reply = client.script_form("/fn/place_item", &fields).await;
    (reply.status, serde_json::from_str(&reply.text).unwrap_or(Value::Null))
}

async fn a_task_is_moved_by_version(server: TestServer) {
    let row = server.publish_at("Moves", "2027-03-10T09:00:00Z").await;
    let browser = server.log_in_browser(&server.creator).await;
    let id = row.id.to_string();
    let fields =
        [("item", id.as_str()), ("seen", "1"), ("local", "2027-03-11T10:15"), ("zone", "Europe/Berlin")];
    let (status, moved) = place(&browser, &fields).await;
    assert_eq!((status, &moved["Task"]["version"]), (200, &json!(2)), "{moved}");
    assert_eq!(server.find_task(row.id).await.due.at.to_string(), "2027-03-11T09:15:00.000Z");
    assert_eq!(moved["Task"]["undo"]["verb"], "reschedule");
    // The same request again is the same change.
    assert_eq!(place(&browser, &fields).await.0, 200);
    let other =
        [("item", id.as_str()), ("seen", "1"), ("local", "2027-03-12T10:15"), ("zone", "Europe/Berlin")];
    let (status, refusal) = place(&browser, &other).await;
    assert_ne!(status, 200);
    assert!(refusal["task_conflict"].is_object(), "{refusal}");
    let past = [("item", id.as_str()), ("seen", "2"), ("local", "2027-02-01T10:15"), ("zone", "UTC")];
    assert!(place(&browser, &past).await.1["past"].is_object());
    assert_eq!(server.find_task(row.id).await.version.0, 2);
}

async fn a_meeting_keeps_its_room_its_zone_and_its_length(server: TestServer) {
    let admin = server.as_admin();
    let room = admin
        .post("/api/v1/rooms", &json!({"name": "Tower", "capacity": 4, "zone": "UTC"}))
        .await
        .expect(201);
    let new = json!({"title": "Walk", "room_id": room["id"], "local_start": "2027-03-10T10:00",
        "local_end": "2027-03-10T11:30", "zone": "Asia/Shanghai"});
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let browser = server.log_in_browser(&server.creator).await;
    let item = format!("meeting.{}", meeting["id"].as_str().unwrap());
    let seen = meeting["version"].to_string();
    let fields = [
        ("item", item.as_str()),
        ("seen", seen.as_str()),
        ("local", "2027-03-12T08:00"),
        ("zone", "Europe/Berlin"),
        ("length", "5400"),
    ];
    let (status, moved) = place(&browser, &fields).await;
    assert_eq!(status, 200, "{moved}");
    let path = format!("/api/v1/meetings/{}", meeting["id"].as_str().unwrap());
    let now = server.as_creator().get(&path).await.expect(200);
    assert_eq!(
        (&now["starts_at"], &now["ends_at"]),
        (&json!("2027-03-12T07:00:00.000Z"), &json!("2027-03-12T08:30:00.000Z"))
    );
    assert_eq!((&now["room_id"], &now["zone"]), (&room["id"], &json!("Asia/Shanghai")));
    // Only longer: the start stays.
    let seen = now["version"].to_string();
    let fields = [("item", item.as_str()), ("seen", seen.as_str()), ("length", "7200")];
    assert_eq!(place(&browser, &fields).await.0, 200);
    let now = server.as_creator().get(&path).await.expect(200);
    assert_eq!(
        (&now["starts_at"], &now["ends_at"]),
        (&json!("2027-03-12T07:00:00.000Z"), &json!("2027-03-12T09:00:00.000Z"))
    );
    let fields = [("item", item.as_str()), ("seen", seen.as_str()), ("length", "3600")];
    assert_ne!(place(&browser, &fields).await.0, 200, "an old version");
    let seen = now["version"].to_string();
    for length in ["0", "-900", "9000000000"] {
        let fields = [("item", item.as_str()), ("seen", seen.as_str()), ("length", length)];
        assert_ne!(place(&browser, &fields).await.0, 200, "{length}");
    }
}

async fn a_skipped_or_doubled_time_is_asked_about(server: TestServer) {
    let row = server.publish_at("Moves", "2027-03-10T01:30:00Z").await;
    let browser = server.log_in_browser(&server.creator).await;
    let id = row.id.to_string();
    let at = |local: &'static str, which: &'static str| {
        let id = id.clone();
        let browser = &browser;
        async move {
            let fields = [
                ("item", id.as_str()),
                ("seen", "1"),
                ("local", local),
                ("zone", "Europe/Berlin"),
                ("which", which),
            ];
            place(browser, &fields).await
        }
    };
    let (_, skipped) = at("2027-03-28T02:30", "").await;
    assert_eq!(skipped["skipped_time"]["after"], "2027-03-28T03:00", "{skipped}");
    let (_, doubled) = at("2027-10-31T02:30", "").await;
    assert_eq!(doubled["doubled_time"]["later"], "2027-10-31T01:30:00.000Z", "{doubled}");
    assert_eq!(server.find_task(row.id).await.version.0, 1);
    assert_eq!(at("2027-10-31T02:30", "later").await.0, 200);
    assert_eq!(server.find_task(row.id).await.due.at.to_string(), "2027-10-31T01:30:00.000Z");
}

async fn what_may_not_be_moved_is_refused(server: TestServer) {
    let row = server.publish_at("Theirs", "2027-03-10T09:00:00Z").await;
    let colleague = server.log_in_browser(&server.colleague).await;
    let id = row.id.to_string();
    let fields = [("item", id.as_str()), ("seen", "1"), ("local", "2027-03-11T10:15"), ("zone", "UTC")];
    assert_eq!(place(&colleague, &fields).await.1, json!("not_allowed"));
    for item in ["", "meeting.", "meeting.x", "x", "meeting.019aa000-0000-7000-8000-000000000000"] {
        let fields = [
            ("item", item),
            ("seen", "1"),
            ("local", "2027-03-11T10:15"),
            ("zone", "UTC"),
            ("length", "900"),
        ];
        let (status, refusal) = place(&colleague, &fields).await;
        assert_ne!(status, 200, "{item}");
        assert!(refusal["no_such"].is_object(), "{item}: {refusal}");
    }
    for (local, zone) in [("2027-03-11", "UTC"), ("never", "UTC"), ("2027-03-11T10:15", "Nowhere")] {
        let browser = server.log_in_browser(&server.creator).await;
        let fields = [("item", id.as_str()), ("seen", "1"), ("local", local), ("zone", zone)];
        assert_ne!(place(&browser, &fields).await.0, 200, "{local} {zone}");
    }
    assert_eq!(server.find_task(row.id).await.version.0, 1);
    // The calendar names what may be moved, for the script.
    let page = server.page(&server.creator, "/calendar?date=2027-03-10&zone=UTC&view=day").await;
    let name = format!("data-item=\"{id}\"");
    assert!(page.contains(&name) && page.contains("data-hour=\"2027-03-10T09:00\""), "{page}");
}
