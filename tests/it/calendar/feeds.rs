//! Feeds: calendars that programs read by a secret address.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_feed_has_the_meetings_and_articles_of_its_owner,
    a_feed_follows_changes_and_says_when_nothing_changed,
    a_revoked_feed_and_that_of_a_disabled_account_cannot_be_read,
    feeds_are_limited_and_bad_ones_are_refused,
    the_page_creates_shows_once_and_revokes,
);

const HOUR: i64 = 3_600_000;

/// Creates a feed and returns it.
async fn feed(client: &HttpClient, new: Value) -> Value {
    client.post("/api/v1/feeds", &new).await.expect(201)
}

/// Path of the address of a feed.
fn path(feed: &Value) -> String {
    let url = feed["url"].as_str().unwrap();
    url[url.find("/feeds/").unwrap()..].to_owned()
}

/// The text of a feed, as a program without an account reads it.
async fn text(server: &TestServer, feed: &Value) -> String {
    let reply = server.as_anonymous().get(&path(feed)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.text
}

/// Reads a feed unless it is still the one with this ETag.
async fn unless_known(server: &TestServer, feed: &Value, tag: &str) -> Reply {
    let request = server.as_anonymous().request(Method::GET, &path(feed)).header("if-none-match", tag);
    Reply::of(request).await
}

async fn book(server: &TestServer, client: &HttpClient, title: &str, more: Value) -> Value {
    let mut new = json!({"title": title, "starts_at": server.time_after(HOUR), "ends_at": server.time_after(2 * HOUR),
                         "zone": "Europe/Berlin"});
    for (name, value) in more.as_object().unwrap() {
        new[name] = value.clone();
    }
    client.post("/api/v1/meetings", &new).await.expect(201)
}

async fn a_feed_has_the_meetings_and_articles_of_its_owner(server: TestServer) {
    let rooms = server.as_admin();
    let aula = rooms.post("/api/v1/rooms", &json!({"name": "Aula"})).await.expect(201);
    let board =
        rooms.post("/api/v1/rooms", &json!({"name": "Board", "approval": "required"})).await.expect(201);
    let (creator, colleague) = (server.as_creator(), server.as_colleague());
    book(&server, &creator, "Mine", json!({"room_id": aula["id"], "description": "Bring; a pen"})).await;
    book(&server, &colleague, "Theirs", json!({"room_id": board["id"]})).await;
    let invited = json!({"attendees": [{"email": server.creator.email}]});
    book(&server, &colleague, "Invited", invited).await;
    server.schedule_new_article("News", 3 * HOUR).await;
    let own = text(&server, &feed(&creator, json!({"kind": "person"})).await).await;
    for line in [
        "SUMMARY:Mine",
        "SUMMARY:Invited",
        "LOCATION:Aula",
        "DESCRIPTION:Bring\\; a pen",
        "SUMMARY:\u{2191} News",
    ] {
        assert!(own.contains(&format!("{line}\r\n")), "{line}: {own}");
    }
    assert!(!own.contains("Theirs"), "{own}");
    assert_eq!(own.matches("BEGIN:VTIMEZONE").count(), 1);
    assert!(own.contains("DTSTART;TZID=Europe/Berlin:"), "{own}");
    let of_room = text(&server, &feed(&creator, json!({"kind": "room", "room_id": board["id"]})).await).await;
    assert!(
        of_room.contains("SUMMARY:Theirs") && !of_room.contains("Mine") && !of_room.contains("News"),
        "{of_room}"
    );
    assert!(of_room.contains("STATUS:TENTATIVE"), "a request: {of_room}");
    let all = text(&server, &feed(&colleague, json!({"kind": "desk"})).await).await;
    assert_eq!(all.matches("BEGIN:VEVENT").count(), 4, "{all}");
}

async fn a_feed_follows_changes_and_says_when_nothing_changed(server: TestServer) {
    let creator = server.as_creator();
    let meeting = book(&server, &creator, "Planning", json!({})).await;
    let feed = feed(&creator, json!({"kind": "person"})).await;
    let first = server.as_anonymous().get(&path(&feed)).await;
    let tag = first.header("etag").to_owned();
    let again = unless_known(&server, &feed, &tag).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    let uid = format!("UID:{}@presstime", meeting["id"].as_str().unwrap());
    assert!(first.text.contains(&uid) && first.text.contains("SEQUENCE:0\r\n"), "{}", first.text);
    let to = json!({"seen_version": meeting["version"], "starts_at": server.time_after(5 * HOUR),
                    "ends_at": server.time_after(6 * HOUR)});
    let own = format!("/api/v1/meetings/{}", meeting["id"].as_str().unwrap());
    let moved = creator.patch(&own, &to).await.expect(200);
    let after = unless_known(&server, &feed, &tag).await;
    assert_eq!(after.status, 200);
    assert!(after.text.contains(&uid) && after.text.contains("SEQUENCE:1\r\n"), "{}", after.text);
    let cancel = json!({"seen_version": moved["version"]});
    creator.post(&format!("{own}/cancel"), &cancel).await.expect(200);
    assert!(!text(&server, &feed).await.contains(&uid), "a cancelled meeting is not in it");
    let listed = creator.get("/api/v1/feeds").await.expect(200);
    assert!(listed["items"][0]["read_at"].is_string() && listed["items"][0]["url"].is_null(), "{listed}");
}

async fn a_revoked_feed_and_that_of_a_disabled_account_cannot_be_read(server: TestServer) {
    let creator = server.as_creator();
    let feed = feed(&creator, json!({"kind": "desk"})).await;
    let own = format!("/api/v1/feeds/{}", feed["id"].as_str().unwrap());
    assert_eq!(server.as_colleague().delete(&own).await.status, 404, "not theirs");
    text(&server, &feed).await;
    assert_eq!(creator.delete(&own).await.status, 204);
    assert_eq!(server.as_anonymous().get(&path(&feed)).await.status, 404);
    assert_eq!(creator.delete(&own).await.status, 404);
    for unknown in ["/feeds/x.ics", "/feeds/x", &format!("/feeds/{}.ics", "x".repeat(5_000))] {
        assert_eq!(server.as_anonymous().get(unknown).await.status, 404);
    }
}

async fn feeds_are_limited_and_bad_ones_are_refused(server: TestServer) {
    let creator = server.as_creator();
    for (new, field) in [
        (json!({"kind": "all"}), "kind"),
        (json!({"kind": "room"}), "room_id"),
        (json!({"kind": "room", "room_id": "x"}), "room_id"),
        (json!({"kind": "room", "room_id": "01890000-0000-7000-8000-000000000001"}), "room_id"),
    ] {
        let refused = creator.post("/api/v1/feeds", &new).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
    for _ in 0..20 {
        feed(&creator, json!({"kind": "person"})).await;
    }
    creator.post("/api/v1/feeds", &json!({"kind": "person"})).await.expect(422);
}

async fn the_page_creates_shows_once_and_revokes(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/settings/feeds").await;
    assert!(page.text.contains("Calendar feeds") && page.text.contains("No feeds yet"), "{}", page.text);
    browser.form("/fn/create_feed", &[("what", "person")]).await;
    let created = browser.get("/settings/feeds").await.text;
    assert!(created.contains(".ics"), "{created}");
    let list = server.as_creator().get("/api/v1/feeds").await.expect(200);
    let id = list["items"][0]["id"].as_str().unwrap().to_owned();
    browser.form("/fn/revoke_feed", &[("id", id.as_str())]).await;
    let revoked = browser.get("/settings/feeds").await.text;
    assert!(!revoked.contains(".ics") && revoked.contains("No feeds yet"), "shown once: {revoked}");
}
