//! Notifications reach the browsers of their account as push messages: encrypted, signed, once.

use super::MINUTE;
use crate::{deliveries::text, http_client::HttpClient, on_both, test_server::TestServer};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{account::OnDisable, services::Accounts as _};
use engine::Loop as _;
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    hkdf::{HKDF_SHA256, KeyType, Prk, Salt},
    rand::SystemRandom,
    signature::{self, ECDSA_P256_SHA256_FIXED},
};
use serde_json::{Value, json};
use store::{PoolRole, push_message, setting};
use test_support::{Behaviour, Received, Sink};

const PATH: &str = "/api/v1/push-subscriptions";

on_both!(
    a_reminder_is_pushed_encrypted_and_signed,
    a_browser_is_added_and_removed_through_the_page,
    a_browser_that_is_gone_is_removed,
    a_failed_push_message_is_sent_again_and_then_once,
    a_refused_push_message_is_given_up,
    two_nodes_send_a_push_message_once_and_use_one_key,
    a_push_message_of_a_node_that_died_is_sent_by_another,
    an_account_has_at_most_20_browsers_and_a_browser_has_one_account,
    a_disabled_account_gets_no_push_messages,
    no_push_message_is_sent_while_deliveries_are_held,
);

/// A browser with its keys.
pub struct Browser {
    private: EphemeralPrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
}

impl Browser {
    fn new() -> Self {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public = private.compute_public_key().unwrap().as_ref().to_vec();
        Self { private, public, auth: [9; 16] }
    }

    /// Its subscription, as the API gets it.
    fn subscription(&self, endpoint: &str) -> Value {
        let [p256dh, auth] = [&self.public[..], &self.auth].map(|key| URL_SAFE_NO_PAD.encode(key));
        json!({"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "agent": "Test"})
    }

    /// Decrypts a message by RFC 8291, with another implementation of HKDF than the server.
    fn decrypt(self, message: &[u8]) -> Value {
        let (salt, sender, mut record) = (&message[..16], &message[21..86], message[86..].to_vec());
        assert_eq!(message[16..21], [0, 0, 16, 0, 65]);
        let peer = UnparsedPublicKey::new(&ECDH_P256, sender);
        let combined =
            agree_ephemeral(self.private, &peer, |shared| Salt::new(HKDF_SHA256, &self.auth).extract(shared));
        let info: [&[u8]; 3] = [b"WebPush: info\0", &self.public, sender];
        let input = expand::<32>(&combined.unwrap(), &info);
        let pseudorandom = Salt::new(HKDF_SHA256, salt).extract(&input);
        let key = expand::<16>(&pseudorandom, &[b"Content-Encoding: aes128gcm\0"]);
        let nonce = expand::<12>(&pseudorandom, &[b"Content-Encoding: nonce\0"]);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        serde_json::from_slice(opened.strip_suffix(&[2]).unwrap()).unwrap()
    }
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand<const N: usize>(key: &Prk, info: &[&[u8]]) -> [u8; N] {
    let mut bytes = [0; N];
    key.expand(info, Length(N)).unwrap().fill(&mut bytes).unwrap();
    bytes
}

/// Verifies the signature of a request, and returns its claims.
fn verified(received: &Received, public_key: &str) -> Value {
    let authorization = received.header("authorization").strip_prefix("vapid t=").unwrap();
    let (token, key) = authorization.split_once(", k=").unwrap();
    assert_eq!(key, public_key);
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let key = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decoded(key));
    key.verify(signed.as_bytes(), &decoded(signature)).unwrap();
    serde_json::from_slice(&decoded(signed.split_once('.').unwrap().1)).unwrap()
}

pub async fn subscribe(client: &HttpClient, endpoint: &str) -> Browser {
    let browser = Browser::new();
    client.post(PATH, &browser.subscription(endpoint)).await.expect(201);
    browser
}

async fn browsers(client: &HttpClient) -> Vec<Value> {
    client.get(PATH).await.expect(200)["items"].as_array().unwrap().clone()
}

async fn a_reminder_is_pushed_encrypted_and_signed(server: TestServer) {
    let sink = Sink::start().await;
    let browser = subscribe(&server.as_creator(), &sink.url()).await;
    server.remind("Ask for the picture", MINUTE, json!({})).await;
    server.advance(MINUTE - 1).await;
    assert!(sink.received().is_empty());
    server.advance(1).await;
    let [received] = &sink.received()[..] else { panic!("not one message") };
    for (name, value) in [("content-encoding", "aes128gcm"), ("ttl", "86400"), ("urgency", "normal")] {
        assert_eq!(received.header(name), value, "{name}");
    }
    let list = server.as_creator().get(PATH).await.expect(200);
    let claims = verified(received, text(&list["public_key"]));
    let origin = sink.url().trim_end_matches("/hook").to_owned();
    let expires = server.now().millis() / 1_000 + 12 * 3_600;
    assert_eq!(claims, json!({"aud": origin, "exp": expires, "sub": server.url}));
    let shown = browser.decrypt(&received.bytes);
    let notification = &server.as_creator().get("/api/v1/notifications").await.expect(200)["items"][0];
    let expected = json!({"title": "Presstime", "body": "Ask for the picture", "url": "/reminders",
                          "tag": notification["id"]});
    assert_eq!(shown, expected);
    let device = &list["items"][0];
    assert_eq!((text(&device["used_at"]), &device["failed_at"]), (&*server.time_after(0), &Value::Null));
    server.advance(24 * 60 * MINUTE).await;
    assert_eq!(sink.received().len(), 1);
}

async fn a_browser_is_added_and_removed_through_the_page(server: TestServer) {
    let sink = Sink::start().await;
    let page = server.log_in_browser(&server.creator).await;
    let subscription = Browser::new().subscription(&sink.url());
    let field = |name: &'static str| (name, subscription[name].as_str().unwrap());
    let fields = [field("endpoint"), field("p256dh"), field("auth")];
    assert_eq!(page.script_form("/fn/subscribe_push", &fields).await.status, 200);
    // The same browser again.
    assert_eq!(page.script_form("/fn/subscribe_push", &fields).await.status, 200);
    let html = page.get("/notifications").await.expect_page();
    let key = server.as_creator().get(PATH).await.expect(200);
    assert!(html.contains(&format!("data-key=\"{}\"", text(&key["public_key"]))), "{html}");
    assert!(html.contains(&format!("data-endpoint=\"{}\"", sink.url())), "{html}");
    let [device] = &browsers(&server.as_creator()).await[..] else { panic!("not one browser") };
    let removed = page.form("/fn/remove_push_device", &[("id", text(&device["id"]))]).await;
    assert_eq!(removed.result_location(), "/notifications?done=push-removed", "{}", removed.status);
    assert!(browsers(&server.as_creator()).await.is_empty());
    assert_eq!(page.script_form("/fn/subscribe_push", &fields).await.status, 200);
    assert_eq!(page.script_form("/fn/unsubscribe_push", &fields[..1]).await.status, 200);
    assert!(browsers(&server.as_creator()).await.is_empty());
    server.remind("Seen in the desk only", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    assert!(sink.received().is_empty());
    // The page of another account neither shows nor removes it.
    subscribe(&server.as_creator(), &sink.url()).await;
    let [device] = &browsers(&server.as_creator()).await[..] else { panic!("not one browser") };
    let path = format!("{PATH}/{}", text(&device["id"]));
    assert_eq!(server.as_colleague().delete(&path).await.status, 404);
    assert!(browsers(&server.as_colleague()).await.is_empty());
    server.as_creator().delete(&path).await.expect(204);
}

async fn a_browser_that_is_gone_is_removed(server: TestServer) {
    for status in [410, 404] {
        let sink = Sink::start().await;
        sink.behave([Behaviour::status(status)]);
        subscribe(&server.as_creator(), &sink.url()).await;
        server.remind("For a browser that is gone", MINUTE, json!({})).await;
        server.remind("Another one", MINUTE, json!({})).await;
        server.advance(MINUTE).await;
        assert!(browsers(&server.as_creator()).await.is_empty(), "{status}");
        let sent = sink.received().len();
        server.remind("Later", MINUTE, json!({})).await;
        server.advance(24 * 60 * MINUTE).await;
        assert_eq!(sink.received().len(), sent, "{status}");
    }
}

async fn a_failed_push_message_is_sent_again_and_then_once(server: TestServer) {
    let sink = Sink::start().await;
    let later = vec![("retry-after", "600".to_owned())];
    sink.behave([
        Behaviour::status(500),
        Behaviour::Disconnect,
        Behaviour::Respond(429, later, String::new()),
        Behaviour::status(201),
    ]);
    subscribe(&server.as_creator(), &sink.url()).await;
    server.remind("Again", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    assert_eq!(sink.received().len(), 1);
    server.advance(4_999).await;
    assert_eq!(sink.received().len(), 1, "before the first delay");
    server.advance(1).await;
    assert_eq!(sink.received().len(), 2, "5 s after a 500");
    server.advance(MINUTE).await;
    assert_eq!(sink.received().len(), 3, "a minute after a broken connection");
    server.advance(9 * MINUTE).await;
    assert_eq!(sink.received().len(), 3, "earlier than the push service wants");
    server.advance(MINUTE).await;
    assert_eq!(sink.received().len(), 4);
    server.advance(24 * 60 * MINUTE).await;
    assert_eq!(sink.received().len(), 4);
    let [device] = &browsers(&server.as_creator()).await[..] else { panic!("not one browser") };
    assert!(device["used_at"].is_string() && device["failed_at"].is_null(), "{device}");
}

async fn a_refused_push_message_is_given_up(server: TestServer) {
    let sink = Sink::start().await;
    sink.behave([Behaviour::status(403)]);
    subscribe(&server.as_creator(), &sink.url()).await;
    server.remind("Refused", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    server.advance(24 * 60 * MINUTE).await;
    assert_eq!(sink.received().len(), 1);
    let [device] = &browsers(&server.as_creator()).await[..] else { panic!("not one browser") };
    assert!(device["used_at"].is_null() && device["failed_at"].is_string(), "{device}");
    // The notification is in the desk, and the next message is sent.
    assert_eq!(server.notified(&server.as_creator()).await, ["Refused"]);
    server.remind("Accepted", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    let [device] = &browsers(&server.as_creator()).await[..] else { panic!("not one browser") };
    assert!(device["used_at"].is_string() && device["failed_at"].is_null(), "{device}");
}

async fn two_nodes_send_a_push_message_once_and_use_one_key(server: TestServer) {
    let sink = Sink::start().await;
    let other = server.open_second_node().await;
    let key = |node: &presstime::server::Server| {
        node.parts.senders.push_key.as_ref().map(|key| key.public_key().to_owned())
    };
    assert_eq!((key(&other), key(&other).is_some()), (key(&server.app), true));
    for name in ["one", "two", "three"] {
        subscribe(&server.as_creator(), &format!("{}/{name}", sink.url())).await;
    }
    sink.behave((0..3).map(|_| Behaviour::status(503)));
    server.remind("Once for each browser", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    assert_eq!(sink.received().len(), 3);
    server.advance_without_loops(5_000);
    server.align_database_clock(&server.app);
    server.align_database_clock(&other);
    let now = server.now();
    tokio::join!(server.app.loops.push.tick(now), other.loops.push.tick(now));
    server.tick().await;
    let mut lines: Vec<String> = sink.received().into_iter().map(|received| received.line).collect();
    lines[3..].sort();
    assert_eq!(lines[3..], ["POST /hook/one", "POST /hook/three", "POST /hook/two"]);
    other.close().await;
}

async fn a_push_message_of_a_node_that_died_is_sent_by_another(server: TestServer) {
    let sink = Sink::start().await;
    let browser = subscribe(&server.as_creator(), &sink.url()).await;
    server.remind("Not lost", MINUTE, json!({})).await;
    sink.behave([Behaviour::status(503)]);
    server.advance(MINUTE).await;
    server.advance_without_loops(5_000);
    // A node claims it and dies before it sends it.
    let now = server.now();
    let mut tx = server.app.parts.store.begin(PoolRole::Dispatcher).await.unwrap();
    let claimed = push_message::claim(tx.conn(), 10, now, now.plus(MINUTE)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((claimed.len(), claimed[0].attempts), (1, 2));
    server.advance(MINUTE - 1).await;
    assert_eq!(sink.received().len(), 1, "its lease has not ended");
    server.advance(1).await;
    let received = sink.received();
    assert_eq!(received.len(), 2);
    assert_eq!(browser.decrypt(&received[1].bytes)["body"], "Not lost");
}

async fn an_account_has_at_most_20_browsers_and_a_browser_has_one_account(server: TestServer) {
    let creator = server.as_creator();
    let endpoint = |number: u32| format!("https://push.example.org/{number}");
    for number in 0..21 {
        subscribe(&creator, &endpoint(number)).await;
        server.advance_without_loops(1);
    }
    let all = browsers(&creator).await;
    let endpoints: Vec<String> = all.iter().map(|one| text(&one["endpoint"]).to_owned()).collect();
    assert_eq!(endpoints, (1..21).map(endpoint).collect::<Vec<_>>());
    // Another user of the same browser turns it on.
    subscribe(&server.as_colleague(), &endpoint(5)).await;
    assert_eq!((browsers(&creator).await.len(), browsers(&server.as_colleague()).await.len()), (19, 1));
}

async fn a_disabled_account_gets_no_push_messages(server: TestServer) {
    let sink = Sink::start().await;
    sink.behave([Behaviour::status(503)]);
    subscribe(&server.as_colleague(), &sink.url()).await;
    let for_colleague = json!({"account_id": server.colleague.actor.account});
    server.remind("Before", MINUTE, for_colleague.clone()).await;
    server.remind("For a colleague who has left", 2 * MINUTE, for_colleague).await;
    server.advance(MINUTE).await;
    let (accounts, id) = (&server.app.accounts, server.colleague.actor.account);
    accounts.disable(&server.admin.actor, id, Some(OnDisable::Cancel)).await.unwrap();
    server.advance(MINUTE).await;
    server.advance(24 * 60 * MINUTE).await;
    assert_eq!(sink.received().len(), 1, "neither again nor a new one");
}

/// As after a restore, until an admin confirms.
async fn no_push_message_is_sent_while_deliveries_are_held(server: TestServer) {
    let sink = Sink::start().await;
    subscribe(&server.as_creator(), &sink.url()).await;
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    setting::put(tx.conn(), "delivery_hold", &server.now().millis().to_string()).await.unwrap();
    tx.commit().await.unwrap();
    server.remind("Held", MINUTE, json!({})).await;
    server.advance(MINUTE).await;
    assert!(sink.received().is_empty());
    server.as_admin().post("/api/v1/delivery-hold/confirm", &Value::Null).await.expect(200);
    server.tick().await;
    assert_eq!(sink.received().len(), 1);
}

#[tokio::test]
async fn a_browser_is_refused_if_no_message_can_reach_it() {
    let server = TestServer::start_with(|config| {
        config.webhook_allow_http = false;
        config.webhook_allow_private = false;
    })
    .await;
    let creator = server.as_creator();
    let good = Browser::new().subscription("https://push.example.org/a");
    let mut off_curve = Browser::new().public;
    off_curve[64] ^= 1;
    let off_curve = URL_SAFE_NO_PAD.encode(off_curve);
    let long = format!("https://push.example.org/{}", "x".repeat(2_000));
    for (field, value) in [
        ("endpoint", "http://push.example.org/a"),
        ("endpoint", "https://127.0.0.1/a"),
        ("endpoint", "https://user:secret@push.example.org/a"),
        ("endpoint", "https://push.example.org/a b"),
        ("endpoint", "push"),
        ("endpoint", ""),
        ("endpoint", &long),
        ("p256dh", ""),
        ("p256dh", "BCVxsr7N"),
        ("p256dh", &off_curve),
        ("auth", "BTBZ"),
        ("auth", "§"),
    ] {
        let mut new = good.clone();
        new[field] = json!(value);
        let refused = creator.post(PATH, &new).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{value}: {refused}");
    }
    assert!(browsers(&creator).await.is_empty());
    creator.post(PATH, &good).await.expect(201);
}

#[tokio::test]
async fn the_service_worker_serves_the_whole_desk() {
    let server = TestServer::start_with(|_| ()).await;
    let script = server.as_anonymous().get("/sw.js").await;
    assert_eq!((script.status, script.header("service-worker-allowed")), (200, "/"));
    assert!(script.header("content-type").starts_with("text/javascript"));
    assert_eq!(script.header("cache-control"), "no-cache");
    let page = server.as_anonymous().get("/login").await;
    assert!(page.header("content-security-policy").contains("worker-src 'self'"));
}
