//! A check that is discarded ends at once.

use super::{articles, upload, wordpress};
use crate::{
    http_client::Reply,
    test_server::{Backend, TestServer},
};
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_that_is_discarded_ends_within_a_second() {
    let server = TestServer::start(Backend::Embedded).await;
    // The parser moves each line end out of the table, which takes longer and longer: the limit of time for
    // a post ends it, or the one who discards it.
    let slow = format!("<table>{}", "<br>".repeat(300_000));
    let items: Vec<_> = (1..20)
        .map(|id| wordpress::item((id, "Slow", "publish", "2020-01-01 09:00:00"), "", &slow))
        .collect();
    let admin = server.as_admin();
    let request =
        admin.request(Method::POST, "/api/v1/imports?system=wordpress").body(wordpress::file(&items));
    let import = Reply::of(request).await.expect(201);
    assert_eq!(import["state"], "checking", "{import}");
    let started = Instant::now();
    assert_eq!(admin.delete(&upload::path(&import, "")).await.status, 204);
    // It has ended: nothing runs in the background any more.
    server.app.imports.idle().await;
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    assert_eq!(admin.get(&upload::path(&import, "")).await.status, 404);
    assert_eq!((upload::files(&server), articles(&server).await.len()), (0, 0));
    // What takes as long within the limits is imported.
    let quick = upload::upload(&server, "system=wordpress", wordpress::example()).await;
    assert_eq!(quick["state"], json!("ready"), "{quick}");
}
