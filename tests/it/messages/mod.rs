//! Delayed messages: programs give Presstime a message, a channel and a moment.

mod changes;
mod create;
mod invalid;
mod keys;
mod notices;
mod pages;
mod transports;
mod visibility;

use crate::test_server::TestServer;
use serde_json::{Value, json};

/// Returns the path of the message with this key.
pub fn path(key: &str) -> String {
    let encoded: String = key
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => (byte as char).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect();
    format!("/api/v1/messages/{encoded}")
}

/// A message for this channel in half an hour, overridden by `more`.
pub fn new_message(channel: &Value, key: &str, more: Value) -> Value {
    let mut new =
        json!({"key": key, "channel_id": channel["id"], "delay": "PT30M", "body": "{\"order\": 4711}"});
    for (name, value) in more.as_object().unwrap() {
        match value {
            Value::Null => drop(new.as_object_mut().unwrap().remove(name)),
            value => new[name] = value.clone(),
        }
    }
    new
}

impl TestServer {
    /// Creates a message and returns it as the API does.
    pub async fn create_message(&self, channel: &Value, key: &str, more: Value) -> Value {
        self.as_admin().post("/api/v1/messages", &new_message(channel, key, more)).await.expect(201)
    }

    /// Returns a message with its body.
    pub async fn get_message(&self, key: &str) -> Value {
        self.as_admin().get(&path(key)).await.expect(200)
    }

    /// State of a message, and of its delivery.
    pub async fn message_states(&self, key: &str) -> (String, Value) {
        let message = self.get_message(key).await;
        (message["state"].as_str().unwrap().to_owned(), message["delivery"]["state"].clone())
    }
}
