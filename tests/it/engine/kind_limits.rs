//! The concurrency limit of a task kind, set by admins on the engine page or through the API.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::State;
use engine::Loop as _;
use serde_json::{Value, json};

on_both!(
    a_limit_change_needs_the_current_version_and_all_tasks_are_executed,
    a_limit_is_changed_on_the_engine_page,
);

const KIND: &str = "/api/v1/kinds/article.publish";

async fn a_limit_change_needs_the_current_version_and_all_tasks_are_executed(server: TestServer) {
    let admin = server.as_admin();
    let kinds = admin.get("/api/v1/kinds").await.expect(200);
    assert_eq!(kinds["items"][0], json!({"kind": "article.publish", "max_concurrency": null, "version": 0}));
    let limit =
        |max_concurrency: Value, seen: i32| json!({"max_concurrency": max_concurrency, "seen_version": seen});
    let answer = admin.patch(KIND, &limit(json!(1), 0)).await.expect(200);
    assert_eq!(answer, json!({"kind": "article.publish", "max_concurrency": 1, "version": 1}));
    assert_eq!(admin.patch(KIND, &limit(json!(2), 0)).await.refused(409), "changed");
    assert_eq!(admin.patch(KIND, &limit(json!(0), 1)).await.refused(422), "invalid");
    assert_eq!(admin.patch(KIND, &json!({"seen_version": 1})).await.refused(422), "invalid");
    assert_eq!(admin.patch("/api/v1/kinds/other", &limit(json!(1), 0)).await.refused(404), "no_such");
    // Another node learns it with its next heartbeat.
    let other = server.open_second_node().await;
    server.align_database_clock(&other);
    other.loops.heartbeat.tick(server.now()).await;
    assert_eq!(*other.parts.engine.limits(), [("article.publish", 1)]);
    let mut rows = Vec::new();
    for number in 0..8 {
        rows.push(server.create_task(&format!("Number {number}"), 1_000).await);
    }
    server.advance(1_000).await;
    server.advance(1_000).await;
    for row in &rows {
        assert_eq!(server.find_task(row.id).await.state, State::Executed);
    }
    server.assert_execution_records_match().await;
    let answer = admin.patch(KIND, &limit(Value::Null, 1)).await.expect(200);
    assert_eq!(answer["version"], 2);
    assert!(server.app.parts.engine.limits().is_empty());
    other.close().await;
}

async fn a_limit_is_changed_on_the_engine_page(server: TestServer) {
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &["Maximum number of tasks of a kind", r#"value="article.publish""#]);
    let browser = server.log_in_browser(&server.admin).await;
    let form = |limit, seen| {
        [("id", "article.publish"), ("max_concurrency", limit), ("seen", seen), ("from", "/engine")]
    };
    let answer = browser.form("/fn/limit_kind", &form("7", "0")).await;
    assert_eq!((answer.status, answer.result_location().as_str()), (303, "/engine?done=limit-kind"));
    assert_contains(&server.page(&server.admin, "/engine").await, &[r#"value="7""#]);
    let refused = browser.form("/fn/limit_kind", &form("8", "0")).await;
    assert_eq!(refused.status, 409);
    assert_contains(&refused.text, &["This was changed in the meantime.", r#"value="8""#]);
    assert_eq!(browser.form("/fn/limit_kind", &form("many", "1")).await.status, 422);
    browser.form("/fn/limit_kind", &form("", "1")).await;
    assert!(server.app.parts.engine.limits().is_empty());
}
