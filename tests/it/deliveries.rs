//! Deliveries: what is published is told to the outside, at least once, with the same id; what is not told is not silent.

use crate::{
    house::{Flavour, Story},
    on_both,
};
use presstime::channels::{Answer, Letter, guard::Rules, signature, webhook::Webhook};
use rig::{Manner, Received, Sink};
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    what_is_published_is_told_once_and_signed,
    what_a_channel_is_not_asked_to_tell_it_does_not,
    a_failure_is_tried_again_until_the_ladder_ends_and_then_shown,
    a_lost_answer_asks_a_person_where_the_channel_says_so,
    a_lost_answer_is_sent_again_with_the_same_id,
    a_410_switches_the_channel_off_and_holds_the_rest,
    a_rest_that_is_asked_for_is_kept,
    a_channel_that_fails_in_a_row_rests,
    a_redirect_is_not_followed,
    an_answer_counts_by_its_status_however_slow_its_text,
    two_secrets_sign_while_they_change_places,
    a_paused_channel_keeps_what_is_to_be_sent,
    a_test_is_tried_once_and_troubles_nobody,
    a_deleted_channel_calls_off_what_waits,
    an_attempt_whose_process_died_is_given_up_and_fenced_off,
    what_the_loops_publish_they_tell,
);

const DAY_MS: i64 = 24 * 3_600_000;

impl Story {
    /// A channel to the sink, as the API shows it, with its secret.
    async fn channel(&self, sink: &Sink, more: Value) -> Value {
        let mut new = json!({"name": "Sink", "address": sink.url(), "ladder": "10s, 1m"});
        for (name, value) in more.as_object().unwrap() {
            new[name] = value.clone();
        }
        self.as_admin().post("/api/v1/channels", &new).await.expect(201)
    }

    /// Publishes an article; returns its task as the API shows it.
    async fn publish(&self, title: &str) -> Value {
        let (_, task) = self.scheduled(title, 1_000).await;
        self.advance(1_000).await;
        task
    }

    /// The newest delivery of the channel, with its attempts.
    async fn newest(&self, channel: &Value) -> Value {
        let path = format!("/api/v1/deliveries?channel={}&limit=1", text(&channel["id"]));
        let page = self.as_admin().get(&path).await.expect(200);
        let path = format!("/api/v1/deliveries/{}", text(&page["items"][0]["id"]));
        self.as_admin().get(&path).await.expect(200)
    }

    async fn decide(&self, delivery: &Value, verb: &str) -> Value {
        let path = format!("/api/v1/deliveries/{}/{verb}", text(&delivery["id"]));
        self.as_admin().post(&path, &Value::Null).await.expect(200)
    }

    async fn do_to(&self, channel: &Value, verb: &str) -> Value {
        let path = format!("/api/v1/channels/{}/{verb}", text(&channel["id"]));
        let reply = self.as_admin().post(&path, &Value::Null).await;
        assert!(reply.status < 300, "{}", reply.text);
        reply.json()
    }

    async fn look_at(&self, channel: &Value) -> Value {
        self.as_admin().get(&format!("/api/v1/channels/{}", text(&channel["id"]))).await.expect(200)
    }

    async fn attention_count(&self) -> u64 {
        let stats = self.as_admin().get("/api/v1/stats").await.expect(200);
        stats["attention"].as_u64().unwrap()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// How many of the signatures are made with this secret.
fn signed_with(message: &Received, secret: &Value) -> usize {
    let key = signature::key(text(secret)).unwrap();
    let (id, seconds) = (message.header("webhook-id"), message.header("webhook-timestamp"));
    let right = signature::sign(&[key], id, seconds.parse().unwrap(), &message.body);
    message.header("webhook-signature").split(' ').filter(|one| **one == right).count()
}

async fn what_is_published_is_told_once_and_signed(story: Story) {
    let sink = Sink::start().await;
    let before = story.publish("Too early to be told").await;
    let channel = story.channel(&sink, json!({})).await;
    let task = story.publish("News").await;
    let [message] = &sink.received()[..] else { panic!("{:?}", sink.received()) };
    assert_eq!((message.line.as_str(), signed_with(message, &channel["secret"])), ("POST /hook", 1));
    assert_eq!(message.header("webhook-timestamp"), (story.now().millis() / 1_000).to_string());
    let body: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!((text(&body["type"]), text(&body["data"]["title"])), ("article.published", "News"));
    assert_eq!(body["data"]["task_id"], task["id"]);
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("delivered", Some(1)));
    assert_eq!(format!("msg_{}", text(&delivery["id"])), message.header("webhook-id"));
    assert_eq!(delivery["tries"][0]["status"], 204);
    let timeline = story.task(&task).await["timeline"].to_string();
    assert!(
        timeline.contains("deliver")
            && !story.task(&before).await["timeline"].to_string().contains("deliver")
    );
    let shown = story.look_at(&channel).await;
    assert!(shown.get("secret").is_none() && shown["succeeded_at"].is_string(), "{shown}");
    story.advance(DAY_MS).await;
    assert_eq!(sink.received().len(), 1);
}

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

async fn a_failure_is_tried_again_until_the_ladder_ends_and_then_shown(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    let answer = Manner::Answer(500, vec![], "no room".repeat(500));
    sink.behave([answer.clone(), answer.clone(), answer]);
    story.publish("Unlucky").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"));
    assert_eq!(text(&delivery["tries"][0]["answer"]).len(), 1_024);
    story.advance(8_000).await;
    assert_eq!(sink.received().len(), 1);
    story.advance(3_500).await;
    assert_eq!(sink.received().len(), 2);
    assert_eq!(story.attention_count().await, 0);
    story.advance(70_000).await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(3)));
    assert_eq!(story.attention_count().await, 1);
    let needing = story.house.desk.channels.needing(&story.creator.actor).await.unwrap();
    assert!(!needing[0].may_resolve && needing[0].title == "Unlucky");
    story.decide(&delivery, "resend").await;
    story.tick().await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    assert_eq!(story.attention_count().await, 0);
    let ids: Vec<_> =
        sink.received().iter().map(|m| (m.header("webhook-id").to_owned(), m.body.clone())).collect();
    assert!(ids.len() == 4 && ids.windows(2).all(|two| two[0] == two[1]), "{ids:?}");
    let dropped = format!("/api/v1/deliveries/{}/drop", text(&delivery["id"]));
    assert_eq!(story.as_admin().post(&dropped, &Value::Null).await.refused(409), "wrong_state");
}

async fn a_lost_answer_asks_a_person_where_the_channel_says_so(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"on_ambiguous": "hold"})).await;
    sink.behave([Manner::Cut]);
    story.publish("Perhaps").await;
    story.advance(DAY_MS).await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("unconfirmed", "unknown"));
    assert_eq!((sink.received().len(), story.attention_count().await), (1, 1));
    assert_eq!(text(&story.decide(&delivery, "arrived").await["state"]), "delivered");
    story.tick().await;
    assert_eq!((sink.received().len(), story.attention_count().await), (1, 0));
}

async fn a_lost_answer_is_sent_again_with_the_same_id(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"ladder": "10s"})).await;
    sink.behave([Manner::Cut, Manner::Cut]);
    story.publish("Twice").await;
    story.advance(12_000).await;
    let delivery = story.newest(&channel).await;
    assert_eq!(text(&delivery["state"]), "unconfirmed");
    let copies = sink.received();
    assert_eq!(copies.len(), 2);
    assert_eq!(copies[0].header("webhook-id"), copies[1].header("webhook-id"));
    assert_ne!(copies[0].header("webhook-signature"), copies[1].header("webhook-signature"));
    assert_eq!(text(&story.decide(&delivery, "drop").await["state"]), "cancelled");
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

async fn a_redirect_is_not_followed(story: Story) {
    let (sink, elsewhere) = (Sink::start().await, Sink::start().await);
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::Answer(302, vec![("location", elsewhere.url())], String::new())]);
    story.publish("Here only").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["outcome"]), delivery["tries"][0]["status"].as_u64()), ("refused", Some(302)));
    assert!(elsewhere.received().is_empty());
}

async fn an_answer_counts_by_its_status_however_slow_its_text(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    sink.behave([Manner::Dribble(200)]);
    story.publish("Slowly").await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
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

async fn an_attempt_whose_process_died_is_given_up_and_fenced_off(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"on_ambiguous": "hold"})).await;
    story.do_to(&channel, "pause").await;
    story.publish("Half-way").await;
    let store = &story.house.parts.store;
    let now = story.now();
    let terms = store::dispatch::Terms { node: "dead", now, lease_until: now.plus(60_000) };
    let id = text(&channel["id"]).parse().unwrap();
    let mut tx = store.begin(store::Who::Dispatch).await.unwrap();
    let claimed = store::dispatch::claim(tx.conn(), id, 5, terms).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((claimed.len(), claimed[0].epoch), (1, 1));
    story.do_to(&channel, "resume").await;
    story.advance(59_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "sending");
    story.advance(2_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "unconfirmed");
    let manner = presstime::worker::dispatcher::policy::Manner::stored(None, Some("retry"));
    let answer = Answer { status: Some(200), ..Answer::none(domain::delivery::Outcome::Delivered, "") };
    let late = presstime::worker::dispatcher::policy::judge(&claimed[0], &manner, answer, story.now(), 0.5);
    let mut tx = store.begin(store::Who::Dispatch).await.unwrap();
    assert_eq!(store::dispatch::record(tx.conn(), &[late], story.now()).await.unwrap(), 0);
    tx.commit().await.unwrap();
    let delivery = story.newest(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), text(&delivery["tries"][0]["outcome"])),
        ("unconfirmed", "delivered")
    );
}

async fn what_the_loops_publish_they_tell(standing: Story) {
    let story = Story::live(standing.flavour).await;
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    for title in ["One", "Two", "Three"] {
        story.scheduled(title, 300).await;
    }
    assert_eq!(sink.wait_for(3).await.len(), 3);
    story.stop().await;
    let mut lease = standing.house.parts.store.read(store::Who::People).await.unwrap();
    assert!(store::channel::all(lease.conn()).await.unwrap().is_empty(), "{channel}");
}

#[tokio::test]
async fn a_message_that_is_not_answered_in_time_may_have_arrived() {
    let sink = Sink::start().await;
    sink.behave([Manner::Hang]);
    let open = Rules { allow_private: true, allow_http: true };
    let webhook = Webhook::patient(open, Duration::from_millis(200));
    let answer = webhook.send(&letter(&sink.url())).await;
    assert_eq!((answer.outcome.as_str(), sink.received().len()), ("unknown", 1));
    let nobody = format!("http://127.0.0.1:{}/", rig::free_port());
    assert_eq!(webhook.send(&letter(&nobody)).await.outcome.as_str(), "unreachable");
}

#[tokio::test]
async fn nothing_connects_into_the_private_network() {
    let honeypot = Sink::start().await;
    let port = honeypot.url().rsplit_once(':').unwrap().1.to_owned();
    let webhook = Webhook::new(Rules { allow_private: false, allow_http: true });
    // The last one is no local name by its spelling: only the resolver finds out where it leads.
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", &own_name()] {
        let answer = webhook.send(&letter(&format!("http://{host}:{port}"))).await;
        assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
    }
    assert!(honeypot.received().is_empty());
}

fn own_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

fn letter(address: &str) -> Letter {
    Letter {
        id: domain::DeliveryId::fresh(),
        address: address.to_owned(),
        body: "{}".to_owned(),
        secrets: vec![vec![7; 32]],
        at: domain::Timestamp::from_millis(0),
    }
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
