//! A channel: what it is asked to tell, when it rests, what its settings refuse.

use super::{DAY_MS, signed_with, text};
use crate::{
    house::{Flavour, Story},
    on_both,
};
use presstime::worker::Loop as _;
use rig::{Manner, Received, Sink};
use serde_json::{Value, json};

on_both!(
    what_a_channel_is_not_asked_to_tell_it_does_not,
    a_410_switches_the_channel_off_and_holds_the_rest,
    a_rest_that_is_asked_for_is_kept,
    a_channel_that_fails_in_a_row_rests,
    two_secrets_sign_while_they_change_places,
    a_paused_channel_keeps_what_is_to_be_sent,
    a_test_is_tried_once_and_troubles_nobody,
    a_deleted_channel_calls_off_what_waits,
    messages_that_may_leave_and_do_not_are_told,
);

async fn what_a_channel_is_not_asked_to_tell_it_does_not(story: Story) {
    let (all, some) = (Sink::start().await, Sink::start().await);
    story.channel(&all, json!({})).await;
    story.channel(&some, json!({"events": ["article.unpublished"]})).await;
    let (article, _) = story.scheduled("Comes and goes", 1_000).await;
    story.advance(1_000).await;
    let path = format!("/api/v1/articles/{}", text(&article["id"]));
    let edit = json!({"title": "Still a draft", "seen_revision": 1});
    story.as_creator().patch(&path, &edit).await.expect(200);
    for kind in ["article.publish", "article.unpublish"] {
        let wish = json!({"kind": kind, "target_id": article["id"], "due_at": story.later(1_000)});
        story.as_creator().post("/api/v1/tasks", &wish).await.expect(201);
        story.advance(1_000).await;
    }
    let types = |sink: &Sink| {
        let of = |message: &Received| {
            let body: Value = serde_json::from_str(&message.body).unwrap();
            (text(&body["type"]).to_owned(), body["data"]["title"].clone())
        };
        sink.received().iter().map(of).collect::<Vec<_>>()
    };
    let gone = ("article.unpublished".to_owned(), Value::Null);
    let first = ("article.published".to_owned(), json!("Comes and goes"));
    let second = ("article.updated".to_owned(), json!("Still a draft"));
    assert_eq!(types(&all), [first, second, gone.clone()]);
    assert_eq!(types(&some), [gone]);
}

async fn a_410_switches_the_channel_off_and_holds_the_rest(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"concurrency": 1})).await;
    sink.behave([Manner::status(500), Manner::status(410)]);
    story.publish("First").await;
    story.publish("Second").await;
    assert_eq!(text(&story.look_at(&channel).await["state"]), "off");
    assert_eq!(text(&story.newest(&channel).await["state"]), "failed");
    let states = async || {
        let path = format!("/api/v1/deliveries?channel={}", text(&channel["id"]));
        let page = story.as_admin().get(&path).await.expect(200);
        page["items"].as_array().unwrap().iter().map(|row| text(&row["state"]).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(states().await, ["failed", "held"]);
    story.publish("Third is not told").await;
    assert_eq!(sink.received().len(), 2);
    let test = format!("/api/v1/channels/{}/test", text(&channel["id"]));
    assert_eq!(story.as_admin().post(&test, &Value::Null).await.refused(409), "wrong_state");
    story.do_to(&channel, "resume").await;
    story.tick().await;
    assert_eq!(states().await, ["failed", "delivered"]);
}

async fn a_rest_that_is_asked_for_is_kept(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::Answer(429, vec![("retry-after", "600".to_owned())], String::new())]);
    story.publish("Busy").await;
    story.publish("Waits too").await;
    story.advance(598_000).await;
    assert_eq!(sink.received().len(), 1);
    assert!(story.look_at(&channel).await["rests_until"].is_string());
    story.advance(2_000).await;
    assert_eq!(sink.received().len(), 3);
    assert!(story.look_at(&channel).await["rests_until"].is_null());
}

async fn a_channel_that_fails_in_a_row_rests(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"ladder": "1h"})).await;
    sink.behave((0..5).map(|_| Manner::status(503)));
    for title in ["One", "Two", "Three", "Four", "Five"] {
        story.publish(title).await;
    }
    let shown = story.look_at(&channel).await;
    assert_eq!((shown["failures"].as_u64(), shown["rests_until"].is_string()), (Some(5), true));
    story.publish("Six").await;
    assert_eq!(sink.received().len(), 5);
    story.advance(30_000).await;
    assert_eq!(sink.received().len(), 6);
    let shown = story.look_at(&channel).await;
    assert_eq!((shown["failures"].as_u64(), shown["rests_until"].is_null()), (Some(0), true));
}

async fn two_secrets_sign_while_they_change_places(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    let fresh = story.do_to(&channel, "rotate").await;
    story.publish("Both").await;
    story.advance(DAY_MS).await;
    story.publish("The new one").await;
    let messages = sink.received();
    let counts = |secret| [signed_with(&messages[0], secret), signed_with(&messages[1], secret)];
    assert_eq!((counts(&channel["secret"]), counts(&fresh["secret"])), ([1, 0], [1, 1]));
    let mut lease = story.house.parts.store.read(store::Who::People).await.unwrap();
    let kept = store::channel::all(lease.conn()).await.unwrap();
    assert!(!format!("{kept:?}").contains(text(&fresh["secret"]).trim_start_matches("whsec_")));
}

async fn a_paused_channel_keeps_what_is_to_be_sent(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    assert_eq!(text(&story.do_to(&channel, "pause").await["state"]), "paused");
    story.publish("Later").await;
    assert!(sink.received().is_empty());
    assert_eq!(story.look_at(&channel).await["waiting"], 1);
    story.do_to(&channel, "resume").await;
    story.tick().await;
    assert_eq!(sink.received().len(), 1);
}

async fn a_test_is_tried_once_and_troubles_nobody(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::status(404)]);
    assert_eq!(text(&story.do_to(&channel, "test").await["event"]), "test");
    story.tick().await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(1)));
    assert_eq!((story.attention_count().await, sink.received().len()), (0, 1));
}

async fn a_deleted_channel_calls_off_what_waits(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::status(500)]);
    let task = story.publish("Nowhere").await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let request = story.as_admin().request(reqwest::Method::DELETE, &path);
    assert_eq!(request.send().await.unwrap().status(), 204);
    story.advance(DAY_MS).await;
    let path = format!("/api/v1/deliveries?task={}", text(&task["id"]));
    let page = story.as_creator().get(&path).await.expect(200);
    assert_eq!((text(&page["items"][0]["state"]), sink.received().len()), ("cancelled", 1));
}

#[tokio::test]
async fn settings_that_cannot_be_are_refused_with_their_field() {
    let story = Story::begin(Flavour::Embedded).await;
    let good = json!({"name": "Sink", "address": "https://example.org/hook"});
    let channel = story.as_admin().post("/api/v1/channels", &good).await.expect(201);
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    for (field, value) in [
        ("name", json!(" ")),
        ("address", json!("")),
        ("address", json!("ftp://example.org")),
        ("address", json!("https://anna:pw@example.org/")),
        ("address", json!("https://example.org:22/")),
        ("events", json!([])),
        ("events", json!(["article.burnt"])),
        ("ladder", json!("soon")),
        ("on_ambiguous", json!("shrug")),
        ("concurrency", json!(0)),
        ("way", json!("pigeon")),
    ] {
        let mut wrong = good.clone();
        wrong[field] = value.clone();
        let made = story.as_admin().post("/api/v1/channels", &wrong).await.expect(422);
        assert_eq!(made["error"]["field"], field, "{value}: {made}");
        let changed = story.as_admin().patch(&path, &json!({ field: value })).await.expect(422);
        assert_eq!(changed["error"]["field"], field, "{value}: {changed}");
    }
    let changed =
        story.as_admin().patch(&path, &json!({"ladder": "90s", "concurrency": 9})).await.expect(200);
    assert_eq!((text(&changed["ladder"]), text(&changed["name"])), ("90s", "Sink"));
}

#[tokio::test]
async fn a_channel_leads_neither_to_the_desk_itself_nor_off_the_list() {
    let only = ["127.0.0.1", "localhost", "*.example.org"].map(|host| host.parse().unwrap());
    let story = Story::begin_with(|config| config.egress_hosts = only.into()).await;
    let sink = Sink::start().await;
    story.channel(&sink, json!({})).await;
    let refused = async |address: &str| {
        let new = json!({"name": "Sink", "address": address});
        let made = story.as_admin().post("/api/v1/channels", &new).await.expect(422);
        assert_eq!(made["error"]["field"], "address", "{made}");
        text(&made["error"]["message"]).to_owned()
    };
    let own = refused(&format!("{}/api/v1/tasks", story.url)).await;
    assert!(own.contains("leads to this desk itself"), "{own}");
    let other = refused("https://hooks.example.net/").await;
    assert!(other.contains("is not on the operator's list of hosts"), "{other}");

    // By name that is seen when it is tried; nothing was sent.
    let port = story.url.rsplit_once(':').unwrap().1;
    let named = json!({"address": format!("http://localhost:{port}/")});
    let channel = story.channel(&sink, named).await;
    story.publish("For others").await;
    let delivery = story.newest(&channel).await;
    assert_eq!(text(&delivery["outcome"]), "blocked", "{delivery}");
    assert_eq!(sink.received().len(), 1);
}

async fn messages_that_may_leave_and_do_not_are_told(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    story.do_to(&channel, "pause").await;
    story.publish("Waits").await;
    let look = async || {
        story.wait_without_loops(61_000);
        story.align(&story.house);
        story.house.loops.checker.tick(story.now()).await;
        let checker = story.report().await.loops.into_iter().find(|one| one.name == "checker");
        checker.and_then(|one| one.trouble).map(|trouble| trouble.told.words)
    };
    assert_eq!((look().await, look().await), (None, None), "whoever pauses a channel knows");
    story.do_to(&channel, "resume").await;
    assert_eq!(look().await, None, "it was only just let go");
    assert_eq!(look().await.as_deref(), Some("messages are due at Sink and none leaves"));
    story.tick().await;
    assert_eq!((look().await, sink.received().len()), (None, 1));
}
