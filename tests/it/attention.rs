//! What needs a person is on Attention, at once and until it is over: in the API, on the page, and in every count.

use crate::{deliveries::text, house::Story, on_both, sheet::says};
use domain::delivery::DeliveryState;
use rig::{Manner, Sink};
use serde_json::{Value, json};

on_both!(
    a_channel_that_takes_nothing_is_on_attention_at_once,
    a_first_failure_is_shown_after_a_minute,
    what_is_sent_again_stays_until_it_is_delivered,
    a_channel_that_was_let_go_on_says_that_it_fails,
    a_wait_of_more_than_an_hour_can_be_ended,
    a_channel_that_is_switched_off_is_on_attention,
    every_count_is_the_same,
    a_task_that_failed_is_listed_for_its_owner,
);

fn refused(times: usize) -> impl Iterator<Item = Manner> {
    (0..times).map(|_| Manner::Answer(500, vec![], "no room".to_owned()))
}

impl Story {
    async fn attention_of(&self, caller: crate::caller::Caller) -> Vec<Value> {
        let body = caller.get("/api/v1/attention").await.expect(200);
        body["items"].as_array().unwrap().clone()
    }

    async fn all_attention(&self) -> Vec<Value> {
        self.attention_of(self.as_admin()).await
    }

    /// Publishes so many articles at one moment.
    async fn publish_many(&self, count: usize) {
        for place in 0..count {
            self.scheduled(&format!("Number {place}"), 1_000).await;
        }
        self.advance(1_000).await;
    }
}

fn causes(entries: &[Value]) -> Vec<(&str, u64)> {
    entries.iter().map(|entry| (text(&entry["cause"]), entry["count"].as_u64().unwrap())).collect()
}

async fn a_channel_that_takes_nothing_is_on_attention_at_once(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"ladder": "1h, 1h, 1h, 1h"})).await;
    assert!(story.all_attention().await.is_empty());
    let path = format!("/settings/channels/{}", text(&channel["id"]));
    says(&story.page(&story.admin, &path).await, &["Nothing sent yet"]);
    sink.behave(refused(9));
    story.publish_many(7).await;
    let all = story.all_attention().await;
    assert_eq!(causes(&all), [("channel_failing", 7)], "{all:?}");
    let message = text(&all[0]["message"]);
    for part in ["Sink does not take messages", "7 not delivered", "500 no room", "Next try"] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
    assert_eq!((text(&all[0]["severity"]), all[0]["items"].as_array().unwrap().len()), ("error", 7));
    assert!(text(&all[0]["items"][0]["path"]).starts_with(&path) && all[0]["since"].is_string());
    // Whose messages wait is told so, but not what the receiver answers; the others are told nothing.
    let theirs = story.attention_of(story.as_creator()).await;
    assert_eq!(causes(&theirs), [("channel_failing", 7)]);
    assert!(!text(&theirs[0]["message"]).contains("no room"), "{theirs:?}");
    assert!(text(&theirs[0]["items"][0]["path"]).starts_with("/tasks/"));
    assert!(story.attention_of(story.as_colleague()).await.is_empty());
    let page = story.page(&story.admin, "/attention").await;
    says(&page, &["Sink does not take messages", "500 no room", "Send now", "Number 3"]);
    for page in ["/settings/channels", &path] {
        let page = story.page(&story.admin, page).await;
        says(&page, &["Failing: 7 not delivered", "500 no room", "next try"]);
        assert!(!page.contains("Nothing sent yet"));
    }
    // The receiver is soon well again.
    story.do_to(&channel, "resume").await;
    assert_eq!(causes(&story.all_attention().await), [("channel_failing", 7)], "until they are delivered");
    for _ in 0..3 {
        story.do_to(&channel, "resume").await;
        story.advance(1_000).await;
    }
    assert_eq!(sink.received().len(), 16);
    assert!(story.all_attention().await.is_empty());
    assert_eq!(story.attention_count().await, 0);
}

async fn a_first_failure_is_shown_after_a_minute(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"ladder": "1h, 1h"})).await;
    sink.behave(refused(1));
    story.publish("Slow").await;
    assert!(story.all_attention().await.is_empty(), "a short trouble needs nobody");
    story.advance(59_000).await;
    assert!(story.all_attention().await.is_empty());
    story.advance(1_000).await;
    assert_eq!(causes(&story.all_attention().await), [("channel_failing", 1)]);
    assert_eq!(story.attention_count().await, 1);
    let shown = story.look_at(&channel).await;
    assert_eq!((shown["undelivered"].as_u64(), shown["retried"].as_u64()), (Some(1), Some(1)));
    assert_eq!((shown["last_status"].as_u64(), text(&shown["last_answer"])), (Some(500), "no room"));
    story.advance(4_000_000).await;
    assert_eq!((story.attention_count().await, sink.received().len()), (0, 2));
}

async fn what_is_sent_again_stays_until_it_is_delivered(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"ladder": "1s"})).await;
    sink.behave(refused(4));
    story.publish_many(2).await;
    story.advance(2_000).await;
    assert_eq!(causes(&story.all_attention().await), [("delivery_failed", 2)]);
    sink.behave(refused(2));
    let channels = &story.house.desk.channels;
    let id = text(&channel["id"]).parse().unwrap();
    let sent = channels.resend_all(&story.admin.actor, id, DeliveryState::Failed, 10).await.unwrap();
    assert_eq!(sent.done, 2);
    let all = story.all_attention().await;
    assert_eq!(causes(&all), [("channel_failing", 2)]);
    assert!(text(&all[0]["message"]).contains("2 being retried"), "{all:?}");
    story.tick().await;
    assert_eq!(causes(&story.all_attention().await), [("channel_failing", 2)], "it still refuses");
    assert_eq!(story.attention_count().await, 2);
    // The circuit breaker is open for a minute.
    story.advance(61_000).await;
    assert!(story.all_attention().await.is_empty() && story.attention_count().await == 0);
    assert_eq!(sink.received().len(), 8);
}

async fn a_channel_that_was_let_go_on_says_that_it_fails(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"ladder": "10s, 1h"})).await;
    sink.behave(refused(20));
    story.publish_many(5).await;
    story.advance(12_000).await;
    story.do_to(&channel, "pause").await;
    story.do_to(&channel, "resume").await;
    let page = story.page(&story.admin, &format!("/settings/channels/{}", text(&channel["id"]))).await;
    says(&page, &["Failing: 5 not delivered", "500 no room"]);
    assert!(!page.contains("Nothing sent yet"));
    assert_eq!(causes(&story.all_attention().await), [("channel_failing", 5)]);
}

async fn a_wait_of_more_than_an_hour_can_be_ended(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    let wait = |seconds: &str| Manner::Answer(429, vec![("retry-after", seconds.to_owned())], String::new());
    sink.behave([wait("3600"), wait("7200")]);
    story.publish("Busy").await;
    assert!(story.all_attention().await.is_empty(), "an hour is waited for");
    story.advance(3_600_000).await;
    let all = story.all_attention().await;
    assert_eq!(causes(&all), [("channel_resting", 1)], "{all:?}");
    assert!(text(&all[0]["message"]).contains("has asked to wait"), "{all:?}");
    says(&story.page(&story.admin, "/attention").await, &["Sink has asked to wait", "Send now"]);
    let form = [("id", text(&channel["id"])), ("is_paused", "false"), ("from", "/attention")];
    let reply = story.browser_of(&story.admin).await.form("/fn/pause_channel", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    story.tick().await;
    assert_eq!(sink.received().len(), 3);
    assert!(story.all_attention().await.is_empty());
}

async fn a_channel_that_is_switched_off_is_on_attention(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"concurrency": 1})).await;
    sink.behave([Manner::status(410)]);
    story.publish_many(3).await;
    let all = story.all_attention().await;
    assert_eq!(causes(&all), [("channel_off", 2), ("delivery_failed", 1)], "{all:?}");
    assert_eq!(story.attention_count().await, 3);
    story.do_to(&channel, "resume").await;
    story.tick().await;
    assert_eq!(causes(&story.all_attention().await), [("delivery_failed", 1)]);
}

async fn every_count_is_the_same(story: Story) {
    let (sink, well) = (Sink::start().await, Sink::start().await);
    story.channel(&sink, json!({"ladder": "1h"})).await;
    story.channel(&well, json!({"name": "Well"})).await;
    story.waiting("Missed", 1_000).await;
    story.wait_without_loops(25 * 3_600_000);
    story.tick().await;
    sink.behave(refused(9));
    story.publish_many(6).await;
    story.advance(1_000).await;
    let all = story.all_attention().await;
    let sum: u64 = causes(&all).iter().map(|(_, count)| count).sum();
    assert_eq!((sum, causes(&all).len()), (7, 2), "{all:?}");
    let stats = story.as_admin().get("/api/v1/stats").await.expect(200);
    assert_eq!((stats["attention"].as_u64(), stats["heartbeat"]["attention"].as_u64()), (Some(7), Some(7)));
    let metrics = story.house.desk.engine.heartbeat().await.attention;
    assert_eq!(metrics, 7);
    let page = story.page(&story.admin, "/attention").await;
    says(&page, &["7 in Attention", "Missed", "Sink does not take messages"]);
}

async fn a_task_that_failed_is_listed_for_its_owner(story: Story) {
    let row = story.waiting("Late", 1_000).await;
    story.wait_without_loops(25 * 3_600_000);
    story.tick().await;
    for caller in [story.as_admin(), story.as_creator()] {
        let all = story.attention_of(caller).await;
        assert_eq!(causes(&all), [("task_missed", 1)]);
        let item = &all[0]["items"][0];
        assert_eq!((text(&item["kind"]), text(&item["title"])), ("task", "Late"));
        assert_eq!(text(&item["path"]), format!("/tasks/{}", row.id));
    }
    assert!(story.attention_of(story.as_reviewer()).await.is_empty());
}
