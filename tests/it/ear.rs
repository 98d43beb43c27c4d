//! Somebody who listens to the live stream.

use crate::caller::Caller;
use futures::StreamExt;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use std::time::Duration;

/// One message.
#[derive(Debug)]
pub struct Message {
    /// Its name: `hello`, `beat`, `signals`, `reload`.
    pub name: String,
    /// Place in the log.
    pub id: Option<String>,
    /// What it says.
    pub data: Value,
}

/// An open stream.
pub struct Ear {
    bytes: futures::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    text: String,
}

impl Ear {
    /// Opens a stream, after the place `last`.
    pub async fn open(caller: &Caller, last: Option<&str>) -> Self {
        let request = caller.request(Method::GET, "/live");
        let request = last.iter().fold(request, |request, last| request.header("last-event-id", *last));
        Self::of(request).await
    }

    /// Opens a stream with this cookie.
    pub async fn open_with(caller: &Caller, cookie: &str) -> Self {
        Self::of(caller.request(Method::GET, "/live").header("cookie", cookie)).await
    }

    async fn of(request: RequestBuilder) -> Self {
        let answer: Response = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert!(answer.headers().get("content-encoding").is_none());
        let bytes = answer.bytes_stream().map(|chunk| chunk.map(|chunk| chunk.to_vec())).boxed();
        Self { bytes, text: String::new() }
    }

    /// The next message; `None`: the stream has ended.
    pub async fn next(&mut self) -> Option<Message> {
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
    pub async fn hear(&mut self, name: &str) -> Message {
        loop {
            let message = self.next().await.expect("the stream goes on");
            if message.name == name {
                return message;
            }
        }
    }

    /// Waits until the log tells that this task was executed.
    pub async fn hear_executed(&mut self, task: &Value) {
        loop {
            let signals = self.hear("signals").await.data;
            let mut signals = signals.as_array().expect("a list").iter();
            if signals.any(|signal| signal["entity_id"] == task["id"] && signal["verb"] == "execute") {
                return;
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
