//! Rules over signals: after a signal, wait, then act, unless another signal came first.

mod actions;
mod cascades;
mod changes;
mod desk;
mod fan_out;
mod held;
mod invalid;
mod limits;
mod model;
mod pages;
mod races;
mod streams;
mod waiting;

use crate::{deliveries::text, test_server::TestServer};
use serde_json::{Value, json};
use test_support::Sink;

/// A rule: a message half an hour after `top_up.clicked`, unless `top_up.paid`; overridden by `more`.
pub fn top_up(channel: &Value, more: Value) -> Value {
    let action = json!({
        "type": "message", "channel_id": channel["id"],
        "body": "{\"to\": \"{{subject}}\", \"order\": \"{{key}}\"}",
    });
    let mut new = json!({
        "name": "Top-up not finished", "after": "top_up.clicked", "unless": ["top_up.paid"], "wait": "PT30M",
        "action": action,
    });
    for (name, value) in more.as_object().unwrap() {
        new[name] = value.clone();
    }
    new
}

impl TestServer {
    /// Creates a rule and returns it as the API does.
    pub async fn create_rule(&self, new: &Value) -> Value {
        self.as_admin().post("/api/v1/rules", new).await.expect(201)
    }

    /// Creates a channel to the sink and the rule [`top_up`], overridden by `more`.
    pub async fn create_top_up_rule(&self, sink: &Sink, more: Value) -> Value {
        let channel = self.create_webhook(sink, json!({"concurrency": 20})).await;
        self.create_rule(&top_up(&channel, more)).await
    }

    /// Sends a signal about a subject and returns what it did: opened and closed.
    pub async fn signal(&self, name: &str, subject: &str, more: Value) -> (u64, u64) {
        let mut signal = json!({"name": name, "subject": subject});
        for (name, value) in more.as_object().unwrap() {
            signal[name] = value.clone();
        }
        let result = self.as_creator().post("/api/v1/signals", &signal).await.expect(202);
        (result["opened"].as_u64().unwrap(), result["closed"].as_u64().unwrap())
    }

    /// Returns the waits of a rule, newest first.
    pub async fn waits(&self, rule: &Value, query: &str) -> Vec<Value> {
        let path = format!("/api/v1/rules/{}/waits?{query}", text(&rule["id"]));
        self.as_admin().get(&path).await.expect(200)["items"].as_array().unwrap().clone()
    }

    /// Changes a wait.
    pub async fn change_wait(&self, wait: &Value, verb: &str, body: &Value) -> crate::http_client::Reply {
        self.as_admin().post(&format!("/api/v1/waits/{}/{verb}", text(&wait["id"])), body).await
    }
}

/// Returns the subjects of received messages.
pub fn subjects(sink: &Sink) -> Vec<String> {
    let subject = |body: &str| {
        let body: Value = serde_json::from_str(body).unwrap();
        text(&body["to"]).to_owned()
    };
    sink.received().iter().map(|received| subject(&received.body)).collect()
}
