//! A client of the live stream (server-sent events).

use crate::http_client::HttpClient;
use futures::StreamExt;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use std::time::Duration;

/// One event.
#[derive(Debug)]
pub struct Message {
    /// `hello`, `heartbeat`, `signals` or `reload`.
    pub name: String,
    /// Event id.
    pub id: Option<String>,
    /// Data.
    pub data: Value,
}

/// An open stream.
pub struct SseClient {
    bytes: futures::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    text: String,
}

impl SseClient {
    /// Opens a stream that resumes after event `last`.
    pub async fn open(caller: &HttpClient, last: Option<&str>) -> Self {
        let request = caller.request(Method::GET, "/live");
        let request = last.iter().fold(request, |request, last| request.header("last-event-id", *last));
        Self::send(request).await
    }

    /// Opens a stream with this cookie.
    pub async fn open_with_cookie(caller: &HttpClient, cookie: &str) -> Self {
        Self::send(caller.request(Method::GET, "/live").header("cookie", cookie)).await
    }

    /// Opens a stream at another path.
    pub async fn open_at(caller: &HttpClient, path: &str) -> Self {
        Self::send(caller.request(Method::GET, path)).await
    }

    async fn send(request: RequestBuilder) -> Self {
        let answer: Response = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert!(answer.headers().get("content-encoding").is_none());
        let bytes = answer.bytes_stream().map(|chunk| chunk.map(|chunk| chunk.to_vec())).boxed();
        Self { bytes, text: String::new() }
    }

    /// Returns the next event; `None`: the stream has ended.
    pub async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some((message, rest)) = self.text.split_once("\n\n") {
                let message = read(message);
                self.text = rest.to_owned();
                return Some(message);
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.bytes.next());
            let chunk = chunk.await.expect("heartbeats come every second")?;
            self.text.push_str(&String::from_utf8(chunk.ok()?).unwrap());
        }
    }

    /// Returns the next event of that name.
    pub async fn next_event(&mut self, name: &str) -> Message {
        loop {
            let message = self.next().await.expect("the stream is still open");
            if message.name == name {
                return message;
            }
        }
    }

    /// Waits until this task is executed.
    pub async fn wait_until_executed(&mut self, task: &Value) {
        loop {
            let signals = self.next_event("signals").await.data;
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
