//! How fast a channel sends, and which one is first.

use crate::{deliveries::text, engine_page::assert_contains, on_both, test_server::TestServer};
use serde_json::{Value, json};
use store::PoolRole;
use test_support::Sink;

on_both!(
    a_rate_spreads_the_messages_of_a_channel_and_of_no_other,
    a_rate_per_minute_spreads_the_messages_over_a_minute,
    channels_of_high_priority_claim_first,
);

async fn a_rate_spreads_the_messages_of_a_channel_and_of_no_other(server: TestServer) {
    let (slow, fast) = (Sink::start().await, Sink::start().await);
    let limited = server.create_webhook(&slow, json!({"rate": 2, "concurrency": 20})).await;
    let other = server.create_webhook(&fast, json!({"concurrency": 20})).await;
    assert_eq!((&limited["rate"], &other["rate"]), (&json!(2), &Value::Null));
    let message = |channel: &Value| json!({"channel_id": channel["id"], "delay": "PT1M", "body": "x"});
    let items: Vec<Value> = (0..8).flat_map(|_| [message(&limited), message(&other)]).collect();
    server.as_admin().post("/api/v1/messages/bulk", &json!({"items": items})).await.expect(201);
    server.advance(60_000).await;
    assert_eq!((slow.received().len(), fast.received().len()), (1, 8));
    for sent in 2..=4 {
        server.advance(499).await;
        assert_eq!(slow.received().len(), sent - 1, "not before its time");
        server.advance(1).await;
        assert_eq!(slow.received().len(), sent);
    }
    let path = format!("/api/v1/channels/{}", text(&limited["id"]));
    for rate in [json!(1_001), json!(-1)] {
        let refused = server.as_admin().patch(&path, &json!({"rate": rate})).await.expect(422);
        assert_eq!(text(&refused["error"]["field"]), "rate", "{refused}");
    }
    let kept = server.as_admin().patch(&path, &json!({"name": "Slow"})).await.expect(200);
    assert_eq!(kept["rate"], 2);
    let free = server.as_admin().patch(&path, &json!({"rate": 0})).await.expect(200);
    assert_eq!(free["rate"], Value::Null);
    server.advance(1).await;
    assert_eq!(slow.received().len(), 8);
    let page = server
        .page(&server.admin, &format!("/settings/channels/{}?tab=settings", text(&limited["id"])))
        .await;
    assert_contains(&page, &["Maximum rate", "per minute"]);
    server.assert_execution_records_match().await;
}

async fn a_rate_per_minute_spreads_the_messages_over_a_minute(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"rate": 2, "rate_per": "minute"})).await;
    assert_eq!((&channel["rate"], text(&channel["rate_per"])), (&json!(2), "minute"));
    let message = json!({"channel_id": channel["id"], "delay": "PT1M", "body": "x"});
    let items = vec![message; 4];
    server.as_admin().post("/api/v1/messages/bulk", &json!({"items": items})).await.expect(201);
    server.advance(60_000).await;
    assert_eq!(sink.received().len(), 1);
    server.advance(29_999).await;
    assert_eq!(sink.received().len(), 1, "not before its time");
    server.advance(1).await;
    assert_eq!(sink.received().len(), 2);
    // Another rate counts from now on.
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let refused = server.as_admin().patch(&path, &json!({"rate_per": "hour"})).await.expect(422);
    assert_eq!(text(&refused["error"]["field"]), "rate_per", "{refused}");
    server.as_admin().patch(&path, &json!({"rate_per": "second"})).await.expect(200);
    server.advance(1).await;
    assert_eq!(sink.received().len(), 3);
    server.assert_execution_records_match().await;
}

async fn channels_of_high_priority_claim_first(server: TestServer) {
    let sink = Sink::start().await;
    let channel = async |name: &str, more: Value| {
        let new = json!({"name": name, "url": sink.url(), "retry_schedule": "10s"});
        text(&server.create_channel(new, more).await["id"]).to_owned()
    };
    let ids = [
        channel("Bulk", json!({"priority": "low"})).await,
        channel("News", json!({})).await,
        channel("Alarm", json!({"priority": "high"})).await,
    ];
    let order = async || {
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        let queues = store::dispatch::channel_queues(lease.conn()).await.unwrap();
        queues.into_iter().map(|queue| queue.name).collect::<Vec<_>>()
    };
    assert_eq!(order().await, ["Alarm", "News", "Bulk"]);
    let api = format!("/api/v1/channels/{}", ids[0]);
    let refused = server.as_admin().patch(&api, &json!({"priority": "urgent"})).await.expect(422);
    assert_eq!(text(&refused["error"]["field"]), "priority", "{refused}");
    let kept = server.as_admin().patch(&api, &json!({"name": "Bulk mail"})).await.expect(200);
    assert_eq!(text(&kept["priority"]), "low");
    // The form of the page sets it too.
    let url = sink.url();
    let form = [
        ("id", &*ids[2]),
        ("channel[transport]", "webhook"),
        ("channel[name]", "Alarm"),
        ("channel[url]", &*url),
        ("channel[retry_schedule]", "10s"),
        ("channel[on_unknown_outcome]", "retry"),
        ("channel[concurrency]", "1"),
        ("channel[priority]", "low"),
        ("channel[rate]", "30"),
        ("channel[rate_per]", "minute"),
        ("from", "/settings/channels"),
    ];
    let browser = server.log_in_browser(&server.admin).await;
    let saved = browser.form("/fn/edit_channel", &form).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let api = format!("/api/v1/channels/{}", ids[2]);
    let shown = server.as_admin().get(&api).await.expect(200);
    let sending = (text(&shown["priority"]), &shown["rate"], text(&shown["rate_per"]));
    assert_eq!(sending, ("low", &json!(30), "minute"));
    assert_eq!(order().await[0], "News");
    // What another admin has changed since the page was read is not overwritten.
    let seen = async || {
        let page = server.page(&server.admin, &format!("/settings/channels/{}?tab=settings", ids[2])).await;
        let seen = page.split("name=\"seen\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        seen.expect("what the form shows").replace("&quot;", "\"").replace("&amp;", "&")
    };
    let before = seen().await;
    server.as_admin().patch(&api, &json!({"concurrency": 7})).await.expect(200);
    let stale = browser.form("/fn/edit_channel", &[&form[..], &[("seen", &*before)]].concat()).await;
    assert_eq!(stale.status, 409, "{}", stale.text);
    assert_eq!(server.as_admin().get(&api).await.expect(200)["concurrency"], 7);
    let current = seen().await;
    let saved = browser.form("/fn/edit_channel", &[&form[..], &[("seen", &*current)]].concat()).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    assert_eq!(server.as_admin().get(&api).await.expect(200)["concurrency"], 1);
}
