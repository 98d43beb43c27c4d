//! What a rule does: messages from templates, reminders by mail, other signals.

use super::{subjects, top_up};
use crate::{deliveries::text, on_both, test_server::TestServer};
use serde_json::{Value, json};
use test_support::{Sink, SmtpSink};

on_both!(
    s2_a_message_is_filled_from_the_data_and_escaped,
    a_missing_field_fails_visibly_and_nothing_is_sent,
    s2_a_reminder_is_mailed_to_an_address_in_the_data,
    a_rule_starts_another_rule,
    a_loop_of_rules_is_stopped,
    the_message_of_a_deleted_channel_fails_and_can_be_retried,
    s1_a_filled_text_with_blocked_words_is_held_and_retried,
);

async fn s1_a_filled_text_with_blocked_words_is_held_and_retried(server: TestServer) {
    let (sink, admin) = (Sink::start().await, server.as_admin());
    let channel = server.create_webhook(&sink, json!({})).await;
    let body = "{\"to\": \"{{subject}}\", \"text\": \"{{data.text}}\"}";
    let headers = json!({"X-Name": "{{data.name}}"});
    let action = json!({"type": "message", "channel_id": channel["id"], "body": body, "headers": headers});
    let rule = server.create_rule(&top_up(&channel, json!({"action": action}))).await;
    let list = json!({"name": "Games", "action": "block", "terms": ["casino"]});
    let list = admin.post("/api/v1/word-lists", &list).await.expect(201);
    admin.patch("/api/v1/settings/review", &json!({"other_texts": true})).await.expect(200);
    for (subject, said, name) in
        [("u1", "a c\u{200b}asino", "A"), ("u2", "fine", "B"), ("u3", "fine", "casino")]
    {
        server.signal("top_up.clicked", subject, json!({"data": {"text": said, "name": name}})).await;
    }
    server.advance(1_800_000).await;
    assert_eq!(subjects(&sink), ["u2"]);
    let failed = server.waits(&rule, "state=failed").await;
    let reasons: Vec<&str> = failed.iter().map(|wait| text(&wait["reason"])).collect();
    assert_eq!(reasons, ["words:casino", "words:casino"]);
    let browser = server.log_in_browser(&server.admin).await;
    let page = browser.get(&format!("/tasks/{}", text(&failed[0]["task_id"]))).await.expect_page();
    assert!(page.contains("words that must not be sent: casino"), "{page}");
    // It stays held until the list or the rule changes.
    let [wait] = &server.waits(&rule, "subject=u1").await[..] else { panic!("not one wait") };
    let retry = format!("/api/v1/tasks/{}/retry", text(&wait["task_id"]));
    admin.post(&retry, &json!({"seen_version": wait["version"]})).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(subjects(&sink), ["u2"]);
    assert_eq!(admin.delete(&format!("/api/v1/word-lists/{}", text(&list["id"]))).await.status, 204);
    let [wait] = &server.waits(&rule, "subject=u1").await[..] else { panic!("not one wait") };
    admin.post(&retry, &json!({"seen_version": wait["version"]})).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(subjects(&sink), ["u2", "u1"]);
    server.assert_execution_records_match().await;
}

async fn s2_a_message_is_filled_from_the_data_and_escaped(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let body =
        r#"{"to": "{{subject}}", "name": "{{ data.name }}", "total": {{data.total}}, "rule": "{{rule}}"}"#;
    let action = json!({
        "type": "message", "channel_id": channel["id"], "body": body, "headers": {"X-Name": "{{data.name}}"},
    });
    server.create_rule(&top_up(&channel, json!({"action": action}))).await;
    let data = json!({"name": "A \"B\"\r\nX-Evil: 1", "total": 12.5});
    server.signal("top_up.clicked", "u1", json!({"data": data})).await;
    server.advance(1_800_000).await;
    let [received] = &sink.received()[..] else { panic!("not one message") };
    let body: Value = serde_json::from_str(&received.body).unwrap();
    let expected =
        json!({"to": "u1", "name": "A \"B\"\r\nX-Evil: 1", "total": 12.5, "rule": "Top-up not finished"});
    assert_eq!(body, expected);
    assert_eq!((received.header("x-name"), received.header("x-evil")), ("A \"B\"  X-Evil: 1", ""));
}

async fn a_missing_field_fails_visibly_and_nothing_is_sent(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let action =
        json!({"type": "message", "channel_id": channel["id"], "body": "{\"to\": \"{{data.name}}\"}"});
    let rule = server.create_rule(&top_up(&channel, json!({"action": action}))).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    server.signal("top_up.clicked", "u2", json!({"data": {"name": "u2"}})).await;
    server.advance(1_800_000).await;
    assert_eq!(subjects(&sink), ["u2"]);
    let [wait] = &server.waits(&rule, "subject=u1").await[..] else { panic!("not one wait") };
    assert_eq!((text(&wait["state"]), text(&wait["reason"])), ("failed", "template_field"));
    assert_eq!(server.attention_count().await, 1);
}

async fn s2_a_reminder_is_mailed_to_an_address_in_the_data(server: TestServer) {
    let smtp = SmtpSink::start().await;
    let channel = server.create_mail_channel(&smtp, json!({})).await;
    let action =
        json!({"type": "reminder", "to": "{{data.email}}", "text": "Read on, {{data.name}}\n\nChapter 2"});
    let rule =
        top_up(&channel, json!({"after": "reading.stopped", "unless": [], "wait": "PT2H", "action": action}));
    let rule = server.create_rule(&rule).await;
    let data = json!({"email": "zoe@example.org", "name": "Zoe"});
    server.signal("reading.stopped", "u1", json!({"data": data})).await;
    let bad = json!({"email": "zoe@example.org\r\nBcc: eve@example.org", "name": "Eve"});
    server.signal("reading.stopped", "u2", json!({"data": bad})).await;
    server.advance(7_200_000).await;
    let [mail] = &smtp.received()[..] else { panic!("not one mail") };
    assert_eq!((mail.to.join(" ").contains("zoe@example.org"), mail.to.len()), (true, 1));
    assert_eq!(mail.header("Subject"), "Read on, Zoe");
    assert!(mail.text.contains("Chapter 2") && !mail.text.contains("anna@example.org"), "{}", mail.text);
    let [failed] = &server.waits(&rule, "state=failed").await[..] else { panic!("not one wait") };
    assert_eq!((text(&failed["subject"]), text(&failed["reason"])), ("u2", "template_result"));
}

async fn a_rule_starts_another_rule(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let emit = json!({"type": "signal", "name": "order.unpaid"});
    let first = json!({"name": "1", "after": "order.created", "unless": ["order.paid"], "wait": "PT24H", "action": emit});
    server.create_rule(&top_up(&channel, first)).await;
    let second = json!({"name": "2", "after": "order.unpaid", "unless": ["order.cancelled"], "wait": "PT1H"});
    let second = server.create_rule(&top_up(&channel, second)).await;
    for subject in ["u1", "u2"] {
        server.signal("order.created", subject, json!({"key": "4711"})).await;
    }
    server.advance(24 * 3_600_000).await;
    assert_eq!(server.waits(&second, "state=scheduled").await.len(), 2);
    server.signal("order.cancelled", "u2", json!({"key": "4711"})).await;
    server.advance(3_600_000).await;
    assert_eq!(subjects(&sink), ["u1"]);
    server.assert_execution_records_match().await;
}

async fn a_loop_of_rules_is_stopped(server: TestServer) {
    let mut rules = Vec::new();
    for id in server.store_rules(&[("ping", "pong"), ("pong", "ping")]).await {
        rules.push(json!({"id": id}));
    }
    server.signal("ping", "u1", json!({})).await;
    for _ in 0..10 {
        server.advance(60_000).await;
    }
    let failed = server.waits(&rules[1], "state=failed").await;
    assert_eq!((failed.len(), text(&failed[0]["reason"])), (1, "too_deep"));
    let waits = server.waits(&rules[0], "").await.len() + server.waits(&rules[1], "").await.len();
    assert_eq!(waits, 6);
}

async fn the_message_of_a_deleted_channel_fails_and_can_be_retried(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let rule = server.create_rule(&top_up(&channel, json!({}))).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    let path = format!("/api/v1/channels/{}", text(&channel["id"]));
    assert_eq!(server.as_admin().delete(&path).await.status, 204);
    server.advance(1_800_000).await;
    let [wait] = &server.waits(&rule, "").await[..] else { panic!("not one wait") };
    assert_eq!((text(&wait["state"]), text(&wait["reason"])), ("failed", "channel_gone"));
    let other = server.create_webhook(&sink, json!({})).await;
    let action = json!({"type": "message", "channel_id": other["id"], "body": "{\"to\": \"{{subject}}\"}"});
    let path = format!("/api/v1/rules/{}", text(&rule["id"]));
    server.as_admin().patch(&path, &json!({"action": action})).await.expect(200);
    let retry = format!("/api/v1/tasks/{}/retry", text(&wait["task_id"]));
    server.as_admin().post(&retry, &json!({"seen_version": wait["version"]})).await.expect(200);
    server.advance(1_000).await;
    assert_eq!(subjects(&sink), ["u1"]);
}
