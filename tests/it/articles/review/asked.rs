//! Reviewers who are asked: they are notified and see the text first; the others may decide too.

use super::{approve, path};
use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    s1_the_asked_reviewer_is_notified_and_sees_the_text_first,
    s1_the_form_asks_reviewers_and_the_page_shows_those_that_are_mine,
);

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
    for wrong in [json!([colleague]), json!(["nobody"]), json!([uuid::Uuid::now_v7()])] {
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
    let browser = server.log_in_browser(&server.reviewer).await;
    let all = browser.get("/review").await.expect_page();
    assert!(all.contains("You were asked.") && all.contains("Asked of me"), "{all}");
    let rows = |page: &str| page.matches("class=\"review-row\"").count();
    assert_eq!(rows(&all), 2);
    assert_eq!(rows(&browser.get("/review?asked=me").await.expect_page()), 1);
    let admin = server.log_in_browser(&server.admin).await;
    let none = admin.get("/review?asked=me").await.expect_page();
    assert!(none.contains("You are not asked for a review"), "{none}");
}
