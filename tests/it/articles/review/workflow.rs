//! Submit, approve, send back, publish.

use super::{HOUR, MINUTE, SECOND, approve, links, path, send_back};
use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, test_server::TestServer,
};
use serde_json::{Value, json};

on_both!(
    s1_without_a_workflow_everything_is_as_before,
    s1_a_reviewer_approves_and_the_text_is_published_at_its_time,
    s1_what_is_not_approved_in_time_is_held_and_published_after_the_approval,
    s1_a_reviewer_of_a_held_text_reads_that_approving_publishes_it,
    s1_the_line_of_the_day_counts_a_held_text_until_it_is_scheduled_again,
    s1_writing_goes_on_while_a_text_is_reviewed,
    s1_a_text_is_sent_back_with_a_reason_and_submitted_again,
    s1_no_reviewer_approves_an_own_article_unless_allowed,
    s1_the_asked_reviewer_is_notified_and_sees_the_text_first,
    s1_the_form_asks_reviewers_and_the_page_shows_those_that_are_mine,
);

async fn s1_without_a_workflow_everything_is_as_before(server: TestServer) {
    let settings = server.as_creator().get("/api/v1/settings/review").await.expect(200);
    assert_eq!((&settings["workflow"], &settings["allow_own"]), (&json!("none"), &json!(false)));
    server.create_list("block", json!(["casino"])).await;
    let article = server.write("Plain", "A casino.").await;
    assert_eq!(article["review"], Value::Null);
    let submitted = server.as_creator().post(&path(&article, "/submit"), &json!({"seen_revision": 1})).await;
    assert_eq!(submitted.refused(409), "no_workflow");
    let task = server.schedule_in(&article, MINUTE).await;
    server.advance(MINUTE).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.article(&article).await["review"], Value::Null);
}

async fn s1_a_reviewer_approves_and_the_text_is_published_at_its_time(server: TestServer) {
    let settings = server.set_workflow("one_reviewer", json!({})).await;
    assert_eq!((&settings["workflow"], &settings["version"]), (&json!("one_reviewer"), &json!(1)));
    let article = server.write("News", "Something happened.").await;
    let submitted = server.submit(&article).await;
    assert_eq!(
        (&submitted["state"], &submitted["review"]["state"]),
        (&json!("in_review"), &json!("submitted"))
    );
    assert_eq!(server.submit(&article).await["review"], submitted["review"], "once more changes nothing");
    let task = server.schedule_in(&article, HOUR).await;
    let other = server.as_colleague();
    assert_eq!(approve(&other, &submitted).await.refused(403), "not_allowed");
    let stale = json!({"seen_revision": 2, "revision_hash": submitted["review"]["hash"]});
    let reviewer = server.as_reviewer();
    assert_eq!(reviewer.post(&path(&article, "/approve"), &stale).await.refused(409), "stale_revision");
    let wrong = json!({"seen_revision": 1, "revision_hash": "0".repeat(64)});
    assert_eq!(reviewer.post(&path(&article, "/approve"), &wrong).await.refused(409), "stale_revision");
    let approved = approve(&reviewer, &submitted).await.expect(200);
    assert_eq!((&approved["state"], &approved["review"]["state"]), (&json!("approved"), &json!("approved")));
    assert_eq!(approved["review"]["reviewer"], "reviewer");
    assert_eq!(approve(&reviewer, &submitted).await.refused(409), "review_closed");
    assert_eq!(send_back(&reviewer, &submitted, "Too late").await.refused(409), "review_closed");
    server.advance(HOUR - SECOND).await;
    assert_eq!(server.article(&article).await["published_at"], Value::Null);
    server.advance(SECOND).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    assert_eq!(server.article(&article).await["published_revision"], 1);
    assert_eq!(server.article_verbs(&article).await, ["create", "submit", "approve", "publish"]);
    server.assert_execution_records_match().await;
}

async fn s1_what_is_not_approved_in_time_is_held_and_published_after_the_approval(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, task) = server.schedule_new_article("Late", MINUTE).await;
    assert_eq!(server.review_state(&article).await, "submitted", "scheduling submits the text");
    server.advance(MINUTE).await;
    assert_eq!(server.article(&article).await["published_at"], Value::Null);
    server.advance(6 * SECOND).await;
    let held = server.task(&task).await;
    assert_eq!((&held["state"], &held["reason"]), (&json!("missed"), &json!("not_approved")));
    assert_eq!(server.causes().await, ["task_held"]);
    let retry = format!("/api/v1/tasks/{}/retry", task["id"].as_str().unwrap());
    let body = json!({"seen_version": held["version"]});
    server.as_creator().post(&retry, &body).await;
    server.advance(6 * SECOND).await;
    assert_eq!(server.article(&article).await["published_at"], Value::Null, "never without approval");
    let current = server.article(&article).await;
    approve(&server.as_reviewer(), &current).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.article(&article).await["published_revision"], 1);
    assert!(server.causes().await.is_empty());
    // Due, and approved before the task is held.
    let (second, task) = server.schedule_new_article("Just in time", MINUTE).await;
    server.advance(MINUTE + SECOND).await;
    assert_eq!(server.task(&task).await["state"], "scheduled");
    approve(&server.as_reviewer(), &server.article(&second).await).await.expect(200);
    server.advance(1).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    server.assert_execution_records_match().await;
}

async fn s1_the_line_of_the_day_counts_a_held_text_until_it_is_scheduled_again(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let browser = server.log_in_browser(&server.creator).await;
    let (article, _) = server.schedule_new_article("Again", MINUTE).await;
    server.advance(MINUTE).await;
    server.advance(6 * SECOND).await;
    assert_contains(&browser.get("/").await.expect_page(), &["0 to come, 1 need attention"]);
    server.schedule_in(&article, HOUR).await;
    assert_contains(&browser.get("/").await.expect_page(), &["1 to come, 0 need attention"]);
}

async fn s1_a_reviewer_of_a_held_text_reads_that_approving_publishes_it(server: TestServer) {
    const PUBLISHES: &str = "; approving publishes it at once.";
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, _) = server.schedule_new_article("Late", MINUTE).await;
    let id = article["id"].as_str().unwrap();
    let page = format!("/review/{id}");
    let browser = server.log_in_browser(&server.reviewer).await;
    let guest = links::link(&server, &article).await;
    for path in [page.as_str(), guest.as_str()] {
        let waiting = browser.get(path).await.expect_page();
        assert!(waiting.contains("Planned for") && !waiting.contains(PUBLISHES), "{waiting}");
    }
    server.advance(MINUTE).await;
    server.advance(6 * SECOND).await;
    for path in ["/review", page.as_str(), guest.as_str()] {
        assert_contains(&browser.get(path).await.expect_page(), &["Was planned for", PUBLISHES]);
    }
    let held = server.article(&article).await;
    let (seen, hash) = (held["review"]["revision"].to_string(), held["review"]["hash"].as_str().unwrap());
    let form = [("id", id), ("seen", seen.as_str()), ("hash", hash), ("from", page.as_str())];
    let done = browser.form("/fn/approve_text", &form).await;
    let result = format!("{page}?done=approve_held.{id}");
    assert_eq!((done.status, done.result_location()), (303, result));
    let shown = browser.get(done.header("location")).await.expect_page();
    assert_contains(&shown, &["Approved. The article is published at once."]);
    assert!(!shown.contains(PUBLISHES), "{shown}");
    server.advance(1).await;
    assert_eq!(server.article(&article).await["published_revision"], 1);
}

async fn s1_writing_goes_on_while_a_text_is_reviewed(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Growing", "The first text.").await;
    server.schedule_in(&article, HOUR).await;
    let submitted = server.submit(&article).await;
    for number in 2..=3 {
        let edit = json!({"body": format!("Text {number}."), "seen_revision": number - 1});
        server.as_creator().patch(&path(&article, ""), &edit).await.expect(200);
    }
    let current = server.article(&article).await;
    assert_eq!((&current["review"]["newer_edits"], &current["state"]), (&json!(2), &json!("draft")));
    assert_eq!(current["review"]["hash"], submitted["review"]["hash"]);
    approve(&server.as_reviewer(), &current).await.expect(200);
    server.advance(HOUR).await;
    let published = server.article(&article).await;
    assert_eq!((&published["published_revision"], &published["revision"]), (&json!(1), &json!(3)));
    let slug = published["slug"].as_str().unwrap();
    let page = server.as_anonymous().get(&format!("/site/{slug}")).await.expect_page();
    assert!(page.contains("The first text.") && !page.contains("Text 3."), "{page}");
}

async fn s1_a_text_is_sent_back_with_a_reason_and_submitted_again(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Draft", "A claim.").await;
    let reviewer = server.as_reviewer();
    assert_eq!(
        send_back(&reviewer, &json!({"id": article["id"], "review": {"revision": 1}}), "No")
            .await
            .refused(409),
        "not_submitted"
    );
    let submitted = server.submit(&article).await;
    assert_eq!(send_back(&reviewer, &submitted, "  ").await.refused(422), "invalid");
    let sent = send_back(&reviewer, &submitted, "Name the source.").await.expect(200);
    let review = &sent["review"];
    assert_eq!((&review["state"], &review["reason"]), (&json!("sent_back"), &json!("Name the source.")));
    assert_eq!(sent["state"], "sent_back");
    assert_eq!(approve(&reviewer, &submitted).await.refused(409), "review_closed", "after it was sent back");
    server.rewrite(&article, "A claim, says the ministry.").await;
    let again = server.submit(&article).await;
    assert_eq!((&again["review"]["state"], &again["review"]["revision"]), (&json!("submitted"), &json!(2)));
    assert_eq!(approve(&reviewer, &submitted).await.refused(409), "stale_revision");
    approve(&reviewer, &again).await.expect(200);
    let stale = server.as_creator().post(&path(&article, "/submit"), &json!({"seen_revision": 1})).await;
    assert_eq!(stale.refused(409), "text_conflict");
    let verbs = server.article_verbs(&article).await;
    assert_eq!(verbs, ["create", "submit", "send_back", "save", "submit", "approve"]);
}

async fn s1_no_reviewer_approves_an_own_article_unless_allowed(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let reviewer = server.as_reviewer();
    let own = reviewer.post("/api/v1/articles", &json!({"title": "Own", "body": "Mine."})).await.expect(201);
    let submitted = reviewer.post(&path(&own, "/submit"), &json!({"seen_revision": 1})).await.expect(200);
    assert_eq!(approve(&reviewer, &submitted).await.refused(403), "own_article");
    // The author of the text may not approve it either.
    let foreign = server.write("Foreign", "Theirs.").await;
    let edit = json!({"body": "Rewritten by an admin.", "seen_revision": 1});
    server.as_admin().patch(&path(&foreign, ""), &edit).await.expect(200);
    let rewritten = server.submit(&foreign).await;
    assert_eq!(approve(&server.as_admin(), &rewritten).await.refused(403), "own_article");
    approve(&reviewer, &rewritten).await.expect(200);
    server.set_workflow("one_reviewer", json!({"allow_own": true})).await;
    approve(&reviewer, &submitted).await.expect(200);
}

/// Submits the current text and asks these accounts.
async fn ask(server: &TestServer, article: &Value, reviewers: Value) -> Value {
    let body = json!({"seen_revision": server.article(article).await["revision"], "reviewers": reviewers});
    server.as_creator().post(&path(article, "/submit"), &body).await.expect(200)["review"].clone()
}

/// Number of notifications of a client.
async fn notified(client: &HttpClient) -> usize {
    let list = client.get("/api/v1/notifications").await.expect(200);
    list["items"].as_array().unwrap().len()
}

async fn s1_the_asked_reviewer_is_notified_and_sees_the_text_first(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (admin, reviewer) = (server.as_admin(), server.as_reviewer());
    let reviewer_id = server.reviewer.actor.account.to_string();
    let admin_id = server.admin.actor.account.to_string();
    let first = server.write("First", "A text.").await;
    let review = ask(&server, &first, json!([admin_id])).await;
    assert_eq!((&review["asked"][0]["id"], &review["is_asked"]), (&json!(admin_id), &json!(false)));
    assert_eq!((notified(&admin).await, notified(&reviewer).await), (1, 0), "only the asked one");
    let second = server.write("Second", "A text.").await;
    ask(&server, &second, json!([reviewer_id, reviewer_id])).await;
    let services = &server.app.services;
    let queue = services.reviews.list(&server.reviewer.actor).await.unwrap();
    let titles: Vec<(&str, bool)> = queue.iter().map(|one| (one.title.as_str(), one.is_asked)).collect();
    assert_eq!(titles, [("Second", true), ("First", false)]);
    // Another one is asked: the text under review stays, and the new one is notified.
    let review = ask(&server, &first, json!([reviewer_id, admin_id])).await;
    assert_eq!((review["asked"].as_array().unwrap().len(), &review["version"]), (2, &json!(2)));
    assert_eq!(notified(&reviewer).await, 2);
    assert_eq!(ask(&server, &first, json!([admin_id, reviewer_id])).await["version"], 2, "the same ones");
    assert_eq!(server.article_verbs(&first).await, ["create", "submit", "ask_reviewers"]);
    // Without the field nothing changes while it is under review; a new text asks every reviewer.
    assert_eq!(server.submit(&first).await["review"]["asked"].as_array().unwrap().len(), 2);
    server.rewrite(&first, "Another text.").await;
    let submitted = server.submit(&first).await;
    assert_eq!(submitted["review"]["asked"], json!([]));
    // Being asked is no right: any reviewer decides.
    ask(&server, &first, json!([admin_id])).await;
    let shown = reviewer.get(&path(&first, "")).await.expect(200);
    approve(&reviewer, &shown).await.expect(200);
    // Accounts that may not review, and unknown ones.
    let third = server.write("Third", "A text.").await;
    let colleague = server.colleague.actor.account.to_string();
    for wrong in [json!([colleague]), json!(["unknown"]), json!([uuid::Uuid::now_v7()])] {
        let body = json!({"seen_revision": 1, "reviewers": wrong});
        let reply = server.as_creator().post(&path(&third, "/submit"), &body).await;
        assert_eq!(reply.expect(422)["error"]["field"], "reviewers");
    }
    assert_eq!(server.review_state(&third).await, "none");
}

async fn s1_the_form_asks_reviewers_and_the_page_shows_those_that_are_mine(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (mine, other) = (server.write("Mine", "A text.").await, server.write("Other", "A text.").await);
    server.submit(&other).await;
    let id = mine["id"].as_str().unwrap();
    let page = format!("/articles/{id}?view=schedule");
    let author = server.log_in_browser(&server.creator).await;
    let shown = author.get(&page).await.expect_page();
    let reviewer = server.reviewer.actor.account.to_string();
    assert!(shown.contains("Ask reviewers…") && shown.contains(&reviewer), "{shown}");
    let form = [("id", id), ("seen", "1"), ("reviewers[1]", reviewer.as_str()), ("from", page.as_str())];
    let done = author.form("/fn/submit_for_review", &form).await;
    assert_eq!(done.status, 303, "{}", done.text);
    assert!(author.get(&page).await.expect_page().contains("Other reviewers may decide too."));
    let reviewers = server.as_creator().get(&path(&mine, "")).await.expect(200)["review"]["asked"].clone();
    assert_eq!(reviewers[0]["id"], reviewer);
    // While it waits, another one is asked.
    let admin_id = server.admin.actor.account.to_string();
    let form = [
        ("id", id),
        ("seen", "1"),
        ("reviewers[0]", admin_id.as_str()),
        ("reviewers[1]", reviewer.as_str()),
        ("from", page.as_str()),
    ];
    let done = author.form("/fn/ask_reviewers", &form).await;
    let shown = author.get(done.header("location")).await.expect_page();
    assert_contains(&shown, &["Who is asked for the review is changed."]);
    let asked = server.article(&mine).await["review"]["asked"].as_array().unwrap().len();
    assert_eq!(asked, 2);
    let browser = server.log_in_browser(&server.reviewer).await;
    let all = browser.get("/review").await.expect_page();
    assert!(all.contains("You were asked.") && all.contains("Asked of me"), "{all}");
    let rows = |page: &str| page.matches("class=\"review-row\"").count();
    assert_eq!(rows(&all), 2);
    assert_eq!(rows(&browser.get("/review?asked=me").await.expect_page()), 1);
    let admin = server.log_in_browser(&server.admin).await;
    assert_eq!(rows(&admin.get("/review?asked=me").await.expect_page()), 1);
    server
        .as_creator()
        .post(&path(&mine, "/submit"), &json!({"seen_revision": 1, "reviewers": []}))
        .await
        .expect(200);
    let none = admin.get("/review?asked=me").await.expect_page();
    assert!(none.contains("You are not asked for a review"), "{none}");
}
