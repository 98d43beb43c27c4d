//! A build without AMQP: it adds no AMQP channel, and pending messages of an existing one wait
//! with a reason.

use super::{DAY_MS, text};
use crate::test_server::{Backend, TestServer};
use domain::{
    ChannelId,
    channel::{AmqpEndpoint, ChannelSettings, Endpoint, Transport},
};
use serde_json::json;

#[tokio::test]
async fn a_transport_not_in_this_build_is_refused_with_a_message() {
    let server = TestServer::start(Backend::Embedded).await;
    let amqp = json!({"url": "amqps://mq.example.org", "username": "desk", "password": "open sesame"});
    let new = json!({"transport": "amqp", "name": "Broker", "amqp": amqp});
    let refused = server.as_admin().post("/api/v1/channels", &new).await.expect(422);
    assert_eq!(refused["error"]["field"], "transport");
    assert!(refused.to_string().contains("is not in this build"), "{refused}");
}

#[tokio::test]
async fn pending_messages_of_a_transport_not_in_this_build_wait_with_a_reason() {
    let server = TestServer::start(Backend::Embedded).await;
    let (id, store) = (ChannelId::generate(), &server.app.parts.store);
    let Endpoint::Amqp(route) = Endpoint::initial(Transport::Amqp) else { unreachable!("AMQP is AMQP") };
    let route = AmqpEndpoint { url: "amqps://mq.example.org".to_owned(), ..route };
    let new = ChannelSettings {
        name: "Broker".to_owned(),
        endpoint: Endpoint::Amqp(route),
        ..ChannelSettings::initial(Transport::Amqp)
    };
    let mut tx = store.begin(store::PoolRole::Web).await.unwrap();
    store::channel::insert(tx.conn(), id, &new, None, server.now()).await.unwrap();
    tx.commit().await.unwrap();
    let channel = json!({"id": id});
    server.publish_article("Pending").await;
    // More often than its retry schedule has steps.
    for _ in 0..10 {
        let delivery = server.latest_delivery(&channel).await;
        assert_eq!(
            (text(&delivery["state"]), text(&delivery["outcome"])),
            ("pending", "not_sent"),
            "{delivery}"
        );
        assert!(delivery["attempt_log"].to_string().contains("built without AMQP"), "{delivery}");
        assert!(server.get_channel(&channel).await["breaker_open_until"].is_string());
        server.advance(DAY_MS).await;
    }
}
