//! Bad signals and rules are refused with a plain sentence.

use super::top_up;
use crate::{
    deliveries::text,
    test_server::{Backend, TestServer},
};
use serde_json::{Map, Value, json};
use test_support::Sink;

#[tokio::test]
async fn invalid_signals_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let many: Map<String, Value> = (0..33).map(|n| (format!("f{n}"), json!(1))).collect();
    for (more, field, part) in [
        (json!({"name": ""}), "name", "empty"),
        (json!({"name": "x".repeat(10_000)}), "name", "100"),
        (json!({"name": "two words"}), "name", "characters"),
        (json!({"subject": " "}), "subject", "empty"),
        (json!({"subject": "x".repeat(201)}), "subject", "200"),
        (json!({"key": "a\u{1}b"}), "key", "characters"),
        (json!({"id": ""}), "id", "empty"),
        (json!({"at": server.time_after(301_000)}), "at", "at is more than 5 minutes ahead"),
        (json!({"at": "yesterday"}), "at", "not a time"),
        (json!({"at": "1999-12-31T00:00:00Z"}), "at", "2000"),
        (json!({"data": {"list": [1]}}), "data.list", "data.list must be a text"),
        (json!({"data": {"deep": {"a": 1}}}), "data.deep", "must be a text"),
        (json!({"data": many}), "data", "32"),
        (json!({"data": {"text": "x".repeat(8_200)}}), "data", "8192"),
    ] {
        let mut signal = json!({"name": "a", "subject": "u1"});
        signal.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = server.as_creator().post("/api/v1/signals", &signal).await;
        let refused = refused.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{more}: {refused}");
        assert!(text(&refused["error"]["message"]).contains(part), "{more}: {refused}");
    }
    let large = json!({"name": "a", "subject": "u1", "data": {"text": "x".repeat(5_000_000)}});
    assert_eq!(server.as_creator().post("/api/v1/signals", &large).await.status, 413);
    let none = server.as_creator().post("/api/v1/signals/bulk", &json!({"items": []})).await;
    assert_eq!(none.refused(422), "invalid");
}

#[tokio::test]
async fn invalid_rules_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let message = |body: &str| json!({"type": "message", "channel_id": channel["id"], "body": body});
    for (more, field, part) in [
        (json!({"name": " "}), "name", "empty"),
        (json!({"after": "x".repeat(101)}), "after", "100"),
        (json!({"unless": ["top_up.clicked"]}), "unless", "never act"),
        (json!({"unless": ["two words"]}), "unless", "characters"),
        (json!({"wait": "-PT1M"}), "wait", "negative"),
        (json!({"wait": "P500Y"}), "wait", "2199"),
        (json!({"wait": {"before": "soon", "field": "a"}}), "wait.before", "PT30M"),
        (json!({"grace": "x"}), "grace", "PT30M"),
        (json!({"repeat": "sometimes"}), "repeat", "restart"),
        (json!({"action": message("{{data.name}} {{user}}")}), "action.body", "unknown field user"),
        (json!({"action": message(&"x".repeat(65_537))}), "action.body", "65536"),
        (json!({"action": {"type": "signal", "name": "top_up.clicked"}}), "action.name", "start itself"),
        (json!({"action": {"type": "signal", "name": "top_up.paid"}}), "action.name", "close itself"),
        (json!({"action": {"type": "reminder", "to": "nowhere", "text": "Hello"}}), "action.to", "e-mail"),
        (
            json!({"action": {"type": "reminder", "to": "{{data.email}}", "text": " "}}),
            "action.text",
            "empty",
        ),
        (json!({"action": {"type": "dance"}}), "action.type", "must be one of: message"),
        (json!({"action": {"type": "signal", "name": 5}}), "action.name", "action.name must be a text"),
        (json!({"action": {"type": "message", "channel_id": 5}}), "action.channel_id", "must be an id"),
        (json!({"action": "signal"}), "action", "action must be an object"),
        (json!({"wait": 5}), "wait", "wait must be a duration like PT30M"),
        (json!({"unless": ["a", 5]}), "unless[1]", "must be a text"),
        (json!({"cap": {"times": "3", "days": 7}}), "cap.times", "must be a whole number"),
    ] {
        let refused =
            server.as_admin().post("/api/v1/rules", &top_up(&channel, more.clone())).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{more}: {refused}");
        assert!(text(&refused["error"]["message"]).contains(part), "{more}: {refused}");
    }
    let reminder = json!({"type": "reminder", "to": "a@b.org", "text": "Hi", "channel_id": channel["id"]});
    let refused =
        server.as_admin().post("/api/v1/rules", &top_up(&channel, json!({"action": reminder}))).await;
    assert_eq!(text(&refused.expect(422)["error"]["field"]), "action.channel_id");
    let nowhere =
        json!({"type": "message", "channel_id": "01890000-0000-7000-8000-000000000000", "body": ""});
    let refused =
        server.as_admin().post("/api/v1/rules", &top_up(&channel, json!({"action": nowhere}))).await;
    assert_eq!(refused.status, 404);
    assert_eq!(server.as_admin().get("/api/v1/rules").await.expect(200)["items"], json!([]));
}
