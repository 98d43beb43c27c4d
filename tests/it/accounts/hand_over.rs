//! Disabling an account passes its scheduled tasks to another one.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{AccountId, DomainError, account::OnDisable};
use serde_json::json;

on_both!(scheduled_tasks_are_handed_over_to_a_colleague, tasks_are_handed_over_to_enabled_accounts_only,);

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
