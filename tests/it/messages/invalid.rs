//! Bad input is refused with a plain sentence, and nothing is stored.

use super::{new_message, path};
use crate::{
    deliveries::text,
    test_server::{Backend, TestServer},
};
use serde_json::{Value, json};
use test_support::Sink;

#[tokio::test]
async fn invalid_messages_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let sent = async |more: Value| {
        server.as_admin().post("/api/v1/messages", &new_message(&channel, "k", more)).await
    };
    for (more, field, part) in [
        (json!({"delay": "-PT1S"}), "delay", "negative"),
        (json!({"delay": "-1"}), "delay", "PT30M"),
        (json!({"delay": "P500Y"}), "delay", "2199"),
        (json!({"delay": "P9999999Y"}), "delay", "2199"),
        (json!({"delay": "soon"}), "delay", "PT30M"),
        (json!({"delay": null}), "due_at", "send due_at"),
        (json!({"due_at": "2027-03-02T00:00:00Z"}), "delay", "only one"),
        (json!({"delay": null, "due_at": "2020-01-01T00:00:00Z"}), "due_at", "has passed"),
        (json!({"delay": null, "local": "2020-01-01T00:00", "zone": "UTC"}), "local", "has passed"),
        (json!({"delay": null, "due_at": "12027-01-01T00:00:00Z"}), "due_at", "2199"),
        (json!({"body": "x".repeat(65_537)}), "body", "65536"),
        (json!({"key": " "}), "key", "empty"),
        (json!({"key": "x".repeat(201)}), "key", "200"),
        (json!({"key": "a\nb"}), "key", "characters"),
        (json!({"key": "bulk"}), "key", "bulk"),
        (json!({"headers": {"X-A": "b\r\nHost: c"}}), "headers.X-A", "characters"),
        (json!({"headers": {"Transfer-Encoding": "chunked"}}), "headers.Transfer-Encoding", "leave it out"),
        (json!({"routing_key": "a"}), "routing_key", "amqp"),
        (json!({"exchange": "a"}), "exchange", "amqp"),
        (json!({"priority": "urgent"}), "priority", "normal"),
        (json!({"channel_id": "x"}), "channel_id", "channel"),
    ] {
        let refused = sent(more.clone()).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{more}: {refused}");
        let message = text(&refused["error"]["message"]);
        assert!(message.contains(part) && !message.contains("publish now"), "{more}: {refused}");
    }
    let nowhere = json!({"channel_id": "01890000-0000-7000-8000-000000000000"});
    assert_eq!(sent(nowhere).await.status, 404);
    assert_eq!(sent(json!({"body": 5})).await.status, 422);
    assert_eq!(sent(json!({"bodies": "x"})).await.status, 422);
    let all = server.as_admin().get("/api/v1/messages").await.expect(200);
    assert_eq!(all["items"].as_array().unwrap().len(), 0);
    // The largest message that is accepted.
    sent(json!({"body": "x".repeat(65_536)})).await.expect(201);
    for (change, field) in [
        (json!({}), "due_at"),
        (json!({"delay": "PT-5M"}), "delay"),
        (json!({"body": "x".repeat(65_537)}), "body"),
        (json!({"zone": "UTC"}), "local"),
        (json!({"channel_id": "x"}), "channel_id"),
    ] {
        let refused = server.as_admin().patch(&path("k"), &change).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), field, "{change}: {refused}");
    }
}

#[tokio::test]
async fn a_bulk_request_counts_all_invalid_items() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let refused = async |all: &[Value]| {
        let item = |more: &Value| {
            let mut item = json!({"channel_id": channel["id"], "delay": "PT1H", "body": ""});
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            item
        };
        let items: Vec<Value> = all.iter().map(item).collect();
        let body = json!({ "items": items });
        let refused = server.as_admin().post("/api/v1/messages/bulk", &body).await.expect(422);
        let errors = refused["errors"].as_array().unwrap().iter();
        let indexes: Vec<u64> = errors.map(|error| error["index"].as_u64().unwrap()).collect();
        (text(&refused["error"]["message"]).to_owned(), indexes)
    };
    let wrong = [
        json!({"delay": "x"}),
        json!({"channel_id": 5}),
        json!({}),
        json!({"priority": "urgent"}),
        json!({"body": 5}),
        json!({"key": " "}),
    ];
    let five = ("5 items are invalid; nothing was stored".to_owned(), vec![0, 1, 3, 4, 5]);
    assert_eq!(refused(&wrong).await, five);
    let one = ("1 item is invalid; nothing was stored".to_owned(), vec![1]);
    assert_eq!(refused(&[json!({}), json!({"body": 5})]).await, one);
    let many = ("150 items are invalid; nothing was stored".to_owned(), (0..100).collect());
    assert_eq!(refused(&vec![json!({"body": 5}); 150]).await, many);
    let all = server.as_admin().get("/api/v1/messages").await.expect(200);
    assert_eq!(all["items"], json!([]));
}

#[tokio::test]
async fn a_bulk_request_has_limits() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let bulk =
        async |items: Value| server.as_admin().post("/api/v1/messages/bulk", &json!({"items": items})).await;
    let item = json!({"channel_id": channel["id"], "delay": "PT1H", "body": ""});
    assert_eq!(bulk(json!([])).await.refused(422), "invalid");
    assert_eq!(bulk(vec![item.clone(); 10_001].into()).await.refused(422), "invalid");
    let large = json!({"channel_id": channel["id"], "delay": "PT1H", "body": "x".repeat(60_000)});
    assert_eq!(bulk(vec![large; 150].into()).await.status, 413);
    let made = bulk(vec![item; 10_000].into()).await.expect(201);
    assert_eq!(made["items"].as_array().unwrap().len(), 10_000);
}
