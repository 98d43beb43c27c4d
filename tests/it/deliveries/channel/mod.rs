//! A channel: subscribed events, circuit breaker, validation of settings.

mod ghost;
mod ghost_settings;
mod many_waiting;
mod rates;
mod wordpress;

use super::{DAY_MS, signed_with, text};
use crate::{
    engine_page::assert_contains,
    on_both,
    test_server::{Backend, TestServer},
};
use engine::Loop as _;
use serde_json::{Value, json};
use store::PoolRole;
use test_support::{Behaviour, Received, Sink};

on_both!(
    a_channel_gets_only_the_events_it_subscribes_to,
    a_channel_without_events_gets_only_messages,
    a_410_disables_the_channel_and_holds_its_messages,
    retry_after_is_respected,
    consecutive_failures_open_the_circuit_breaker,
    both_secrets_sign_during_a_rotation,
    a_paused_channel_keeps_its_pending_messages,
    a_test_message_is_tried_once_and_is_not_on_attention,
    deleting_a_channel_cancels_its_pending_messages,
    due_messages_that_are_not_sent_are_reported,
    only_a_delivery_ends_the_failures_of_a_channel,
    equal_failures_are_folded_in_the_log,
    an_article_shows_how_many_channels_have_it,
);

async fn a_channel_gets_only_the_events_it_subscribes_to(server: TestServer) {
    let (all, some) = (Sink::start().await, Sink::start().await);
    server.create_webhook(&all, json!({})).await;
    server.create_webhook(&some, json!({"events": ["article.unpublished"]})).await;
    let (article, _) = server.schedule_new_article("Comes and goes", 1_000).await;
    server.advance(1_000).await;
    let path = format!("/api/v1/articles/{}", text(&article["id"]));
    let edit = json!({"title": "Still a draft", "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    for kind in ["article.publish", "article.unpublish"] {
        let new_task = json!({"kind": kind, "target_id": article["id"], "due_at": server.time_after(1_000)});
        server.as_creator().post("/api/v1/tasks", &new_task).await.expect(201);
        server.advance(1_000).await;
    }
    let types = |sink: &Sink| {
        let of = |message: &Received| {
            let body: Value = serde_json::from_str(&message.body).unwrap();
            (text(&body["type"]).to_owned(), body["data"]["title"].clone())
        };
        sink.received().iter().map(of).collect::<Vec<_>>()
    };
    let unpublished = ("article.unpublished".to_owned(), Value::Null);
    let first = ("article.published".to_owned(), json!("Comes and goes"));
    let second = ("article.updated".to_owned(), json!("Still a draft"));
    assert_eq!(types(&all), [first, second, unpublished.clone()]);
    assert_eq!(types(&some), [unpublished]);
}

async fn a_channel_without_events_gets_only_messages(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"events": []})).await;
    assert_eq!(channel["events"], json!([]));
    server.publish_article("Not for a shop").await;
    let new = json!({"channel_id": channel["id"], "delay": "PT0S", "body": "Order 1"});
    server.as_admin().post("/api/v1/messages", &new).await.expect(201);
    server.tick().await;
    let bodies: Vec<String> = sink.received().into_iter().map(|one| one.body).collect();
    assert_eq!(bodies, ["Order 1"]);
    let path = format!("/settings/channels/{}", text(&channel["id"]));
    let page = server.page(&server.admin, &path).await;
    assert_contains(&page, &["None: only messages, notices and what rules send"]);
    // An edit may choose events, and a form without a tick removes them again.
    let api = format!("/api/v1/channels/{}", text(&channel["id"]));
    let some = json!({"events": ["article.updated"]});
    assert_eq!(server.as_admin().patch(&api, &some).await.expect(200)["events"], some["events"]);
    let url = sink.url();
    let form = [
        ("id", text(&channel["id"])),
        ("channel[transport]", "webhook"),
        ("channel[name]", "Shop"),
        ("channel[url]", &*url),
        ("channel[retry_schedule]", "1s"),
        ("channel[on_unknown_outcome]", "retry"),
        ("channel[concurrency]", "1"),
        ("from", &*path),
    ];
    let browser = server.log_in_browser(&server.admin).await;
    let saved = browser.form("/fn/edit_channel", &form).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let shown = server.get_channel(&channel).await;
    assert_eq!((&shown["events"], text(&shown["name"])), (&json!([]), "Shop"));
}

async fn a_410_disables_the_channel_and_holds_its_messages(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"concurrency": 1})).await;
    sink.behave([Behaviour::status(500), Behaviour::status(410)]);
    server.publish_article("First").await;
    server.publish_article("Second").await;
    assert_eq!(text(&server.get_channel(&channel).await["state"]), "off");
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "held", "the refused one too");
    let states = async || {
        let path = format!("/api/v1/deliveries?channel={}", text(&channel["id"]));
        let page = server.as_admin().get(&path).await.expect(200);
        page["items"].as_array().unwrap().iter().map(|row| text(&row["state"]).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(states().await, ["held", "held"]);
    server.publish_article("Third is not sent").await;
    assert_eq!(sink.received().len(), 2);
    let test = format!("/api/v1/channels/{}/test", text(&channel["id"]));
    assert_eq!(server.as_admin().post(&test, &Value::Null).await.refused(409), "wrong_state");
    server.post_channel_action(&channel, "resume").await;
    server.advance(1_000).await;
    assert_eq!(states().await, ["delivered", "delivered"]);
}

async fn retry_after_is_respected(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    sink.behave([Behaviour::Respond(429, vec![("retry-after", "600".to_owned())], String::new())]);
    server.publish_article("Busy").await;
    server.publish_article("Waits too").await;
    server.advance(598_000).await;
    assert_eq!(sink.received().len(), 1);
    assert!(server.get_channel(&channel).await["breaker_open_until"].is_string());
    server.advance(2_000).await;
    assert_eq!(sink.received().len(), 3);
    assert!(server.get_channel(&channel).await["breaker_open_until"].is_null());
}

async fn consecutive_failures_open_the_circuit_breaker(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    sink.behave((0..5).map(|_| Behaviour::status(503)));
    for title in ["One", "Two", "Three", "Four", "Five"] {
        server.publish_article(title).await;
    }
    let shown = server.get_channel(&channel).await;
    assert_eq!((shown["failures"].as_u64(), shown["breaker_open_until"].is_string()), (Some(5), true));
    server.publish_article("Six").await;
    assert_eq!(sink.received().len(), 5);
    let shown = server.get_channel(&channel).await;
    assert_eq!(shown["next_at"], shown["breaker_open_until"], "nothing is sent before");
    assert_eq!(server.latest_delivery(&channel).await["next_at"], shown["breaker_open_until"]);
    server.advance(30_000).await;
    assert_eq!(sink.received().len(), 6);
    let shown = server.get_channel(&channel).await;
    assert_eq!((shown["failures"].as_u64(), shown["breaker_open_until"].is_null()), (Some(0), true));
}

async fn both_secrets_sign_during_a_rotation(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let fresh = server.post_channel_action(&channel, "rotate").await;
    server.publish_article("Both").await;
    server.advance(DAY_MS).await;
    server.publish_article("The new one").await;
    let messages = sink.received();
    let counts = |secret| [signed_with(&messages[0], secret), signed_with(&messages[1], secret)];
    assert_eq!((counts(&channel["secret"]), counts(&fresh["secret"])), ([1, 0], [1, 1]));
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let kept = store::channel::all(lease.conn()).await.unwrap();
    assert!(!format!("{kept:?}").contains(text(&fresh["secret"]).trim_start_matches("whsec_")));
}

async fn a_paused_channel_keeps_its_pending_messages(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    assert_eq!(text(&server.post_channel_action(&channel, "pause").await["state"]), "paused");
    server.publish_article("Later").await;
    assert!(sink.received().is_empty());
    let shown = server.get_channel(&channel).await;
    assert_eq!((shown["waiting"].as_u64(), shown["next_at"].is_null()), (Some(1), true), "{shown}");
    assert!(server.latest_delivery(&channel).await["next_at"].is_null());
    server.post_channel_action(&channel, "resume").await;
    server.tick().await;
    assert_eq!(sink.received().len(), 1);
}

async fn a_test_message_is_tried_once_and_is_not_on_attention(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    sink.behave([Behaviour::status(404)]);
    assert_eq!(text(&server.post_channel_action(&channel, "test").await["event"]), "test");
    server.tick().await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(1)));
    assert_eq!((server.attention_count().await, sink.received().len()), (0, 1));
}

async fn deleting_a_channel_cancels_its_pending_messages(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    sink.behave([Behaviour::status(500)]);
    let task = server.publish_article("Nowhere").await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let request = server.as_admin().request(reqwest::Method::DELETE, &path);
    assert_eq!(request.send().await.unwrap().status(), 204);
    server.advance(DAY_MS).await;
    let path = format!("/api/v1/deliveries?task={}", text(&task["id"]));
    let page = server.as_creator().get(&path).await.expect(200);
    assert_eq!((text(&page["items"][0]["state"]), sink.received().len()), ("cancelled", 1));
}

#[tokio::test]
async fn invalid_channel_settings_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let good = json!({"name": "Sink", "url": "https://example.org/hook"});
    let channel = server.as_admin().post("/api/v1/channels", &good).await.expect(201);
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    for (field, value) in [
        ("name", json!(" ")),
        ("url", json!("")),
        ("url", json!("ftp://example.org")),
        ("url", json!("https://anna:pw@example.org/")),
        ("url", json!("https://example.org:22/")),
        ("events", json!(["article.burnt"])),
        ("retry_schedule", json!("soon")),
        ("on_unknown_outcome", json!("shrug")),
        ("concurrency", json!(0)),
        ("transport", json!("pigeon")),
    ] {
        let mut wrong = good.clone();
        wrong[field] = value.clone();
        let made = server.as_admin().post("/api/v1/channels", &wrong).await.expect(422);
        assert_eq!(made["error"]["field"], field, "{value}: {made}");
        let changed = server.as_admin().patch(&path, &json!({ field: value })).await.expect(422);
        assert_eq!(changed["error"]["field"], field, "{value}: {changed}");
    }
    let changed =
        server.as_admin().patch(&path, &json!({"retry_schedule": "90s", "concurrency": 9})).await.expect(200);
    assert_eq!((text(&changed["retry_schedule"]), text(&changed["name"])), ("90s", "Sink"));
}

#[tokio::test]
async fn a_channel_cannot_reach_the_server_itself_or_an_unlisted_host() {
    let only = ["127.0.0.1", "localhost", "*.example.org"].map(|host| host.parse().unwrap());
    let server = TestServer::start_with(|config| config.egress_hosts = only.into()).await;
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({})).await;
    let refused = async |address: &str| {
        let new = json!({"name": "Sink", "url": address});
        let made = server.as_admin().post("/api/v1/channels", &new).await.expect(422);
        assert_eq!(made["error"]["field"], "url", "{made}");
        text(&made["error"]["message"]).to_owned()
    };
    let own = refused(&format!("{}/api/v1/tasks", server.url)).await;
    assert!(own.contains("is an address of this server itself"), "{own}");
    let other = refused("https://hooks.example.net/").await;
    assert!(other.contains("is not on the operator's list of hosts"), "{other}");

    // A host name is checked at the attempt; nothing was sent.
    let port = server.url.rsplit_once(':').unwrap().1;
    let named = json!({"url": format!("http://localhost:{port}/")});
    let channel = server.create_webhook(&sink, named).await;
    server.publish_article("For others").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(text(&delivery["outcome"]), "blocked", "{delivery}");
    assert_eq!(sink.received().len(), 1);
}

async fn due_messages_that_are_not_sent_are_reported(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    server.post_channel_action(&channel, "pause").await;
    server.publish_article("Waits").await;
    let maintenance_error = async || {
        server.advance_without_loops(61_000);
        server.align_database_clock(&server.app);
        server.app.loops.maintenance.tick(server.now()).await;
        let maintenance =
            server.engine_report().await.loops.into_iter().find(|one| one.name == "maintenance");
        maintenance.and_then(|one| one.error).map(|error| error.issue.message)
    };
    assert_eq!(
        (maintenance_error().await, maintenance_error().await),
        (None, None),
        "a paused channel is no fault"
    );
    server.post_channel_action(&channel, "resume").await;
    assert_eq!(maintenance_error().await, None, "it was resumed only now");
    assert_eq!(maintenance_error().await.as_deref(), Some("messages are due at Sink, but none is sent"));
    server.tick().await;
    assert_eq!((maintenance_error().await, sink.received().len()), (None, 1));
}

async fn only_a_delivery_ends_the_failures_of_a_channel(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1s"})).await;
    sink.behave((0..4).map(|_| Behaviour::status(500)));
    for title in ["One", "Two"] {
        server.publish_article(title).await;
        server.advance(2_000).await;
    }
    // Every retry schedule is over: no message waits.
    let path = format!("/settings/channels/{}", text(&channel["id"]));
    let is_failing = async || {
        let page = server.page(&server.admin, &path).await;
        page.contains("4 in a row") && page.contains("server error 500")
    };
    assert!(is_failing().await);
    for verb in ["resume", "pause", "resume"] {
        server.post_channel_action(&channel, verb).await;
    }
    let edit = json!({"name": "Renamed", "retry_schedule": "2s"});
    server.as_admin().patch(&format!("/api/v1/channels/{}", text(&channel["id"])), &edit).await.expect(200);
    assert_eq!(server.get_channel(&channel).await["failures"], 4);
    assert!(is_failing().await, "no click changes the state");
    server.post_channel_action(&channel, "test").await;
    server.tick().await;
    assert_eq!(server.get_channel(&channel).await["failures"], 0);
    let page = server.page(&server.admin, &path).await;
    assert!(page.contains("Delivering") && !page.contains("in a row"), "{page}");
}

async fn equal_failures_are_folded_in_the_log(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    sink.behave((0..3).map(|_| Behaviour::Respond(500, vec![], "no room".to_owned())));
    for title in ["One", "Two", "Three"] {
        server.publish_article(title).await;
    }
    sink.behave([Behaviour::status(404)]);
    server.publish_article("Another failure").await;
    let path = format!("/settings/channels/{}", text(&channel["id"]));
    let log = server.page(&server.admin, &path).await;
    assert_contains(&log, &["3 × server error 500 “no room”", "rejected (404)", "Another failure"]);
    assert!(!log.contains("channel[retry_schedule]"), "the settings are on their own tab");
    let settings = server.page(&server.admin, &format!("{path}?tab=settings")).await;
    assert!(
        settings.contains("channel[retry_schedule]") && !settings.contains("Another failure"),
        "{settings}"
    );
    // A refused form is shown with its input.
    let form =
        [("id", text(&channel["id"])), ("channel[transport]", "webhook"), ("channel[name]", "New name")];
    let more = [
        ("channel[url]", "ftp://example.org"),
        ("channel[events][0]", "article.published"),
        ("channel[retry_schedule]", "1s"),
        ("channel[on_unknown_outcome]", "retry"),
        ("channel[concurrency]", "1"),
        ("from", path.as_str()),
    ];
    let browser = server.log_in_browser(&server.admin).await;
    let refused = browser.form("/fn/edit_channel", &[&form[..], &more].concat()).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_contains(&refused.text, &["New name", "ftp://example.org"]);
}

async fn an_article_shows_how_many_channels_have_it(server: TestServer) {
    let (broken, well) = (Sink::start().await, Sink::start().await);
    server.create_webhook(&broken, json!({"retry_schedule": "1m"})).await;
    server.create_webhook(&well, json!({"name": "Well"})).await;
    broken.behave([Behaviour::status(500)]);
    let (article, _) = server.schedule_new_article("News", 1_000).await;
    let editor = format!("/articles/{}", text(&article["id"]));
    assert!(!server.page(&server.creator, &editor).await.contains("channels notified"));
    server.advance(1_000).await;
    for path in ["/articles", &editor] {
        let page = server.page(&server.creator, path).await;
        assert_contains(&page, &["1 of 2 channels notified"]);
    }
    server.advance(70_000).await;
    assert_contains(&server.page(&server.creator, &editor).await, &["2 of 2 channels notified"]);
}
