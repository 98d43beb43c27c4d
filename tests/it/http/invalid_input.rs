//! Invalid input is refused with a plain sentence, and nothing of it is stored.

use crate::{
    engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    texts_over_their_limits_are_refused_with_the_limit,
    invalid_text_is_refused,
    a_page_explains_an_invalid_time_and_keeps_the_input,
    unknown_zones_and_years_out_of_range_are_refused,
    more_than_ten_thousand_items_are_refused,
    twenty_wrong_passwords_are_rate_limited_and_the_owner_can_log_in_later,
);

/// Asserts the status and returns the error message, which must be a plain sentence.
#[track_caller]
fn message(reply: Reply, status: u16) -> String {
    let body = reply.expect(status);
    let message = body["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(!message.is_empty() && !message.contains("::") && !message.contains("panicked"), "{body}");
    message
}

async fn count(caller: &HttpClient, what: &str) -> usize {
    let page = caller.get(&format!("/api/v1/{what}?limit=200")).await.expect(200);
    page["items"].as_array().map_or(0, Vec::len)
}

async fn texts_over_their_limits_are_refused_with_the_limit(server: TestServer) {
    let creator = server.as_creator();
    let new = |title: String, body: String| json!({ "title": title, "body": body });
    let empty = creator.post("/api/v1/articles", &new(String::new(), String::new())).await;
    assert_eq!(empty.json()["error"]["field"], "title");
    message(empty, 422);
    let long = creator.post("/api/v1/articles", &new("x".repeat(100_000), String::new())).await;
    assert!(message(long, 422).contains("300"));
    let large = creator.post("/api/v1/articles", &new("Large".to_owned(), "x".repeat(500_001))).await;
    assert_eq!(large.json()["error"]["field"], "body");
    assert!(message(large, 422).contains("500000"));
    assert_eq!(count(&creator, "articles").await, 0);
    let draft = server.create_draft("Kept").await;
    let path = format!("/api/v1/articles/{}", draft["id"].as_str().expect("an id"));
    let edit = json!({ "body": "x".repeat(500_001), "seen_revision": 1 });
    message(creator.patch(&path, &edit).await, 422);
    assert_eq!(creator.get(&path).await.expect(200)["revision"], 1);
}

async fn invalid_text_is_refused(server: TestServer) {
    let creator = server.as_creator();
    for body in [b"{\"title\":\"\xff\",\"body\":\"\"}".as_slice(), b"{\"title\":", b""] {
        let request = creator.request(Method::POST, "/api/v1/articles");
        let reply = Reply::of(request.header("content-type", "application/json").body(body)).await;
        assert!((400..500).contains(&reply.status), "{} {}", reply.status, reply.text);
        let status = reply.status;
        message(reply, status);
    }
    message(creator.post("/api/v1/articles", &json!({ "title": "a\u{0}b", "body": "" })).await, 422);
    assert_eq!(count(&creator, "articles").await, 0);
}

async fn a_page_explains_an_invalid_time_and_keeps_the_input(server: TestServer) {
    let (article, browser) =
        (server.create_draft("Far off").await, server.log_in_browser(&server.creator).await);
    let id = article["id"].as_str().expect("an id");
    let page = format!("/articles/{id}?view=schedule");
    for (date, zone, message_text) in [
        ("1900-01-01", "UTC", "must be between the years 2000 and 2199"),
        ("12000-01-01", "UTC", "must be between the years 2000 and 2199"),
        ("2027-06-09", "Mars/Base", "The time zone is unknown"),
        ("soon", "UTC", "is not valid"),
    ] {
        let form =
            [("article", id), ("kind", "article.publish"), ("date", date), ("time", "09:00"), ("zone", zone)];
        let reply = browser.form("/fn/schedule", &[&form[..], &[("from", page.as_str())]].concat()).await;
        assert_eq!(reply.status, 422, "{date} {zone}: {}", reply.text);
        assert_contains(
            &reply.text,
            &[message_text, &format!("value=\"{date}\""), &format!("value=\"{zone}\"")],
        );
    }
    assert_eq!(count(&server.as_creator(), "tasks").await, 0);
    let request = browser.request(Method::POST, "/fn/create_article").header("origin", &server.url);
    let request =
        request.header("content-type", "application/x-www-form-urlencoded").header("accept", "text/html");
    let reply = Reply::of(request.body(b"title=%FF%FE&body=\xff&from=%2Farticles%2Fnew".as_slice())).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    assert_contains(&reply.text, &["role=\"alert\""]);
    assert_eq!(count(&server.as_creator(), "articles").await, 1);
}

async fn unknown_zones_and_years_out_of_range_are_refused(server: TestServer) {
    let article = server.create_draft("Spring").await;
    let creator = server.as_creator();
    let task = |when: Value| {
        let mut new = json!({ "kind": "article.publish", "target_id": article["id"] });
        for (name, value) in when.as_object().expect("fields") {
            new[name] = value.clone();
        }
        new
    };
    for when in [
        json!({ "local": "2027-03-28T09:00", "zone": "Mars/Base" }),
        json!({ "local": "1900-01-01T09:00", "zone": "Europe/Berlin" }),
        json!({ "local": "12000-01-01T09:00", "zone": "Europe/Berlin" }),
        json!({ "due_at": "1900-01-01T00:00:00Z" }),
        json!({ "due_at": "+12000-01-01T00:00:00Z" }),
        json!({ "due_at": "12000-01-01T00:00:00Z" }),
        json!({ "due_at": "tomorrow" }),
    ] {
        let reply = creator.post("/api/v1/tasks", &task(when.clone())).await;
        assert!(matches!(reply.status, 400 | 422), "{when}: {} {}", reply.status, reply.text);
        let status = reply.status;
        message(reply, status);
    }
    assert_eq!(count(&creator, "tasks").await, 0);
}

async fn more_than_ten_thousand_items_are_refused(server: TestServer) {
    let article = server.create_draft("Many").await;
    let due = server.time_after(60_000);
    let item = json!({ "kind": "article.publish", "target_id": article["id"], "due_at": due });
    let items = json!({ "items": vec![item; 10_001] });
    let reply = server.as_creator().post("/api/v1/tasks/bulk", &items).await;
    assert!(message(reply, 422).contains("10000"));
    assert_eq!(count(&server.as_creator(), "tasks").await, 0);
}

async fn twenty_wrong_passwords_are_rate_limited_and_the_owner_can_log_in_later(server: TestServer) {
    let browser = server.browser();
    let mut refused = Vec::new();
    for _ in 0..20 {
        let form =
            [("email", server.creator.email.as_str()), ("password", "not this one"), ("from", "/login")];
        refused.push(browser.form("/fn/log_in", &form).await.status);
    }
    assert!(refused.iter().all(|status| (400..500).contains(status)), "{refused:?}");
    assert!(refused.contains(&429), "{refused:?}");
    let form = [("email", server.creator.email.as_str()), ("password", "not this one"), ("from", "/login")];
    assert_contains(
        &browser.form("/fn/log_in", &form).await.text,
        &["Too many attempts. Wait", &server.creator.email],
    );
    server.advance(3_600_000).await;
    server.log_in_browser(&server.creator).await;
}
