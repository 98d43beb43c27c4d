//! Attempts of a delivery: retries, lost responses, and messages held for an admin.

use super::{DAY_MS, signed_with, text};
use crate::{
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{
    delivery::{Answer, Outcome},
    task::Change,
};
use engine::Loop as _;
use presstime::senders::SendResult;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{
    PoolRole,
    dispatch::{self, ClaimedDelivery},
    node::HeartbeatInput,
};
use test_support::{Behaviour, Sink};

on_both!(
    a_publication_is_sent_once_and_signed,
    a_failure_is_retried_until_the_schedule_ends_and_is_then_shown,
    a_lost_response_holds_the_message_if_the_channel_says_so,
    a_lost_response_is_retried_with_the_same_id,
    an_attempt_of_a_dead_process_expires_and_only_its_late_delivery_counts,
    deliveries_of_a_dead_node_are_released_when_its_death_is_detected,
    a_claim_is_a_sign_of_life_of_a_node_without_a_new_heartbeat,
    a_crash_of_a_node_does_not_count_as_a_failure_of_the_receiver,
    running_loops_publish_and_deliver,
    an_undo_sends_a_message,
);

async fn a_publication_is_sent_once_and_signed(server: TestServer) {
    let sink = Sink::start().await;
    let before = server.publish_article("Too early to be sent").await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let task = server.publish_article("News").await;
    let [message] = &sink.received()[..] else { panic!("{:?}", sink.received()) };
    assert_eq!((message.line.as_str(), signed_with(message, &channel["secret"])), ("POST /hook", 1));
    assert_eq!(message.header("webhook-timestamp"), (server.now().millis() / 1_000).to_string());
    let body: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!((text(&body["type"]), text(&body["data"]["title"])), ("article.published", "News"));
    assert_eq!(body["data"]["task_id"], task["id"]);
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("delivered", Some(1)));
    assert_eq!(format!("msg_{}", text(&delivery["id"])), message.header("webhook-id"));
    assert_eq!(delivery["attempt_log"][0]["status"], 204);
    let timeline = server.task(&task).await["timeline"].to_string();
    assert!(
        timeline.contains("deliver")
            && !server.task(&before).await["timeline"].to_string().contains("deliver")
    );
    let shown = server.get_channel(&channel).await;
    assert!(shown.get("secret").is_none() && shown["succeeded_at"].is_string(), "{shown}");
    server.advance(DAY_MS).await;
    assert_eq!(sink.received().len(), 1);
}

async fn an_undo_sends_a_message(server: TestServer) {
    let (sink, article) = (Sink::start().await, server.create_article("Oops").await);
    server.create_webhook(&sink, json!({})).await;
    let sent = || {
        let bodies = sink.received().into_iter().map(|message| serde_json::from_str(&message.body).unwrap());
        bodies
            .map(|body: Value| (text(&body["type"]).to_owned(), body["data"]["revision"].as_i64()))
            .collect::<Vec<_>>()
    };
    let tasks = &server.app.services.tasks;
    let row = tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    server.tick().await;
    let expected = [("article.published".to_owned(), Some(1)), ("article.unpublished".to_owned(), None)];
    assert_eq!(sent(), expected);
    tasks.publish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    let row = tasks.unpublish_now(&server.creator.actor, article).await.unwrap();
    server.tick().await;
    server.change(&server.find_task(row.id).await, Change::Undo).await.unwrap();
    server.tick().await;
    assert_eq!(sent()[2..], [&expected[..], &expected[..1]].concat());
}

async fn a_failure_is_retried_until_the_schedule_ends_and_is_then_shown(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let answer = Behaviour::Respond(500, vec![], "no room".repeat(500));
    sink.behave([answer.clone(), answer.clone(), answer]);
    server.publish_article("Unlucky").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"));
    assert_eq!(text(&delivery["attempt_log"][0]["response_body"]).len(), 1_024);
    server.advance(8_000).await;
    assert_eq!(sink.received().len(), 1);
    server.advance(3_500).await;
    assert_eq!(sink.received().len(), 2);
    assert_eq!(server.attention_count().await, 0);
    server.advance(70_000).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(3)));
    assert_eq!(server.attention_count().await, 1);
    let page = server.app.services.attention.page(&server.creator.actor).await.unwrap();
    let needing = &page.cards[0].deliveries;
    assert!(!needing[0].may_resolve && needing[0].title == "Unlucky");
    assert_eq!(needing[0].answer, Answer::default(), "only admins see the response");
    server.resolve_delivery(&delivery, "resend").await;
    server.tick().await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    assert_eq!(server.attention_count().await, 0);
    let ids: Vec<_> =
        sink.received().iter().map(|m| (m.header("webhook-id").to_owned(), m.body.clone())).collect();
    assert!(ids.len() == 4 && ids.windows(2).all(|two| two[0] == two[1]), "{ids:?}");
    let dropped = format!("/api/v1/deliveries/{}/drop", text(&delivery["id"]));
    assert_eq!(server.as_admin().post(&dropped, &Value::Null).await.refused(409), "wrong_state");
}

async fn a_lost_response_holds_the_message_if_the_channel_says_so(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"on_unknown_outcome": "hold"})).await;
    sink.behave([Behaviour::Disconnect]);
    server.publish_article("Perhaps").await;
    server.advance(DAY_MS).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("unconfirmed", "unknown"));
    assert_eq!((sink.received().len(), server.attention_count().await), (1, 1));
    assert_eq!(text(&server.resolve_delivery(&delivery, "arrived").await["state"]), "delivered");
    server.tick().await;
    assert_eq!((sink.received().len(), server.attention_count().await), (1, 0));
}

async fn a_lost_response_is_retried_with_the_same_id(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "10s"})).await;
    sink.behave([Behaviour::Disconnect, Behaviour::Disconnect]);
    server.publish_article("Twice").await;
    server.advance(12_000).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(text(&delivery["state"]), "unconfirmed");
    let copies = sink.received();
    assert_eq!(copies.len(), 2);
    assert_eq!(copies[0].header("webhook-id"), copies[1].header("webhook-id"));
    assert_ne!(copies[0].header("webhook-signature"), copies[1].header("webhook-signature"));
    assert_eq!(text(&server.resolve_delivery(&delivery, "drop").await["state"]), "cancelled");
}

async fn an_attempt_of_a_dead_process_expires_and_only_its_late_delivery_counts(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"on_unknown_outcome": "hold"})).await;
    server.post_channel_action(&channel, "pause").await;
    server.publish_article("Half-way").await;
    let store = &server.app.parts.store;
    let now = server.now();
    let terms = store::dispatch::LeaseTerms { node: "dead", now, lease_until: now.plus(60_000) };
    let id = text(&channel["id"]).parse().unwrap();
    let mut tx = store.begin(store::PoolRole::Dispatcher).await.unwrap();
    let claimed = store::dispatch::claim(tx.conn(), id, 5, terms).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((claimed.len(), claimed[0].epoch), (1, 1));
    server.post_channel_action(&channel, "resume").await;
    server.advance(59_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "sending");
    server.advance(2_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "unconfirmed");
    let policy = engine::dispatcher::policy::RetryPolicy::stored(None, Some("retry"));
    let record_late = async |epoch: i32, outcome: Outcome| {
        let answer = SendResult { status: Some(200), ..SendResult::without_response(outcome, "") };
        let claimed = ClaimedDelivery { epoch, ..claimed[0].clone() };
        let late = engine::dispatcher::policy::decide(&claimed, &policy, answer, server.now(), 0.5);
        let mut tx = store.begin(store::PoolRole::Dispatcher).await.unwrap();
        let changed = store::dispatch::record(tx.conn(), &[late], server.now()).await.unwrap();
        tx.commit().await.unwrap();
        changed
    };
    assert_eq!(record_late(1, Outcome::Unknown).await, 0);
    assert_eq!(record_late(2, Outcome::Delivered).await, 0, "another attempt");
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "unconfirmed");
    assert_eq!(record_late(1, Outcome::Delivered).await, 1);
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), text(&delivery["attempt_log"][0]["outcome"])),
        ("delivered", "delivered")
    );
    assert_eq!(server.attention_count().await, 0);
}

/// Claims a delivery for another node, this long after its last heartbeat.
async fn claim_as_other_node(server: &TestServer, channel: &Value, silent_ms: i64) {
    let (parts, id) = (&server.app.parts, uuid::Uuid::now_v7());
    server.align_database_clock(&server.app);
    let heartbeat = HeartbeatInput {
        id,
        name: "other",
        role: domain::engine::NodeRole::Work,
        version: "1",
        is_engine_alive: Some(true),
        overdue_checked_ago_ms: None,
        timeline: None,
    };
    store::node::heartbeat(&parts.store, heartbeat, parts.clock.as_ref()).await.unwrap();
    if silent_ms > 0 {
        server.advance(silent_ms).await;
    }
    let (node, now) = (id.simple().to_string(), server.now());
    let terms = dispatch::LeaseTerms { node: &node, now, lease_until: now.plus(60_000) };
    let mut tx = parts.store.begin(PoolRole::Dispatcher).await.unwrap();
    let channel = text(&channel["id"]).parse().unwrap();
    assert_eq!(dispatch::claim(tx.conn(), channel, 1, terms).await.unwrap().len(), 1);
    tx.commit().await.unwrap();
}

async fn deliveries_of_a_dead_node_are_released_when_its_death_is_detected(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"concurrency": 1, "retry_schedule": "1s"})).await;
    server.post_channel_action(&channel, "pause").await;
    server.publish_article("Half-way").await;
    server.publish_article("Behind it").await;
    claim_as_other_node(&server, &channel, 0).await;
    server.post_channel_action(&channel, "resume").await;
    // The node may only be slow: it keeps the only slot of the channel.
    server.advance(3_000).await;
    assert!(sink.received().is_empty());
    // The silent node no longer blocks the channel, but it may be paused: it keeps its claimed
    // delivery.
    server.advance(1_000).await;
    server.advance(5_000).await;
    let [behind] = &sink.received()[..] else { panic!("{:?}", sink.received()) };
    assert!(behind.body.contains("Behind it"), "{}", behind.body);
    server.advance(2_000).await;
    server.advance(2_000).await;
    server.advance(1_000).await;
    assert_eq!(sink.received().len(), 2);
}

async fn a_claim_is_a_sign_of_life_of_a_node_without_a_new_heartbeat(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"on_unknown_outcome": "hold"})).await;
    server.post_channel_action(&channel, "pause").await;
    server.publish_article("After the outage").await;
    // As after an outage of the database: its heartbeat is old, and its claim is new.
    claim_as_other_node(&server, &channel, 20_000).await;
    server.post_channel_action(&channel, "resume").await;
    server.advance(9_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "sending");
    server.advance(2_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "unconfirmed");
}

async fn a_crash_of_a_node_does_not_count_as_a_failure_of_the_receiver(server: TestServer) {
    let sink = Sink::start().await;
    let more = json!({"concurrency": 5, "retry_schedule": "1s", "on_unknown_outcome": "retry"});
    let channel = server.create_webhook(&sink, more).await;
    server.post_channel_action(&channel, "pause").await;
    for number in 0..6 {
        server.publish_article(&format!("Number {number}")).await;
    }
    let now = server.now();
    let terms = dispatch::LeaseTerms { node: "dead", now, lease_until: now.plus(60_000) };
    let mut tx = server.app.parts.store.begin(PoolRole::Dispatcher).await.unwrap();
    let id = text(&channel["id"]).parse().unwrap();
    assert_eq!(dispatch::claim(tx.conn(), id, 5, terms).await.unwrap().len(), 5);
    tx.commit().await.unwrap();
    server.post_channel_action(&channel, "resume").await;
    server.advance(61_000).await;
    server.advance(2_000).await;
    assert_eq!(sink.received().len(), 6);
    assert!(server.get_channel(&channel).await["breaker_open_until"].is_null());
}

/// The concurrency of a channel is a limit over all nodes.
#[tokio::test]
async fn concurrency_is_limited_across_nodes() {
    let (server, sink) = (TestServer::start(Backend::Servers).await, Sink::start().await);
    let channel = server.create_webhook(&sink, json!({"concurrency": 2})).await;
    server.post_channel_action(&channel, "pause").await;
    for number in 0..5 {
        server.publish_article(&format!("Number {number}")).await;
    }
    server.post_channel_action(&channel, "resume").await;
    let (id, now) = (text(&channel["id"]).parse::<domain::ChannelId>().unwrap(), server.now());
    let mut other_node = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let wanted = BTreeSet::from([id.0]);
    assert_eq!(dispatch::lock_channels(other_node.conn(), &wanted).await.unwrap(), wanted);
    server.app.loops.dispatcher.tick(now).await;
    assert!(sink.received().is_empty(), "the other node has locked the channel");
    let terms = dispatch::LeaseTerms { node: "other", now, lease_until: now.plus(60_000) };
    assert_eq!(dispatch::claim(other_node.conn(), id, 2, terms).await.unwrap().len(), 2);
    other_node.commit().await.unwrap();
    server.app.loops.dispatcher.tick(now).await;
    assert!(sink.received().is_empty(), "both slots are taken");
    // When the slots are free, the three unclaimed messages are sent.
    server.advance(61_000).await;
    sink.wait_for(3).await;
}

async fn running_loops_publish_and_deliver(template: TestServer) {
    let server = TestServer::start_realtime(template.backend).await;
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    for title in ["One", "Two", "Three"] {
        server.schedule_new_article(title, 2_000).await;
    }
    assert_eq!(sink.wait_for(3).await.len(), 3);
    server.stop().await;
    let mut lease = template.app.parts.store.read(store::PoolRole::Web).await.unwrap();
    assert!(store::channel::all(lease.conn()).await.unwrap().is_empty(), "{channel}");
}
