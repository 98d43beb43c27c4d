//! Roles, groups and second factors follow from what the provider says at each log-in.

use super::{add, assert_refused, link, sign_in, text};
use crate::{
    engine::engine_page::assert_contains, http_client::HttpClient, on_both, test_server::TestServer,
};
use domain::accounts::second_factor::{RequiredFor, SecondFactors as _};
use presstime::security::totp;
use serde_json::{Value, json};
use store::passkey::{self, NewPasskeyRecord};

on_both!(
    role_and_groups_are_read_again_at_each_log_in,
    the_last_admin_stays_one,
    groups_may_be_in_the_answer_about_the_user_only,
    the_desk_asks_for_a_code_unless_the_provider_proves_both_factors,
    passkeys_in_place_of_the_password_are_no_factor_of_a_provider,
    a_session_after_a_code_ends_with_the_link_too,
);

/// A secret that no code opens.
const SEALED: &str = "sealed elsewhere";

async fn role(server: &TestServer, id: domain::AccountId) -> domain::Role {
    let all = server.app.services.accounts.list(&server.admin.actor).await.unwrap();
    all.into_iter().find(|account| account.id == id).unwrap().role
}

fn by_roles() -> Value {
    json!({"group_claim": "groups", "roles": [
        {"group": "editors", "role": "reviewer"},
        {"group": "owners", "role": "admin"},
    ]})
}

async fn role_and_groups_are_read_again_at_each_log_in(server: TestServer) {
    let group = server.as_admin().post("/api/v1/groups", &json!({"name": "Legal"})).await.expect(201);
    let other = server.as_admin().post("/api/v1/groups", &json!({"name": "News"})).await.expect(201);
    let mut settings = by_roles();
    let lawyers = json!({"group": "lawyers", "to": group["id"]});
    settings["groups"] = json!([lawyers, {"group": "reporters", "to": other["id"]}]);
    let (provider, added) = add(&server, &settings).await;
    provider.answers().claims["groups"] = json!(["editors", "lawyers"]);
    link(&server, &server.creator, &provider).await;
    let id = server.creator.actor.account;
    assert_eq!(role(&server, id).await, domain::Role::Creator, "linking changes nothing");
    let first = server.browser();
    sign_in(&first, &provider, &added).await;
    assert_eq!(role(&server, id).await, domain::Role::Reviewer);
    let groups = server.as_admin().get("/api/v1/groups").await.expect(200)["items"].clone();
    assert_eq!(groups[0]["members"][0]["id"], json!(id), "{groups}");
    assert_eq!((&groups[0]["version"], &groups[1]["version"]), (&json!(2), &json!(1)), "{groups}");
    // Removed from all groups: the role falls, and the sessions before end.
    provider.answers().claims["groups"] = json!([]);
    let second = server.browser();
    assert_eq!(sign_in(&second, &provider, &added).await.header("location"), "/articles");
    assert_eq!(role(&server, id).await, domain::Role::Creator);
    assert_eq!(first.get("/settings/profile").await.status, 303);
    assert_eq!(second.get("/settings/profile").await.status, 200);
    let groups = server.as_admin().get("/api/v1/groups").await.expect(200);
    assert_eq!(groups["items"][0]["members"], json!([]));
    // A provider that says nothing about groups changes nothing.
    provider.answers().claims["groups"] = Value::Null;
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "missing_claim");
    assert_eq!(role(&server, id).await, domain::Role::Creator);
    // A group that does not exist is no target.
    let path = format!("/api/v1/sign-in/providers/{}", text(&added["id"]));
    let unknown = json!({"groups": [{"group": "a", "to": uuid::Uuid::now_v7()}], "seen_version": 1});
    assert_eq!(server.as_admin().patch(&path, &unknown).await.expect(422)["error"]["field"], "groups");
}

async fn the_last_admin_stays_one(server: TestServer) {
    let (provider, added) = add(&server, &by_roles()).await;
    provider.answers().claims["groups"] = json!([]);
    link(&server, &server.admin, &provider).await;
    let id = server.admin.actor.account;
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
    assert_eq!(role(&server, id).await, domain::Role::Admin, "no other admin is left");
    let other = server.colleague.actor.account;
    server.app.services.accounts.change_role(&server.admin.actor, other, domain::Role::Admin).await.unwrap();
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
    let mut colleague = server.colleague.actor.clone();
    colleague.role = domain::Role::Admin;
    let all = server.app.services.accounts.list(&colleague).await.unwrap();
    assert_eq!(all.into_iter().find(|one| one.id == id).unwrap().role, domain::Role::Creator);
}

async fn groups_may_be_in_the_answer_about_the_user_only(server: TestServer) {
    let (provider, added) = add(&server, &by_roles()).await;
    provider.answers().user_info = json!({"sub": "person-1", "groups": ["owners"]});
    link(&server, &server.creator, &provider).await;
    let id = server.creator.actor.account;
    sign_in(&server.browser(), &provider, &added).await;
    assert_eq!(role(&server, id).await, domain::Role::Admin, "an explicit rule");
    // Groups of another person.
    provider.answers().user_info = json!({"sub": "person-2", "groups": []});
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "missing_claim");
    assert_eq!(role(&server, id).await, domain::Role::Admin);
}

async fn the_desk_asks_for_a_code_unless_the_provider_proves_both_factors(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    let factors = &server.app.services.second_factors;
    factors.require_second_factor(&server.admin.actor, RequiredFor::All).await.unwrap();
    server.advance_without_loops(8 * 24 * 3_600_000);
    provider.answers().now = server.now();
    let browser = server.browser();
    sign_in(&browser, &provider, &added).await;
    assert_eq!(browser.get("/articles").await.header("location"), "/settings/profile#second-factor");
    let path = format!("/api/v1/sign-in/providers/{}", text(&added["id"]));
    let edit = json!({"proves_both_factors": true, "seen_version": 1});
    let link = format!("/oidc/{}?link=x", text(&added["id"]));
    assert_eq!(browser.get(&link).await.header("location"), "/settings/profile#second-factor");
    server.as_admin().patch(&path, &edit).await.expect(200);
    // The session that needs a second factor gives way to one that has both.
    sign_in(&browser, &provider, &added).await;
    assert_eq!(browser.get("/articles").await.status, 200);
    // The provider says that one was enough for it.
    provider.answers().claims["amr"] = json!(["pwd"]);
    let browser = server.browser();
    sign_in(&browser, &provider, &added).await;
    assert_eq!(browser.get("/articles").await.header("location"), "/settings/profile#second-factor");
    // An account with a second factor enters its code, and goes on where it was.
    let account = &server.creator.actor;
    let mut tx = server.app.parts.store.begin(store::PoolRole::Web).await.unwrap();
    store::second_factor::add(tx.conn(), account.account, SEALED, server.now()).await.unwrap();
    assert!(
        store::second_factor::confirm(tx.conn(), account.account, SEALED, (1, server.now())).await.unwrap()
    );
    tx.commit().await.unwrap();
    let browser = server.browser();
    let asked = sign_in(&browser, &provider, &added).await;
    assert_eq!(asked.status, 401);
    assert_contains(&asked.text, &["/fn/complete_log_in", r#"value="/articles""#]);
    assert_eq!(browser.get("/settings/profile").await.status, 303, "there is no session yet");
    provider.answers().claims["amr"] = json!(["pwd", "mfa"]);
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
}

async fn passkeys_in_place_of_the_password_are_no_factor_of_a_provider(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    let (account, at) = (server.creator.actor.account, server.now());
    let key =
        NewPasskeyRecord { account, credential: "AAAA", public_key: "AAAA", name: "Key", counter: 0, at };
    let mut tx = server.app.parts.store.begin(store::PoolRole::Web).await.unwrap();
    passkey::insert(tx.conn(), key).await.unwrap();
    assert!(passkey::turn_password_off(tx.conn(), account, at).await.unwrap());
    tx.commit().await.unwrap();
    let factors = &server.app.services.second_factors;
    factors.require_second_factor(&server.admin.actor, RequiredFor::All).await.unwrap();
    server.advance_without_loops(8 * 24 * 3_600_000);
    provider.answers().now = server.now();
    let browser = server.browser();
    sign_in(&browser, &provider, &added).await;
    assert_eq!(browser.get("/articles").await.header("location"), "/settings/profile#second-factor");
}

async fn a_session_after_a_code_ends_with_the_link_too(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    let owner = link(&server, &server.creator, &provider).await;
    let (accounts, user) = (&server.app.accounts, &server.creator.actor);
    accounts.create_second_factor(user).await.unwrap();
    let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
    let stored = store::second_factor::find(lease.conn(), user.account).await.unwrap().unwrap();
    drop(lease);
    let place = format!("second_factor/{}", user.account);
    let secret = server.app.parts.senders.vault.open(&place, &stored.secret).unwrap();
    let codes = accounts.add_second_factor(user, &totp::code_at(&secret, server.now())).await.unwrap();
    let ask = async |browser: &HttpClient| {
        let page = sign_in(browser, &provider, &added).await.text;
        let (_, token) = page.split_once(r#"name="token" value=""#).unwrap();
        token.split('"').next().unwrap().to_owned()
    };
    let enter = async |browser: &HttpClient, token: &str, code: &str| {
        let form = [("token", token), ("code", code), ("next", "/articles"), ("from", "/login")];
        browser.form("/fn/complete_log_in", &form).await.status
    };
    let (first, second) = (server.browser(), server.browser());
    let token = ask(&first).await;
    assert_eq!(enter(&first, &token, &codes[0]).await, 303);
    assert_eq!(first.get("/settings/profile").await.status, 200);
    let token = ask(&second).await;
    let form = [("id", text(&added["id"])), ("from", "/settings/profile")];
    let removed = owner.form("/fn/unlink_identity", &form).await;
    assert_eq!(removed.result_location(), "/settings/profile?done=unlinked", "{}", removed.text);
    assert_eq!(first.get("/settings/profile").await.status, 303, "its session has ended");
    assert_ne!(enter(&second, &token, &codes[1]).await, 303, "its log-in too");
    assert_eq!(owner.get("/settings/profile").await.status, 200);
}
