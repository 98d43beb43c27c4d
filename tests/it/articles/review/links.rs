//! Review by link: without an account, once, about one revision.

use super::{MINUTE, path};
use crate::{articles::media::fixture, http_client::HttpClient, on_both, test_server::TestServer};
use domain::{Role, services::Accounts as _};
use serde_json::{Value, json};

on_both!(
    s1_a_person_with_a_link_approves_once,
    s1_a_person_with_a_link_sends_back_with_a_reason,
    s1_a_link_is_about_one_revision_and_expires,
    s1_a_link_decides_only_what_its_creator_may_decide,
    s1_a_link_shows_the_pictures_of_its_text_and_ends_with_the_trash,
);

/// Creates a link and returns its path.
pub(super) async fn link(server: &TestServer, article: &Value) -> String {
    let body = json!({"name": "Dr. Li"});
    let link = server.as_reviewer().post(&path(article, "/review-links"), &body).await.expect(201);
    link["url"].as_str().unwrap().strip_prefix(&server.url).unwrap().to_owned()
}

fn secret(link: &str) -> &str {
    link.rsplit('/').next().unwrap()
}

/// Sends the form of the page and returns the status of the response.
pub(super) async fn decide(browser: &HttpClient, link: &str, decision: &str, reason: &str) -> u16 {
    let form = [("secret", secret(link)), ("decision", decision), ("reason", reason), ("from", link)];
    let reply = browser.form("/fn/decide_by_link", &form).await;
    if (300..400).contains(&reply.status) {
        let page = browser.get(reply.header("location")).await.expect_page();
        assert!(page.contains("Your decision was recorded"), "{page}");
    }
    reply.status
}

async fn s1_a_person_with_a_link_approves_once(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let (article, task) = server.schedule_new_article("Expert", MINUTE).await;
    let creator = server.as_creator().post(&path(&article, "/review-links"), &json!({"name": "Me"})).await;
    assert_eq!(creator.refused(403), "not_allowed", "an author may not approve by a link");
    let link = link(&server, &article).await;
    let browser = server.browser();
    for _ in 0..3 {
        let page = browser.get(&link).await.expect_page();
        assert!(page.contains("A text about Expert.") && page.contains("noindex"), "{page}");
        assert!(!page.contains(&server.creator.email));
    }
    let head = browser.request(reqwest::Method::HEAD, &link).send().await.unwrap();
    assert_eq!(head.status(), 200);
    assert_eq!(server.review_state(&article).await, "submitted", "looking changes nothing");
    assert_eq!(decide(&browser, &link, "approve", "").await, 303);
    let approved = server.article(&article).await;
    assert_eq!(
        (&approved["review"]["state"], &approved["review"]["reviewer"]),
        (&json!("approved"), &json!("Dr. Li"))
    );
    assert_eq!(decide(&browser, &link, "send_back", "Changed my mind").await, 410);
    assert_eq!(server.review_state(&article).await, "approved", "one decision");
    let page = browser.get(&link).await;
    assert!(!page.text.contains("A text about Expert."), "a used link shows no text");
    server.advance(MINUTE).await;
    assert_eq!(server.task(&task).await["state"], "executed");
}

async fn s1_a_person_with_a_link_sends_back_with_a_reason(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Expert", "A claim.").await;
    server.submit(&article).await;
    let link = link(&server, &article).await;
    let browser = server.browser();
    assert_eq!(decide(&browser, &link, "send_back", " ").await, 422);
    assert_eq!(server.review_state(&article).await, "submitted", "a reason is needed");
    assert_eq!(decide(&browser, &link, "send_back", "The figure is wrong.").await, 303);
    let sent = server.article(&article).await;
    assert_eq!(
        (&sent["review"]["state"], &sent["review"]["reason"]),
        (&json!("sent_back"), &json!("The figure is wrong."))
    );
}

async fn s1_a_link_is_about_one_revision_and_expires(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let article = server.write("Expert", "A first text.").await;
    server.submit(&article).await;
    let first = link(&server, &article).await;
    server.rewrite(&article, "A second text.").await;
    let page = server.browser().get(&first).await.expect_page();
    assert!(page.contains("A first text.") && !page.contains("A second text."), "{page}");
    server.submit(&article).await;
    assert!(
        !server.browser().get(&first).await.text.contains("A first text."),
        "it is not reviewed any more"
    );
    assert_eq!(decide(&server.browser(), &first, "approve", "").await, 410);
    assert_eq!(server.review_state(&article).await, "submitted");
    let second = link(&server, &article).await;
    server.advance(8 * 24 * 60 * MINUTE).await;
    assert_eq!(decide(&server.browser(), &second, "approve", "").await, 410);
    assert_eq!(server.review_state(&article).await, "submitted", "it has expired");
}

async fn s1_a_link_decides_only_what_its_creator_may_decide(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    // A reviewer's own text.
    let new = json!({"title": "Own", "body": "My text."});
    let own = server.as_reviewer().post("/api/v1/articles", &new).await.expect(201);
    server.as_reviewer().post(&path(&own, "/submit"), &json!({"seen_revision": 1})).await.expect(200);
    let guest = json!({"name": "Dr. Li"});
    let refused = server.as_reviewer().post(&path(&own, "/review-links"), &guest).await;
    assert_eq!(refused.refused(403), "own_article");
    server.set_workflow("one_reviewer", json!({"allow_own": true})).await;
    let allowed = link(&server, &own).await;
    assert_eq!(server.browser().get(&allowed).await.status, 200);
    server.set_workflow("one_reviewer", json!({"allow_own": false})).await;
    assert_eq!(decide(&server.browser(), &allowed, "approve", "").await, 410);
    assert_eq!(server.review_state(&own).await, "submitted");
    // The creator of the link is not a reviewer any more.
    let article = server.write("Theirs", "A claim.").await;
    server.submit(&article).await;
    let given = link(&server, &article).await;
    let id = server.reviewer.actor.account;
    server.app.accounts.change_role(&server.admin.actor, id, Role::Creator).await.unwrap();
    assert_eq!(decide(&server.browser(), &given, "approve", "").await, 410);
    assert_eq!(server.review_state(&article).await, "submitted");
}

async fn s1_a_link_shows_the_pictures_of_its_text_and_ends_with_the_trash(server: TestServer) {
    server.set_workflow("one_reviewer", json!({})).await;
    let media = server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    let cover = server.as_creator().upload("b.png", &fixture::png(2)).await.expect(201);
    let other = server.as_creator().upload("c.png", &fixture::png(3)).await.expect(201);
    let file = |media: &Value| media["url"].as_str().unwrap().split_once("/media/").unwrap().1.to_owned();
    let body = format!("A lawsuit.\n\n{}\n", media["markdown"].as_str().unwrap());
    let details = json!({"summary": "In short.", "cover": format!("/media/{}", file(&cover))});
    let new = json!({"title": "Expert", "body": body, "details": details});
    let article = server.as_creator().post("/api/v1/articles", &new).await.expect(201);
    server.submit(&article).await;
    let link = link(&server, &article).await;
    let page = server.browser().get(&link).await.expect_page();
    assert!(page.contains("A lawsuit.") && page.contains("In short."), "{page}");
    let stranger = server.as_anonymous();
    for shown in [&media, &cover] {
        let address = format!("/media/{}?review={}", file(shown), secret(&link));
        assert!(page.contains(&address), "{page}");
        assert_eq!(stranger.read_file(&address).await.status, 200);
        assert_eq!(stranger.read_file(&format!("/media/{}", file(shown))).await.status, 404);
        assert_eq!(stranger.read_file(&format!("/media/{}?review=wrong", file(shown))).await.status, 404);
    }
    let foreign = format!("/media/{}?review={}", file(&other), secret(&link));
    assert_eq!(stranger.read_file(&foreign).await.status, 404);
    assert_eq!(server.as_creator().delete(&path(&article, "")).await.status, 204);
    assert!(!server.browser().get(&link).await.text.contains("A lawsuit."), "it is in the trash");
    assert_eq!(decide(&server.browser(), &link, "approve", "").await, 410);
    let address = format!("/media/{}?review={}", file(&media), secret(&link));
    assert_eq!(stranger.read_file(&address).await.status, 404);
}
