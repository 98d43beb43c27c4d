//! API tokens: revoked with the password; admins see and revoke tokens of other accounts.

use crate::{http_client::HttpClient, on_both, test_server::TestServer};
use domain::{
    DomainError,
    account::{Client, PasswordChange, Scope},
    services::{Invitations as _, Sessions as _, Tokens as _},
};
use serde_json::json;

on_both!(
    a_password_change_revokes_the_tokens_that_are_not_kept,
    a_password_reset_revokes_all_tokens,
    an_ended_session_creates_no_token,
    admins_revoke_tokens_of_other_accounts,
);

async fn status_with_token(server: &TestServer, token: &str) -> u16 {
    let caller = HttpClient { token: Some(token.to_owned()), ..server.as_anonymous() };
    caller.get("/api/v1/tasks").await.status
}

async fn a_password_change_revokes_the_tokens_that_are_not_kept(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let (kept, secret) = accounts.create_token(&user.actor, "the importer", 30, Scope::Read).await.unwrap();
    let browser = server.log_in_browser(user).await;
    let page = browser.get("/settings/profile").await.expect_page();
    assert!(page.contains("the importer") && page.contains(r#"name="keep[0]""#), "{page}");
    let kept = kept.id.to_string();
    let form = |new: &'static str| {
        [
            ("old", user.password.as_str()),
            ("password", new),
            ("keep[1]", kept.as_str()),
            ("from", "/settings/profile"),
        ]
    };
    let refused = browser.form("/fn/change_password", &form("short")).await;
    assert_eq!((refused.status, status_with_token(&server, &user.token).await), (422, 200));
    assert_eq!(browser.form("/fn/change_password", &form("another fine sentence")).await.status, 303);
    assert_eq!(
        (status_with_token(&server, &secret).await, status_with_token(&server, &user.token).await),
        (200, 401)
    );
    // By default all are revoked, but none of other accounts.
    let change = PasswordChange {
        current: "another fine sentence".to_owned(),
        new: "a third fine sentence".to_owned(),
        keep_tokens: accounts
            .tokens(&server.colleague.actor)
            .await
            .unwrap()
            .iter()
            .map(|token| token.id)
            .collect(),
    };
    accounts.change_password(&user.actor, change, &Client::default()).await.unwrap();
    assert_eq!(
        (
            status_with_token(&server, &secret).await,
            status_with_token(&server, &server.colleague.token).await
        ),
        (401, 200)
    );
    let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let ended: Vec<_> =
        log["items"].as_array().unwrap().iter().filter(|event| event["verb"] == "change_password").collect();
    assert_eq!(ended.iter().map(|event| &event["detail"]["tokens_ended"]).collect::<Vec<_>>(), [1, 1]);
}

async fn a_password_reset_revokes_all_tokens(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let link = accounts.reset_password(&server.admin.actor, user.actor.account).await.unwrap();
    let form = [("token", link.path.split_once('=').unwrap().1), ("password", "a brand new sentence")];
    assert_eq!(server.browser().form("/fn/accept", &form).await.status, 303);
    assert_eq!(status_with_token(&server, &user.token).await, 401);
    assert!(accounts.tokens(&user.actor).await.unwrap().is_empty());
}

async fn an_ended_session_creates_no_token(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let fresh = accounts.log_in(&user.email, &user.password, &Client::default()).await.unwrap();
    let stale_actor = accounts.authenticate_session(&fresh.session).await.unwrap().unwrap();
    let change = PasswordChange {
        current: user.password.clone(),
        new: "another fine sentence".to_owned(),
        keep_tokens: vec![],
    };
    accounts.change_password(&user.actor, change, &Client::default()).await.unwrap();
    let made = accounts.create_token(&stale_actor, "mine for a year", 365, Scope::Write).await;
    assert_eq!(made, Err(DomainError::LogIn));
    assert!(accounts.tokens(&user.actor).await.unwrap().is_empty());
}

async fn admins_revoke_tokens_of_other_accounts(server: TestServer) {
    let (accounts, admin, user) = (&server.app.accounts, &server.admin, &server.creator);
    assert_eq!(accounts.tokens_of_others(&user.actor).await, Err(DomainError::NotAllowed));
    assert_eq!(accounts.tokens_of_others(&server.reviewer.actor).await, Err(DomainError::NotAllowed));
    let all = accounts.tokens_of_others(&admin.actor).await.unwrap();
    let owners: Vec<_> = all.iter().map(|token| token.owner.as_str()).collect();
    assert_eq!(owners, ["colleague", "creator", "reviewer"]);
    let page = server.log_in_browser(admin).await.get("/settings/tokens").await.expect_page();
    assert!(page.contains("colleague") && page.contains("reviewer"), "{page}");
    let page = server.log_in_browser(user).await.get("/settings/tokens").await.expect_page();
    assert!(!page.contains("colleague") && !page.contains("reviewer"));
    let theirs = all.iter().find(|token| token.owner_id == user.actor.account).unwrap();
    assert_eq!(
        accounts.revoke_token(&server.colleague.actor, theirs.id).await,
        Err(DomainError::no_such("token"))
    );
    let id = theirs.id.to_string();
    let form = [("id", id.as_str()), ("from", "/settings/tokens")];
    assert_eq!(server.log_in_browser(admin).await.form("/fn/revoke_token", &form).await.status, 303);
    assert_eq!(status_with_token(&server, &user.token).await, 401);
    let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let ended =
        log["items"].as_array().unwrap().iter().find(|event| event["verb"] == "revoke_token").unwrap();
    assert_eq!(ended["actor_id"], json!(admin.actor.account));
    assert_eq!(ended["entity_id"], json!(user.actor.account));
    assert_eq!(ended["detail"], json!({"name": "test", "token_id": id}));
}
