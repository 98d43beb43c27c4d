//! The demo: people, articles, and items that fall due within the first minutes, so that a newcomer sees the desk alive.

mod texts;

use crate::{desk::tasks::TaskDesk, house::House, parts::Parts, trouble::Trouble};
use domain::{
    Actor, ArticleId, Kind, PersonId, Role, Timestamp,
    article::{ArticleQuery, NewArticle},
    clock::ManualClock,
    desk::Tasks as _,
    person::{Language, NewPerson, Person, ProfileEdit},
    settings::DeskSettings,
    task::{Change, NewTask},
};
use std::sync::Arc;
use texts::{TEXTS, Text};
use uuid::Uuid;

/// The same for all people of the demo; printed, and good for nothing but a demo.
pub const PASSWORD: &str = "time will tell";

/// Seconds after the start at which an item falls due.
const DUE: [i64; 12] = [10, 22, 37, 50, 68, 80, 95, 112, 125, 143, 160, 176];

/// How many texts are public from the first second on.
const PUBLIC: usize = 6;

const HOUR_MS: i64 = 3_600_000;

/// Somebody of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Login {
    /// Address to log in with.
    pub email: &'static str,
    /// What they are called.
    pub name: &'static str,
    /// What they may do.
    pub role: Role,
    /// Language of their screen.
    pub language: Language,
}

/// The people of the demo, one of each role.
pub const LOGINS: [Login; 3] = [
    Login { email: "admin@demo.example", name: "Ada Admin", role: Role::Admin, language: Language::En },
    Login {
        email: "reviewer@demo.example",
        name: "Rui Reviewer",
        role: Role::Reviewer,
        language: Language::En,
    },
    Login { email: "creator@demo.example", name: "陈晨", role: Role::Creator, language: Language::Zh },
];

/// Fills a fresh data folder and plans items; in the folder of a demo only plans new ones. Refused where somebody works.
pub async fn prepare(house: &House) -> Result<(), Trouble> {
    let operator = Actor {
        person: PersonId(Uuid::nil()),
        role: Role::Admin,
        zone: "UTC".to_owned(),
        language: Language::En,
        idempotency: None,
        session: None,
    };
    let people = house.desk.people.list(&operator).await?;
    let is_demo = people.iter().any(|person| person.email == LOGINS[0].email);
    let articles = house
        .desk
        .articles
        .list(&operator, ArticleQuery { limit: Some(1), ..ArticleQuery::default() })
        .await?;
    if is_demo {
        let admin = actor(find(&people, LOGINS[0].email)?);
        return plan_again(house, &admin).await;
    }
    if !people.is_empty() || !articles.items.is_empty() {
        return Err(Trouble::Failed(format!(
            "{} holds real work; the demo needs a folder of its own, e.g. --data ./demo",
            crate::house::place(&house.config)
        )));
    }
    let people = settle(house).await?;
    fill(house, &people).await
}

/// Makes the accounts and gives the desk a name.
async fn settle(house: &House) -> Result<Vec<Actor>, Trouble> {
    let mut actors = Vec::with_capacity(LOGINS.len());
    for login in LOGINS {
        let new = NewPerson {
            email: login.email.to_owned(),
            name: login.name.to_owned(),
            password: PASSWORD.to_owned(),
        };
        let person = actor(&house.people.add_person(new, login.role).await?);
        let edit = ProfileEdit { language: Some(login.language), ..ProfileEdit::default() };
        house.desk.people.change_profile(&person, edit).await?;
        actors.push(person);
    }
    let settings = DeskSettings { title: "The Demo Desk".to_owned(), ..house.desk.people.settings().await? };
    house.desk.people.change_settings(&actors[0], settings).await?;
    Ok(actors)
}

/// Writes the texts: some go out in a second, one was missed, one is cancelled, the rest falls due within the first minutes.
async fn fill(house: &House, people: &[Actor]) -> Result<(), Trouble> {
    let mut articles = Vec::with_capacity(TEXTS.len());
    for text in TEXTS {
        let owner =
            &people[if text.language == Language::Zh { 2 } else { usize::from(articles.len() % 4 == 0) }];
        articles.push((owner, write(house, owner, text).await?));
    }
    let tasks = &house.desk.tasks;
    let now = house.parts.clock.now();
    for (owner, article) in &articles[..PUBLIC] {
        // Not at once: the engine is not up yet, and the first thing a newcomer saw would be late.
        tasks.schedule(owner, new_task(Kind::ArticlePublish, *article, now.plus(1_000))).await?;
    }
    for (day, (owner, article)) in articles[..2].iter().enumerate() {
        let due = now.plus(HOUR_MS * (50 + 26 * i64::try_from(day).unwrap_or(0)));
        tasks.schedule(owner, new_task(Kind::ArticleUnpublish, *article, due)).await?;
    }
    miss(house, articles[PUBLIC].0, articles[PUBLIC].1).await?;
    let (owner, article) = &articles[PUBLIC + 1];
    let task = tasks.schedule(owner, new_task(Kind::ArticlePublish, *article, now.plus(HOUR_MS))).await?;
    tasks.change(owner, task.id, Change::Cancel, task.version).await?;
    plan(house, &articles[PUBLIC + 2..]).await
}

async fn write(house: &House, owner: &Actor, text: &Text) -> Result<ArticleId, Trouble> {
    let new = NewArticle { title: text.title.to_owned(), body: text.body.to_owned(), slug: None };
    Ok(house.desk.articles.create(owner, new).await?.row.id)
}

/// Schedules an article with a clock that shows the day before yesterday: its moment passed long ago, and it is missed.
async fn miss(house: &House, owner: &Actor, article: ArticleId) -> Result<(), Trouble> {
    let then = house.parts.clock.now().plus(-48 * HOUR_MS);
    let parts = Parts { clock: Arc::new(ManualClock::at(then)), ..house.parts.clone() };
    TaskDesk::new(parts).schedule(owner, new_task(Kind::ArticlePublish, article, then.plus(HOUR_MS))).await?;
    Ok(())
}

/// Lets articles fall due within the first minutes.
async fn plan(house: &House, articles: &[(&Actor, ArticleId)]) -> Result<(), Trouble> {
    let now = house.parts.clock.now();
    for ((owner, article), seconds) in articles.iter().zip(DUE) {
        let due = now.plus(seconds * 1_000);
        house.desk.tasks.schedule(owner, new_task(Kind::ArticlePublish, *article, due)).await?;
    }
    Ok(())
}

/// The same in the folder of an earlier demo, with whatever does not wait already.
async fn plan_again(house: &House, admin: &Actor) -> Result<(), Trouble> {
    let query = ArticleQuery { limit: Some(100), ..ArticleQuery::default() };
    let page = house.desk.articles.list(admin, query).await?;
    let free = page.items.iter().filter(|row| row.waiting.is_none()).map(|row| (admin, row.id));
    plan(house, &free.collect::<Vec<_>>()).await
}

fn new_task(kind: Kind, article: ArticleId, due: Timestamp) -> NewTask {
    NewTask { kind, target_id: article.0, when: due.into(), lane: None }
}

fn actor(person: &Person) -> Actor {
    Actor {
        person: person.id,
        role: person.role,
        zone: person.zone.clone(),
        language: person.language,
        idempotency: None,
        session: None,
    }
}

fn find<'p>(people: &'p [Person], email: &str) -> Result<&'p Person, Trouble> {
    let nobody = || Trouble::Failed(format!("{email} is not here any more"));
    people.iter().find(|person| person.email == email).ok_or_else(nobody)
}
