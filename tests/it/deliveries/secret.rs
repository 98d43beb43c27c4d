//! Settings and secrets of the ways: what is refused, and that a secret is told to nobody but the peer it was given for.

use super::text;
use crate::{
    house::{Flavour, Story},
    on_both,
};
use rig::SmtpSink;
use serde_json::{Value, json};

on_both!(a_password_is_kept_sealed_and_told_to_its_server_alone,);

const PASSWORD: &str = "open-sesame-please";

async fn a_password_is_kept_sealed_and_told_to_its_server_alone(story: Story) {
    let smtp = SmtpSink::start().await;
    let login = json!({"mail": {"user": "anna", "password": PASSWORD}});
    let channel = story.mail_channel(&smtp, login).await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let change = async |mail: Value| story.as_admin().patch(&path, &json!({"mail": mail})).await;
    let renamed = change(json!({"from": "other@example.org"})).await.expect(200);
    assert_eq!((renamed["has_secret"].as_bool(), text(&renamed["mail"]["user"])), (Some(true), "anna"));
    for elsewhere in [json!({"server": "mail.example.org"}), json!({"port": 2525}), json!({"user": "eve"})] {
        let refused = change(elsewhere.clone()).await.expect(422);
        assert_eq!(refused["error"]["field"], "password", "{elsewhere}: {refused}");
    }
    story.publish("Open").await;
    assert_eq!(smtp.mailed().len(), 1);
    let list = story.as_admin().get("/api/v1/channels").await.expect(200);
    let log = story.as_admin().get("/api/v1/events").await.expect(200);
    let mut lease = story.house.parts.store.read(store::Who::People).await.unwrap();
    let kept = store::channel::all(lease.conn()).await.unwrap();
    drop(lease);
    let delivery = story.newest(&channel).await;
    for seen in
        [channel.to_string(), list.to_string(), log.to_string(), format!("{kept:?}"), delivery.to_string()]
    {
        assert!(!seen.contains(PASSWORD), "{seen}");
    }
    let rotate = format!("{path}/rotate");
    assert_eq!(story.as_admin().post(&rotate, &Value::Null).await.refused(409), "wrong_way");
    let without = change(json!({"user": ""})).await.expect(200);
    assert_eq!((without["has_secret"].as_bool(), without["mail"]["user"].is_null()), (Some(false), true));
    assert_eq!(change(json!({"user": "anna"})).await.expect(422)["error"]["field"], "password");
    let moved = change(json!({"user": "anna", "password": "another"})).await.expect(200);
    assert_eq!(moved["has_secret"].as_bool(), Some(true));
}

#[tokio::test]
async fn settings_of_a_way_that_cannot_be_are_refused_with_their_field() {
    let story = Story::begin(Flavour::Embedded).await;
    let mail = json!({"server": "mail.example.org", "from": "desk@example.org", "to": ["anna@example.org"]});
    let sms = json!({"address": "https://sms.example.org/send", "to": ["+49301234567"]});
    let many: Vec<String> = (0..51).map(|number| format!("anna{number}@example.org")).collect();
    for (way, field, value) in [
        ("mail", "server", json!("smtp://mail.example.org")),
        ("mail", "server", json!("")),
        ("mail", "port", json!(80)),
        ("mail", "security", json!("perhaps")),
        ("mail", "from", json!("desk")),
        ("mail", "from", json!("desk@example.org\r\nBcc: eve@example.org")),
        ("mail", "to", json!([])),
        ("mail", "to", json!(["anna@example.org", "ben"])),
        ("mail", "to", json!(many)),
        ("mail", "password", json!("without a user")),
        ("mail", "language", json!("tlh")),
        ("sms", "address", json!("ftp://sms.example.org")),
        ("sms", "to", json!(["call me"])),
        ("sms", "format", json!("xml")),
        ("sms", "template", json!("{\"text\": {text}}")),
        ("sms", "template", json!("{\"text\": \"hello\"}")),
        ("sms", "header", json!("Content-Length")),
        ("sms", "header", json!("X Key")),
        ("sms", "secret", json!("without a header")),
    ] {
        let good = if way == "mail" { &mail } else { &sms };
        let mut new = json!({"way": way, "name": "Sink", way: good});
        new[way][field] = value.clone();
        let refused = story.as_admin().post("/api/v1/channels", &new).await.expect(422);
        let named = match field {
            "password" => "user",
            "secret" => "header",
            field => field,
        };
        assert_eq!(refused["error"]["field"], named, "{field} {value}: {refused}");
    }
    let mixed = json!({"way": "mail", "name": "Sink", "mail": mail, "sms": sms});
    assert_eq!(story.as_admin().post("/api/v1/channels", &mixed).await.expect(422)["error"]["field"], "sms");
    let secret = json!({"way": "sms", "name": "Sink", "sms": sms});
    let made = story.as_admin().post("/api/v1/channels", &secret).await.expect(201);
    let path = format!("/api/v1/channels/{}", text(&made["id"]));
    let keyed = json!({"sms": {"header": "x-key", "secret": "one"}});
    story.as_admin().patch(&path, &keyed).await.expect(200);
    let elsewhere = json!({"sms": {"address": "https://eve.example.org/"}});
    assert_eq!(story.as_admin().patch(&path, &elsewhere).await.expect(422)["error"]["field"], "secret");
}
