//! Two reviewers, and deadlines that count working hours.

use super::{HOUR, MINUTE, SECOND, approve, links, path, send_back};
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_two_reviewers_approve_one_after_the_other,
    s1_a_link_is_one_of_two_approvals,
    s1_new_hits_take_a_first_approval_back,
    s1_a_deadline_counts_working_hours,
    s1_working_hours_are_checked,
);

async fn s1_two_reviewers_approve_one_after_the_other(server: TestServer) {
    server.set_workflow("two_reviewers", json!({})).await;
    let (article, task) = server.schedule_new_article("Twice", HOUR).await;
    let submitted = server.article(&article).await;
    assert_eq!(submitted["review"]["first_approval"], Value::Null);
    let first = approve(&server.as_reviewer(), &submitted).await.expect(200);
    assert_eq!(
        (&first["review"]["state"], &first["review"]["first_approval"]["reviewer"]),
        (&json!("submitted"), &json!("reviewer"))
    );
    assert_eq!(approve(&server.as_reviewer(), &submitted).await.refused(403), "approved_by_you");
    server.advance(HOUR + 6 * SECOND).await;
    let held = server.task(&task).await;
    assert_eq!((&held["state"], &held["reason"]), (&json!("missed"), &json!("not_approved")));
    let held = server.article(&article).await;
    assert_eq!(held["review"]["first_approval"]["reviewer"], "reviewer", "it is kept: nothing changed");
    let second = approve(&server.as_admin(), &held).await.expect(200);
    assert_eq!(
        (&second["review"]["state"], &second["review"]["reviewer"]),
        (&json!("approved"), &json!("admin"))
    );
    server.advance(1).await;
    assert_eq!(server.article(&article).await["published_revision"], 1);
    let verbs = server.article_verbs(&article).await;
    assert_eq!(verbs, ["create", "submit", "approve_first", "approve", "publish"]);
    // Sent back after the first approval: both approve again.
    let text = server.write("Again", "A text.").await;
    let submitted = server.submit(&text).await;
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    send_back(&server.as_admin(), &submitted, "Name the source.").await.expect(200);
    server.rewrite(&text, "A text, says the ministry.").await;
    let again = server.submit(&text).await;
    assert_eq!(again["review"]["first_approval"], Value::Null);
    let first = approve(&server.as_admin(), &again).await.expect(200);
    assert_eq!(first["review"]["state"], "submitted");
    assert_eq!(approve(&server.as_reviewer(), &again).await.expect(200)["review"]["state"], "approved");
    server.assert_execution_records_match().await;
}

async fn s1_a_link_is_one_of_two_approvals(server: TestServer) {
    server.set_workflow("two_reviewers", json!({})).await;
    let article = server.write("By link", "A text.").await;
    let submitted = server.submit(&article).await;
    let new = json!({"name": "Lou"});
    let link = server.as_reviewer().post(&path(&article, "/review-links"), &new).await.expect(201);
    let link = link["url"].as_str().unwrap().strip_prefix(&server.url).unwrap();
    assert_eq!(links::decide(&server.browser(), link, "approve", "").await, 303);
    let current = server.article(&article).await;
    assert_eq!(
        (&current["review"]["state"], &current["review"]["first_approval"]["reviewer"]),
        (&json!("submitted"), &json!("Lou"))
    );
    // Neither another link of that reviewer nor the reviewer gives the second approval.
    let again = server.as_reviewer().post(&path(&article, "/review-links"), &new).await;
    assert_eq!(again.refused(403), "approved_by_you");
    assert_eq!(approve(&server.as_reviewer(), &submitted).await.refused(403), "approved_by_you");
    assert_eq!(approve(&server.as_admin(), &current).await.expect(200)["review"]["state"], "approved");
}

async fn s1_new_hits_take_a_first_approval_back(server: TestServer) {
    server.set_workflow("two_reviewers", json!({})).await;
    let article = server.write("Hits", "A casino.").await;
    let submitted = server.submit(&article).await;
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    server.create_list("needs_approval", json!(["casino"])).await;
    assert_eq!(approve(&server.as_admin(), &submitted).await.refused(409), "new_hits");
    let current = server.article(&article).await;
    assert_eq!(current["review"]["first_approval"], Value::Null, "the first reviewer has not seen them");
    approve(&server.as_reviewer(), &current).await.expect(200);
    approve(&server.as_admin(), &current).await.expect(200);
    assert_eq!(server.review_state(&article).await, "approved");
}

async fn s1_a_deadline_counts_working_hours(server: TestServer) {
    // The clock starts on a Monday, 08:00 UTC.
    let hours = json!([{"weekdays": ["monday", "wednesday"], "from": "09:00", "to": "10:00"}]);
    let deadline = json!({"after_submit": 90, "count": "working_hours", "decision": "send_back"});
    let settings = json!({"deadline": deadline, "working_hours": hours});
    let stored = server.set_workflow("one_reviewer", settings).await;
    assert_eq!((&stored["deadline"]["count"], &stored["working_hours"]), (&json!("working_hours"), &hours));
    let article = server.write("Hours", "A text.").await;
    // An hour of Monday, and half an hour of Wednesday.
    let deadline = server.time_after(49 * HOUR + 30 * MINUTE);
    assert_eq!(server.submit(&article).await["review"]["deadline_at"], deadline);
    server.advance(49 * HOUR + 30 * MINUTE - 1).await;
    assert_eq!(server.review_state(&article).await, "submitted");
    server.advance(1).await;
    assert_eq!(server.review_state(&article).await, "expired");
}

async fn s1_working_hours_are_checked(server: TestServer) {
    let admin = server.as_admin();
    let refused = [
        json!({"deadline": {"after_submit": 60, "count": "working_hours"}}),
        json!({"working_hours": [{"from": "18:00", "to": "09:00"}]}),
        json!({"working_hours": [{"weekdays": ["someday"], "from": "08:00", "to": "09:00"}]}),
        json!({"deadline": {"after_submit": 60, "count": "moons"}}),
    ];
    for settings in refused {
        assert_eq!(
            admin.patch("/api/v1/settings/review", &settings).await.refused(422),
            "invalid",
            "{settings}"
        );
    }
}
