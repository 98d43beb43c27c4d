//! Only admins see the tasks of messages and of rules.

use super::path;
use crate::{deliveries::text, on_both, rules::top_up, test_server::TestServer};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(creators_see_no_task_of_a_message_or_a_rule);

const KEY: &str = "order 4711/secret";
const SUBJECT: &str = "subject-4711";

/// Returns the kinds in a list of tasks.
fn kinds(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|task| text(&task["kind"])).collect()
}

async fn creators_see_no_task_of_a_message_or_a_rule(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let message = server.create_message(&channel, KEY, json!({})).await;
    let sent = server.create_message(&channel, "sent", json!({"delay": "PT0S"})).await;
    server.create_rule(&top_up(&channel, json!({}))).await;
    server.signal("top_up.clicked", SUBJECT, json!({})).await;
    server.tick().await;
    server.schedule_new_article("Seen by all", 60_000).await;

    let (admin, creator) = (server.as_admin(), server.as_creator());
    let all = admin.get("/api/v1/tasks").await.expect(200);
    assert_eq!(kinds(&all), ["message.send", "article.publish", "message.send", "rule.fire"]);
    assert_eq!(kinds(&creator.get("/api/v1/tasks").await.expect(200)), ["article.publish"]);
    let of_kind = creator.get("/api/v1/tasks?kind=message.send").await.expect(200);
    assert!(kinds(&of_kind).is_empty());

    let tasks = all["items"].as_array().unwrap().iter();
    let hidden: Vec<&Value> =
        tasks.filter(|task| task["kind"] != "article.publish").map(|task| &task["id"]).collect();
    for (caller, sees) in [(&admin, true), (&creator, false)] {
        let log = caller.get("/api/v1/events?limit=1000").await.expect(200);
        let mut events = log["items"].as_array().unwrap().iter();
        assert_eq!(events.any(|event| hidden.contains(&&event["entity_id"])), sees, "{log}");
    }

    let browser = server.log_in_browser(&server.creator).await;
    for page in ["/", "/tasks", "/tasks?state=all"] {
        let html = browser.get(page).await.expect_page();
        for word in ["4711", "message.send", "rule.fire"] {
            assert!(!html.contains(word), "{page} shows {word}");
        }
    }
    let browser = server.log_in_browser(&server.admin).await;
    assert!(browser.get("/").await.expect_page().contains("4711"));

    let task = format!("/api/v1/tasks/{}", text(&message["task_id"]));
    assert_eq!(creator.get(&task).await.status, 404);
    for verb in ["cancel", "publish-now", "undo"] {
        let refused = creator.post(&format!("{task}/{verb}"), &json!({"seen_version": 1})).await;
        assert_eq!(refused.status, 404, "{verb}");
    }
    let due_at = server.time_after(60_000);
    let change = json!({"seen_version": 1, "due_at": due_at});
    assert_eq!(creator.post(&format!("{task}/reschedule"), &change).await.status, 404);
    assert_eq!(server.get_message(KEY).await["version"], 1);

    let deliveries = format!("/api/v1/deliveries?task={}", text(&sent["task_id"]));
    assert_eq!(admin.get(&deliveries).await.expect(200)["items"].as_array().unwrap().len(), 1);
    assert!(creator.get(&deliveries).await.expect(200)["items"].as_array().unwrap().is_empty());
    assert_eq!(creator.get(&path(KEY)).await.status, 403);
}
