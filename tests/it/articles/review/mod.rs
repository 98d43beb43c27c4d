//! The review of articles through the API: submitted, decided by reviewers, deadlines and links, and
//! checked again at the moment of publishing.

mod approved;
mod checklist;
mod comments;
mod content;
mod deadline;
mod input;
mod links;
mod notices;
mod other_texts;
mod races;
mod random;
mod reports;
mod second;
mod workflow;

use crate::{
    http_client::{HttpClient, Reply},
    test_server::TestServer,
};
use serde_json::{Value, json};

/// Milliseconds of a second, a minute and an hour.
const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

impl TestServer {
    /// Sets the workflow, with further settings.
    async fn set_workflow(&self, workflow: &str, more: Value) -> Value {
        let mut settings = json!({"workflow": workflow});
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.as_admin().patch("/api/v1/settings/review", &settings).await.expect(200)
    }

    /// Creates a word list with these terms and returns it.
    async fn create_list(&self, action: &str, terms: Value) -> Value {
        let list = json!({"name": action, "language": "any", "action": action, "terms": terms});
        self.as_admin().post("/api/v1/word-lists", &list).await.expect(201)
    }

    /// The current article.
    async fn article(&self, article: &Value) -> Value {
        self.as_creator().get(&path(article, "")).await.expect(200)
    }

    /// State of the review of an article.
    async fn review_state(&self, article: &Value) -> String {
        self.article(article).await["review"]["state"].as_str().unwrap_or("none").to_owned()
    }

    /// Creates a draft with this text.
    async fn write(&self, title: &str, body: &str) -> Value {
        let new = json!({"title": title, "body": body});
        self.as_creator().post("/api/v1/articles", &new).await.expect(201)
    }

    /// Saves another text of an article.
    async fn rewrite(&self, article: &Value, body: &str) -> Value {
        let current = self.article(article).await;
        let edit = json!({"body": body, "seen_revision": current["revision"]});
        self.as_creator().patch(&path(article, ""), &edit).await.expect(200)
    }

    /// Submits the current text.
    async fn submit(&self, article: &Value) -> Value {
        let current = self.article(article).await;
        let body = json!({"seen_revision": current["revision"]});
        self.as_creator().post(&path(article, "/submit"), &body).await.expect(200)
    }

    /// Schedules the current text.
    async fn schedule_in(&self, article: &Value, millis: i64) -> Value {
        let due_at = self.time_after(millis);
        let new = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
        self.as_creator().post("/api/v1/tasks", &new).await.expect(201)
    }

    /// Verbs of the events of an article, oldest first.
    async fn article_verbs(&self, article: &Value) -> Vec<String> {
        let page = self.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
        let events = page["items"].as_array().unwrap();
        let own = events.iter().filter(|event| event["entity_id"] == article["id"]);
        own.map(|event| event["verb"].as_str().unwrap().to_owned()).collect()
    }

    /// Causes on Attention that concern the creator.
    async fn causes(&self) -> Vec<String> {
        let found = self.as_creator().get("/api/v1/attention").await.expect(200);
        let items = found["items"].as_array().unwrap();
        items.iter().map(|item| item["cause"].as_str().unwrap().to_owned()).collect()
    }
}

/// Path of an article, and of an action on it.
fn path(article: &Value, action: &str) -> String {
    format!("/api/v1/articles/{}{action}", article["id"].as_str().unwrap())
}

/// Approves the review that `article` shows.
async fn approve(client: &HttpClient, article: &Value) -> Reply {
    let review = &article["review"];
    let body = json!({"seen_revision": review["revision"], "revision_hash": review["hash"]});
    client.post(&path(article, "/approve"), &body).await
}

/// Sends the review that `article` shows back.
async fn send_back(client: &HttpClient, article: &Value, reason: &str) -> Reply {
    let body = json!({"seen_revision": article["review"]["revision"], "reason": reason});
    client.post(&path(article, "/send-back"), &body).await
}
