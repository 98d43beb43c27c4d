//! By which names the desk is reached, what is told to whom, and how much of a request a refusal repeats.

use crate::{
    caller::Reply,
    house::{Flavour, Story},
    raw::Raw,
};
use reqwest::Method;
use serde_json::json;

async fn under(story: &Story, host: &str, path: &str) -> Reply {
    Reply::of(story.as_nobody().request(Method::GET, path).header("host", host)).await
}

#[tokio::test]
async fn the_desk_answers_only_to_its_own_names() {
    let story = Story::begin_with(|config| config.hosts = vec!["other.example".parse().unwrap()]).await;
    for path in ["/login", "/site", "/site/feed.xml", "/api/v1/tasks", "/pkg/x.js", "/live", "/fn/log_in"] {
        let refused = under(&story, "evil.example", path).await;
        assert_eq!(refused.status, 421, "{path}");
        assert!(refused.text.contains("--hosts"), "{}", refused.text);
    }
    assert_eq!(under(&story, "evil.example", "/api/v1/tasks").await.refused(421), "wrong_host");
    assert_eq!(under(&story, "evil.example", "/healthz").await.status, 200);
    for host in ["localhost:9", "127.0.0.1", "other.example", "OTHER.example."] {
        assert_eq!(under(&story, host, "/login").await.status, 200, "{host}");
    }
    let mut raw = Raw::connect(&story.url).await;
    raw.send("GET /login HTTP/1.1\r\n\r\n").await;
    assert_eq!(raw.status().await.0, 400);
}

#[tokio::test]
async fn the_numbers_are_for_this_machine_by_no_proxy() {
    let story = Story::begin(Flavour::Embedded).await;
    assert_eq!(story.as_nobody().get("/metrics").await.status, 200);
    assert_eq!(under(&story, "localhost", "/metrics").await.status, 200);
    for host in ["desk.example.org", "127.0.0.1.evil.example", "10.0.0.1"] {
        assert_eq!(under(&story, host, "/metrics").await.status, 401, "{host}");
    }
    for header in ["via", "x-real-ip", "x-forwarded-for", "forwarded", "x-forwarded-host"] {
        let request = story.as_nobody().request(Method::GET, "/metrics").header(header, "127.0.0.1");
        assert_eq!(Reply::of(request).await.status, 401, "{header}");
    }
    let admin = story.as_admin().request(Method::GET, "/metrics").header("host", "desk.example.org");
    assert_eq!(Reply::of(admin).await.status, 200);
}

#[tokio::test]
async fn a_stranger_is_not_told_how_much_needs_a_person() {
    let story = Story::begin(Flavour::Embedded).await;
    let own = story.as_nobody().get("/readyz").await.json();
    assert_eq!(own["heartbeat"]["attention"], 0, "{own}");
    let request = story.as_nobody().request(Method::GET, "/readyz").header("host", "desk.example.org");
    let told = Reply::of(request).await.json();
    assert!(told["ready"].is_boolean() && told["heartbeat"].get("attention").is_none(), "{told}");
}

#[tokio::test]
async fn a_form_says_where_it_stood() {
    let story = Story::begin(Flavour::Embedded).await;
    let cookie = story.cookie(&story.creator).await;
    let port = story.url.rsplit(':').next().unwrap();
    for origin in ["", "null", "https://127.0.0.1", "file://", &format!("http://localhost:{port}")] {
        let request = story.as_nobody().request(Method::POST, "/fn/log_out").header("cookie", &cookie);
        let request = request.header("origin", origin).header("sec-fetch-site", "same-origin");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body("from=/");
        assert_eq!(Reply::of(request).await.status, 403, "{origin:?}");
    }
}

#[tokio::test]
async fn a_refusal_repeats_little_of_what_was_sent() {
    let story = Story::begin(Flavour::Embedded).await;
    let long = "A".repeat(300_000);
    let bodies = [
        json!({"items": [{"kind": long}, {"due_at": long}, {"target_id": [long]}, {&long: 1}]}),
        json!({"items": long}),
        json!({&long: 1}),
        json!([long]),
    ];
    for body in bodies {
        let answer = story.as_creator().post("/api/v1/tasks/bulk", &body).await;
        assert_eq!(answer.status, 422, "{}", answer.text.len());
        assert!(
            answer.text.len() < 4_000 && !answer.json()["error"]["message"].is_null(),
            "{}",
            answer.text.len()
        );
    }
    let path = format!("/api/v1/tasks?state={}", &long[..9_000]);
    assert!(story.as_creator().get(&path).await.text.len() < 1_000);
}
