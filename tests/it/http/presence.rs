//! Two people on one article or meeting see each other.

use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use domain::account::OnDisable;
use domain::services::Accounts as _;
use serde_json::{Value, json};
use store::{PoolRole, presence, retention};
use uuid::Uuid;

on_both!(
    two_accounts_see_each_other_until_one_leaves,
    a_report_soon_after_the_last_one_is_not_stored,
    a_page_without_script_names_who_is_there,
    disabled_accounts_are_not_named,
    only_articles_and_meetings_can_be_seen,
    an_old_report_is_deleted,
);

/// Reports that an account has an item open. Returns the names of the others.
async fn see(browser: &HttpClient, id: &str) -> Value {
    browser.script_form("/fn/see_item", &[("id", id)]).await.expect(200)
}

/// An article, and the browsers of its author and of a colleague.
async fn scene(server: &TestServer) -> (String, HttpClient, HttpClient) {
    let article = server.create_draft("High tide").await;
    let creator = server.log_in_browser(&server.creator).await;
    let colleague = server.log_in_browser(&server.colleague).await;
    (article["id"].as_str().unwrap().to_owned(), creator, colleague)
}

async fn two_accounts_see_each_other_until_one_leaves(server: TestServer) {
    let (id, creator, colleague) = scene(&server).await;
    assert_eq!(see(&creator, &id).await, json!([]));
    assert_eq!(see(&colleague, &id).await, json!(["creator"]));
    assert_eq!(see(&creator, &id).await, json!(["colleague"]));
    server.advance(20_000).await;
    see(&creator, &id).await;
    server.advance(25_000).await;
    // The colleague has not reported for 45 seconds, the creator did.
    assert_eq!(see(&creator, &id).await, json!([]));
    assert_eq!(see(&colleague, &id).await, json!(["creator"]));
    let other = server.create_draft("Low tide").await;
    assert_eq!(see(&colleague, other["id"].as_str().unwrap()).await, json!([]));
}

async fn a_report_soon_after_the_last_one_is_not_stored(server: TestServer) {
    let (id, creator, colleague) = scene(&server).await;
    see(&creator, &id).await;
    server.advance(14_000).await;
    see(&creator, &id).await;
    server.advance(31_000).await;
    assert_eq!(see(&colleague, &id).await, json!([]));
}

async fn a_page_without_script_names_who_is_there(server: TestServer) {
    let (id, creator, colleague) = scene(&server).await;
    see(&creator, &id).await;
    let path = format!("/articles/{id}");
    assert!(colleague.get(&path).await.expect_page().contains("creator is here too"));
    // The page was read, and that was not recorded.
    assert!(!creator.get(&path).await.expect_page().contains("is here too"));
    let new = json!({"title": "Weekly", "starts_at": server.time_after(3_600_000),
                     "ends_at": server.time_after(7_200_000)});
    let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let meeting = meeting["id"].as_str().unwrap();
    see(&creator, meeting).await;
    let page = colleague.get(&format!("/meetings/{meeting}")).await.expect_page();
    assert!(page.contains("creator is here too"), "{page}");
}

async fn disabled_accounts_are_not_named(server: TestServer) {
    let (id, creator, colleague) = scene(&server).await;
    see(&colleague, &id).await;
    let account = server.colleague.actor.account;
    let disabled = server.app.accounts.disable(&server.admin.actor, account, Some(OnDisable::Cancel)).await;
    assert!(disabled.unwrap().is_disabled);
    assert_eq!(see(&creator, &id).await, json!([]));
}

async fn only_articles_and_meetings_can_be_seen(server: TestServer) {
    let (_, creator, _) = scene(&server).await;
    let room = server.as_admin().post("/api/v1/rooms", &json!({"name": "Aula"})).await.expect(201);
    for id in [room["id"].as_str().unwrap(), &Uuid::nil().to_string(), "x"] {
        creator.script_form("/fn/see_item", &[("id", id)]).await.expect(404);
    }
    let anonymous = server.as_anonymous().script_form("/fn/see_item", &[("id", "x")]).await;
    assert_eq!(anonymous.status, 401);
}

async fn an_old_report_is_deleted(server: TestServer) {
    let (id, creator, colleague) = scene(&server).await;
    see(&creator, &id).await;
    server.advance(60_000).await;
    see(&colleague, &id).await;
    server.advance(61_000).await;
    let store = &server.app.parts.store;
    let mut tx = store.begin(PoolRole::Engine).await.unwrap();
    retention::delete_expired(tx.conn(), server.now()).await.unwrap();
    tx.commit().await.unwrap();
    let mut lease = store.read(PoolRole::Web).await.unwrap();
    let item = id.parse().unwrap();
    for (account, is_kept) in [(&server.creator, false), (&server.colleague, true)] {
        let at = presence::seen_at(lease.conn(), item, account.actor.account).await.unwrap();
        assert_eq!(at.is_some(), is_kept);
    }
}
