//! Settings and secrets of transports: validation, and secrets sent only to their own server.

use super::text;
use crate::{
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{AccountId, ChannelId, ProviderId, Timestamp, services::SecondFactors as _};
use futures::FutureExt as _;
use presstime::{
    accounts::{second_factor_place, sign_in::secret_place},
    security::{rotation::RotationOptions, secret_box},
    senders::{push::vapid, secret_context},
    server::cli::secrets,
};
use serde_json::{Value, json};
use store::{
    PoolRole,
    sealed::{self, SealedColumn, SealedSecret},
};
use test_support::SmtpSink;

on_both!(
    a_password_is_stored_encrypted_and_sent_only_to_its_server,
    every_secret_is_encrypted_again_with_a_new_key,
    a_secret_that_cannot_be_decrypted_is_named_and_skipped_on_demand,
    data_key_and_signing_key_are_read_together,
    a_lost_node_stops_after_the_secrets_were_encrypted_again,
);

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

/// All encrypted secrets in the columns of tables, in a fixed order.
async fn sealed_secrets(server: &TestServer) -> Vec<SealedSecret> {
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let mut all = sealed::list(lease.conn()).await.unwrap();
    all.sort_by_key(|secret| (secret.column.name(), secret.id));
    all
}

/// Where a secret belongs.
fn place(secret: &SealedSecret) -> String {
    match secret.column {
        SealedColumn::SecondFactor => second_factor_place(AccountId(secret.id)),
        SealedColumn::SignInProvider => secret_place(ProviderId(secret.id)),
        _ => secret_context(ChannelId(secret.id)),
    }
}

async fn every_secret_is_encrypted_again_with_a_new_key(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.create_mail_channel(&smtp, json!({"mail": {"username": "anna", "password": PASSWORD}})).await;
    let hook = json!({"name": "Hook", "url": "https://example.org/"});
    let hook = server.as_admin().post("/api/v1/channels", &hook).await.expect(201);
    let rotate = format!("/api/v1/channels/{}/rotate", text(&hook["id"]));
    server.as_admin().post(&rotate, &Value::Null).await.expect(200);
    server.app.accounts.create_second_factor(&server.creator.actor).await.unwrap();
    let provider = json!({
        "issuer": "https://id.example.org", "name": "Company", "client_id": "desk", "client_secret": PASSWORD,
    });
    let provider = server.as_admin().post("/api/v1/sign-in/providers", &provider).await.expect(201);
    assert_eq!(provider["has_secret"], true);
    let (store, old, config) = (&server.app.parts.store, &server.app.parts.senders.vault, &server.config);
    let push_key = vapid::open(store, old).await.unwrap().public_key().to_owned();
    let before = sealed_secrets(&server).await;
    for column in SealedColumn::ALL {
        assert!(before.iter().any(|secret| secret.column == column), "{column:?} has no secret");
    }
    let later = server.app.parts.clock.now().plus(3_600_000);
    let done = secrets::rotate(store, config, RotationOptions::default(), later).await.unwrap();
    assert_eq!(done.secrets, before.len() + 1, "and the key of notifications");
    let new = secret_box::open(store, config).await.unwrap();
    let after = sealed_secrets(&server).await;
    assert_eq!(after.len(), before.len());
    for (was, is) in before.iter().zip(&after) {
        let place = place(is);
        assert_eq!((was.column, was.id), (is.column, is.id));
        assert_eq!(old.open(&place, &is.sealed), None, "{place}: the former key opens nothing");
        let secret = new.open(&place, &is.sealed);
        assert!(secret.is_some() && secret == old.open(&place, &was.sealed), "{place}");
    }
    assert_eq!(vapid::open(store, &new).await.unwrap().public_key(), push_key);
    assert!(vapid::open(store, old).await.is_err());
    // A node that started meanwhile with the former key notices it.
    let is_current =
        async |key: &secret_box::SecretBox| secret_box::is_current(store, config, key).await.unwrap();
    assert_eq!((is_current(old).await, is_current(&new).await), (false, true));
    assert!(new.has_signed("link", "text", &old.sign("link", "text")), "links that were sent stay valid");
    // Once more: the signing key is not lost.
    let again = secrets::rotate(store, config, RotationOptions::default(), later).await.unwrap();
    let newest = secret_box::open(store, config).await.unwrap();
    assert!(newest.has_signed("link", "text", &old.sign("link", "text")));
    let in_file = !config.is_postgres() && config.secret_key.is_none();
    for (rotation, name) in [(done, "secret.key.former-1"), (again, "secret.key.former-2")] {
        assert_eq!(rotation.former_key, in_file.then(|| config.data.join(name)));
        assert_eq!(config.data.join(name).exists(), in_file);
    }
}

/// A time at which the heartbeats of this server are old.
async fn long_after_the_last_heartbeat(server: &TestServer) -> Timestamp {
    let clock = server.app.parts.clock.as_ref();
    server.app.parts.store.read_clocks(clock).await.unwrap().database.plus(3_600_000)
}

async fn a_secret_that_cannot_be_decrypted_is_named_and_skipped_on_demand(server: TestServer) {
    let smtp = SmtpSink::start().await;
    for user in ["anna", "ben"] {
        server.create_mail_channel(&smtp, json!({"mail": {"username": user, "password": PASSWORD}})).await;
    }
    let (store, config) = (&server.app.parts.store, &server.config);
    let before = sealed_secrets(&server).await;
    let [bad, good] = &before[..] else { panic!("{before:?}") };
    let mut tx = store.begin(PoolRole::Web).await.unwrap();
    sealed::replace(tx.conn(), bad, "AAAA").await.unwrap();
    tx.commit().await.unwrap();
    let later = long_after_the_last_heartbeat(&server).await;
    let refused =
        secrets::rotate(store, config, RotationOptions::default(), later).await.unwrap_err().to_string();
    assert!(refused.contains(&format!("secret of channel {}", bad.id)), "{refused}");
    assert!(refused.contains("nothing was changed") && !refused.contains(&good.id.to_string()), "{refused}");
    assert!(sealed_secrets(&server).await.contains(good));
    let options = RotationOptions { skip_unreadable: true, ..RotationOptions::default() };
    let done = secrets::rotate(store, config, options, later).await.unwrap();
    assert_eq!(done.skipped, [format!("secret of channel {}", bad.id)]);
    let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let event =
        log["items"].as_array().unwrap().iter().find(|event| event["verb"] == "rotate_secrets").unwrap();
    assert_eq!(
        (&event["detail"]["secrets"], &event["detail"]["skipped"]),
        (&json!(done.secrets), &json!(done.skipped))
    );
    let new = secret_box::open(store, config).await.unwrap();
    for secret in sealed_secrets(&server).await {
        let opened = new.open(&place(&secret), &secret.sealed);
        assert_eq!((opened.is_some(), secret.sealed == "AAAA"), (secret.id == good.id, secret.id == bad.id));
    }
}

async fn data_key_and_signing_key_are_read_together(server: TestServer) {
    let (store, config) = (&server.app.parts.store, &server.config);
    let signature = server.app.parts.senders.vault.sign("link", "text");
    let later = long_after_the_last_heartbeat(&server).await;
    for _ in 0..10 {
        let rotate = secrets::rotate(store, config, RotationOptions::default(), later);
        let (rotated, opened) = tokio::join!(rotate, secret_box::open(store, config));
        rotated.unwrap();
        assert!(opened.unwrap().has_signed("link", "text", &signature));
    }
}

async fn a_lost_node_stops_after_the_secrets_were_encrypted_again(server: TestServer) {
    server.tick().await;
    let heartbeat = &server.app.loops.heartbeat;
    assert!(heartbeat.drain_requested().now_or_never().is_none());
    let later = long_after_the_last_heartbeat(&server).await;
    let (store, config) = (&server.app.parts.store, &server.config);
    let done = secrets::rotate(store, config, RotationOptions::default(), later).await.unwrap();
    assert_eq!(done.lost_nodes, ["test"]);
    server.tick().await;
    assert!(heartbeat.drain_requested().now_or_never().is_some());
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
