//! Requests to the nodes of a cluster.

use super::{Cluster, now};
use crate::faults::REQUEST_TIMEOUT;
use domain::Timestamp;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::{fmt::Display, time::Duration};
use tokio::time::{Instant, interval};

/// Number of tasks in one request: on a busy computer more would take until its timeout.
const REQUEST_TASKS: usize = 2_000;
/// Number of due times that are tried until one has not passed.
const MAX_SCHEDULE_TRIES: i64 = 10;

impl Cluster {
    /// Returns a request for the API with the admin's token.
    pub fn api(&self, name: &str, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://127.0.0.1:{}/api/v1{path}", self.port(name));
        self.client.request(method, url).bearer_auth(&self.token)
    }

    /// Sends a GET request for any path. Returns status and body; `None`: no response.
    pub async fn get(&self, name: &str, path: &str) -> Option<(u16, String)> {
        let url = format!("http://127.0.0.1:{}{path}", self.port(name));
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Sends a POST request with or without an idempotency key to the API. Returns status and body;
    /// `None`: no response.
    pub async fn post_keyed(
        &self,
        name: &str,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Option<(u16, String)> {
        let request = self.api(name, Method::POST, path).json(body);
        answer(key.into_iter().fold(request, |request, key| request.header("idempotency-key", key))).await
    }

    /// Sends a request to the API, with a body unless that is null. Returns status and JSON; status
    /// 0: no response.
    pub async fn request(&self, name: &str, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let request = self.api(name, method, path);
        let request = if body.is_null() { request } else { request.json(body) };
        let answer = answer(request).await;
        answer.map_or((0, Value::Null), |(status, text)| {
            (status, serde_json::from_str(&text).unwrap_or_default())
        })
    }

    /// Sends a POST request to the API. Returns status and JSON; status 0: no response.
    pub async fn try_post(&self, name: &str, path: &str, body: &Value) -> (u16, Value) {
        self.request(name, Method::POST, path, body).await
    }

    /// Sends a POST request that must succeed.
    pub async fn post(&self, name: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.try_post(name, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}\n{}", self.log(name));
        answer
    }

    /// Waits until a node is ready (`/readyz`).
    pub async fn wait_until_ready(&self, name: &str) {
        let (mut polls, end) = (interval(Duration::from_millis(50)), Instant::now() + REQUEST_TIMEOUT);
        while !matches!(self.get(name, "/readyz").await, Some((200, _))) {
            assert!(Instant::now() < end, "{name} is not ready:\n{}", self.log(name));
            polls.tick().await;
        }
    }

    /// Creates an article and returns its id.
    pub async fn create_article(&self, name: &str, title: &str) -> String {
        text(&self.post(name, "/articles", &json!({"title": title, "body": "A text."})).await["id"])
    }

    /// Schedules the publication of an article and returns the task's id.
    pub async fn schedule(&self, name: &str, article: &str, due: Timestamp) -> String {
        text(&self.post(name, "/tasks", &publish_task(article, due)).await["id"])
    }

    /// Schedules the publication of an article for `millis` from now, or for later if that time has
    /// passed when the node handles the request. Returns the task's id and the due time.
    pub async fn schedule_in(&self, name: &str, article: &str, millis: i64) -> (String, Timestamp) {
        for more in 0..MAX_SCHEDULE_TRIES {
            let due = now().plus(millis + more * 1_000);
            match self.try_post(name, "/tasks", &publish_task(article, due)).await {
                (200..300, task) => return (text(&task["id"]), due),
                (422, _) => {}
                (status, answer) => panic!("the task is scheduled: {status} {answer}"),
            }
        }
        panic!("void: the due time had passed each time")
    }

    /// Schedules the publication of many articles and returns the tasks' ids. `None`: a due time
    /// had passed when the node handled the request.
    pub async fn try_schedule_all<A: Display>(
        &self,
        name: &str,
        articles: &[(A, Timestamp)],
    ) -> Option<Vec<String>> {
        let mut ids = Vec::new();
        for part in articles.chunks(REQUEST_TASKS) {
            let tasks: Vec<Value> = part.iter().map(|(article, due)| publish_task(article, *due)).collect();
            match self.try_post(name, "/tasks/bulk", &json!({"items": tasks})).await {
                (201, made) => ids.extend(made["items"].as_array()?.iter().map(|task| text(&task["id"]))),
                (422, _) => return None,
                (status, answer) => panic!("{status} {answer}\n{}", self.log(name)),
            }
        }
        Some(ids)
    }

    /// Schedules the publication of many articles before the first is due and returns the tasks'
    /// ids.
    pub async fn schedule_all<A: Display>(&self, name: &str, articles: &[(A, Timestamp)]) -> Vec<String> {
        let ids = self.try_schedule_all(name, articles).await;
        let first = articles.iter().map(|(_, due)| *due).min().expect("there are some");
        assert!(now() < first, "void: scheduling took until the first was due");
        ids.expect("due times that have not passed")
    }

    /// Creates a channel to the receiver with this URL.
    pub async fn create_channel(&self, name: &str, url: &str) {
        let channel = json!({"name": "Sink", "url": url, "retry_schedule": "1s, 1s, 2s, 5s", "on_unknown_outcome": "retry"});
        self.post(name, "/channels", &channel).await;
    }
}

/// Returns status and body; `None`: no response.
async fn answer(request: RequestBuilder) -> Option<(u16, String)> {
    let answer = request.send().await.ok()?;
    Some((answer.status().as_u16(), answer.text().await.ok()?))
}

/// Returns the body of a request that schedules the publication of an article.
pub fn publish_task(article: &(impl Display + ?Sized), due: Timestamp) -> Value {
    json!({"kind": "article.publish", "target_id": article.to_string(), "due_at": due.to_string()})
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
