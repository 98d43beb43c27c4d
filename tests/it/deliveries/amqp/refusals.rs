//! AMQP without a broker: addresses that are not connected to, timeouts, and settings that are refused.

use super::super::{text, webhook::own_name};
use crate::test_server::{Backend, TestServer};
use domain::{
    DeliveryId, Timestamp,
    channel::{AmqpEndpoint, Endpoint},
};
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{OutboundMessage, SendResult, amqp::AmqpSender, egress::Rules},
};
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{Rabbit, SmtpSink};

#[tokio::test]
async fn amqp_does_not_connect_to_the_private_network() {
    let private_server = SmtpSink::start().await;
    let port = private_server.port;
    let strict = AmqpSender::new(Rules::default(), &TlsRoots::default());
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", &own_name()] {
        for scheme in ["amqp", "amqps"] {
            let answer = send(&strict, &format!("{scheme}://{host}:{port}")).await;
            assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
        }
    }
    assert_eq!(private_server.connections(), 0);
    // Nor is a public address reached without encryption, whatever the operator allows.
    let open = AmqpSender::new(
        Rules { allow_private: true, allow_http: true, ..Rules::default() },
        &TlsRoots::default(),
    );
    let answer = send(&open, "amqp://93.184.215.14").await;
    assert_eq!(answer.outcome.as_str(), "blocked", "{answer:?}");
}

#[tokio::test]
async fn an_unresponsive_broker_times_out() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let rules = Rules { allow_private: true, ..Rules::default() };
    let (before, after) = (Duration::from_millis(300), Duration::from_millis(300));
    for scheme in ["amqp", "amqps"] {
        let answer = send(
            &AmqpSender::with_timeouts(rules.clone(), &TlsRoots::default(), before, after),
            &format!("{scheme}://127.0.0.1:{port}"),
        )
        .await;
        assert_eq!(answer.outcome.as_str(), "unreachable", "{answer:?}");
    }
}

/// Makes one attempt.
pub(super) async fn send(amqp: &AmqpSender, url: &str) -> SendResult {
    let (username, exchange) = (Rabbit::USER.to_owned(), String::new());
    let (url, key) = (url.to_owned(), "news".to_owned());
    let route = AmqpEndpoint { url, username, exchange, key, ..AmqpEndpoint::initial() };
    let at = Timestamp::from_millis(0);
    let body = json!({"type": "test", "timestamp": at, "data": {"channel": "Broker"}});
    let (id, secrets) = (DeliveryId::generate(), vec![Rabbit::PASSWORD.into()]);
    let outbound = OutboundMessage {
        id,
        attempt: 1,
        route: Endpoint::Amqp(route.clone()),
        body: body.to_string(),
        options: None,
        secrets,
        at,
        known: Vec::new(),
        origin: None,
        post: None,
    };
    amqp.send(&route, &outbound).await
}

#[tokio::test]
async fn invalid_broker_settings_are_refused_with_their_field() {
    let server = TestServer::start(Backend::Embedded).await;
    let good = json!({"url": "amqps://mq.example.org/desk", "username": "desk", "password": "open sesame"});
    let add = async |field: &str, value: Value| {
        let mut new = json!({"transport": "amqp", "name": "Broker", "amqp": good});
        new["amqp"][field] = value;
        server.as_admin().post("/api/v1/channels", &new).await
    };
    for (field, value) in [
        ("url", json!("https://mq.example.org")),
        ("url", json!("amqps://desk:pw@mq.example.org")),
        ("username", json!("")),
        ("password", json!("")),
        ("exchange", json!("two words")),
        ("exchange", json!("x".repeat(128))),
        ("routing_key", json!("")),
        ("routing_key", json!("{event}")),
        ("routing_key", json!("{kind}".repeat(14))),
        ("headers", json!({"two words": "x"})),
        ("headers", json!({"X-Shop": "line\nbreak"})),
    ] {
        let refused = add(field, value.clone()).await.expect(422);
        assert_eq!(refused["error"]["field"], format!("amqp.{field}"), "{value}: {refused}");
    }
    let made = add("exchange", json!("")).await.expect(201);
    let path = format!("/settings/channels/{}?tab=settings", text(&made["id"]));
    let page = server.page(&server.admin, &path).await;
    crate::engine_page::assert_contains(
        &page,
        &["amqps://mq.example.org/desk", "presstime.{kind}", "Routing key"],
    );
    assert!(!page.contains("open sesame"), "{page}");
}
