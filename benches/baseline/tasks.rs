//! Lateness of scheduled articles.

use crate::{print_row, server::Server};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Measures the lateness of `count` articles, one every `step` milliseconds.
pub async fn steady(server: &Server, count: usize, step: usize) {
    let lateness = measure(server, count, step).await;
    print_row(server.size, &format!("lateness, {count} tasks, one every {step} ms"), lateness);
}

/// Measures the lateness of `count` articles with the same due time. The maximum is that of the last one.
pub async fn burst(server: &Server, count: usize) {
    let lateness = measure(server, count, 0).await;
    print_row(server.size, &format!("lateness, {count} tasks due at the same time"), lateness);
}

async fn measure(server: &Server, count: usize, step: usize) -> Vec<f64> {
    let mut articles = Vec::with_capacity(count);
    for number in 0..count {
        let article = server
            .post(
                "/articles",
                &json!({"title": format!("Measured {step} {number}"), "body": "One paragraph."}),
            )
            .await;
        articles.push(article["id"].clone());
    }
    let start = now() + 3_000;
    let tasks: Vec<Value> = articles
        .iter()
        .enumerate()
        .map(|(number, id)| json!({"kind": "article.publish", "target_id": id, "due_at": text(start + (number * step) as i64)}))
        .collect();
    let scheduled = server.post("/tasks/bulk", &json!({ "items": tasks })).await;
    let ids: Vec<Value> =
        scheduled["items"].as_array().expect("items").iter().map(|task| task["id"].clone()).collect();
    let end = start + (count * step) as i64;
    tokio::time::sleep(Duration::from_millis(u64::try_from(end - now()).unwrap_or(0) + 2_000)).await;
    let mut lateness = Vec::with_capacity(count);
    for id in ids {
        let task = server.get(&format!("/tasks/{}", id.as_str().expect("an id"))).await;
        assert_eq!(task["state"], "executed", "{task}");
        lateness.push((millis(&task["executed_at"]) - millis(&task["due_at"])) as f64);
    }
    lateness
}

fn millis(time: &Value) -> i64 {
    time.as_str().and_then(|text| text.parse::<domain::Timestamp>().ok()).expect("a time").millis()
}

fn text(millis: i64) -> String {
    domain::Timestamp::from_millis(millis).to_string()
}

#[expect(clippy::disallowed_methods, reason = "a measurement reads the real clock")]
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
