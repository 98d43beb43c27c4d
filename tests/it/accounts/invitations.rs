//! Invitations: listed, renewed, withdrawn; accepted with a time zone and a language.

use crate::{
    engine_page::assert_contains,
    on_both,
    test_server::{TestServer, client_at},
};
use domain::services::{Accounts as _, Invitations as _, Sessions as _};
use domain::{
    DomainError, Role,
    account::{InvitationRow, OneTimeLink},
    error::ValidationError,
};
use reqwest::Method;

on_both!(
    an_invitation_is_listed_renewed_and_withdrawn,
    an_expired_invitation_stays_listed_for_thirty_days,
    one_of_several_concurrent_renewals_succeeds,
    only_admins_see_and_change_invitations,
    a_new_member_gets_the_time_zone_and_language_of_the_form,
    all_problems_of_an_invitation_are_returned,
);

const DAY_MS: i64 = 24 * 3_600_000;

fn token(link: &OneTimeLink) -> &str {
    link.path.split_once("token=").unwrap().1
}

async fn listed(server: &TestServer) -> Vec<InvitationRow> {
    server.app.services.invitations.invitations(&server.admin.actor).await.unwrap()
}

async fn invite(server: &TestServer, email: &str) -> OneTimeLink {
    server.app.services.invitations.invite(&server.admin.actor, email, "Neo", Role::Reviewer).await.unwrap()
}

async fn an_invitation_is_listed_renewed_and_withdrawn(server: TestServer) {
    let (accounts, admin) = (&server.app.accounts, &server.admin.actor);
    let first = invite(&server, "neo@desk.test").await;
    accounts.reset_password(admin, server.creator.actor.account).await.unwrap();
    let rows = listed(&server).await;
    assert_eq!(rows.len(), 1, "a password reset is no invitation: {rows:?}");
    assert_eq!((rows[0].email.as_str(), rows[0].role), ("neo@desk.test", Role::Reviewer));
    assert!(!token(&first).contains(&rows[0].id));
    server.advance(3 * DAY_MS).await;

    let second = accounts.renew_invitation(admin, &rows[0].id).await.unwrap();
    assert_eq!(second.expires_at, server.now().plus(7 * DAY_MS));
    assert_eq!(accounts.invitation(token(&first)).await, Err(DomainError::LinkSpent));
    assert_eq!(accounts.invitation(token(&second)).await.unwrap().name, "Neo");
    let again = accounts.renew_invitation(admin, &rows[0].id).await;
    assert_eq!(again, Err(DomainError::no_such("invitation")), "its link is another one now");

    let renewed = listed(&server).await;
    accounts.withdraw_invitation(admin, &renewed[0].id).await.unwrap();
    assert_eq!(accounts.invitation(token(&second)).await, Err(DomainError::LinkSpent));
    assert_eq!(listed(&server).await, []);
    let again = accounts.withdraw_invitation(admin, &renewed[0].id).await;
    assert_eq!(again, Err(DomainError::no_such("invitation")));
    let log = server.app.services.tasks.events(admin, 0, 1_000).await.unwrap();
    let verbs = log.items.iter().map(|event| event.verb.as_str());
    let verbs: Vec<_> = verbs.filter(|verb| *verb != "create_token").collect();
    assert_eq!(verbs, ["invite", "reset", "renew_invitation", "withdraw_invitation"]);
}

async fn an_expired_invitation_stays_listed_for_thirty_days(server: TestServer) {
    invite(&server, "neo@desk.test").await;
    server.advance(8 * DAY_MS).await;
    let rows = listed(&server).await;
    assert!(rows[0].expires_at < server.now());
    let browser = server.log_in_browser(&server.admin).await;
    assert_contains(&browser.get("/settings/people").await.expect_page(), &["neo@desk.test", "expired"]);
    let link =
        server.app.services.invitations.renew_invitation(&server.admin.actor, &rows[0].id).await.unwrap();
    assert!(server.app.services.invitations.invitation(token(&link)).await.is_ok());
    assert_contains(&browser.get("/settings/people").await.expect_page(), &["invited, 7 d left"]);
    for _ in 0..4 {
        server.advance(10 * DAY_MS).await;
    }
    assert_eq!(listed(&server).await, []);
}

async fn one_of_several_concurrent_renewals_succeeds(server: TestServer) {
    invite(&server, "neo@desk.test").await;
    let id = listed(&server).await.remove(0).id;
    let (accounts, admin) = (&server.app.accounts, &server.admin.actor);
    let tries = (0..8).map(|_| accounts.renew_invitation(admin, &id));
    let answers = futures::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    assert_eq!(listed(&server).await.len(), 1);
}

async fn only_admins_see_and_change_invitations(server: TestServer) {
    invite(&server, "neo@desk.test").await;
    let id = listed(&server).await.remove(0).id;
    let accounts = &server.app.accounts;
    for actor in [&server.creator.actor, &server.reviewer.actor] {
        assert_eq!(accounts.invitations(actor).await, Err(DomainError::NotAllowed));
        assert_eq!(accounts.renew_invitation(actor, &id).await, Err(DomainError::NotAllowed));
        assert_eq!(accounts.withdraw_invitation(actor, &id).await, Err(DomainError::NotAllowed));
    }
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [("id", id.as_str()), ("name", "Neo"), ("from", "/settings/people")];
    for function in ["/fn/renew_invitation", "/fn/withdraw_invitation"] {
        assert_eq!(browser.form(function, &fields).await.status, 403, "{function}");
    }
    assert_eq!(listed(&server).await[0].id, id);
}

async fn a_new_member_gets_the_time_zone_and_language_of_the_form(server: TestServer) {
    let link = invite(&server, "neo@desk.test").await;
    let request =
        server.as_anonymous().request(Method::GET, &link.path).header("accept-language", "zh-CN,zh");
    let page = crate::http_client::Reply::of(request).await.expect_page();
    assert_contains(&page, &["lang=\"zh\"", "加入工作台", "name=\"zone\"", "data-browser-zone"]);
    let form = |zone: &'static str, password: &'static str| {
        vec![
            ("token", token(&link).to_owned()),
            ("name", "Neo".to_owned()),
            ("password", password.to_owned()),
            ("zone", zone.to_owned()),
            ("language", "zh".to_owned()),
            ("from", link.path.clone()),
        ]
    };
    let browser = server.browser();
    let send = async |fields: Vec<(&str, String)>| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.form("/fn/accept", &fields).await
    };
    let refused = send(form("Mars/Base", "short")).await;
    assert_eq!(refused.status, 422);
    assert_contains(
        &refused.text,
        &["is unknown; use a name like", "needs at least 8 characters", "Mars/Base"],
    );
    assert!(!refused.text.contains("class=\"alert\""), "a problem is said once, at its field");
    let accepted = send(form("Asia/Shanghai", "a fine long sentence")).await;
    assert_eq!(accepted.status, 303, "{}", accepted.text);
    let neo = client_at("127.0.0.1", "");
    let accounts = &server.app.accounts;
    let login = accounts.log_in("neo@desk.test", "a fine long sentence", &neo).await.unwrap();
    let actor = server.app.accounts.authenticate_session(&login.session).await.unwrap().unwrap();
    let account = accounts.own_account(&actor).await.unwrap();
    assert_eq!((account.zone.as_str(), account.language.as_str()), ("Asia/Shanghai", "zh"));
}

async fn all_problems_of_an_invitation_are_returned(server: TestServer) {
    let accounts = &server.app.accounts;
    let refused = accounts.invite(&server.admin.actor, "not an address", " ", Role::Creator).await;
    let problems =
        vec![("name".to_owned(), ValidationError::Empty), ("email".to_owned(), ValidationError::NotAnEmail)];
    assert_eq!(refused, Err(DomainError::InvalidFields { problems }));
    let browser = server.log_in_browser(&server.admin).await;
    let form = [("name", ""), ("email", "not an address"), ("role", "creator"), ("from", "/settings/people")];
    let reply = browser.form("/fn/invite", &form).await;
    assert_eq!(reply.status, 422);
    assert_contains(
        &reply.text,
        &["must not be empty", "use a format like name@example.org", "not an address"],
    );
    assert!(!reply.text.contains("class=\"alert\""), "a problem is said once, at its field");
}
