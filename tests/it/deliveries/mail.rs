//! Mails: once, as text and HTML, recognisable when they repeat; what was sent is known, or known to be unknown.

use super::{DAY_MS, text, webhook::own_name};
use crate::{house::Story, on_both};
use domain::{
    DeliveryId, Timestamp,
    channel::{MailRoute, Route, Security},
    person::Language,
};
use presstime::channels::{Answer, Letter, guard::Rules, mail::Mailer, trust::Trust};
use rig::{SmtpManner, SmtpSink, Stage};
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    what_is_published_is_mailed_once_as_text_and_html,
    a_mail_that_is_refused_for_now_comes_again_as_the_same_mail,
    a_lost_answer_to_a_mail_asks_a_person,
    what_is_cut_before_its_text_was_not_sent,
    a_mail_that_is_refused_for_good_fails_at_once,
    a_wrong_password_is_no_fault_of_the_mail,
);

async fn what_is_published_is_mailed_once_as_text_and_html(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    assert!(channel["secret"].is_null() && channel["address"].is_null(), "{channel}");
    story.publish("Tea & cake").await;
    let [mail] = &smtp.mailed()[..] else { panic!("{:?}", smtp.mailed()) };
    assert_eq!(mail.from, "desk@example.org");
    assert_eq!(mail.to, ["anna@example.org", "ben@example.org"]);
    assert_eq!(mail.header("To"), "undisclosed-recipients:;");
    assert_eq!(mail.header("Subject"), "Published: Tea & cake");
    let delivery = story.newest(&channel).await;
    assert_eq!(mail.header("Message-ID"), format!("<msg_{}@example.org>", text(&delivery["id"])));
    let link = format!("{}/site/", story.url);
    let (plain, html) = mail.text.split_once("text/html").unwrap();
    assert!(plain.contains("text/plain") && plain.contains(&link), "{plain}");
    assert!(html.contains("Tea &amp; cake") && html.contains(&format!("href=\"{link}")), "{html}");
    assert_eq!((text(&delivery["state"]), delivery["tries"][0]["status"].as_u64()), ("delivered", Some(250)));
    story.advance(DAY_MS).await;
    assert_eq!(smtp.mailed().len(), 1);
    story.do_to(&channel, "test").await;
    story.tick().await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    assert!(smtp.mailed()[1].text.contains("Readers"));
}

async fn a_mail_that_is_refused_for_now_comes_again_as_the_same_mail(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.behave([
        SmtpManner::Say(Stage::Recipient, "451 4.7.1 greylisted, come again"),
        SmtpManner::Say(Stage::Text, "452 4.3.1 disk full"),
    ]);
    story.publish("Patience").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "refused"));
    assert_eq!((delivery["tries"][0]["status"].as_u64(), smtp.mailed().len()), (Some(451), 0));
    story.advance(12_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "pending");
    story.advance(70_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    let [first, second] = &smtp.mailed()[..] else { panic!("{:?}", smtp.mailed()) };
    assert_eq!(first, second);
}

async fn a_lost_answer_to_a_mail_asks_a_person(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.behave([SmtpManner::Cut(Stage::Text)]);
    story.publish("Perhaps").await;
    story.advance(DAY_MS).await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("unconfirmed", "unknown"));
    assert_eq!((smtp.mailed().len(), story.attention_count().await), (1, 1));
    story.decide(&delivery, "resend").await;
    story.tick().await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    let [first, second] = &smtp.mailed()[..] else { panic!("{:?}", smtp.mailed()) };
    assert_eq!(first, second);
}

async fn what_is_cut_before_its_text_was_not_sent(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.behave([SmtpManner::Cut(Stage::Greeting), SmtpManner::Cut(Stage::Data)]);
    story.publish("Not yet").await;
    for wait in [12_000, 70_000] {
        let delivery = story.newest(&channel).await;
        assert_eq!((text(&delivery["state"]), text(&delivery["outcome"])), ("pending", "unreachable"));
        story.advance(wait).await;
    }
    assert_eq!((text(&story.newest(&channel).await["state"]), smtp.mailed().len()), ("delivered", 1));
}

async fn a_mail_that_is_refused_for_good_fails_at_once(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.behave([SmtpManner::Say(Stage::Recipient, "550 5.1.1 nobody of that name")]);
    story.publish("Nobody").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(1)));
    let answer = text(&delivery["tries"][0]["answer"]);
    assert!(answer.contains("anna@example.org") && answer.contains("nobody of that name"), "{answer}");
    assert_eq!((text(&story.look_at(&channel).await["state"]), smtp.mailed().len()), ("active", 0));
    assert_eq!(story.attention_count().await, 1);
}

async fn a_wrong_password_is_no_fault_of_the_mail(story: Story) {
    let smtp = SmtpSink::start().await;
    let login = json!({"mail": {"user": "anna", "password": "open sesame"}});
    let channel = story.mail_channel(&smtp, login).await;
    smtp.behave([SmtpManner::Say(Stage::Login, "535 5.7.8 wrong")]);
    story.publish("Locked out").await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["tries"][0]["status"].as_u64()), ("pending", Some(535)));
    story.advance(12_000).await;
    // The log-in as RFC 4616 writes it: nothing, the user, the password, with a zero byte before each.
    assert_eq!(smtp.mailed()[0].login, "AGFubmEAb3BlbiBzZXNhbWU=");
}

#[tokio::test]
async fn a_mail_server_that_says_nothing_is_not_waited_for() {
    let smtp = SmtpSink::start().await;
    let open = Rules { allow_private: true, ..Rules::default() };
    let mailer = Mailer::patient(
        open,
        &Trust::default(),
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
        smtp.behave([SmtpManner::Hang(stage)]);
        let answer = send(&mailer, "127.0.0.1", smtp.port, Security::Open).await;
        assert_eq!(answer.outcome.as_str(), outcome, "{stage:?}: {answer:?}");
    }
    assert_eq!(smtp.mailed().len(), 1);
}

#[tokio::test]
async fn a_connection_is_kept_for_the_next_mail_while_both_sides_want_it() {
    let smtp = SmtpSink::start().await;
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let mailer = Mailer::new(open, &Trust::default(), "http://localhost");
    let sends = async || send(&mailer, "127.0.0.1", smtp.port, Security::Open).await.outcome.as_str();
    assert_eq!([sends().await, sends().await, sends().await], ["delivered"; 3]);
    assert_eq!((smtp.mailed().len(), smtp.connections()), (3, 1));
    smtp.hang_up().await;
    assert_eq!([sends().await, sends().await], ["delivered"; 2]);
    assert_eq!((smtp.mailed().len(), smtp.connections()), (5, 2));
    // A refusal is an answer: it is not asked again on a fresh connection.
    let refusing = SmtpSink::start().await;
    refusing.behave([SmtpManner::Take, SmtpManner::Say(Stage::Text, "452 4.3.1 disk full")]);
    let there = async || send(&mailer, "127.0.0.1", refusing.port, Security::Open).await.outcome.as_str();
    assert_eq!(there().await, "delivered");
    let (first, second) = tokio::join!(there(), there());
    assert_eq!([first, second].iter().filter(|one| **one == "refused").count(), 1, "{first} {second}");
    assert_eq!(refusing.connections(), 2, "two at once need two");
    assert!(smtp.mailed().iter().all(|mail| mail.to == ["anna@example.org"]), "each is a mail of its own");
}

#[tokio::test]
async fn a_mail_that_is_to_be_encrypted_is_never_sent_in_the_open() {
    let smtp = SmtpSink::start().await;
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let mailer = Mailer::patient(
        open,
        &Trust::default(),
        "http://localhost",
        Duration::from_millis(500),
        Duration::from_millis(500),
    );
    for security in [Security::StartTls, Security::Tls] {
        let answer = send(&mailer, "localhost", smtp.port, security).await;
        assert!(matches!(answer.outcome.as_str(), "refused" | "unreachable"), "{answer:?}");
    }
    assert!(smtp.mailed().is_empty());
}

#[tokio::test]
async fn no_mail_connects_into_the_private_network() {
    let honeypot = SmtpSink::start().await;
    let mailer = Mailer::new(Rules::default(), &Trust::default(), "https://desk.example.org");
    for host in ["127.0.0.1", "localhost", "2130706433", "::ffff:127.0.0.1", "::1", &own_name()] {
        for security in [Security::Open, Security::StartTls, Security::Tls] {
            let answer = send(&mailer, host, honeypot.port, security).await;
            assert!(matches!(answer.outcome.as_str(), "blocked" | "unreachable"), "{host}: {answer:?}");
        }
    }
    assert_eq!(honeypot.connections(), 0);
    // Without encryption not into the public one either, whatever the operator allows.
    let open = Mailer::new(
        Rules { allow_private: true, allow_http: true, ..Rules::default() },
        &Trust::default(),
        "https://desk.example.org",
    );
    let answer = send(&open, "93.184.215.14", 25, Security::Open).await;
    assert_eq!(answer.outcome.as_str(), "blocked", "{answer:?}");
}

pub async fn send(mailer: &Mailer, server: &str, port: u16, security: Security) -> Answer {
    let route = MailRoute {
        server: server.to_owned(),
        port,
        security,
        user: None,
        from: "desk@example.org".to_owned(),
        to: vec!["anna@example.org".to_owned()],
        language: Language::Zh,
    };
    let at = Timestamp::from_millis(0);
    let body: Value = json!({"type": "test", "timestamp": at, "data": {"channel": "Readers"}});
    let (id, secrets) = (DeliveryId::fresh(), Vec::new());
    let letter = Letter {
        id,
        attempt: 1,
        route: Route::Mail(route.clone()),
        body: body.to_string(),
        secrets,
        at,
        known: Vec::new(),
    };
    mailer.send(&route, &letter).await
}
