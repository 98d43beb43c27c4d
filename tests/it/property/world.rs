//! The real thing beside the reference: the desk, the loops, the hints and SQL, and what is held of them after each step.

use super::{
    machine::{Step, is_granted},
    reference::{ARTICLES, Article, Known, Task},
};
use crate::{
    house::Story,
    wish::{publish, unpublish},
};
use domain::{
    ArticleId, Hint, Kind, Lane, Refusal, TaskId, Timestamp, Version,
    article::{ArticleEdit, NewArticle},
    task::{Change, TaskRow},
};
use presstime::{
    parts::Parts,
    worker::{Loop as _, Loops, Name, Pulse, executor::Executor},
};
use queue::bucket_of;
use sqlx::AssertSqlSafe;
use std::{sync::Arc, time::Duration};
use store::{Conn, Who, execute::Claim};
use uuid::Uuid;

/// Most hints moved and taken at once: more than there ever are.
const ALL: u32 = 1_000;
/// Rounds after which nothing more happens at one moment: each ends at least what one task waits for.
const ROUNDS: usize = 4;

/// What a task is in SQL: state, version, moment, text, whether it is approved, its executions in the ledger and in the log.
type Row = (String, i32, i64, Option<i32>, i32, i64, i64);

const TASK: &str = "
    select t.state, t.version, t.due_at, r.number, case when t.approved_version = t.version then 1 else 0 end,
           (select count(*) from execution e where e.task_id = t.id),
           (select count(*) from event v where v.entity_id = t.id and v.verb = 'execute')
      from task t left join revision r on r.id = t.revision_id
     where t.id = $1";
const ARTICLE: &str = "
    select a.revision, r.number
      from article a left join revision r on r.id = a.published_revision_id
     where a.id = $1";

/// One sequence's articles and tasks in a house that goes on.
pub struct World<'s> {
    story: &'s Story,
    parts: Parts,
    begin: Timestamp,
    articles: Vec<ArticleId>,
    tasks: Vec<TaskId>,
    /// What a consumer has taken and not come to.
    held: Vec<Claim>,
}

impl<'s> World<'s> {
    /// With fresh articles, at the story's moment.
    pub async fn begin(story: &'s Story) -> Self {
        let mut articles = Vec::new();
        for number in 0..ARTICLES {
            let new =
                NewArticle { title: format!("Article {number}"), body: "Text 1".to_owned(), slug: None };
            let made = story.house.desk.articles.create(&story.creator.actor, new).await;
            articles.push(made.unwrap().row.id);
        }
        let parts = story.house.parts.clone();
        Self { story, parts, begin: story.now(), articles, tasks: Vec::new(), held: Vec::new() }
    }

    /// Takes the step, and holds what was answered and what SQL says against what must be.
    pub async fn take(&mut self, step: &Step, before: &Known, after: &Known) -> Result<(), String> {
        self.story.align(&self.story.house);
        if let Some(answer) = self.ask(step, before).await {
            let (granted, must) = (answer.is_ok(), is_granted(before, step));
            if granted != must || answer.as_ref().is_err_and(|refusal| refusal.status() >= 500) {
                return Err(format!("{step:?} was answered {answer:?} where {before:?}"));
            }
            if let (Step::Schedule { .. }, Ok(row)) = (step, answer) {
                self.tasks.push(row.id);
            }
        } else {
            self.suffer(step, before).await;
        }
        self.agree(after).await.map_err(|wrong| format!("after {step:?} {wrong}"))
    }

    /// What a person asks for, and what they are told; `None`: it is not asked for.
    async fn ask(&self, step: &Step, known: &Known) -> Option<Result<TaskRow, Refusal>> {
        let (place, change, behind) = match *step {
            Step::Schedule { kind, article, ahead } => {
                return Some(self.schedule(kind, article, ahead).await);
            }
            Step::Move { place, ahead } => (place, self.to(ahead), 0),
            Step::MoveOld(place) => (place, self.to(0), 1),
            Step::Cancel(place) => (place, Change::Cancel, 0),
            Step::PublishNow(place) => (place, Change::PublishNow, 0),
            Step::Retry(place) => (place, Change::Retry, 0),
            Step::Replace(place) => (place, Change::ReplaceRevision, 0),
            Step::Undo(place) => (place, Change::Undo, 0),
            _ => return None,
        };
        let seen = Version(known.tasks[place].version - behind);
        let (tasks, actor) = (&self.story.house.desk.tasks, &self.story.creator.actor);
        Some(tasks.change(actor, self.tasks[place], change, seen).await)
    }

    fn to(&self, ahead: i64) -> Change {
        Change::Reschedule { when: self.story.now().plus(ahead).into() }
    }

    async fn schedule(&self, kind: Kind, article: usize, ahead: i64) -> Result<TaskRow, Refusal> {
        let (article, at) = (self.articles[article], self.story.now().plus(ahead));
        let wish = if kind == Kind::ArticlePublish { publish(article, at) } else { unpublish(article, at) };
        self.story.house.desk.tasks.schedule(&self.story.creator.actor, wish).await
    }

    /// What nobody asks for, or nobody can refuse.
    async fn suffer(&mut self, step: &Step, known: &Known) {
        match *step {
            Step::Edit(article) => self.edit(article, known.articles[article].text).await,
            Step::Withdraw(place) => {
                self.approve(place, "version = version + 1, approved_version = null").await
            }
            Step::Approve(place) => self.approve(place, "approved_version = version").await,
            Step::Pass(millis) => self.story.wait_without_loops(millis),
            Step::Tick(millis) => {
                self.story.wait_without_loops(millis);
                self.story.align(&self.story.house);
                Loops::new(&self.parts).tick(self.story.now()).await;
                self.settle().await;
            }
            Step::Pop => {
                let due = self.due().await;
                self.held.extend(due);
            }
            Step::Execute => {
                let held = std::mem::take(&mut self.held);
                Executor::new(self.parts.clone()).execute(Name::Consumer, &held).await.unwrap();
                self.settle().await;
            }
            Step::Crash => {
                self.held.clear();
                let pulse = Arc::new(Pulse::new(self.story.now()));
                self.parts = Parts { pulse, hands: Arc::default(), ..self.parts.clone() };
            }
            Step::Duplicate => {
                let hints: Vec<Hint> = self.held.iter().map(|claim| claim.hint(self.story.now())).collect();
                self.parts.hints.add_due(&hints, self.story.now()).await.unwrap();
            }
            Step::Lose => drop(self.due().await),
            Step::Forge(place) => self.forge(place, known.tasks[place].version).await,
            _ => unreachable!("people are answered"),
        }
    }

    async fn edit(&self, article: usize, text: i32) {
        let body = Some(format!("Text {}", text + 1));
        let edit = ArticleEdit { title: None, body, seen_revision: text, is_autosave: false };
        let (articles, actor) = (&self.story.house.desk.articles, &self.story.creator.actor);
        articles.save(actor, self.articles[article], edit).await.unwrap();
    }

    /// No verb of the desk withdraws an approval yet: it is written as a person's transaction would.
    async fn approve(&self, place: usize, set: &str) {
        let statement = format!("update task set {set} where id = $1 and state = 'scheduled'");
        let (id, mut tx) = (self.tasks[place].0, self.parts.store.begin(Who::People).await.unwrap());
        let statement = AssertSqlSafe(statement);
        let changed = match tx.conn() {
            Conn::Sqlite(c) => sqlx::query(statement).bind(id).execute(c).await.unwrap().rows_affected(),
            Conn::Postgres(c) => sqlx::query(statement).bind(id).execute(c).await.unwrap().rows_affected(),
        };
        assert_eq!(changed, 1, "it waited");
        tx.commit().await.unwrap();
    }

    /// What is due, taken off the lists.
    async fn due(&self) -> Vec<Claim> {
        let (hints, now) = (&self.parts.hints, self.story.now());
        for bucket in 0..hints.served() {
            hints.promote(bucket, Lane::ALL, now, ALL).await.unwrap();
        }
        let taken = hints.take(Lane::ALL, ALL as usize, self.parts.clock.as_ref(), Duration::ZERO).await;
        taken.unwrap().into_iter().map(Claim::from).collect()
    }

    async fn forge(&self, place: usize, version: i32) {
        let (task, now) = (self.tasks[place], self.story.now());
        let bucket = bucket_of(task, self.parts.hints.buckets());
        let hint = Hint { task, version: Version(version), due_at: now, lane: Lane::Normal, bucket };
        self.parts.hints.add_due(&[hint], now).await.unwrap();
    }

    /// Nothing that is due waits for a hint: a sweeper that begins gives none of them time to come.
    async fn settle(&self) {
        for _ in 0..ROUNDS {
            Loops::new(&self.parts).sweeper.tick(self.story.now()).await;
        }
    }

    /// SQL says what must be.
    async fn agree(&self, known: &Known) -> Result<(), String> {
        if self.story.now().since(self.begin) != known.now || self.tasks.len() != known.tasks.len() {
            return Err(format!("{} tasks at {}: {known:?}", self.tasks.len(), self.story.now()));
        }
        for (id, task) in self.tasks.iter().zip(&known.tasks) {
            let row: Row = self.row(TASK, id.0).await;
            if row != self.must_be(task) {
                return Err(format!("SQL says {row:?} of {task:?}; {known:?}"));
            }
        }
        for (id, Article { text, public }) in self.articles.iter().zip(&known.articles) {
            let row: (i32, Option<i32>) = self.row(ARTICLE, id.0).await;
            if row != (*text, *public) {
                return Err(format!("SQL says {row:?} of an article; {known:?}"));
            }
        }
        Ok(())
    }

    fn must_be(&self, task: &Task) -> Row {
        let executions = i64::from(task.state == domain::State::Executed);
        let due = self.begin.plus(task.due).millis();
        let is_approved = i32::from(task.is_approved);
        let state = task.state.as_str().to_owned();
        (state, task.version, due, task.text, is_approved, executions, executions)
    }

    async fn row<T>(&self, statement: &'static str, id: Uuid) -> T
    where
        T: Send
            + Unpin
            + for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow>
            + for<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow>,
    {
        let mut lease = self.parts.store.read(Who::People).await.unwrap();
        match lease.conn() {
            Conn::Sqlite(c) => sqlx::query_as(statement).bind(id).fetch_one(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_as(statement).bind(id).fetch_one(c).await.unwrap(),
        }
    }
}
