//! Messages are moved, changed, cancelled and sent now by their key.

use super::path;
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink};

on_both!(
    s4_a_message_is_moved_by_its_key,
    s4_a_cancelled_message_is_never_sent,
    s4_a_changed_body_is_sent,
    s4_run_now_sends_at_once_and_costs_no_attempt,
    a_version_that_is_not_current_is_a_conflict,
    a_waiting_delivery_is_cancelled_with_its_message,
    s4_messages_of_a_deleted_channel_fail_and_can_be_sent_by_another_one,
    messages_of_a_channel_that_is_off_are_held,
    the_task_of_a_message_is_changed_like_every_other,
);

const KEY: &str = "order 4711/unpaid";

async fn s4_a_message_is_moved_by_its_key(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    server.create_message(&channel, KEY, json!({})).await;
    let moved = server.as_admin().patch(&path(KEY), &json!({"delay": "PT2H"})).await.expect(200);
    assert_eq!(
        (text(&moved["due_at"]), moved["version"].as_i64()),
        (&*server.time_after(7_200_000), Some(2))
    );
    server.advance(1_800_000).await;
    assert!(sink.received().is_empty());
    let due_at = server.time_after(60_000);
    let moved = server.as_admin().patch(&path(KEY), &json!({"due_at": due_at})).await.expect(200);
    assert_eq!((text(&moved["due_at"]), moved["version"].as_i64()), (&*due_at, Some(3)));
    let moved = server.as_admin().patch(&path(KEY), &json!({"delay": "PT0S"})).await.expect(200);
    assert_eq!(moved["version"], 4);
    server.tick().await;
    assert_eq!(sink.received().len(), 1);
    let late = server.as_admin().patch(&path(KEY), &json!({"delay": "PT1H"})).await;
    assert_eq!(late.refused(409), "task_conflict");
    assert_eq!(server.as_admin().patch(&path("none"), &json!({"delay": "PT1H"})).await.status, 404);
}

async fn s4_a_cancelled_message_is_never_sent(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let made = server.create_message(&channel, KEY, json!({})).await;
    let cancelled = server.as_admin().delete(&path(KEY)).await.expect(200);
    assert_eq!((text(&cancelled["state"]), cancelled["version"].as_i64()), ("cancelled", Some(2)));
    // A repeated cancellation, and a late copy of the first request, change nothing.
    assert_eq!(server.as_admin().delete(&path(KEY)).await.expect(200), cancelled);
    let again = server.create_message(&channel, KEY, json!({})).await;
    assert_eq!((&again["id"], text(&again["state"])), (&made["id"], "cancelled"));
    for change in [json!({"delay": "PT1H"}), json!({"body": "x"})] {
        assert_eq!(server.as_admin().patch(&path(KEY), &change).await.status, 409);
    }
    let now = server.as_admin().post(&format!("{}/run-now", path(KEY)), &Value::Null).await;
    assert_eq!(now.status, 409);
    server.advance(3_600_000).await;
    assert!(sink.received().is_empty());
}

async fn s4_a_changed_body_is_sent(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    server.create_message(&channel, KEY, json!({})).await;
    let changed = server.as_admin().patch(&path(KEY), &json!({"body": "second"})).await.expect(200);
    assert_eq!(
        (text(&changed["due_at"]), changed["version"].as_i64()),
        (&*server.time_after(1_800_000), Some(2))
    );
    let both = json!({"body": "third", "delay": "PT1M", "seen_version": 2});
    server.as_admin().patch(&path(KEY), &both).await.expect(200);
    server.advance(60_000).await;
    let [received] = &sink.received()[..] else { panic!("not one message") };
    assert_eq!(received.body, "third");
    let message = server.get_message(KEY).await;
    let task = server.task(&json!({"id": message["task_id"]})).await;
    let verbs: Vec<&str> = task["timeline"].as_array().unwrap().iter().map(|e| text(&e["verb"])).collect();
    assert_eq!(verbs, ["schedule", "edit", "reschedule", "execute", "deliver"]);
}

async fn s4_run_now_sends_at_once_and_costs_no_attempt(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    server.create_message(&channel, KEY, json!({})).await;
    let run_now = format!("{}/run-now", path(KEY));
    sink.behave([Behaviour::status(500)]);
    let sent = server.as_admin().post(&run_now, &Value::Null).await.expect(200);
    assert_eq!(text(&sent["due_at"]), server.time_after(0));
    server.tick().await;
    assert_eq!(server.message_states(KEY).await, ("executed".to_owned(), json!("pending")));
    // The next attempt is made now, and the schedule begins again: it fails and is retried.
    sink.behave([Behaviour::status(500)]);
    server.as_admin().post(&run_now, &Value::Null).await.expect(200);
    server.tick().await;
    assert_eq!(server.message_states(KEY).await, ("executed".to_owned(), json!("pending")));
    server.advance(4_000_000).await;
    assert_eq!(server.message_states(KEY).await, ("executed".to_owned(), json!("delivered")));
    assert_eq!(sink.received().len(), 3);
    assert_eq!(server.as_admin().post(&run_now, &Value::Null).await.refused(409), "wrong_state");
}

async fn a_version_that_is_not_current_is_a_conflict(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    server.create_message(&channel, KEY, json!({})).await;
    for change in [json!({"delay": "PT1H"}), json!({"body": "x"})] {
        let mut stale = change.clone();
        stale["seen_version"] = json!(7);
        let refused = server.as_admin().patch(&path(KEY), &stale).await;
        assert_eq!(refused.refused(409), "task_conflict");
    }
    let stale = server.as_admin().delete(&format!("{}?seen_version=7", path(KEY))).await;
    assert_eq!(stale.refused(409), "task_conflict");
    assert_eq!(server.get_message(KEY).await["version"], 1);
    server.as_admin().delete(&format!("{}?seen_version=1", path(KEY))).await.expect(200);
}

async fn a_waiting_delivery_is_cancelled_with_its_message(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    server.create_message(&channel, KEY, json!({"delay": "PT0S"})).await;
    sink.behave([Behaviour::status(500)]);
    server.tick().await;
    let cancelled = server.as_admin().delete(&path(KEY)).await.expect(200);
    assert_eq!((text(&cancelled["state"]), text(&cancelled["delivery"]["state"])), ("executed", "cancelled"));
    assert_eq!(server.as_admin().delete(&path(KEY)).await.expect(200), cancelled);
    server.advance(7_200_000).await;
    assert_eq!(sink.received().len(), 1);
}

async fn s4_messages_of_a_deleted_channel_fail_and_can_be_sent_by_another_one(server: TestServer) {
    let sink = Sink::start().await;
    let gone = server.create_webhook(&sink, json!({})).await;
    for key in ["a", "b"] {
        server.create_message(&gone, key, json!({})).await;
    }
    let channel = format!("/api/v1/channels/{}", text(&gone["id"]));
    assert_eq!(server.as_admin().delete(&channel).await.status, 204);
    server.advance(1_800_000).await;
    let message = server.get_message("a").await;
    assert_eq!((text(&message["state"]), text(&message["reason"])), ("failed", "channel_gone"));
    assert_eq!(server.attention_count().await, 2);
    let other = server.create_webhook(&sink, json!({})).await;
    let change = json!({"channel_id": other["id"]});
    server.as_admin().patch(&path("a"), &change).await.expect(200);
    server.as_admin().post(&format!("{}/run-now", path("a")), &Value::Null).await.expect(200);
    server.as_admin().delete(&path("b")).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(server.message_states("a").await, ("executed".to_owned(), json!("delivered")));
    assert_eq!((sink.received().len(), server.attention_count().await), (1, 0));
}

async fn messages_of_a_channel_that_is_off_are_held(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    sink.behave([Behaviour::status(410)]);
    server.create_message(&channel, "first", json!({"delay": "PT0S"})).await;
    server.tick().await;
    assert_eq!(text(&server.get_channel(&channel).await["state"]), "off");
    assert_eq!(server.message_states("first").await, ("executed".to_owned(), json!("held")));
    server.create_message(&channel, "second", json!({"delay": "PT1S"})).await;
    server.advance(1_000).await;
    assert_eq!(server.message_states("second").await, ("executed".to_owned(), json!("held")));
    assert_eq!(sink.received().len(), 1);
    server.post_channel_action(&channel, "resume").await;
    server.tick().await;
    for key in ["first", "second"] {
        assert_eq!(server.message_states(key).await, ("executed".to_owned(), json!("delivered")), "{key}");
    }
}

async fn the_task_of_a_message_is_changed_like_every_other(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let made = server.create_message(&channel, KEY, json!({})).await;
    let action = |verb: &str| format!("/api/v1/tasks/{}/{verb}", text(&made["task_id"]));
    let cancelled = server.as_admin().post(&action("cancel"), &json!({"seen_version": 1})).await.expect(200);
    assert_eq!((text(&cancelled["kind"]), text(&cancelled["title"])), ("message.send", KEY));
    assert_eq!(text(&server.get_message(KEY).await["state"]), "cancelled");
    let again = server.as_admin().post(&action("undo"), &json!({"seen_version": 2})).await.expect(200);
    assert_eq!(text(&again["state"]), "scheduled");
    // Another task for the message is refused.
    let new = json!({"kind": "message.send", "target_id": made["id"], "due_at": server.time_after(60_000)});
    assert_eq!(server.as_admin().post("/api/v1/tasks", &new).await.status, 409);
    let now = server.as_admin().post(&action("publish-now"), &json!({"seen_version": 3})).await.expect(200);
    assert!(now["undo"].is_null(), "it is sent before a user could undo it: {now}");
    server.tick().await;
    assert_eq!(server.message_states(KEY).await, ("executed".to_owned(), json!("delivered")));
    // What was sent cannot be undone, and it is not offered.
    let sent = server.task(&json!({"id": made["task_id"]})).await;
    assert!(sent["undo"].is_null(), "{sent}");
    let found = server.as_admin().get(&format!("/api/v1/tasks?q={KEY}&state=executed")).await.expect(200);
    assert_eq!(found["items"][0]["id"], made["task_id"], "a message is found by its key");
    assert_eq!(server.as_admin().post("/api/v1/tasks", &new).await.status, 422);
}
