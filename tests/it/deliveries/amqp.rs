//! AMQP, against a real broker: what it confirms has arrived, what it does not is known, and nothing is lost.

use super::{DAY_MS, text, webhook::own_name};
use crate::house::{Flavour, Story};
use domain::{
    DeliveryId, Timestamp,
    channel::{AmqpRoute, Route},
};
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    message::BasicGetMessage,
    options::{BasicGetOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};
use presstime::channels::{Answer, Letter, amqp::Messenger, guard::Rules, trust::Trust};
use rig::{Proxy, Rabbit, SmtpSink};
use serde_json::{Value, json};
use std::time::Duration;

/// The stories share one broker, and the last one kills it: it takes seconds to start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_gets_every_message_and_what_it_does_not_take_is_known() {
    let rabbit = Rabbit::start().await;
    tokio::join!(
        what_is_published_arrives_persistent_with_its_id_and_kind(&rabbit),
        what_no_queue_takes_fails_with_its_reason(&rabbit),
        what_the_broker_will_not_keep_is_sent_again(&rabbit),
        an_encrypted_message_goes_to_whom_the_operator_believes(&rabbit),
        a_wrong_password_is_no_fault_of_the_message(&rabbit),
        an_answer_that_is_lost_repeats_the_message_with_its_id(&rabbit),
        an_answer_that_is_lost_asks_a_person_where_the_channel_says_so(&rabbit),
    );
    a_broker_that_dies_and_comes_back_gets_what_waited(rabbit).await;
}

impl Story {
    /// A channel to the exchange `amq.topic` of the broker at this port, with keys of its own.
    async fn amqp_channel(&self, port: u16, keys: &str, more: Value) -> Value {
        let amqp = json!({
            "address": format!("amqp://127.0.0.1:{port}"), "user": Rabbit::USER, "password": Rabbit::PASSWORD,
            "key": format!("{keys}.{{kind}}"),
        });
        self.add(json!({"way": "amqp", "name": "Broker", "ladder": "10s, 1m", "amqp": amqp}), more).await
    }
}

/// The other side of the broker: a durable queue of one's own.
struct Queue {
    name: String,
    channel: Channel,
    _connection: Connection,
}

impl Queue {
    /// A fresh queue that gets what `keys.#` matches.
    async fn bound(rabbit: &Rabbit, keys: &str) -> Self {
        Self::bound_with(rabbit, keys, FieldTable::default()).await
    }

    /// The same with arguments of RabbitMQ's.
    async fn bound_with(rabbit: &Rabbit, keys: &str, arguments: FieldTable) -> Self {
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

    /// A queue that is there.
    async fn open(rabbit: &Rabbit, name: &str) -> Self {
        let password = Rabbit::PASSWORD.replace(' ', "%20");
        let url = format!("amqp://{}:{password}@127.0.0.1:{}", Rabbit::USER, rabbit.port());
        let connection = Connection::connect(&url, ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        Self { name: name.to_owned(), channel, _connection: connection }
    }

    /// What is in it, in the order it came; then it is empty.
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

async fn what_is_published_arrives_persistent_with_its_id_and_kind(rabbit: &Rabbit) {
    let (story, queue) = (Story::begin(Flavour::Servers).await, Queue::bound(rabbit, "first").await);
    let channel = story.amqp_channel(rabbit.port(), "first", json!({})).await;
    assert!(channel["secret"].is_null() && channel["amqp"].get("password").is_none(), "{channel}");
    assert_eq!((text(&channel["amqp"]["exchange"]), text(&channel["on_ambiguous"])), ("amq.topic", "retry"));
    story.publish("Tea & cake").await;
    let delivery = story.newest(&channel).await;
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
    story.advance(DAY_MS).await;
    story.do_to(&channel, "test").await;
    story.tick().await;
    let [test] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(test.delivery.routing_key.as_str(), "first.test");
    let settings = story.look_at(&channel).await.to_string();
    assert!(!settings.contains(Rabbit::PASSWORD), "{settings}");
}

async fn what_no_queue_takes_fails_with_its_reason(rabbit: &Rabbit) {
    let story = Story::begin(Flavour::Embedded).await;
    let channel = story.amqp_channel(rabbit.port(), "unbound", json!({})).await;
    story.publish("Nobody listens").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("failed", "refused"), "{delivery}");
    let answer = text(&delivery["tries"][0]["answer"]);
    assert!(answer.contains("unbound.article.published") && answer.contains("NO_ROUTE"), "{answer}");
    assert_eq!(delivery["tries"][0]["status"], 312);
    assert_eq!((text(&story.look_at(&channel).await["state"]), story.attention_count().await), ("active", 1));
    let queue = Queue::bound(rabbit, "unbound").await;
    story.decide(&delivery, "resend").await;
    story.tick().await;
    let [message] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(id_of(&message.delivery.properties), format!("msg_{}", text(&delivery["id"])));
    // An exchange that is not there can be made: the message waits for it.
    let elsewhere = json!({"amqp": {"exchange": "not-there"}});
    let channel = story.amqp_channel(rabbit.port(), "elsewhere", elsewhere).await;
    story.do_to(&channel, "test").await;
    story.tick().await;
    let delivery = story.newest(&channel).await;
    let answer = text(&delivery["tries"][0]["answer"]);
    assert_eq!((text(&delivery["outcome"]), delivery["tries"][0]["status"].as_u64()), ("refused", Some(404)));
    assert!(answer.contains("not-there"), "{answer}");
}

/// A queue that is full and says so: the broker answers each further message with a nack.
async fn what_the_broker_will_not_keep_is_sent_again(rabbit: &Rabbit) {
    let mut full = FieldTable::default();
    full.insert("x-max-length".into(), AMQPValue::LongInt(1));
    full.insert("x-overflow".into(), AMQPValue::LongString("reject-publish".into()));
    let (story, queue) =
        (Story::begin(Flavour::Embedded).await, Queue::bound_with(rabbit, "full", full).await);
    let channel = story.amqp_channel(rabbit.port(), "full", json!({})).await;
    story.publish("It fits").await;
    story.publish("It does not").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"), "{delivery}");
    let [first] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(text(&body_of(first)["data"]["title"]), "It fits");
    story.advance(12_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    let [second] = &queue.all().await[..] else { panic!("not one message") };
    assert_eq!(id_of(&second.delivery.properties), format!("msg_{}", text(&delivery["id"])));
}

async fn an_encrypted_message_goes_to_whom_the_operator_believes(rabbit: &Rabbit) {
    let queue = Queue::bound(rabbit, "news").await;
    let rules = Rules { allow_private: true, ..Rules::default() };
    let believing = Trust::read(Some(&rabbit.authority().file())).unwrap();
    let address = format!("amqps://localhost:{}", rabbit.tls_port());
    let answer = send(&Messenger::new(rules.clone(), &believing), &address).await;
    assert_eq!(answer.outcome.as_str(), "delivered", "{answer:?}");
    let answer = send(&Messenger::new(rules, &Trust::default()), &address).await;
    assert_eq!(answer.outcome.as_str(), "unreachable", "{answer:?}");
    assert_eq!(queue.all().await.len(), 1);
}

async fn a_wrong_password_is_no_fault_of_the_message(rabbit: &Rabbit) {
    let (story, queue) = (Story::begin(Flavour::Embedded).await, Queue::bound(rabbit, "locked").await);
    let wrong = json!({"amqp": {"password": "open barley"}});
    let channel = story.amqp_channel(rabbit.port(), "locked", wrong).await;
    story.publish("Locked out").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"), "{delivery}");
    assert_eq!(delivery["tries"][0]["status"], 403);
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    let right = json!({"amqp": {"password": Rabbit::PASSWORD}});
    story.as_admin().patch(&path, &right).await.expect(200);
    let moved = json!({"amqp": {"address": "amqp://127.0.0.1:5672"}});
    assert_eq!(story.as_admin().patch(&path, &moved).await.expect(422)["error"]["field"], "password");
    story.advance(12_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    assert_eq!(queue.all().await.len(), 1);
}

async fn an_answer_that_is_lost_repeats_the_message_with_its_id(rabbit: &Rabbit) {
    let (story, queue) = (Story::begin(Flavour::Embedded).await, Queue::bound(rabbit, "cut").await);
    let way = Proxy::to(rabbit.port()).await;
    let channel = story.amqp_channel(way.port(), "cut", json!({})).await;
    story.publish("Before").await;
    way.lose_the_answer_to("Perhaps");
    story.publish("Perhaps").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "unknown"), "{delivery}");
    story.advance(12_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    // The kept connection breaks while nothing is sent: another one is made, and nobody is asked.
    way.cut();
    story.publish("After").await;
    let delivery = story.newest(&channel).await;
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

async fn an_answer_that_is_lost_asks_a_person_where_the_channel_says_so(rabbit: &Rabbit) {
    let (story, queue) = (Story::begin(Flavour::Embedded).await, Queue::bound(rabbit, "doubt").await);
    let way = Proxy::to(rabbit.port()).await;
    let channel = story.amqp_channel(way.port(), "doubt", json!({"on_ambiguous": "hold"})).await;
    way.lose_the_answer_to("Perhaps");
    story.publish("Perhaps").await;
    story.advance(DAY_MS).await;
    let delivery = story.newest(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), text(&delivery["outcome"])),
        ("unconfirmed", "unknown"),
        "{delivery}"
    );
    assert_eq!((queue.all().await.len(), story.attention_count().await), (1, 1));
    assert_eq!(text(&story.decide(&delivery, "arrived").await["state"]), "delivered");
}

async fn a_broker_that_dies_and_comes_back_gets_what_waited(mut rabbit: Rabbit) {
    let (story, queue) = (Story::begin(Flavour::Embedded).await, Queue::bound(&rabbit, "phoenix").await);
    let channel = story.amqp_channel(rabbit.port(), "phoenix", json!({})).await;
    story.publish("Before").await;
    drop(queue);
    rabbit.kill().await;
    story.publish("Meanwhile").await;
    let delivery = story.newest(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), text(&delivery["outcome"])),
        ("pending", "unreachable"),
        "{delivery}"
    );
    rabbit.start_again().await;
    story.advance(12_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    let queue = Queue::open(&rabbit, "phoenix").await;
    let titles: Vec<_> =
        queue.all().await.iter().map(|message| text(&body_of(message)["data"]["title"]).to_owned()).collect();
    assert_eq!(titles, ["Before", "Meanwhile"]);
}

#[tokio::test]
async fn no_message_connects_into_the_private_network() {
    let honeypot = SmtpSink::start().await;
    let port = honeypot.port;
    let strict = Messenger::new(Rules::default(), &Trust::default());
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", &own_name()] {
        for scheme in ["amqp", "amqps"] {
            let answer = send(&strict, &format!("{scheme}://{host}:{port}")).await;
            assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
        }
    }
    assert_eq!(honeypot.connections(), 0);
    // Without encryption not into the public one either, whatever the operator allows.
    let open = Messenger::new(
        Rules { allow_private: true, allow_http: true, ..Rules::default() },
        &Trust::default(),
    );
    let answer = send(&open, "amqp://93.184.215.14").await;
    assert_eq!(answer.outcome.as_str(), "blocked", "{answer:?}");
}

#[tokio::test]
async fn a_broker_that_says_nothing_is_not_waited_for() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let rules = Rules { allow_private: true, ..Rules::default() };
    let (before, after) = (Duration::from_millis(300), Duration::from_millis(300));
    for scheme in ["amqp", "amqps"] {
        let answer = send(
            &Messenger::patient(rules.clone(), &Trust::default(), before, after),
            &format!("{scheme}://127.0.0.1:{port}"),
        )
        .await;
        assert_eq!(answer.outcome.as_str(), "unreachable", "{answer:?}");
    }
}

async fn send(messenger: &Messenger, address: &str) -> Answer {
    let (user, exchange) = (Rabbit::USER.to_owned(), String::new());
    let route = AmqpRoute { address: address.to_owned(), user, exchange, key: "news".to_owned() };
    let at = Timestamp::from_millis(0);
    let body = json!({"type": "test", "timestamp": at, "data": {"channel": "Broker"}});
    let (id, secrets) = (DeliveryId::fresh(), vec![Rabbit::PASSWORD.into()]);
    let letter = Letter {
        id,
        attempt: 1,
        route: Route::Amqp(route.clone()),
        body: body.to_string(),
        secrets,
        at,
        known: Vec::new(),
    };
    messenger.send(&route, &letter).await
}

#[tokio::test]
async fn a_broker_that_cannot_be_is_refused_with_its_field() {
    let story = Story::begin(Flavour::Embedded).await;
    let good = json!({"address": "amqps://mq.example.org/desk", "user": "desk", "password": "open sesame"});
    let add = async |field: &str, value: Value| {
        let mut new = json!({"way": "amqp", "name": "Broker", "amqp": good});
        new["amqp"][field] = value;
        story.as_admin().post("/api/v1/channels", &new).await
    };
    for (field, value) in [
        ("address", json!("https://mq.example.org")),
        ("address", json!("amqps://desk:pw@mq.example.org")),
        ("user", json!("")),
        ("password", json!("")),
        ("exchange", json!("two words")),
        ("exchange", json!("x".repeat(128))),
        ("key", json!("")),
        ("key", json!("{event}")),
        ("key", json!("{kind}".repeat(14))),
    ] {
        let refused = add(field, value.clone()).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{value}: {refused}");
    }
    let made = add("exchange", json!("")).await.expect(201);
    let path = format!("/settings/channels/{}", text(&made["id"]));
    let page = story.page(&story.admin, &path).await;
    crate::sheet::says(&page, &["amqps://mq.example.org/desk", "presstime.{kind}", "Routing key"]);
    assert!(!page.contains("open sesame"), "{page}");
}
