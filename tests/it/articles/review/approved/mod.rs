//! What is approved is what is published: which version is scheduled, held articles, and a change of the
//! workflow while articles wait.

mod held;
mod versions;
mod waiting;

use super::{HOUR, MINUTE, SECOND, approve, path, send_back};
use crate::{http_client::Reply, test_server::TestServer};
use serde_json::{Value, json};

impl TestServer {
    /// Changes a task as it is now.
    async fn act_on_task(&self, task: &Value, action: &str, more: Value) -> Reply {
        let mut body = json!({"seen_version": self.task(task).await["version"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = format!("/api/v1/tasks/{}/{action}", task["id"].as_str().unwrap());
        self.as_creator().post(&path, &body).await
    }

    /// Approves the text of an article that is under review.
    async fn approve_current(&self, article: &Value) -> Value {
        approve(&self.as_reviewer(), &self.article(article).await).await.expect(200)
    }

    /// State and reason of a task.
    async fn ended(&self, task: &Value) -> (String, String) {
        let task = self.task(task).await;
        let text = |field: &str| task[field].as_str().unwrap_or_default().to_owned();
        (text("state"), text("reason"))
    }

    /// The number of its public revision.
    async fn public(&self, article: &Value) -> Value {
        self.article(article).await["published_revision"].clone()
    }
}
