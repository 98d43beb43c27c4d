//! People: the first admin, logging in, links, roles, shut accounts, tokens.

use crate::{
    house::{Account, Story, client_at},
    on_both,
};
use domain::{
    Actor, PersonId, Refusal, Role,
    desk::People,
    person::{
        Client, Language, Leftover, Link, NewPassword, NewPerson, ProfileEdit, Scope, SessionSecret, Theme,
    },
    refusal::Problem,
    settings::DeskSettings,
    task::reason,
};
use presstime::desk::people::PeopleDesk;
use serde_json::json;
use std::sync::Arc;

on_both!(
    wrong_passwords_are_slowed_down_and_the_owner_still_gets_in,
    guesses_from_many_addresses_share_one_bucket,
    parallel_guesses_do_not_slip_through,
    an_unknown_address_is_answered_like_a_wrong_password,
    a_session_ends_by_itself,
    a_new_password_ends_the_other_sessions,
    an_invitation_is_good_for_one_account,
    a_reset_gives_a_new_password_and_ends_the_sessions,
    links_get_too_old_and_are_replaced,
    another_role_holds_from_the_next_request_on,
    the_last_admin_stays_one,
    two_admins_cannot_demote_each_other_at_once,
    shutting_an_account_asks_what_to_do_with_its_tasks,
    a_shut_account_opens_nothing,
    tokens_are_shown_once_and_end,
    who_comes_and_goes_is_written_down_for_admins,
    the_profile_and_the_settings_are_checked,
    only_admins_look_after_people,
);

fn people(house: &Story) -> Arc<PeopleDesk> {
    house.house.people.clone()
}

async fn log_in(house: &Story, who: &Account, password: &str) -> Result<SessionSecret, Refusal> {
    let client = client_at("192.0.2.1", "Firefox");
    people(house).log_in(&who.email, password, &client).await.map(|fresh| fresh.session)
}

fn change(old: &str, new: &str) -> NewPassword {
    NewPassword { old: old.to_owned(), new: new.to_owned(), keep: Vec::new() }
}

async fn actor_of(house: &Story, secret: &SessionSecret) -> Option<Actor> {
    people(house).authenticate_session(secret).await.unwrap()
}

fn token_in(link: &Link) -> String {
    link.path.strip_prefix("/invite?token=").expect("a path with a token").to_owned()
}

async fn wrong_passwords_are_slowed_down_and_the_owner_still_gets_in(house: Story) {
    let who = &house.creator;
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.push(log_in(&house, who, "a wrong password").await.unwrap_err());
    }
    assert_eq!(answers[..10], vec![Refusal::WrongLogIn; 10]);
    assert!(answers[10..].iter().all(|answer| matches!(answer, Refusal::TooMany { seconds: 1..=41 })));
    assert!(matches!(log_in(&house, who, &who.password).await, Err(Refusal::TooMany { .. })));
    house.advance(41_000).await;
    assert!(log_in(&house, who, &who.password).await.is_ok());
    for _ in 0..15 {
        assert!(log_in(&house, who, &who.password).await.is_ok(), "good ones are not counted");
    }
}

async fn guesses_from_many_addresses_share_one_bucket(house: Story) {
    let who = &house.creator;
    let known = people(&house).log_in(&who.email, &who.password, &client_at("192.0.2.1", "")).await.unwrap();
    let mut evaluated = 0;
    for minute in 0..60 {
        for number in 0..5 {
            let stranger = client_at(&format!("198.51.100.{}", (minute * 5 + number) % 250), "");
            match people(&house).log_in(&who.email, "a wrong password", &stranger).await {
                Err(Refusal::WrongLogIn) => evaluated += 1,
                other => assert!(matches!(other, Err(Refusal::TooMany { .. })), "{other:?}"),
            }
        }
        house.advance(60_000).await;
    }
    assert!(evaluated <= 100, "{evaluated} guesses were looked at within an hour");
    let owner = Client { marks: vec![known.mark], ..client_at("203.0.113.7", "") };
    let back = people(&house).log_in(&who.email, &who.password, &owner).await;
    assert!(back.is_ok(), "the owner's own browser stays open: {back:?}");
}

async fn parallel_guesses_do_not_slip_through(house: Story) {
    let guess = |_| log_in(&house, &house.creator, "a wrong password");
    let answers = futures::future::join_all((0..30).map(guess)).await;
    let evaluated = answers.iter().filter(|answer| **answer == Err(Refusal::WrongLogIn)).count();
    assert_eq!(evaluated, 10);
}

async fn an_unknown_address_is_answered_like_a_wrong_password(house: Story) {
    let desk = people(&house);
    for round in 0..12 {
        let unknown = desk.log_in("nobody@desk.test", "a wrong password", &client_at("192.0.2.7", "")).await;
        let known = desk.log_in(&house.creator.email, "a wrong password", &client_at("192.0.2.8", "")).await;
        assert_eq!(unknown, known, "round {round}");
    }
    let endless = "x".repeat(100_000);
    let refused = desk.log_in("x@desk.test", &endless, &client_at("192.0.2.9", "")).await;
    assert_eq!(refused, Err(Refusal::WrongLogIn));
}

async fn a_session_ends_by_itself(house: Story) {
    let hour = 3_600_000;
    let creator = log_in(&house, &house.creator, &house.creator.password).await.unwrap();
    let admin = log_in(&house, &house.admin, &house.admin.password).await.unwrap();
    house.advance(29 * 60_000).await;
    assert!(actor_of(&house, &admin).await.is_some());
    house.advance(30 * 60_000).await;
    assert!(actor_of(&house, &admin).await.is_none(), "an admin's ends after half an hour");
    house.advance(7 * hour - 60_000).await;
    let actor = actor_of(&house, &creator).await.unwrap();
    assert_eq!(Actor { session: None, ..actor }, house.creator.actor);
    for _ in 0..22 {
        house.advance(7 * hour).await;
        assert!(actor_of(&house, &creator).await.is_some(), "used, it lives on");
    }
    house.advance(7 * hour).await;
    assert!(actor_of(&house, &creator).await.is_none(), "after seven days it ends");
    assert!(actor_of(&house, &SessionSecret("x".to_owned())).await.is_none());
}

async fn a_new_password_ends_the_other_sessions(house: Story) {
    let (desk, who) = (people(&house), &house.creator);
    let here = log_in(&house, who, &who.password).await.unwrap();
    let elsewhere = log_in(&house, who, &who.password).await.unwrap();
    let rows = desk.sessions(&who.actor, Some(&here)).await.unwrap();
    assert_eq!((rows.len(), rows.iter().filter(|row| row.is_current).count()), (2, 1));
    let here_now = Client { session: Some(here.clone()), ..Client::default() };
    let wrong = desk.change_password(&who.actor, change("not it", "another fine sentence"), &here_now).await;
    assert_eq!(wrong, Err(Refusal::invalid("old", Problem::WrongPassword)));
    let common = desk.change_password(&who.actor, change(&who.password, "Password123"), &here_now).await;
    assert_eq!(common, Err(Refusal::invalid("password", Problem::CommonPassword)));
    let changed = change(&who.password, "another fine sentence");
    let fresh = desk.change_password(&who.actor, changed, &here_now).await.unwrap().session;
    assert!(actor_of(&house, &here).await.is_none() && actor_of(&house, &elsewhere).await.is_none());
    assert!(actor_of(&house, &fresh).await.is_some());
    assert_eq!(log_in(&house, who, &who.password).await, Err(Refusal::WrongLogIn));
    let name = desk.sessions(&who.actor, None).await.unwrap()[0].name.clone();
    assert_eq!(desk.end_session(&house.colleague.actor, &name).await, Err(Refusal::no_such("session")));
    desk.end_session(&who.actor, &name).await.unwrap();
    assert!(actor_of(&house, &fresh).await.is_none());
}

async fn an_invitation_is_good_for_one_account(house: Story) {
    let (desk, admin) = (people(&house), &house.admin.actor);
    let link = desk.invite(admin, " New@Desk.test", "New", Role::Reviewer).await.unwrap();
    let token = token_in(&link);
    let shown = desk.invitation(&token).await.unwrap();
    assert_eq!((shown.email.as_str(), shown.role, shown.is_reset), ("new@desk.test", Role::Reviewer, false));
    let password = "a fine long sentence";
    let anywhere = Client::default();
    let tries =
        futures::future::join_all((0..8).map(|_| desk.accept(&token, "Neo", password, &anywhere))).await;
    let secrets: Vec<_> = tries.into_iter().filter_map(Result::ok).collect();
    assert_eq!(secrets.len(), 1, "of many at once one gets in");
    let actor = actor_of(&house, &secrets[0].session).await.unwrap();
    let me = desk.me(&actor).await.unwrap();
    assert_eq!((me.name.as_str(), me.role), ("Neo", Role::Reviewer));
    assert_eq!(desk.accept(&token, "Neo", password, &anywhere).await, Err(Refusal::LinkSpent));
    assert_eq!(desk.invitation(&token).await, Err(Refusal::LinkSpent));
    let taken = desk.invite(admin, "new@desk.test", "New", Role::Creator).await;
    assert_eq!(taken, Err(Refusal::Taken { what: "e-mail".to_owned() }));
}

async fn a_reset_gives_a_new_password_and_ends_the_sessions(house: Story) {
    let (desk, who) = (people(&house), &house.creator);
    let old = log_in(&house, who, &who.password).await.unwrap();
    let token = token_in(&desk.reset(&house.admin.actor, who.actor.person).await.unwrap());
    assert!(desk.invitation(&token).await.unwrap().is_reset);
    assert!(actor_of(&house, &old).await.is_some(), "until it is used nothing changes");
    let fresh = desk.accept(&token, "", "a brand new sentence", &Client::default()).await.unwrap().session;
    assert!(actor_of(&house, &old).await.is_none() && actor_of(&house, &fresh).await.is_some());
    assert!(log_in(&house, who, "a brand new sentence").await.is_ok());
    assert_eq!(desk.me(&who.actor).await.unwrap().name, "creator");
}

async fn links_get_too_old_and_are_replaced(house: Story) {
    let (desk, admin) = (people(&house), &house.admin.actor);
    let hour = 3_600_000;
    let reset = token_in(&desk.reset(admin, house.creator.actor.person).await.unwrap());
    let first = token_in(&desk.invite(admin, "n@desk.test", "N", Role::Creator).await.unwrap());
    let second = token_in(&desk.invite(admin, "n@desk.test", "N", Role::Creator).await.unwrap());
    assert_eq!(desk.invitation(&first).await, Err(Refusal::LinkSpent));
    house.advance(24 * hour).await;
    assert_eq!(desk.invitation(&reset).await, Err(Refusal::LinkSpent));
    assert!(desk.invitation(&second).await.is_ok());
    house.advance(6 * 24 * hour).await;
    assert_eq!(
        desk.accept(&second, "N", "a fine long sentence", &Client::default()).await,
        Err(Refusal::LinkSpent)
    );
}

async fn another_role_holds_from_the_next_request_on(house: Story) {
    let (desk, who) = (people(&house), &house.reviewer);
    let session = log_in(&house, who, &who.password).await.unwrap();
    desk.change_role(&house.admin.actor, who.actor.person, Role::Admin).await.unwrap();
    assert!(actor_of(&house, &session).await.is_none(), "a new role begins with a new session");
    let role = async || desk.authenticate_token(&who.token).await.unwrap().map(|(actor, _)| actor.role);
    assert_eq!(role().await, Some(Role::Admin));
    desk.change_role(&house.admin.actor, who.actor.person, Role::Creator).await.unwrap();
    assert_eq!(role().await, Some(Role::Creator));
    let nobody = desk.change_role(&house.admin.actor, PersonId::fresh(), Role::Creator).await;
    assert_eq!(nobody.unwrap_err(), Refusal::no_such("person"));
}

async fn the_last_admin_stays_one(house: Story) {
    let (desk, admin) = (people(&house), &house.admin.actor);
    assert_eq!(desk.change_role(admin, admin.person, Role::Creator).await.unwrap_err(), Refusal::LastAdmin);
    let shut = desk.disable(admin, admin.person, Some(Leftover::Keep)).await;
    assert_eq!(shut.unwrap_err(), Refusal::LastAdmin);
    assert_eq!(desk.me(admin).await.unwrap().role, Role::Admin);
}

async fn two_admins_cannot_demote_each_other_at_once(house: Story) {
    let (desk, one, other) = (people(&house), &house.admin.actor, house.reviewer.actor.person);
    desk.change_role(one, other, Role::Admin).await.unwrap();
    let (a, b) = tokio::join!(
        desk.change_role(one, other, Role::Creator),
        desk.change_role(one, one.person, Role::Creator)
    );
    assert_eq!([a.is_ok(), b.is_ok()].iter().filter(|is_done| **is_done).count(), 1, "{a:?} {b:?}");
}

async fn shutting_an_account_asks_what_to_do_with_its_tasks(house: Story) {
    let (desk, admin, who) = (people(&house), &house.admin.actor, house.creator.actor.person);
    let (_, task) = house.scheduled("Theirs", 3_600_000).await;
    house.scheduled("Theirs too", 7_200_000).await;
    assert_eq!(desk.waiting_of(admin, who).await.unwrap().len(), 2);
    assert_eq!(desk.disable(admin, who, None).await.unwrap_err(), Refusal::HasTasks { count: 2 });
    assert_eq!(house.task(&task).await["state"], "scheduled");
    assert!(desk.disable(admin, who, Some(Leftover::Keep)).await.unwrap().is_disabled);
    let kept = house.task(&task).await;
    assert_eq!(
        (&kept["state"], &kept["owner_id"]),
        (&"scheduled".into(), &admin.person.0.to_string().into())
    );
    assert!(!desk.enable(admin, who).await.unwrap().is_disabled);
    let mut theirs = Vec::new();
    for title in ["New", "New too"] {
        let article =
            house.as_colleague().post("/api/v1/articles", &json!({ "title": title, "body": "" })).await;
        let wish = json!({ "kind": "article.publish", "target_id": article.expect(201)["id"], "due_at": house.later(3_600_000) });
        theirs.push(house.as_colleague().post("/api/v1/tasks", &wish).await.expect(201));
    }
    desk.disable(admin, house.colleague.actor.person, Some(Leftover::Cancel)).await.unwrap();
    for task in theirs {
        let task = house.task(&task).await;
        assert_eq!(
            (&task["state"], &task["reason"], &task["version"]),
            (&"cancelled".into(), &reason::OWNER_DISABLED.into(), &2.into())
        );
    }
    let log = house.house.desk.tasks.events(admin, 0, 1_000).await.unwrap();
    let count = |verb| log.items.iter().filter(|event| event.verb == verb).count();
    assert_eq!((count("cancel"), count("disable"), count("enable")), (2, 2, 1));
}

async fn a_shut_account_opens_nothing(house: Story) {
    let (desk, who) = (people(&house), &house.creator);
    let session = log_in(&house, who, &who.password).await.unwrap();
    let reset = token_in(&desk.reset(&house.admin.actor, who.actor.person).await.unwrap());
    desk.disable(&house.admin.actor, who.actor.person, None).await.unwrap();
    assert!(actor_of(&house, &session).await.is_none());
    assert_eq!(desk.authenticate_token(&who.token).await, Ok(None));
    assert_eq!(log_in(&house, who, &who.password).await, Err(Refusal::WrongLogIn));
    assert_eq!(
        desk.accept(&reset, "", "a fine long sentence", &Client::default()).await,
        Err(Refusal::LinkSpent)
    );
    assert_eq!(desk.reset(&house.admin.actor, who.actor.person).await, Err(Refusal::no_such("person")));
    desk.enable(&house.admin.actor, who.actor.person).await.unwrap();
    assert!(actor_of(&house, &session).await.is_none(), "what was ended stays ended");
    assert!(log_in(&house, who, &who.password).await.is_ok());
}

async fn tokens_are_shown_once_and_end(house: Story) {
    let (desk, actor) = (people(&house), &house.creator.actor);
    let (row, secret) = desk.create_token(actor, "robot", 1, Scope::Write).await.unwrap();
    assert!(secret.starts_with("pt_live_"));
    assert_eq!(desk.authenticate_token(&secret).await.unwrap(), Some((actor.clone(), Scope::Write)));
    let rows = desk.tokens(actor).await.unwrap();
    let used_at = rows.iter().find(|token| token.id == row.id).and_then(|token| token.used_at);
    assert_eq!(used_at, Some(house.now()), "to the minute, which begins now");
    let last = if secret.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &secret[..secret.len() - 1]);
    assert_eq!(desk.authenticate_token(&mistyped).await, Ok(None));
    for days in [0, 366] {
        assert!(matches!(
            desk.create_token(actor, "robot", days, Scope::Read).await,
            Err(Refusal::Invalid { .. })
        ));
    }
    assert_eq!(desk.revoke_token(&house.colleague.actor, row.id).await, Err(Refusal::no_such("token")));
    house.advance(24 * 3_600_000).await;
    assert_eq!(desk.authenticate_token(&secret).await, Ok(None));
    desk.revoke_token(actor, row.id).await.unwrap();
    assert!(desk.tokens(actor).await.unwrap().iter().all(|token| token.id != row.id));
}

async fn the_profile_and_the_settings_are_checked(house: Story) {
    let (desk, actor) = (people(&house), &house.creator.actor);
    let bad = ProfileEdit { zone: Some("Mars/Olympus".to_owned()), ..ProfileEdit::default() };
    let refused = desk.change_profile(actor, bad).await;
    let like = "Europe/Berlin".to_owned();
    assert_eq!(refused, Err(Refusal::invalid("zone", Problem::NotAZone { like })));
    let good = ProfileEdit {
        name: None,
        zone: Some("Asia/Shanghai".to_owned()),
        language: Some(Language::Zh),
        theme: Some(Theme::Dark),
    };
    let me = desk.change_profile(actor, good).await.unwrap();
    assert_eq!(
        (me.name.as_str(), me.zone.as_str(), me.language, me.theme),
        ("creator", "Asia/Shanghai", Language::Zh, Theme::Dark)
    );
    let new =
        DeskSettings { title: "报社".to_owned(), zone: "Europe/Berlin".to_owned(), language: Language::Zh };
    assert_eq!(desk.change_settings(&house.admin.actor, new.clone()).await, Ok(new.clone()));
    assert_eq!(desk.settings().await, Ok(new.clone()));
    let long = DeskSettings { title: "x".repeat(101), ..new };
    let refused = desk.change_settings(&house.admin.actor, long).await;
    assert_eq!(refused, Err(Refusal::invalid("title", Problem::TooLong { max: 100 })));
}

async fn only_admins_look_after_people(house: Story) {
    let (desk, id) = (people(&house), house.colleague.actor.person);
    for actor in [&house.creator.actor, &house.reviewer.actor] {
        assert_eq!(desk.list(actor).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.invite(actor, "x@desk.test", "X", Role::Admin).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.reset(actor, id).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.change_role(actor, actor.person, Role::Admin).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.disable(actor, id, None).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.enable(actor, id).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.waiting_of(actor, id).await, Err(Refusal::NotAllowed));
        let settings = desk.settings().await.unwrap();
        assert_eq!(desk.change_settings(actor, settings).await, Err(Refusal::NotAllowed));
    }
    assert_eq!(desk.list(&house.admin.actor).await.unwrap().len(), 4);
    let again = NewPerson {
        email: house.creator.email.clone(),
        name: "C".to_owned(),
        password: "a fine long sentence".to_owned(),
    };
    assert_eq!(
        desk.add_person(again, Role::Creator).await.unwrap_err(),
        Refusal::Taken { what: "e-mail".to_owned() }
    );
    assert_eq!(desk.offer_set_up().await, Ok(None), "there is an admin");
}

async fn who_comes_and_goes_is_written_down_for_admins(house: Story) {
    let (desk, who) = (people(&house), &house.creator);
    let tasks = &house.house.desk.tasks;
    let before = tasks.events(&house.admin.actor, 0, 1_000).await.unwrap().items.last().unwrap().seq;
    log_in(&house, who, "a wrong password").await.unwrap_err();
    desk.log_in("nobody@desk.test", "a wrong password", &client_at("192.0.2.1", "")).await.unwrap_err();
    let one = log_in(&house, who, &who.password).await.unwrap();
    let other = log_in(&house, who, &who.password).await.unwrap();
    let wrong = change("not mine", "a fine long sentence");
    desk.change_password(&who.actor, wrong, &Client::default()).await.unwrap_err();
    desk.log_out(&one).await.unwrap();
    desk.log_out(&one).await.unwrap();
    let name = desk.sessions(&who.actor, Some(&other)).await.unwrap().remove(0).name;
    desk.end_session(&who.actor, &name).await.unwrap();
    let log = tasks.events(&house.admin.actor, before, 1_000).await.unwrap().items;
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
    assert_eq!(log[0].entity_id, who.actor.person.0);
    assert!(log[1].entity_id.is_nil(), "an unknown address is nobody's");
    assert_eq!(log[2].detail["address"], "192.0.2.1");
    let colleague = tasks.events(&house.colleague.actor, before, 1_000).await.unwrap();
    assert!(colleague.items.is_empty(), "{:?}", colleague.items);
    assert_eq!(tasks.events(&who.actor, before, 1_000).await.unwrap().items.len(), 6, "one's own only");
}
