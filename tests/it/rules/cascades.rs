//! Rules that start one another, and very many signals, are limited, and what is refused is shown.

use super::top_up;
use crate::{
    deliveries::text, engine_page::assert_contains, http_client::Reply, on_both, test_server::TestServer,
};
use domain::{RuleId, rule::RuleSettings, signal::MAX_DESCENDANTS};
use serde_json::{Value, json};
use store::{
    Conn, PoolRole, rule,
    signal_rate::{self, SignalRate},
};
use uuid::Uuid;

on_both!(
    a_rule_that_closes_a_loop_is_refused_with_its_path,
    a_rule_of_a_stored_loop_can_be_changed_and_the_loop_opened,
    one_signal_leads_to_a_limited_number_of_waits,
    an_account_sends_a_limited_number_of_signals_in_a_minute,
    a_rule_opens_a_limited_number_of_waits_in_a_minute,
);

const MINUTE: i64 = 60_000;

/// A rule that emits a signal at once; overridden by `more`.
fn chain(after: &str, emits: &str, more: Value) -> Value {
    let action = json!({"type": "signal", "name": emits});
    let mut rule = json!({
        "name": format!("{after} to {emits}"), "after": after, "unless": [], "wait": "PT0S", "repeat": "another",
        "action": action,
    });
    rule.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    top_up(&Value::Null, rule)
}

impl TestServer {
    /// Stores rules as a release without the check of loops could.
    pub async fn store_rules(&self, rules: &[(&str, &str)]) -> Vec<RuleId> {
        // The API refuses no rule by itself.
        let one = self.create_rule(&chain("some", "other", json!({}))).await;
        let (admin, service) = (&self.admin.actor, &self.app.services.rules);
        let like = service.find(admin, text(&one["id"]).parse().unwrap()).await.unwrap().settings;
        let mut tx = self.app.parts.store.begin(PoolRole::Web).await.unwrap();
        let mut ids = Vec::new();
        for (after, emits) in rules {
            let action = domain::rule::Action::Signal { name: (*emits).to_owned() };
            let rule = RuleSettings { after: (*after).to_owned(), action, ..like.clone() };
            ids.push(RuleId::generate());
            rule::insert(tx.conn(), *ids.last().unwrap(), admin.account, &rule, self.now()).await.unwrap();
        }
        tx.commit().await.unwrap();
        ids
    }

    async fn send_many(&self, name: &str, count: usize) -> Reply {
        let items: Vec<Value> =
            (0..count).map(|n| json!({"name": name, "subject": format!("{name}{n}")})).collect();
        self.as_creator().post("/api/v1/signals/bulk", &json!({"items": items})).await
    }

    /// Fills the bucket of an account or rule up to this number below its limit.
    async fn use_up_all_but(&self, id: Uuid, left: i64, max: u32) {
        let rate = SignalRate { cost_ms: MINUTE / i64::from(max), capacity: i64::from(max) };
        let mut tx = self.app.parts.store.begin(PoolRole::Web).await.unwrap();
        let count = i64::from(max) - left;
        assert_eq!(signal_rate::acquire(tx.conn(), id, (rate, count), self.now()).await.unwrap(), None);
        tx.commit().await.unwrap();
    }

    /// Returns the entries of Attention for failed tasks.
    async fn failed_on_attention(&self) -> Vec<Value> {
        let entries = self.as_admin().get("/api/v1/attention").await.expect(200)["items"].clone();
        let is_failed = |entry: &&Value| entry["cause"] == "task_failed";
        entries.as_array().unwrap().iter().filter(is_failed).cloned().collect()
    }
}

async fn a_rule_that_closes_a_loop_is_refused_with_its_path(server: TestServer) {
    server.create_rule(&chain("b", "c", json!({}))).await;
    let last = server.create_rule(&chain("c", "d", json!({}))).await;
    let new = server.create_rule(&chain("a", "b", json!({}))).await;
    let sentence = "action.name would start a loop: c → a → b → c (rules: c to d → a to b → b to c)";
    let path = format!("/api/v1/rules/{}", text(&last["id"]));
    let edit = json!({"action": {"type": "signal", "name": "a"}});
    let refused = server.as_admin().patch(&path, &edit).await.expect(422);
    assert_eq!(text(&refused["error"]["field"]), "action.name");
    assert!(text(&refused["error"]["message"]).starts_with(sentence), "{refused}");
    // Also through a rule that is paused. Not if the rules are about different subjects.
    let pause = format!("/api/v1/rules/{}/pause", text(&new["id"]));
    server.as_admin().post(&pause, &Value::Null).await.expect(200);
    assert_eq!(server.as_admin().post("/api/v1/rules", &chain("c", "a", json!({}))).await.status, 422);
    for (from, to) in [("x", "y"), ("y", "x")] {
        server.create_rule(&chain(from, to, json!({"subject": format!("{from}*")}))).await;
    }
    let browser = server.log_in_browser(&server.admin).await;
    let fields = [
        ("rule[name]", "Back"),
        ("rule[after]", "c"),
        ("rule[wait]", "0 min"),
        ("rule[action]", "signal"),
        ("rule[signal]", "a"),
        ("rule[repeat]", "restart"),
        ("rule[grace]", "1 h"),
        ("from", "/rules/new"),
    ];
    let reply = browser.form("/fn/create_rule", &fields).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    assert_contains(&reply.text, &["would start a loop: c → a → b → c", "value=\"Back\""]);
    server.as_admin().delete(&format!("/api/v1/rules/{}", text(&new["id"]))).await;
    server.as_admin().patch(&path, &edit).await.expect(200);
}

async fn a_rule_of_a_stored_loop_can_be_changed_and_the_loop_opened(server: TestServer) {
    let ids = server.store_rules(&[("ping", "pong"), ("pong", "ping")]).await;
    let path = format!("/api/v1/rules/{}", ids[1]);
    server.as_admin().patch(&path, &json!({"name": "Renamed"})).await.expect(200);
    assert_eq!(server.as_admin().patch(&path, &json!({"subject": "u1"})).await.status, 422);
    server.as_admin().patch(&path, &json!({"action": {"type": "signal", "name": "end"}})).await.expect(200);
}

async fn one_signal_leads_to_a_limited_number_of_waits(server: TestServer) {
    // As in a report: six rules lead from each of two signals to the other.
    server.store_rules(&[[("fa", "fb"); 6], [("fb", "fa"); 6]].concat()).await;
    server.signal("fa", "u1", json!({})).await;
    for _ in 0..8 {
        server.advance(1_000).await;
    }
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let count = "select count(*) from wait";
    let waits: i64 = match lease.conn() {
        Conn::Sqlite(c) => sqlx::query_scalar(count).fetch_one(c).await.unwrap(),
        Conn::Postgres(c) => sqlx::query_scalar(count).fetch_one(c).await.unwrap(),
    };
    drop(lease);
    // Six of the signal itself, and those to which they led.
    assert!((500..=6 + MAX_DESCENDANTS as i64).contains(&waits), "{waits} waits");
    let entries = server.failed_on_attention().await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert!(text(&entries[0]["message"]).contains("has led to 1,000 waits"), "{entries:?}");
    server.signal("fa", "u2", json!({})).await;
    server.advance(1_000).await;
    server.assert_execution_records_match().await;
}

async fn an_account_sends_a_limited_number_of_signals_in_a_minute(server: TestServer) {
    server.use_up_all_but(server.creator.actor.account.0, 5, 20_000).await;
    assert_eq!(server.send_many("a", 4).await.status, 202);
    for _ in 0..2 {
        let refused = server.send_many("b", 3).await;
        assert_eq!(refused.header("retry-after"), "1");
        let error = refused.expect(429)["error"].clone();
        assert_eq!(error["code"], "too_many");
        assert!(text(&error["message"]).starts_with("an account may send 20000 signals a minute"), "{error}");
    }
    assert_eq!(
        server.as_admin().post("/api/v1/signals", &json!({"name": "b", "subject": "s"})).await.status,
        202
    );
    server.tick().await;
    let entries = server.failed_on_attention().await;
    assert_eq!((entries.len(), &entries[0]["count"]), (1, &json!(1)), "{entries:?}");
    assert!(text(&entries[0]["message"]).contains("Signals of this account were refused"), "{entries:?}");
    assert_eq!(text(&entries[0]["items"][0]["title"]), "creator");
    // Nothing was stored, and after a while it is allowed again.
    server.advance(1_000).await;
    let again = server.send_many("b", 3).await.expect(202);
    assert_eq!(again["items"][0]["duplicate"], false);
}

async fn a_rule_opens_a_limited_number_of_waits_in_a_minute(server: TestServer) {
    let rule = server.create_rule(&chain("a", "b", json!({"wait": "PT1H", "unless": ["end"]}))).await;
    server.use_up_all_but(text(&rule["id"]).parse().unwrap(), 3, 30_000).await;
    assert_eq!(server.send_many("a", 2).await.status, 202);
    let refused = server.send_many("a", 2).await.expect(429);
    let sentence = "a rule may open 30000 waits a minute by signals, and “a to b” has";
    assert!(text(&refused["error"]["message"]).starts_with(sentence), "{refused}");
    assert_eq!(server.waits(&rule, "").await.len(), 2);
    // What closes waits goes on.
    assert_eq!(server.signal("end", "a0", json!({})).await, (0, 1));
    server.tick().await;
    assert_eq!(server.failed_on_attention().await.len(), 1);
}
