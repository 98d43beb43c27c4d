//! Bodies of the requests in the table: allowed clients get a refusal that changes nothing.

use super::Scene;
use serde_json::{Value, json};

pub fn nothing(_: &Scene) -> Value {
    Value::Null
}

pub fn untitled(_: &Scene) -> Value {
    json!({"title": "", "body": ""})
}

pub fn no_tag(_: &Scene) -> Value {
    json!({"from": "none", "to": "other"})
}

pub fn alt(_: &Scene) -> Value {
    json!({"alt": "A cup", "seen_version": 99})
}

pub fn untexted(scene: &Scene) -> Value {
    json!({"text": "", "due_at": scene.server.time_after(60_000)})
}

pub fn hostless(_: &Scene) -> Value {
    json!({"host": "", "port": 587, "from": "desk@example.org"})
}

pub fn unnamed(_: &Scene) -> Value {
    json!({"name": "", "url": "https://example.org/"})
}

pub fn edit(_: &Scene) -> Value {
    json!({"body": "other", "seen_revision": 99})
}

pub fn new_task(scene: &Scene) -> Value {
    json!({"kind": "article.publish", "target_id": scene.article, "due_at": scene.server.time_after(60_000)})
}

pub fn new_tasks(scene: &Scene) -> Value {
    json!({"items": [new_task(scene)]})
}

pub fn no_tasks(_: &Scene) -> Value {
    json!({"ids": [], "change": {"type": "cancel"}})
}

pub fn moved(scene: &Scene) -> Value {
    json!({"seen_version": 99, "due_at": scene.server.time_after(60_000)})
}

pub fn limit(_: &Scene) -> Value {
    json!({"max_concurrency": 1, "seen_version": 99})
}

pub fn series(_: &Scene) -> Value {
    let rule = json!({"frequency": "daily", "count": 1});
    json!({"rule": rule, "zone": "UTC", "starts_local": "2027-06-09T09:00"})
}

pub fn delayed(_: &Scene) -> Value {
    json!({"delay": "PT1H"})
}

pub fn new_message(scene: &Scene) -> Value {
    json!({"channel_id": scene.article, "delay": "PT1H", "body": ""})
}

pub fn new_messages(scene: &Scene) -> Value {
    json!({"items": [new_message(scene)]})
}

pub fn empty(_: &Scene) -> Value {
    json!({})
}

pub fn when(_: &Scene) -> Value {
    json!({"text": "in 2 hours"})
}

pub fn nameless(_: &Scene) -> Value {
    json!({"name": ""})
}

pub fn longer(_: &Scene) -> Value {
    json!({"seen_version": 99, "minutes": 5})
}

pub fn to_me(_: &Scene) -> Value {
    json!({"seen_version": 99, "organizer": "me"})
}

pub fn at(scene: &Scene) -> Value {
    json!({"due_at": scene.server.time_after(60_000)})
}

pub fn unnamed_signal(_: &Scene) -> Value {
    json!({"name": "", "subject": "u1"})
}

pub fn unnamed_signals(scene: &Scene) -> Value {
    json!({"items": [unnamed_signal(scene)]})
}

pub fn unnamed_rule(_: &Scene) -> Value {
    let action = json!({"type": "signal", "name": "b"});
    json!({"name": "", "after": "a", "wait": "PT1H", "action": action})
}

pub fn seen(_: &Scene) -> Value {
    json!({"seen_version": 99})
}

pub fn seen_text(_: &Scene) -> Value {
    json!({"seen_version": 99, "seen_hash": "none"})
}

pub fn no_slot(_: &Scene) -> Value {
    json!({"at": "2027-12-24T10:00:00Z", "direction": "later"})
}

pub fn no_slots(_: &Scene) -> Value {
    json!({"seen_version": 0, "zone": "UTC", "days": []})
}

pub fn no_zone(_: &Scene) -> Value {
    json!({"zone": "nowhere"})
}
