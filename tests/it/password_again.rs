//! What outlives a session asks for the password again, in the same form.

use crate::{
    caller::{Caller, Reply},
    house::Story,
    on_both,
};
use domain::Role;
use serde_json::json;

on_both!(
    a_token_asks_for_the_password_again,
    links_and_roles_ask_for_the_password_again,
    wrong_passwords_are_counted,
    a_secret_is_replaced_with_the_password_or_a_token,
);

const GRACE_MS: i64 = 600_000;
const ASKED: &str = "is asked for again";
const WRONG: &str = "is not your current password";

/// Sends the form as it is, then with a wrong password, then with the right one.
async fn three_times(browser: &Caller, function: &str, form: &[(&str, &str)], right: &str) -> [Reply; 3] {
    let with = |password: &'static str| [form, &[("password", password)]].concat();
    let without = browser.form(function, form).await;
    let wrong = browser.form(function, &with("not my password")).await;
    let right = browser.form(function, &[form, &[("password", right)]].concat()).await;
    [without, wrong, right]
}

#[track_caller]
fn was_asked([without, wrong, right]: &[Reply; 3], typed: &str) {
    assert_eq!((without.status, wrong.status, right.status), (422, 422, 303), "{}", right.text);
    for (page, problem) in [(without, ASKED), (wrong, WRONG)] {
        assert!(page.text.contains(problem), "{}", page.text);
        assert!(page.text.contains(r#"name="password""#) && page.text.contains(typed), "{}", page.text);
        assert!(!page.text.contains("not my password"));
    }
}

async fn a_token_asks_for_the_password_again(story: Story) {
    let who = &story.creator;
    let browser = story.browser_of(who).await;
    let form =
        [("name", "a robot of mine"), ("days", "90"), ("scope", "write"), ("from", "/settings/tokens")];
    assert_eq!(browser.form("/fn/create_token", &form).await.status, 303, "just logged in");
    let tokens = async || story.house.desk.people.tokens(&who.actor).await.unwrap().len();
    assert_eq!(tokens().await, 2);
    story.advance(GRACE_MS).await;
    assert!(browser.get("/settings/tokens").await.expect_page().contains(r#"name="password""#));
    let replies = three_times(&browser, "/fn/create_token", &form, &who.password).await;
    was_asked(&replies, r#"value="a robot of mine""#);
    assert_eq!(tokens().await, 3);
    assert!(!browser.get("/settings/tokens").await.expect_page().contains(r#"name="password""#));
    assert_eq!(browser.form("/fn/create_token", &form).await.status, 303, "asked once in ten minutes");
    // Another session of theirs was not given it.
    let elsewhere = story.browser_of(who).await;
    story.advance(GRACE_MS - 1_000).await;
    assert_eq!(elsewhere.form("/fn/create_token", &form).await.status, 303);
    story.advance(1_000).await;
    assert_eq!(elsewhere.form("/fn/create_token", &form).await.status, 422);
    let script = browser.request(reqwest::Method::POST, "/fn/create_token").header("origin", &story.url);
    let script = script.header("content-type", "application/x-www-form-urlencoded");
    let refused = Reply::of(script.body("name=x&days=90&scope=write")).await;
    assert_eq!((refused.status, tokens().await), (422, 5), "a script is asked as well");
}

async fn links_and_roles_ask_for_the_password_again(story: Story) {
    let browser = story.browser_of(&story.admin).await;
    let right = story.admin.password.as_str();
    let id = story.colleague.actor.person.to_string();
    let from = ("from", "/settings/people");
    story.advance(GRACE_MS).await;
    let invite = [("name", "Nina"), ("email", "nina@desk.test"), ("role", "reviewer"), from];
    let replies = three_times(&browser, "/fn/invite", &invite, right).await;
    was_asked(&replies, r#"value="nina@desk.test""#);
    story.advance(GRACE_MS).await;
    let reset = [("id", id.as_str()), ("name", "colleague"), from];
    was_asked(&three_times(&browser, "/fn/reset", &reset, right).await, &id);
    story.advance(GRACE_MS).await;
    let role = [("id", id.as_str()), ("role", "reviewer"), from];
    was_asked(&three_times(&browser, "/fn/change_role", &role, right).await, &id);
    let people = story.house.desk.people.list(&story.admin.actor).await.unwrap();
    let colleague = people.iter().find(|person| person.id == story.colleague.actor.person).unwrap();
    assert_eq!(colleague.role, Role::Reviewer);
    let page = browser.form("/fn/change_role", &[("id", &id), ("role", "nothing"), from]).await;
    assert!(!page.text.contains(r#"name="password""#), "it was entered a moment ago");
}

async fn wrong_passwords_are_counted(story: Story) {
    let browser = story.browser_of(&story.creator).await;
    story.advance(GRACE_MS).await;
    let form = [("name", "x"), ("days", "90"), ("scope", "read"), ("from", "/settings/tokens")];
    let guess = async |password: &str| {
        browser.form("/fn/create_token", &[&form[..], &[("password", password)]].concat()).await.status
    };
    for number in 0..12 {
        assert_eq!(guess("not my password").await, if number < 10 { 422 } else { 429 }, "{number}");
    }
    assert_eq!(guess(&story.creator.password).await, 429, "nor may the right one be found so");
    assert_eq!(story.house.desk.people.tokens(&story.creator.actor).await.unwrap().len(), 1);
    story.advance(41_000).await;
    assert_eq!(guess(&story.creator.password).await, 303);
}

async fn a_secret_is_replaced_with_the_password_or_a_token(story: Story) {
    let new = json!({"name": "Hook", "address": "http://127.0.0.1:9009/hook"});
    let channel = story.as_admin().post("/api/v1/channels", &new).await.expect(201);
    let id = channel["id"].as_str().unwrap();
    let browser = story.browser_of(&story.admin).await;
    story.advance(GRACE_MS).await;
    let page = format!("/settings/channels/{id}");
    let form = [("id", id), ("from", page.as_str())];
    was_asked(&three_times(&browser, "/fn/rotate_channel", &form, &story.admin.password).await, id);
    story.advance(GRACE_MS).await;
    story.as_admin().post(&format!("/api/v1/channels/{id}/rotate"), &json!({})).await.expect(200);
}
