//! Messages are created once, sent at their moment and not before, byte for byte.

use super::{new_message, path};
use crate::{
    deliveries::{DAY_MS, signed_with, text},
    on_both,
    test_server::TestServer,
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    s4_a_message_is_sent_at_its_moment_byte_for_byte,
    s4_the_same_request_returns_the_same_message_and_another_is_refused,
    s4_many_messages_are_stored_all_or_none,
    a_local_time_and_an_instant_are_kept,
    a_repeated_bulk_request_returns_the_same_messages,
    the_list_is_filtered_and_paged,
);

async fn s4_a_message_is_sent_at_its_moment_byte_for_byte(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let body = "  {\"text\": \"Grüße 字 \\u0041\"}\r\n\t";
    let more = json!({"body": body, "headers": {"X-Shop": "north", "Content-Type": "application/x-order"}});
    let made = server.create_message(&channel, "order 4711/unpaid", more).await;
    assert_eq!((text(&made["state"]), made["version"].as_i64()), ("scheduled", Some(1)), "{made}");
    assert_eq!(text(&made["due_at"]), server.time_after(1_800_000));
    server.advance(1_799_999).await;
    assert!(sink.received().is_empty());
    server.advance(1).await;
    let [received] = &sink.received()[..] else { panic!("not one message") };
    assert_eq!(received.body, body);
    assert_eq!(
        (received.header("x-shop"), received.header("content-type")),
        ("north", "application/x-order")
    );
    let message = server.get_message("order 4711/unpaid").await;
    assert_eq!((text(&message["state"]), text(&message["delivery"]["state"])), ("executed", "delivered"));
    assert_eq!(received.header("webhook-id"), format!("msg_{}", text(&message["delivery"]["id"])));
    assert_eq!(signed_with(received, &channel["secret"]), 1);
    assert_eq!(text(&message["body"]), body);
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["body"]), text(&delivery["event"])), (body, "message"));
    assert_eq!(text(&delivery["title"]), "order 4711/unpaid");
    server.assert_execution_records_match().await;
}

async fn s4_the_same_request_returns_the_same_message_and_another_is_refused(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let made = server.create_message(&channel, "one", json!({})).await;
    // The delay counts from the first request.
    server.advance(60_000).await;
    let again = server.create_message(&channel, "one", json!({})).await;
    assert_eq!(again, made);
    for more in [json!({"body": "other"}), json!({"delay": "PT31M"}), json!({"headers": {"x-a": "b"}})] {
        let refused = server.as_admin().post("/api/v1/messages", &new_message(&channel, "one", more)).await;
        assert_eq!(refused.refused(409), "message_exists");
    }
    server.advance(1_800_000).await;
    // It stays the same message after it was sent and after it was changed.
    let again = server.create_message(&channel, "one", json!({})).await;
    assert_eq!((text(&again["id"]), text(&again["state"])), (text(&made["id"]), "executed"));
    assert_eq!(sink.received().len(), 1);
    // Without a key each request is a message of its own, whose key is its id.
    let first = server.create_message(&channel, "", json!({"key": null})).await;
    let second = server.create_message(&channel, "", json!({"key": null})).await;
    assert_ne!(first["id"], second["id"]);
    assert_eq!(first["key"], first["id"]);
    assert_eq!(server.get_message(text(&first["key"])).await["id"], first["id"]);
}

async fn s4_many_messages_are_stored_all_or_none(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"concurrency": 20})).await;
    let items = |count: usize| -> Vec<Value> {
        (0..count).map(|n| new_message(&channel, &format!("k {n}"), json!({"delay": "PT1S"}))).collect()
    };
    let mut wrong = items(4);
    wrong[1]["key"] = json!("k 0");
    wrong[2]["delay"] = json!("-PT1S");
    wrong[3]["headers"] = json!({"Host": "elsewhere"});
    let refused = server.as_admin().post("/api/v1/messages/bulk", &json!({"items": wrong})).await.expect(422);
    let fields: Vec<_> = refused["errors"].as_array().unwrap().iter().map(|e| text(&e["field"])).collect();
    assert_eq!(fields, ["key", "delay", "headers.Host"], "{refused}");
    assert_eq!(server.as_admin().get(&path("k 0")).await.status, 404);
    let made =
        server.as_admin().post("/api/v1/messages/bulk", &json!({"items": items(1_000)})).await.expect(201);
    assert_eq!(made["items"].as_array().unwrap().len(), 1_000);
    assert_eq!(text(&made["items"][999]["key"]), "k 999");
    // One of them has other content: nothing of this request is stored.
    let mut other = items(2);
    other[1]["body"] = json!("other");
    other.push(new_message(&channel, "new", json!({})));
    let refused = server.as_admin().post("/api/v1/messages/bulk", &json!({"items": other})).await.expect(422);
    assert_eq!(text(&refused["errors"][0]["code"]), "message_exists", "{refused}");
    assert_eq!(server.as_admin().get(&path("new")).await.status, 404);
    // The task of each is executed at once, and each has its delivery.
    server.advance(1_000).await;
    let stats = server.as_admin().get("/api/v1/messages?state=executed&limit=200").await.expect(200);
    assert_eq!(stats["items"].as_array().unwrap().len(), 200);
    server.assert_execution_records_match().await;
}

async fn a_local_time_and_an_instant_are_kept(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let local = json!({"delay": null, "local": "2027-03-28T02:30", "zone": "Europe/Berlin"});
    let refused = server.as_admin().post("/api/v1/messages", &new_message(&channel, "gap", local)).await;
    assert_eq!(refused.refused(422), "skipped_time");
    let local = json!({"delay": null, "local": "2027-03-27T02:30", "zone": "Europe/Berlin"});
    let made = server.create_message(&channel, "local", local).await;
    assert_eq!(text(&made["due_at"]), "2027-03-27T01:30:00.000Z");
    let due_at = server.time_after(DAY_MS);
    let made = server.create_message(&channel, "instant", json!({"delay": null, "due_at": due_at})).await;
    assert_eq!(text(&made["due_at"]), due_at);
    let made = server.create_message(&channel, "far", json!({"delay": "P100Y"})).await;
    assert_eq!(text(&made["due_at"]), "2127-03-01T08:00:00.000Z");
    let at_once = server.create_message(&channel, "now", json!({"delay": "PT0S"})).await;
    assert_eq!(text(&at_once["due_at"]), server.time_after(0));
    server.tick().await;
    assert_eq!(sink.received().len(), 1);
}

async fn a_repeated_bulk_request_returns_the_same_messages(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let unnamed = || new_message(&channel, "", json!({"key": null}));
    let items = json!({"items": [unnamed(), new_message(&channel, "named", json!({})), unnamed()]});
    let send = async || {
        let request = server.as_admin().request(reqwest::Method::POST, "/api/v1/messages/bulk");
        let request = request.header("idempotency-key", "batch 1").json(&items);
        crate::http_client::Reply::of(request).await.expect(201)
    };
    let first = send().await;
    assert_eq!(first, send().await);
    let all = server.as_admin().get("/api/v1/messages").await.expect(200);
    assert_eq!(all["items"].as_array().unwrap().len(), 3);
}

async fn the_list_is_filtered_and_paged(server: TestServer) {
    let sink = Sink::start().await;
    let (one, other) =
        (server.create_webhook(&sink, json!({})).await, server.create_webhook(&sink, json!({})).await);
    for key in ["a", "b", "c"] {
        server.create_message(&one, key, json!({})).await;
    }
    server.create_message(&other, "d", json!({})).await;
    server.as_admin().delete(&path("b")).await.expect(200);
    let keys = async |query: &str| -> Vec<String> {
        let page = server.as_admin().get(&format!("/api/v1/messages?{query}")).await.expect(200);
        page["items"].as_array().unwrap().iter().map(|m| text(&m["key"]).to_owned()).collect()
    };
    assert_eq!(keys("").await, ["d", "c", "b", "a"]);
    assert_eq!(keys(&format!("channel_id={}", text(&one["id"]))).await, ["c", "b", "a"]);
    assert_eq!(keys("state=cancelled").await, ["b"]);
    assert_eq!(keys("key=c").await, ["c"]);
    let page = server.as_admin().get("/api/v1/messages?limit=3").await.expect(200);
    let next = format!("limit=3&cursor={}", text(&page["next_cursor"]));
    assert_eq!(keys(&next).await, ["a"]);
    assert_eq!(server.as_admin().get("/api/v1/messages?cursor=x").await.status, 422);
}
