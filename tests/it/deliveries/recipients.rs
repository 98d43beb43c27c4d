//! Mails with several recipients: the outcome of one does not affect the others.

use super::text;
use crate::{on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{SmtpBehaviour, SmtpSink, Stage};

on_both!(
    a_permanent_refusal_of_one_recipient_does_not_affect_the_others,
    a_temporary_refusal_of_one_recipient_is_retried_for_that_recipient_only,
    a_recipient_refused_until_the_last_attempt_is_named,
    a_bad_address_does_not_open_the_circuit_breaker,
    a_recipient_with_unknown_outcome_is_held_and_a_refused_one_is_not,
    a_recipient_removed_from_the_channel_is_not_retried,
);

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

/// Outcome of each recipient.
fn outcomes(delivery: &Value) -> Vec<(&str, &str)> {
    let all = delivery["recipients"].as_array().unwrap();
    all.iter().map(|one| (text(&one["recipient"]), text(&one["outcome"]))).collect()
}

/// Recipients of each mail.
fn mailed(smtp: &SmtpSink) -> Vec<Vec<String>> {
    smtp.received().into_iter().map(|mail| mail.to).collect()
}

async fn a_permanent_refusal_of_one_recipient_does_not_affect_the_others(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.refuse(BEN, ["550 5.1.1 unknown user"]);
    server.publish_article("For two").await;
    assert_eq!(mailed(&smtp), [[ANNA]]);
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(1)));
    assert_eq!(outcomes(&delivery), [(ANNA, "delivered"), (BEN, "refused")]);
    let answer = text(&delivery["attempt_log"][0]["response_body"]);
    assert!(answer.contains(BEN) && answer.contains("unknown user") && !answer.contains(ANNA), "{answer}");
    assert_eq!(delivery["attempt_log"][0]["status"], 550);
    assert_eq!(
        (server.attention_count().await, server.get_channel(&channel).await["failures"].as_u64()),
        (1, Some(0))
    );
    server.resolve_delivery(&delivery, "resend").await;
    server.tick().await;
    assert_eq!(mailed(&smtp), [[ANNA], [BEN]]);
    let [first, second] = &smtp.received()[..] else { panic!("{:?}", smtp.received()) };
    assert_eq!(first.text, second.text, "the same mail");
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), server.attention_count().await), ("delivered", 0));
    assert_eq!(outcomes(&delivery), [(ANNA, "delivered"), (BEN, "delivered")]);
    // Resent by an admin after all recipients have it, it goes to all.
    server.resolve_delivery(&delivery, "resend").await;
    server.tick().await;
    assert_eq!(mailed(&smtp)[2], [ANNA, BEN]);
}

async fn a_temporary_refusal_of_one_recipient_is_retried_for_that_recipient_only(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.refuse(ANNA, ["451 4.7.1 greylisted", "451 4.7.1 greylisted"]);
    server.publish_article("Retried").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(text(&delivery["state"]), "pending");
    assert_eq!(outcomes(&delivery), [(ANNA, "deferred"), (BEN, "delivered")]);
    server.advance(12_000).await;
    assert_eq!(mailed(&smtp), [[BEN]]);
    server.advance(70_000).await;
    assert_eq!(mailed(&smtp), [[BEN], [ANNA]]);
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    server.advance(super::DAY_MS).await;
    assert_eq!(smtp.received().len(), 2);
}

async fn a_recipient_refused_until_the_last_attempt_is_named(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({"retry_schedule": "10s"})).await;
    smtp.refuse(BEN, ["452 4.2.2 mailbox full", "452 4.2.2 mailbox full"]);
    server.publish_article("Full").await;
    server.advance(12_000).await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(2)));
    assert_eq!(outcomes(&delivery), [(ANNA, "delivered"), (BEN, "refused")]);
    assert!(text(&delivery["recipients"][1]["response_body"]).contains("mailbox full"), "{delivery}");
    assert_eq!(mailed(&smtp), [[ANNA]]);
}

async fn a_bad_address_does_not_open_the_circuit_breaker(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({"concurrency": 1})).await;
    smtp.refuse(BEN, (0..7).map(|_| "550 5.1.1 unknown user"));
    for number in 0..7 {
        server.publish_article(&format!("Number {number}")).await;
    }
    assert_eq!(mailed(&smtp), vec![vec![ANNA.to_owned()]; 7]);
    let shown = server.get_channel(&channel).await;
    assert!(shown["breaker_open_until"].is_null() && shown["failures"] == 0, "{shown}");
}

async fn a_recipient_with_unknown_outcome_is_held_and_a_refused_one_is_not(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.refuse(BEN, ["550 5.1.1 unknown user"]);
    smtp.behave([SmtpBehaviour::Disconnect(Stage::Text)]);
    server.publish_article("Perhaps").await;
    let delivery = server.latest_delivery(&channel).await;
    assert_eq!(text(&delivery["state"]), "unconfirmed");
    assert_eq!(outcomes(&delivery), [(ANNA, "unknown"), (BEN, "refused")]);
    assert_eq!(
        text(&server.resolve_delivery(&delivery, "arrived").await["state"]),
        "failed",
        "Ben refused it"
    );
    server.resolve_delivery(&delivery, "resend").await;
    server.tick().await;
    assert_eq!(mailed(&smtp), [[ANNA], [BEN]]);
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
}

async fn a_recipient_removed_from_the_channel_is_not_retried(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    smtp.refuse(BEN, ["451 4.7.1 later"]);
    server.publish_article("Shorter list").await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    server.as_admin().patch(&path, &json!({"mail": {"to": [ANNA]}})).await.expect(200);
    server.advance(12_000).await;
    assert_eq!(text(&server.latest_delivery(&channel).await["state"]), "delivered");
    assert_eq!(mailed(&smtp), [[ANNA]]);
}
