//! AMQP with a real broker: confirmed messages have arrived, others are known, and none is lost.

mod refusals;

use super::{DAY_MS, text};
use crate::{
    engine_page::assert_contains,
    test_server::{Backend, TestServer},
};
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    message::BasicGetMessage,
    options::{BasicGetOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{amqp::AmqpSender, egress::Rules},
};
use refusals::send;
use serde_json::{Value, json};
use test_support::{Proxy, Rabbit};

/// These tests share one broker, which takes seconds to start. The last one kills it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_reach_a_real_broker_or_fail_visibly() {
    let rabbit = Rabbit::start().await;
    tokio::join!(
        a_publication_arrives_as_a_persistent_message_with_id_and_kind(&rabbit),
        an_unroutable_message_fails_with_its_reason(&rabbit),
        a_message_rejected_by_the_broker_is_retried(&rabbit),
        an_encrypted_connection_needs_a_trusted_certificate(&rabbit),
        a_message_is_retried_after_a_wrong_password_is_corrected(&rabbit),
        a_lost_confirmation_repeats_the_message_with_its_id(&rabbit),
        a_lost_confirmation_holds_the_message_if_the_channel_says_so(&rabbit),
        s4_a_message_of_a_program_has_its_own_exchange_key_and_headers(&rabbit),
        s4_a_channel_sets_headers_and_how_messages_are_published(&rabbit),
        a_channel_without_confirms_still_sees_what_comes_back(&rabbit),
    );
    a_restarted_broker_gets_the_pending_messages(rabbit).await;
}

impl TestServer {
    /// A channel to the exchange `amq.topic` of the broker at this port. `keys` is its routing key
    /// prefix.
    async fn create_amqp_channel(&self, port: u16, keys: &str, more: Value) -> Value {
        let amqp = json!({
            "url": format!("amqp://127.0.0.1:{port}"), "username": Rabbit::USER, "password": Rabbit::PASSWORD,
            "routing_key": format!("{keys}.{{kind}}"),
        });
        self.create_channel(
            json!({"transport": "amqp", "name": "Broker", "retry_schedule": "10s, 1m", "amqp": amqp}),
            more,
        )
        .await
    }
}

/// A consumer: its own durable queue at the broker.
struct Queue {
    name: String,
    channel: Channel,
    _connection: Connection,
}

impl Queue {
    /// A new queue bound to `keys.#`.
    async fn bind(rabbit: &Rabbit, keys: &str) -> Self {
        Self::bind_with(rabbit, keys, FieldTable::default()).await
    }

    /// The same with RabbitMQ arguments.
    async fn bind_with(rabbit: &Rabbit, keys: &str, arguments: FieldTable) -> Self {
        let queue = Self::open(rabbit, keys).await;
        let options = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
        queue.channel.queue_declare(keys.into(), options, arguments).await.unwrap();
        let pattern = format!("{keys}.#");
        queue
            .channel
            .queue_bind(
                keys.into(),
                "amq.topic".into(),
                pattern.as_str().into(),
                QueueBindOptions::default(),
                FieldTable::default(),
            )
            .await
            .unwrap();
        queue
    }

    /// Opens an existing queue.
    async fn open(rabbit: &Rabbit, name: &str) -> Self {
        let password = Rabbit::PASSWORD.replace(' ', "%20");
        let url = format!("amqp://{}:{password}@127.0.0.1:{}", Rabbit::USER, rabbit.port());
        let connection = Connection::connect(&url, ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        Self { name: name.to_owned(), channel, _connection: connection }
    }

    /// Removes and returns all messages in order.
    async fn all(&self) -> Vec<BasicGetMessage> {
        let mut all = Vec::new();
        let options = BasicGetOptions { no_ack: true };
        while let Some(message) = self.channel.basic_get(self.name.as_str().into(), options).await.unwrap() {
            all.push(message);
        }
        all
    }
}

fn id_of(properties: &BasicProperties) -> &str {
    properties.message_id().as_ref().unwrap().as_str()
}

fn body_of(message: &BasicGetMessage) -> Value {
    serde_json::from_slice(&message.delivery.data).unwrap()
}

async fn a_publication_arrives_as_a_persistent_message_with_id_and_kind(rabbit: &Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Servers).await, Queue::bind(rabbit, "first").await);
    let channel = server.create_amqp_channel(rabbit.port(), "first", json!({})).await;
    assert!(channel["secret"].is_null() && channel["amqp"].get("password").is_none(), "{channel}");
    assert_eq!(
        (text(&channel["amqp"]["exchange"]), text(&channel["on_unknown_outcome"])),
        ("amq.topic", "retry")
    );
    server.publish_article("Tea & cake").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), delivery["attempts"].as_u64()),
        ("delivered", Some(1)),
        "{delivery}"
    );
    let [message] = &queue.all().await[..] else { panic!("not one message") };
    let properties = &message.delivery.properties;
    assert_eq!(message.delivery.routing_key.as_str(), "first.article.published");
    assert_eq!(id_of(properties), format!("msg_{}", text(&delivery["id"])));
    assert_eq!(properties.delivery_mode(), &Some(2));
    assert_eq!(properties.content_type().as_ref().unwrap().as_str(), "application/json");
    assert_eq!(properties.kind().as_ref().unwrap().as_str(), "article.published");
    let body = body_of(message);
    assert_eq!((text(&body["type"]), text(&body["data"]["title"])), ("article.published", "Tea & cake"));
    server.advance(DAY_MS).await;
    server.post_channel_action(&channel, "test").await;
    server.tick().await;
    let [test] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(test.delivery.routing_key.as_str(), "first.test");
    let settings = server.get_channel(&channel).await.to_string();
    assert!(!settings.contains(Rabbit::PASSWORD), "{settings}");
}

async fn an_unroutable_message_fails_with_its_reason(rabbit: &Rabbit) {
    let server = TestServer::start(Backend::Embedded).await;
    let channel = server.create_amqp_channel(rabbit.port(), "unbound", json!({})).await;
    server.publish_article("No queue").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("failed", "refused"), "{delivery}");
    let answer = text(&delivery["attempt_log"][0]["response_body"]);
    assert!(answer.contains("unbound.article.published") && answer.contains("NO_ROUTE"), "{answer}");
    assert_eq!(delivery["attempt_log"][0]["status"], 312);
    assert_eq!(
        (text(&server.get_channel(&channel).await["state"]), server.attention_count().await),
        ("active", 1)
    );
    let queue = Queue::bind(rabbit, "unbound").await;
    server.resolve_delivery(&delivery, "resend").await;
    server.tick().await;
    let [message] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(id_of(&message.delivery.properties), format!("msg_{}", text(&delivery["id"])));
    // A missing exchange can be created later: the message is retried.
    let elsewhere = json!({"amqp": {"exchange": "not-there"}});
    let channel = server.create_amqp_channel(rabbit.port(), "elsewhere", elsewhere).await;
    server.post_channel_action(&channel, "test").await;
    server.tick().await;
    let delivery = server.latest_delivery(&channel).await;
    let answer = text(&delivery["attempt_log"][0]["response_body"]);
    assert_eq!(
        (text(&delivery["outcome"]), delivery["attempt_log"][0]["status"].as_u64()),
        ("refused", Some(404))
    );
    assert!(answer.contains("not-there"), "{answer}");
}

/// A full queue that rejects: the broker answers each further message with a nack.
async fn a_message_rejected_by_the_broker_is_retried(rabbit: &Rabbit) {
    let mut full = FieldTable::default();
    full.insert("x-max-length".into(), AMQPValue::LongInt(1));
    full.insert("x-overflow".into(), AMQPValue::LongString("reject-publish".into()));
    let (server, queue) =
        (TestServer::start(Backend::Embedded).await, Queue::bind_with(rabbit, "full", full).await);
    let channel = server.create_amqp_channel(rabbit.port(), "full", json!({})).await;
    server.publish_article("It fits").await;
    server.publish_article("It does not").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"), "{delivery}");
    let [first] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(text(&body_of(first)["data"]["title"]), "It fits");
    server.advance(12_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    let [second] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(id_of(&second.delivery.properties), format!("msg_{}", text(&delivery["id"])));
}

async fn an_encrypted_connection_needs_a_trusted_certificate(rabbit: &Rabbit) {
    let queue = Queue::bind(rabbit, "news").await;
    let rules = Rules { allow_private: true, ..Rules::default() };
    let trusting = TlsRoots::read(Some(&rabbit.authority().file())).unwrap();
    let address = format!("amqps://localhost:{}", rabbit.tls_port());
    let answer = send(&AmqpSender::new(rules.clone(), &trusting), &address).await;
    assert_eq!(answer.outcome.as_str(), "delivered", "{answer:?}");
    let answer = send(&AmqpSender::new(rules, &TlsRoots::default()), &address).await;
    assert_eq!(answer.outcome.as_str(), "unreachable", "{answer:?}");
    assert_eq!(queue.all().await.len(), 1);
}

async fn a_message_is_retried_after_a_wrong_password_is_corrected(rabbit: &Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Embedded).await, Queue::bind(rabbit, "locked").await);
    let wrong = json!({"amqp": {"password": "open barley"}});
    let channel = server.create_amqp_channel(rabbit.port(), "locked", wrong).await;
    server.publish_article("Locked out").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"), "{delivery}");
    assert_eq!(delivery["attempt_log"][0]["status"], 403);
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let right = json!({"amqp": {"password": Rabbit::PASSWORD}});
    server.as_admin().patch(&path, &right).await.expect(200);
    let moved = json!({"amqp": {"url": "amqp://127.0.0.1:5672"}});
    assert_eq!(server.as_admin().patch(&path, &moved).await.expect(422)["error"]["field"], "amqp.password");
    server.advance(12_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    assert_eq!(queue.all().await.len(), 1);
}

async fn a_lost_confirmation_repeats_the_message_with_its_id(rabbit: &Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Embedded).await, Queue::bind(rabbit, "cut").await);
    let proxy = Proxy::to(rabbit.port()).await;
    let channel = server.create_amqp_channel(proxy.port(), "cut", json!({})).await;
    server.publish_article("Before").await;
    proxy.drop_response_to("Perhaps");
    server.publish_article("Perhaps").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "unknown"), "{delivery}");
    server.advance(12_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    // The idle connection is cut: the sender reconnects without a held message.
    proxy.cut();
    server.publish_article("After").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), delivery["attempts"].as_u64()),
        ("delivered", Some(1)),
        "{delivery}"
    );
    let all = queue.all().await;
    let titles: Vec<_> =
        all.iter().map(|message| text(&body_of(message)["data"]["title"]).to_owned()).collect();
    assert_eq!(titles, ["Before", "Perhaps", "Perhaps", "After"]);
    let [first, second] = [&all[1], &all[2]].map(|message| &message.delivery);
    assert_eq!(id_of(&first.properties), id_of(&second.properties));
    assert_eq!(first.data, second.data);
}

async fn a_lost_confirmation_holds_the_message_if_the_channel_says_so(rabbit: &Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Embedded).await, Queue::bind(rabbit, "doubt").await);
    let proxy = Proxy::to(rabbit.port()).await;
    let channel =
        server.create_amqp_channel(proxy.port(), "doubt", json!({"on_unknown_outcome": "hold"})).await;
    proxy.drop_response_to("Perhaps");
    server.publish_article("Perhaps").await;
    server.advance(DAY_MS).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), text(&delivery["outcome"])),
        ("unconfirmed", "unknown"),
        "{delivery}"
    );
    assert_eq!((queue.all().await.len(), server.attention_count().await), (1, 1));
    assert_eq!(text(&server.resolve_delivery(&delivery, "arrived").await["state"]), "delivered");
}

async fn s4_a_message_of_a_program_has_its_own_exchange_key_and_headers(rabbit: &Rabbit) {
    let server = TestServer::start(Backend::Embedded).await;
    let queue = Queue::bind(rabbit, "orders").await;
    let channel = server.create_amqp_channel(rabbit.port(), "elsewhere", json!({})).await;
    let body = "raw \u{5b57} {";
    let new = json!({
        "key": "4711", "channel_id": channel["id"], "delay": "PT1H", "body": body, "exchange": "amq.topic",
        "routing_key": "orders.unpaid", "headers": {"X-Shop": "north"},
    });
    server.as_admin().post("/api/v1/messages", &new).await.expect(201);
    server.advance(3_600_000).await;
    let [message] = &queue.all().await[..] else { panic!("not one message") };
    let properties = &message.delivery.properties;
    assert_eq!((message.delivery.data.as_slice(), properties.delivery_mode()), (body.as_bytes(), &Some(2)));
    assert_eq!(message.delivery.routing_key.as_str(), "orders.unpaid");
    assert_eq!(properties.kind().as_ref().unwrap().as_str(), "message");
    let headers = properties.headers().as_ref().unwrap().inner();
    assert_eq!(headers.get("X-Shop"), Some(&AMQPValue::LongString("north".into())));
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(id_of(properties), format!("msg_{}", text(&delivery["id"])));
    assert_eq!(text(&delivery["state"]), "delivered");
}

async fn s4_a_channel_sets_headers_and_how_messages_are_published(rabbit: &Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Servers).await, Queue::bind(rabbit, "plain").await);
    let headers = json!({"X-Shop": "north", "X-Desk": "news"});
    let amqp = json!({"headers": headers, "persistent": false, "mandatory": false});
    let channel = server.create_amqp_channel(rabbit.port(), "plain", json!({"amqp": amqp})).await;
    for (field, value) in amqp.as_object().unwrap() {
        assert_eq!(&channel["amqp"][field], value, "{channel}");
    }
    assert_eq!(channel["amqp"]["confirm"], true);
    server.publish_article("Not stored").await;
    let new = json!({
        "channel_id": channel["id"], "delay": "PT1S", "body": "x", "routing_key": "plain.order",
        "headers": {"x-shop": "south"},
    });
    server.as_admin().post("/api/v1/messages", &new).await.expect(201);
    server.advance(1_000).await;
    let [event, message] = &queue.all().await[..] else { panic!("not two messages") };
    let header = |of: &BasicGetMessage, name: &str| {
        let headers = of.delivery.properties.headers().clone().unwrap();
        headers.inner().get(name).cloned()
    };
    let long = |text: &str| Some(AMQPValue::LongString(text.into()));
    assert_eq!(event.delivery.properties.delivery_mode(), &Some(1));
    assert_eq!((header(event, "X-Shop"), header(event, "X-Desk")), (long("north"), long("news")));
    // Its own header replaces that of the channel, whatever its case.
    assert_eq!((header(message, "x-shop"), header(message, "X-Shop")), (long("south"), None));
    assert_eq!(header(message, "X-Desk"), long("news"));
    // What no queue takes is dropped, as the channel says.
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let nowhere = json!({"amqp": {"routing_key": "nowhere.{kind}", "headers": {}}});
    let changed = server.as_admin().patch(&path, &nowhere).await.expect(200);
    assert_eq!((&changed["amqp"]["headers"], &changed["amqp"]["mandatory"]), (&json!({}), &json!(false)));
    server.publish_article("Dropped").await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    assert!(queue.all().await.is_empty());
}

async fn a_channel_without_confirms_still_sees_what_comes_back(rabbit: &Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Embedded).await, Queue::bind(rabbit, "swift").await);
    let amqp = json!({"confirm": false});
    let channel = server.create_amqp_channel(rabbit.port(), "swift", json!({"amqp": amqp})).await;
    for title in ["One", "Two"] {
        server.publish_article(title).await;
        assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    }
    assert_eq!(queue.all().await.len(), 2);
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let nowhere = json!({"amqp": {"routing_key": "nowhere.{kind}"}});
    server.as_admin().patch(&path, &nowhere).await.expect(200);
    server.publish_article("No queue").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("failed", "refused"), "{delivery}");
    let answer = text(&delivery["attempt_log"][0]["response_body"]);
    assert!(answer.contains("no queue takes nowhere.article.published"), "{answer}");
    // The form of the page turns confirms on again and keeps what it shows.
    let page = server
        .page(&server.admin, &format!("/settings/channels/{}?tab=settings", text(&channel["id"])))
        .await;
    assert_contains(&page, &["When the broker has received it", "The message fails and is shown"]);
    let url = format!("amqp://127.0.0.1:{}", rabbit.port());
    let form = [
        ("id", text(&channel["id"])),
        ("channel[transport]", "amqp"),
        ("channel[name]", "Broker"),
        ("channel[url]", &*url),
        ("channel[username]", Rabbit::USER),
        ("channel[exchange]", "amq.topic"),
        ("channel[routing_key]", "swift.{kind}"),
        ("channel[headers]", "X-Shop: north\n"),
        ("channel[persistent]", "true"),
        ("channel[mandatory]", "true"),
        ("channel[confirm]", "true"),
        ("channel[retry_schedule]", "10s"),
        ("channel[on_unknown_outcome]", "retry"),
        ("channel[concurrency]", "1"),
        ("from", "/settings/channels"),
    ];
    let browser = server.log_in_browser(&server.admin).await;
    let saved = browser.form("/fn/edit_channel", &form).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let amqp = server.get_channel(&channel).await["amqp"].clone();
    assert_eq!((&amqp["confirm"], &amqp["headers"]), (&json!(true), &json!({"X-Shop": "north"})));
}

async fn a_restarted_broker_gets_the_pending_messages(mut rabbit: Rabbit) {
    let (server, queue) = (TestServer::start(Backend::Embedded).await, Queue::bind(&rabbit, "phoenix").await);
    let channel = server.create_amqp_channel(rabbit.port(), "phoenix", json!({})).await;
    server.publish_article("Before").await;
    drop(queue);
    rabbit.kill().await;
    server.publish_article("Meanwhile").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), text(&delivery["outcome"])),
        ("pending", "unreachable"),
        "{delivery}"
    );
    rabbit.restart().await;
    server.advance(12_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    let queue = Queue::open(&rabbit, "phoenix").await;
    let titles: Vec<_> =
        queue.all().await.iter().map(|message| text(&body_of(message)["data"]["title"]).to_owned()).collect();
    assert_eq!(titles, ["Before", "Meanwhile"]);
}
