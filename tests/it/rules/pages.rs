//! The pages of rules, as a browser without JavaScript gets them.

use super::subjects;
use crate::{
    deliveries::text, engine_page::assert_contains, http_client::Reply, on_both, test_server::TestServer,
};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    a_rule_is_written_by_the_form,
    a_change_and_a_deletion_ask_what_becomes_of_those_that_wait,
    the_page_shows_who_waits_and_what_happened,
    a_signal_is_tried_and_the_last_days_are_run,
    a_rule_is_paused_and_resumed,
);

const MINUTE: i64 = 60_000;

type Fields<'f> = Vec<(&'f str, &'f str)>;

fn form<'f>(channel: &'f Value, more: &[(&'f str, &'f str)]) -> Fields<'f> {
    let mut fields = vec![
        ("rule[name]", "Top-up not finished"),
        ("rule[after]", "top_up.clicked"),
        ("rule[wait]", "30 min"),
        ("rule[counts]", "after"),
        ("rule[action]", "message"),
        ("rule[channel_id]", text(&channel["id"])),
        ("rule[text]", "{\"to\": \"{{subject}}\"}"),
        ("rule[unless]", "top_up.paid, top_up.cancelled"),
        ("rule[repeat]", "restart"),
        ("rule[grace]", "1 h"),
        ("from", "/rules/new"),
    ];
    for (name, value) in more {
        fields.retain(|(known, _)| known != name);
        fields.push((*name, *value));
    }
    fields
}

impl TestServer {
    async fn rules_page(&self, path: &str) -> String {
        self.page(&self.admin, path).await
    }

    async fn submit_rule(&self, function: &str, fields: &[(&str, &str)]) -> Reply {
        self.log_in_browser(&self.admin).await.form(&format!("/fn/{function}"), fields).await
    }

    /// The page to which a form leads.
    async fn rule_page_after(&self, reply: Reply) -> String {
        assert_eq!(reply.status, 303, "{}", reply.text);
        self.page_after(&self.admin, &reply).await
    }
}

fn path(rule: &Value) -> String {
    format!("/rules/{}", text(&rule["id"]))
}

async fn a_rule_is_written_by_the_form(server: TestServer) {
    let empty = server.rules_page("/rules").await;
    assert_contains(&empty, &["No rules.", "Unpaid order", "/rules/new?template=top-up"]);
    let template = server.rules_page("/rules/new?template=coupon").await;
    assert_contains(&template, &["coupon.issued", "expires_at", "2 h", "{{data.email}}"]);
    assert_contains(&template, &["list=\"rule-signals\"", "<option value=\"article.published\""]);
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    // No channel could send this mail.
    let mail = [("rule[action]", "mail"), ("rule[channel_id]", ""), ("rule[to]", "ann@example.org")];
    let refused = server.submit_rule("create_rule", &form(&channel, &mail)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_contains(&refused.text, &["There is no mail channel yet", "ann@example.org"]);
    let channels =
        refused.text.split("<select").find(|rest| rest.contains("name=\"rule[channel_id]\"")).unwrap();
    let is_tied = channels.contains("aria-describedby=\"rule[channel_id]-problem\"");
    assert!(is_tied && channels.contains("id=\"rule[channel_id]-problem\""), "{channels}");
    for (field, value, problem) in [
        ("rule[wait]", "soon", "is not a duration"),
        ("rule[after]", "two words", "contains characters that are not allowed"),
        ("rule[unless]", "top_up.clicked", "so it would never act"),
        ("rule[text]", "{{name}}", "has the unknown field name"),
        ("rule[name]", " ", "must not be empty"),
    ] {
        let refused = server.submit_rule("create_rule", &form(&channel, &[(field, value)])).await;
        assert_eq!(refused.status, 422, "{field}");
        assert_contains(&refused.text, &[problem, "value=\"1 h\""]);
    }
    let made = server.submit_rule("create_rule", &form(&channel, &[])).await;
    let page = server.rule_page_after(made).await;
    assert_contains(
        &page,
        &[
            "The rule is on.",
            "After top_up.clicked wait 30 min, then send a message to “Sink”, unless top_up.paid or top_up.cancelled came first.",
            "Nothing waits for this rule.",
        ],
    );
    let rules = server.as_admin().get("/api/v1/rules").await.expect(200);
    let rule = &rules["items"][0];
    assert_eq!((text(&rule["wait"]), text(&rule["grace"])), ("PT30M", "PT1H"));
    // Nor does a change make it one that no channel could send.
    let edit = [&[("id", text(&rule["id"])), ("seen", "1")][..], &mail].concat();
    let refused = server.submit_rule("edit_rule", &form(&channel, &edit)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_contains(&server.rules_page("/rules").await, &["Top-up not finished", "On", "0 acted, 0 closed"]);
}

async fn a_change_and_a_deletion_ask_what_becomes_of_those_that_wait(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    server.signal("top_up.clicked", "u1", json!({})).await;
    let page = server.rules_page(&path(&rule)).await;
    assert_contains(
        &page,
        &["1 are waiting for this rule. What should happen to them?", "They are timed again"],
    );
    let channel = json!({"id": rule["action"]["channel_id"]});
    let id = text(&rule["id"]);
    let more = [("id", id), ("seen", "1"), ("waiting", "recount"), ("rule[wait]", "2 h")];
    let page = server.rule_page_after(server.submit_rule("edit_rule", &form(&channel, &more)).await).await;
    assert_contains(&page, &["The rule is saved.", "wait 2 h"]);
    assert_eq!(text(&server.waits(&rule, "").await[0]["due_at"]), server.time_after(120 * MINUTE));
    // The version that the user saw is over.
    let stale = server.submit_rule("edit_rule", &form(&channel, &more)).await;
    assert_eq!(stale.status, 409);
    assert_contains(&stale.text, &["This was changed in the meantime."]);
    let unsaid = server.submit_rule("delete_rule", &[("id", id), ("from", &path(&rule))]).await;
    assert_eq!(unsaid.status, 409);
    let from = path(&rule);
    let fields = [("id", id), ("waiting", "cancel"), ("from", from.as_str())];
    let page = server.rule_page_after(server.submit_rule("delete_rule", &fields).await).await;
    assert_contains(&page, &["The rule is deleted.", "No rules."]);
    assert_eq!(text(&server.waits(&rule, "").await[0]["state"]), "cancelled");
}

async fn the_page_shows_who_waits_and_what_happened(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    for subject in ["u1", "u2", "u3"] {
        server.signal("top_up.clicked", subject, json!({})).await;
    }
    let waiting = server.waits(&rule, "").await;
    let page = server.rules_page(&path(&rule)).await;
    assert_contains(&page, &["u1", "u2", "u3", "Run now", "Reschedule"]);
    // The page of a task leads to its rule by the wait.
    let by_wait = server.rules_page(&format!("/rules/{}", text(&waiting[0]["id"]))).await;
    assert_contains(&by_wait, &["Top-up not finished"]);
    let act = format!("publish_now.{}.1", text(&waiting[2]["task_id"]));
    let from = path(&rule);
    let fields = [("act", act.as_str()), ("from", from.as_str())];
    server.rule_page_after(server.submit_rule("act_on_task", &fields).await).await;
    server.tick().await;
    assert_eq!(subjects(&sink), ["u1"]);
    server.signal("top_up.paid", "u2", json!({})).await;
    server.advance_without_loops(12_000);
    server.signal("top_up.paid", "u1", json!({})).await;
    let fired = server.rules_page(&format!("{}?q=u1", path(&rule))).await;
    assert_contains(&fired, &["acted on", "top_up.paid came 12 s after it"]);
    assert!(!fired.contains(">u3<"));
    let closed = server.rules_page(&format!("{}?state=cancelled", path(&rule))).await;
    assert_contains(&closed, &["u2", "closed by top_up.paid on"]);
    let unknown = server.rules_page(&format!("{}?q=unknown", path(&rule))).await;
    assert_contains(&unknown, &["No waits of this subject."]);
    assert_contains(&server.rules_page("/rules").await, &["1 acted, 1 closed"]);
}

async fn a_signal_is_tried_and_the_last_days_are_run(server: TestServer) {
    let sink = Sink::start().await;
    let more = json!({"action": {"type": "reminder", "to": "{{data.email}}", "text": "Hello {{subject}}"}});
    let rule = server.create_top_up_rule(&sink, more).await;
    let trial = async |query: &str| server.rules_page(&format!("{}?{query}", path(&rule))).await;
    let smtp = test_support::SmtpSink::start().await;
    server.create_mail_channel(&smtp, json!({})).await;
    let opens = trial("signal=top_up.clicked&about=u1&data=email%3A%20ann%40example.org").await;
    assert_contains(
        &opens,
        &["It opens a wait.", "The rule acts on", "It sends to ann@example.org:", "Hello u1"],
    );
    let fails = trial("signal=top_up.clicked&about=u1").await;
    assert_contains(&fails, &["It could not act: A field of the template is missing"]);
    assert_contains(&trial("signal=top_up.paid&about=u1").await, &["It closes the open waits"]);
    assert_contains(&trial("signal=other&about=u1").await, &["does not listen to this signal"]);
    let refused = async |query: &str| {
        let browser = server.log_in_browser(&server.admin).await;
        let reply = browser.get(&format!("{}?{query}", path(&rule))).await;
        assert_eq!(reply.status, 422, "{query}");
        reply.text
    };
    assert_contains(
        &refused("signal=other&about=u1&data=nothing").await,
        &["must be lines like name: value"],
    );
    assert!(server.waits(&rule, "").await.is_empty());
    server.signal("top_up.clicked", "u1", json!({"data": {"email": "ann@example.org"}})).await;
    server.signal("top_up.clicked", "u2", json!({})).await;
    server.signal("top_up.paid", "u2", json!({})).await;
    server.advance(60 * MINUTE).await;
    let run = trial("days=7").await;
    assert_contains(
        &run,
        &["In the last 7 days it would have acted 1 times.", "3 signals were read; 1 waits"],
    );
    assert_contains(&refused("days=99").await, &["must be between 1 and 30"]);
}

async fn a_rule_is_paused_and_resumed(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.create_top_up_rule(&sink, json!({})).await;
    let fields =
        |is_paused: &'static str| [("id", text(&rule["id"])), ("is_paused", is_paused), ("from", "/rules")];
    let page = server.rule_page_after(server.submit_rule("pause_rule", &fields("true")).await).await;
    assert_contains(&page, &["The rule is paused.", "Undo pause", "Paused"]);
    assert_eq!(server.signal("top_up.clicked", "u1", json!({})).await, (0, 0));
    let page = server.rule_page_after(server.submit_rule("pause_rule", &fields("false")).await).await;
    assert_contains(&page, &["The rule is on again."]);
    assert_eq!(server.signal("top_up.clicked", "u1", json!({})).await, (1, 0));
    let creator = server.log_in_browser(&server.creator).await;
    assert_eq!(creator.form("/fn/pause_rule", &fields("true")).await.status, 403);
}
