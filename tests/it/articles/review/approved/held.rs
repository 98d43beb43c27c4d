//! Held articles: each can be mended and published.

use super::{HOUR, MINUTE, SECOND, path, send_back};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_a_held_article_that_is_mended_and_approved_is_published_at_once,
    s1_a_late_article_whose_newer_text_is_approved_is_published_with_it,
    s1_retry_takes_the_newest_approved_text_of_a_held_article,
    s1_retry_refuses_a_held_text_without_an_approval,
    s1_the_revision_of_a_held_article_can_be_replaced,
    s1_a_held_article_is_rescheduled_and_takes_the_mended_text,
    s1_an_approval_after_the_time_is_no_lateness_of_the_engine,
    s1_a_held_article_is_announced_once,
    s1_the_page_of_a_held_article_says_what_to_do,
);

fn held(reason: &str) -> (String, String) {
    let state = if reason == "not_approved" { "missed" } else { "failed" };
    (state.to_owned(), reason.to_owned())
}

/// An article that is held at its time because of a word that was blocked after its approval.
async fn held_for_words(server: &TestServer) -> (Value, Value) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Harbour", "A casino at the harbour.").await;
    let task = server.schedule_in(&article, HOUR).await;
    server.approve_current(&article).await;
    server.create_list("block", json!(["casino"])).await;
    server.advance(HOUR).await;
    assert_eq!(server.ended(&task).await, held("words_block"));
    (article, task)
}

async fn s1_a_held_article_that_is_mended_and_approved_is_published_at_once(server: TestServer) {
    let (article, task) = held_for_words(&server).await;
    server.rewrite(&article, "A theatre at the harbour.").await;
    server.submit(&article).await;
    assert_eq!(server.ended(&task).await, held("words_block"));
    let page = format!("/review/{}", article["id"].as_str().unwrap());
    let browser = server.log_in_browser(&server.reviewer).await;
    let shown = browser.get(&page).await.expect_page();
    assert_contains(&shown, &["Was planned for", "; approving publishes it at once."]);
    server.approve_current(&article).await;
    server.advance(1).await;
    assert_eq!(server.public(&article).await, 2, "the mended text, not the held one");
    assert_eq!(server.task(&task).await["state"], "executed");
    assert!(server.causes().await.is_empty());
    server.assert_execution_records_match().await;
}

async fn s1_a_late_article_whose_newer_text_is_approved_is_published_with_it(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    for delay in [0, 10 * MINUTE] {
        let (article, task) = server.schedule_new_article(&format!("Late {delay}"), HOUR).await;
        send_back(&server.as_reviewer(), &server.article(&article).await, "Name the source.")
            .await
            .expect(200);
        server.rewrite(&article, "Says the ministry.").await;
        let submitted = server.submit(&article).await;
        assert_eq!(submitted["review"]["revision"], 2);
        if delay > 0 {
            server.advance(HOUR + delay).await;
            assert_eq!(server.ended(&task).await, held("not_approved"));
        }
        server.approve_current(&article).await;
        assert_eq!(server.task(&task).await["revision"], 2, "what is approved is published, in every order");
        server.advance(if delay > 0 { 1 } else { HOUR }).await;
        assert_eq!(server.public(&article).await, 2);
    }
    server.assert_execution_records_match().await;
}

async fn s1_retry_takes_the_newest_approved_text_of_a_held_article(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Harbour", "A casino at the harbour.").await;
    let task = server.schedule_in(&article, HOUR).await;
    server.approve_current(&article).await;
    // Approved as well, but not scheduled: the task keeps the approved text that it has.
    server.rewrite(&article, "A theatre at the harbour.").await;
    server.submit(&article).await;
    server.approve_current(&article).await;
    assert_eq!(server.task(&task).await["revision"], 1);
    server.create_list("block", json!(["casino"])).await;
    server.advance(HOUR).await;
    assert_eq!(server.ended(&task).await, held("words_block"));
    server.act_on_task(&task, "retry", json!({})).await.expect(200);
    server.advance(1).await;
    assert_eq!((server.public(&article).await, server.ended(&task).await.0.as_str()), (json!(2), "executed"));
    server.assert_execution_records_match().await;
}

async fn s1_retry_refuses_a_held_text_without_an_approval(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, task) = server.schedule_new_article("Late", MINUTE).await;
    server.advance(MINUTE + 6 * SECOND).await;
    assert_eq!(server.ended(&task).await, held("not_approved"));
    assert_eq!(server.act_on_task(&task, "retry", json!({})).await.refused(409), "not_approved");
    server.rewrite(&article, "Another text.").await;
    assert_eq!(server.act_on_task(&task, "retry", json!({})).await.refused(409), "not_approved");
    assert_eq!(server.ended(&task).await, held("not_approved"), "nothing was changed");
    assert_eq!(server.public(&article).await, Value::Null);
}

async fn s1_the_revision_of_a_held_article_can_be_replaced(server: TestServer) {
    let (article, task) = held_for_words(&server).await;
    server.rewrite(&article, "A theatre at the harbour.").await;
    // Not approved: it stays held, for another reason.
    let replaced = server.act_on_task(&task, "replace-revision", json!({})).await.expect(200);
    assert_eq!((&replaced["state"], &replaced["reason"]), (&json!("failed"), &json!("not_approved")));
    assert_eq!(server.task(&task).await["revision"], 2);
    let none = server.act_on_task(&task, "replace-revision", json!({"revision": 9})).await;
    assert_eq!(none.refused(404), "no_such");
    server.submit(&article).await;
    server.approve_current(&article).await;
    server.advance(1).await;
    assert_eq!(server.public(&article).await, 2);
    // What needs no approval is published at once.
    server.set_workflow("automatic", json!({})).await;
    let other = server.write("Park", "A park.").await;
    let task = server.schedule_in(&other, HOUR).await;
    let list = json!({"name": "Parks", "language": "any", "action": "block", "terms": ["park"]});
    server.as_admin().post("/api/v1/word-lists", &list).await.expect(201);
    server.advance(HOUR).await;
    assert_eq!(server.ended(&task).await, held("words_block"));
    let current = server.article(&other).await;
    let edit = json!({"title": "Wood", "body": "A wood.", "seen_revision": current["revision"]});
    server.as_creator().patch(&path(&other, ""), &edit).await.expect(200);
    server.act_on_task(&task, "replace-revision", json!({})).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.public(&other).await, 2);
    server.assert_execution_records_match().await;
}

async fn s1_a_held_article_is_rescheduled_and_takes_the_mended_text(server: TestServer) {
    let (article, task) = held_for_words(&server).await;
    server.rewrite(&article, "A theatre at the harbour.").await;
    server.act_on_task(&task, "reschedule", json!({"due_at": server.time_after(HOUR)})).await.expect(200);
    assert_eq!(server.task(&task).await["revision"], 1);
    server.submit(&article).await;
    server.approve_current(&article).await;
    assert_eq!(server.task(&task).await["revision"], 2, "the words of the one before would hold it again");
    server.advance(HOUR).await;
    assert_eq!(server.public(&article).await, 2);
    // One without an approval can be planned again, too, also after an edit.
    let (late, task) = server.schedule_new_article("Late", MINUTE).await;
    server.advance(MINUTE + 6 * SECOND).await;
    server.rewrite(&late, "A newer text.").await;
    let moved =
        server.act_on_task(&task, "reschedule", json!({"due_at": server.time_after(HOUR)})).await.expect(200);
    assert_eq!((&moved["state"], &moved["needs_approval"]), (&json!("scheduled"), &json!(true)));
}

async fn s1_an_approval_after_the_time_is_no_lateness_of_the_engine(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    for delay in [3 * SECOND, 10 * MINUTE] {
        let (article, task) = server.schedule_new_article(&format!("After {delay}"), MINUTE).await;
        server.advance(MINUTE).await;
        server.advance(delay).await;
        server.approve_current(&article).await;
        server.advance(1).await;
        assert_eq!(server.public(&article).await, 1);
        let id = task["id"].as_str().unwrap().parse().unwrap();
        let found = server.app.services.tasks.find(&server.admin.actor, id).await.unwrap();
        let late_ms = found.stages.unwrap().executed_at.since(found.row.due.at);
        assert!((0..=1).contains(&late_ms) && found.late.is_none(), "{late_ms}");
    }
    server.assert_execution_records_match().await;
}

/// Texts of the notifications of the creator that contain `part`.
async fn notified(server: &TestServer, part: &str) -> usize {
    let list = server.as_creator().get("/api/v1/notifications").await.expect(200);
    let texts = list["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap());
    texts.filter(|text| text.contains(part)).count()
}

async fn s1_a_held_article_is_announced_once(server: TestServer) {
    let (_, task) = held_for_words(&server).await;
    for _ in 0..3 {
        server.act_on_task(&task, "retry", json!({})).await.expect(200);
        server.advance(1).await;
        assert_eq!(server.ended(&task).await, held("words_block"));
    }
    assert_eq!(notified(&server, "“Harbour” was not published").await, 1);
    // One without an approval in time.
    let (_, late) = server.schedule_new_article("Late", MINUTE).await;
    server.advance(MINUTE + 6 * SECOND).await;
    assert_eq!(server.ended(&late).await, held("not_approved"));
    server.advance(HOUR).await;
    assert_eq!(notified(&server, "“Late” was not published").await, 1);
    // One that its deadline holds before.
    let deadline = json!({"before_publish": 30, "decision": "hold"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let (_, early) = server.schedule_new_article("Early", HOUR).await;
    server.advance(30 * MINUTE).await;
    server.advance(30 * MINUTE + 6 * SECOND).await;
    assert_eq!(server.ended(&early).await, held("not_approved"));
    assert_eq!(notified(&server, "“Early” is held").await, 1);
    assert_eq!(notified(&server, "“Early” was not published").await, 0);
}

async fn s1_the_page_of_a_held_article_says_what_to_do(server: TestServer) {
    let (article, task) = held_for_words(&server).await;
    let page = format!("/articles/{}?view=schedule", article["id"].as_str().unwrap());
    let browser = server.log_in_browser(&server.creator).await;
    let shown = browser.get(&page).await.expect_page();
    assert_contains(
        &shown,
        &["Change the text and submit it", "Open the review", "Retry", "Was planned for"],
    );
    assert_eq!(shown.matches("Was planned for").count(), 1, "it is said once");
    // One way to another time: that of the held task.
    assert!(shown.contains("move-held") && !shown.contains("id=\"schedule-publish\""), "{shown}");
    server.act_on_task(&task, "cancel", json!({})).await.expect(200);
    let shown = browser.get(&page).await.expect_page();
    assert!(!shown.contains("move-held") && shown.contains("id=\"schedule-publish\""), "{shown}");
}
