//! The first admin: exactly one, even with concurrent requests.

use domain::{
    DomainError, Role,
    account::{Client, Language, NewAccount},
    clock::ManualClock,
    services::{Accounts as _, Sessions as _, Settings as _},
    settings::SiteSettings,
};
use presstime::{accounts::AccountService, app_state::AppState, server::hooks::HOOKS};
use std::sync::Arc;
use store::{Options, PoolRole, Store, review_settings};

async fn open_accounts(url: String) -> Arc<AccountService> {
    let store = Store::open(&Options::new(url)).await.expect("the database opens");
    store.migrate().await.expect("the schema is migrated");
    let clock = Arc::new(ManualClock::at(crate::test_server::START_TIME));
    let hints = Arc::new(queue::InProcessHints::new(1, clock.clone()));
    Arc::new(AccountService::new(AppState::new(store, hints, clock, "test", &HOOKS)))
}

fn admin(number: usize) -> NewAccount {
    NewAccount {
        email: format!("admin{number}@desk.test"),
        name: "Admin".to_owned(),
        password: "a fine long sentence".to_owned(),
    }
}

/// Whether scheduled articles follow what is saved.
async fn follows_saves(accounts: &AccountService) -> bool {
    let mut lease = accounts.parts.store.read(PoolRole::Web).await.expect("a connection");
    review_settings::find(lease.conn()).await.expect("the settings").follows_saves()
}

fn settings() -> SiteSettings {
    SiteSettings { title: "News".to_owned(), zone: "Europe/Berlin".to_owned(), language: Language::En }
}

async fn check_concurrent_set_up_creates_one_admin(accounts: Arc<AccountService>) {
    assert_eq!(accounts.needs_set_up().await, Ok(true));
    assert!(!follows_saves(&accounts).await, "an older desk pins");
    let old = accounts.offer_set_up().await.unwrap().expect("there is no admin");
    let token = accounts.offer_set_up().await.unwrap().expect("there is still no admin");
    assert_eq!(
        accounts.set_up(&old, admin(0), settings(), &Client::default()).await,
        Err(DomainError::LinkSpent),
        "it was replaced"
    );
    check_all_problems_are_returned(&accounts, &token).await;

    let client = Client::default();
    let tries = (0..200).map(|number| accounts.set_up(&token, admin(number), settings(), &client));
    let answers = futures::future::join_all(tries).await;
    let made: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    assert_eq!(made.len(), 1);
    assert!(answers.iter().all(|answer| answer.is_ok() || *answer == Err(DomainError::LinkSpent)));
    let actor =
        accounts.authenticate_session(&made[0].session).await.unwrap().expect("the admin is logged in");
    assert_eq!(accounts.list(&actor).await.unwrap().len(), 1);
    assert_eq!((actor.role, actor.zone.as_str()), (Role::Admin, "Europe/Berlin"));
    assert_eq!(accounts.settings().await, Ok(settings()));
    assert!(follows_saves(&accounts).await);
    assert_eq!((accounts.needs_set_up().await, accounts.offer_set_up().await), (Ok(false), Ok(None)));
}

async fn check_all_problems_are_returned(accounts: &AccountService, token: &str) {
    let wrong =
        NewAccount { email: "no address".to_owned(), name: " ".to_owned(), password: "short".to_owned() };
    let desk = SiteSettings { title: String::new(), zone: "Mars/Base".to_owned(), language: Language::En };
    let refused = accounts.set_up(token, wrong, desk, &Client::default()).await.unwrap_err();
    let DomainError::InvalidFields { problems } = refused else { panic!("{refused:?}") };
    let fields: Vec<_> = problems.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields, ["name", "email", "password", "title", "zone"], "in the order of the form");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_set_up_creates_one_admin_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    check_concurrent_set_up_creates_one_admin(
        open_accounts(format!("sqlite:{}", folder.path().join("desk.db").display())).await,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_set_up_creates_one_admin_on_postgresql() {
    let server = test_support::postgres().await;
    check_concurrent_set_up_creates_one_admin(open_accounts(server.create_database()).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_from_the_command_line_closes_the_set_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let accounts = open_accounts(format!("sqlite:{}", folder.path().join("desk.db").display())).await;
    let token = accounts.offer_set_up().await.unwrap().expect("there is no admin");
    accounts
        .add_person(NewAccount { email: "c@desk.test".to_owned(), ..admin(1) }, Role::Creator)
        .await
        .unwrap();
    assert_eq!(accounts.needs_set_up().await, Ok(true));
    assert!(!follows_saves(&accounts).await);
    accounts.add_person(admin(2), Role::Admin).await.unwrap();
    assert!(follows_saves(&accounts).await);
    assert_eq!(
        accounts.set_up(&token, admin(3), settings(), &Client::default()).await,
        Err(DomainError::LinkSpent)
    );
}
