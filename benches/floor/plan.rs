//! Planned articles: how late they go out.

use crate::{desk::Desk, line};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// `count` articles, one every `step` milliseconds: the lag of each.
pub async fn steady(desk: &Desk, count: usize, step: usize) {
    let lags = plan(desk, count, step).await;
    line(desk.size, &format!("lag, {count} tasks, one every {step} ms"), lags);
}

/// `count` articles due at one instant: the lag of each; the maximum is when the last went out.
pub async fn burst(desk: &Desk, count: usize) {
    let lags = plan(desk, count, 0).await;
    line(desk.size, &format!("lag, {count} tasks due at one instant"), lags);
}

async fn plan(desk: &Desk, count: usize, step: usize) -> Vec<f64> {
    let mut articles = Vec::with_capacity(count);
    for number in 0..count {
        let article = desk
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
    let planned = desk.post("/tasks/bulk", &json!({ "items": tasks })).await;
    let ids: Vec<Value> =
        planned["items"].as_array().expect("items").iter().map(|task| task["id"].clone()).collect();
    let end = start + (count * step) as i64;
    tokio::time::sleep(Duration::from_millis(u64::try_from(end - now()).unwrap_or(0) + 2_000)).await;
    let mut lags = Vec::with_capacity(count);
    for id in ids {
        let task = desk.get(&format!("/tasks/{}", id.as_str().expect("an id"))).await;
        assert_eq!(task["state"], "executed", "{task}");
        lags.push((millis(&task["executed_at"]) - millis(&task["due_at"])) as f64);
    }
    lags
}

fn millis(time: &Value) -> i64 {
    time.as_str().and_then(|text| text.parse::<domain::Timestamp>().ok()).expect("a time").millis()
}

fn text(millis: i64) -> String {
    domain::Timestamp::from_millis(millis).to_string()
}

#[expect(clippy::disallowed_methods, reason = "a measurement reads the machine's clock")]
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
