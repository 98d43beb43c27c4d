//! Memory use returns to normal after a burst.

use crate::{
    http_client::Reply,
    program::{Program, Serving},
};
use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};

/// Timeout for memory to be released.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum memory after a burst, in percent of before.
const MAX_PERCENT: u64 = 130;

/// Waits until the program uses at most 1.3 times its memory of before.
async fn wait_until_released(serving: &Serving, before: u64, load: &str) {
    let begun = Instant::now();
    loop {
        // A small request: an allocator may release memory only during use.
        serving.client().get("/healthz").await;
        let now = serving.resident();
        if now * 100 <= before * MAX_PERCENT {
            return;
        }
        assert!(begun.elapsed() < RELEASE_TIMEOUT, "{load}: {before} KiB before, {now} KiB after");
    }
}

async fn log_in(serving: &Serving, email: &str) -> u16 {
    let form = [("email", email), ("password", "not the one"), ("from", "/login")];
    serving.client().form("/fn/log_in", &form).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_released_after_a_burst() {
    let program = Program::new();
    let token = program.admin(&[]).await;
    // Raises the limits so that one address may open many connections.
    let serving = program.serve(&["--clients-per-address", "1000", "--requests-per-second", "0"]).await;
    let mut caller = serving.client();
    caller.token = Some(token);
    // Warms up, so that permanent caches are already included.
    let article = json!({"title": "Kept", "body": "Some words. ".repeat(5_000)});
    caller.post("/api/v1/articles", &article).await.expect(201);
    for path in ["/login", "/site", "/site/feed.xml", "/api/v1/articles"] {
        caller.get(path).await;
    }
    log_in(&serving, "warm@desk.test").await;
    let before = serving.resident();

    let emails: Vec<String> = (0..60).map(|number| format!("who{number}@desk.test")).collect();
    join_all(emails.iter().map(|email| log_in(&serving, email))).await;
    wait_until_released(&serving, before, "log-ins").await;

    let body = "x".repeat(4 * 1024 * 1024);
    join_all(
        (0..40).map(|_| Reply::of(caller.request(Method::POST, "/api/v1/tasks/bulk").body(body.clone()))),
    )
    .await;
    join_all((0..100).map(|_| {
        let request = serving.client().request(Method::POST, "/fn/log_in").header("origin", &serving.url);
        Reply::of(request.body("x".repeat(60_000)))
    }))
    .await;
    wait_until_released(&serving, before, "bodies").await;

    for _ in 0..10 {
        join_all((0..20).map(|_| caller.get("/site/feed.xml"))).await;
        join_all((0..20).map(|_| caller.get("/api/v1/articles"))).await;
    }
    wait_until_released(&serving, before, "readers").await;
    assert_eq!(serving.end().await, 0);
}
