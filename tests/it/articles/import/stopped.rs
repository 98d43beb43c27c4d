//! A check that is discarded and an import that is stopped end at once.

use super::{articles, upload, wordpress};
use crate::{
    http_client::Reply,
    test_server::{Backend, TestServer},
};
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};

/// An export with this many posts that take long: the parser moves each line end out of the table, which
/// takes longer and longer. The limit of time for a post ends it, or the one who stops it.
fn slow_posts(count: usize) -> String {
    let slow = format!("<table>{}", "<br>".repeat(300_000));
    let posts =
        (1..=count).map(|id| wordpress::item((id, "Slow", "publish", "2020-01-01 09:00:00"), "", &slow));
    wordpress::file(&posts.collect::<Vec<_>>())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_that_is_discarded_ends_within_a_second() {
    let server = TestServer::start(Backend::Embedded).await;
    let admin = server.as_admin();
    let request = admin.request(Method::POST, "/api/v1/imports?system=wordpress").body(slow_posts(20));
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_import_that_is_stopped_ends_within_a_second() {
    let server = TestServer::start(Backend::Embedded).await;
    let import = upload::upload(&server, "system=wordpress", slow_posts(1)).await;
    let admin = server.as_admin();
    assert_eq!(admin.post(&upload::path(&import, "/stop"), &json!({})).await.refused(409), "wrong_state");
    let running = admin.post(&upload::path(&import, "/run"), &json!({})).await.expect(202);
    assert_eq!(running["state"], "running", "{running}");
    let browser = server.log_in_browser(&server.admin).await;
    assert!(browser.get("/settings/import").await.expect_page().contains("/fn/stop_import"));
    let started = Instant::now();
    let stopped = admin.post(&upload::path(&import, "/stop"), &json!({})).await.expect(200);
    assert_eq!((&stopped["state"], &stopped["why"]), (&json!("interrupted"), &json!("it was stopped")));
    server.app.imports.idle().await;
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    // The job has not replaced the result, and the import can go on.
    let ended = upload::find(&server, &import).await;
    assert_eq!(ended["version"], stopped["version"], "{ended}");
    assert_eq!(admin.post(&upload::path(&import, "/run"), &json!({})).await.expect(202)["state"], "running");
    assert_eq!(admin.post(&upload::path(&import, "/stop"), &json!({})).await.status, 200);
}
