//! The live stream: what it tells, where it goes on after a break, and when it ends.

use crate::{
    ear::{Ear, Message},
    house::{Account, Story, client_at},
    on_both,
};
use domain::{
    Role,
    desk::People,
    person::{Client, NewPassword, SessionSecret},
};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    what_happens_is_told_as_it_happens,
    a_broken_stream_goes_on_where_it_was,
    a_place_nobody_remembers_means_reload,
    strangers_hear_nothing,
    streams_end_with_the_server,
    a_stream_ends_with_what_opened_it,
    listening_does_not_keep_a_session_alive,
);

async fn wish(story: &Story, title: &str) -> Value {
    let article = json!({"title": title, "body": ""});
    let article = story.as_creator().post("/api/v1/articles", &article).await.expect(201);
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": story.later(60_000)});
    let task = story.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    story.tick().await;
    task
}

fn verbs(message: &Message) -> Vec<&str> {
    message.data.as_array().unwrap().iter().map(|signal| signal["verb"].as_str().unwrap()).collect()
}

async fn what_happens_is_told_as_it_happens(story: Story) {
    let mut ear = Ear::open(&story.as_reviewer(), None).await;
    let hello = ear.hear("hello").await;
    assert_eq!(hello.data["now"], story.now().to_string());
    let task = wish(&story, "Heard").await;
    let mut heard = Vec::new();
    while heard.last().is_none_or(|signal: &Value| signal["entity_id"] != task["id"]) {
        heard.extend(ear.hear("signals").await.data.as_array().unwrap().clone());
    }
    assert_eq!(
        (&heard.last().unwrap()["verb"], &heard.last().unwrap()["to_state"]),
        (&json!("schedule"), &json!("scheduled"))
    );
    assert!(ear.hear("beat").await.data["beat_at"].is_string());
}

async fn a_broken_stream_goes_on_where_it_was(story: Story) {
    wish(&story, "Before").await;
    let mut ear = Ear::open(&story.as_creator(), None).await;
    let place = ear.hear("hello").await.id.unwrap();
    drop(ear);
    wish(&story, "Meanwhile").await;
    wish(&story, "And again").await;
    let mut ear = Ear::open(&story.as_creator(), Some(&place)).await;
    let missed = ear.hear("signals").await;
    assert_eq!(verbs(&missed).iter().filter(|verb| **verb == "schedule").count(), 2, "{missed:?}");
    let mut ear = Ear::open(&story.as_creator(), missed.id.as_deref()).await;
    ear.hear("hello").await;
    assert_eq!(ear.next().await.unwrap().name, "beat", "nothing was missed");
}

async fn a_place_nobody_remembers_means_reload(story: Story) {
    wish(&story, "Some").await;
    let mut ear = Ear::open(&story.as_creator(), Some("999999999")).await;
    let reload = ear.hear("reload").await;
    assert!(reload.id.unwrap().parse::<i64>().unwrap() < 999_999_999);
}

async fn strangers_hear_nothing(story: Story) {
    assert_eq!(story.as_nobody().get("/live").await.status, 401);
    let cookie = story.cookie(&story.creator).await;
    let answer =
        story.as_nobody().request(Method::GET, "/live").header("cookie", cookie).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

async fn streams_end_with_the_server(story: Story) {
    let mut ear = Ear::open(&story.as_creator(), None).await;
    ear.hear("hello").await;
    story.stop().await;
    while let Some(message) = ear.next().await {
        assert_ne!(message.name, "reload");
    }
}

/// A stream opened with a fresh session of the account, and the session.
async fn ear_of(story: &Story, account: &Account) -> (Ear, SessionSecret) {
    let client = client_at("192.0.2.1", "story");
    let fresh = story.house.people.log_in(&account.email, &account.password, &client).await.unwrap();
    let mut ear = Ear::open_with(&story.as_nobody(), &format!("__Host-sid={}", fresh.session.0)).await;
    ear.hear("hello").await;
    (ear, fresh.session)
}

/// Whether the stream has ended within a second.
async fn has_ended(story: &Story, mut ear: Ear) -> bool {
    story.tick().await;
    let ends = async { while ear.next().await.is_some() {} };
    tokio::time::timeout(Duration::from_secs(1), ends).await.is_ok()
}

async fn a_stream_ends_with_what_opened_it(story: Story) {
    let (people, admin) = (&story.house.people, &story.admin.actor);
    let (ear, session) = ear_of(&story, &story.creator).await;
    people.log_out(&session).await.unwrap();
    assert!(has_ended(&story, ear).await, "logged out");

    let (ear, session) = ear_of(&story, &story.creator).await;
    let again = Client { session: Some(session), ..Client::default() };
    people.log_in(&story.colleague.email, &story.colleague.password, &again).await.unwrap();
    assert!(has_ended(&story, ear).await, "replaced by another log-in");

    let (ear, session) = ear_of(&story, &story.creator).await;
    let rows = people.sessions(&story.creator.actor, Some(&session)).await.unwrap();
    let name = &rows.iter().find(|row| row.is_current).unwrap().name;
    people.end_session(&story.creator.actor, name).await.unwrap();
    assert!(has_ended(&story, ear).await, "ended from elsewhere");

    let (ear, _) = ear_of(&story, &story.creator).await;
    let mut by_token = Ear::open(&story.as_creator(), None).await;
    by_token.hear("hello").await;
    let new = "another fine sentence".to_owned();
    let change = NewPassword { old: story.creator.password.clone(), new, keep: vec![] };
    people.change_password(&story.creator.actor, change, &Client::default()).await.unwrap();
    assert!(has_ended(&story, ear).await, "another password");
    assert!(has_ended(&story, by_token).await, "which ends tokens, too");

    let (ear, _) = ear_of(&story, &story.reviewer).await;
    let mut by_token = Ear::open(&story.as_reviewer(), None).await;
    by_token.hear("hello").await;
    people.change_role(admin, story.reviewer.actor.person, Role::Creator).await.unwrap();
    assert!(has_ended(&story, ear).await && has_ended(&story, by_token).await, "another role");

    let (ear, _) = ear_of(&story, &story.reviewer).await;
    let mut by_token = Ear::open(&story.as_colleague(), None).await;
    by_token.hear("hello").await;
    people.disable(admin, story.reviewer.actor.person, None).await.unwrap();
    let token = people.tokens(&story.colleague.actor).await.unwrap().remove(0).id;
    people.revoke_token(admin, token).await.unwrap();
    assert!(has_ended(&story, ear).await && has_ended(&story, by_token).await, "disabled, revoked");
}

async fn listening_does_not_keep_a_session_alive(story: Story) {
    let (mut ear, session) = ear_of(&story, &story.admin).await;
    let people = &story.house.people;
    let seen_at = async || {
        let rows = people.sessions(&story.admin.actor, Some(&session)).await.unwrap();
        rows.into_iter().find(|row| row.is_current).map(|row| row.seen_at)
    };
    let before = seen_at().await.unwrap();
    story.advance(5 * 60_000).await;
    // An event of their own makes the stream look at its session.
    people
        .revoke_token(&story.admin.actor, people.tokens(&story.admin.actor).await.unwrap()[0].id)
        .await
        .unwrap();
    story.tick().await;
    while !verbs(&ear.hear("signals").await).contains(&"revoke_token") {}
    let mut other = Ear::open_with(&story.as_nobody(), &format!("__Host-sid={}", session.0)).await;
    other.hear("hello").await;
    assert_eq!(seen_at().await, Some(before), "neither an open nor a new stream counts as use");
    story.advance(25 * 60_000).await;
    assert_eq!(people.authenticate_session(&session).await, Ok(None), "half an hour after the last request");
}
