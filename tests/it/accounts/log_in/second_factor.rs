//! The second factor: adding it, logging in with it, recovery codes, and its reset.

use crate::{
    engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::{Account, TestServer, client_at},
};
use domain::{
    DomainError,
    accounts::second_factor::{RECOVERY_CODES, RequiredFor, SecondFactor, SecondFactorRule},
    error::ValidationError,
    services::{Accounts as _, Invitations as _, SecondFactors as _, Sessions as _},
};
use presstime::security::totp;
use serde_json::json;
use store::{PoolRole, second_factor};

on_both!(
    a_second_factor_is_added_with_its_first_code,
    a_log_in_asks_for_the_code_before_there_is_a_session,
    a_code_is_accepted_once,
    a_recovery_code_is_accepted_once,
    a_log_in_expires_after_five_codes_or_five_minutes,
    a_log_in_that_has_expired_says_so_above_the_password,
    wrong_codes_count_as_wrong_passwords,
    a_form_is_kept_through_both_steps,
    a_new_password_by_a_link_does_not_skip_the_second_factor,
    the_secret_and_the_codes_are_not_stored_in_clear,
    an_admin_resets_a_second_factor,
    changes_need_the_password_again,
    a_required_second_factor_is_enforced_after_seven_days,
    a_rule_that_was_changed_meanwhile_is_not_replaced,
);

const STEP_MS: i64 = 30_000;
const GRACE_MS: i64 = 600_000;

/// Adds a second factor; returns its secret and the recovery codes. The current code is used up.
async fn add(server: &TestServer, user: &Account) -> (Vec<u8>, Vec<String>) {
    let accounts = &server.app.accounts;
    accounts.create_second_factor(&user.actor).await.unwrap();
    let secret = secret(server, user).await;
    let code = totp::code_at(&secret, server.now());
    let codes = accounts.add_second_factor(&user.actor, &code).await.unwrap();
    (secret, codes)
}

/// Returns the decrypted secret of an account.
async fn secret(server: &TestServer, user: &Account) -> Vec<u8> {
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let stored = second_factor::find(lease.conn(), user.actor.account).await.unwrap().unwrap();
    let place = format!("second_factor/{}", user.actor.account);
    server.app.parts.senders.vault.open(&place, &stored.secret).unwrap()
}

/// Enters the right password; returns the token of the log-in that awaits a code.
async fn enter_password(server: &TestServer, user: &Account) -> String {
    let client = client_at("127.0.0.1", "test");
    match server.app.accounts.log_in(&user.email, &user.password, &client).await {
        Err(DomainError::CodeNeeded { token }) => token,
        other => panic!("no code was asked for: {other:?}"),
    }
}

async fn enter_code(server: &TestServer, token: &str, code: &str) -> Result<(), DomainError> {
    let client = client_at("127.0.0.1", "test");
    server.app.accounts.complete_log_in(token, code, &client).await.map(drop)
}

fn wrong_code<T>() -> Result<T, DomainError> {
    Err(DomainError::invalid("code", ValidationError::WrongCode))
}

/// Returns the value of a hidden field of a page.
fn hidden(page: &str, name: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name}: {page}"));
    let value = rest.split('"').next().unwrap();
    value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

async fn password_form(browser: &HttpClient, user: &Account, next: &str) -> Reply {
    let from = format!("/login?next={next}");
    let form = [
        ("email", user.email.as_str()),
        ("password", &user.password),
        ("next", next),
        ("from", from.as_str()),
    ];
    browser.form("/fn/log_in", &form).await
}

async fn code_form(browser: &HttpClient, token: &str, code: &str) -> Reply {
    // The result of the page before the log-in is not shown again.
    let next = "/articles?done=saved";
    let form = [("token", token), ("code", code), ("next", next), ("from", "/login?next=/articles")];
    browser.form("/fn/complete_log_in", &form).await
}

async fn a_second_factor_is_added_with_its_first_code(server: TestServer) {
    let user = &server.creator;
    let browser = server.log_in_browser(user).await;
    let from = ("from", "/settings/profile");
    assert_eq!(browser.form("/fn/create_second_factor", &[from]).await.status, 303);
    let secret = secret(&server, user).await;
    let page = browser.get("/settings/profile").await.expect_page();
    assert_contains(
        &page,
        &[&totp::base32(&secret), "otpauth://totp/", "aria-label=\"QR code with the key below\""],
    );
    let url = page.split("href=\"").find(|part| part.starts_with("otpauth://")).unwrap();
    let url = url.split('"').next().unwrap().replace("&amp;", "&");
    assert_contains(&page, &[&presstime::services::qr_code::svg(&url).unwrap()]);
    let wrong = browser.form("/fn/add_second_factor", &[("code", "12345"), from]).await;
    assert_eq!(wrong.status, 422);
    assert_contains(&wrong.text, &["is wrong or was used already", &totp::base32(&secret)]);
    let code = totp::code_at(&secret, server.now());
    assert_eq!(browser.form("/fn/add_second_factor", &[("code", code.as_str()), from]).await.status, 303);
    let page = browser.get("/settings/profile").await.expect_page();
    assert_contains(&page, &["They are shown only once", "Recovery codes left: 10"]);
    assert!(!page.contains(&totp::base32(&secret)), "the key is not shown again");
    let page = browser.get("/settings/profile").await.expect_page();
    assert!(!page.contains("They are shown only once"));
    assert_eq!(server.app.accounts.create_second_factor(&user.actor).await, Err(DomainError::Changed));
    server.as_account(user).get("/api/v1/articles").await.expect(200);
}

async fn a_log_in_asks_for_the_code_before_there_is_a_session(server: TestServer) {
    let user = &server.creator;
    let (secret, _) = add(&server, user).await;
    server.advance(STEP_MS).await;
    let browser = server.browser();
    let asked = password_form(&browser, user, "/articles").await;
    assert_eq!(asked.status, 401, "{}", asked.text);
    assert!(asked.headers.get("set-cookie").is_none(), "there is no session yet");
    assert_contains(&asked.text, &["Your password is right", r#"action="/fn/complete_log_in""#]);
    assert_eq!(browser.get("/articles").await.status, 303);
    let token = hidden(&asked.text, "token");
    let wrong = code_form(&browser, &token, "12345").await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert_contains(&wrong.text, &["is wrong or was used already", &token]);
    let code = totp::code_at(&secret, server.now());
    let done = code_form(&browser, &hidden(&wrong.text, "token"), &code).await;
    assert_eq!((done.status, done.header("location")), (303, "/articles"), "{}", done.text);
    browser.get("/articles").await.expect_page();
}

async fn a_code_is_accepted_once(server: TestServer) {
    let user = &server.creator;
    let (secret, _) = add(&server, user).await;
    let token = enter_password(&server, user).await;
    let used = totp::code_at(&secret, server.now());
    assert_eq!(enter_code(&server, &token, &used).await, wrong_code(), "it has added the second factor");
    server.advance(STEP_MS).await;
    let code = totp::code_at(&secret, server.now());
    assert_eq!(enter_code(&server, &token, &code).await, Ok(()));
    assert_eq!(enter_code(&server, &token, &code).await, Err(DomainError::LogInExpired));
    let token = enter_password(&server, user).await;
    assert_eq!(enter_code(&server, &token, &code).await, wrong_code());
}

async fn a_recovery_code_is_accepted_once(server: TestServer) {
    let user = &server.creator;
    let (_, codes) = add(&server, user).await;
    assert_eq!(codes.len(), RECOVERY_CODES);
    let token = enter_password(&server, user).await;
    assert_eq!(enter_code(&server, &token, &codes[0].to_uppercase()).await, Ok(()));
    let token = enter_password(&server, user).await;
    assert_eq!(enter_code(&server, &token, &codes[0]).await, wrong_code());
    let left = server.app.accounts.second_factor(&user.actor).await.unwrap();
    assert_eq!(left.recovery_codes, RECOVERY_CODES - 1);
    let fresh = server.app.accounts.renew_recovery_codes(&user.actor).await.unwrap();
    assert_eq!(enter_code(&server, &token, &codes[1]).await, wrong_code(), "it was replaced");
    assert_eq!(enter_code(&server, &token, &fresh[0]).await, Ok(()));
}

async fn a_log_in_expires_after_five_codes_or_five_minutes(server: TestServer) {
    let user = &server.creator;
    let (_, codes) = add(&server, user).await;
    let token = enter_password(&server, user).await;
    for _ in 0..4 {
        assert_eq!(enter_code(&server, &token, "000").await, wrong_code());
    }
    assert_eq!(enter_code(&server, &token, "000").await, Err(DomainError::LogInExpired));
    assert_eq!(enter_code(&server, &token, &codes[0]).await, Err(DomainError::LogInExpired));
    server.advance(GRACE_MS).await;
    let token = enter_password(&server, user).await;
    server.advance(300_000).await;
    assert_eq!(enter_code(&server, &token, &codes[0]).await, Err(DomainError::LogInExpired));
}

async fn a_log_in_that_has_expired_says_so_above_the_password(server: TestServer) {
    let user = &server.creator;
    let (_, codes) = add(&server, user).await;
    let browser = server.browser();
    let token = hidden(&password_form(&browser, user, "/articles").await.text, "token");
    for _ in 0..4 {
        assert_contains(&code_form(&browser, &token, "000").await.text, &["is wrong or was used already"]);
    }
    for code in ["000", &codes[0]] {
        let over = code_form(&browser, &token, code).await;
        assert!((400..500).contains(&over.status), "{}", over.status);
        assert_contains(&over.text, &["took too long, or too many codes were wrong", "name=\"password\""]);
    }
}

async fn wrong_codes_count_as_wrong_passwords(server: TestServer) {
    let user = &server.creator;
    let (_, codes) = add(&server, user).await;
    let (first, second) = (enter_password(&server, user).await, enter_password(&server, user).await);
    for number in 0..8 {
        let token = if number < 4 { &first } else { &second };
        assert_eq!(enter_code(&server, token, "000").await, wrong_code(), "{number}");
    }
    let limited = enter_code(&server, &second, &codes[0]).await;
    assert!(matches!(limited, Err(DomainError::TooMany { .. })), "{limited:?}");
    server.advance(41_000).await;
    assert_eq!(enter_code(&server, &second, &codes[0]).await, Ok(()));
}

async fn a_form_is_kept_through_both_steps(server: TestServer) {
    let user = &server.creator;
    let (_, codes) = add(&server, user).await;
    let browser = server.browser();
    let typed = [("title", "Typed for an hour"), ("body", "and kept"), ("from", "/articles/new")];
    let page = browser.form("/fn/create_article", &typed).await;
    let pending = hidden(&page.text, "pending_form");
    let form = [
        ("email", user.email.as_str()),
        ("password", user.password.as_str()),
        ("next", "/articles/new"),
        ("pending_form", pending.as_str()),
        ("from", "/login?next=/articles/new"),
    ];
    let asked = browser.form("/fn/log_in", &form).await;
    assert_eq!(asked.status, 401, "{}", asked.text);
    let (token, pending) = (hidden(&asked.text, "token"), hidden(&asked.text, "pending_form"));
    let form = [
        ("token", token.as_str()),
        ("code", &codes[0]),
        ("next", "/articles/new"),
        ("pending_form", &pending),
        ("from", "/login?next=/articles/new"),
    ];
    let shown = browser.form("/fn/complete_log_in", &form).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    assert_contains(&shown.text, &["Typed for an hour", "and kept"]);
}

async fn a_new_password_by_a_link_does_not_skip_the_second_factor(server: TestServer) {
    let user = &server.creator;
    let (_, codes) = add(&server, user).await;
    let accounts = &server.app.accounts;
    let link = accounts.reset_password(&server.admin.actor, user.actor.account).await.unwrap();
    let token = link.path.split_once("token=").unwrap().1;
    let browser = server.browser();
    let form = [("token", token), ("password", "a brand new sentence"), ("from", link.path.as_str())];
    let asked = browser.form("/fn/accept", &form).await;
    assert_eq!(asked.status, 401, "{}", asked.text);
    assert!(asked.headers.get("set-cookie").is_none());
    let done = code_form(&browser, &hidden(&asked.text, "token"), &codes[0]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    let user = &Account { password: "a brand new sentence".to_owned(), ..user.clone() };
    let token = enter_password(&server, user).await;
    accounts.disable(&server.admin.actor, user.actor.account, None).await.unwrap();
    assert_eq!(enter_code(&server, &token, &codes[1]).await, Err(DomainError::LogInExpired));
}

async fn the_secret_and_the_codes_are_not_stored_in_clear(server: TestServer) {
    let user = &server.creator;
    let (secret, codes) = add(&server, user).await;
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let stored = second_factor::find(lease.conn(), user.actor.account).await.unwrap().unwrap();
    assert!(!stored.secret.contains(&totp::base32(&secret)), "{}", stored.secret);
    let plain = codes[0].replace('-', "");
    for text in [&codes[0], &plain] {
        let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
        assert!(!second_factor::use_code(tx.conn(), user.actor.account, text).await.unwrap());
        tx.rollback().await.unwrap();
    }
}

async fn an_admin_resets_a_second_factor(server: TestServer) {
    let (user, accounts) = (&server.creator, &server.app.accounts);
    add(&server, user).await;
    let refused = accounts.reset_second_factor(&server.colleague.actor, user.actor.account).await;
    assert_eq!(refused, Err(DomainError::NotAllowed));
    let theirs = accounts.accounts_with_second_factor(&server.colleague.actor).await;
    assert_eq!(theirs, Err(DomainError::NotAllowed));
    let browser = server.log_in_browser(&server.admin).await;
    let people = browser.get("/settings/people").await.expect_page();
    assert_contains(&people, &["Reset second factor"]);
    let id = user.actor.account.to_string();
    let form = [("id", id.as_str()), ("from", "/settings/people")];
    assert_eq!(browser.form("/fn/reset_second_factor", &form).await.status, 303);
    assert_eq!(accounts.second_factor(&user.actor).await, Ok(SecondFactor::default()));
    assert_eq!(browser.form("/fn/reset_second_factor", &form).await.status, 404, "there is none");
    server.log_in_browser(user).await;
}

async fn changes_need_the_password_again(server: TestServer) {
    let user = &server.creator;
    let browser = server.log_in_browser(user).await;
    add(&server, user).await;
    server.advance(GRACE_MS).await;
    let from = ("from", "/settings/profile");
    for function in ["/fn/remove_second_factor", "/fn/renew_recovery_codes"] {
        assert_eq!(browser.form(function, &[from]).await.status, 422, "{function}");
    }
    let password = ("password", user.password.as_str());
    assert_eq!(browser.form("/fn/remove_second_factor", &[password, from]).await.status, 303);
    server.log_in_browser(user).await;
}

async fn a_required_second_factor_is_enforced_after_seven_days(server: TestServer) {
    const PATH: &str = "/api/v1/settings/second-factor";
    let rule = server.as_admin().patch(PATH, &json!({"required_for": "admins"})).await.expect(200);
    assert_eq!(rule["required_for"], "admins");
    assert_eq!(server.as_admin().patch(PATH, &json!({"required_for": "x"})).await.refused(422), "invalid");
    let browser = server.log_in_browser(&server.admin).await;
    browser.get("/articles").await.expect_page();
    assert_contains(
        &browser.get("/settings/profile").await.expect_page(),
        &["Your role needs a second factor"],
    );
    server.advance(7 * 24 * 3_600_000).await;
    let browser = server.log_in_browser(&server.admin).await;
    for path in ["/", "/articles", "/settings/people"] {
        let reply = browser.get(path).await;
        assert_eq!(
            (reply.status, reply.header("location")),
            (303, "/settings/profile#second-factor"),
            "{path}"
        );
    }
    let typed = [("title", "T"), ("body", "B"), ("from", "/articles/new")];
    let refused = browser.script_form("/fn/create_article", &typed).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert!(refused.text.contains("second_factor_required"), "a script reads the reason: {}", refused.text);
    let kept = browser.form("/fn/create_article", &typed).await;
    assert_eq!(kept.status, 403, "{}", kept.text);
    assert_contains(&kept.text, &["Your input is kept", r#"action="/fn/create_second_factor""#]);
    let found = server.as_admin().get("/api/v1/articles").await.expect(200);
    assert_eq!(found["items"].as_array().map(Vec::len), Some(0), "nothing was stored");
    browser.get("/settings/profile").await.expect_page();
    let from = ("from", "/settings/profile");
    let refused = browser.form("/fn/change_profile", &[("name", "Ada"), from]).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert_contains(&refused.text, &["until then, nothing else is possible"]);
    assert_eq!(
        browser.form("/fn/end_other_sessions", &[from]).await.status,
        303,
        "what ends access is possible"
    );
    let held = hidden(&kept.text, "pending_form");
    let created = browser.form("/fn/create_second_factor", &[("pending_form", held.as_str()), from]).await;
    assert_contains(&created.text, &["otpauth://totp/", "Your input is kept"]);
    let code = totp::code_at(&secret(&server, &server.admin).await, server.now());
    let held = hidden(&created.text, "pending_form");
    let form = [("code", code.as_str()), ("pending_form", held.as_str()), from];
    let added = browser.form("/fn/add_second_factor", &form).await;
    let expected =
        ["They are shown only once", r#"action="/fn/create_article""#, r#"name="title" value="T""#];
    assert_contains(&added.text, &expected);
    assert_eq!(browser.form("/fn/create_article", &typed).await.status, 303, "what the button sends");
    browser.get("/articles").await.expect_page();
    // Tokens and other roles are not affected.
    server.as_admin().get("/api/v1/articles").await.expect(200);
    server.log_in_browser(&server.creator).await.get("/articles").await.expect_page();
}

async fn a_rule_that_was_changed_meanwhile_is_not_replaced(server: TestServer) {
    let rule = |required_for| SecondFactorRule::default().changed(required_for, server.now());
    let replace = async |before: Option<&str>, required_for| {
        let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
        let done = second_factor::replace_rule(tx.conn(), before, rule(required_for)).await.unwrap();
        let text = second_factor::rule_text(tx.conn()).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        (done, text)
    };
    let (is_first, admins) = replace(None, RequiredFor::Admins).await;
    assert!(is_first && !replace(None, RequiredFor::All).await.0);
    assert!(replace(Some(&admins), RequiredFor::Reviewers).await.0);
    let (is_late, text) = replace(Some(&admins), RequiredFor::None).await;
    assert!(!is_late && text.contains("reviewers"), "{text}");
    // As a release without the further fields wrote it.
    let old = second_factor::rule_of(Some(r#"{"required_for":"all","enforced_at":null}"#)).unwrap();
    assert_eq!((old.required_for, old.admins_at), (RequiredFor::All, None));
}
