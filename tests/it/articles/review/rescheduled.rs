//! What is not approved yet: it is not run early, and scheduling it again ends that it is held.

use super::{HOUR, MINUTE, SECOND, approve};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_what_is_not_approved_stays_planned_when_it_is_to_run_now,
    s1_scheduling_again_replaces_what_the_review_held,
    s1_a_change_of_next_tasks_names_articles_without_one,
);

const BULK: &str = "/api/v1/tasks/bulk-change";

async fn s1_what_is_not_approved_stays_planned_when_it_is_to_run_now(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let creator = server.as_creator();
    let (_, task) = server.schedule_new_article("Unapproved", 24 * HOUR).await;
    let (approved, other) = server.schedule_new_article("Approved", 24 * HOUR).await;
    approve(&server.as_reviewer(), &server.article(&approved).await).await.expect(200);
    for dry_run in [true, false] {
        let body = json!({"ids": [task["id"], other["id"]], "change": {"type": "run_now"}, "dry_run": dry_run});
        let outcome = creator.post(BULK, &body).await.expect(200);
        assert_eq!((&outcome["matched"], &outcome["changed"]), (&json!(2), &json!(1)), "{outcome}");
        let refused = &outcome["refused"][0];
        assert_eq!((&refused["id"], &refused["code"]), (&task["id"], &json!("not_approved")), "{outcome}");
    }
    server.advance(6 * SECOND).await;
    assert_eq!(server.article(&approved).await["published_revision"], 1);
    let kept = server.task(&task).await;
    assert_eq!((&kept["state"], &kept["due_at"]), (&json!("scheduled"), &task["due_at"]));
    let path = format!("/api/v1/tasks/{}/publish-now", task["id"].as_str().unwrap());
    let error = creator.post(&path, &json!({"seen_version": kept["version"]})).await.expect(409);
    assert_eq!(error["error"]["code"], "not_approved");
    assert!(error["error"]["message"].as_str().unwrap().contains("it stays planned for"), "{error}");
}

async fn s1_scheduling_again_replaces_what_the_review_held(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let browser = server.log_in_browser(&server.creator).await;
    let (article, task) = server.schedule_new_article("Again", MINUTE).await;
    server.advance(MINUTE + 6 * SECOND).await;
    assert_eq!(server.causes().await, ["task_held"]);
    let dashboard = browser.get("/").await.expect_page();
    assert_contains(&dashboard, &["1 of today’s items in Attention", "In Attention: 1"]);
    let again = server.schedule_in(&article, HOUR).await;
    assert_eq!(server.task(&task).await["state"], "cancelled");
    assert_eq!(server.review_state(&article).await, "submitted");
    assert!(server.causes().await.is_empty());
    let dashboard = browser.get("/").await.expect_page();
    assert_contains(&dashboard, &["0 of today’s items in Attention"]);
    approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.article(&article).await["published_at"], Value::Null, "it is planned, not held");
    server.advance(HOUR).await;
    assert_eq!(server.task(&again).await["state"], "executed");
    server.assert_execution_records_match().await;
}

async fn s1_a_change_of_next_tasks_names_articles_without_one(server: TestServer) {
    let draft = server.create_draft("Without a date").await;
    let (planned, _) = server.schedule_new_article("Planned", HOUR).await;
    let browser = server.log_in_browser(&server.creator).await;
    let (first, second) = (draft["id"].as_str().unwrap(), planned["id"].as_str().unwrap());
    for change in ["cancel", "run_now"] {
        let url = format!("/bulk?list=articles&ids={first}&ids={second}&change={change}");
        let preview = browser.get(&url).await.expect_page();
        let texts =
            ["1 of 2 articles will be changed.", "This article has no scheduled task.", "Without a date"];
        assert_contains(&preview, &texts);
    }
}
