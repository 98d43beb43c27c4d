//! Roles and disabled accounts: what admins change, and what follows from it.

use super::lifecycle::{actor_of, log_in, member, service, token_in};
use crate::{on_both, test_server::TestServer};
use domain::{
    AccountId, DomainError, Role,
    account::{Client, NewAccount, OnDisable},
    services::{Accounts as _, Invitations as _, Settings as _},
    task::reason,
};
use serde_json::json;

on_both!(
    a_new_role_applies_from_the_next_request,
    the_last_admin_cannot_be_demoted_or_disabled,
    two_admins_cannot_demote_each_other_concurrently,
    disabling_an_account_requires_a_choice_for_its_tasks,
    a_disabled_account_has_no_access,
    only_admins_manage_accounts,
);

async fn a_new_role_applies_from_the_next_request(server: TestServer) {
    let (accounts, user) = (service(&server), &server.reviewer);
    let session = log_in(&server, user, &user.password).await.unwrap();
    accounts.change_role(&server.admin.actor, user.actor.account, Role::Admin).await.unwrap();
    assert!(actor_of(&server, &session).await.is_none(), "a new role needs a new session");
    let role = async || accounts.authenticate_token(&user.token).await.unwrap().map(|(actor, _)| actor.role);
    assert_eq!(role().await, Some(Role::Admin));
    accounts.change_role(&server.admin.actor, user.actor.account, Role::Creator).await.unwrap();
    assert_eq!(role().await, Some(Role::Creator));
    let missing = accounts.change_role(&server.admin.actor, AccountId::generate(), Role::Creator).await;
    assert_eq!(missing.unwrap_err(), DomainError::no_such("account"));
}

async fn the_last_admin_cannot_be_demoted_or_disabled(server: TestServer) {
    let (accounts, admin) = (service(&server), &server.admin.actor);
    assert_eq!(
        accounts.change_role(admin, admin.account, Role::Creator).await.unwrap_err(),
        DomainError::LastAdmin
    );
    let refused = accounts.disable(admin, admin.account, Some(OnDisable::Keep)).await;
    assert_eq!(refused.unwrap_err(), DomainError::LastAdmin);
    assert_eq!(accounts.own_account(admin).await.unwrap().role, Role::Admin);
}

async fn two_admins_cannot_demote_each_other_concurrently(server: TestServer) {
    let (accounts, one, other) = (service(&server), &server.admin.actor, server.reviewer.actor.account);
    accounts.change_role(one, other, Role::Admin).await.unwrap();
    let (a, b) = tokio::join!(
        accounts.change_role(one, other, Role::Creator),
        accounts.change_role(one, one.account, Role::Creator)
    );
    assert_eq!([a.is_ok(), b.is_ok()].iter().filter(|is_done| **is_done).count(), 1, "{a:?} {b:?}");
}

async fn disabling_an_account_requires_a_choice_for_its_tasks(server: TestServer) {
    let (accounts, admin, user) = (service(&server), &server.admin.actor, server.creator.actor.account);
    let (_, task) = server.schedule_new_article("Theirs", 3_600_000).await;
    server.schedule_new_article("Theirs too", 7_200_000).await;
    assert_eq!(accounts.scheduled_tasks_of(admin, user).await.unwrap().len(), 2);
    assert_eq!(accounts.disable(admin, user, None).await.unwrap_err(), DomainError::HasTasks { count: 2 });
    assert_eq!(server.task(&task).await["state"], "scheduled");
    assert!(accounts.disable(admin, user, Some(OnDisable::Keep)).await.unwrap().is_disabled);
    let kept = server.task(&task).await;
    assert_eq!(
        (&kept["state"], &kept["owner_id"]),
        (&"scheduled".into(), &admin.account.0.to_string().into())
    );
    assert!(!accounts.enable(admin, user).await.unwrap().is_disabled);
    let mut theirs = Vec::new();
    for title in ["New", "New too"] {
        let article =
            server.as_colleague().post("/api/v1/articles", &json!({ "title": title, "body": "" })).await;
        let (article, due_at) = (article.expect(201), server.time_after(3_600_000));
        let new_task = json!({ "kind": "article.publish", "target_id": article["id"], "due_at": due_at });
        theirs.push(server.as_colleague().post("/api/v1/tasks", &new_task).await.expect(201));
    }
    accounts.disable(admin, server.colleague.actor.account, Some(OnDisable::Cancel)).await.unwrap();
    for task in theirs {
        let task = server.task(&task).await;
        assert_eq!(
            (&task["state"], &task["reason"], &task["version"]),
            (&"cancelled".into(), &reason::OWNER_DISABLED.into(), &2.into())
        );
    }
    let log = server.app.services.tasks.events(admin, 0, 1_000).await.unwrap();
    let count = |verb| log.items.iter().filter(|event| event.verb == verb).count();
    assert_eq!((count("cancel"), count("disable"), count("enable")), (2, 2, 1));
}

async fn a_disabled_account_has_no_access(server: TestServer) {
    let (accounts, user) = (service(&server), &server.creator);
    let session = log_in(&server, user, &user.password).await.unwrap();
    let reset = token_in(&accounts.reset_password(&server.admin.actor, user.actor.account).await.unwrap());
    accounts.disable(&server.admin.actor, user.actor.account, None).await.unwrap();
    assert!(actor_of(&server, &session).await.is_none());
    assert_eq!(accounts.authenticate_token(&user.token).await, Ok(None));
    assert_eq!(log_in(&server, user, &user.password).await, Err(DomainError::WrongLogIn));
    assert_eq!(
        accounts.accept_invitation(&reset, member("", "a fine long sentence"), &Client::default()).await,
        Err(DomainError::LinkSpent)
    );
    assert_eq!(
        accounts.reset_password(&server.admin.actor, user.actor.account).await,
        Err(DomainError::no_such("account"))
    );
    accounts.enable(&server.admin.actor, user.actor.account).await.unwrap();
    assert!(actor_of(&server, &session).await.is_none(), "ended sessions stay ended");
    assert!(log_in(&server, user, &user.password).await.is_ok());
}

async fn only_admins_manage_accounts(server: TestServer) {
    let (accounts, id) = (service(&server), server.colleague.actor.account);
    for actor in [&server.creator.actor, &server.reviewer.actor] {
        assert_eq!(accounts.list(actor).await, Err(DomainError::NotAllowed));
        assert_eq!(
            accounts.invite(actor, "x@desk.test", "X", Role::Admin).await,
            Err(DomainError::NotAllowed)
        );
        assert_eq!(accounts.reset_password(actor, id).await, Err(DomainError::NotAllowed));
        assert_eq!(
            accounts.change_role(actor, actor.account, Role::Admin).await,
            Err(DomainError::NotAllowed)
        );
        assert_eq!(accounts.disable(actor, id, None).await, Err(DomainError::NotAllowed));
        assert_eq!(accounts.enable(actor, id).await, Err(DomainError::NotAllowed));
        assert_eq!(accounts.scheduled_tasks_of(actor, id).await, Err(DomainError::NotAllowed));
        let settings = accounts.settings().await.unwrap();
        assert_eq!(accounts.change_settings(actor, settings).await, Err(DomainError::NotAllowed));
    }
    assert_eq!(accounts.list(&server.admin.actor).await.unwrap().len(), 4);
    let again = NewAccount {
        email: server.creator.email.clone(),
        name: "C".to_owned(),
        password: "a fine long sentence".to_owned(),
    };
    assert_eq!(
        accounts.add_person(again, Role::Creator).await.unwrap_err(),
        DomainError::Taken { what: "e-mail".to_owned() }
    );
    assert_eq!(accounts.offer_set_up().await, Ok(None), "there is an admin");
}
