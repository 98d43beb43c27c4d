//! What a client may use: bodies, requests, bytes a day, streams, connections.

use crate::{
    caller::{Caller, Reply},
    ear::Ear,
    house::{Flavour, Story},
    raw::Raw,
};
use domain::person::Scope;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

const BULK: &str = "/api/v1/tasks/bulk";
const MIB: usize = 1024 * 1024;

/// What the server says to a head that announces a body: 100, it would read it, or a refusal.
async fn answer_to_head(story: &Story, method: &str, path: &str, headers: &str, bytes: usize) -> u16 {
    let mut raw = Raw::connect(&story.url).await;
    let host = story.url.trim_start_matches("http://");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{headers}content-length: {bytes}\r\nexpect: 100-continue\r\n\r\n"
    );
    assert!(raw.send(&head).await);
    raw.status().await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_read_only_from_a_client_that_may_send_it() {
    let story = Story::begin(Flavour::Embedded).await;
    let bearer = |token: &str| format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
    let (_, reads) = (story.house.desk.people)
        .create_token(&story.creator.actor, "reads", 1, Scope::Read)
        .await
        .expect("a token");
    let (writes, reads) = (bearer(&story.creator.token), bearer(&reads));
    let mistyped = bearer(&format!("{}x", story.creator.token));
    let cookie = format!("cookie: {}\r\norigin: {}\r\n", story.cookie(&story.creator).await, story.url);
    let origin = format!("origin: {}\r\n", story.url);
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
        let status = answer_to_head(&story, method, path, headers, bytes).await;
        assert_eq!(status, expected, "{method} {path} {headers} {bytes}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_body_is_answered_although_it_was_sent() {
    let story = Story::begin(Flavour::Embedded).await;
    for _ in 0..5 {
        let request = story.as_nobody().request(Method::POST, BULK).body(vec![b' '; 7 * MIB]);
        let answer = Reply::of(request).await;
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.refused(401), "log_in");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_sends_so_many_requests_a_second() {
    let story = Story::begin_with(|config| config.limits.requests_per_second = 1).await;
    let mut refused = None;
    for _ in 0..30 {
        let answer = story.as_creator().get("/api/v1/tasks").await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("30 requests at once are too many");
    assert!(refused.header("retry-after").parse::<u32>().expect("seconds") >= 1);
    assert_eq!(refused.refused(429), "too_many");
    let second = story.house.people.create_token_for(&story.creator.email, "second", Scope::Write).await;
    let second = Caller { token: Some(second.expect("a token").1), ..story.as_creator() };
    let mut passed = 0;
    while passed < 10 && second.get("/api/v1/tasks").await.status == 200 {
        passed += 1;
    }
    assert!(passed < 10, "tokens of one person share what a person may send");
    story.as_colleague().get("/api/v1/tasks").await.expect(200);
    // A program that runs wild does not lock the browser out.
    let cookie = story.cookie(&story.creator).await;
    let page = async || {
        let request = story.as_nobody().request(Method::GET, "/articles").header("cookie", &cookie);
        Reply::of(request.header("accept", "text/html")).await
    };
    assert_eq!(page().await.status, 200);
    let mut pages = Vec::new();
    for _ in 0..30 {
        pages.push(page().await);
    }
    let refused = pages.iter().find(|page| page.status == 429).expect("so are 30 pages");
    assert!(refused.text.contains("<h1>") && !refused.header("retry-after").is_empty(), "{}", refused.text);
    let mut by_script = Vec::new();
    for _ in 0..5 {
        let request = story.as_nobody().request(Method::POST, "/fn/board").header("cookie", &cookie);
        let request = request.header("origin", &story.url).header("accept", "application/json");
        by_script.push(Reply::of(request).await);
    }
    let is_told = |reply: &Reply| reply.status == 429 && reply.json()["too_many"]["seconds"].is_u64();
    assert!(by_script.iter().any(is_told), "{by_script:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_writes_so_much_a_day() {
    let story = Story::begin_with(|config| config.limits.mib_per_day = 1).await;
    let new = json!({"title": "Large", "body": "x".repeat(400_000)});
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(story.as_creator().post("/api/v1/articles", &new).await);
    }
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [201, 201, 429]);
    assert!(answers[2].header("retry-after").parse::<u32>().expect("seconds") > 60);
    story.as_creator().get("/api/v1/articles").await.expect(200);
    story.as_colleague().post("/api/v1/articles", &new).await.expect(201);
    let cookie = story.cookie(&story.creator).await;
    let form = format!("title=Large&from=%2F&body={}", "x".repeat(400_000));
    let request = story.as_nobody().request(Method::POST, "/fn/create_article").header("cookie", &cookie);
    let request = request.header("origin", &story.url).header("accept", "text/html");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
    assert_eq!(Reply::of(request).await.status, 429, "forms and API count together");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_has_so_many_live_streams() {
    let story = Story::begin(Flavour::Embedded).await;
    let creator = story.as_creator();
    let mut ears = Vec::new();
    for _ in 0..20 {
        ears.push(Ear::open(&creator, None).await);
    }
    let refused = creator.get("/live").await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, "10"));
    let cookie = story.cookie(&story.creator).await;
    let request = story.as_nobody().request(Method::GET, "/live").header("cookie", cookie);
    assert_eq!(request.send().await.expect("an answer").status(), 429, "tabs and tokens count together");
    Ear::open(&story.as_admin(), None).await.hear("hello").await;
    ears.pop();
    let again = async {
        while creator.request(Method::GET, "/live").send().await.expect("an answer").status() != 200 {}
    };
    tokio::time::timeout(Duration::from_secs(30), again).await.expect("a closed stream leaves its place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_has_so_many_connections() {
    let story = Story::begin_with(|config| config.limits.clients_per_address = 3).await;
    let head = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", story.url.trim_start_matches("http://"));
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut raw = Raw::connect(&story.url).await;
        raw.send(&head).await;
        assert_eq!(raw.status().await.0, 200);
        open.push(raw);
    }
    let (status, text) = Raw::connect(&story.url).await.status().await;
    assert!(status == 503 && text.contains("too many connections"), "{text}");
    open.pop();
    let again = async {
        loop {
            let mut raw = Raw::connect(&story.url).await;
            raw.send(&head).await;
            if raw.status().await.0 == 200 {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), again).await.expect("a closed one leaves its place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_nothing_is_cut_off() {
    let story = Story::begin_with(|config| config.limits.write_timeout = Duration::from_millis(200)).await;
    let mut raw = Raw::connect(&story.url).await;
    let head = format!("GET /login HTTP/1.1\r\nhost: {}\r\n\r\n", story.url.trim_start_matches("http://"));
    // The server stops to read once it cannot write: what is sent then ends with the connection only.
    while raw.send(&head).await {}
    assert_eq!(story.as_nobody().get("/healthz").await.status, 200);
}
