//! Messages through mail and short messages: text, subject and recipients.

use crate::{
    deliveries::text,
    on_both,
    test_server::{Backend, TestServer},
};
use serde_json::json;
use test_support::{Sink, SmtpSink};

on_both!(a_message_is_mailed_as_plain_text);

async fn a_message_is_mailed_as_plain_text(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    let body = "Your order is unpaid.\n<b>4711</b>";
    let more = json!({"delay": "PT0S", "body": body, "headers": {"Subject": "Order 4711"}});
    server.create_message(&channel, "first", more).await;
    server.create_message(&channel, "second", json!({"delay": "PT0S", "body": body})).await;
    server.tick().await;
    let mails = smtp.received();
    assert_eq!(mails.len(), 2);
    let all = format!("{mails:?}");
    assert!(all.contains("Subject: Order 4711") && all.contains("Subject: Your order is unpaid."), "{all}");
    assert!(all.contains("text/plain") && !all.contains("text/html") && all.contains("<b>4711</b>"), "{all}");
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    let refused = json!({"key": "x", "channel_id": channel["id"], "delay": "PT1S", "body": "", "headers": {"X-A": "b"}});
    assert_eq!(server.as_admin().post("/api/v1/messages", &refused).await.status, 422);
}

#[tokio::test]
async fn a_message_is_the_text_of_a_short_message() {
    let server = TestServer::start(Backend::Embedded).await;
    let gateway = Sink::start().await;
    let sms = json!({"url": gateway.url(), "to": ["+4930123"], "format": "json"});
    let new = json!({"transport": "sms", "name": "Gateway", "sms": sms});
    let channel = server.create_channel(new, json!({})).await;
    server
        .create_message(&channel, "one", json!({"delay": "PT0S", "body": "Coupon \"A\" ends at 18:00"}))
        .await;
    server.tick().await;
    let [received] = &gateway.received()[..] else { panic!("not one message") };
    let sent: serde_json::Value = serde_json::from_str(&received.body).unwrap();
    assert_eq!(sent["text"], "Coupon \"A\" ends at 18:00");
}
