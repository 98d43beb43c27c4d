//! Channels that ask for it are notified of reviews, and of tasks that did not do what was planned.

use super::{HOUR, MINUTE, SECOND, approve, send_back};
use crate::{calendar::ics::part, on_both, test_server::TestServer};
use domain::{KindClass, Priority, TaskId, Version};
use serde_json::{Value, json};
use store::execute::{Claim, CrashOutcome, record_crash};
use test_support::{Sink, SmtpSink};

on_both!(
    a_channel_is_notified_of_each_step_of_a_review,
    a_held_article_and_its_missed_task_are_reported_and_its_release_too,
    a_text_that_a_list_blocks_at_its_time_is_reported_once,
    a_deadline_that_passes_is_reported_with_what_it_decides,
    a_task_that_crashes_its_nodes_is_reported,
    no_channel_is_notified_of_reviews_unasked,
    a_mail_channel_names_a_held_article_and_links_its_page,
);

const ALL: [&str; 8] = [
    "article.submitted",
    "article.approved",
    "article.sent_back",
    "article.held",
    "article.released",
    "approval.expired",
    "task.failed",
    "task.missed",
];

/// What the sink received, in the order of the changes.
fn bodies(sink: &Sink) -> Vec<Value> {
    let mut bodies: Vec<Value> =
        sink.received().iter().map(|one| serde_json::from_str(&one.body).unwrap()).collect();
    bodies.sort_by_key(|body| (body["timestamp"].to_string(), body["type"].to_string()));
    bodies
}

/// Event, state and reason of each message.
fn reported(sink: &Sink) -> Vec<(String, String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let all = bodies(sink).into_iter();
    all.map(|body| (word(&body["type"]), word(&body["data"]["state"]), word(&body["data"]["reason"])))
        .collect()
}

fn rows(all: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    let owned = |text: &&str| (*text).to_owned();
    all.iter().map(|(event, state, reason)| (owned(event), owned(state), owned(reason))).collect()
}

async fn a_channel_is_notified_of_each_step_of_a_review(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"events": ALL})).await;
    assert_eq!(channel["events"], json!(ALL));
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Plan", "A text.").await;
    let submitted = server.submit(&article).await;
    server.advance(SECOND).await;
    send_back(&server.as_reviewer(), &submitted, "Too short").await.expect(200);
    server.advance(SECOND).await;
    server.rewrite(&article, "A longer text.").await;
    let submitted = server.submit(&article).await;
    server.advance(SECOND).await;
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    server.tick().await;
    let expected = rows(&[
        ("article.submitted", "submitted", ""),
        ("article.sent_back", "sent_back", "Too short"),
        ("article.submitted", "submitted", ""),
        ("article.approved", "approved", ""),
    ]);
    assert_eq!(reported(&sink), expected);
    let all = bodies(&sink);
    let data = &all[3]["data"];
    assert_eq!((&data["article_id"], &data["revision"]), (&article["id"], &json!(2)));
    assert_eq!(
        (&data["title"], &data["owner"], &data["by"]),
        (&json!("Plan"), &json!("creator"), &json!("reviewer"))
    );
    assert_eq!(data["path"], format!("/articles/{}", article["id"].as_str().unwrap()));
    assert_eq!((&data["due_at"], &data["task_id"]), (&Value::Null, &Value::Null));
    // A text that needs no reviewer is approved without one.
    server.set_workflow("automatic", json!({})).await;
    server.advance(SECOND).await;
    server.submit(&server.write("Clean", "Text.").await).await;
    server.tick().await;
    let both = rows(&[("article.approved", "approved", ""), ("article.submitted", "approved", "")]);
    assert_eq!(reported(&sink)[4..], both);
    assert_eq!(bodies(&sink)[4]["data"]["by"], Value::Null);
}

async fn a_held_article_and_its_missed_task_are_reported_and_its_release_too(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"events": ALL})).await;
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, task) = server.schedule_new_article("Waits", HOUR).await;
    let due_at = task["due_at"].clone();
    server.tick().await;
    assert_eq!(bodies(&sink)[0]["data"]["title"], "Waits");
    server.advance(HOUR + 6 * SECOND).await;
    let missed = server.task(&task).await;
    assert_eq!(missed["state"], "missed");
    server.advance(MINUTE).await;
    approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    server.tick().await;
    let expected = rows(&[
        ("article.submitted", "submitted", ""),
        ("article.held", "held", "not_approved"),
        ("task.missed", "missed", "not_approved"),
        ("article.approved", "approved", ""),
        ("article.released", "approved", ""),
    ]);
    assert_eq!(reported(&sink), expected);
    let all = bodies(&sink);
    assert_eq!((&all[1]["data"]["due_at"], &all[1]["data"]["task_id"]), (&due_at, &task["id"]));
    assert_eq!(all[4]["data"]["task_id"], task["id"]);
    let data = &all[2]["data"];
    assert_eq!((&data["task_id"], &data["target_id"]), (&task["id"], &article["id"]));
    assert_eq!((&data["kind"], &data["target_kind"]), (&json!("article.publish"), &json!("article")));
    assert_eq!((&data["title"], &data["due_at"]), (&json!("Waits"), &due_at));
    assert_eq!(data["path"], format!("/tasks/{}", task["id"].as_str().unwrap()));
    server.assert_execution_records_match().await;
}

async fn a_text_that_a_list_blocks_at_its_time_is_reported_once(server: TestServer) {
    let sink = Sink::start().await;
    server.set_workflow("automatic", json!({})).await;
    let (_, task) = server.schedule_new_article("Later", HOUR).await;
    server.create_list("block", json!(["later"])).await;
    server.create_webhook(&sink, json!({"events": ALL})).await;
    server.advance(HOUR).await;
    assert_eq!(server.task(&task).await["state"], "failed");
    server.tick().await;
    let expected = rows(&[("article.held", "held", "words_block"), ("task.failed", "failed", "words_block")]);
    assert_eq!(reported(&sink), expected);
    server.assert_execution_records_match().await;
}

async fn a_deadline_that_passes_is_reported_with_what_it_decides(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"events": ["approval.expired", "article.approved"]})).await;
    for (decision, state) in [("send_back", "expired"), ("approve", "approved"), ("hold", "held")] {
        let deadline = json!({"after_submit": 30, "decision": decision});
        server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
        let article = server.write(decision, "A text.").await;
        server.submit(&article).await;
        server.advance(30 * MINUTE).await;
        assert_eq!(server.review_state(&article).await, state);
    }
    server.tick().await;
    let expected = rows(&[
        ("approval.expired", "expired", "deadline"),
        ("approval.expired", "approved", "deadline"),
        ("article.approved", "approved", "deadline"),
        ("approval.expired", "held", "deadline"),
    ]);
    assert_eq!(reported(&sink), expected);
    assert!(bodies(&sink).iter().all(|body| body["data"]["by"].is_null()));
}

async fn a_task_that_crashes_its_nodes_is_reported(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"events": ["task.failed"]})).await;
    let (_, task) = server.schedule_new_article("Crashes", HOUR).await;
    let id = TaskId(task["id"].as_str().unwrap().parse().unwrap());
    let (priority, version) = (Priority::Normal, Version::FIRST);
    let class = KindClass::Content;
    let claim = Claim {
        task: id,
        version,
        priority,
        class,
        bucket: 0,
        hinted_at: None,
        moved_at: None,
        popped_at: None,
    };
    let mut outcome = CrashOutcome::Changed;
    for _ in 0..5 {
        outcome = record_crash(&server.app.parts.store, &claim, server.now()).await.unwrap();
    }
    assert_eq!(outcome, CrashOutcome::Failed);
    server.tick().await;
    assert_eq!(reported(&sink), rows(&[("task.failed", "failed", "poison")]));
}

async fn no_channel_is_notified_of_reviews_unasked(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    assert_eq!(channel["events"], json!(["article.published", "article.updated", "article.unpublished"]));
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, task) = server.schedule_new_article("Quiet", HOUR).await;
    send_back(&server.as_reviewer(), &server.article(&article).await, "No").await.expect(200);
    let submitted = server.submit(&article).await;
    server.advance(HOUR + 6 * SECOND).await;
    assert_eq!(server.task(&task).await["state"], "missed");
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    server.tick().await;
    let events: Vec<Value> = bodies(&sink).into_iter().map(|body| body["type"].clone()).collect();
    assert_eq!(events, ["article.published"]);
}

async fn a_mail_channel_names_a_held_article_and_links_its_page(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let settings = json!({"events": ["article.held"], "mail": {"to": ["anna@example.org"]}});
    server.create_mail_channel(&smtp, settings).await;
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, _) = server.schedule_new_article("Waits", HOUR).await;
    server.advance(HOUR + 6 * SECOND).await;
    server.tick().await;
    let [mail] = &smtp.received()[..] else { panic!("one mail") };
    assert_eq!(mail.header("Subject"), "Not published, held by the review: Waits");
    let page = format!("/articles/{}", article["id"].as_str().unwrap());
    assert!(part(mail, "text/plain").1.contains(&page), "{}", mail.text);
}
