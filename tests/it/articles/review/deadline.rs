//! Deadlines that decide.

use super::{HOUR, MINUTE, SECOND, approve, send_back};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_a_deadline_sends_back_approves_or_holds,
    s1_a_deadline_counts_from_the_planned_publication,
    s1_texts_that_are_scheduled_together_are_submitted_and_followed_together,
    s1_a_deadline_escalates_to_one_reviewer,
    s1_a_deadline_is_kept_after_an_outage,
    s1_a_deadline_never_approves_blocked_words,
);

async fn s1_a_deadline_sends_back_approves_or_holds(server: TestServer) {
    let expected = [("send_back", "expired"), ("approve", "approved"), ("hold", "held")];
    for (decision, state) in expected {
        let deadline = json!({"after_submit": 30, "decision": decision});
        server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
        let (article, task) = server.schedule_new_article(decision, HOUR).await;
        let review = &server.article(&article).await["review"];
        assert_eq!(review["deadline_at"], server.time_after(30 * MINUTE));
        server.advance(30 * MINUTE - 1).await;
        assert_eq!(server.review_state(&article).await, "submitted");
        server.advance(1).await;
        let decided = server.article(&article).await;
        assert_eq!(decided["review"]["state"], state);
        assert_eq!(
            (&decided["review"]["deadline_at"], &decided["review"]["reviewer"]),
            (&Value::Null, &Value::Null)
        );
        let is_open = state == "held";
        let late = send_back(&server.as_reviewer(), &decided, "Too late").await;
        assert_eq!(late.status, if is_open { 200 } else { 409 });
        server.advance(30 * MINUTE + 6 * SECOND).await;
        let is_published = server.task(&task).await["state"] == "executed";
        assert_eq!(is_published, state == "approved");
    }
    server.assert_execution_records_match().await;
}

async fn s1_a_deadline_counts_from_the_planned_publication(server: TestServer) {
    let deadline = json!({"before_publish": 60, "decision": "send_back"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let article = server.write("Planned", "A plan.").await;
    assert_eq!(server.submit(&article).await["review"]["deadline_at"], Value::Null, "nothing is planned");
    let task = server.schedule_in(&article, 3 * HOUR).await;
    let deadline = server.article(&article).await["review"]["deadline_at"].clone();
    assert_eq!(deadline, server.time_after(2 * HOUR));
    let id = task["id"].as_str().unwrap();
    let body = json!({"seen_version": task["version"], "due_at": server.time_after(5 * HOUR)});
    server.as_creator().post(&format!("/api/v1/tasks/{id}/reschedule"), &body).await.expect(200);
    let deadline = server.article(&article).await["review"]["deadline_at"].clone();
    assert_eq!(deadline, server.time_after(4 * HOUR), "it follows the task");
    server.advance(4 * HOUR).await;
    assert_eq!(server.review_state(&article).await, "expired");
    // A moment that has passed already is replaced by the publication.
    let (soon, _) = server.schedule_new_article("Soon", 10 * MINUTE).await;
    let deadline = server.article(&soon).await["review"]["deadline_at"].clone();
    assert_eq!(deadline, server.time_after(10 * MINUTE));
}

async fn s1_texts_that_are_scheduled_together_are_submitted_and_followed_together(server: TestServer) {
    let deadline = json!({"before_publish": 60, "decision": "send_back"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let mut articles = Vec::new();
    // More than one transaction takes.
    for number in 0..55 {
        articles.push(server.write(&format!("Text {number}"), "A plan.").await);
    }
    let approved = articles[7].clone();
    let reviewed = server.submit(&approved).await;
    approve(&server.as_reviewer(), &reviewed).await.expect(200);
    let blocked = server.write("Blocked", "A casino.").await;
    articles.push(blocked.clone());
    server.create_list("block", json!(["casino"])).await;
    let new = |article: &Value| json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(3 * HOUR)});
    let body = json!({"items": articles.iter().map(new).collect::<Vec<_>>()});
    let made = server.as_creator().post("/api/v1/tasks/bulk", &body).await.expect(201);
    let tasks = made["items"].as_array().unwrap();
    assert_eq!(tasks.len(), 56);
    for (task, article) in tasks.iter().zip(&articles) {
        assert_eq!(task["target_id"], article["id"], "in the order of the request");
        let is_approved = article["id"] == approved["id"];
        assert_eq!(task["needs_approval"], !is_approved, "{task}");
    }
    let ids: Vec<&Value> = tasks.iter().map(|task| &task["id"]).collect();
    let check = async |state: &str, hours: i64| {
        for article in articles.iter().filter(|one| ![&approved["id"], &blocked["id"]].contains(&&one["id"]))
        {
            let review = server.article(article).await["review"].clone();
            assert_eq!(
                (&review["state"], &review["deadline_at"]),
                (&json!(state), &json!(server.time_after(hours * HOUR)))
            );
        }
    };
    check("submitted", 2).await;
    assert_eq!(server.review_state(&approved).await, "approved");
    assert_eq!(server.review_state(&blocked).await, "held");
    for article in [&articles[0], &articles[54], &blocked] {
        let verbs = server.article_verbs(article).await;
        assert_eq!(verbs.iter().filter(|verb| *verb == "submit").count(), 1, "{verbs:?}");
    }
    // Moved together, the deadlines follow.
    let shift = json!({"ids": ids, "change": {"type": "shift", "minutes": 120}});
    let moved = server.as_creator().post("/api/v1/tasks/bulk-change", &shift).await.expect(200);
    assert_eq!(moved["changed"], 56, "{moved}");
    check("submitted", 4).await;
    server.advance(4 * HOUR).await;
    assert_eq!(server.review_state(&articles[0]).await, "expired");
    assert_eq!(server.review_state(&articles[54]).await, "expired");
    server.assert_execution_records_match().await;
}

async fn s1_a_deadline_escalates_to_one_reviewer(server: TestServer) {
    let admin = server.admin.actor.account.to_string();
    let deadline = json!({"after_submit": 30, "decision": "escalate", "escalate_to": admin});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let article = server.write("Escalated", "A text.").await;
    let submitted = server.submit(&article).await;
    server.advance(30 * MINUTE).await;
    let held = server.article(&article).await;
    assert_eq!((&held["review"]["state"], &held["review"]["assigned_to"]), (&json!("held"), &json!("admin")));
    assert_eq!(approve(&server.as_reviewer(), &submitted).await.refused(403), "assigned");
    approve(&server.as_admin(), &held).await.expect(200);
}

async fn s1_a_deadline_is_kept_after_an_outage(server: TestServer) {
    let deadline = json!({"after_submit": 30, "decision": "approve"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let (article, _) = server.schedule_new_article("Outage", HOUR).await;
    server.advance_without_loops(12 * HOUR);
    server.tick().await;
    server.advance(1).await;
    assert_eq!(server.review_state(&article).await, "approved");
    server.advance(SECOND).await;
    assert_eq!(server.article(&article).await["published_revision"], 1, "late, and not lost");
    server.assert_execution_records_match().await;
}

async fn s1_a_deadline_never_approves_blocked_words(server: TestServer) {
    let deadline = json!({"after_submit": 30, "decision": "approve"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let (article, task) = server.schedule_new_article("Casino", HOUR).await;
    server.create_list("block", json!(["casino"])).await;
    server.advance(30 * MINUTE).await;
    assert_eq!(server.review_state(&article).await, "approved", "it was clean when it was submitted");
    server.advance(HOUR).await;
    let held = server.task(&task).await;
    assert_eq!((&held["state"], &held["reason"]), (&json!("failed"), &json!("words_block")));
    assert_eq!(server.review_state(&article).await, "held");
    let second = server.write("Another casino", "Text.").await;
    assert_eq!(server.submit(&second).await["review"]["deadline_at"], Value::Null);
    server.advance(HOUR).await;
    assert_eq!(server.review_state(&second).await, "held");
}
