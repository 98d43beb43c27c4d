//! The content review: when a text is submitted, scheduled, and published.

use super::{HOUR, MINUTE, SECOND, approve, path};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_clean_texts_are_approved_by_themselves,
    s1_blocked_words_hold_a_text_until_the_list_or_the_text_changes,
    s1_a_list_that_changes_later_holds_the_text_at_the_moment_of_publishing,
    s1_words_that_need_an_approval_wait_for_a_reviewer,
    s1_new_hits_are_seen_before_they_are_approved,
);

async fn s1_clean_texts_are_approved_by_themselves(server: TestServer) {
    server.set_workflow("automatic", json!({})).await;
    server.create_list("flag", json!(["rumour"])).await;
    let article = server.write("Clean", "Only a rumour.").await;
    let submitted = server.submit(&article).await;
    let review = &submitted["review"];
    assert_eq!((&review["state"], &review["verdict"]), (&json!("approved"), &json!("flag")));
    let hit = json!({"term": "rumour", "action": "flag", "start": 7, "end": 13, "field": "text", "replacement": null});
    assert_eq!(review["hits"], json!([hit]));
    let (second, task) = server.schedule_new_article("Scheduled", MINUTE).await;
    server.advance(MINUTE).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.article(&second).await["published_revision"], 1);
}

/// Retries a held task.
async fn retry(server: &TestServer, task: &Value) {
    let held = server.task(task).await;
    let retry = format!("/api/v1/tasks/{}/retry", task["id"].as_str().unwrap());
    server.as_creator().post(&retry, &json!({"seen_version": held["version"]})).await.expect(200);
    server.advance(1).await;
}

async fn s1_blocked_words_hold_a_text_until_the_list_or_the_text_changes(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let list = server.create_list("block", json!(["casino"])).await;
    let article = server.write("Blocked", "A c-a-s-i-n-o, and a **cas**ino.").await;
    let held = server.submit(&article).await;
    assert_eq!((&held["review"]["state"], &held["review"]["verdict"]), (&json!("held"), &json!("block")));
    assert_eq!(approve(&server.as_reviewer(), &held).await.refused(409), "blocked_words");
    let task = server.schedule_in(&article, MINUTE).await;
    server.advance(MINUTE + 6 * SECOND).await;
    let missed = server.task(&task).await;
    assert_eq!((&missed["state"], &missed["reason"]), (&json!("missed"), &json!("words_block")));
    assert_eq!(server.causes().await, ["task_held"]);
    assert_eq!(server.article(&article).await["published_at"], Value::Null);
    let terms = format!("/api/v1/word-lists/{}/terms", list["id"].as_str().unwrap());
    server.as_admin().put(&terms, &json!({"terms": ["lottery"]})).await.expect(200);
    approve(&server.as_reviewer(), &held).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.article(&article).await["published_revision"], 1);
}

async fn s1_a_list_that_changes_later_holds_the_text_at_the_moment_of_publishing(server: TestServer) {
    for workflow in ["automatic", "one_reviewer"] {
        server.set_workflow(workflow, json!({})).await;
        let (article, task) = server.schedule_new_article(&format!("Later {workflow}"), HOUR).await;
        if workflow == "one_reviewer" {
            approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
        }
        let list = server.create_list("block", json!(["later"])).await;
        server.advance(HOUR).await;
        let held = server.task(&task).await;
        assert_eq!((&held["state"], &held["reason"]), (&json!("failed"), &json!("words_block")));
        let shown = server.article(&article).await;
        assert_eq!((&shown["review"]["state"], &shown["published_at"]), (&json!("held"), &Value::Null));
        assert_eq!(shown["review"]["hits"][0]["term"], "later", "author and reviewers see why");
        assert_eq!(server.causes().await, ["task_held"]);
        retry(&server, &task).await;
        assert_eq!(server.task(&task).await["reason"], "words_block", "still blocked, and not lost");
        let id = list["id"].as_str().unwrap();
        assert_eq!(server.as_admin().delete(&format!("/api/v1/word-lists/{id}")).await.status, 204);
        retry(&server, &task).await;
        assert_eq!(server.task(&task).await["state"], "executed");
        assert_eq!(server.article(&article).await["published_revision"], 1);
        assert!(server.article_verbs(&article).await.contains(&"review_hold".to_owned()));
    }
    server.assert_execution_records_match().await;
}

async fn s1_words_that_need_an_approval_wait_for_a_reviewer(server: TestServer) {
    server.set_workflow("automatic", json!({})).await;
    server.create_list("needs_approval", json!(["lawsuit"])).await;
    let article = server.write("Court", "A lawsuit began.").await;
    let task = server.schedule_in(&article, MINUTE).await;
    assert_eq!(server.review_state(&article).await, "submitted");
    server.advance(MINUTE + 6 * SECOND).await;
    assert_eq!(server.article(&article).await["published_at"], Value::Null);
    assert_eq!(server.causes().await, ["task_held"]);
    approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    // A term that is added later holds at the moment of publishing, and an approval releases it.
    let (second, task) = server.schedule_new_article("Verdict", MINUTE).await;
    let list = json!({"name": "More", "language": "any", "action": "needs_approval", "terms": ["verdict"]});
    server.as_admin().post("/api/v1/word-lists", &list).await.expect(201);
    server.advance(MINUTE).await;
    let held = server.task(&task).await;
    assert_eq!((&held["state"], &held["reason"]), (&json!("failed"), &json!("words_approval")));
    approve(&server.as_reviewer(), &server.article(&second).await).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    server.assert_execution_records_match().await;
}

async fn s1_new_hits_are_seen_before_they_are_approved(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Court", "A lawsuit began.").await;
    let seen = server.submit(&article).await;
    assert_eq!(seen["review"]["hits"], json!([]));
    server.create_list("needs_approval", json!(["lawsuit"])).await;
    let reviewer = server.as_reviewer();
    assert_eq!(approve(&reviewer, &seen).await.refused(409), "new_hits");
    let shown = reviewer.get(&path(&article, "")).await.expect(200);
    assert_eq!(shown["review"]["hits"][0]["term"], "lawsuit");
    let approved = approve(&reviewer, &shown).await.expect(200);
    assert_eq!(approved["review"]["state"], "approved");
}
