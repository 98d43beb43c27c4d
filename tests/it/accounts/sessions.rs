//! Sessions: their lifetimes, their list, and ending all others.

use crate::{
    engine_page::assert_contains,
    http_client::{HttpClient, Reply},
    on_both,
    test_server::{Account, TestServer, client_at},
};
use domain::{
    Actor, DomainError,
    account::{Client, LoggedIn, PasswordChange},
};

on_both!(
    a_session_that_stays_logged_in_lasts_thirty_days,
    the_cookie_outlives_the_browser_only_if_the_user_stays_logged_in,
    a_new_password_keeps_the_lifetime_of_the_session,
    all_other_sessions_end_at_once,
);

const DAY_MS: i64 = 24 * 3_600_000;
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn log_in(server: &TestServer, account: &Account, stays: bool) -> LoggedIn {
    let client = Client { stays_logged_in: stays, ..client_at("192.0.2.7", FIREFOX) };
    server.app.services.sessions.log_in(&account.email, &account.password, &client).await.unwrap()
}

async fn actor(server: &TestServer, login: &LoggedIn) -> Option<Actor> {
    server.app.accounts.authenticate_session(&login.session).await.unwrap()
}

async fn a_session_that_stays_logged_in_lasts_thirty_days(server: TestServer) {
    let stays = [log_in(&server, &server.admin, true).await, log_in(&server, &server.creator, true).await];
    let usual = log_in(&server, &server.creator, false).await;
    assert!(stays.iter().all(|login| login.is_persistent) && !usual.is_persistent);
    for _ in 0..4 {
        server.advance(7 * DAY_MS).await;
    }
    // A later log-in deletes expired sessions.
    log_in(&server, &server.creator, false).await;
    assert!(actor(&server, &usual).await.is_none(), "the usual session ended long ago");
    server.advance(2 * DAY_MS - 60_000).await;
    for login in &stays {
        assert!(actor(&server, login).await.is_some(), "it lasts without use");
    }
    server.advance(60_000).await;
    for login in &stays {
        assert!(actor(&server, login).await.is_none(), "it ends after thirty days, also after use");
    }
}

fn session_cookie(reply: &Reply) -> &str {
    let mut cookies = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    cookies.rfind(|cookie| cookie.starts_with("__Host-sid=")).expect("a session cookie")
}

async fn the_cookie_outlives_the_browser_only_if_the_user_stays_logged_in(server: TestServer) {
    let user = &server.creator;
    let form = [("email", user.email.as_str()), ("password", &user.password), ("from", "/login")];
    let usual = server.browser().form("/fn/log_in", &form).await;
    assert!(!session_cookie(&usual).contains("Max-Age"), "{}", session_cookie(&usual));
    let stays = server.browser().form("/fn/log_in", &[&form[..], &[("stay", "true")]].concat()).await;
    assert!(session_cookie(&stays).contains("; Max-Age=2592000"), "{}", session_cookie(&stays));
    let wrong = [("email", user.email.as_str()), ("password", "wrong"), ("stay", "true"), ("from", "/login")];
    let refused = server.browser().form("/fn/log_in", &wrong).await;
    let choice = refused.text.split("name=\"stay\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(choice.contains("checked"), "the choice is kept: {choice}");
}

async fn a_new_password_keeps_the_lifetime_of_the_session(server: TestServer) {
    let mut password = server.creator.password.clone();
    for stays in [true, false] {
        let account = Account { password: password.clone(), ..server.creator.clone() };
        let login = log_in(&server, &account, stays).await;
        let user = actor(&server, &login).await.unwrap();
        let new = format!("another fine sentence {stays}");
        let change = PasswordChange { current: password, new: new.clone(), keep_tokens: vec![] };
        let changed = server.app.services.sessions.change_password(&user, change, &Client::default()).await;
        let changed = changed.unwrap();
        assert_eq!(changed.is_persistent, stays);
        let rows = server.app.services.sessions.sessions(&user, Some(&changed.session)).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.is_persistent).collect::<Vec<_>>(), [stays]);
        password = new;
    }
}

async fn all_other_sessions_end_at_once(server: TestServer) {
    let [here, there, other] = [&server.creator, &server.creator, &server.colleague];
    let here: HttpClient = server.log_in_browser(here).await;
    let there = server.log_in_browser(there).await;
    let other = server.log_in_browser(other).await;
    let phone = log_in(&server, &server.creator, true).await;
    let rows = server.app.services.sessions.sessions(&server.creator.actor, None).await.unwrap();
    let row = rows.iter().find(|row| row.is_persistent).unwrap();
    assert_eq!((row.agent.as_str(), row.address.as_str()), ("Firefox · Linux", "192.0.2.7"));
    let page = here.get("/settings/profile").await.expect_page();
    assert_contains(
        &page,
        &["Firefox · Linux", "192.0.2.7", "stays logged in for 30 days", "Log out all other"],
    );

    let reply = here.form("/fn/end_other_sessions", &[("from", "/settings/profile")]).await;
    assert_eq!((reply.status, reply.result_location().as_str()), (303, "/settings/profile?done=sessions"));
    assert_eq!(here.get("/articles").await.status, 200);
    assert_eq!(there.get("/articles").await.status, 303);
    assert_eq!(other.get("/articles").await.status, 200, "other accounts are not affected");
    assert!(actor(&server, &phone).await.is_none());
    let page = here.get("/settings/profile").await.expect_page();
    assert!(!page.contains("Log out all other"), "there is no other session");
    let log = server.app.services.tasks.events(&server.admin.actor, 0, 1_000).await.unwrap().items;
    let event = log.iter().find(|event| event.verb == "end_other_sessions").expect("an event");
    assert_eq!(event.detail["sessions_ended"], 2);
    let by_token = server.app.services.sessions.end_other_sessions(&server.creator.actor).await;
    assert_eq!(by_token, Err(DomainError::LogIn), "a token has no session to keep");
}
