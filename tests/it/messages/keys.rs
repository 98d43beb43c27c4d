//! A key is unique in its channel: two businesses may both have an order 1.

use super::{new_message, path};
use crate::{
    deliveries::text,
    on_both,
    test_server::{Backend, TestServer},
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    two_channels_may_have_messages_with_one_key,
    a_message_does_not_move_to_a_channel_that_has_its_key,
    a_moved_message_is_still_the_one_of_its_request,
    a_notice_is_found_by_channel_and_key,
);

/// The path of the message with this key in this channel.
fn path_in(channel: &Value, key: &str) -> String {
    format!("{}?channel_id={}", path(key), text(&channel["id"]))
}

async fn two_channels_may_have_messages_with_one_key(server: TestServer) {
    let (shop_sink, forum_sink) = (Sink::start().await, Sink::start().await);
    let shop = server.create_webhook(&shop_sink, json!({"name": "Shop"})).await;
    let forum = server.create_webhook(&forum_sink, json!({"name": "Forum"})).await;
    let first = server.create_message(&shop, "1", json!({"body": "Order"})).await;
    // While only one channel has the key, the channel need not be named.
    assert_eq!(server.get_message("1").await["id"], first["id"]);
    let second = server.create_message(&forum, "1", json!({"body": "Post"})).await;
    assert_ne!(first["id"], second["id"]);
    let again = server.create_message(&shop, "1", json!({"body": "Order"})).await;
    assert_eq!(again["id"], first["id"], "the same request is the same message");
    let other = new_message(&shop, "1", json!({"body": "Another order"}));
    let exists = server.as_admin().post("/api/v1/messages", &other).await;
    assert_eq!(exists.refused(409), "message_exists");

    let admin = server.as_admin();
    let refused = admin.get(&path("1")).await.expect(409);
    let message = text(&refused["error"]["message"]);
    assert_eq!(text(&refused["error"]["code"]), "ambiguous_key");
    for part in ["Shop", "Forum", text(&shop["id"]), text(&forum["id"]), "?channel_id="] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let late = json!({"delay": "PT2H"});
    assert_eq!(admin.patch(&path("1"), &late).await.refused(409), "ambiguous_key");
    assert_eq!(admin.delete(&path("1")).await.refused(409), "ambiguous_key");
    let run_now = format!("{}/run-now", path("1"));
    assert_eq!(admin.post(&run_now, &Value::Null).await.refused(409), "ambiguous_key");

    let read = admin.get(&path_in(&forum, "1")).await.expect(200);
    assert_eq!((&read["id"], text(&read["body"])), (&second["id"], "Post"));
    let moved = admin.patch(&path_in(&shop, "1"), &late).await.expect(200);
    assert_eq!((&moved["id"], text(&moved["due_at"])), (&first["id"], &*server.time_after(7_200_000)));
    let now = format!("{run_now}?channel_id={}", text(&forum["id"]));
    assert_eq!(admin.post(&now, &Value::Null).await.expect(200)["id"], second["id"]);
    server.tick().await;
    let stale = format!("{}&seen_version=1", path_in(&shop, "1"));
    assert_eq!(admin.delete(&stale).await.refused(409), "task_conflict");
    let cancelled = admin.delete(&path_in(&shop, "1")).await.expect(200);
    assert_eq!((&cancelled["id"], text(&cancelled["state"])), (&first["id"], "cancelled"));
    assert_eq!((shop_sink.received().len(), forum_sink.received().len()), (0, 1));
    let list = admin.get("/api/v1/messages?key=1").await.expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    // The page of each is found by its id.
    for one in [&first, &second] {
        server.page(&server.admin, &format!("/messages/{}", text(&one["id"]))).await;
    }
    let none = "01890000-0000-7000-8000-000000000000";
    assert_eq!(admin.get(&format!("{}?channel_id={none}", path("1"))).await.status, 404);
    assert_eq!(admin.get(&format!("{}?channel_id=shop", path("1"))).await.status, 404);
    server.assert_execution_records_match().await;
}

async fn a_message_does_not_move_to_a_channel_that_has_its_key(server: TestServer) {
    let sink = Sink::start().await;
    let (shop, forum) =
        (server.create_webhook(&sink, json!({})).await, server.create_webhook(&sink, json!({})).await);
    server.create_message(&shop, "1", json!({})).await;
    let kept = server.create_message(&forum, "1", json!({})).await;
    let change = json!({"channel_id": shop["id"]});
    let refused = server.as_admin().patch(&path_in(&forum, "1"), &change).await;
    assert_eq!(refused.refused(409), "message_exists");
    let still = server.as_admin().get(&path_in(&forum, "1")).await.expect(200);
    assert_eq!((&still["id"], &still["version"]), (&kept["id"], &json!(1)));
}

async fn a_moved_message_is_still_the_one_of_its_request(server: TestServer) {
    let sink = Sink::start().await;
    let (shop, forum) =
        (server.create_webhook(&sink, json!({})).await, server.create_webhook(&sink, json!({})).await);
    let made = server.create_message(&shop, "1", json!({})).await;
    let change = json!({"channel_id": forum["id"]});
    server.as_admin().patch(&path("1"), &change).await.expect(200);
    let again = server.create_message(&shop, "1", json!({})).await;
    assert_eq!((&again["id"], &again["channel_id"]), (&made["id"], &forum["id"]));
    // Its former channel is free for another message with the key.
    let other = server.create_message(&shop, "1", json!({"body": "other"})).await;
    assert_ne!(other["id"], made["id"]);
    // Both orders of one request are stored, and a key twice in one channel is not.
    let items = [&shop, &forum].map(|channel| item(channel, "2"));
    let bulk = json!({"items": items});
    let stored = server.as_admin().post("/api/v1/messages/bulk", &bulk).await.expect(201);
    assert_eq!(stored["items"].as_array().unwrap().len(), 2);
    let twice = json!({"items": [item(&shop, "3"), item(&shop, "3")]});
    assert_eq!(server.as_admin().post("/api/v1/messages/bulk", &twice).await.status, 422);
}

fn item(channel: &Value, key: &str) -> Value {
    new_message(channel, key, json!({}))
}

async fn a_notice_is_found_by_channel_and_key(server: TestServer) {
    let sink = Sink::start().await;
    let (shop, forum) =
        (server.create_webhook(&sink, json!({})).await, server.create_webhook(&sink, json!({})).await);
    let notify = async |channel: &Value| {
        let new = json!({"key": "1", "channel_id": channel["id"], "body": "", "ack": {"body": "success"}});
        server.as_admin().post("/api/v1/notices", &new).await.expect(201)
    };
    let (first, second) = (notify(&shop).await, notify(&forum).await);
    let admin = server.as_admin();
    assert_eq!(admin.get("/api/v1/notices/1").await.refused(409), "ambiguous_key");
    let of =
        |channel: &Value, verb: &str| format!("/api/v1/notices/1{verb}?channel_id={}", text(&channel["id"]));
    assert_eq!(admin.get(&of(&shop, "")).await.expect(200)["id"], first["id"]);
    let done = admin.post(&of(&forum, "/ack"), &Value::Null).await.expect(200);
    assert_eq!((&done["id"], done["acknowledged_at"].is_null()), (&second["id"], false));
    assert!(admin.get(&of(&shop, "")).await.expect(200)["acknowledged_at"].is_null());
}

#[tokio::test]
async fn the_page_of_an_ambiguous_key_names_the_channels() {
    let server = TestServer::start(Backend::Embedded).await;
    let sink = Sink::start().await;
    for name in ["Shop", "Forum"] {
        let channel = server.create_webhook(&sink, json!({"name": name})).await;
        server.create_message(&channel, "order 1", json!({})).await;
    }
    let reply = server.log_in_browser(&server.admin).await.get("/messages/order%201").await;
    assert!(reply.text.contains("Shop, Forum"), "{}", reply.text);
}
