//! The live stream: what it tells, where it goes on after a break, and when it ends.

use crate::{
    ear::{Ear, Message},
    house::Story,
    on_both,
};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    what_happens_is_told_as_it_happens,
    a_broken_stream_goes_on_where_it_was,
    a_place_nobody_remembers_means_reload,
    strangers_hear_nothing,
    streams_end_with_the_server,
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
