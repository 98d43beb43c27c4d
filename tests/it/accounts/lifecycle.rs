//! Accounts: log-in, password changes, one-time links, tokens, profile.

use crate::{
    on_both,
    test_server::{Account, TestServer, client_at},
};
use domain::{
    Actor, DomainError, Role,
    account::{
        AnswerNotices, Client, Language, NewMember, OneTimeLink, PasswordChange, ProfileEdit, Scope,
        SessionSecret, Theme,
    },
    error::ValidationError,
    services::{Accounts as _, Invitations as _, Sessions as _, Settings as _, Tokens as _},
    settings::SiteSettings,
};
use presstime::accounts::AccountService;
use std::sync::Arc;

on_both!(
    wrong_passwords_are_rate_limited_and_the_owner_can_log_in_later,
    guesses_from_many_addresses_share_one_bucket,
    parallel_guesses_do_not_bypass_the_limit,
    an_unknown_email_gets_the_same_answer_as_a_wrong_password,
    a_session_expires,
    a_password_change_ends_the_other_sessions,
    an_invitation_creates_one_account,
    a_reset_sets_a_new_password_and_ends_the_sessions,
    one_time_links_expire_and_are_replaced,
    tokens_are_shown_once_and_expire,
    log_ins_and_log_outs_are_logged_for_admins,
    the_profile_and_the_settings_are_validated,
);

pub(super) fn service(server: &TestServer) -> Arc<AccountService> {
    server.app.accounts.clone()
}

pub(super) async fn log_in(
    server: &TestServer,
    user: &Account,
    password: &str,
) -> Result<SessionSecret, DomainError> {
    let client = client_at("192.0.2.1", "Firefox");
    service(server).log_in(&user.email, password, &client).await.map(|fresh| fresh.session)
}

fn change(old: &str, new: &str) -> PasswordChange {
    PasswordChange { current: old.to_owned(), new: new.to_owned(), keep_tokens: Vec::new() }
}

pub(super) async fn actor_of(server: &TestServer, secret: &SessionSecret) -> Option<Actor> {
    service(server).authenticate_session(secret).await.unwrap()
}

pub(super) fn token_in(link: &OneTimeLink) -> String {
    link.path.strip_prefix("/invite?token=").expect("a path with a token").to_owned()
}

async fn wrong_passwords_are_rate_limited_and_the_owner_can_log_in_later(server: TestServer) {
    let user = &server.creator;
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.push(log_in(&server, user, "a wrong password").await.unwrap_err());
    }
    assert_eq!(answers[..10], vec![DomainError::WrongLogIn; 10]);
    assert!(answers[10..].iter().all(|answer| matches!(answer, DomainError::TooMany { seconds: 1..=41 })));
    assert!(matches!(log_in(&server, user, &user.password).await, Err(DomainError::TooMany { .. })));
    server.advance(41_000).await;
    assert!(log_in(&server, user, &user.password).await.is_ok());
    for _ in 0..15 {
        assert!(log_in(&server, user, &user.password).await.is_ok(), "successful log-ins are not counted");
    }
}

async fn guesses_from_many_addresses_share_one_bucket(server: TestServer) {
    let user = &server.creator;
    let known =
        service(&server).log_in(&user.email, &user.password, &client_at("192.0.2.1", "")).await.unwrap();
    let mut evaluated = 0;
    for minute in 0..60 {
        for number in 0..5 {
            let client = client_at(&format!("198.51.100.{}", (minute * 5 + number) % 250), "");
            match service(&server).log_in(&user.email, "a wrong password", &client).await {
                Err(DomainError::WrongLogIn) => evaluated += 1,
                other => assert!(matches!(other, Err(DomainError::TooMany { .. })), "{other:?}"),
            }
        }
        server.advance(60_000).await;
    }
    assert!(evaluated <= 100, "{evaluated} guesses were checked within an hour");
    let owner = Client { known_browsers: vec![known.known_browser], ..client_at("203.0.113.7", "") };
    let back = service(&server).log_in(&user.email, &user.password, &owner).await;
    assert!(back.is_ok(), "the owner's known browser may log in: {back:?}");
}

async fn parallel_guesses_do_not_bypass_the_limit(server: TestServer) {
    let guess = |_| log_in(&server, &server.creator, "a wrong password");
    let answers = futures::future::join_all((0..30).map(guess)).await;
    let evaluated = answers.iter().filter(|answer| **answer == Err(DomainError::WrongLogIn)).count();
    assert_eq!(evaluated, 10);
}

async fn an_unknown_email_gets_the_same_answer_as_a_wrong_password(server: TestServer) {
    let accounts = service(&server);
    for round in 0..12 {
        let unknown =
            accounts.log_in("unknown@desk.test", "a wrong password", &client_at("192.0.2.7", "")).await;
        let known =
            accounts.log_in(&server.creator.email, "a wrong password", &client_at("192.0.2.8", "")).await;
        assert_eq!(unknown, known, "round {round}");
    }
    let endless = "x".repeat(100_000);
    let refused = accounts.log_in("x@desk.test", &endless, &client_at("192.0.2.9", "")).await;
    assert_eq!(refused, Err(DomainError::WrongLogIn));
}

async fn a_session_expires(server: TestServer) {
    let hour = 3_600_000;
    let creator = log_in(&server, &server.creator, &server.creator.password).await.unwrap();
    let admin = log_in(&server, &server.admin, &server.admin.password).await.unwrap();
    server.advance(29 * 60_000).await;
    assert!(actor_of(&server, &admin).await.is_some());
    server.advance(30 * 60_000).await;
    assert!(actor_of(&server, &admin).await.is_none(), "an admin session ends after half an hour");
    server.advance(7 * hour - 60_000).await;
    let actor = actor_of(&server, &creator).await.unwrap();
    assert_eq!(Actor { session: None, ..actor }, server.creator.actor);
    for _ in 0..22 {
        server.advance(7 * hour).await;
        assert!(actor_of(&server, &creator).await.is_some(), "a used session stays valid");
    }
    server.advance(7 * hour).await;
    assert!(actor_of(&server, &creator).await.is_none(), "after seven days it ends");
    assert!(actor_of(&server, &SessionSecret("x".to_owned())).await.is_none());
}

async fn a_password_change_ends_the_other_sessions(server: TestServer) {
    let (accounts, user) = (service(&server), &server.creator);
    let here = log_in(&server, user, &user.password).await.unwrap();
    let elsewhere = log_in(&server, user, &user.password).await.unwrap();
    let rows = accounts.sessions(&user.actor, Some(&here)).await.unwrap();
    assert_eq!((rows.len(), rows.iter().filter(|row| row.is_current).count()), (2, 1));
    let here_now = Client { session: Some(here.clone()), ..Client::default() };
    let wrong =
        accounts.change_password(&user.actor, change("not it", "another fine sentence"), &here_now).await;
    assert_eq!(wrong, Err(DomainError::invalid("old", ValidationError::WrongPassword)));
    let common =
        accounts.change_password(&user.actor, change(&user.password, "Password123"), &here_now).await;
    assert_eq!(common, Err(DomainError::invalid("password", ValidationError::CommonPassword)));
    let changed = change(&user.password, "another fine sentence");
    let fresh = accounts.change_password(&user.actor, changed, &here_now).await.unwrap().session;
    assert!(actor_of(&server, &here).await.is_none() && actor_of(&server, &elsewhere).await.is_none());
    assert!(actor_of(&server, &fresh).await.is_some());
    assert_eq!(log_in(&server, user, &user.password).await, Err(DomainError::WrongLogIn));
    let name = accounts.sessions(&user.actor, None).await.unwrap()[0].name.clone();
    assert_eq!(
        accounts.end_session(&server.colleague.actor, &name).await,
        Err(DomainError::no_such("session"))
    );
    accounts.end_session(&user.actor, &name).await.unwrap();
    assert!(actor_of(&server, &fresh).await.is_none());
}

/// Input of a person who accepts a link.
pub(super) fn member(name: &str, password: &str) -> NewMember {
    NewMember { name: name.to_owned(), password: password.to_owned(), ..NewMember::default() }
}

async fn an_invitation_creates_one_account(server: TestServer) {
    let (accounts, admin) = (service(&server), &server.admin.actor);
    let link = accounts.invite(admin, " New@Desk.test", "New", Role::Reviewer).await.unwrap();
    let token = token_in(&link);
    let shown = accounts.invitation(&token).await.unwrap();
    assert_eq!((shown.email.as_str(), shown.role, shown.is_reset), ("new@desk.test", Role::Reviewer, false));
    let password = "a fine long sentence";
    let anywhere = Client::default();
    let tries = futures::future::join_all(
        (0..8).map(|_| accounts.accept_invitation(&token, member("Neo", password), &anywhere)),
    )
    .await;
    let secrets: Vec<_> = tries.into_iter().filter_map(Result::ok).collect();
    assert_eq!(secrets.len(), 1, "one of several concurrent requests succeeds");
    let actor = actor_of(&server, &secrets[0].session).await.unwrap();
    let me = accounts.own_account(&actor).await.unwrap();
    assert_eq!((me.name.as_str(), me.role), ("Neo", Role::Reviewer));
    assert_eq!(
        accounts.accept_invitation(&token, member("Neo", password), &anywhere).await,
        Err(DomainError::LinkSpent)
    );
    assert_eq!(accounts.invitation(&token).await, Err(DomainError::LinkSpent));
    let taken = accounts.invite(admin, "new@desk.test", "New", Role::Creator).await;
    assert_eq!(taken, Err(DomainError::Taken { what: "e-mail".to_owned() }));
}

async fn a_reset_sets_a_new_password_and_ends_the_sessions(server: TestServer) {
    let (accounts, user) = (service(&server), &server.creator);
    let old = log_in(&server, user, &user.password).await.unwrap();
    let token = token_in(&accounts.reset_password(&server.admin.actor, user.actor.account).await.unwrap());
    assert!(accounts.invitation(&token).await.unwrap().is_reset);
    assert!(actor_of(&server, &old).await.is_some(), "nothing changes until the link is used");
    let fresh = accounts
        .accept_invitation(&token, member("", "a brand new sentence"), &Client::default())
        .await
        .unwrap()
        .session;
    assert!(actor_of(&server, &old).await.is_none() && actor_of(&server, &fresh).await.is_some());
    assert!(log_in(&server, user, "a brand new sentence").await.is_ok());
    assert_eq!(accounts.own_account(&user.actor).await.unwrap().name, "creator");
}

async fn one_time_links_expire_and_are_replaced(server: TestServer) {
    let (accounts, admin) = (service(&server), &server.admin.actor);
    let hour = 3_600_000;
    let reset = token_in(&accounts.reset_password(admin, server.creator.actor.account).await.unwrap());
    let first = token_in(&accounts.invite(admin, "n@desk.test", "N", Role::Creator).await.unwrap());
    let second = token_in(&accounts.invite(admin, "n@desk.test", "N", Role::Creator).await.unwrap());
    assert_eq!(accounts.invitation(&first).await, Err(DomainError::LinkSpent));
    server.advance(24 * hour).await;
    assert_eq!(accounts.invitation(&reset).await, Err(DomainError::LinkSpent));
    assert!(accounts.invitation(&second).await.is_ok());
    server.advance(6 * 24 * hour).await;
    assert_eq!(
        accounts.accept_invitation(&second, member("N", "a fine long sentence"), &Client::default()).await,
        Err(DomainError::LinkSpent)
    );
}

async fn tokens_are_shown_once_and_expire(server: TestServer) {
    let (accounts, actor) = (service(&server), &server.creator.actor);
    let (row, secret) = accounts.create_token(actor, "robot", 1, Scope::Write).await.unwrap();
    assert!(secret.starts_with("pt_live_"));
    assert_eq!(accounts.authenticate_token(&secret).await.unwrap(), Some((actor.clone(), Scope::Write)));
    let rows = accounts.tokens(actor).await.unwrap();
    let used_at = rows.iter().find(|token| token.id == row.id).and_then(|token| token.used_at);
    assert_eq!(used_at, Some(server.now()), "rounded to the minute");
    let last = if secret.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &secret[..secret.len() - 1]);
    assert_eq!(accounts.authenticate_token(&mistyped).await, Ok(None));
    for days in [0, 366] {
        assert!(matches!(
            accounts.create_token(actor, "robot", days, Scope::Read).await,
            Err(DomainError::Invalid { .. })
        ));
    }
    assert_eq!(
        accounts.revoke_token(&server.colleague.actor, row.id).await,
        Err(DomainError::no_such("token"))
    );
    server.advance(24 * 3_600_000).await;
    assert_eq!(accounts.authenticate_token(&secret).await, Ok(None));
    accounts.revoke_token(actor, row.id).await.unwrap();
    assert!(accounts.tokens(actor).await.unwrap().iter().all(|token| token.id != row.id));
}

async fn the_profile_and_the_settings_are_validated(server: TestServer) {
    let (accounts, actor) = (service(&server), &server.creator.actor);
    let bad = ProfileEdit { zone: Some("Mars/Olympus".to_owned()), ..ProfileEdit::default() };
    let refused = accounts.change_profile(actor, bad).await;
    let like = "Europe/Berlin".to_owned();
    assert_eq!(refused, Err(DomainError::invalid("zone", ValidationError::NotAZone { like })));
    let good = ProfileEdit {
        name: None,
        zone: Some("Asia/Shanghai".to_owned()),
        language: Some(Language::Zh),
        theme: Some(Theme::Dark),
        has_shortcuts: Some(false),
        answer_notices: Some(AnswerNotices::Mail),
        ..ProfileEdit::default()
    };
    let me = accounts.change_profile(actor, good).await.unwrap();
    assert_eq!(
        (me.name.as_str(), me.zone.as_str(), me.language, me.theme, me.has_shortcuts),
        ("creator", "Asia/Shanghai", Language::Zh, Theme::Dark, false)
    );
    assert_eq!(me.answer_notices, AnswerNotices::Mail);
    let new =
        SiteSettings { title: "报社".to_owned(), zone: "Europe/Berlin".to_owned(), language: Language::Zh };
    assert_eq!(accounts.change_settings(&server.admin.actor, new.clone()).await, Ok(new.clone()));
    assert_eq!(accounts.settings().await, Ok(new.clone()));
    let long = SiteSettings { title: "x".repeat(101), ..new };
    let refused = accounts.change_settings(&server.admin.actor, long).await;
    assert_eq!(refused, Err(DomainError::invalid("title", ValidationError::TooLong { max: 100 })));
}

async fn log_ins_and_log_outs_are_logged_for_admins(server: TestServer) {
    let (accounts, user) = (service(&server), &server.creator);
    let tasks = &server.app.services.tasks;
    let before = tasks.events(&server.admin.actor, 0, 1_000).await.unwrap().items.last().unwrap().seq;
    log_in(&server, user, "a wrong password").await.unwrap_err();
    accounts.log_in("unknown@desk.test", "a wrong password", &client_at("192.0.2.1", "")).await.unwrap_err();
    let one = log_in(&server, user, &user.password).await.unwrap();
    let other = log_in(&server, user, &user.password).await.unwrap();
    let wrong = change("not mine", "a fine long sentence");
    accounts.change_password(&user.actor, wrong, &Client::default()).await.unwrap_err();
    accounts.log_out(&one).await.unwrap();
    accounts.log_out(&one).await.unwrap();
    let name = accounts.sessions(&user.actor, Some(&other)).await.unwrap().remove(0).name;
    accounts.end_session(&user.actor, &name).await.unwrap();
    let log = tasks.events(&server.admin.actor, before, 1_000).await.unwrap().items;
    let verbs: Vec<_> = log.iter().map(|event| (event.verb.as_str(), event.actor.as_str())).collect();
    let expected = [
        ("fail_log_in", "engine"),
        ("fail_log_in", "engine"),
        ("log_in", "creator"),
        ("log_in", "creator"),
        ("fail_password", "creator"),
        ("log_out", "creator"),
        ("end_session", "creator"),
    ];
    assert_eq!(verbs, expected);
    assert_eq!(log[0].entity_id, user.actor.account.0);
    assert!(log[1].entity_id.is_nil(), "an unknown email has no account id");
    assert_eq!(log[2].detail["address"], "192.0.2.1");
    let colleague = tasks.events(&server.colleague.actor, before, 1_000).await.unwrap();
    assert!(colleague.items.is_empty(), "{:?}", colleague.items);
    assert_eq!(
        tasks.events(&user.actor, before, 1_000).await.unwrap().items.len(),
        6,
        "only events of the own account"
    );
}
