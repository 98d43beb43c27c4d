//! Word lists over meetings, reminders and messages.

use crate::{http_client::Reply, meetings::HOUR, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(word_lists_apply_to_other_texts_only_if_the_desk_wants_it,);

/// Everything that takes a text, with this one: new ones, then changes.
async fn all(server: &TestServer, channel: &Value, text: &str) -> Vec<(&'static str, Reply)> {
    let (creator, admin) = (server.as_creator(), server.as_admin());
    let times = json!({"starts_at": server.time_after(HOUR), "ends_at": server.time_after(2 * HOUR)});
    let meeting = |fields: Value| {
        let mut meeting = times.clone();
        meeting.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        meeting
    };
    let message = json!({"channel_id": channel["id"], "delay": "PT1H", "body": text});
    let mut notice = json!({"channel_id": channel["id"], "body": text});
    notice["key"] = json!(format!("notice {}", text.len()));
    let reminder = json!({"text": text, "due_at": server.time_after(HOUR)});
    vec![
        ("title", creator.post("/api/v1/meetings", &meeting(json!({"title": text}))).await),
        (
            "description",
            creator.post("/api/v1/meetings", &meeting(json!({"title": "A", "description": text}))).await,
        ),
        ("reminder", creator.post("/api/v1/reminders", &reminder).await),
        ("message", admin.post("/api/v1/messages", &message).await),
        ("messages", admin.post("/api/v1/messages/bulk", &json!({"items": [message]})).await),
        ("notice", admin.post("/api/v1/notices", &notice).await),
    ]
}

async fn word_lists_apply_to_other_texts_only_if_the_desk_wants_it(server: TestServer) {
    let lists = "/api/v1/word-lists";
    for (action, term) in [("block", "casino"), ("needs_approval", "lottery"), ("flag", "raffle")] {
        let list = json!({"name": action, "language": "any", "action": action, "terms": [term]});
        server.as_admin().post(lists, &list).await.expect(201);
    }
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    for (what, reply) in all(&server, &channel, "A casino").await {
        assert_eq!(reply.status, 201, "{what}: {}", reply.text);
    }
    let settings = server.as_admin().patch("/api/v1/settings/review", &json!({"other_texts": true})).await;
    assert_eq!(settings.expect(200)["other_texts"], true);
    for text in ["The c\u{200b}asino again", "A lottery for all of us"] {
        for (what, reply) in all(&server, &channel, text).await {
            assert_eq!(reply.status, 422, "{what}: {}", reply.text);
            let body: Value = serde_json::from_str(&reply.text).unwrap();
            assert_eq!(body["error"]["code"], "words", "{what}: {body}");
        }
    }
    let replies = all(&server, &channel, "A raffle is fine here").await;
    for (what, reply) in &replies {
        assert_eq!(reply.status, 201, "{what}: {}", reply.text);
    }
    let created = |place: usize| serde_json::from_str::<Value>(&replies[place].1.text).unwrap();
    let (meeting, reminder, message) = (created(0), created(2), created(3));
    let changes = [
        (server.as_creator(), format!("/api/v1/meetings/{}", meeting["id"].as_str().unwrap()), "title"),
        (server.as_creator(), format!("/api/v1/reminders/{}", reminder["id"].as_str().unwrap()), "text"),
        (server.as_admin(), format!("/api/v1/messages/{}", message["key"].as_str().unwrap()), "body"),
    ];
    for (client, path, field) in changes {
        for (text, status) in [("A casino", 422), ("A raffle", 200)] {
            let reply = client.patch(&path, &json!({field: text, "seen_version": 1})).await;
            assert_eq!(reply.status, status, "{path}: {}", reply.text);
        }
    }
}
