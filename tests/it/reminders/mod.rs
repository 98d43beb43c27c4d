//! Reminders reach their recipients once, at their moment, through the API and the engine.

mod announcements;
mod changes;
mod decisions;
mod input;
mod list;
mod mail;
mod meetings;
mod owned;
mod push;
mod repeating;
mod sending;
mod series;
mod subjects;

use crate::{
    http_client::{HttpClient, Reply},
    test_server::TestServer,
};
use serde_json::{Value, json};

/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// Path of a reminder, and of an action on it.
fn path(reminder: &Value, action: &str) -> String {
    format!("/api/v1/reminders/{}{action}", reminder["id"].as_str().unwrap())
}

/// Makes a change of the version that `reminder` has.
async fn act(client: &HttpClient, reminder: &Value, action: &str, more: Value) -> Reply {
    let mut body = json!({"seen_version": reminder["version"]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    client.post(&path(reminder, &format!("/{action}")), &body).await
}

impl TestServer {
    /// A reminder of the creator in this number of milliseconds, overridden by `more`.
    async fn remind(&self, text: &str, millis: i64, more: Value) -> Value {
        self.remind_by(&self.as_creator(), text, millis, more).await
    }

    /// Lets every account set reminders for addresses outside the desk, as many as it likes.
    async fn allow_outside_reminders(&self) {
        let most = 1_000_000;
        let limits = json!({"account_per_day": most, "address_per_hour": most, "desk_per_minute": most,
                            "outside_reminders": "everyone"});
        self.as_admin().put("/api/v1/mail-limits", &limits).await.expect(200);
    }

    /// The same of this client.
    async fn remind_by(&self, client: &HttpClient, text: &str, millis: i64, more: Value) -> Value {
        let mut new = json!({"text": text, "due_at": self.time_after(millis)});
        for (name, value) in more.as_object().unwrap() {
            match value {
                Value::Null => drop(new.as_object_mut().unwrap().remove(name)),
                value => new[name] = value.clone(),
            }
        }
        client.post("/api/v1/reminders", &new).await.expect(201)
    }

    /// The current reminder, as admins see it.
    async fn reminder(&self, reminder: &Value) -> Value {
        self.as_admin().get(&path(reminder, "")).await.expect(200)
    }

    /// State of the current reminder.
    async fn reminder_state(&self, reminder: &Value) -> String {
        self.reminder(reminder).await["state"].as_str().unwrap().to_owned()
    }

    /// Texts of the notifications of a client, newest first.
    async fn notified(&self, client: &HttpClient) -> Vec<String> {
        let list = client.get("/api/v1/notifications").await.expect(200);
        let text = |one: &Value| one["text"].as_str().unwrap().to_owned();
        list["items"].as_array().unwrap().iter().map(text).collect()
    }
}
