//! Disabling an account passes its scheduled tasks to another one.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{AccountId, DomainError, account::OnDisable};
use serde_json::json;
use store::{
    PoolRole,
    owner_tasks::{self, TaskSpan},
};
use test_support::Sink;

on_both!(
    scheduled_tasks_are_handed_over_to_a_colleague,
    tasks_are_handed_over_to_enabled_accounts_only,
    very_many_tasks_are_handed_over_and_cancelled_in_batches,
);

async fn very_many_tasks_are_handed_over_and_cancelled_in_batches(server: TestServer) {
    let (accounts, admin) = (&server.app.services.accounts, &server.admin.actor);
    let (from, to) = (server.creator.actor.account, server.colleague.actor.account);
    let sink = Sink::start().await;
    let channel = server.create_webhook(&sink, json!({})).await;
    let message = json!({"channel_id": channel["id"], "delay": "PT1H", "body": "x"});
    let items = json!({ "items": vec![message; 2_500] });
    server.as_admin().post("/api/v1/messages/bulk", &items).await.expect(201);
    // Only admins send messages.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    owner_tasks::reassign(tx.conn(), admin.account, from, TaskSpan::ALL).await.unwrap();
    tx.commit().await.unwrap();
    let (_, task) = server.schedule_new_article("Theirs", 7_200_000).await;
    let owned = async |account: AccountId| {
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        owner_tasks::count(lease.conn(), account).await.unwrap()
    };
    assert_eq!((owned(from).await, owned(to).await), (2_501, 0));
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let first = owner_tasks::next_span(lease.conn(), from, None, 1_000).await.unwrap().unwrap();
    let second = owner_tasks::next_span(lease.conn(), from, Some(first), 1_000).await.unwrap().unwrap();
    let third = owner_tasks::next_span(lease.conn(), from, Some(second), 1_000).await.unwrap();
    drop(lease);
    assert_eq!(third, None, "the rest is the last batch");
    // The process dies after the first batch; the admin asks again.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let handed = owner_tasks::reassign(tx.conn(), from, to, first).await.unwrap();
    assert_eq!(handed.tasks.len(), 1_000);
    tx.commit().await.unwrap();
    accounts.disable(admin, from, Some(OnDisable::HandOver(to))).await.unwrap();
    assert_eq!((owned(from).await, owned(to).await), (0, 2_501));
    let path = format!("/api/v1/articles/{}", task["target_id"].as_str().unwrap());
    let article = server.as_admin().get(&path).await.expect(200);
    assert_eq!(article["owner_id"], json!(to.0.to_string()));
    accounts.disable(admin, to, Some(OnDisable::Cancel)).await.unwrap();
    assert_eq!(owned(to).await, 0);
    assert_eq!(server.task(&task).await["state"], json!("cancelled"));
}

async fn scheduled_tasks_are_handed_over_to_a_colleague(server: TestServer) {
    let (_, task) = server.schedule_new_article("Theirs", 3_600_000).await;
    server.schedule_new_article("Theirs too", 7_200_000).await;
    let (id, to) = (server.creator.actor.account.0.to_string(), server.colleague.actor.account.0.to_string());
    let browser = server.log_in_browser(&server.admin).await;
    let asked = browser.form("/fn/disable_account", &[("id", &id), ("from", "/settings/people")]).await;
    assert_eq!(asked.header("location"), format!("/settings/people?disable={id}"));
    let page = browser.get(asked.header("location")).await.expect_page();
    assert_contains(&page, &["Scheduled tasks: 2.", "Theirs too", "colleague@desk.test"]);

    let form = [("id", id.as_str()), ("on_disable", "keep"), ("to", &to), ("from", "/settings/people")];
    let done = browser.form("/fn/disable_account", &form).await;
    assert_eq!(done.status, 303);
    assert_eq!(done.result_location(), format!("/settings/people?done=handed&account={id}"));
    let page = browser.get(done.header("location")).await.expect_page();
    assert!(!page.contains("undo_account_change"), "tasks that were handed over are not returned");
    let handed = server.task(&task).await;
    assert_eq!((&handed["state"], &handed["owner_id"]), (&json!("scheduled"), &json!(to)));
    let cancel = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    server.as_colleague().post(&cancel, &json!({ "seen_version": handed["version"] })).await.expect(200);
}

async fn tasks_are_handed_over_to_enabled_accounts_only(server: TestServer) {
    let (accounts, admin, user) =
        (&server.app.services.accounts, &server.admin.actor, server.creator.actor.account);
    let (_, task) = server.schedule_new_article("Theirs", 3_600_000).await;
    let disabled = server.colleague.actor.account;
    accounts.disable(admin, disabled, None).await.unwrap();
    for to in [disabled, user, AccountId::generate()] {
        let refused = accounts.disable(admin, user, Some(OnDisable::HandOver(to))).await;
        assert_eq!(refused.unwrap_err(), DomainError::no_such("account"), "{to:?}");
    }
    assert_eq!(server.task(&task).await["owner_id"], json!(user.0.to_string()));
    assert!(accounts.list(admin).await.unwrap().iter().any(|one| one.id == user && !one.is_disabled));
}
