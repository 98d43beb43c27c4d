//! Who learns of what: creators learn nothing of channels, settings, the engine and the accounts of others.

use crate::{
    ear::{Ear, Message},
    house::{Account, Story},
    on_both,
};
use domain::desk::People as _;
use rig::Sink;
use serde_json::{Value, json};

on_both!(creators_learn_only_what_their_pages_need);

/// Does what is for admins to know: a channel with a test, the settings, the engine, an account.
async fn change_everything(story: &Story, sink: &Sink) -> Value {
    let channel = story.channel(sink, json!({"name": "Secret partner"})).await;
    let path = format!("/api/v1/channels/{}", channel["id"].as_str().unwrap());
    story.as_admin().post(&format!("{path}/test"), &json!({})).await.expect(202);
    story.advance(1_000).await;
    story.as_admin().post(&format!("{path}/pause"), &json!({})).await.expect(200);
    story.as_admin().post(&format!("{path}/resume"), &json!({})).await.expect(200);
    let people = &story.house.people;
    let settings = people.settings().await.unwrap();
    people.change_settings(&story.admin.actor, settings).await.unwrap();
    story.house.desk.engine.pause(&story.admin.actor, true).await.unwrap();
    story.house.desk.engine.pause(&story.admin.actor, false).await.unwrap();
    people.reset(&story.admin.actor, story.colleague.actor.person).await.unwrap();
    story.publish("For everybody").await
}

/// Everything that a listener is told until the task is executed and delivered.
async fn heard(ear: &mut Ear, task: &Value) -> Vec<Value> {
    let mut signals = Vec::new();
    let is_last = |signal: &Value| signal["verb"] == "deliver" && signal["entity_id"] == task["id"];
    while !signals.iter().any(is_last) {
        let Message { data, .. } = ear.hear("signals").await;
        signals.extend(data.as_array().unwrap().clone());
    }
    signals
}

async fn log(story: &Story, account: &Account) -> Vec<Value> {
    let log = story.as_account(account).get("/api/v1/events?limit=1000").await.expect(200);
    log["items"].as_array().unwrap().clone()
}

fn entities(events: &[Value]) -> Vec<&str> {
    let mut entities: Vec<&str> = events.iter().map(|event| event["entity"].as_str().unwrap()).collect();
    entities.sort_unstable();
    entities.dedup();
    entities
}

async fn creators_learn_only_what_their_pages_need(story: Story) {
    let sink = Sink::start().await;
    story.tick().await;
    let mut creator = Ear::open(&story.as_creator(), None).await;
    let mut admin = Ear::open(&story.as_admin(), None).await;
    creator.hear("hello").await;
    admin.hear("hello").await;
    let task = change_everything(&story, &sink).await;
    let (to_creator, to_admin) = (heard(&mut creator, &task).await, heard(&mut admin, &task).await);
    assert_eq!(entities(&to_creator), ["article", "delivery", "task"], "{to_creator:?}");
    assert_eq!(
        entities(&to_admin),
        ["article", "channel", "delivery", "engine", "person", "settings", "task"],
        "{to_admin:?}"
    );
    for account in [&story.creator, &story.reviewer] {
        let events = log(&story, account).await;
        let others = events.iter().filter(|event| event["entity_id"] != json!(account.actor.person));
        let others: Vec<Value> = others.cloned().collect();
        assert_eq!(entities(&others), ["article", "delivery", "task"]);
        let text = serde_json::to_string(&events).unwrap();
        assert!(!text.contains("Secret partner") && !text.contains("delivery_id"), "{text}");
    }
    let all = log(&story, &story.admin).await;
    assert_eq!(entities(&all), ["article", "channel", "delivery", "engine", "person", "settings", "task"]);
    assert!(serde_json::to_string(&all).unwrap().contains("Secret partner"));
    // What a person does to their own account they read themselves.
    let own = log(&story, &story.creator).await;
    assert!(own.iter().any(|event| event["verb"] == "create_token"), "{own:?}");
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    let whole = story.as_creator().get(&path).await.expect(200);
    assert!(!whole.to_string().contains("Secret partner"), "{whole}");
}
