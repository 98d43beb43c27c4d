//! Sign-in with a provider of OpenID Connect: who gets in, and which answers are refused.

mod followed;
mod hostile;
mod provider;

use crate::{
    engine::engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::{Account, TestServer},
};
use provider::Provider;
use serde_json::{Value, json};

on_both!(
    an_account_links_an_identity_and_logs_in_with_it,
    a_link_needs_the_session_of_its_page_and_a_recent_password,
    no_new_person_gets_in_unless_a_provider_says_so,
    an_invitation_is_accepted_with_a_provider,
    the_page_adds_changes_tests_and_deletes_a_provider_without_a_script,
    log_outs_at_the_provider_end_the_sessions_once,
    without_passwords_one_admin_keeps_its_own,
);

/// Starts a provider and adds it to the desk, with further settings.
async fn add(server: &TestServer, settings: &Value) -> (Provider, Value) {
    let provider = Provider::start(server.now()).await;
    let mut body = provider.body();
    for (name, value) in settings.as_object().unwrap() {
        body[name] = value.clone();
    }
    let added = server.as_admin().post("/api/v1/sign-in/providers", &body).await.expect(201);
    (provider, added)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Logs in with a provider. Returns the last answer of the desk.
async fn sign_in(browser: &HttpClient, provider: &Provider, added: &Value) -> Reply {
    let begun = browser.get(&format!("/oidc/{}?next=/articles", text(&added["id"]))).await;
    assert_eq!(begun.status, 303);
    browser.get(&provider.agree(begun.header("location"))).await
}

/// Asserts that a sign-in failed with this problem.
fn assert_refused(reply: &Reply, problem: &str) {
    let location = reply.header("location");
    assert_eq!(reply.status, 303, "{}", reply.text);
    assert!(location.ends_with(&format!("sign_in={problem}")), "{problem}: {location}");
}

/// Path of the link on the profile that links a provider.
async fn link_path(browser: &HttpClient) -> String {
    let page = browser.get("/settings/profile").await.expect_page();
    let link = page.split("/oidc/").nth(1).expect("a link on the profile");
    format!("/oidc/{}", link.split('"').next().unwrap().replace("&amp;", "&"))
}

/// Links the identity of the person at the provider to an account.
async fn link(server: &TestServer, account: &Account, provider: &Provider) -> HttpClient {
    let browser = server.log_in_browser(account).await;
    let begun = browser.get(&link_path(&browser).await).await;
    let linked = browser.get(&provider.agree(begun.header("location"))).await;
    assert_eq!(linked.result_location(), "/settings/profile?done=identity", "{}", linked.text);
    assert!(linked.result_cookie().is_some(), "the profile says it");
    browser
}

async fn an_account_links_an_identity_and_logs_in_with_it(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    assert!(text(&added["redirect_url"]).starts_with(&server.url));
    assert!(!added.to_string().contains("a secret"), "{added}");
    let login = server.browser().get("/login?next=/articles").await.expect_page();
    assert_contains(&login, &["Log in with Company", "?next=%2Farticles"]);
    let profile = link(&server, &server.creator, &provider).await;
    let page = profile.get("/settings/profile").await.expect_page();
    assert_contains(&page, &["Linked sign-ins", "person@example.org"]);
    // The e-mail address decides nothing: the same `sub` with another one is the same person.
    provider.answers().claims["email"] = json!(server.admin.email);
    let browser = server.browser();
    let logged_in = sign_in(&browser, &provider, &added).await;
    assert_eq!((logged_in.status, logged_in.header("location")), (303, "/articles"), "{}", logged_in.text);
    assert_eq!(browser.get("/settings/people").await.status, 403, "it is the account of the creator");
    // Another `sub` with the address of an account is another person.
    provider.answers().claims["sub"] = json!("person-2");
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "not_invited");
    // A disabled account stays out.
    provider.answers().claims["sub"] = json!("person-1");
    let id = server.creator.actor.account;
    let accounts = &server.app.services.accounts;
    accounts.disable(&server.admin.actor, id, None).await.unwrap();
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "disabled");
}

async fn a_link_needs_the_session_of_its_page_and_a_recent_password(server: TestServer) {
    let (provider, added) = add(&server, &json!({})).await;
    let creator = server.log_in_browser(&server.creator).await;
    let path = link_path(&creator).await;
    // The link of another session links nothing.
    let colleague = server.log_in_browser(&server.colleague).await;
    assert_refused(&colleague.get(&path).await, "expired");
    assert_refused(&server.browser().get(&path).await, "expired");
    // The browser comes back with another session.
    let begun = creator.get(&path).await;
    let back = provider.agree(begun.header("location"));
    let form = [
        ("email", server.colleague.email.as_str()),
        ("password", &server.colleague.password),
        ("from", "/login"),
    ];
    assert_eq!(creator.form("/fn/log_in", &form).await.status, 303);
    assert_refused(&creator.get(&back).await, "expired");
    // An identity belongs to one account.
    link(&server, &server.creator, &provider).await;
    let begun = colleague.get(&link_path(&colleague).await).await;
    assert_refused(&colleague.get(&provider.agree(begun.header("location"))).await, "linked_elsewhere");
    // It is removed with the sessions that began with it; the password stays.
    let by_provider = server.browser();
    sign_in(&by_provider, &provider, &added).await;
    let owner = server.log_in_browser(&server.creator).await;
    let form = [("id", text(&added["id"])), ("from", "/settings/profile")];
    let removed = owner.form("/fn/unlink_identity", &form).await;
    assert_eq!(removed.result_location(), "/settings/profile?done=unlinked", "{}", removed.text);
    assert_eq!(by_provider.get("/settings/profile").await.status, 303, "its session has ended");
    assert_eq!(owner.get("/settings/profile").await.status, 200);
    // Without a recent password nothing is linked.
    let path = link_path(&owner).await;
    server.advance_without_loops(20 * 60_000);
    assert_refused(&owner.get(&path).await, "password");
}

async fn no_new_person_gets_in_unless_a_provider_says_so(server: TestServer) {
    let by_group = json!({"provisioning": "group", "member_group": "news", "group_claim": "groups"});
    let (provider, added) = add(&server, &by_group).await;
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "missing_claim");
    provider.answers().claims["groups"] = json!(["sport"]);
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "not_in_group");
    provider.answers().claims["groups"] = json!(["sport", "news"]);
    provider.answers().claims["email_verified"] = json!(false);
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "missing_claim");
    provider.answers().claims["email_verified"] = json!(true);
    provider.answers().claims["email"] = json!(server.reviewer.email);
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "address_taken");
    provider.answers().claims["email"] = json!("Pat@Example.org");
    let browser = server.browser();
    assert_eq!(sign_in(&browser, &provider, &added).await.header("location"), "/articles");
    let page = browser.get("/settings/profile").await.expect_page();
    assert_contains(&page, &["Pat Person", "pat@example.org"]);
    assert_eq!(browser.get("/settings/people").await.status, 403, "no admin by default");
    // Without a password the identity is the only way in.
    let form = [("id", text(&added["id"])), ("from", "/settings/profile")];
    assert_eq!(browser.form("/fn/unlink_identity", &form).await.status, 409);
    // Switched off, no person gets in, and the button is gone.
    let path = format!("/api/v1/sign-in/providers/{}", text(&added["id"]));
    let edit = json!({"is_enabled": false, "seen_version": 1});
    server.as_admin().patch(&path, &edit).await.expect(200);
    assert_refused(&server.browser().get(&format!("/oidc/{}", text(&added["id"]))).await, "expired");
    assert!(!server.browser().get("/login").await.expect_page().contains("Company"));
    // Where others enter their password, an account without one is led to the log-in.
    server.advance_without_loops(20 * 60_000);
    let page = browser.get("/settings/tokens").await.expect_page();
    assert_contains(&page, &["has no password to enter here. Log in again instead"]);
    assert!(!page.contains(r#"name="password""#), "{page}");
}

async fn an_invitation_is_accepted_with_a_provider(server: TestServer) {
    let (provider, added) = add(&server, &json!({"provisioning": "invited"})).await;
    assert_refused(&sign_in(&server.browser(), &provider, &added).await, "not_invited");
    let invitations = &server.app.services.invitations;
    let role = domain::Role::Reviewer;
    let link = invitations.invite(&server.admin.actor, "new@example.org", "New", role).await.unwrap();
    let page = server.browser().get(&link.path).await.expect_page();
    assert_contains(&page, &["Accept with Company"]);
    let token = link.path.split("token=").nth(1).unwrap();
    let browser = server.browser();
    let begin = format!("/oidc/{}?invitation={token}", text(&added["id"]));
    let begun = browser.get(&begin).await;
    let accepted = browser.get(&provider.agree(begun.header("location"))).await;
    assert_eq!((accepted.status, accepted.header("location")), (303, "/"), "{}", accepted.text);
    let all = server.app.services.accounts.list(&server.admin.actor).await.unwrap();
    let new = all.into_iter().find(|one| one.email == "new@example.org").unwrap();
    assert_eq!((new.name.as_str(), new.role), ("Pat Person", role));
    // It is used up, also for another person.
    provider.answers().claims["sub"] = json!("person-2");
    let other = server.browser();
    let begun = other.get(&begin).await;
    assert_refused(&other.get(&provider.agree(begun.header("location"))).await, "invitation_spent");
}

async fn the_page_adds_changes_tests_and_deletes_a_provider_without_a_script(server: TestServer) {
    const PAGE: &str = "/settings/sign-in";
    let provider = Provider::start(server.now()).await;
    let browser = server.log_in_browser(&server.admin).await;
    assert_contains(&browser.get(PAGE).await.expect_page(), &["There is no provider yet.", "New provider"]);
    let mut fields = vec![
        ("issuer", provider.url.as_str()),
        ("form[name]", "Company & <co>"),
        ("form[client_id]", "desk"),
        ("form[client_secret]", "open sesame"),
        ("form[scopes]", "profile"),
        ("form[provisioning]", "none"),
        ("form[member_group]", ""),
        ("form[group_claim]", "groups"),
        ("form[roles]", "cn=editors,o=news = boss"),
        ("form[groups]", ""),
        ("form[is_enabled]", "true"),
        ("from", PAGE),
    ];
    let refused = browser.form("/fn/create_provider", &fields).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_contains(&refused.text, &["line 1 is not of the form", "cn=editors,o=news = boss"]);
    assert!(!refused.text.contains("open sesame"), "a secret is not shown again");
    fields[8].1 = "cn=editors,o=news = reviewer";
    let created = browser.form("/fn/create_provider", &fields).await;
    assert_eq!(created.result_location(), "/settings/sign-in?done=create", "{}", created.text);
    let added = server.as_admin().get("/api/v1/sign-in/providers").await.expect(200)["items"][0].clone();
    assert_eq!(added["roles"], json!([{"group": "cn=editors,o=news", "role": "reviewer"}]));
    assert_eq!((&added["scopes"], &added["has_secret"]), (&json!("openid profile"), &json!(true)));
    let id = text(&added["id"]);
    let page = browser.get(PAGE).await.expect_page();
    assert_contains(&page, &["Company &amp; &lt;co&gt;", text(&added["redirect_url"])]);
    let tested = browser.form("/fn/test_provider", &[("id", id), ("from", PAGE)]).await;
    assert_eq!(tested.result_location(), "/settings/sign-in?done=test", "{}", tested.text);
    provider.answers().now = server.now().plus(90_000);
    let tested = browser.form("/fn/test_provider", &[("id", id), ("from", PAGE)]).await;
    assert_contains(&tested.text, &["The clocks of the provider and of this server are apart."]);
    // The secret stays unless another one is entered.
    let change = format!("{PAGE}?change={id}");
    assert_contains(
        &browser.get(&change).await.expect_page(),
        &["Leave empty to keep it.", "cn=editors,o=news = reviewer"],
    );
    let mut fields: Vec<(&str, &str)> = fields.into_iter().skip(1).collect();
    fields.extend([("id", id), ("seen", "1")]);
    fields[2].1 = "";
    let changed = browser.form("/fn/change_provider", &fields).await;
    assert_eq!(changed.result_location(), "/settings/sign-in?done=save", "{}", changed.text);
    assert_eq!(browser.form("/fn/change_provider", &fields).await.status, 409, "another version");
    let form = [("id", id), ("seen", "2"), ("from", PAGE)];
    let deleted = browser.form("/fn/delete_provider", &form).await;
    assert_eq!(deleted.result_location(), "/settings/sign-in?done=delete", "{}", deleted.text);
    let page = server.page(&server.admin, "/activity").await;
    assert_contains(&page, &["A sign-in provider"]);
}

async fn log_outs_at_the_provider_end_the_sessions_once(server: TestServer) {
    const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    let (first, second) = (server.browser(), server.browser());
    sign_in(&first, &provider, &added).await;
    provider.answers().claims["sid"] = json!("s-2");
    sign_in(&second, &provider, &added).await;
    let path = format!("/oidc/{}/logout", text(&added["id"]));
    let now = server.now().millis() / 1_000;
    let claims = |more: &Value| {
        let mut claims =
            json!({"iss": provider.url, "aud": "desk", "iat": now, "exp": now + 60, "events": {EVENT: {}}});
        for (name, value) in more.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims
    };
    let send = async |claims: &Value| {
        let token = provider.signed(claims);
        server.as_anonymous().form(&path, &[("logout_token", token.as_str())]).await.status
    };
    for wrong in [
        json!({"jti": "1"}),
        json!({"sid": "s-1"}),
        json!({"jti": "1", "sid": "s-1", "nonce": "n"}),
        json!({"jti": "1", "sid": "s-1", "events": {}}),
        json!({"jti": "1", "sid": "s-1", "aud": "other"}),
        json!({"jti": "1", "sid": "s-1", "iat": now - 3_600, "exp": now + 60}),
    ] {
        assert_eq!(send(&claims(&wrong)).await, 400, "{wrong}");
    }
    assert_eq!(first.get("/settings/profile").await.status, 200);
    let of_first = claims(&json!({"jti": "1", "sid": "s-1", "sub": "person-1"}));
    assert_eq!(send(&of_first).await, 200);
    assert_eq!(first.get("/settings/profile").await.status, 303, "its session has ended");
    assert_eq!(second.get("/settings/profile").await.status, 200);
    assert_eq!(send(&of_first).await, 400, "each token is used once");
    // Also when the provider was switched off.
    let path = format!("/api/v1/sign-in/providers/{}", text(&added["id"]));
    let edit = json!({"is_enabled": false, "seen_version": 1});
    server.as_admin().patch(&path, &edit).await.expect(200);
    assert_eq!(second.get("/settings/profile").await.status, 200);
    assert_eq!(send(&claims(&json!({"jti": "2", "sub": "person-1"}))).await, 200);
    assert_eq!(second.get("/settings/profile").await.status, 303, "all sessions of the person have ended");
}

async fn without_passwords_one_admin_keeps_its_own(server: TestServer) {
    let (accounts, admin) = (&server.app.accounts, server.admin.actor.account);
    assert!(accounts.switch_passwords(Some(admin)).await.is_err(), "without a provider no one could log in");
    let (provider, added) = add(&server, &json!({})).await;
    link(&server, &server.creator, &provider).await;
    assert!(accounts.switch_passwords(Some(server.creator.actor.account)).await.is_err(), "it is no admin");
    let open = server.log_in_browser(&server.colleague).await;
    let owner = server.log_in_browser(&server.creator).await;
    accounts.switch_passwords(Some(admin)).await.unwrap();
    let form = |account: &Account| [account.email.clone(), account.password.clone()];
    let log_in = async |account: &Account| {
        let [email, password] = form(account);
        let fields = [("email", email.as_str()), ("password", password.as_str()), ("from", "/login")];
        server.browser().form("/fn/log_in", &fields).await
    };
    let refused = log_in(&server.creator).await;
    assert_eq!(refused.status, 403);
    assert_contains(&refused.text, &["Log-ins with a password are switched off on this desk."]);
    assert_eq!(log_in(&server.admin).await.status, 303);
    assert_eq!(open.get("/articles").await.status, 200, "sessions stay");
    assert_eq!(sign_in(&server.browser(), &provider, &added).await.header("location"), "/articles");
    let unlink = [("id", text(&added["id"])), ("from", "/settings/profile")];
    assert_eq!(owner.form("/fn/unlink_identity", &unlink).await.status, 403, "no other way would be left");
    // The link of an invitation leads to no password either, and stays valid.
    let invitations = &server.app.services.invitations;
    let role = domain::Role::Creator;
    let invited = invitations.invite(&server.admin.actor, "new@example.org", "New", role).await.unwrap();
    let token = invited.path.split("token=").nth(1).unwrap();
    let fields = [
        ("token", token),
        ("name", "New"),
        ("password", "seventeen green bicycles"),
        ("from", invited.path.as_str()),
    ];
    assert_eq!(server.browser().form("/fn/accept", &fields).await.status, 403);
    accounts.switch_passwords(None).await.unwrap();
    assert_eq!(server.browser().form("/fn/accept", &fields).await.status, 303);
    assert_eq!(log_in(&server.creator).await.status, 303);
}
