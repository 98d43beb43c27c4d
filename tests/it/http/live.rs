//! The live stream: its events, how it resumes, and when it ends.

use crate::{
    on_both,
    sse_client::{Message, SseClient},
    test_server::{Account, TestServer, client_at},
};
use domain::{
    Role,
    account::{Client, PasswordChange, SessionSecret},
    accounts::second_factor::{RULE_GRACE_MS, RequiredFor},
    services::{Accounts as _, SecondFactors as _, Sessions as _, Tokens as _},
};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    events_are_streamed_as_they_happen,
    a_reconnected_stream_resumes_at_its_last_event,
    an_unknown_last_event_id_causes_a_reload,
    an_anonymous_client_gets_no_stream,
    streams_end_with_the_server,
    a_stream_ends_with_its_session_or_token,
    a_stream_ends_when_a_second_factor_is_enforced,
    an_open_stream_does_not_keep_a_session_alive,
);

async fn schedule_article(server: &TestServer, title: &str) -> Value {
    let article = json!({"title": title, "body": ""});
    let article = server.as_creator().post("/api/v1/articles", &article).await.expect(201);
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(60_000)});
    let task = server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.tick().await;
    task
}

fn verbs(message: &Message) -> Vec<&str> {
    message.data.as_array().unwrap().iter().map(|signal| signal["verb"].as_str().unwrap()).collect()
}

async fn events_are_streamed_as_they_happen(server: TestServer) {
    let mut stream = SseClient::open(&server.as_reviewer(), None).await;
    let hello = stream.next_event("hello").await;
    assert_eq!(hello.data["now"], server.now().to_string());
    let task = schedule_article(&server, "Heard").await;
    let mut seen = Vec::new();
    while seen.last().is_none_or(|signal: &Value| signal["entity_id"] != task["id"]) {
        seen.extend(stream.next_event("signals").await.data.as_array().unwrap().clone());
    }
    assert_eq!(
        (&seen.last().unwrap()["verb"], &seen.last().unwrap()["to_state"]),
        (&json!("schedule"), &json!("scheduled"))
    );
    assert!(stream.next_event("heartbeat").await.data["heartbeat_at"].is_string());
}

async fn a_reconnected_stream_resumes_at_its_last_event(server: TestServer) {
    schedule_article(&server, "Before").await;
    let mut stream = SseClient::open(&server.as_creator(), None).await;
    let last_id = stream.next_event("hello").await.id.unwrap();
    drop(stream);
    schedule_article(&server, "Meanwhile").await;
    schedule_article(&server, "And again").await;
    let mut stream = SseClient::open(&server.as_creator(), Some(&last_id)).await;
    let missed = stream.next_event("signals").await;
    assert_eq!(verbs(&missed).iter().filter(|verb| **verb == "schedule").count(), 2, "{missed:?}");
    let mut stream = SseClient::open(&server.as_creator(), missed.id.as_deref()).await;
    stream.next_event("hello").await;
    assert_eq!(stream.next().await.unwrap().name, "heartbeat", "nothing was missed");
}

async fn an_unknown_last_event_id_causes_a_reload(server: TestServer) {
    schedule_article(&server, "Some").await;
    let mut stream = SseClient::open(&server.as_creator(), Some("999999999")).await;
    let reload = stream.next_event("reload").await;
    assert!(reload.id.unwrap().parse::<i64>().unwrap() < 999_999_999);
}

async fn an_anonymous_client_gets_no_stream(server: TestServer) {
    assert_eq!(server.as_anonymous().get("/live").await.status, 401);
    let cookie = server.session_cookie(&server.creator).await;
    let answer =
        server.as_anonymous().request(Method::GET, "/live").header("cookie", cookie).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

async fn streams_end_with_the_server(server: TestServer) {
    let mut stream = SseClient::open(&server.as_creator(), None).await;
    stream.next_event("hello").await;
    server.stop().await;
    while let Some(message) = stream.next().await {
        assert_ne!(message.name, "reload");
    }
}

/// Opens a stream with a new session of the account. Returns both.
async fn open_session_stream(server: &TestServer, account: &Account) -> (SseClient, SessionSecret) {
    let client = client_at("192.0.2.1", "test");
    let fresh = server.app.accounts.log_in(&account.email, &account.password, &client).await.unwrap();
    let mut stream =
        SseClient::open_with_cookie(&server.as_anonymous(), &format!("__Host-sid={}", fresh.session.0)).await;
    stream.next_event("hello").await;
    (stream, fresh.session)
}

/// Whether the stream ends within a second.
async fn has_ended(server: &TestServer, mut stream: SseClient) -> bool {
    server.tick().await;
    let ends = async { while stream.next().await.is_some() {} };
    tokio::time::timeout(Duration::from_secs(1), ends).await.is_ok()
}

async fn a_stream_ends_with_its_session_or_token(server: TestServer) {
    let (accounts, admin) = (&server.app.accounts, &server.admin.actor);
    let (stream, session) = open_session_stream(&server, &server.creator).await;
    accounts.log_out(&session).await.unwrap();
    assert!(has_ended(&server, stream).await, "logged out");

    let (stream, session) = open_session_stream(&server, &server.creator).await;
    let again = Client { session: Some(session), ..Client::default() };
    accounts.log_in(&server.colleague.email, &server.colleague.password, &again).await.unwrap();
    assert!(has_ended(&server, stream).await, "replaced by a new log-in");

    let (stream, session) = open_session_stream(&server, &server.creator).await;
    let rows = accounts.sessions(&server.creator.actor, Some(&session)).await.unwrap();
    let name = &rows.iter().find(|row| row.is_current).unwrap().name;
    accounts.end_session(&server.creator.actor, name).await.unwrap();
    assert!(has_ended(&server, stream).await, "ended from another session");

    let (stream, _) = open_session_stream(&server, &server.creator).await;
    let mut by_token = SseClient::open(&server.as_creator(), None).await;
    by_token.next_event("hello").await;
    let new = "another fine sentence".to_owned();
    let change = PasswordChange { current: server.creator.password.clone(), new, keep_tokens: vec![] };
    accounts.change_password(&server.creator.actor, change, &Client::default()).await.unwrap();
    assert!(has_ended(&server, stream).await, "password changed");
    assert!(has_ended(&server, by_token).await, "a password change ends tokens, too");

    let (stream, _) = open_session_stream(&server, &server.reviewer).await;
    let mut by_token = SseClient::open(&server.as_reviewer(), None).await;
    by_token.next_event("hello").await;
    accounts.change_role(admin, server.reviewer.actor.account, Role::Creator).await.unwrap();
    assert!(has_ended(&server, stream).await && has_ended(&server, by_token).await, "role changed");

    let (stream, _) = open_session_stream(&server, &server.reviewer).await;
    let mut by_token = SseClient::open(&server.as_colleague(), None).await;
    by_token.next_event("hello").await;
    accounts.disable(admin, server.reviewer.actor.account, None).await.unwrap();
    let token = accounts.tokens(&server.colleague.actor).await.unwrap().remove(0).id;
    accounts.revoke_token(admin, token).await.unwrap();
    assert!(has_ended(&server, stream).await && has_ended(&server, by_token).await, "disabled, revoked");
}

async fn a_stream_ends_when_a_second_factor_is_enforced(server: TestServer) {
    let (accounts, admin) = (&server.app.accounts, &server.admin.actor);
    accounts.require_second_factor(admin, RequiredFor::Admins).await.unwrap();
    server.advance(RULE_GRACE_MS - 60_000).await;
    let (stream, _) = open_session_stream(&server, &server.admin).await;
    server.advance(60_000).await;
    // An event about the account makes the stream check its session.
    let token = accounts.tokens(admin).await.unwrap().remove(0).id;
    accounts.revoke_token(admin, token).await.unwrap();
    assert!(has_ended(&server, stream).await, "enforced");
}

async fn an_open_stream_does_not_keep_a_session_alive(server: TestServer) {
    let (mut stream, session) = open_session_stream(&server, &server.admin).await;
    let accounts = &server.app.accounts;
    let seen_at = async || {
        let rows = accounts.sessions(&server.admin.actor, Some(&session)).await.unwrap();
        rows.into_iter().find(|row| row.is_current).map(|row| row.seen_at)
    };
    let before = seen_at().await.unwrap();
    server.advance(5 * 60_000).await;
    // An event about the account makes the stream check its session.
    accounts
        .revoke_token(&server.admin.actor, accounts.tokens(&server.admin.actor).await.unwrap()[0].id)
        .await
        .unwrap();
    server.tick().await;
    while !verbs(&stream.next_event("signals").await).contains(&"revoke_token") {}
    let mut other =
        SseClient::open_with_cookie(&server.as_anonymous(), &format!("__Host-sid={}", session.0)).await;
    other.next_event("hello").await;
    assert_eq!(seen_at().await, Some(before), "neither an open nor a new stream counts as use");
    server.advance(25 * 60_000).await;
    assert_eq!(
        accounts.authenticate_session(&session).await,
        Ok(None),
        "half an hour after the last request"
    );
}
