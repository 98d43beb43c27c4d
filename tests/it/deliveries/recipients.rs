//! A mail to several people: what becomes of it at one of them is nothing to the others.

use super::text;
use crate::{house::Story, on_both};
use rig::{SmtpManner, SmtpSink, Stage};
use serde_json::{Value, json};

on_both!(
    one_who_is_refused_for_good_keeps_nothing_from_the_others,
    one_who_is_refused_for_now_gets_it_later_and_nobody_twice,
    one_who_is_refused_until_the_end_is_named,
    a_bad_address_does_not_open_the_circuit_breaker,
    who_may_have_it_is_asked_about_and_who_was_refused_is_not,
    an_address_that_is_taken_off_the_list_is_not_waited_for,
);

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";

/// Outcome of each recipient.
fn outcomes(delivery: &Value) -> Vec<(&str, &str)> {
    let all = delivery["recipients"].as_array().unwrap();
    all.iter().map(|one| (text(&one["recipient"]), text(&one["outcome"]))).collect()
}

/// Who got each mail.
fn mailed(smtp: &SmtpSink) -> Vec<Vec<String>> {
    smtp.mailed().into_iter().map(|mail| mail.to).collect()
}

async fn one_who_is_refused_for_good_keeps_nothing_from_the_others(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.refuse(BEN, ["550 5.1.1 nobody of that name"]);
    story.publish("For two").await;
    assert_eq!(mailed(&smtp), [[ANNA]]);
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(1)));
    assert_eq!(outcomes(&delivery), [(ANNA, "delivered"), (BEN, "refused")]);
    let answer = text(&delivery["tries"][0]["answer"]);
    assert!(
        answer.contains(BEN) && answer.contains("nobody of that name") && !answer.contains(ANNA),
        "{answer}"
    );
    assert_eq!(delivery["tries"][0]["status"], 550);
    assert_eq!(
        (story.attention_count().await, story.look_at(&channel).await["failures"].as_u64()),
        (1, Some(0))
    );
    story.decide(&delivery, "resend").await;
    story.tick().await;
    assert_eq!(mailed(&smtp), [[ANNA], [BEN]]);
    let [first, second] = &smtp.mailed()[..] else { panic!("{:?}", smtp.mailed()) };
    assert_eq!(first.text, second.text, "the same mail");
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), story.attention_count().await), ("delivered", 0));
    assert_eq!(outcomes(&delivery), [(ANNA, "delivered"), (BEN, "delivered")]);
    // Sent again by a person after all have it, it goes to all.
    story.decide(&delivery, "resend").await;
    story.tick().await;
    assert_eq!(mailed(&smtp)[2], [ANNA, BEN]);
}

async fn one_who_is_refused_for_now_gets_it_later_and_nobody_twice(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.refuse(ANNA, ["451 4.7.1 greylisted", "451 4.7.1 greylisted"]);
    story.publish("Patience").await;
    let delivery = story.newest(&channel).await;
    assert_eq!(text(&delivery["state"]), "pending");
    assert_eq!(outcomes(&delivery), [(ANNA, "deferred"), (BEN, "delivered")]);
    story.advance(12_000).await;
    assert_eq!(mailed(&smtp), [[BEN]]);
    story.advance(70_000).await;
    assert_eq!(mailed(&smtp), [[BEN], [ANNA]]);
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    story.advance(super::DAY_MS).await;
    assert_eq!(smtp.mailed().len(), 2);
}

async fn one_who_is_refused_until_the_end_is_named(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({"ladder": "10s"})).await;
    smtp.refuse(BEN, ["452 4.2.2 mailbox full", "452 4.2.2 mailbox full"]);
    story.publish("Full").await;
    story.advance(12_000).await;
    let delivery = story.newest(&channel).await;
    assert_eq!((text(&delivery["state"]), delivery["attempts"].as_u64()), ("failed", Some(2)));
    assert_eq!(outcomes(&delivery), [(ANNA, "delivered"), (BEN, "refused")]);
    assert!(text(&delivery["recipients"][1]["answer"]).contains("mailbox full"), "{delivery}");
    assert_eq!(mailed(&smtp), [[ANNA]]);
}

async fn a_bad_address_does_not_open_the_circuit_breaker(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({"concurrency": 1})).await;
    smtp.refuse(BEN, (0..7).map(|_| "550 5.1.1 nobody of that name"));
    for place in 0..7 {
        story.publish(&format!("Number {place}")).await;
    }
    assert_eq!(mailed(&smtp), vec![vec![ANNA.to_owned()]; 7]);
    let shown = story.look_at(&channel).await;
    assert!(shown["rests_until"].is_null() && shown["failures"] == 0, "{shown}");
}

async fn who_may_have_it_is_asked_about_and_who_was_refused_is_not(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.refuse(BEN, ["550 5.1.1 nobody of that name"]);
    smtp.behave([SmtpManner::Cut(Stage::Text)]);
    story.publish("Perhaps").await;
    let delivery = story.newest(&channel).await;
    assert_eq!(text(&delivery["state"]), "unconfirmed");
    assert_eq!(outcomes(&delivery), [(ANNA, "unknown"), (BEN, "refused")]);
    assert_eq!(text(&story.decide(&delivery, "arrived").await["state"]), "failed", "not at Ben's");
    story.decide(&delivery, "resend").await;
    story.tick().await;
    assert_eq!(mailed(&smtp), [[ANNA], [BEN]]);
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
}

async fn an_address_that_is_taken_off_the_list_is_not_waited_for(story: Story) {
    let smtp = SmtpSink::start().await;
    let channel = story.mail_channel(&smtp, json!({})).await;
    smtp.refuse(BEN, ["451 4.7.1 later"]);
    story.publish("Shorter list").await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    story.as_admin().patch(&path, &json!({"mail": {"to": [ANNA]}})).await.expect(200);
    story.advance(12_000).await;
    assert_eq!(text(&story.newest(&channel).await["state"]), "delivered");
    assert_eq!(mailed(&smtp), [[ANNA]]);
}
