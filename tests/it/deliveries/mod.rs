//! Deliveries: what is published is told to the outside, at least once, with the same id; what is not told is not silent.

mod actions;
#[cfg(feature = "amqp")]
mod amqp;
mod attempt;
mod certificates;
mod channel;
mod honeypots;
mod mail;
#[cfg(not(feature = "amqp"))]
mod no_amqp;
mod recipients;
mod secret;
mod sms;
mod webhook;

use crate::house::Story;
use presstime::channels::signature;
use rig::{Received, Sink, SmtpSink};
use serde_json::{Value, json};

const DAY_MS: i64 = 24 * 3_600_000;

impl Story {
    /// A channel to the sink, as the API shows it, with its secret.
    pub async fn channel(&self, sink: &Sink, more: Value) -> Value {
        self.add(json!({"name": "Sink", "address": sink.url(), "ladder": "10s, 1m"}), more).await
    }

    /// A channel that mails Anna and Ben through the sink.
    pub async fn mail_channel(&self, smtp: &SmtpSink, more: Value) -> Value {
        let mail = json!({
            "server": "127.0.0.1", "port": smtp.port, "security": "none",
            "from": "desk@example.org", "to": ["anna@example.org", "ben@example.org"],
        });
        self.add(json!({"way": "mail", "name": "Readers", "ladder": "10s, 1m", "mail": mail}), more).await
    }

    /// A channel with these settings, the second ones over the first.
    pub async fn add(&self, mut new: Value, more: Value) -> Value {
        for (name, value) in more.as_object().unwrap() {
            match value.as_object() {
                Some(inner) => inner.iter().for_each(|(inner, value)| new[name][inner] = value.clone()),
                None => new[name] = value.clone(),
            }
        }
        self.as_admin().post("/api/v1/channels", &new).await.expect(201)
    }

    /// Publishes an article; returns its task as the API shows it.
    pub async fn publish(&self, title: &str) -> Value {
        let (_, task) = self.scheduled(title, 1_000).await;
        self.advance(1_000).await;
        task
    }

    /// The newest delivery of the channel, with its attempts.
    pub async fn newest(&self, channel: &Value) -> Value {
        let path = format!("/api/v1/deliveries?channel={}&limit=1", text(&channel["id"]));
        let page = self.as_admin().get(&path).await.expect(200);
        let path = format!("/api/v1/deliveries/{}", text(&page["items"][0]["id"]));
        self.as_admin().get(&path).await.expect(200)
    }

    pub async fn decide(&self, delivery: &Value, verb: &str) -> Value {
        let path = format!("/api/v1/deliveries/{}/{verb}", text(&delivery["id"]));
        self.as_admin().post(&path, &Value::Null).await.expect(200)
    }

    pub async fn do_to(&self, channel: &Value, verb: &str) -> Value {
        let path = format!("/api/v1/channels/{}/{verb}", text(&channel["id"]));
        let reply = self.as_admin().post(&path, &Value::Null).await;
        assert!(reply.status < 300, "{}", reply.text);
        reply.json()
    }

    pub async fn look_at(&self, channel: &Value) -> Value {
        self.as_admin().get(&format!("/api/v1/channels/{}", text(&channel["id"]))).await.expect(200)
    }

    pub async fn attention_count(&self) -> u64 {
        let stats = self.as_admin().get("/api/v1/stats").await.expect(200);
        stats["attention"].as_u64().unwrap()
    }
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// How many of the signatures are made with this secret.
pub fn signed_with(message: &Received, secret: &Value) -> usize {
    let key = signature::key(text(secret)).unwrap();
    let (id, seconds) = (message.header("webhook-id"), message.header("webhook-timestamp"));
    let right = signature::sign(&[key], id, seconds.parse().unwrap(), &message.body);
    message.header("webhook-signature").split(' ').filter(|one| **one == right).count()
}
