//! Rules of a disabled account neither open waits nor act, until the account is enabled or another
//! admin takes them over.

use super::{subjects, top_up};
use crate::{deliveries::text, engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{Role, account::OnDisable, services::Accounts as _};
use serde_json::{Value, json};
use test_support::Sink;

on_both!(
    a_rule_of_a_disabled_account_goes_on_when_the_account_is_enabled,
    a_rule_of_a_disabled_account_goes_on_when_an_admin_takes_it_over,
);

const MINUTE: i64 = 60_000;

impl TestServer {
    /// Creates the rule [`top_up`] by a second admin, opens a wait for u1, and disables that admin.
    async fn hold_rule(&self, sink: &Sink) -> Value {
        let (accounts, admin) = (&self.app.accounts, &self.admin.actor);
        let colleague = self.colleague.actor.account;
        accounts.change_role(admin, colleague, Role::Admin).await.unwrap();
        let channel = self.create_webhook(sink, json!({})).await;
        let rule = self.as_colleague().post("/api/v1/rules", &top_up(&channel, json!({}))).await.expect(201);
        assert_eq!(rule["held"], false);
        assert_eq!(self.signal("top_up.clicked", "u1", json!({})).await, (1, 0));
        accounts.disable(admin, colleague, Some(OnDisable::Keep)).await.unwrap();
        rule
    }

    async fn assert_held(&self, sink: &Sink, rule: &Value) {
        let path = format!("/api/v1/rules/{}", text(&rule["id"]));
        assert_eq!(self.as_admin().get(&path).await.expect(200)["held"], true);
        assert_eq!(self.signal("top_up.clicked", "u2", json!({})).await, (0, 0));
        self.advance(30 * MINUTE).await;
        self.advance(5 * MINUTE).await;
        assert!(sink.received().is_empty());
        let pages = ["/rules".to_owned(), format!("/rules/{}", text(&rule["id"]))];
        for page in pages {
            assert_contains(
                &self.page(&self.admin, &page).await,
                &["Held", "is disabled. It opens no waits"],
            );
        }
    }
}

async fn a_rule_of_a_disabled_account_goes_on_when_the_account_is_enabled(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.hold_rule(&sink).await;
    server.assert_held(&sink, &rule).await;
    let colleague = server.colleague.actor.account;
    server.app.accounts.enable(&server.admin.actor, colleague).await.unwrap();
    server.tick().await;
    assert_eq!(subjects(&sink), ["u1"]);
    assert_eq!(server.signal("top_up.clicked", "u3", json!({})).await, (1, 0));
    server.advance(30 * MINUTE).await;
    assert_eq!(subjects(&sink), ["u1", "u3"]);
}

async fn a_rule_of_a_disabled_account_goes_on_when_an_admin_takes_it_over(server: TestServer) {
    let sink = Sink::start().await;
    let rule = server.hold_rule(&sink).await;
    server.assert_held(&sink, &rule).await;
    let browser = server.log_in_browser(&server.admin).await;
    let page = format!("/rules/{}", text(&rule["id"]));
    let fields = [("id", text(&rule["id"])), ("from", page.as_str())];
    let reply = browser.form("/fn/take_over_rule", &fields).await;
    assert_eq!(reply.status, 303, "{}", reply.text);
    let page = browser.get(reply.header("location")).await.expect_page();
    assert_contains(&page, &["The rule is yours now and continues."]);
    server.tick().await;
    assert_eq!(subjects(&sink), ["u1"]);
    let path = format!("/api/v1/rules/{}/take-over", text(&rule["id"]));
    let mine = server.as_admin().post(&path, &Value::Null).await.expect(200);
    assert_eq!(mine["held"], false);
    assert_eq!(server.signal("top_up.clicked", "u2", json!({})).await, (1, 0));
}
