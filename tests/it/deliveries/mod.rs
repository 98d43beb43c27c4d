//! Deliveries: publications are sent to channels at least once, with a constant id; failures are
//! visible.

mod actions;
mod addresses;
#[cfg(feature = "amqp")]
mod amqp;
mod attempts;
mod certificates;
mod channel;
mod egress;
mod mail;
#[cfg(not(feature = "amqp"))]
mod no_amqp;
mod outside;
mod recipients;
mod secret;
mod sms;
mod webhook;

use crate::test_server::TestServer;
use presstime::senders::signature;
use serde_json::{Value, json};
use test_support::{Received, Sink, SmtpSink};

pub const DAY_MS: i64 = 24 * 3_600_000;

impl TestServer {
    /// Creates a channel to the sink and returns it as the API does, with its secret.
    pub async fn create_webhook(&self, sink: &Sink, more: Value) -> Value {
        self.create_channel(json!({"name": "Sink", "url": sink.url(), "retry_schedule": "10s, 1m"}), more)
            .await
    }

    /// Creates a channel that mails Anna and Ben through the sink.
    pub async fn create_mail_channel(&self, smtp: &SmtpSink, more: Value) -> Value {
        let mail = json!({
            "host": "127.0.0.1", "port": smtp.port, "security": "none",
            "from": "desk@example.org", "to": ["anna@example.org", "ben@example.org"],
        });
        self.create_channel(
            json!({"transport": "mail", "name": "Readers", "retry_schedule": "10s, 1m", "mail": mail}),
            more,
        )
        .await
    }

    /// Creates a channel with settings `new`, overridden by `more`.
    pub async fn create_channel(&self, mut new: Value, more: Value) -> Value {
        for (name, value) in more.as_object().unwrap() {
            match value.as_object() {
                Some(inner) => inner.iter().for_each(|(inner, value)| new[name][inner] = value.clone()),
                None => new[name] = value.clone(),
            }
        }
        self.as_admin().post("/api/v1/channels", &new).await.expect(201)
    }

    /// Publishes an article and returns its task as the API does.
    pub async fn publish_article(&self, title: &str) -> Value {
        let (_, task) = self.schedule_new_article(title, 1_000).await;
        self.advance(1_000).await;
        task
    }

    /// Returns the newest delivery of the channel, with its attempts.
    pub async fn latest_delivery(&self, channel: &Value) -> Value {
        let path = format!("/api/v1/deliveries?channel={}&limit=1", text(&channel["id"]));
        let page = self.as_admin().get(&path).await.expect(200);
        let path = format!("/api/v1/deliveries/{}", text(&page["items"][0]["id"]));
        self.as_admin().get(&path).await.expect(200)
    }

    pub async fn resolve_delivery(&self, delivery: &Value, verb: &str) -> Value {
        let path = format!("/api/v1/deliveries/{}/{verb}", text(&delivery["id"]));
        self.as_admin().post(&path, &Value::Null).await.expect(200)
    }

    pub async fn post_channel_action(&self, channel: &Value, verb: &str) -> Value {
        let path = format!("/api/v1/channels/{}/{verb}", text(&channel["id"]));
        let reply = self.as_admin().post(&path, &Value::Null).await;
        assert!(reply.status < 300, "{}", reply.text);
        reply.json()
    }

    pub async fn get_channel(&self, channel: &Value) -> Value {
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

/// Counts the signatures made with this secret.
pub fn signed_with(message: &Received, secret: &Value) -> usize {
    let key = signature::key(text(secret)).unwrap();
    let (id, seconds) = (message.header("webhook-id"), message.header("webhook-timestamp"));
    let right = signature::sign(&[key], id, seconds.parse().unwrap(), &message.body);
    message.header("webhook-signature").split(' ').filter(|one| **one == right).count()
}
