//! Invalid input is refused with a plain sentence, and nothing of it is stored.

use crate::{
    engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::{Backend, TestServer},
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

#[tokio::test]
async fn a_wrong_type_names_its_field_and_repeats_no_value() {
    let server = TestServer::start(Backend::Embedded).await;
    let task = server.schedule_new_article("Types", 60_000).await.1;
    let cancel = format!("/tasks/{}/cancel", task["id"].as_str().unwrap());
    let mail = json!({"transport": "mail", "name": "Readers", "mail": {"password": 123_456_789}});
    for (path, body, field, message) in [
        ("/articles", json!({"title": null, "body": "my text"}), "title", "title must be a text"),
        ("/articles", json!({"title": "A word"}), "body", "body must be given"),
        ("/channels", mail, "mail.password", "mail.password must be a text"),
        (
            cancel.as_str(),
            json!({"seen_version": "2"}),
            "seen_version",
            "seen_version must be a whole number",
        ),
        (
            "/word-lists",
            json!({"name": "W", "action": "flag", "terms": ["one", 5]}),
            "terms[1]",
            "terms[1] must be a text, or an object with the text as `term`",
        ),
    ] {
        let refused = server.as_admin().post(&format!("/api/v1{path}"), &body).await.expect(422);
        assert_eq!(
            (&refused["error"]["field"], &refused["error"]["message"]),
            (&json!(field), &json!(message))
        );
    }
    let refused = server.as_admin().get("/api/v1/tasks?limit=many").await.expect(400);
    assert_eq!(
        refused["error"]["message"],
        "the query cannot be read: limit must be a whole number, 0 or more"
    );
}

#[tokio::test]
async fn unreadable_requests_get_the_standard_error_body() {
    let server = TestServer::start(Backend::Embedded).await;
    let send = async |method: Method, path: &str, kind: &str, body: Vec<u8>| {
        let request = server.as_creator().request(method, path).header("content-type", kind).body(body);
        Reply::of(request).await
    };
    let (json, articles) = ("application/json", "/api/v1/articles");
    assert_eq!(send(Method::POST, articles, json, b"{".to_vec()).await.refused(400), "unreadable");
    let latin = b"{\"title\":\"\xe9t\xe9\",\"body\":\"\"}".to_vec();
    let refused = send(Method::POST, articles, json, latin).await.expect(400);
    assert!(refused["error"]["message"].as_str().unwrap().contains("not UTF-8"), "{refused}");
    assert_eq!(send(Method::POST, articles, "text/plain", b"{}".to_vec()).await.refused(415), "not_json");
    assert_eq!(send(Method::DELETE, articles, json, Vec::new()).await.refused(405), "no_such_method");
    assert_eq!(send(Method::GET, "/api/v1/nothing", json, Vec::new()).await.refused(404), "no_such");
    assert_eq!(send(Method::GET, "/api/v2", json, Vec::new()).await.refused(404), "no_such");
    assert_eq!(send(Method::GET, "/api/v1/tasks/unreadable", json, Vec::new()).await.refused(404), "no_such");
    assert_eq!(
        send(Method::GET, "/api/v1/tasks?limit=many", json, Vec::new()).await.refused(400),
        "unreadable"
    );
    assert_eq!(send(Method::GET, "/api/v1/tasks?state=odd", json, Vec::new()).await.refused(422), "invalid");
    let large = vec![b' '; 2 * 1024 * 1024 + 1];
    assert_eq!(send(Method::POST, articles, json, large).await.refused(413), "too_large");
    let owned = br#"{"title":"Mine","body":"","owner_id":"x","state":"approved"}"#.to_vec();
    let refused = send(Method::POST, articles, json, owned).await.expect(422);
    assert_eq!(refused["error"]["field"], "owner_id");
    let signal = br#"["order.created","arr1",null,null,null,null]"#.to_vec();
    for (path, body) in
        [("/api/v1/signals", signal), ("/api/v1/tasks", b" []".to_vec()), (articles, b"5".to_vec())]
    {
        let refused = send(Method::POST, path, json, body).await.expect(422);
        assert_eq!(refused["error"]["message"], "the body must be a JSON object", "{path}");
        assert_eq!(refused["error"]["field"], "body");
    }
    assert_eq!(send(Method::POST, articles, json, b"[".to_vec()).await.refused(400), "unreadable");
}

#[tokio::test]
async fn text_and_time_limits_are_reported() {
    let server = TestServer::start(Backend::Embedded).await;
    for (title, body) in [(String::new(), 1), ("x".repeat(100_000), 1), ("Fine".to_owned(), 500_001)] {
        let new = json!({"title": title, "body": "y".repeat(body)});
        let refused = server.as_creator().post("/api/v1/articles", &new).await.expect(422);
        assert!(refused["error"]["field"].is_string(), "{refused}");
    }
    let article =
        server.as_creator().post("/api/v1/articles", &json!({"title": "When", "body": ""})).await.expect(201);
    for due_at in ["1900-01-01T00:00:00Z", "12000-01-01T00:00:00Z", "+12000-01-01T00:00:00Z"] {
        let new = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
        let refused = server.as_creator().post("/api/v1/tasks", &new).await.expect(422);
        assert!(refused["error"]["message"].as_str().unwrap().contains("between the years"), "{refused}");
    }
    let new = json!({"kind": "article.publish", "target_id": article["id"], "local": "2027-06-09T09:00", "zone": "Mars/Base"});
    let refused = server.as_creator().post("/api/v1/tasks", &new).await.expect(422);
    assert_eq!(refused["error"]["field"], "zone");
}
