//! The first admin: one, whoever comes first.

use domain::{
    Refusal, Role,
    clock::ManualClock,
    desk::People,
    person::{Client, Language, NewPerson},
    settings::DeskSettings,
};
use presstime::{desk::people::PeopleDesk, parts::Parts};
use std::sync::Arc;
use store::{Options, Store};

async fn people(url: String) -> Arc<PeopleDesk> {
    let store = Store::open(&Options::new(url)).await.expect("the database opens");
    store.migrate().await.expect("the schema is laid");
    let clock = Arc::new(ManualClock::at(crate::house::BEGIN));
    let hints = Arc::new(queue::InProcess::new(1, clock.clone()));
    Arc::new(PeopleDesk::new(Parts::new(store, hints, clock, "story")))
}

fn admin(number: usize) -> NewPerson {
    NewPerson {
        email: format!("admin{number}@desk.test"),
        name: "Admin".to_owned(),
        password: "a fine long sentence".to_owned(),
    }
}

fn settings() -> DeskSettings {
    DeskSettings { title: "News".to_owned(), zone: "Europe/Berlin".to_owned(), language: Language::En }
}

async fn a_race_makes_one_admin(desk: Arc<PeopleDesk>) {
    assert_eq!(desk.needs_set_up().await, Ok(true));
    let old = desk.offer_set_up().await.unwrap().expect("there is no admin");
    let token = desk.offer_set_up().await.unwrap().expect("there is still no admin");
    assert_eq!(
        desk.set_up(&old, admin(0), settings(), &Client::default()).await,
        Err(Refusal::LinkSpent),
        "it was replaced"
    );
    assert!(
        desk.set_up(
            &token,
            NewPerson { password: "short".to_owned(), ..admin(0) },
            settings(),
            &Client::default()
        )
        .await
        .is_err()
    );

    let client = Client::default();
    let tries = (0..200).map(|number| desk.set_up(&token, admin(number), settings(), &client));
    let answers = futures::future::join_all(tries).await;
    let made: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    assert_eq!(made.len(), 1);
    assert!(answers.iter().all(|answer| answer.is_ok() || *answer == Err(Refusal::LinkSpent)));
    let actor = desk.authenticate_session(&made[0].session).await.unwrap().expect("the admin is logged in");
    assert_eq!(desk.list(&actor).await.unwrap().len(), 1);
    assert_eq!((actor.role, actor.zone.as_str()), (Role::Admin, "Europe/Berlin"));
    assert_eq!(desk.settings().await, Ok(settings()));
    assert_eq!((desk.needs_set_up().await, desk.offer_set_up().await), (Ok(false), Ok(None)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_race_makes_one_admin_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    a_race_makes_one_admin(people(format!("sqlite:{}", folder.path().join("desk.db").display())).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_race_makes_one_admin_on_postgresql() {
    let server = rig::postgres().await;
    a_race_makes_one_admin(people(server.fresh_database()).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_from_the_command_line_closes_the_set_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let desk = people(format!("sqlite:{}", folder.path().join("desk.db").display())).await;
    let token = desk.offer_set_up().await.unwrap().expect("there is no admin");
    desk.add_person(NewPerson { email: "c@desk.test".to_owned(), ..admin(1) }, Role::Creator).await.unwrap();
    assert_eq!(desk.needs_set_up().await, Ok(true));
    desk.add_person(admin(2), Role::Admin).await.unwrap();
    assert_eq!(desk.set_up(&token, admin(3), settings(), &Client::default()).await, Err(Refusal::LinkSpent));
}
