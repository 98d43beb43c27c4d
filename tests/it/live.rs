//! The live stream: what it tells, where it goes on after a break, and when it ends.

use crate::{
    house::{Account, Story},
    on_both,
};
use futures::StreamExt;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    what_happens_is_told_as_it_happens,
    a_broken_stream_goes_on_where_it_was,
    a_place_nobody_remembers_means_reload,
    strangers_hear_nothing,
    streams_end_with_the_server,
);

/// One message.
#[derive(Debug)]
struct Message {
    name: String,
    id: Option<String>,
    data: Value,
}

/// An open stream.
struct Ear {
    bytes: futures::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    text: String,
}

impl Ear {
    async fn open(story: &Story, account: &Account, last: Option<&str>) -> Self {
        let request = story.as_account(account).request(Method::GET, "/live");
        let request = last.iter().fold(request, |request, last| request.header("last-event-id", *last));
        let answer: Response = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert!(answer.headers().get("content-encoding").is_none());
        let bytes = answer.bytes_stream().map(|chunk| chunk.map(|chunk| chunk.to_vec())).boxed();
        Self { bytes, text: String::new() }
    }

    /// The next message; `None`: the stream has ended.
    async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some((message, rest)) = self.text.split_once("\n\n") {
                let message = read(message);
                self.text = rest.to_owned();
                return Some(message);
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.bytes.next());
            let chunk = chunk.await.expect("a stream beats every second")?;
            self.text.push_str(&String::from_utf8(chunk.ok()?).unwrap());
        }
    }

    /// The next message of that name.
    async fn hear(&mut self, name: &str) -> Message {
        loop {
            let message = self.next().await.expect("the stream goes on");
            if message.name == name {
                return message;
            }
        }
    }
}

fn read(text: &str) -> Message {
    let field = |name: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let lines: Vec<&str> = lines.map(str::trim_start).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    let data = field("data").and_then(|data| serde_json::from_str(&data).ok()).unwrap_or_default();
    Message { name: field("event").unwrap_or_default(), id: field("id"), data }
}

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
    let mut ear = Ear::open(&story, &story.reviewer, None).await;
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
    let mut ear = Ear::open(&story, &story.creator, None).await;
    let place = ear.hear("hello").await.id.unwrap();
    drop(ear);
    wish(&story, "Meanwhile").await;
    wish(&story, "And again").await;
    let mut ear = Ear::open(&story, &story.creator, Some(&place)).await;
    let missed = ear.hear("signals").await;
    assert_eq!(verbs(&missed).iter().filter(|verb| **verb == "schedule").count(), 2, "{missed:?}");
    let mut ear = Ear::open(&story, &story.creator, missed.id.as_deref()).await;
    ear.hear("hello").await;
    assert_eq!(ear.next().await.unwrap().name, "beat", "nothing was missed");
}

async fn a_place_nobody_remembers_means_reload(story: Story) {
    wish(&story, "Some").await;
    let mut ear = Ear::open(&story, &story.creator, Some("999999999")).await;
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
    let mut ear = Ear::open(&story, &story.creator, None).await;
    ear.hear("hello").await;
    story.stop().await;
    while let Some(message) = ear.next().await {
        assert_ne!(message.name, "reload");
    }
}
