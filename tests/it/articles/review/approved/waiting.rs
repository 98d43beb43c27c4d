//! What becomes of articles that wait for an approval when an admin changes the workflow.

use super::{HOUR, MINUTE, SECOND, approve, path};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_after_the_workflow_is_switched_off_submissions_can_be_approved,
    s1_after_the_workflow_is_switched_off_nothing_that_waits_becomes_public,
    s1_switching_the_workflow_off_can_publish_what_waits,
    s1_switching_the_workflow_off_can_make_drafts_of_what_waits,
    s1_a_stricter_content_review_blocks_words_when_it_publishes_what_waits,
    s1_switching_reviewers_on_submits_what_is_scheduled,
    s1_the_settings_page_asks_what_becomes_of_waiting_articles,
    s1_a_release_waits_for_a_text_that_was_submitted_before,
);

/// An article that is submitted, one that is scheduled, and one that is held; with the tasks of the last
/// two.
struct Waiting {
    submitted: Value,
    scheduled: (Value, Value),
    held: (Value, Value),
}

impl Waiting {
    async fn of(server: &TestServer, workflow: &str) -> Self {
        server.set_workflow(workflow, json!({"deadline": {"after_submit": 6000}})).await;
        let held = server.schedule_new_article("Held", MINUTE).await;
        server.advance(MINUTE + 6 * SECOND).await;
        assert_eq!(server.ended(&held.1).await.1, "not_approved");
        let submitted = server.write("Submitted", "A text.").await;
        server.submit(&submitted).await;
        let scheduled = server.schedule_new_article("Scheduled", HOUR).await;
        Self { submitted, scheduled, held }
    }

    async fn states(&self, server: &TestServer) -> [String; 3] {
        [
            server.review_state(&self.submitted).await,
            server.review_state(&self.scheduled.0).await,
            server.review_state(&self.held.0).await,
        ]
    }

    async fn public(&self, server: &TestServer) -> [Value; 3] {
        [
            server.public(&self.submitted).await,
            server.public(&self.scheduled.0).await,
            server.public(&self.held.0).await,
        ]
    }
}

async fn s1_after_the_workflow_is_switched_off_submissions_can_be_approved(server: TestServer) {
    let waiting = Waiting::of(&server, "one_reviewer").await;
    let settings = server.as_admin().get("/api/v1/settings/review").await.expect(200);
    assert_eq!(settings["waiting"]["kept"], 3, "it says how many wait");
    let changed = server.set_workflow("none", json!({})).await;
    assert_eq!(changed["waiting"], json!({"kept": 3, "published": 0, "drafts": 0}));
    assert_eq!(waiting.states(&server).await, ["submitted"; 3]);
    let browser = server.log_in_browser(&server.reviewer).await;
    assert_contains(&browser.get("/review").await.expect_page(), &["Held", "Submitted", "Scheduled"]);
    let held = server.article(&waiting.held.0).await;
    approve(&server.as_reviewer(), &held).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.public(&waiting.held.0).await, 1, "what the page promised");
    approve(&server.as_reviewer(), &server.article(&waiting.scheduled.0).await).await.expect(200);
    server.advance(HOUR).await;
    assert_eq!(waiting.public(&server).await, [Value::Null, json!(1), json!(1)]);
    server.assert_execution_records_match().await;
}

async fn s1_after_the_workflow_is_switched_off_nothing_that_waits_becomes_public(server: TestServer) {
    let waiting = Waiting::of(&server, "two_reviewers").await;
    server.set_workflow("none", json!({"waiting": "keep"})).await;
    assert_eq!(server.act_on_task(&waiting.held.1, "retry", json!({})).await.refused(409), "not_approved");
    let now = server.act_on_task(&waiting.scheduled.1, "publish-now", json!({})).await;
    assert_eq!(now.refused(409), "not_approved");
    let task = server.schedule_in(&waiting.submitted, MINUTE).await;
    assert_eq!(task["needs_approval"], true);
    server
        .act_on_task(&waiting.scheduled.1, "reschedule", json!({"due_at": server.time_after(MINUTE)}))
        .await
        .expect(200);
    server.advance(MINUTE + 6 * SECOND).await;
    assert_eq!(server.ended(&waiting.scheduled.1).await.1, "not_approved");
    assert_eq!(waiting.public(&server).await, [Value::Null, Value::Null, Value::Null]);
    // A new text of the article needs no review any more.
    server.rewrite(&waiting.held.0, "A new text.").await;
    let task = server.schedule_in(&waiting.held.0, MINUTE).await;
    assert_eq!(task["needs_approval"], false);
    server.advance(MINUTE).await;
    assert_eq!(server.public(&waiting.held.0).await, 2);
    server.assert_execution_records_match().await;
}

async fn s1_switching_the_workflow_off_can_publish_what_waits(server: TestServer) {
    let waiting = Waiting::of(&server, "two_reviewers").await;
    let changed = server.set_workflow("none", json!({"waiting": "publish"})).await;
    assert_eq!(changed["waiting"], json!({"kept": 0, "published": 3, "drafts": 0}));
    assert_eq!(waiting.states(&server).await, ["approved"; 3]);
    server.advance(1).await;
    assert_eq!(waiting.public(&server).await, [Value::Null, Value::Null, json!(1)], "its time has passed");
    server.advance(HOUR).await;
    assert_eq!(waiting.public(&server).await, [Value::Null, json!(1), json!(1)]);
    server.advance(200 * HOUR).await;
    server.assert_execution_records_match().await;
}

async fn s1_switching_the_workflow_off_can_make_drafts_of_what_waits(server: TestServer) {
    let waiting = Waiting::of(&server, "one_reviewer").await;
    let changed = server.set_workflow("none", json!({"waiting": "draft"})).await;
    assert_eq!(changed["waiting"], json!({"kept": 0, "published": 0, "drafts": 3}));
    assert_eq!(waiting.states(&server).await, ["none"; 3]);
    for task in [&waiting.scheduled.1, &waiting.held.1] {
        assert_eq!(server.task(task).await["state"], "cancelled");
    }
    for article in [&waiting.submitted, &waiting.scheduled.0, &waiting.held.0] {
        assert_eq!(server.article(article).await["state"], "draft");
    }
    assert!(server.causes().await.is_empty());
    let list = server.as_creator().get("/api/v1/notifications").await.expect(200);
    let notified = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["text"].as_str().unwrap().contains("is a draft again"));
    assert_eq!(notified.count(), 3, "the author is notified");
    server.advance(200 * HOUR).await;
    assert_eq!(waiting.public(&server).await, [Value::Null, Value::Null, Value::Null]);
    let task = server.schedule_in(&waiting.held.0, MINUTE).await;
    server.advance(MINUTE).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    server.assert_execution_records_match().await;
}

async fn s1_a_stricter_content_review_blocks_words_when_it_publishes_what_waits(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    server.create_list("block", json!(["casino"])).await;
    let (fine, fine_task) = server.schedule_new_article("Fine", HOUR).await;
    let blocked = server.write("Blocked", "A casino.").await;
    server.schedule_in(&blocked, HOUR).await;
    let admin = server.as_admin();
    let wrong = json!({"workflow": "automatic", "waiting": "delete"});
    assert_eq!(admin.patch("/api/v1/settings/review", &wrong).await.refused(422), "invalid");
    let changed = server.set_workflow("automatic", json!({"waiting": "publish"})).await;
    assert_eq!(changed["waiting"], json!({"kept": 1, "published": 1, "drafts": 0}));
    server.advance(HOUR).await;
    server.advance(6 * SECOND).await;
    assert_eq!(server.task(&fine_task).await["state"], "executed");
    assert_eq!((server.public(&fine).await, server.public(&blocked).await), (json!(1), Value::Null));
}

async fn s1_switching_reviewers_on_submits_what_is_scheduled(server: TestServer) {
    for (waiting, state, public) in [
        ("keep", "submitted", Value::Null),
        ("publish", "approved", json!(1)),
        ("draft", "none", Value::Null),
    ] {
        server.set_workflow("none", json!({})).await;
        let (article, _) = server.schedule_new_article(waiting, HOUR).await;
        server.set_workflow("one_reviewer", json!({"waiting": waiting})).await;
        assert_eq!(server.review_state(&article).await, state);
        server.advance(HOUR).await;
        assert_eq!(server.public(&article).await, public, "{waiting}");
        server.set_workflow("none", json!({"waiting": "draft"})).await;
    }
}

async fn s1_the_settings_page_asks_what_becomes_of_waiting_articles(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let page = "/settings/review";
    assert!(!browser.get(page).await.expect_page().contains("name=\"waiting\""), "nothing waits");
    let waiting = Waiting::of(&server, "one_reviewer").await;
    let shown = browser.get(page).await.expect_page();
    assert_contains(
        &shown,
        &["3 articles wait for an approval", "They keep waiting", "They are drafts again"],
    );
    let save = async |choice: &str, workflow: &str| {
        let seen = server.as_admin().get("/api/v1/settings/review").await.expect(200)["version"].to_string();
        let form =
            [("seen", seen.as_str()), ("workflow", workflow), ("decision", "hold"), ("waiting", choice)];
        let done = browser.form("/fn/save_review_settings", &form).await;
        assert_eq!(done.status, 303, "{}", done.text);
        browser.get(done.header("location")).await.expect_page()
    };
    assert_contains(&save("", "none").await, &["Saved. 3 articles still wait for an approval."]);
    assert_contains(&save("publish", "none").await, &["Saved. 3 articles were approved"]);
    server.advance(1).await;
    assert_eq!(server.public(&waiting.held.0).await, 1);
    assert_contains(&save("keep", "none").await, &["Saved."]);
}

async fn s1_a_release_waits_for_a_text_that_was_submitted_before(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Package", "A text.").await;
    server.submit(&article).await;
    let items = json!([{"article_id": article["id"], "action": "publish"}]);
    let release = json!({"name": "Spring", "items": items});
    let release = server.as_creator().post("/api/v1/releases", &release).await.expect(201);
    let schedule = format!("/api/v1/releases/{}/schedule", release["id"].as_str().unwrap());
    let due = json!({"due_at": server.time_after(MINUTE)});
    server.as_creator().post(&schedule, &due).await.expect(201);
    server.set_workflow("none", json!({})).await;
    server.advance(MINUTE).await;
    assert_eq!(server.public(&article).await, Value::Null);
    let current = server.as_creator().get(&path(&article, "")).await.expect(200);
    approve(&server.as_reviewer(), &current).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.public(&article).await, 1, "the approval releases it");
    server.assert_execution_records_match().await;
}
