//! Attention lists every problem immediately and until it is solved: in the API, on the page, in
//! every count.

use crate::{
    deliveries::text,
    engine_page::assert_contains,
    on_both,
    test_server::{Account, TestServer},
};
use domain::{
    attention::{AttentionCause, AttentionCount},
    delivery::DeliveryState,
};
use serde_json::{Value, json};
use store::{PoolRole, setting};
use test_support::{Behaviour, Sink};

on_both!(
    a_channel_that_fails_every_message_is_on_attention_immediately,
    a_first_failure_is_shown_after_a_minute,
    a_resent_message_stays_on_attention_until_it_is_delivered,
    a_resumed_channel_still_shows_that_it_fails,
    a_delay_of_more_than_an_hour_can_be_ended,
    a_disabled_channel_is_on_attention,
    a_disabled_channel_is_counted_with_its_messages,
    held_messages_come_before_channels_that_fail,
    all_attention_counts_agree,
    a_missed_task_is_listed_for_its_owner,
    creators_see_and_count_only_their_own_items,
    one_cause_is_one_card,
    an_empty_page_says_what_works,
);

fn refused(times: usize) -> impl Iterator<Item = Behaviour> {
    (0..times).map(|_| Behaviour::Respond(500, vec![], "no room".to_owned()))
}

impl TestServer {
    async fn attention_items(&self, caller: crate::http_client::HttpClient) -> Vec<Value> {
        let body = caller.get("/api/v1/attention").await.expect(200);
        body["items"].as_array().unwrap().clone()
    }

    async fn attention_items_of_admin(&self) -> Vec<Value> {
        self.attention_items(self.as_admin()).await
    }

    /// Publishes `count` articles at the same time.
    async fn publish_articles(&self, count: usize) {
        for number in 0..count {
            self.schedule_new_article(&format!("Number {number}"), 1_000).await;
        }
        self.advance(1_000).await;
    }
}

fn causes(entries: &[Value]) -> Vec<(&str, u64)> {
    entries.iter().map(|entry| (text(&entry["cause"]), entry["count"].as_u64().unwrap())).collect()
}

async fn a_channel_that_fails_every_message_is_on_attention_immediately(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h, 1h, 1h, 1h"})).await;
    assert!(server.attention_items_of_admin().await.is_empty());
    let path = format!("/settings/channels/{}", text(&channel["id"]));
    assert_contains(&server.page(&server.admin, &path).await, &["Never used"]);
    sink.behave(refused(9));
    server.publish_articles(7).await;
    let all = server.attention_items_of_admin().await;
    assert_eq!(causes(&all), [("channel_failing", 7)], "{all:?}");
    let message = text(&all[0]["message"]);
    for part in ["Sink is failing", "7 not delivered", "500 no room", "Next try"] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
    assert_eq!((text(&all[0]["severity"]), all[0]["items"].as_array().unwrap().len()), ("error", 7));
    assert!(text(&all[0]["items"][0]["path"]).starts_with(&path) && all[0]["since"].is_string());
    // The owner of the messages is informed, without the response of the receiver. Other users are
    // not.
    let theirs = server.attention_items(server.as_creator()).await;
    assert_eq!(causes(&theirs), [("channel_failing", 7)]);
    assert!(!text(&theirs[0]["message"]).contains("no room"), "{theirs:?}");
    assert!(text(&theirs[0]["items"][0]["path"]).starts_with("/tasks/"));
    assert!(server.attention_items(server.as_colleague()).await.is_empty());
    let page = server.page(&server.admin, "/").await;
    assert_contains(
        &page,
        &["Sink answers 500 “no room”", "7 messages", "next try", "Retry now", "Number 3"],
    );
    assert_contains(&page, &["Send a test", "Edit channel", "Dismiss 7", "Nothing else."]);
    for page in ["/settings/channels", &path] {
        let page = server.page(&server.admin, page).await;
        assert_contains(&page, &["Failing", " in a row", "server error 500 “no room”"]);
        assert_contains(&page, &["7 not delivered", "next try"]);
        assert!(!page.contains("Never used"));
    }
    // The receiver soon works again.
    server.post_channel_action(&channel, "resume").await;
    assert_eq!(
        causes(&server.attention_items_of_admin().await),
        [("channel_failing", 7)],
        "shown until they are delivered"
    );
    // An open circuit breaker lets one message pass at a time.
    for _ in 0..8 {
        server.post_channel_action(&channel, "resume").await;
        server.advance(1_000).await;
    }
    assert_eq!(sink.received().len(), 16);
    assert!(server.attention_items_of_admin().await.is_empty());
    assert_eq!(server.attention_count().await, 0);
}

async fn a_first_failure_is_shown_after_a_minute(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h, 1h"})).await;
    sink.behave(refused(1));
    server.publish_article("Slow").await;
    assert!(server.attention_items_of_admin().await.is_empty(), "a short failure is not shown");
    server.advance(59_000).await;
    assert!(server.attention_items_of_admin().await.is_empty());
    server.advance(1_000).await;
    assert_eq!(causes(&server.attention_items_of_admin().await), [("channel_failing", 1)]);
    assert_eq!(server.attention_count().await, 1);
    let shown = server.get_channel(&channel).await;
    assert_eq!((shown["undelivered"].as_u64(), shown["retried"].as_u64()), (Some(1), Some(1)));
    assert_eq!((shown["last_status"].as_u64(), text(&shown["last_response_body"])), (Some(500), "no room"));
    server.advance(4_000_000).await;
    assert_eq!((server.attention_count().await, sink.received().len()), (0, 2));
}

async fn a_resent_message_stays_on_attention_until_it_is_delivered(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1s"})).await;
    sink.behave(refused(4));
    server.publish_articles(2).await;
    server.advance(2_000).await;
    assert_eq!(causes(&server.attention_items_of_admin().await), [("delivery_failed", 2)]);
    sink.behave(refused(2));
    let channels = &server.app.services.channels;
    let id = text(&channel["id"]).parse().unwrap();
    let sent = channels.resend_all(&server.admin.actor, id, DeliveryState::Failed, 10).await.unwrap();
    assert_eq!(sent.done, 2);
    let all = server.attention_items_of_admin().await;
    assert_eq!(causes(&all), [("channel_failing", 2)]);
    assert!(text(&all[0]["message"]).contains("2 being retried"), "{all:?}");
    server.tick().await;
    assert_eq!(
        causes(&server.attention_items_of_admin().await),
        [("channel_failing", 2)],
        "the receiver still refuses"
    );
    assert_eq!(server.attention_count().await, 2);
    // The circuit breaker is open for a minute.
    server.advance(61_000).await;
    assert!(server.attention_items_of_admin().await.is_empty() && server.attention_count().await == 0);
    assert_eq!(sink.received().len(), 8);
}

async fn a_resumed_channel_still_shows_that_it_fails(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "10s, 1h"})).await;
    sink.behave(refused(20));
    server.publish_articles(5).await;
    server.advance(12_000).await;
    server.post_channel_action(&channel, "pause").await;
    server.post_channel_action(&channel, "resume").await;
    let page = server.page(&server.admin, &format!("/settings/channels/{}", text(&channel["id"]))).await;
    assert_contains(&page, &["Failing", "5 not delivered", "server error 500 “no room”"]);
    assert!(!page.contains("Never used"));
    assert_eq!(causes(&server.attention_items_of_admin().await), [("channel_failing", 5)]);
}

async fn a_delay_of_more_than_an_hour_can_be_ended(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let wait =
        |seconds: &str| Behaviour::Respond(429, vec![("retry-after", seconds.to_owned())], String::new());
    sink.behave([wait("3600"), wait("7200")]);
    server.publish_article("Busy").await;
    assert!(server.attention_items_of_admin().await.is_empty(), "a delay of an hour is not shown");
    server.advance(3_600_000).await;
    let all = server.attention_items_of_admin().await;
    assert_eq!(causes(&all), [("channel_delayed", 1)], "{all:?}");
    assert!(text(&all[0]["message"]).contains("is paused after failures"), "{all:?}");
    assert_contains(&server.page(&server.admin, "/").await, &["Sink answers 429", "1 message", "Retry now"]);
    let form = [("id", text(&channel["id"])), ("is_paused", "false"), ("from", "/")];
    let reply = server.log_in_browser(&server.admin).await.form("/fn/pause_channel", &form).await;
    assert!((300..400).contains(&reply.status), "{}", reply.text);
    server.tick().await;
    assert_eq!(sink.received().len(), 3);
    assert!(server.attention_items_of_admin().await.is_empty());
}

async fn a_disabled_channel_is_on_attention(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"concurrency": 1})).await;
    sink.behave([Behaviour::status(410)]);
    server.publish_articles(3).await;
    let all = server.attention_items_of_admin().await;
    assert_eq!(causes(&all), [("channel_off", 3)], "{all:?}");
    assert_eq!(server.attention_count().await, 3);
    let page = server.page(&server.admin, "/").await;
    assert_contains(
        &page,
        &["3 messages", "3 held", "1 channel is failing. Some messages are no longer retried"],
    );
    server.post_channel_action(&channel, "resume").await;
    server.advance(1_000).await;
    assert_eq!(sink.received().len(), 4);
    assert!(server.attention_items_of_admin().await.is_empty());
}

async fn a_disabled_channel_is_counted_with_its_messages(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1s"})).await;
    sink.behave(refused(2));
    server.publish_article("First").await;
    server.advance(2_000).await;
    sink.behave([Behaviour::status(410)]);
    server.publish_article("Second").await;
    assert_eq!(server.attention_count().await, 2);
    let dropped = server.latest_delivery(&channel).await;
    server.resolve_delivery(&dropped, "drop").await;
    server.advance(1_000).await;
    let all = server.attention_items_of_admin().await;
    assert_eq!(causes(&all), [("channel_off", 0), ("delivery_failed", 1)], "{all:?}");
    let page = server.app.services.attention.page(&server.admin.actor).await.unwrap();
    let totals: Vec<_> = page.cards.iter().map(|card| (card.cause, card.total)).collect();
    assert_eq!(totals, [(AttentionCause::ChannelOff, 1)]);
    assert_eq!((server.attention_count().await, counts(&server, &server.admin).await), (1, [1, 1]));
}

/// As after a restore, until an admin confirms.
async fn held_messages_come_before_channels_that_fail(server: TestServer) {
    const HELD: &str = "All messages are held until an admin confirms on the engine page.";
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h, 1h, 1h, 1h"})).await;
    sink.behave(refused(9));
    server.publish_articles(4).await;
    let failing = "1 channel is failing. Messages are kept and retried.";
    assert_contains(&server.page(&server.admin, "/").await, &[failing]);
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    setting::put(tx.conn(), "delivery_hold", &server.now().millis().to_string()).await.unwrap();
    tx.commit().await.unwrap();
    server.tick().await;
    let page = server.page(&server.admin, "/").await;
    let held = "Messages are held until an admin confirms on the engine page.";
    assert_contains(&page, &[held, "All messages are held", "4 held"]);
    assert!(!page.contains(failing) && !page.contains("next try") && !page.contains("trying now"), "{page}");
    assert!(page.find("All messages are held") < page.find("Sink answers 500"), "the first card");
    let (id, sent) = (text(&channel["id"]), sink.received().len());
    for path in ["/settings/channels".to_owned(), format!("/settings/channels/{id}")] {
        let page = server.page(&server.admin, &path).await;
        assert_contains(&page, &["Held", "4 not delivered"]);
        assert!(!page.contains("next try"), "{page}");
    }
    let browser = server.log_in_browser(&server.admin).await;
    let group = format!("channel:{id}");
    let retry = [("id", group.as_str()), ("most", "10"), ("from", "/")];
    let test = [("id", id), ("from", "/")];
    for (function, form, success) in [
        ("/fn/retry_group", &retry[..], " were retried"),
        ("/fn/pause_channel", &[("id", id), ("is_paused", "false"), ("from", "/")][..], "Resumed."),
        ("/fn/test_channel", &test[..], "A test message was created"),
    ] {
        let reply = browser.form(function, form).await;
        assert!((300..400).contains(&reply.status), "{}", reply.text);
        let page = browser.get(reply.header("location")).await.text;
        assert!(page.contains(HELD) && !page.contains(success), "{function}: {page}");
    }
    server.tick().await;
    assert_eq!(sink.received().len(), sent);
}

async fn all_attention_counts_agree(server: TestServer) {
    let (sink, well) = (Sink::start().await, Sink::start().await);
    server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    server.create_webhook(&well, json!({"name": "Well"})).await;
    server.create_task("Missed", 1_000).await;
    server.advance_without_loops(25 * 3_600_000);
    server.tick().await;
    sink.behave(refused(9));
    server.publish_articles(6).await;
    server.advance(1_000).await;
    let all = server.attention_items_of_admin().await;
    let sum: u64 = causes(&all).iter().map(|(_, count)| count).sum();
    assert_eq!((sum, causes(&all).len()), (7, 2), "{all:?}");
    let stats = server.as_admin().get("/api/v1/stats").await.expect(200);
    assert_eq!((stats["attention"].as_u64(), stats["engine"]["attention"].as_u64()), (Some(7), Some(7)));
    let metrics = server.app.services.engine.status().await.attention;
    assert_eq!(metrics, 7);
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &["7 need attention", "Missed", "Sink answers 500"]);
}

async fn a_missed_task_is_listed_for_its_owner(server: TestServer) {
    let row = server.create_task("Late", 1_000).await;
    server.advance_without_loops(25 * 3_600_000);
    server.tick().await;
    for caller in [server.as_admin(), server.as_creator()] {
        let all = server.attention_items(caller).await;
        assert_eq!(causes(&all), [("task_missed", 1)]);
        assert!(text(&all[0]["message"]).starts_with("Missed: 1 task. "), "{all:?}");
        let item = &all[0]["items"][0];
        assert_eq!((text(&item["kind"]), text(&item["title"])), ("task", "Late"));
        assert_eq!(text(&item["path"]), format!("/tasks/{}", row.id));
    }
    assert!(server.attention_items(server.as_reviewer()).await.is_empty());
}

/// Returns the Attention count of `/stats` and of the engine status in it, for an account.
async fn counts(server: &TestServer, account: &Account) -> [u64; 2] {
    let stats = server.as_account(account).get("/api/v1/stats").await.expect(200);
    [&stats["attention"], &stats["engine"]["attention"]].map(|count| count.as_u64().unwrap())
}

async fn creators_see_and_count_only_their_own_items(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({"retry_schedule": "1s"})).await;
    sink.behave(refused(4));
    server.publish_articles(2).await;
    server.advance(2_000).await;
    server.schedule_new_article("Too late", 1_000).await;
    server.advance_without_loops(25 * 3_600_000);
    server.tick().await;
    for account in [&server.admin, &server.creator] {
        assert_eq!(counts(&server, account).await, [3, 3]);
        let page = server.page(account, "/").await;
        assert_contains(&page, &["Too late", "Number 0", "3 need attention"]);
    }
    let attention = &server.app.services.attention;
    let badge = async |account: &Account| attention.count(&account.actor, false).await.unwrap();
    assert_eq!(badge(&server.admin).await, AttentionCount { all: 3, watched: 0 });
    assert_eq!(badge(&server.creator).await, AttentionCount { all: 3, watched: 2 });
    for account in [&server.colleague, &server.reviewer] {
        assert_eq!(counts(&server, account).await, [0, 0]);
        let page = server.page(account, "/").await;
        assert_contains(&page, &["Nothing needs attention.", "Checked ", ": 0 scheduled"]);
        assert!(!page.contains("Too late") && !page.contains("class=\"count\""), "{page}");
        assert_eq!(server.app.services.tasks.attention(&account.actor).await.unwrap(), []);
    }
}

async fn one_cause_is_one_card(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1s"})).await;
    sink.behave(refused(4));
    server.publish_articles(2).await;
    server.advance(2_000).await;
    sink.behave(refused(9));
    server.publish_articles(3).await;
    let cards = async |account: &Account| {
        let page = server.app.services.attention.page(&account.actor).await.unwrap();
        let card = |card: domain::attention::AttentionCard| {
            (card.cause, card.total, card.failed, card.changeable, card.deliveries.len())
        };
        page.cards.into_iter().map(card).collect::<Vec<_>>()
    };
    assert_eq!(cards(&server.admin).await, [(AttentionCause::ChannelFailing, 5, 2, 5, 5)]);
    assert_eq!(cards(&server.creator).await, [(AttentionCause::ChannelFailing, 5, 2, 0, 5)]);
    assert_eq!(cards(&server.colleague).await, []);
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &["Sink answers 500 “no room”", "5 messages", "2 not delivered"]);
    // All of them are sent again, and stay until they are delivered.
    let id = text(&channel["id"]).parse().unwrap();
    let channels = &server.app.services.channels;
    let sent = channels.retry_all(&server.admin.actor, id, 10).await.unwrap();
    assert_eq!(sent.done, 5);
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &["Sink answers 500 “no room”", "5 messages", "5 being retried"]);
    assert_eq!(server.attention_count().await, 5);
}

async fn an_empty_page_says_what_works(server: TestServer) {
    let sink = Sink::start().await;
    server.create_webhook(&sink, json!({})).await;
    server.create_webhook(&sink, json!({"name": "Never used"})).await;
    server.create_task("Later", 60_000).await;
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &["Nothing needs attention.", "Checked ", ": 1 scheduled."]);
    server.publish_article("Delivered to both").await;
    let page = server.page(&server.admin, "/").await;
    assert_contains(&page, &[": 1 scheduled, 2 channels delivering."]);
}
