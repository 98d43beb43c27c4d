//! Accepted host names, what remote clients may see, and the size of error responses.

use crate::{
    http_client::Reply,
    raw_http::RawConnection,
    test_server::{Backend, TestServer},
};
use reqwest::Method;
use serde_json::json;

async fn get_with_host(server: &TestServer, host: &str, path: &str) -> Reply {
    Reply::of(server.as_anonymous().request(Method::GET, path).header("host", host)).await
}

#[tokio::test]
async fn the_server_answers_only_to_its_own_host_names() {
    let server = TestServer::start_with(|config| config.hosts = vec!["other.example".parse().unwrap()]).await;
    for path in ["/login", "/site", "/site/feed.xml", "/api/v1/tasks", "/pkg/x.js", "/live", "/fn/log_in"] {
        let refused = get_with_host(&server, "evil.example", path).await;
        assert_eq!(refused.status, 421, "{path}");
        assert!(refused.text.contains("--hosts"), "{}", refused.text);
    }
    assert_eq!(get_with_host(&server, "evil.example", "/api/v1/tasks").await.refused(421), "wrong_host");
    assert_eq!(get_with_host(&server, "evil.example", "/healthz").await.status, 200);
    for host in ["localhost:9", "127.0.0.1", "other.example", "OTHER.example."] {
        assert_eq!(get_with_host(&server, host, "/login").await.status, 200, "{host}");
    }
    let mut raw = RawConnection::connect(&server.url).await;
    raw.send("GET /login HTTP/1.1\r\n\r\n").await;
    assert_eq!(raw.status().await.0, 400);
}

#[tokio::test]
async fn metrics_need_no_token_only_from_this_machine_without_a_proxy() {
    let server = TestServer::start(Backend::Embedded).await;
    assert_eq!(server.as_anonymous().get("/metrics").await.status, 200);
    assert_eq!(get_with_host(&server, "localhost", "/metrics").await.status, 200);
    for host in ["desk.example.org", "127.0.0.1.evil.example", "10.0.0.1"] {
        assert_eq!(get_with_host(&server, host, "/metrics").await.status, 401, "{host}");
    }
    for header in ["via", "x-real-ip", "x-forwarded-for", "forwarded", "x-forwarded-host"] {
        let request = server.as_anonymous().request(Method::GET, "/metrics").header(header, "127.0.0.1");
        assert_eq!(Reply::of(request).await.status, 401, "{header}");
    }
    let admin = server.as_admin().request(Method::GET, "/metrics").header("host", "desk.example.org");
    assert_eq!(Reply::of(admin).await.status, 200);
}

#[tokio::test]
async fn readyz_hides_the_attention_count_and_the_version_from_remote_clients() {
    let server = TestServer::start(Backend::Embedded).await;
    let own = server.as_anonymous().get("/readyz").await.json();
    assert_eq!(own["engine"]["attention"], 0, "{own}");
    assert_eq!(own["version"], env!("CARGO_PKG_VERSION"), "{own}");
    let request = server.as_anonymous().request(Method::GET, "/readyz").header("host", "desk.example.org");
    let remote = Reply::of(request).await.json();
    assert!(remote["ready"].is_boolean() && remote["engine"].get("attention").is_none(), "{remote}");
    assert!(remote.get("version").is_none(), "{remote}");
}

#[tokio::test]
async fn a_form_needs_the_origin_of_the_server() {
    let server = TestServer::start(Backend::Embedded).await;
    let cookie = server.session_cookie(&server.creator).await;
    let port = server.url.rsplit(':').next().unwrap();
    for origin in ["", "null", "https://127.0.0.1", "file://", &format!("http://localhost:{port}")] {
        let request = server.as_anonymous().request(Method::POST, "/fn/log_out").header("cookie", &cookie);
        let request = request.header("origin", origin).header("sec-fetch-site", "same-origin");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body("from=/");
        assert_eq!(Reply::of(request).await.status, 403, "{origin:?}");
    }
}

#[tokio::test]
async fn an_error_response_repeats_little_of_the_request() {
    let server = TestServer::start(Backend::Embedded).await;
    let long = "A".repeat(300_000);
    let bodies = [
        json!({"items": [{"kind": long}, {"due_at": long}, {"target_id": [long]}, {&long: 1}]}),
        json!({"items": long}),
        json!({&long: 1}),
        json!([long]),
    ];
    for body in bodies {
        let answer = server.as_creator().post("/api/v1/tasks/bulk", &body).await;
        assert_eq!(answer.status, 422, "{}", answer.text.len());
        assert!(
            answer.text.len() < 4_000 && !answer.json()["error"]["message"].is_null(),
            "{}",
            answer.text.len()
        );
    }
    let path = format!("/api/v1/tasks?state={}", &long[..9_000]);
    assert!(server.as_creator().get(&path).await.text.len() < 1_000);
}
