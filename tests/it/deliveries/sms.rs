//! SMS: one request for all numbers, rendered from a template.

use super::text;
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink};

on_both!(
    a_publication_is_sent_to_the_gateway_once,
    a_gateway_that_expects_a_form_gets_a_form,
    a_lost_response_of_a_gateway_holds_the_message,
);

async fn sms_channel(server: &TestServer, sink: &Sink, more: Value) -> Value {
    let sms = json!({
        "url": sink.url(), "to": ["+49 30 1234567", "0086-10-1234"],
        "template": r#"{"n": {numbers}, "to": "{to}", "text": "{text}", "ref": "{id}", "what": "{event}"}"#,
    });
    server
        .create_channel(
            json!({"transport": "sms", "name": "Phones", "retry_schedule": "10s", "sms": sms}),
            more,
        )
        .await
}

async fn a_publication_is_sent_to_the_gateway_once(server: TestServer) {
    let sink = Sink::start().await;
    let with_secret = json!({"sms": {"header": "X-Api-Key", "secret": "kept-quiet"}});
    let channel = sms_channel(&server, &sink, with_secret).await;
    sink.behave([Behaviour::status(500)]);
    server.publish_article(r#"He said "{to}" \ & left"#).await;
    server.advance(12_000).await;
    let [first, message] = &sink.received()[..] else { panic!("{:?}", sink.received()) };
    assert_eq!(first.body, message.body);
    let body: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!(body["n"], json!(["+49301234567", "0086101234"]));
    assert_eq!((text(&body["to"]), text(&body["what"])), ("+49301234567,0086101234", "article.published"));
    let begin = format!(r#"Published: He said "{{to}}" \ & left {}/site/"#, server.url);
    assert!(text(&body["text"]).starts_with(&begin), "{body}");
    let delivery = server.latest_delivery(&channel).await;
    let id = format!("msg_{}", text(&delivery["id"]));
    assert_eq!((text(&body["ref"]), message.header("idempotency-key")), (id.as_str(), id.as_str()));
    assert_eq!(message.header("x-api-key"), "kept-quiet");
    assert!(message.header("webhook-signature").is_empty());
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("delivered", Some(2)));
}

async fn a_gateway_that_expects_a_form_gets_a_form(server: TestServer) {
    let sink = Sink::start().await;
    let form =
        json!({"sms": {"format": "form", "template": "to={to}&text={text}&from=desk", "language": "zh"}});
    sms_channel(&server, &sink, form).await;
    server.publish_article("1 & 1 = 2").await;
    let [message] = &sink.received()[..] else { panic!("{:?}", sink.received()) };
    assert_eq!(message.header("content-type"), "application/x-www-form-urlencoded");
    let begin = "to=%2B49301234567%2C0086101234&text=%E5%B7%B2%E5%8F%91%E5%B8%83%EF%BC%9A1+%26+1+%3D+2+http";
    assert!(message.body.starts_with(begin) && message.body.ends_with("&from=desk"), "{}", message.body);
}

async fn a_lost_response_of_a_gateway_holds_the_message(server: TestServer) {
    let sink = Sink::start().await;
    let channel = sms_channel(&server, &sink, json!({})).await;
    sink.behave([Behaviour::Disconnect]);
    server.publish_article("Perhaps").await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "unconfirmed");
    assert_eq!(server.attention_count().await, 1);
}
