//! One delivery: its attempts, what is done when an answer is lost, and who is asked.

use super::{DAY_MS, signed_with, text};
use crate::{
    house::{Flavour, Story},
    on_both,
};
use domain::task::Change;
use presstime::{channels::Answer, worker::Loop as _};
use rig::{Manner, Sink};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{Who, dispatch, node::Beat};

on_both!(
    what_is_published_is_told_once_and_signed,
    a_failure_is_tried_again_until_the_ladder_ends_and_then_shown,
    a_lost_answer_asks_a_person_where_the_channel_says_so,
    a_lost_answer_is_sent_again_with_the_same_id,
    an_attempt_whose_process_died_is_given_up_and_fenced_off,
    what_a_dead_node_had_claimed_is_free_as_soon_as_its_death_is_known,
    a_death_of_ours_does_not_count_against_the_other_side,
    what_the_loops_publish_they_tell,
    what_is_taken_back_is_told,
);

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

async fn what_is_taken_back_is_told(story: Story) {
    let (sink, article) = (Sink::start().await, story.article("Oops").await);
    story.channel(&sink, json!({})).await;
    let told = || {
        let bodies = sink.received().into_iter().map(|message| serde_json::from_str(&message.body).unwrap());
        bodies
            .map(|body: Value| (text(&body["type"]).to_owned(), body["data"]["revision"].as_i64()))
            .collect::<Vec<_>>()
    };
    let tasks = &story.house.desk.tasks;
    let row = tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    story.tick().await;
    let gone = [("article.published".to_owned(), Some(1)), ("article.unpublished".to_owned(), None)];
    assert_eq!(told(), gone);
    tasks.publish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    let row = tasks.unpublish_at_once(&story.creator.actor, article).await.unwrap();
    story.tick().await;
    story.change(&story.look(row.id).await, Change::Undo).await.unwrap();
    story.tick().await;
    assert_eq!(told()[2..], [&gone[..], &gone[..1]].concat());
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

async fn what_a_dead_node_had_claimed_is_free_as_soon_as_its_death_is_known(story: Story) {
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({"concurrency": 1, "ladder": "1s"})).await;
    story.do_to(&channel, "pause").await;
    story.publish("Half-way").await;
    story.publish("Behind it").await;
    let (parts, id) = (&story.house.parts, uuid::Uuid::now_v7());
    story.align(&story.house);
    let beat = Beat {
        id,
        name: "dead",
        role: domain::engine::NodeRole::Work,
        version: "1",
        works: Some(true),
        looked: None,
        timeline: None,
    };
    store::node::beat(&parts.store, beat, parts.clock.as_ref()).await.unwrap();
    let (node, now) = (id.simple().to_string(), story.now());
    let terms = store::dispatch::Terms { node: &node, now, lease_until: now.plus(60_000) };
    let mut tx = parts.store.begin(store::Who::Dispatch).await.unwrap();
    let claimed =
        store::dispatch::claim(tx.conn(), text(&channel["id"]).parse().unwrap(), 1, terms).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(claimed.len(), 1);
    story.do_to(&channel, "resume").await;
    // It may only be slow: the one place of the channel stays taken.
    story.advance(3_000).await;
    assert!(sink.received().is_empty());
    // It has fallen silent and keeps nobody waiting, but may only be paused: what it had claimed is still its own.
    story.advance(1_000).await;
    story.advance(5_000).await;
    let [behind] = &sink.received()[..] else { panic!("{:?}", sink.received()) };
    assert!(behind.body.contains("Behind it"), "{}", behind.body);
    story.advance(2_000).await;
    story.advance(2_000).await;
    story.advance(1_000).await;
    assert_eq!(sink.received().len(), 2);
}

async fn a_death_of_ours_does_not_count_against_the_other_side(story: Story) {
    let sink = Sink::start().await;
    let more = json!({"concurrency": 5, "ladder": "1s", "on_ambiguous": "retry"});
    let channel = story.channel(&sink, more).await;
    story.do_to(&channel, "pause").await;
    for place in 0..6 {
        story.publish(&format!("Number {place}")).await;
    }
    let now = story.now();
    let terms = dispatch::Terms { node: "dead", now, lease_until: now.plus(60_000) };
    let mut tx = story.house.parts.store.begin(Who::Dispatch).await.unwrap();
    let id = text(&channel["id"]).parse().unwrap();
    assert_eq!(dispatch::claim(tx.conn(), id, 5, terms).await.unwrap().len(), 5);
    tx.commit().await.unwrap();
    story.do_to(&channel, "resume").await;
    story.advance(61_000).await;
    story.advance(2_000).await;
    assert_eq!(sink.received().len(), 6);
    assert!(story.look_at(&channel).await["rests_until"].is_null());
}

/// However many nodes send, a channel's concurrency is that of all of them together.
#[tokio::test]
async fn nodes_take_turns_at_counting_what_is_on_its_way() {
    let (story, sink) = (Story::begin(Flavour::Servers).await, Sink::start().await);
    let channel = story.channel(&sink, json!({"concurrency": 2})).await;
    story.do_to(&channel, "pause").await;
    for place in 0..5 {
        story.publish(&format!("Number {place}")).await;
    }
    story.do_to(&channel, "resume").await;
    let (id, now) = (text(&channel["id"]).parse::<domain::ChannelId>().unwrap(), story.now());
    let mut theirs = story.house.parts.store.begin(Who::People).await.unwrap();
    let wanted = BTreeSet::from([id.0]);
    assert_eq!(dispatch::turns(theirs.conn(), &wanted).await.unwrap(), wanted);
    story.house.loops.dispatcher.tick(now).await;
    assert!(sink.received().is_empty(), "it is the other node's turn");
    let terms = dispatch::Terms { node: "other", now, lease_until: now.plus(60_000) };
    assert_eq!(dispatch::claim(theirs.conn(), id, 2, terms).await.unwrap().len(), 2);
    theirs.commit().await.unwrap();
    story.house.loops.dispatcher.tick(now).await;
    assert!(sink.received().is_empty(), "both places are taken");
    // Once they are free, the three that nobody had claimed are told.
    story.advance(61_000).await;
    sink.wait_for(3).await;
}

async fn what_the_loops_publish_they_tell(standing: Story) {
    let story = Story::live(standing.flavour).await;
    let sink = Sink::start().await;
    let channel = story.channel(&sink, json!({})).await;
    for title in ["One", "Two", "Three"] {
        story.scheduled(title, 2_000).await;
    }
    assert_eq!(sink.wait_for(3).await.len(), 3);
    story.stop().await;
    let mut lease = standing.house.parts.store.read(store::Who::People).await.unwrap();
    assert!(store::channel::all(lease.conn()).await.unwrap().is_empty(), "{channel}");
}
