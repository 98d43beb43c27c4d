//! The demo: accounts, articles, rooms and meetings, and tasks that are due within the first minutes, so that a new
//! user sees the engine at work.

mod meetings;
mod reminders;
mod reviews;
mod texts;

use crate::{
    process::cli_error::CliError,
    server::{Server, tasks::TaskService},
};
use domain::{
    AccountId, Actor, ArticleId, Kind, Role, Timestamp,
    account::{Account, Language, NewAccount, ProfileEdit},
    accounts::site_look::SiteLook,
    article::{ArticleQuery, NewArticle},
    clock::ManualClock,
    services::Tasks as _,
    settings::SiteSettings,
    task::{Change, NewTask},
};
use std::sync::Arc;
use texts::{TEXTS, Text};
use uuid::Uuid;

/// Password of all demo accounts; it is printed at the start.
pub const PASSWORD: &str = "time will tell";

/// Seconds after the start at which each task is due.
const DUE: [i64; 12] = [10, 22, 37, 50, 68, 80, 95, 112, 125, 143, 160, 176];

/// Number of articles that are public from the first second on.
const PUBLIC: usize = 6;

const HOUR_MS: i64 = 3_600_000;

/// A demo account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Login {
    /// E-mail address for the login.
    pub email: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Role.
    pub role: Role,
    /// Language of the user interface.
    pub language: Language,
}

/// The demo accounts, one for each role.
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

/// What search engines and cards say of the site.
const DESCRIPTION: &str = "Notes on time, publishing and the sea, each out at its moment.";

/// Fills a new data folder and schedules tasks; in an existing demo it only schedules new tasks.
/// Fails if there is other content.
pub async fn prepare(server: &Server) -> Result<(), CliError> {
    let operator = Actor {
        account: AccountId(Uuid::nil()),
        role: Role::Admin,
        zone: "UTC".to_owned(),
        language: Language::En,
        idempotency: None,
        session: None,
    };
    let people = server.services.accounts.list(&operator).await?;
    let is_demo = people.iter().any(|person| person.email == LOGINS[0].email);
    let articles = server
        .services
        .articles
        .list(&operator, ArticleQuery { limit: Some(1), ..ArticleQuery::default() })
        .await?;
    if is_demo {
        let people = LOGINS.iter().map(|login| Ok(actor(find(&people, login.email)?)));
        let people = people.collect::<Result<Vec<_>, CliError>>()?;
        plan_again(server, &people[0]).await?;
        reviews::prepare(server, &people).await?;
        meetings::prepare(server, &people).await?;
        return reminders::prepare(server, &people).await;
    }
    if !people.is_empty() || !articles.items.is_empty() {
        return Err(CliError::Failed(format!(
            "{} contains other data; the demo needs a separate folder, e.g. --data ./demo",
            crate::server::place(&server.config)
        )));
    }
    let people = settle(server).await?;
    fill(server, &people).await?;
    reviews::prepare(server, &people).await?;
    meetings::prepare(server, &people).await?;
    reminders::prepare(server, &people).await
}

/// Creates the accounts and sets the title of the site.
async fn settle(server: &Server) -> Result<Vec<Actor>, CliError> {
    let mut actors = Vec::with_capacity(LOGINS.len());
    for login in LOGINS {
        let new = NewAccount {
            email: login.email.to_owned(),
            name: login.name.to_owned(),
            password: PASSWORD.to_owned(),
        };
        let person = actor(&server.accounts.add_person(new, login.role).await?);
        let edit = ProfileEdit { language: Some(login.language), ..ProfileEdit::default() };
        server.services.accounts.change_profile(&person, edit).await?;
        actors.push(person);
    }
    let settings =
        SiteSettings { title: "The Demo Desk".to_owned(), ..server.services.settings.settings().await? };
    server.services.settings.change_settings(&actors[0], settings).await?;
    let look = SiteLook { description: DESCRIPTION.to_owned(), ..server.services.settings.look().await? };
    server.services.settings.change_look(&actors[0], look, None).await?;
    Ok(actors)
}

/// Creates the articles: some are published after a second, one is missed, one is cancelled, the
/// others are due within the first minutes.
async fn fill(server: &Server, people: &[Actor]) -> Result<(), CliError> {
    let mut articles = Vec::with_capacity(TEXTS.len());
    for text in TEXTS {
        let owner =
            &people[if text.language == Language::Zh { 2 } else { usize::from(articles.len() % 4 == 0) }];
        articles.push((owner, write(server, owner, text).await?));
    }
    let tasks = &server.services.tasks;
    let now = server.parts.clock.now();
    for (owner, article) in &articles[..PUBLIC] {
        // Not immediately: the engine is not running yet, and the first task a new user saw would
        // be late.
        tasks.schedule(owner, new_task(Kind::ArticlePublish, *article, now.plus(1_000))).await?;
    }
    for (day, (owner, article)) in articles[..2].iter().enumerate() {
        let due = now.plus(HOUR_MS * (50 + 26 * i64::try_from(day).unwrap_or(0)));
        tasks.schedule(owner, new_task(Kind::ArticleUnpublish, *article, due)).await?;
    }
    miss(server, articles[PUBLIC].0, articles[PUBLIC].1).await?;
    let (owner, article) = &articles[PUBLIC + 1];
    let task = tasks.schedule(owner, new_task(Kind::ArticlePublish, *article, now.plus(HOUR_MS))).await?;
    tasks.change(owner, task.id, Change::Cancel, task.version).await?;
    plan(server, &articles[PUBLIC + 2..]).await
}

async fn write(server: &Server, owner: &Actor, text: &Text) -> Result<ArticleId, CliError> {
    let new =
        NewArticle { title: text.title.to_owned(), body: text.body.to_owned(), ..NewArticle::default() };
    Ok(server.services.articles.create(owner, new).await?.row.id)
}

/// Schedules an article with a clock that is two days behind: its due time passed long ago, so it
/// is missed.
async fn miss(server: &Server, owner: &Actor, article: ArticleId) -> Result<(), CliError> {
    let then = server.parts.clock.now().plus(-48 * HOUR_MS);
    let mut parts = server.parts.clone();
    parts.clock = Arc::new(ManualClock::at(then));
    TaskService::new(parts)
        .schedule(owner, new_task(Kind::ArticlePublish, article, then.plus(HOUR_MS)))
        .await?;
    Ok(())
}

/// Schedules articles within the first minutes.
async fn plan(server: &Server, articles: &[(&Actor, ArticleId)]) -> Result<(), CliError> {
    let now = server.parts.clock.now();
    for ((owner, article), seconds) in articles.iter().zip(DUE) {
        let due = now.plus(seconds * 1_000);
        server.services.tasks.schedule(owner, new_task(Kind::ArticlePublish, *article, due)).await?;
    }
    Ok(())
}

/// Schedules articles in the data folder of an earlier demo that have no scheduled task.
async fn plan_again(server: &Server, admin: &Actor) -> Result<(), CliError> {
    let query = ArticleQuery { limit: Some(100), ..ArticleQuery::default() };
    let page = server.services.articles.list(admin, query).await?;
    let free = page.items.iter().filter(|row| row.waiting.is_none()).map(|row| (admin, row.id));
    plan(server, &free.collect::<Vec<_>>()).await
}

fn new_task(kind: Kind, article: ArticleId, due: Timestamp) -> NewTask {
    NewTask { kind, target_id: article.0, when: due.into(), priority: None, revision: None }
}

fn actor(person: &Account) -> Actor {
    Actor {
        account: person.id,
        role: person.role,
        zone: person.zone.clone(),
        language: person.language,
        idempotency: None,
        session: None,
    }
}

fn find<'p>(people: &'p [Account], email: &str) -> Result<&'p Account, CliError> {
    let not_found = || CliError::Failed(format!("the demo account {email} no longer exists"));
    people.iter().find(|person| person.email == email).ok_or_else(not_found)
}
