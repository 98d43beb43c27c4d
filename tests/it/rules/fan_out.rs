//! What a user decides about very many waits holds at once; a task updates them in batches.

use super::top_up;
use crate::{deliveries::text, engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{RuleId, rule::MAX_RULES};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use store::{PoolRole, rule};
use test_support::Sink;

on_both!(
    s4_no_wait_acts_after_its_rule_was_deleted_in_the_middle_of_a_fan_out,
    very_many_waits_end_where_the_new_settings_put_them,
    a_signal_opens_a_wait_while_the_cancelled_ones_are_updated,
    a_wait_that_a_user_restores_after_its_rule_cancelled_all_acts,
    a_desk_has_a_limited_number_of_rules,
);

const MINUTE: i64 = 60_000;
/// Waits of one rule: many batches.
const FAN_OUT: usize = 20_000;
/// More waits than one batch.
const SOME: usize = 2_500;

fn path(rule: &Value) -> String {
    format!("/api/v1/rules/{}", text(&rule["id"]))
}

impl TestServer {
    /// Creates a rule that sends a signal, and opens this number of its waits.
    async fn fan_out(&self, count: usize) -> Value {
        let action = json!({"type": "signal", "name": "top_up.reminded"});
        let rule = self.create_rule(&top_up(&Value::Null, json!({"action": action}))).await;
        let items: Vec<Value> =
            (0..count).map(|n| json!({"name": "top_up.clicked", "subject": format!("u{n}")})).collect();
        for part in items.chunks(10_000) {
            self.as_creator().post("/api/v1/signals/bulk", &json!({"items": part})).await.expect(202);
        }
        rule
    }

    /// Returns the number of waits of a rule in each state.
    async fn wait_states(&self, rule: &Value) -> BTreeMap<String, usize> {
        let mut states = BTreeMap::new();
        let mut query = "limit=200".to_owned();
        loop {
            let path = format!("{}/waits?{query}", path(rule));
            let page = self.as_admin().get(&path).await.expect(200);
            for wait in page["items"].as_array().unwrap() {
                *states.entry(text(&wait["state"]).to_owned()).or_default() += 1;
            }
            let Some(cursor) = page["next_cursor"].as_str() else { return states };
            query = format!("limit=200&cursor={cursor}");
        }
    }

    async fn is_waiting(&self, rule: &Value, state: &str) -> bool {
        !self.waits(rule, &format!("state={state}&limit=1")).await.is_empty()
    }

    /// Runs the loops until no task of the rule itself is left.
    async fn tick_until_updated(&self) {
        for _ in 0..100 {
            self.advance(1_000).await;
            let path = "/api/v1/tasks?state=scheduled&kind=rule.update_waits";
            if self.as_admin().get(path).await.expect(200)["items"] == json!([]) {
                return;
            }
        }
        panic!("the waits were not updated");
    }
}

async fn s4_no_wait_acts_after_its_rule_was_deleted_in_the_middle_of_a_fan_out(server: TestServer) {
    let rule = server.fan_out(FAN_OUT).await;
    server.advance_without_loops(30 * MINUTE);
    let delete = async {
        while !server.is_waiting(&rule, "executed").await {
            tokio::task::yield_now().await;
        }
        let path = format!("{}?waiting=cancel", path(&rule));
        assert_eq!(server.as_admin().delete(&path).await.status, 204);
        server.wait_states(&rule).await
    };
    let (answered, ()) = tokio::join!(delete, server.tick());
    server.tick_until_updated().await;
    let states = server.wait_states(&rule).await;
    let acted = answered["executed"];
    assert!(acted > 0 && acted < FAN_OUT, "{answered:?}");
    assert_eq!(answered.get("scheduled"), None, "they are cancelled at once: {answered:?}");
    assert_eq!(states, answered, "0 acted after the answer");
    let left = "/api/v1/tasks?state=scheduled&kind=rule.fire";
    assert_eq!(server.as_admin().get(left).await.expect(200)["items"], json!([]), "all rows are in line");
    assert_eq!(states["executed"] + states["cancelled"], FAN_OUT);
    server.advance(120 * MINUTE).await;
    assert_eq!(server.wait_states(&rule).await, answered);
    server.assert_execution_records_match().await;
}

async fn very_many_waits_end_where_the_new_settings_put_them(server: TestServer) {
    let rule = server.fan_out(SOME).await;
    let later = server.time_after(120 * MINUTE);
    let edit = json!({"wait": "PT2H", "waiting": "recount"});
    server.as_admin().patch(&path(&rule), &edit).await.expect(200);
    // The old moment comes before the task has updated all of them. Another node continues.
    server.advance_without_loops(31 * MINUTE);
    let another = server.open_second_node().await;
    server.align_database_clock(&another);
    another.loops.tick(server.now()).await;
    server.tick_until_updated().await;
    assert_eq!(server.wait_states(&rule).await, [("scheduled".to_owned(), SOME)].into());
    for wait in server.waits(&rule, "limit=200").await {
        assert_eq!(text(&wait["due_at"]), later);
    }
    server.advance(90 * MINUTE).await;
    assert_eq!(server.wait_states(&rule).await, [("executed".to_owned(), SOME)].into());
}

async fn a_signal_opens_a_wait_while_the_cancelled_ones_are_updated(server: TestServer) {
    let rule = server.fan_out(SOME).await;
    let edit = json!({"name": "Other", "waiting": "cancel"});
    let edited = server.as_admin().patch(&path(&rule), &edit).await.expect(200);
    assert_eq!(edited["waiting"], 0);
    let last = format!("u{}", SOME - 1);
    let [cancelled] = &server.waits(&rule, &format!("subject={last}")).await[..] else { panic!("one wait") };
    assert_eq!((text(&cancelled["state"]), text(&cancelled["reason"])), ("cancelled", "rule"));
    assert_eq!(server.change_wait(cancelled, "fire", &Value::Null).await.refused(409), "changed");
    // The old wait neither keeps a new one from opening nor is started again.
    assert_eq!(server.signal("top_up.clicked", &last, json!({})).await, (1, 0));
    assert_eq!(server.signal("top_up.paid", "u1", json!({})).await, (0, 0));
    server.tick_until_updated().await;
    let states = server.wait_states(&rule).await;
    assert_eq!(states, [("cancelled".to_owned(), SOME), ("scheduled".to_owned(), 1)].into());
    server.advance(30 * MINUTE).await;
    assert_eq!(server.waits(&rule, "state=executed").await.len(), 1);
}

async fn a_wait_that_a_user_restores_after_its_rule_cancelled_all_acts(server: TestServer) {
    let rule = server.fan_out(2).await;
    let [wait] = &server.waits(&rule, "subject=u1").await[..] else { panic!("one wait") };
    server.change_wait(wait, "cancel", &Value::Null).await.expect(200);
    let edit = json!({"name": "Other", "waiting": "cancel"});
    server.as_admin().patch(&path(&rule), &edit).await.expect(200);
    assert_eq!(server.wait_states(&rule).await, [("cancelled".to_owned(), 2)].into());
    let [wait] = &server.waits(&rule, "subject=u1").await[..] else { panic!("one wait") };
    let undo = json!({"seen_version": wait["version"]});
    let task = format!("/api/v1/tasks/{}/undo", text(&wait["task_id"]));
    server.as_admin().post(&task, &undo).await.expect(200);
    assert_eq!(server.waits(&rule, "state=scheduled").await.len(), 1);
    server.advance(30 * MINUTE).await;
    let states = server.wait_states(&rule).await;
    assert_eq!(states, [("cancelled".to_owned(), 1), ("executed".to_owned(), 1)].into());
}

async fn a_desk_has_a_limited_number_of_rules(server: TestServer) {
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let first = server.create_rule(&top_up(&channel, json!({}))).await;
    let (admin, rules) = (&server.admin.actor, &server.app.services.rules);
    let settings = rules.find(admin, text(&first["id"]).parse().unwrap()).await.unwrap().settings;
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    for _ in 1..MAX_RULES {
        rule::insert(tx.conn(), RuleId::generate(), admin.account, &settings, server.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
    let refused = server.as_admin().post("/api/v1/rules", &top_up(&channel, json!({}))).await.expect(422);
    let sentence = "cannot be added: the desk has 1000 already; delete one first";
    assert!(text(&refused["error"]["message"]).contains(sentence), "{refused}");
    let browser = server.log_in_browser(&server.admin).await;
    let fields = [
        ("rule[name]", "One more"),
        ("rule[after]", "top_up.clicked"),
        ("rule[wait]", "30 min"),
        ("rule[action]", "message"),
        ("rule[channel_id]", text(&channel["id"])),
        ("rule[text]", "{}"),
        ("rule[repeat]", "restart"),
        ("rule[grace]", "1 h"),
        ("from", "/rules/new"),
    ];
    let reply = browser.form("/fn/create_rule", &fields).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    assert_contains(&reply.text, &["the desk has 1000 already", "value=\"One more\""]);
    assert_eq!(server.as_admin().delete(&path(&first)).await.status, 204);
    server.create_rule(&top_up(&channel, json!({}))).await;
}
