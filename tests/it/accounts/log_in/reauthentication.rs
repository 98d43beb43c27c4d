//! Changes that outlive a session need the password again, in the same form or by another log-in.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use domain::Role;
use serde_json::json;

on_both!(
    creating_a_token_needs_the_password_again,
    creating_links_and_changing_roles_need_the_password_again,
    wrong_passwords_are_counted,
    rotating_a_secret_needs_the_password_or_a_token,
    what_outlives_a_session_needs_a_young_log_in,
    a_form_is_kept_through_the_log_in_that_it_needs,
);

const GRACE_MS: i64 = 600_000;
const PASSWORD_NEEDED: &str = "this change stays in effect after you log out";
const WRONG_PASSWORD: &str = "is not your current password";
/// Server functions without a field for the password.
const NEED_A_YOUNG_LOG_IN: [&str; 12] = [
    "/fn/add_channel",
    "/fn/edit_channel",
    "/fn/delete_channel",
    "/fn/set_mail_server",
    "/fn/remove_mail_server",
    "/fn/disable_account",
    "/fn/enable_account",
    "/fn/create_group",
    "/fn/change_group",
    "/fn/delete_group",
    "/fn/create_feed",
    "/fn/release_delivery_hold",
];

/// Sends the form without, with a wrong and with the right password.
async fn submit_three_times(
    browser: &HttpClient,
    function: &str,
    form: &[(&str, &str)],
    right: &str,
) -> [Reply; 3] {
    let with = |password: &'static str| [form, &[("password", password)]].concat();
    let without = browser.form(function, form).await;
    let wrong = browser.form(function, &with("not my password")).await;
    let right = browser.form(function, &[form, &[("password", right)]].concat()).await;
    [without, wrong, right]
}

#[track_caller]
fn check_password_was_requested([without, wrong, right]: &[Reply; 3], typed: &str) {
    assert_eq!((without.status, wrong.status, right.status), (422, 422, 303), "{}", right.text);
    for (page, problem) in [(without, PASSWORD_NEEDED), (wrong, WRONG_PASSWORD)] {
        assert!(page.text.contains(problem), "{}", page.text);
        assert!(page.text.contains(r#"name="password""#) && page.text.contains(typed), "{}", page.text);
        assert!(!page.text.contains("not my password"));
    }
}

async fn creating_a_token_needs_the_password_again(server: TestServer) {
    let user = &server.creator;
    let browser = server.log_in_browser(user).await;
    let form =
        [("name", "a robot of mine"), ("days", "90"), ("scope", "write"), ("from", "/settings/tokens")];
    assert_eq!(browser.form("/fn/create_token", &form).await.status, 303, "just logged in");
    let tokens = async || server.app.services.tokens.tokens(&user.actor).await.unwrap().len();
    assert_eq!(tokens().await, 2);
    server.advance(GRACE_MS).await;
    assert!(browser.get("/settings/tokens").await.expect_page().contains(r#"name="password""#));
    let replies = submit_three_times(&browser, "/fn/create_token", &form, &user.password).await;
    check_password_was_requested(&replies, r#"value="a robot of mine""#);
    assert_eq!(tokens().await, 3);
    assert!(!browser.get("/settings/tokens").await.expect_page().contains(r#"name="password""#));
    assert_eq!(browser.form("/fn/create_token", &form).await.status, 303, "needed once in ten minutes");
    // The password does not count for another session of the user.
    let elsewhere = server.log_in_browser(user).await;
    server.advance(GRACE_MS - 1_000).await;
    assert_eq!(elsewhere.form("/fn/create_token", &form).await.status, 303);
    server.advance(1_000).await;
    assert_eq!(elsewhere.form("/fn/create_token", &form).await.status, 422);
    let script = browser.request(reqwest::Method::POST, "/fn/create_token").header("origin", &server.url);
    let script = script.header("content-type", "application/x-www-form-urlencoded");
    let refused = Reply::of(script.body("name=x&days=90&scope=write")).await;
    assert_eq!((refused.status, tokens().await), (422, 5), "a script needs the password as well");
}

async fn creating_links_and_changing_roles_need_the_password_again(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let right = server.admin.password.as_str();
    let id = server.colleague.actor.account.to_string();
    let from = ("from", "/settings/people");
    server.advance(GRACE_MS).await;
    let invite = [("name", "Nina"), ("email", "nina@desk.test"), ("role", "reviewer"), from];
    let replies = submit_three_times(&browser, "/fn/invite", &invite, right).await;
    check_password_was_requested(&replies, r#"value="nina@desk.test""#);
    server.advance(GRACE_MS).await;
    let reset = [("id", id.as_str()), ("name", "colleague"), from];
    check_password_was_requested(
        &submit_three_times(&browser, "/fn/reset_password", &reset, right).await,
        &id,
    );
    server.advance(GRACE_MS).await;
    let role = [("id", id.as_str()), ("role", "reviewer"), from];
    check_password_was_requested(&submit_three_times(&browser, "/fn/change_role", &role, right).await, &id);
    let accounts = server.app.services.accounts.list(&server.admin.actor).await.unwrap();
    let colleague = accounts.iter().find(|person| person.id == server.colleague.actor.account).unwrap();
    assert_eq!(colleague.role, Role::Reviewer);
    let page = browser.form("/fn/change_role", &[("id", &id), ("role", "nothing"), from]).await;
    assert!(!page.text.contains(r#"name="password""#), "it was entered a moment ago");
}

async fn wrong_passwords_are_counted(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    server.advance(GRACE_MS).await;
    let form = [("name", "x"), ("days", "90"), ("scope", "read"), ("from", "/settings/tokens")];
    let guess = async |password: &str| {
        browser.form("/fn/create_token", &[&form[..], &[("password", password)]].concat()).await.status
    };
    for number in 0..12 {
        assert_eq!(guess("not my password").await, if number < 10 { 422 } else { 429 }, "{number}");
    }
    assert_eq!(guess(&server.creator.password).await, 429, "the right password is limited as well");
    assert_eq!(server.app.services.tokens.tokens(&server.creator.actor).await.unwrap().len(), 1);
    server.advance(41_000).await;
    assert_eq!(guess(&server.creator.password).await, 303);
}

async fn rotating_a_secret_needs_the_password_or_a_token(server: TestServer) {
    let new = json!({"name": "Hook", "url": "http://127.0.0.1:9009/hook"});
    let channel = server.as_admin().post("/api/v1/channels", &new).await.expect(201);
    let id = channel["id"].as_str().unwrap();
    let browser = server.log_in_browser(&server.admin).await;
    server.advance(GRACE_MS).await;
    let page = format!("/settings/channels/{id}");
    let form = [("id", id), ("from", page.as_str())];
    check_password_was_requested(
        &submit_three_times(&browser, "/fn/rotate_channel", &form, &server.admin.password).await,
        id,
    );
    server.advance(GRACE_MS).await;
    server.as_admin().post(&format!("/api/v1/channels/{id}/rotate"), &json!({})).await.expect(200);
}

async fn what_outlives_a_session_needs_a_young_log_in(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    server.advance(GRACE_MS - 1_000).await;
    for function in NEED_A_YOUNG_LOG_IN {
        let reply = browser.script_form(function, &[]).await;
        assert!(!reply.text.contains("proof_needed"), "{function}: {}", reply.text);
    }
    server.advance(1_000).await;
    for function in NEED_A_YOUNG_LOG_IN {
        let refused = browser.script_form(function, &[]).await;
        assert_eq!(refused.status, 401, "{function}: {}", refused.text);
        assert!(refused.text.contains("proof_needed"), "{function}: {}", refused.text);
    }
    // What ends access or is read does not, and neither does a token.
    assert_eq!(browser.form("/fn/end_other_sessions", &[("from", "/settings/profile")]).await.status, 303);
    browser.get("/settings/channels").await.expect_page();
    server.as_admin().post("/api/v1/groups", &json!({"name": "By a token"})).await.expect(201);
}

async fn a_form_is_kept_through_the_log_in_that_it_needs(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    server.advance(GRACE_MS).await;
    let form = [("name", "Night <desk>"), ("from", "/settings/groups")];
    let kept = browser.form("/fn/create_group", &form).await;
    assert_eq!(kept.status, 401, "{}", kept.text);
    for part in ["needs a log-in within the last 10 minutes", "your input is kept", r#"action="/fn/log_in""#]
    {
        assert!(kept.text.contains(part), "{part}: {}", kept.text);
    }
    let (_, held) = kept.text.split_once(r#"name="pending_form" value=""#).expect("the form is kept");
    let held = held.split('"').next().unwrap_or_default().replace("&quot;", "\"");
    let held = held.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let log_in = [
        ("email", server.admin.email.as_str()),
        ("password", &server.admin.password),
        ("next", "/settings/groups"),
        ("pending_form", &held),
        ("from", "/login?next=/settings/groups"),
    ];
    let shown = browser.form("/fn/log_in", &log_in).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    assert!(shown.text.contains("Night &lt;desk"), "{}", shown.text);
    assert_eq!(browser.form("/fn/create_group", &form).await.status, 303);
}
