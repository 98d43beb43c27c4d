//! Visibility of events: creators see none about channels, settings, the engine or other accounts.

use crate::{
    on_both,
    sse_client::{Message, SseClient},
    test_server::{Account, TestServer},
};
use domain::services::{Invitations as _, Settings as _};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(creators_see_only_events_their_pages_need);

/// Makes changes that only admins may see: a channel and a test, settings, engine, account.
async fn make_admin_changes(server: &TestServer, sink: &Sink) -> Value {
    let channel = server.create_webhook(sink, json!({"name": "Secret partner"})).await;
    let path = format!("/api/v1/channels/{}", channel["id"].as_str().unwrap());
    server.as_admin().post(&format!("{path}/test"), &json!({})).await.expect(202);
    server.advance(1_000).await;
    server.as_admin().post(&format!("{path}/pause"), &json!({})).await.expect(200);
    server.as_admin().post(&format!("{path}/resume"), &json!({})).await.expect(200);
    let accounts = &server.app.accounts;
    let settings = accounts.settings().await.unwrap();
    accounts.change_settings(&server.admin.actor, settings).await.unwrap();
    server.app.services.engine.pause(&server.admin.actor, None).await.unwrap();
    server.app.services.engine.resume(&server.admin.actor).await.unwrap();
    accounts.reset_password(&server.admin.actor, server.colleague.actor.account).await.unwrap();
    server.publish_article("For everybody").await
}

/// Collects all events of a stream until the task is executed and delivered.
async fn collect_events(stream: &mut SseClient, task: &Value) -> Vec<Value> {
    let mut signals = Vec::new();
    let is_last = |signal: &Value| signal["verb"] == "deliver" && signal["entity_id"] == task["id"];
    while !signals.iter().any(is_last) {
        let Message { data, .. } = stream.next_event("signals").await;
        signals.extend(data.as_array().unwrap().clone());
    }
    signals
}

async fn log(server: &TestServer, account: &Account) -> Vec<Value> {
    let log = server.as_account(account).get("/api/v1/events?limit=1000").await.expect(200);
    log["items"].as_array().unwrap().clone()
}

fn entities(events: &[Value]) -> Vec<&str> {
    let mut entities: Vec<&str> = events.iter().map(|event| event["entity"].as_str().unwrap()).collect();
    entities.sort_unstable();
    entities.dedup();
    entities
}

async fn creators_see_only_events_their_pages_need(server: TestServer) {
    let sink = Sink::start().await;
    server.tick().await;
    let mut creator = SseClient::open(&server.as_creator(), None).await;
    let mut admin = SseClient::open(&server.as_admin(), None).await;
    creator.next_event("hello").await;
    admin.next_event("hello").await;
    let task = make_admin_changes(&server, &sink).await;
    let (to_creator, to_admin) =
        (collect_events(&mut creator, &task).await, collect_events(&mut admin, &task).await);
    assert_eq!(entities(&to_creator), ["article", "delivery", "task"], "{to_creator:?}");
    assert_eq!(
        entities(&to_admin),
        ["account", "article", "channel", "delivery", "engine", "settings", "task"],
        "{to_admin:?}"
    );
    for account in [&server.creator, &server.reviewer] {
        let events = log(&server, account).await;
        let others = events.iter().filter(|event| event["entity_id"] != json!(account.actor.account));
        let others: Vec<Value> = others.cloned().collect();
        assert_eq!(entities(&others), ["article", "delivery", "task"]);
        let text = serde_json::to_string(&events).unwrap();
        assert!(!text.contains("Secret partner") && !text.contains("delivery_id"), "{text}");
    }
    let all = log(&server, &server.admin).await;
    assert_eq!(entities(&all), ["account", "article", "channel", "delivery", "engine", "settings", "task"]);
    assert!(serde_json::to_string(&all).unwrap().contains("Secret partner"));
    // Users see the events about their own account.
    let own = log(&server, &server.creator).await;
    assert!(own.iter().any(|event| event["verb"] == "create_token"), "{own:?}");
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    let whole = server.as_creator().get(&path).await.expect(200);
    assert!(!whole.to_string().contains("Secret partner"), "{whole}");
}
