//! Memory that a load took is given back to the machine.

use crate::{
    caller::Reply,
    program::{Program, Serving},
};
use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};

/// How long it may take until memory is given back.
const LIMIT: Duration = Duration::from_secs(60);
/// Memory after a load, compared with before, in percent.
const MOST: u64 = 130;

/// Waits until the program has at most 1.3 times what it had before.
async fn shrinks(serving: &Serving, before: u64, load: &str) {
    let begun = Instant::now();
    loop {
        // Something small to do: an allocator may give back only while it is used.
        serving.caller().get("/healthz").await;
        let now = serving.resident();
        if now * 100 <= before * MOST {
            return;
        }
        assert!(begun.elapsed() < LIMIT, "{load}: {before} KiB before, {now} KiB after");
    }
}

async fn log_in(serving: &Serving, email: &str) -> u16 {
    let form = [("email", email), ("password", "not the one"), ("from", "/login")];
    serving.caller().form("/fn/log_in", &form).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_flood_takes_is_given_back() {
    let program = Program::new();
    let token = program.admin(&[]).await;
    // More clients at once than one address may have otherwise.
    let serving = program.serve(&["--clients-per-address", "1000", "--requests-per-second", "0"]).await;
    let mut caller = serving.caller();
    caller.token = Some(token);
    // Once, so that whatever is kept for good is there before.
    let article = json!({"title": "Kept", "body": "Some words. ".repeat(5_000)});
    caller.post("/api/v1/articles", &article).await.expect(201);
    for path in ["/login", "/site", "/site/feed.xml", "/api/v1/articles"] {
        caller.get(path).await;
    }
    log_in(&serving, "warm@desk.test").await;
    let before = serving.resident();

    let tries: Vec<String> = (0..60).map(|number| format!("who{number}@desk.test")).collect();
    join_all(tries.iter().map(|email| log_in(&serving, email))).await;
    shrinks(&serving, before, "log-ins").await;

    let body = "x".repeat(4 * 1024 * 1024);
    join_all(
        (0..40).map(|_| Reply::of(caller.request(Method::POST, "/api/v1/tasks/bulk").body(body.clone()))),
    )
    .await;
    join_all((0..100).map(|_| {
        let request = serving.caller().request(Method::POST, "/fn/log_in").header("origin", &serving.url);
        Reply::of(request.body("x".repeat(60_000)))
    }))
    .await;
    shrinks(&serving, before, "bodies").await;

    for _ in 0..10 {
        join_all((0..20).map(|_| caller.get("/site/feed.xml"))).await;
        join_all((0..20).map(|_| caller.get("/api/v1/articles"))).await;
    }
    shrinks(&serving, before, "readers").await;
    assert_eq!(serving.end().await, 0);
}
