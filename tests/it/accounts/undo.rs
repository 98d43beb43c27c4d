//! Undo of changes of an account, and changes by two admins at the same time.

use crate::{engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{
    AccountId, DomainError, Role,
    account::{Account, OnDisable},
    input_limits::PASSWORD_GRACE_MS,
};

on_both!(
    a_role_change_is_undone_from_the_page_that_reports_it,
    only_the_last_change_is_undone_and_only_by_its_admin,
    two_admins_who_disable_each_other_do_not_wait_for_each_other,
);

/// Returns the account as the service has it.
async fn account(server: &TestServer, id: AccountId) -> Account {
    let all = server.app.services.accounts.list(&server.admin.actor).await.unwrap();
    all.into_iter().find(|account| account.id == id).unwrap()
}

async fn a_role_change_is_undone_from_the_page_that_reports_it(server: TestServer) {
    let (id, browser) = (server.colleague.actor.account, server.log_in_browser(&server.admin).await);
    let text = id.0.to_string();
    let form = [("id", text.as_str()), ("role", "admin"), ("from", "/settings/people")];
    let done = browser.form("/fn/change_role", &form).await;
    assert_eq!(done.result_location(), format!("/settings/people?done=role&account={text}"));
    let page = browser.get(done.header("location")).await.expect_page();
    assert_contains(&page, &["Role changed.", "Undo role change", "undo_account_change"]);
    let accounts = &server.app.services.accounts;
    let offer = accounts.undo_offer(&server.admin.actor, id).await.unwrap().unwrap();
    assert_eq!(offer.verb, "change_role");
    let seen = offer.seen.to_string();
    let form = [("id", text.as_str()), ("seen", seen.as_str()), ("from", "/settings/people")];
    let undone = browser.form("/fn/undo_account_change", &form).await;
    assert_eq!(undone.result_location(), "/settings/people?done=undo", "{}", undone.text);
    assert_eq!(account(&server, id).await.role, Role::Creator);
    let again = browser.form("/fn/undo_account_change", &form).await;
    assert_eq!(again.status, 409, "{}", again.text);
    // Disabling without tasks, and enabling.
    let form = [("id", text.as_str()), ("from", "/settings/people")];
    let disabled = browser.form("/fn/disable_account", &form).await;
    assert_contains(&browser.get(disabled.header("location")).await.expect_page(), &["Undo disable"]);
    let offer = accounts.undo_offer(&server.admin.actor, id).await.unwrap().unwrap();
    assert!(!accounts.undo_change(&server.admin.actor, id, offer.seen).await.unwrap().is_disabled);
    let offer = accounts.undo_offer(&server.admin.actor, id).await.unwrap().unwrap();
    assert_eq!(offer.verb, "enable");
    assert!(accounts.undo_change(&server.admin.actor, id, offer.seen).await.unwrap().is_disabled);
}

async fn only_the_last_change_is_undone_and_only_by_its_admin(server: TestServer) {
    let (accounts, admin, id) =
        (&server.app.services.accounts, &server.admin.actor, server.colleague.actor.account);
    assert_eq!(accounts.undo_offer(admin, id).await, Ok(None));
    assert_eq!(accounts.undo_offer(&server.creator.actor, id).await, Err(DomainError::NotAllowed));
    accounts.change_role(admin, id, Role::Reviewer).await.unwrap();
    let first = accounts.undo_offer(admin, id).await.unwrap().unwrap();
    accounts.change_role(admin, server.reviewer.actor.account, Role::Admin).await.unwrap();
    let other = domain::Actor { role: Role::Admin, ..server.reviewer.actor.clone() };
    assert_eq!(accounts.undo_offer(&other, id).await, Ok(None), "another admin made the change");
    let refused = accounts.undo_change(&other, id, first.seen).await;
    assert_eq!(refused, Err(DomainError::CannotUndo));
    accounts.change_role(admin, id, Role::Creator).await.unwrap();
    assert_eq!(accounts.undo_change(admin, id, first.seen).await, Err(DomainError::CannotUndo));
    let last = accounts.undo_offer(admin, id).await.unwrap().unwrap();
    server.advance(PASSWORD_GRACE_MS).await;
    assert_eq!(accounts.undo_offer(admin, id).await, Ok(None), "too late");
    assert_eq!(accounts.undo_change(admin, id, last.seen).await, Err(DomainError::CannotUndo));
    assert_eq!(account(&server, id).await.role, Role::Creator);
}

async fn two_admins_who_disable_each_other_do_not_wait_for_each_other(server: TestServer) {
    let (accounts, one) = (&server.app.services.accounts, &server.admin.actor);
    let (id, to) = (server.reviewer.actor.account, server.colleague.actor.account);
    accounts.change_role(one, id, Role::Admin).await.unwrap();
    let other = domain::Actor { role: Role::Admin, ..server.reviewer.actor.clone() };
    let hand_over = Some(OnDisable::HandOver(to));
    for _ in 0..10 {
        let (a, b) = tokio::join!(
            accounts.disable(one, other.account, hand_over),
            accounts.disable(&other, one.account, hand_over)
        );
        let done = [a.is_ok(), b.is_ok()];
        assert_eq!(done.iter().filter(|is_done| **is_done).count(), 1, "{a:?} {b:?}");
        let refused = if a.is_ok() { b } else { a };
        assert_eq!(refused, Err(DomainError::NotAllowed), "the first disabled the second");
        let (active, disabled) = if done[0] { (one, id) } else { (&other, one.account) };
        accounts.enable(active, disabled).await.unwrap();
    }
}
