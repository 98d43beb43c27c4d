//! Mails: sent once, as text and HTML, with a constant id; every outcome is known or marked
//! unknown.

mod desk_server;
mod failures;

use super::{DAY_MS, text, webhook::own_name};
use crate::{calendar::ics::part, on_both, test_server::TestServer};
use domain::{
    DeliveryId, Timestamp,
    account::Language,
    channel::{Endpoint, MailEndpoint, MailSecurity},
};
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{OutboundMessage, SendResult, egress::Rules, mail::MailSender},
};
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{SmtpBehaviour, SmtpSink, Stage};

on_both!(
    a_publication_is_mailed_once_as_text_and_html,
    a_temporarily_refused_mail_is_retried_unchanged,
    a_lost_response_to_a_mail_holds_it,
    a_connection_cut_before_the_text_counts_as_not_sent,
    a_permanently_refused_mail_fails_immediately,
    a_mail_is_retried_after_a_failed_log_in,
);

async fn a_publication_is_mailed_once_as_text_and_html(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    assert!(channel["secret"].is_null() && channel["url"].is_null(), "{channel}");
    server.publish_article("Tea & cake").await;
    let [mail] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(mail.from, "desk@example.org");
    assert_eq!(mail.to, ["anna@example.org", "ben@example.org"]);
    assert_eq!(mail.header("To"), "undisclosed-recipients:;");
    assert_eq!(mail.header("Subject"), "Published: Tea & cake");
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(mail.header("Message-ID"), format!("<msg_{}@example.org>", text(&delivery["id"])));
    let link = format!("{}/site/", server.url);
    let [plain, html] = ["text/plain", "text/html"].map(|kind| part(mail, kind).1);
    assert!(plain.contains(&link), "{plain}");
    assert!(html.contains("Tea &amp; cake") && html.contains(&format!("href=\"{link}")), "{html}");
    assert_eq!(
        (text(&delivery["state"]), delivery["attempt_log"][0]["status"].as_u64()),
        ("delivered", Some(250))
    );
    server.advance(DAY_MS).await;
    assert_eq!(smtp.received().len(), 1);
    server.post_channel_action(&channel, "test").await;
    server.tick().await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    assert!(smtp.received()[1].text.contains("Readers"));
}

async fn a_temporarily_refused_mail_is_retried_unchanged(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.behave([
        SmtpBehaviour::Reply(Stage::Recipient, "451 4.7.1 greylisted, come again"),
        SmtpBehaviour::Reply(Stage::Text, "452 4.3.1 disk full"),
    ]);
    server.publish_article("Retried").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"));
    assert_eq!((delivery["attempt_log"][0]["status"].as_u64(), smtp.received().len()), (Some(451), 0));
    server.advance(12_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "pending");
    server.advance(70_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    let [first, second] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(first, second);
}

async fn a_lost_response_to_a_mail_holds_it(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.behave([SmtpBehaviour::Disconnect(Stage::Text)]);
    server.publish_article("Perhaps").await;
    server.advance(DAY_MS).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("unconfirmed", "unknown"));
    assert_eq!((smtp.received().len(), server.attention_count().await), (1, 1));
    server.resolve_delivery(&delivery, "resend").await;
    server.tick().await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    let [first, second] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(first, second);
}

async fn a_connection_cut_before_the_text_counts_as_not_sent(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.behave([SmtpBehaviour::Disconnect(Stage::Greeting), SmtpBehaviour::Disconnect(Stage::Data)]);
    server.publish_article("Not yet").await;
    for wait in [12_000, 70_000] {
        let delivery = server.latest_delivery(&channel).await;
        assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "unreachable"));
        server.advance(wait).await;
    }
    assert_eq!(
        (text(&server.latest_delivery(&channel).await["state"]), smtp.received().len()),
        ("delivered", 1)
    );
}

async fn a_permanently_refused_mail_fails_immediately(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.behave([SmtpBehaviour::Reply(Stage::Recipient, "550 5.1.1 unknown user")]);
    server.publish_article("Unknown user").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(1)));
    let answer = text(&delivery["attempt_log"][0]["response_body"]);
    assert!(answer.contains("anna@example.org") && answer.contains("unknown user"), "{answer}");
    assert_eq!((text(&server.get_channel(&channel).await["state"]), smtp.received().len()), ("active", 0));
    assert_eq!(server.attention_count().await, 1);
}

async fn a_mail_is_retried_after_a_failed_log_in(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let login = json!({"mail": {"username": "anna", "password": "open sesame"}});
    let channel = server.create_mail_channel(&smtp, login).await;
    smtp.behave([SmtpBehaviour::Reply(Stage::Login, "535 5.7.8 wrong")]);
    server.publish_article("Locked out").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(
        (text(&delivery["state"]), delivery["attempt_log"][0]["status"].as_u64()),
        ("pending", Some(535))
    );
    server.advance(12_000).await;
    // AUTH PLAIN of RFC 4616: an empty identity, NUL, the user, NUL, the password.
    assert_eq!(smtp.received()[0].login, "AGFubmEAb3BlbiBzZXNhbWU=");
}

#[tokio::test]
async fn an_unresponsive_mail_server_times_out() {
    let smtp = SmtpSink::start().await;
    let open = Rules { allow_private: true, ..Rules::default() };
    let mail_sender = MailSender::with_timeouts(
        open,
        &TlsRoots::default(),
        "http://localhost",
        Duration::from_millis(300),
        Duration::from_millis(300),
    );
    for (stage, outcome) in [
        (Stage::Greeting, "unreachable"),
        (Stage::Recipient, "unreachable"),
        (Stage::Data, "unreachable"),
        (Stage::Text, "unknown"),
    ] {
        smtp.behave([SmtpBehaviour::Hang(stage)]);
        let answer = send(&mail_sender, "127.0.0.1", smtp.port, MailSecurity::Unencrypted).await;
        assert_eq!(answer.outcome.as_str(), outcome, "{stage:?}: {answer:?}");
    }
    assert_eq!(smtp.received().len(), 1);
}

#[tokio::test]
async fn an_smtp_connection_is_reused() {
    let smtp = SmtpSink::start().await;
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let mail_sender = MailSender::new(open, &TlsRoots::default(), "http://localhost");
    let send_one =
        async || send(&mail_sender, "127.0.0.1", smtp.port, MailSecurity::Unencrypted).await.outcome.as_str();
    assert_eq!([send_one().await, send_one().await, send_one().await], ["delivered"; 3]);
    assert_eq!((smtp.received().len(), smtp.connections()), (3, 1));
    smtp.hang_up().await;
    assert_eq!([send_one().await, send_one().await], ["delivered"; 2]);
    assert_eq!((smtp.received().len(), smtp.connections()), (5, 2));
    // A refusal is a response: it is not repeated on a new connection.
    let refusing = SmtpSink::start().await;
    refusing.behave([SmtpBehaviour::Accept, SmtpBehaviour::Reply(Stage::Text, "452 4.3.1 disk full")]);
    let send_to_other = async || {
        send(&mail_sender, "127.0.0.1", refusing.port, MailSecurity::Unencrypted).await.outcome.as_str()
    };
    assert_eq!(send_to_other().await, "delivered");
    let (first, second) = tokio::join!(send_to_other(), send_to_other());
    assert_eq!([first, second].iter().filter(|one| **one == "refused").count(), 1, "{first} {second}");
    assert_eq!(refusing.connections(), 2, "two concurrent mails need two connections");
    assert!(
        smtp.received().iter().all(|mail| mail.to == ["anna@example.org"]),
        "no mail has the recipients of another"
    );
}

#[tokio::test]
async fn a_mail_with_required_encryption_is_never_sent_unencrypted() {
    let smtp = SmtpSink::start().await;
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let mail_sender = MailSender::with_timeouts(
        open,
        &TlsRoots::default(),
        "http://localhost",
        Duration::from_millis(500),
        Duration::from_millis(500),
    );
    for security in [MailSecurity::StartTls, MailSecurity::Tls] {
        let answer = send(&mail_sender, "localhost", smtp.port, security).await;
        assert!(matches!(answer.outcome.as_str(), "refused" | "unreachable"), "{answer:?}");
    }
    assert!(smtp.received().is_empty());
}

#[tokio::test]
async fn smtp_does_not_connect_to_the_private_network() {
    let private_server = SmtpSink::start().await;
    let mail_sender = MailSender::new(Rules::default(), &TlsRoots::default(), "https://desk.example.org");
    for host in ["127.0.0.1", "localhost", "2130706433", "::ffff:127.0.0.1", "::1", &own_name()] {
        for security in [MailSecurity::Unencrypted, MailSecurity::StartTls, MailSecurity::Tls] {
            let answer = send(&mail_sender, host, private_server.port, security).await;
            assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
        }
    }
    assert_eq!(private_server.connections(), 0);
    // Nor is a public address reached without encryption, whatever the operator allows.
    let open = MailSender::new(
        Rules { allow_private: true, allow_http: true, ..Rules::default() },
        &TlsRoots::default(),
        "https://desk.example.org",
    );
    let answer = send(&open, "93.184.215.14", 25, MailSecurity::Unencrypted).await;
    assert_eq!(answer.outcome.as_str(), "blocked", "{answer:?}");
}

pub async fn send(mail_sender: &MailSender, host: &str, port: u16, security: MailSecurity) -> SendResult {
    let (route, outbound) = outbound(host, port, &["anna@example.org"]);
    let route = MailEndpoint { security, ..route };
    mail_sender.send(&route, &outbound).await
}

/// A test mail to these recipients, without encryption.
pub fn outbound(host: &str, port: u16, to: &[&str]) -> (MailEndpoint, OutboundMessage) {
    let route = MailEndpoint {
        host: host.to_owned(),
        port,
        security: MailSecurity::Unencrypted,
        username: None,
        from: "desk@example.org".to_owned(),
        to: to.iter().map(|to| (*to).to_owned()).collect(),
        language: Language::Zh,
    };
    let at = Timestamp::from_millis(0);
    let body: Value = json!({"type": "test", "timestamp": at, "data": {"channel": "Readers"}});
    let (id, secrets) = (DeliveryId::generate(), Vec::new());
    let outbound = OutboundMessage {
        id,
        attempt: 1,
        route: Endpoint::Mail(route.clone()),
        body: body.to_string(),
        options: None,
        secrets,
        at,
        known: Vec::new(),
        origin: None,
        post: None,
    };
    (route, outbound)
}
