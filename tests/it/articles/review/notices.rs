//! Who is notified of a review, and the warnings before its deadline.

use super::{HOUR, MINUTE, approve, send_back};
use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use serde_json::json;
use test_support::SmtpSink;

on_both!(
    s1_reviewers_and_owner_are_warned_before_the_deadline,
    s1_a_decision_cancels_the_warnings_and_notifies_the_owner,
    s1_warnings_follow_the_deadline,
    s1_a_text_that_is_held_at_its_time_notifies_owner_and_reviewers,
    s1_attention_leads_from_a_held_text_to_its_review,
);

/// Texts of the notifications of a client, newest first.
async fn notified(client: &HttpClient) -> Vec<String> {
    let list = client.get("/api/v1/notifications").await.expect(200);
    list["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

/// Marks all notifications of a client as read: the next ones replace none of them.
async fn read(client: &HttpClient) {
    client.post("/api/v1/notifications/read", &json!({})).await.expect(200);
}

async fn s1_reviewers_and_owner_are_warned_before_the_deadline(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let deadline = json!({"after_submit": 40, "decision": "send_back"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let article = server.write("Harbour", "A text.").await;
    server.submit(&article).await;
    let waiting = notified(&server.as_reviewer()).await;
    assert_eq!(waiting, ["“Harbour” waits for your review."]);
    assert_eq!(notified(&server.as_creator()).await.len(), 0, "the author knows");
    let next = server.app.services.tasks.dashboard(&server.admin.actor, false).await.unwrap().next;
    let kinds: Vec<_> = next.iter().map(|row| row.kind.as_str()).collect();
    assert_eq!(kinds, ["review.decide"], "the dashboard leaves warnings out");
    server.advance(20 * MINUTE - 1).await;
    assert_eq!(notified(&server.as_reviewer()).await.len(), 1);
    server.advance(1).await;
    let reviewer = notified(&server.as_reviewer()).await;
    assert!(
        reviewer[0].starts_with("“Harbour” waits for your review.\nWithout a decision it is sent back: "),
        "{reviewer:?}"
    );
    let owner = notified(&server.as_creator()).await;
    assert!(owner[0].starts_with("“Harbour” has not been reviewed yet."), "{owner:?}");
    assert_eq!(notified(&server.as_colleague()).await.len(), 0, "a creator does not decide");
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert!(mail.to.contains(&server.creator.email) && mail.to.contains(&server.reviewer.email), "{mail:?}");
    server.advance(10 * MINUTE).await;
    let reviewer = notified(&server.as_reviewer()).await;
    assert_eq!((reviewer.len(), smtp.received().len()), (1, 2), "one for one text: {reviewer:?}");
    server.advance(10 * MINUTE).await;
    let owner = notified(&server.as_creator()).await;
    assert_eq!(owner[0], "“Harbour” was sent back: no reviewer decided before the deadline.");
    server.assert_execution_records_match().await;
}

async fn s1_a_decision_cancels_the_warnings_and_notifies_the_owner(server: TestServer) {
    let deadline = json!({"after_submit": 40, "decision": "hold"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let article = server.write("Decided", "A text.").await;
    let submitted = server.submit(&article).await;
    send_back(&server.as_reviewer(), &submitted, "Too short").await.expect(200);
    assert_eq!(notified(&server.as_creator()).await, ["“Decided” was sent back: Too short"]);
    read(&server.as_creator()).await;
    let again = server.submit(&article).await;
    approve(&server.as_reviewer(), &again).await.expect(200);
    assert_eq!(notified(&server.as_creator()).await[0], "“Decided” is approved.");
    server.advance(HOUR).await;
    assert_eq!(notified(&server.as_creator()).await.len(), 2, "no warning after the decision");
    assert_eq!(notified(&server.as_reviewer()).await.len(), 1, "one for both submissions");
    server.assert_execution_records_match().await;
}

async fn s1_warnings_follow_the_deadline(server: TestServer) {
    let deadline = json!({"before_publish": 60, "decision": "hold"});
    server.set_workflow("one_reviewer", json!({"deadline": deadline})).await;
    let article = server.write("Moved", "A text.").await;
    server.submit(&article).await;
    let task = server.schedule_in(&article, 3 * HOUR).await;
    let id = task["id"].as_str().unwrap();
    let body = json!({"seen_version": task["version"], "due_at": server.time_after(9 * HOUR)});
    server.as_creator().post(&format!("/api/v1/tasks/{id}/reschedule"), &body).await.expect(200);
    read(&server.as_reviewer()).await;
    let before = notified(&server.as_reviewer()).await.len();
    server.advance(4 * HOUR - 1).await;
    assert_eq!(notified(&server.as_reviewer()).await.len(), before, "half of two hours is over");
    server.advance(1).await;
    assert_eq!(notified(&server.as_reviewer()).await.len(), before + 1, "half of eight hours");
    read(&server.as_reviewer()).await;
    server.advance(3 * HOUR).await;
    assert_eq!(notified(&server.as_reviewer()).await.len(), before + 2, "an hour before");
}

async fn s1_a_text_that_is_held_at_its_time_notifies_owner_and_reviewers(server: TestServer) {
    server.set_workflow("automatic", json!({})).await;
    let (_, task) = server.schedule_new_article("Late words", HOUR).await;
    let list = json!({"name": "Late", "language": "any", "action": "block", "terms": ["late words"]});
    server.as_admin().post("/api/v1/word-lists", &list).await.expect(201);
    server.advance(HOUR + 60_000).await;
    assert_ne!(server.task(&task).await["state"], "executed");
    let held = "“Late words” was not published: it contains words that must not be published.";
    assert_eq!(notified(&server.as_creator()).await[0], held);
    assert_eq!(notified(&server.as_reviewer()).await[0], held);
}

async fn s1_attention_leads_from_a_held_text_to_its_review(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, _) = server.schedule_new_article("Kept", MINUTE).await;
    server.advance(MINUTE).await;
    server.advance(6_000).await;
    let link = format!("href=\"/review/{}\"", article["id"].as_str().unwrap());
    for account in [&server.creator, &server.admin] {
        let page = server.log_in_browser(account).await.get("/").await.expect_page();
        for part in ["“Kept” is held by the review", &link, "Open the review"] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
