//! Which version of a text is scheduled where a review is needed.

use super::{HOUR, MINUTE, approve, path};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_scheduling_takes_the_approved_revision,
    s1_a_client_chooses_the_revision,
    s1_the_page_shows_the_approved_version_and_the_newest_one,
    s1_publish_now_takes_the_approved_revision,
    s1_a_slot_and_many_tasks_take_the_approved_revision,
    s1_without_a_review_the_current_revision_is_scheduled,
    s1_words_that_need_an_approval_leave_the_approved_revision_scheduled,
    s1_rescheduling_leaves_a_newer_submission_under_review,
    s1_the_page_names_the_approval_that_a_scheduled_article_needs,
    s1_what_the_scheduled_text_lacks_is_said_once,
);

/// An article whose first revision is approved, with two newer edits.
async fn approved_and_edited(server: &TestServer) -> Value {
    let article = server.write("Harbour", "The approved text.").await;
    let submitted = server.submit(&article).await;
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    server.rewrite(&article, "A newer text.").await;
    server.rewrite(&article, "The newest text.").await;
    article
}

async fn s1_scheduling_takes_the_approved_revision(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = approved_and_edited(&server).await;
    assert_eq!(server.article(&article).await["approved_revision"], 1);
    let task = server.schedule_in(&article, HOUR).await;
    assert_eq!(task["needs_approval"], false);
    assert_eq!(server.task(&task).await["revision"], 1);
    assert_eq!(server.review_state(&article).await, "approved", "the approval is not replaced");
    server.advance(HOUR).await;
    assert_eq!(server.public(&article).await, 1);
    assert_eq!(server.article(&article).await["approved_revision"], Value::Null, "it is public");
    // What is public already is not scheduled again.
    let task = server.schedule_in(&article, HOUR).await;
    assert_eq!(
        (server.task(&task).await["revision"].clone(), &task["needs_approval"]),
        (json!(3), &json!(true))
    );
    assert_eq!(server.review_state(&article).await, "submitted");
    server.assert_execution_records_match().await;
}

async fn s1_a_client_chooses_the_revision(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = approved_and_edited(&server).await;
    let creator = server.as_creator();
    let new = |revision: Value| {
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(HOUR),
               "revision": revision})
    };
    assert_eq!(creator.post("/api/v1/tasks", &new(json!(9))).await.refused(404), "no_such");
    assert_eq!(creator.post("/api/v1/tasks", &new(json!("newest"))).await.status, 422);
    let unpublish = json!({"kind": "article.unpublish", "target_id": article["id"],
                           "due_at": server.time_after(HOUR), "revision": 1});
    assert_eq!(creator.post("/api/v1/tasks", &unpublish).await.refused(422), "invalid");
    let task = creator.post("/api/v1/tasks", &new(json!(3))).await.expect(201);
    assert_eq!(task["needs_approval"], true);
    let current = server.article(&article).await;
    assert_eq!(
        (&current["review"]["state"], &current["review"]["revision"]),
        (&json!("submitted"), &json!(3))
    );
    // The approval of the first one is still there.
    let back = server.act_on_task(&task, "replace-revision", json!({"revision": 1})).await.expect(200);
    assert_eq!(back["needs_approval"], false);
    server.advance(HOUR).await;
    assert_eq!(server.public(&article).await, 1);
    let older = creator.post("/api/v1/tasks", &new(json!(1))).await.expect(201);
    assert_eq!(server.act_on_task(&older, "cancel", json!({})).await.status, 200);
}

async fn s1_the_page_shows_the_approved_version_and_the_newest_one(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = approved_and_edited(&server).await;
    let id = article["id"].as_str().unwrap();
    let browser = server.log_in_browser(&server.creator).await;
    let page = format!("/articles/{id}?view=schedule");
    let shown = browser.get(&page).await.expect_page();
    assert_contains(
        &shown,
        &[
            "The approved version of",
            "With 2 newer edits, which need approval",
            "Publish the approved version",
        ],
    );
    let form = [
        ("article", id),
        ("kind", "article.publish"),
        ("date", "2027-03-02"),
        ("time", "09:00"),
        ("zone", "UTC"),
    ];
    let schedule = async |revision: &str| {
        let fields: Vec<_> = form.iter().copied().chain([("revision", revision)]).collect();
        let done = browser.form("/fn/schedule", &fields).await;
        assert_eq!(done.status, 303, "{}", done.text);
        let task = server.article(&article).await["tasks"][0].clone();
        (browser.get(done.header("location")).await.expect_page(), task)
    };
    let (shown, task) = schedule("approved").await;
    assert_eq!(server.task(&task).await["revision"], 1);
    assert_contains(&shown, &["The approved version of “Harbour” is scheduled", "Will be published"]);
    server.act_on_task(&task, "cancel", json!({})).await.expect(200);
    let (shown, task) = schedule("current").await;
    assert_eq!(server.task(&task).await["revision"], 3);
    assert_contains(
        &shown,
        &["It is published once a reviewer has approved it.", "Will be published once approved"],
    );
}

async fn s1_publish_now_takes_the_approved_revision(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = approved_and_edited(&server).await;
    let browser = server.log_in_browser(&server.creator).await;
    let done = browser.form("/fn/publish_article", &[("article", article["id"].as_str().unwrap())]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    server.advance(1).await;
    assert_eq!(server.public(&article).await, 1);
    assert_eq!(server.review_state(&article).await, "approved");
}

async fn s1_a_slot_and_many_tasks_take_the_approved_revision(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let articles = [approved_and_edited(&server).await, approved_and_edited(&server).await];
    let draft = server.write("Never approved", "A text.").await;
    let item = |article: &Value| json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(HOUR)});
    let body = json!({"items": [item(&articles[0]), item(&draft)]});
    let made = server.as_creator().post("/api/v1/tasks/bulk", &body).await.expect(201);
    assert_eq!(server.task(&made["items"][0]).await["revision"], 1);
    assert_eq!(made["items"][1]["needs_approval"], true);
    assert_eq!(server.review_state(&draft).await, "submitted", "scheduling submits the text");
    let days: Vec<Value> = (0..7).map(|_| json!({"times": ["09:00"]})).collect();
    let slots = json!({"zone": "UTC", "days": days, "holidays": [], "seen_version": 0});
    server.as_admin().put("/api/v1/slots", &slots).await.expect(200);
    let next = json!({"kind": "article.publish", "target_id": articles[1]["id"], "slot": "next"});
    let task = server.as_creator().post("/api/v1/tasks", &next).await.expect(201);
    assert_eq!(server.task(&task).await["revision"], 1);
}

async fn s1_without_a_review_the_current_revision_is_scheduled(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = approved_and_edited(&server).await;
    server.set_workflow("none", json!({})).await;
    let task = server.schedule_in(&article, HOUR).await;
    assert_eq!(
        (server.task(&task).await["revision"].clone(), &task["needs_approval"]),
        (json!(3), &json!(false))
    );
    server.set_workflow("automatic", json!({})).await;
    let other = server.write("Clean", "One.").await;
    server.submit(&other).await;
    server.rewrite(&other, "Two.").await;
    let task = server.schedule_in(&other, HOUR).await;
    assert_eq!(server.task(&task).await["revision"], 2, "a clean text needs no reviewer");
    server.advance(HOUR).await;
    assert_eq!((server.public(&article).await, server.public(&other).await), (json!(3), json!(2)));
}

async fn s1_words_that_need_an_approval_leave_the_approved_revision_scheduled(server: TestServer) {
    server.set_workflow("automatic", json!({})).await;
    server.create_list("needs_approval", json!(["lawsuit"])).await;
    let article = server.write("Court", "A lawsuit began.").await;
    let submitted = server.submit(&article).await;
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    server.rewrite(&article, "Another lawsuit began.").await;
    let task = server.schedule_in(&article, HOUR).await;
    assert_eq!(server.task(&task).await["revision"], 1);
    server.advance(HOUR).await;
    assert_eq!(server.public(&article).await, 1);
}

async fn s1_rescheduling_leaves_a_newer_submission_under_review(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, task) = server.schedule_new_article("Moved", HOUR).await;
    server.rewrite(&article, "A newer text.").await;
    server.submit(&article).await;
    server.act_on_task(&task, "reschedule", json!({"due_at": server.time_after(2 * HOUR)})).await.expect(200);
    let current = server.article(&article).await;
    assert_eq!(
        (&current["review"]["state"], &current["review"]["revision"]),
        (&json!("submitted"), &json!(2))
    );
    approve(&server.as_reviewer(), &current).await.expect(200);
    server.advance(2 * HOUR).await;
    assert_eq!(server.public(&article).await, 2);
}

async fn s1_the_page_names_the_approval_that_a_scheduled_article_needs(server: TestServer) {
    const SECOND_ONE: &str = "A second reviewer must approve this version first.";
    server.set_workflow("two_reviewers", json!({})).await;
    let (article, task) = server.schedule_new_article("Two", HOUR).await;
    let browser = server.log_in_browser(&server.creator).await;
    let page = format!("/articles/{}?view=schedule", article["id"].as_str().unwrap());
    let shown = browser.get(&page).await.expect_page();
    assert_contains(
        &shown,
        &["Will be published once approved", "Two reviewers must approve this version first."],
    );
    assert_contains(&browser.get("/articles").await.expect_page(), &["Scheduled, needs approval"]);
    approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
    assert_contains(&browser.get(&page).await.expect_page(), &[SECOND_ONE]);
    approve(&server.as_admin(), &server.article(&article).await).await.expect(200);
    assert_eq!(server.task(&task).await["needs_approval"], false);
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("Will be published") && !shown.contains("once approved"), "{shown}");
    assert!(!browser.get("/articles").await.expect_page().contains("needs approval"));
    server.advance(MINUTE).await;
    let path = path(&article, "");
    assert_eq!(server.as_creator().get(&path).await.expect(200)["tasks"][0]["needs_approval"], false);
}

async fn s1_what_the_scheduled_text_lacks_is_said_once(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = approved_and_edited(&server).await;
    server.schedule_in(&article, HOUR).await;
    let browser = server.log_in_browser(&server.creator).await;
    let page = format!("/articles/{}?view=schedule", article["id"].as_str().unwrap());
    let shown = browser.get(&page).await.expect_page();
    assert_contains(
        &shown,
        &["1 change is not in the scheduled version.", "/revisions?from=1", "Submit the newest text"],
    );
    assert_eq!(shown.matches("not in the scheduled version").count(), 1, "{shown}");
    for other in ["not part of this review", "Use the current text"] {
        assert!(!shown.contains(other), "{other}: {shown}");
    }
    let changes = format!("/articles/{}/revisions?from=1", article["id"].as_str().unwrap());
    let shown = browser.get(&changes).await.expect_page();
    assert_contains(&shown, &["Revision 1 to 3"]);
}
