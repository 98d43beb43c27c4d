//! Settings and secrets of transports: validation, and secrets sent only to their own server.

use super::text;
use crate::{
    on_both,
    test_server::{Backend, TestServer},
};
use serde_json::{Value, json};
use test_support::SmtpSink;

on_both!(a_password_is_stored_encrypted_and_sent_only_to_its_server,);

const PASSWORD: &str = "open-sesame-please";

async fn a_password_is_stored_encrypted_and_sent_only_to_its_server(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let login = json!({"mail": {"username": "anna", "password": PASSWORD}});
    let channel = server.create_mail_channel(&smtp, login).await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let change = async |mail: Value| server.as_admin().patch(&path, &json!({"mail": mail})).await;
    let renamed = change(json!({"from": "other@example.org"})).await.expect(200);
    assert_eq!((renamed["has_secret"].as_bool(), text(&renamed["mail"]["username"])), (Some(true), "anna"));
    for elsewhere in [json!({"host": "mail.example.org"}), json!({"port": 2525}), json!({"username": "eve"})]
    {
        let refused = change(elsewhere.clone()).await.expect(422);
        assert_eq!(refused["error"]["field"], "mail.password", "{elsewhere}: {refused}");
    }
    server.publish_article("Open").await;
    assert_eq!(smtp.received().len(), 1);
    let list = server.as_admin().get("/api/v1/channels").await.expect(200);
    let log = server.as_admin().get("/api/v1/events").await.expect(200);
    let mut lease = server.app.parts.store.read(store::PoolRole::Web).await.unwrap();
    let kept = store::channel::all(lease.conn()).await.unwrap();
    drop(lease);
    let delivery = server.latest_delivery(&channel).await;
    for seen in
        [channel.to_string(), list.to_string(), log.to_string(), format!("{kept:?}"), delivery.to_string()]
    {
        assert!(!seen.contains(PASSWORD), "{seen}");
    }
    let rotate = format!("{path}/rotate");
    assert_eq!(server.as_admin().post(&rotate, &Value::Null).await.refused(409), "no_signing_secret");
    let without = change(json!({"username": ""})).await.expect(200);
    assert_eq!((without["has_secret"].as_bool(), without["mail"]["username"].is_null()), (Some(false), true));
    assert_eq!(change(json!({"username": "anna"})).await.expect(422)["error"]["field"], "mail.password");
    let moved = change(json!({"username": "anna", "password": "another"})).await.expect(200);
    assert_eq!(moved["has_secret"].as_bool(), Some(true));
}

#[tokio::test]
async fn invalid_transport_settings_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let mail = json!({"host": "mail.example.org", "from": "desk@example.org", "to": ["anna@example.org"]});
    let sms = json!({"url": "https://sms.example.org/send", "to": ["+49301234567"]});
    let many: Vec<String> = (0..51).map(|number| format!("anna{number}@example.org")).collect();
    for (transport, field, value) in [
        ("mail", "host", json!("smtp://mail.example.org")),
        ("mail", "host", json!("")),
        ("mail", "port", json!(80)),
        ("mail", "security", json!("perhaps")),
        ("mail", "from", json!("desk")),
        ("mail", "from", json!("desk@example.org\r\nBcc: eve@example.org")),
        ("mail", "to", json!([])),
        ("mail", "to", json!(["anna@example.org", "ben"])),
        ("mail", "to", json!(many)),
        ("mail", "password", json!("without a user")),
        ("mail", "language", json!("tlh")),
        ("sms", "url", json!("ftp://sms.example.org")),
        ("sms", "to", json!(["call me"])),
        ("sms", "format", json!("xml")),
        ("sms", "template", json!("{\"text\": {text}}")),
        ("sms", "template", json!("{\"text\": \"hello\"}")),
        ("sms", "header", json!("Content-Length")),
        ("sms", "header", json!("X Key")),
        ("sms", "secret", json!("without a header")),
    ] {
        let good = if transport == "mail" { &mail } else { &sms };
        let mut new = json!({"transport": transport, "name": "Sink", transport: good});
        new[transport][field] = value.clone();
        let refused = server.as_admin().post("/api/v1/channels", &new).await.expect(422);
        let named = match field {
            "password" => "username",
            "secret" => "header",
            field => field,
        };
        assert_eq!(refused["error"]["field"], format!("{transport}.{named}"), "{field} {value}: {refused}");
    }
    let mixed = json!({"transport": "mail", "name": "Sink", "mail": mail, "sms": sms});
    assert_eq!(server.as_admin().post("/api/v1/channels", &mixed).await.expect(422)["error"]["field"], "sms");
    let secret = json!({"transport": "sms", "name": "Sink", "sms": sms});
    let made = server.as_admin().post("/api/v1/channels", &secret).await.expect(201);
    let path = format!("/api/v1/channels/{}", text(&made["id"]));
    let keyed = json!({"sms": {"header": "x-key", "secret": "one"}});
    server.as_admin().patch(&path, &keyed).await.expect(200);
    let elsewhere = json!({"sms": {"url": "https://eve.example.org/"}});
    assert_eq!(server.as_admin().patch(&path, &elsewhere).await.expect(422)["error"]["field"], "sms.secret");
}
