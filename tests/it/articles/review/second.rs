//! Two reviewers, deadlines that count working hours, and texts that were held.

use super::{HOUR, MINUTE, SECOND, approve, links, path, send_back};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_two_reviewers_approve_one_after_the_other,
    s1_a_link_is_one_of_two_approvals,
    s1_new_hits_take_a_first_approval_back,
    s1_a_deadline_counts_working_hours,
    s1_working_hours_are_checked,
    s1_run_now_leaves_what_is_not_approved,
    s1_a_held_text_that_is_scheduled_again_is_submitted_again,
    s1_a_held_article_is_shown_with_its_planned_time,
    an_approval_is_undone_until_the_text_is_public,
    an_approval_is_undone_within_a_minute_by_its_reviewer,
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

async fn s1_run_now_leaves_what_is_not_approved(server: TestServer) {
    server.set_workflow("two_reviewers", json!({})).await;
    let (article, task) = server.schedule_new_article("Waiting", HOUR).await;
    let creator = server.as_creator();
    for dry_run in [true, false] {
        let body = json!({"ids": [task["id"]], "change": {"type": "run_now"}, "dry_run": dry_run});
        let outcome = creator.post("/api/v1/tasks/bulk-change", &body).await.expect(200);
        assert_eq!((&outcome["matched"], &outcome["changed"]), (&json!(1), &json!(0)), "{outcome}");
        assert_eq!(outcome["refused"][0]["code"], "not_approved");
    }
    let now = format!("/api/v1/tasks/{}/publish-now", task["id"].as_str().unwrap());
    let refused = creator.post(&now, &json!({"seen_version": task["version"]})).await.expect(409);
    assert_eq!(refused["error"]["code"], "not_approved");
    assert!(refused["error"]["message"].as_str().unwrap().contains("stays planned for"), "{refused}");
    assert_eq!(server.task(&task).await["due_at"], task["due_at"]);
    approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
    approve(&server.as_admin(), &server.article(&article).await).await.expect(200);
    let body = json!({"ids": [task["id"]], "change": {"type": "run_now"}});
    let outcome = creator.post("/api/v1/tasks/bulk-change", &body).await.expect(200);
    assert_eq!(outcome["changed"], 1, "{outcome}");
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
}

async fn s1_a_held_text_that_is_scheduled_again_is_submitted_again(server: TestServer) {
    let deadline = json!({"before_publish": 30, "decision": "hold"});
    server.set_workflow("two_reviewers", json!({"deadline": deadline})).await;
    for is_rescheduled in [false, true] {
        let (article, task) = server.schedule_new_article("Held", HOUR).await;
        server.advance(30 * MINUTE).await;
        assert_eq!(server.review_state(&article).await, "held");
        approve(&server.as_reviewer(), &server.article(&article).await).await.expect(200);
        server.advance(30 * MINUTE + 6 * SECOND).await;
        let held = server.task(&task).await;
        assert_eq!((&held["state"], &held["reason"]), (&json!("missed"), &json!("not_approved")));
        let again = if is_rescheduled {
            let path = format!("/api/v1/tasks/{}/reschedule", task["id"].as_str().unwrap());
            let body = json!({"seen_version": held["version"], "due_at": server.time_after(2 * HOUR)});
            server.as_creator().post(&path, &body).await.expect(200)
        } else {
            let new = server.schedule_in(&article, 2 * HOUR).await;
            assert_eq!(server.task(&task).await["state"], "cancelled", "the new task replaces it");
            new
        };
        assert!(server.causes().await.is_empty());
        let current = server.article(&article).await;
        let due = server.time_after(2 * HOUR - 30 * MINUTE);
        assert_eq!(
            (&current["review"]["state"], &current["review"]["deadline_at"]),
            (&json!("submitted"), &json!(due))
        );
        assert_eq!(current["review"]["first_approval"]["reviewer"], "reviewer", "it is kept");
        approve(&server.as_admin(), &current).await.expect(200);
        server.advance(HOUR).await;
        assert_eq!(server.article(&article).await["published_at"], Value::Null, "not before its time");
        server.advance(HOUR).await;
        assert_eq!(server.task(&again).await["state"], "executed");
    }
    server.assert_execution_records_match().await;
}

async fn s1_a_held_article_is_shown_with_its_planned_time(server: TestServer) {
    const HELD: &str = "Held: published at once when approved";
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, _) = server.schedule_new_article("Kept back", MINUTE).await;
    let browser = server.log_in_browser(&server.creator).await;
    let editor = format!("/articles/{}?view=schedule", article["id"].as_str().unwrap());
    for path in ["/articles", editor.as_str()] {
        assert!(!browser.get(path).await.expect_page().contains(HELD), "{path}");
    }
    server.advance(MINUTE).await;
    server.advance(6 * SECOND).await;
    for path in ["/articles", editor.as_str()] {
        let shown = browser.get(path).await.expect_page();
        assert_contains(&shown, &[HELD, "Was planned for", "Dismiss"]);
        assert!(!shown.contains("Draft: not scheduled"), "{shown}");
    }
}

async fn an_approval_is_undone_until_the_text_is_public(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("News", "Something happened.").await;
    let submitted = server.submit(&article).await;
    server.schedule_in(&article, HOUR).await;
    let (reviewer, undo, seen) =
        (server.as_reviewer(), path(&article, "/undo-approval"), json!({"seen_revision": 1}));
    assert_eq!(reviewer.post(&undo, &seen).await.refused(409), "cannot_undo");
    let approved = approve(&reviewer, &submitted).await.expect(200);
    assert_eq!(approved["review"]["undo_until"], server.time_after(MINUTE));
    assert_eq!(server.as_creator().post(&undo, &seen).await.refused(403), "not_allowed");
    assert_eq!(reviewer.post(&undo, &json!({"seen_revision": 2})).await.refused(409), "stale_revision");
    let undone = reviewer.post(&undo, &seen).await.expect(200);
    assert_eq!((&undone["state"], &undone["review"]["state"]), (&json!("in_review"), &json!("submitted")));
    let review = &undone["review"];
    assert_eq!((&review["reviewer"], &review["undo_until"]), (&Value::Null, &Value::Null));
    assert_eq!(server.article_verbs(&article).await, ["create", "submit", "approve", "undo_approval"]);
    // Without another approval it is not published.
    server.advance(HOUR + 6 * SECOND).await;
    assert_eq!(server.article(&article).await["published_at"], Value::Null);
    approve(&reviewer, &undone).await.expect(200);
    server.advance(SECOND).await;
    assert_eq!(server.article(&article).await["published_revision"], 1);
    assert_eq!(reviewer.post(&undo, &seen).await.refused(409), "cannot_undo");
}

async fn an_approval_is_undone_within_a_minute_by_its_reviewer(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("News", "Something happened.").await;
    let submitted = server.submit(&article).await;
    approve(&server.as_reviewer(), &submitted).await.expect(200);
    let id = article["id"].as_str().unwrap();
    let page = format!("/review/{id}");
    let browser = server.log_in_browser(&server.reviewer).await;
    assert_contains(&browser.get(&page).await.expect_page(), &["Undo the approval"]);
    let form = [("id", id), ("seen", "1"), ("from", page.as_str())];
    let done = browser.form("/fn/undo_approval", &form).await;
    assert_eq!(done.status, 303, "{}", done.text);
    let shown = browser.get(done.header("location")).await.expect_page();
    assert_contains(&shown, &["The approval is undone."]);
    assert_eq!(server.review_state(&article).await, "submitted");
    approve(&server.as_admin(), &submitted).await.expect(200);
    let (undo, seen) = (path(&article, "/undo-approval"), json!({"seen_revision": 1}));
    assert_eq!(
        server.as_reviewer().post(&undo, &seen).await.refused(409),
        "cannot_undo",
        "it is the admin's"
    );
    server.set_workflow("none", json!({})).await;
    assert_eq!(
        server.as_admin().post(&undo, &seen).await.refused(409),
        "cannot_undo",
        "no reviewer would be asked"
    );
    server.set_workflow("one_reviewer", json!({})).await;
    server.advance(MINUTE).await;
    assert_eq!(server.as_admin().post(&undo, &seen).await.refused(409), "cannot_undo");
    assert!(!browser.get(&page).await.expect_page().contains("Undo the approval"));
}
