//! Which failures of mails concern a message, and which its server.

use super::{super::text, outbound};
use crate::{on_both, test_server::TestServer};
use domain::{EmailAddress, delivery::RecipientOutcome};
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{SendResult, egress::Rules, mail::MailSender},
};
use serde_json::{Value, json};
use test_support::{Behaviour, Sink, SmtpBehaviour, SmtpSink, Stage};

on_both!(
    a_refused_text_is_a_failure_of_its_message_only,
    failures_of_the_session_pause_the_channel,
    a_message_that_fails_again_and_again_is_not_the_probe_of_a_paused_channel,
    a_receiver_that_refuses_single_messages_is_not_paused,
);

/// Failures in a row, and until when the channel is paused.
async fn health(server: &TestServer, channel: &Value) -> (Option<u64>, bool) {
    let shown = server.get_channel(channel).await;
    (shown["failures"].as_u64(), shown["breaker_open_until"].is_null())
}

async fn a_refused_text_is_a_failure_of_its_message_only(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({"concurrency": 1})).await;
    smtp.refuse_text("Spam", "554 5.7.1 looks like spam");
    for number in 0..7 {
        server.publish_article(&format!("Spam {number}")).await;
    }
    assert_eq!(health(&server, &channel).await, (Some(0), true));
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "failed");
    server.publish_article("Good").await;
    assert_eq!(smtp.received().len(), 1);
}

async fn failures_of_the_session_pause_the_channel(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({"retry_schedule": "1h"})).await;
    for behaviour in [
        SmtpBehaviour::Disconnect(Stage::Greeting),
        SmtpBehaviour::Reply(Stage::Greeting, "421 4.3.2 shutting down"),
        SmtpBehaviour::Reply(Stage::Sender, "451 4.3.0 try later"),
        SmtpBehaviour::Reply(Stage::Sender, "550 5.7.1 sender refused"),
        SmtpBehaviour::Reply(Stage::Text, "452 4.3.1 disk full"),
    ] {
        smtp.behave([behaviour]);
        server.publish_article("Later").await;
        assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "pending", "{behaviour:?}");
    }
    let (failures, is_open) = health(&server, &channel).await;
    assert_eq!((failures, is_open), (Some(5), false));
}

async fn a_message_that_fails_again_and_again_is_not_the_probe_of_a_paused_channel(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let often = "1s, 1s, 1s, 1s, 1s, 1s, 1s, 1s, 1s, 1s";
    let channel = server.create_mail_channel(&smtp, json!({"retry_schedule": often, "concurrency": 1})).await;
    smtp.refuse_text("Poison", "451 4.3.0 cannot scan this now");
    server.publish_article("Poison").await;
    for _ in 0..5 {
        server.advance(2_000).await;
    }
    assert_eq!(health(&server, &channel).await, (Some(5), false), "it is paused");
    server.publish_article("Good").await;
    assert!(smtp.received().is_empty(), "nothing is sent while it is paused");
    // The pause after five failures lasts 30 seconds. A failed probe would double it.
    server.advance(31_000).await;
    assert_eq!(smtp.received().len(), 1, "the message that has not failed is sent first");
    assert!(smtp.received()[0].text.contains("Good"));
}

async fn a_receiver_that_refuses_single_messages_is_not_paused(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({"retry_schedule": "1h"})).await;
    sink.behave([503, 400, 413, 422, 400, 413, 422].map(Behaviour::status));
    for number in 0..7 {
        server.publish_article(&format!("Refused {number}")).await;
        assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "pending", "it is tried again");
    }
    assert_eq!(health(&server, &channel).await, (Some(0), true), "the receiver works");
}

fn sender() -> MailSender {
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    MailSender::new(open, &TlsRoots::default(), "http://localhost")
}

async fn send(smtp: &SmtpSink, to: &[&str]) -> SendResult {
    let (route, outbound) = outbound("127.0.0.1", smtp.port, to);
    sender().send(&route, &outbound).await
}

/// Outcome of each recipient.
fn outcomes(answer: &SendResult) -> Vec<(&str, RecipientOutcome)> {
    answer.recipients.iter().map(|one| (one.recipient.as_str(), one.outcome)).collect()
}

#[tokio::test]
async fn an_address_that_cannot_be_sent_to_is_no_failure_of_the_server() {
    let smtp = SmtpSink::start().await;
    for bad in ["anna..schmidt@example.org", ".a@example.org", "a.@example.org", "no address"] {
        let answer = send(&smtp, &[bad]).await;
        assert_eq!(outcomes(&answer), [(bad, RecipientOutcome::Refused)], "{answer:?}");
    }
    assert_eq!(smtp.connections(), 0, "the server is not asked");
    // The others of the mail get it.
    let answer = send(&smtp, &["a..b@example.org", "anna@example.org"]).await;
    let expected =
        [("a..b@example.org", RecipientOutcome::Refused), ("anna@example.org", RecipientOutcome::Delivered)];
    assert_eq!(outcomes(&answer), expected);
    assert_eq!(smtp.received()[0].to, ["anna@example.org"]);
}

#[tokio::test]
async fn a_domain_in_another_script_is_sent_as_the_server_can_take_it() {
    const ANNA: &str = "anna@münchen.example";
    const USER: &str = "用户@例子.广告";
    let plain = SmtpSink::start().await;
    assert_eq!(send(&plain, &[ANNA]).await.outcome.as_str(), "delivered");
    let [mail] = &plain.received()[..] else { panic!("{:?}", plain.received()) };
    assert_eq!((&mail.to[..], mail.is_smtputf8), (&["anna@xn--mnchen-3ya.example".to_owned()][..], false));
    assert_eq!(mail.header("To"), "anna@xn--mnchen-3ya.example");
    let refused = send(&plain, &[USER, ANNA]).await;
    assert_eq!(outcomes(&refused), [(USER, RecipientOutcome::Refused), (ANNA, RecipientOutcome::Delivered)]);
    assert!(refused.text.unwrap_or_default().contains("SMTPUTF8"));
    let modern = SmtpSink::start().await;
    modern.offer_smtputf8();
    for to in [ANNA, USER] {
        assert_eq!(send(&modern, &[to]).await.outcome.as_str(), "delivered", "{to}");
    }
    let received = modern.received();
    let sent: Vec<(&str, bool)> =
        received.iter().map(|mail| (mail.to[0].as_str(), mail.is_smtputf8)).collect();
    assert_eq!(sent, [(ANNA, true), (USER, true)]);
    assert_eq!(received[1].header("To"), EmailAddress::parse(USER).unwrap().with_ascii_domain());
    // An address in ASCII needs nothing.
    send(&modern, &["anna@example.org"]).await;
    assert!(!modern.received()[2].is_smtputf8);
}

#[tokio::test]
async fn a_connection_is_used_again_after_all_recipients_were_refused() {
    let smtp = SmtpSink::start().await;
    smtp.refuse("ben@example.org", ["550 5.1.1 unknown user"]);
    let sender = sender();
    for (to, outcome) in [("ben@example.org", "refused"), ("anna@example.org", "delivered")] {
        let (route, outbound) = outbound("127.0.0.1", smtp.port, &[to]);
        assert_eq!(sender.send(&route, &outbound).await.outcome.as_str(), outcome);
    }
    assert_eq!(smtp.connections(), 1);
}
