//! Limits per client: bodies, requests, bytes per day, streams, connections.

use crate::{
    http_client::{HttpClient, Reply},
    raw_http::RawConnection,
    sse_client::SseClient,
    test_server::{Backend, TestServer},
};
use domain::account::Scope;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

const BULK: &str = "/api/v1/tasks/bulk";
const MIB: usize = 1024 * 1024;

/// Sends a head that announces a body. Returns the status: 100, or a refusal.
async fn status_for_head(server: &TestServer, method: &str, path: &str, headers: &str, bytes: usize) -> u16 {
    let mut raw = RawConnection::connect(&server.url).await;
    let host = server.url.trim_start_matches("http://");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{headers}content-length: {bytes}\r\nexpect: 100-continue\r\n\r\n"
    );
    assert!(raw.send(&head).await);
    raw.status().await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_read_only_from_an_authorized_client() {
    let server = TestServer::start(Backend::Embedded).await;
    let bearer = |token: &str| format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
    let (_, reads) = (server.app.services.tokens)
        .create_token(&server.creator.actor, "reads", 1, Scope::Read)
        .await
        .expect("a token");
    let (writes, reads) = (bearer(&server.creator.token), bearer(&reads));
    let mistyped = bearer(&format!("{}x", server.creator.token));
    let cookie =
        format!("cookie: {}\r\norigin: {}\r\n", server.session_cookie(&server.creator).await, server.url);
    let origin = format!("origin: {}\r\n", server.url);
    let (large, small) = (8 * MIB, 1_000);
    for (method, path, headers, bytes, expected) in [
        ("POST", BULK, writes.as_str(), large, 100),
        ("POST", BULK, &writes, large + 1, 413),
        ("POST", BULK, &reads, large, 403),
        ("POST", BULK, &mistyped, large, 401),
        ("POST", BULK, "", large, 401),
        ("POST", BULK, &cookie, small, 401),
        ("PATCH", BULK, &writes, large, 413),
        ("POST", "/api/v1/articles", &writes, 2 * MIB, 100),
        ("POST", "/api/v1/articles", &writes, large, 413),
        ("POST", "/api/v1/articles", "", small, 401),
        ("POST", "/api/v1/tasks/bulk/", &writes, large, 413),
        ("POST", "/api/v2/tasks/bulk", &writes, large, 413),
        ("POST", "/nothing/at/all/tasks/bulk", &writes, large, 413),
        ("POST", "/nothing/at/all/tasks/bulk", "", MIB, 413),
        ("POST", "/fn/save_article", &origin, MIB, 413),
        ("POST", "/fn/save_article", &cookie, MIB, 100),
        ("POST", "/fn/log_in", &origin, small, 100),
        ("GET", "/site", "", MIB, 413),
        ("GET", "/api/v1/articles", "", MIB, 401),
    ] {
        let status = status_for_head(&server, method, path, headers, bytes).await;
        assert_eq!(status, expected, "{method} {path} {headers} {bytes}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_body_gets_a_response_after_it_was_sent() {
    let server = TestServer::start(Backend::Embedded).await;
    for _ in 0..5 {
        let request = server.as_anonymous().request(Method::POST, BULK).body(vec![b' '; 7 * MIB]);
        let answer = Reply::of(request).await;
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.refused(401), "log_in");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_per_second_are_limited_per_account() {
    let server = TestServer::start_with(|config| config.limits.requests_per_second = 1).await;
    let mut refused = None;
    for _ in 0..30 {
        let answer = server.as_creator().get("/api/v1/tasks").await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("30 requests at once are too many");
    assert!(refused.header("retry-after").parse::<u32>().expect("seconds") >= 1);
    assert_eq!(refused.refused(429), "too_many");
    let second = server.app.accounts.create_token_for(&server.creator.email, "second", Scope::Write).await;
    let second = HttpClient { token: Some(second.expect("a token").1), ..server.as_creator() };
    let mut passed = 0;
    while passed < 10 && second.get("/api/v1/tasks").await.status == 200 {
        passed += 1;
    }
    assert!(passed < 10, "tokens of one account share its limit");
    server.as_colleague().get("/api/v1/tasks").await.expect(200);
    // API requests over the limit do not block the browser.
    let cookie = server.session_cookie(&server.creator).await;
    let page = async || {
        let request = server.as_anonymous().request(Method::GET, "/articles").header("cookie", &cookie);
        Reply::of(request.header("accept", "text/html")).await
    };
    assert_eq!(page().await.status, 200);
    let mut pages = Vec::new();
    for _ in 0..30 {
        pages.push(page().await);
    }
    let refused = pages.iter().find(|page| page.status == 429).expect("30 pages are too many");
    assert!(refused.text.contains("<h1>") && !refused.header("retry-after").is_empty(), "{}", refused.text);
    let mut by_script = Vec::new();
    for _ in 0..5 {
        let request = server.as_anonymous().request(Method::POST, "/fn/dashboard").header("cookie", &cookie);
        let request = request.header("origin", &server.url).header("accept", "application/json");
        by_script.push(Reply::of(request).await);
    }
    let is_rate_limited = |reply: &Reply| reply.status == 429 && reply.json()["too_many"]["seconds"].is_u64();
    assert!(by_script.iter().any(is_rate_limited), "{by_script:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_per_day_are_limited_per_account() {
    let server = TestServer::start_with(|config| config.limits.mib_per_day = 1).await;
    let new = json!({"title": "Large", "body": "x".repeat(400_000)});
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(server.as_creator().post("/api/v1/articles", &new).await);
    }
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [201, 201, 429]);
    assert!(answers[2].header("retry-after").parse::<u32>().expect("seconds") > 60);
    server.as_creator().get("/api/v1/articles").await.expect(200);
    server.as_colleague().post("/api/v1/articles", &new).await.expect(201);
    let cookie = server.session_cookie(&server.creator).await;
    let form = format!("title=Large&from=%2F&body={}", "x".repeat(400_000));
    let request = server.as_anonymous().request(Method::POST, "/fn/create_article").header("cookie", &cookie);
    let request = request.header("origin", &server.url).header("accept", "text/html");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
    assert_eq!(Reply::of(request).await.status, 429, "forms and API share the limit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn live_streams_are_limited_per_account() {
    let server = TestServer::start(Backend::Embedded).await;
    let creator = server.as_creator();
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(SseClient::open(&creator, None).await);
    }
    let refused = creator.get("/live").await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, "10"));
    let cookie = server.session_cookie(&server.creator).await;
    let request = server.as_anonymous().request(Method::GET, "/live").header("cookie", cookie);
    assert_eq!(request.send().await.expect("an answer").status(), 429, "tabs and tokens share the limit");
    SseClient::open(&server.as_admin(), None).await.next_event("hello").await;
    streams.pop();
    let again = async {
        while creator.request(Method::GET, "/live").send().await.expect("an answer").status() != 200 {}
    };
    tokio::time::timeout(Duration::from_secs(30), again).await.expect("a closed stream frees its slot");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_limited_per_address() {
    let server = TestServer::start_with(|config| config.limits.clients_per_address = 3).await;
    let head = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", server.url.trim_start_matches("http://"));
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut raw = RawConnection::connect(&server.url).await;
        raw.send(&head).await;
        assert_eq!(raw.status().await.0, 200);
        open.push(raw);
    }
    let (status, text) = RawConnection::connect(&server.url).await.status().await;
    assert!(status == 503 && text.contains("too many connections"), "{text}");
    open.pop();
    let again = async {
        loop {
            let mut raw = RawConnection::connect(&server.url).await;
            raw.send(&head).await;
            if raw.status().await.0 == 200 {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), again).await.expect("a closed connection frees its slot");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_nothing_is_disconnected() {
    let server =
        TestServer::start_with(|config| config.limits.write_timeout = Duration::from_millis(200)).await;
    let mut raw = RawConnection::connect(&server.url).await;
    let head = format!("GET /login HTTP/1.1\r\nhost: {}\r\n\r\n", server.url.trim_start_matches("http://"));
    // The server stops reading when it cannot write, so sending ends only with the connection.
    while raw.send(&head).await {}
    assert_eq!(server.as_anonymous().get("/healthz").await.status, 200);
}
