//! The page of a screen at the door of a room: read and used by a secret link, without a log-in.

use super::{HOUR, MINUTE, path};
use crate::{http_client::Reply, on_both, sse_client::SseClient, test_server::TestServer};
use presstime::{
    meetings::path_at_door,
    services::{qr_code, security::tokens},
};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    the_door_shows_now_and_next_and_reads_itself_again,
    a_person_checks_in_at_the_door,
    a_phone_checks_in_by_the_code_at_the_door,
    the_room_is_booked_at_the_door_with_its_pin,
    wrong_pins_are_limited,
    only_the_present_link_works,
    the_door_follows_its_room,
);

/// The page of a door.
struct DoorPage {
    path: String,
    key: String,
}

impl DoorPage {
    async fn create(server: &TestServer, room: &Value, new: Value) -> Self {
        let link = format!("/api/v1/rooms/{}/door", room["id"].as_str().unwrap());
        let created = server.as_admin().post(&link, &new).await.expect(201);
        let url = created["url"].as_str().unwrap();
        let (path, key) = url[url.find("/rooms/").unwrap()..].split_once("?key=").unwrap();
        Self { path: path.to_owned(), key: key.to_owned() }
    }

    async fn get(&self, server: &TestServer) -> Reply {
        server.as_anonymous().get(&format!("{}?key={}", self.path, self.key)).await
    }

    async fn act(&self, server: &TestServer, fields: &[(&str, &str)]) -> String {
        let all: Vec<(&str, &str)> =
            [("key", self.key.as_str())].into_iter().chain(fields.iter().copied()).collect();
        server.as_anonymous().form(&self.path, &all).await.expect_page()
    }

    async fn book(&self, server: &TestServer, minutes: &str, pin: &str) -> String {
        self.act(server, &[("act", "book"), ("minutes", minutes), ("pin", pin)]).await
    }

    /// Books for 15 minutes, from a client behind the proxy.
    async fn book_from(&self, server: &TestServer, client: &str, pin: &str) -> String {
        let request = server
            .as_anonymous()
            .request(Method::POST, &self.path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", &server.url)
            .header("x-forwarded-for", client)
            .body(format!("key={}&act=book&minutes=15&pin={pin}", self.key));
        Reply::of(request).await.expect_page()
    }
}

async fn the_door_shows_now_and_next_and_reads_itself_again(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula <1>", "zone": "UTC"})).await;
    let door = DoorPage::create(&server, &room, json!({})).await;
    let empty = door.get(&server).await;
    assert!(empty.header("refresh").starts_with("30; url=/rooms/"), "{:?}", empty.headers);
    assert_eq!((empty.header("cache-control"), empty.header("referrer-policy")), ("no-store", "same-origin"));
    let page = empty.expect_page();
    assert!(page.contains("Free <span>for the rest of the day") && page.contains("Aula &lt;1&gt;"), "{page}");
    assert!(!page.contains("name=\"pin\""), "no PIN, no booking: {page}");
    server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let page = door.get(&server).await.expect_page();
    let clock = |millis| server.time_after(millis)[11..16].to_owned();
    assert!(page.contains(&format!("Free <span>until {}", clock(HOUR))), "{page}");
    assert!(page.contains(&format!("Next: {}–{} <bdi>Planning", clock(HOUR), clock(2 * HOUR))), "{page}");
    server.advance(HOUR).await;
    let page = door.get(&server).await.expect_page();
    assert!(page.contains(&format!("In use <span>until {}", clock(HOUR))), "{page}");
    let chinese = format!("{}?key={}&lang=zh", door.path, door.key);
    let page = server.as_anonymous().get(&chinese).await.expect_page();
    assert!(page.contains("使用中") && page.contains("lang=\"zh\""), "{page}");
}

async fn the_door_follows_its_room(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let door = DoorPage::create(&server, &room, json!({})).await;
    let page = door.get(&server).await;
    let policy = page.header("content-security-policy").to_owned();
    let html = page.expect_page();
    let nonce = html.split("nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(
        policy.contains(&format!("'nonce-{nonce}'")) && policy.contains("connect-src 'self'"),
        "{policy}"
    );
    let stream = format!("{}/stream?key={}", door.path, door.key);
    assert!(html.contains(&format!("data-stream=\"{stream}\"")), "{html}");
    let mut stream = SseClient::open_at(&server.as_anonymous(), &stream).await;
    assert_eq!(stream.next().await.unwrap().name, "hello");
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    server.tick().await;
    stream.next_event("changed").await;
    assert!(door.get(&server).await.expect_page().contains("Next:"));
    let cancel = json!({"seen_version": meeting["version"]});
    server.as_creator().post(&path(&meeting, "/cancel"), &cancel).await.expect(200);
    server.tick().await;
    stream.next_event("changed").await;
    // A new link ends the stream of the one before.
    DoorPage::create(&server, &room, json!({})).await;
    server.tick().await;
    stream.next_event("changed").await;
    assert!(stream.next().await.is_none());
    let wrong = format!("{}/stream?key=wrong", door.path);
    assert_eq!(server.as_anonymous().get(&wrong).await.status, 404);
}

async fn a_person_checks_in_at_the_door(server: TestServer) {
    let check_in = json!({"grace_minutes": 10, "auto_if_booked_within_minutes": 0});
    let room = server.create_room(json!({"name": "Aula", "check_in": check_in})).await;
    let door = DoorPage::create(&server, &room, json!({})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    server.advance(HOUR + MINUTE).await;
    let running = server.meeting(&meeting).await;
    let seen = format!("{}.{}", running["id"].as_str().unwrap(), running["version"]);
    assert!(door.get(&server).await.expect_page().contains(&seen));
    let stranger = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let other = format!("{}.{}", stranger["id"].as_str().unwrap(), 7);
    assert!(door.act(&server, &[("act", "check_in"), ("meeting", &other)]).await.contains("not possible"));
    let page = door.act(&server, &[("act", "check_in"), ("meeting", &seen)]).await;
    assert!(page.contains("You are checked in.") && !page.contains("Check in until"), "{page}");
    server.advance(10 * MINUTE).await;
    assert_eq!(server.state(&meeting).await, "in_progress", "it is not released");
    server.assert_execution_records_match().await;
}

async fn a_phone_checks_in_by_the_code_at_the_door(server: TestServer) {
    let check_in = json!({"grace_minutes": 10, "auto_if_booked_within_minutes": 0});
    let room = server.create_room(json!({"name": "Aula", "check_in": check_in})).await;
    let door = DoorPage::create(&server, &room, json!({})).await;
    let meeting = server.book(&room, HOUR, 2 * HOUR).await.expect(201);
    let other = server.book(&room, 5 * HOUR, 6 * HOUR).await.expect(201);
    let path_of = |door: &DoorPage, meeting: &Value| {
        path_at_door(&tokens::hash(&door.key), meeting["id"].as_str().unwrap().parse().unwrap())
    };
    let code = path_of(&door, &meeting);
    let shown = qr_code::svg(&format!("{}{code}", server.url)).unwrap();
    assert!(!door.get(&server).await.expect_page().contains("door-code"), "too early");
    server.advance(HOUR + MINUTE).await;
    let page = door.get(&server).await.expect_page();
    assert!(page.contains(&shown) && page.contains("scan this code"), "{page}");
    // A code works for its meeting, with the present link of the door.
    let phone = server.as_anonymous();
    let (begin, _) = code.rsplit_once('.').unwrap();
    let forged = format!("{begin}.{}", path_of(&door, &other).rsplit_once('.').unwrap().1);
    assert_eq!(phone.get(&forged).await.status, 404);
    assert_eq!(phone.form(&forged, &[]).await.status, 404);
    let page = phone.get(&code).await.expect_page();
    assert!(page.contains("<button type=\"submit\">"), "{page}");
    assert!(server.meeting(&meeting).await["checked_in_at"].is_null(), "opening it changes nothing");
    let page = phone.form(&code, &[]).await.expect_page();
    assert!(!page.contains("<button type=\"submit\">"), "{page}");
    assert!(!server.meeting(&meeting).await["checked_in_at"].is_null());
    assert!(!door.get(&server).await.expect_page().contains("door-code"), "it is done");
    server.advance(HOUR).await;
    assert_eq!(phone.get(&code).await.status, 404, "it is over");
    let later = path_of(&door, &other);
    assert_eq!(phone.get(&later).await.status, 404, "the door does not show it yet");
    server.advance(3 * HOUR).await;
    phone.get(&later).await.expect_page();
    DoorPage::create(&server, &room, json!({})).await;
    assert_eq!(phone.get(&later).await.status, 404, "the link was replaced");
}

async fn the_room_is_booked_at_the_door_with_its_pin(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let door = DoorPage::create(&server, &room, json!({"pin": "4711"})).await;
    server.book(&room, 40 * MINUTE, HOUR).await.expect(201);
    let page = door.get(&server).await.expect_page();
    assert!(
        page.contains("value=\"15\"") && page.contains("value=\"30\"") && !page.contains("value=\"60\""),
        "{page}"
    );
    assert!(door.book(&server, "15", "1234").await.contains("not the PIN"));
    assert!(door.book(&server, "60", "4711").await.contains("The room is taken"));
    assert!(door.book(&server, "999", "4711").await.contains("not possible"));
    let page = door.book(&server, "30", "4711").await;
    assert!(page.contains("The room is booked.") && page.contains("Booked at the door"), "{page}");
    assert!(!page.contains("name=\"pin\""), "in use: {page}");
    let list = server.as_admin().get("/api/v1/meetings?q=Booked").await.expect(200);
    let booked = &list["items"][0];
    assert_eq!(
        (&booked["organizer_id"], &booked["room"]),
        (&json!(server.admin.actor.account), &json!("Aula"))
    );
    assert_eq!(server.overlaps().await, 0);
    let none = server.as_admin().get(&path(booked, "")).await.expect(200);
    assert_eq!(none["attendees"], json!([]));
}

async fn wrong_pins_are_limited(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let door = DoorPage::create(&server, &room, json!({"pin": "4711"})).await;
    for _ in 0..5 {
        assert!(door.book(&server, "15", "0000").await.contains("not the PIN"));
    }
    assert!(door.book(&server, "15", "4711").await.contains("Too many wrong PINs"), "also the right one");
    server.advance(2 * MINUTE).await;
    assert!(door.book(&server, "15", "4711").await.contains("The room is booked."));
    let link = format!("/api/v1{}", door.path);
    for pin in ["12", "123456789", "12a4", "１２３４"] {
        let refused = server.as_admin().post(&link, &json!({"pin": pin})).await.expect(422);
        assert_eq!(refused["error"]["field"], "pin");
    }
}

#[tokio::test]
async fn wrong_pins_of_a_client_keep_no_other_client_from_booking() {
    let local = "127.0.0.1".parse().unwrap();
    let server = TestServer::start_with(|config| config.proxies = vec![local]).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let door = DoorPage::create(&server, &room, json!({"pin": "4711"})).await;
    for _ in 0..5 {
        assert!(door.book_from(&server, "192.0.2.4", "0000").await.contains("not the PIN"));
    }
    let refused = door.book_from(&server, "192.0.2.4", "4711").await;
    assert!(refused.contains("Too many wrong PINs"), "{refused}");
    let booked = door.book_from(&server, "192.0.2.5", "4711").await;
    assert!(booked.contains("The room is booked."), "{booked}");
}

async fn only_the_present_link_works(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = DoorPage::create(&server, &room, json!({})).await;
    let second = DoorPage::create(&server, &room, json!({})).await;
    assert_eq!((first.get(&server).await.status, second.get(&server).await.status), (404, 200));
    let wrong = DoorPage { key: "x".repeat(3_000), ..second };
    assert_eq!(wrong.get(&server).await.status, 404);
    let other = server.create_room(json!({"name": "Library"})).await;
    let third = DoorPage::create(&server, &other, json!({})).await;
    let link = format!("/api/v1{}", third.path);
    assert_eq!(server.as_creator().delete(&link).await.status, 403);
    assert_eq!(server.as_admin().delete(&link).await.status, 204);
    assert_eq!(third.get(&server).await.status, 404);
    assert_eq!(server.as_admin().delete(&link).await.status, 404);
    // The page for admins creates the link and shows it once.
    let browser = server.log_in_browser(&server.admin).await;
    let id = room["id"].as_str().unwrap();
    browser.form("/fn/create_door", &[("id", id), ("pin", "4711")]).await;
    assert!(browser.get("/settings/rooms").await.expect_page().contains("/door?key="));
    assert!(!browser.get("/settings/rooms").await.expect_page().contains("/door?key="));
}
