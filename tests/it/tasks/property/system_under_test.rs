//! The system under test: services, loops, hints and SQL, compared with the reference after each
//! step.

use super::{
    reference::{ARTICLES, Article, Model, Task},
    state_machine::{Step, is_accepted},
};
use crate::{
    new_task::{publish, unpublish},
    test_server::TestServer,
};
use domain::{
    ArticleId, DomainError, Hint, Kind, KindClass, Priority, TaskId, Timestamp, Version,
    article::{ArticleEdit, NewArticle},
    task::{Change, TaskRow},
};
use engine::{EngineState, Loop as _, LoopName, Loops, executor::Executor};
use presstime::app_state::AppState;
use queue::{HintScope, bucket_of};
use sqlx::AssertSqlSafe;
use std::{sync::Arc, time::Duration};
use store::{Conn, PoolRole, execute::Claim};
use uuid::Uuid;

/// Maximum number of hints moved and popped at once: more than there ever are.
const MAX_HINTS: u32 = 1_000;
/// Number of sweeper rounds until nothing is due: each round ends at least what one task waits for.
const SWEEPER_ROUNDS: usize = 4;

/// A task in SQL: state, version, due time, revision, whether approved, number of execution
/// records and events.
type SqlTask = (String, i32, i64, Option<i32>, i32, i64, i64);

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

/// Articles and tasks of one sequence on a server shared by all sequences.
pub struct SystemUnderTest<'s> {
    server: &'s TestServer,
    parts: AppState,
    begin: Timestamp,
    articles: Vec<ArticleId>,
    tasks: Vec<TaskId>,
    /// Hints that a consumer has popped and not executed.
    popped: Vec<Claim>,
}

impl<'s> SystemUnderTest<'s> {
    /// Creates new articles at the current time.
    pub async fn start(server: &'s TestServer) -> Self {
        let mut articles = Vec::new();
        for number in 0..ARTICLES {
            let new = NewArticle {
                title: format!("Article {number}"),
                body: "Text 1".to_owned(),
                ..NewArticle::default()
            };
            let made = server.app.services.articles.create(&server.creator.actor, new).await;
            articles.push(made.unwrap().row.id);
        }
        let parts = server.app.parts.clone();
        Self { server, parts, begin: server.now(), articles, tasks: Vec::new(), popped: Vec::new() }
    }

    /// Applies the step, and compares the answer and SQL with the reference.
    pub async fn apply_and_compare(
        &mut self,
        step: &Step,
        before: &Model,
        after: &Model,
    ) -> Result<(), String> {
        self.server.align_database_clock(&self.server.app);
        if let Some(answer) = self.run_user_action(step, before).await {
            let (accepted, expected) = (answer.is_ok(), is_accepted(before, step));
            if accepted != expected || answer.as_ref().is_err_and(|refusal| refusal.status() >= 500) {
                return Err(format!("{step:?} was answered {answer:?} where {before:?}"));
            }
            if let (Step::Schedule { .. }, Ok(row)) = (step, answer) {
                self.tasks.push(row.id);
            }
        } else {
            self.run_other_step(step, before).await;
        }
        self.compare_with_sql(after).await.map_err(|wrong| format!("after {step:?} {wrong}"))
    }

    /// Runs a user action and returns its answer; `None`: not a user action.
    async fn run_user_action(&self, step: &Step, model: &Model) -> Option<Result<TaskRow, DomainError>> {
        let (index, change, behind) = match *step {
            Step::Schedule { kind, article, ahead } => {
                return Some(self.schedule(kind, article, ahead).await);
            }
            Step::Move { index, ahead } => (index, self.reschedule_to(ahead), 0),
            Step::MoveOld(index) => (index, self.reschedule_to(0), 1),
            Step::Cancel(index) => (index, Change::Cancel, 0),
            Step::PublishNow(index) => (index, Change::PublishNow, 0),
            Step::Retry(index) => (index, Change::Retry, 0),
            Step::Replace(index) => (index, Change::ReplaceRevision, 0),
            Step::Undo(index) => (index, Change::Undo, 0),
            _ => return None,
        };
        let seen = Version(model.tasks[index].version - behind);
        let (tasks, actor) = (&self.server.app.services.tasks, &self.server.creator.actor);
        Some(tasks.change(actor, self.tasks[index], change, seen).await)
    }

    fn reschedule_to(&self, ahead: i64) -> Change {
        Change::Reschedule { when: self.server.now().plus(ahead).into() }
    }

    async fn schedule(&self, kind: Kind, article: usize, ahead: i64) -> Result<TaskRow, DomainError> {
        let (article, at) = (self.articles[article], self.server.now().plus(ahead));
        let new_task =
            if kind == Kind::ArticlePublish { publish(article, at) } else { unpublish(article, at) };
        self.server.app.services.tasks.schedule(&self.server.creator.actor, new_task).await
    }

    /// Applies a step that is not a user action or cannot be refused.
    async fn run_other_step(&mut self, step: &Step, model: &Model) {
        match *step {
            Step::Edit(article) => self.edit(article, model.articles[article].text).await,
            Step::Withdraw(index) => {
                self.approve(index, "version = version + 1, approved_version = null").await
            }
            Step::Approve(index) => self.approve(index, "approved_version = version").await,
            Step::Pass(millis) => self.server.advance_without_loops(millis),
            Step::Tick(millis) => {
                self.server.advance_without_loops(millis);
                self.server.align_database_clock(&self.server.app);
                Loops::new(&self.parts).tick(self.server.now()).await;
                self.run_sweepers().await;
            }
            Step::Pop => {
                let due = self.pop_due().await;
                self.popped.extend(due);
            }
            Step::Execute => {
                let popped = std::mem::take(&mut self.popped);
                Executor::new(self.parts.context.clone()).execute(LoopName::Consumer, &popped).await.unwrap();
                self.run_sweepers().await;
            }
            Step::Crash => {
                self.popped.clear();
                let engine = Arc::new(EngineState::new(self.server.now()));
                self.parts.engine = engine;
                self.parts.execution.in_flight = Arc::default();
            }
            Step::Duplicate => {
                let hints: Vec<Hint> =
                    self.popped.iter().map(|claim| claim.hint(self.server.now())).collect();
                self.parts.hints.add_due(&hints, self.server.now()).await.unwrap();
            }
            Step::Lose => drop(self.pop_due().await),
            Step::Forge(index) => self.add_wrong_hint(index, model.tasks[index].version).await,
            _ => unreachable!("user actions are handled above"),
        }
    }

    async fn edit(&self, article: usize, text: i32) {
        let body = Some(format!("Text {}", text + 1));
        let edit = ArticleEdit { title: None, body, seen_revision: text, ..ArticleEdit::default() };
        let (articles, actor) = (&self.server.app.services.articles, &self.server.creator.actor);
        articles.save(actor, self.articles[article], edit).await.unwrap();
    }

    /// Writes to SQL, because no service withdraws an approval yet.
    async fn approve(&self, index: usize, set: &str) {
        let statement = format!("update task set {set} where id = $1 and state = 'scheduled'");
        let (id, mut tx) = (self.tasks[index].0, self.parts.store.begin(PoolRole::Web).await.unwrap());
        let statement = AssertSqlSafe(statement);
        let changed = match tx.conn() {
            Conn::Sqlite(c) => sqlx::query(statement).bind(id).execute(c).await.unwrap().rows_affected(),
            Conn::Postgres(c) => sqlx::query(statement).bind(id).execute(c).await.unwrap().rows_affected(),
        };
        assert_eq!(changed, 1, "the task is scheduled");
        tx.commit().await.unwrap();
    }

    /// Pops all due hints.
    async fn pop_due(&self) -> Vec<Claim> {
        let (hints, now) = (&self.parts.hints, self.server.now());
        for bucket in 0..hints.polled_buckets() {
            hints.promote(bucket, HintScope::All, now, MAX_HINTS).await.unwrap();
        }
        let taken =
            hints.pop(HintScope::All, MAX_HINTS as usize, self.parts.clock.as_ref(), Duration::ZERO).await;
        taken.unwrap().into_iter().map(Claim::from).collect()
    }

    async fn add_wrong_hint(&self, index: usize, version: i32) {
        let (task, now) = (self.tasks[index], self.server.now());
        let bucket = bucket_of(task, self.parts.hints.buckets());
        let (version, priority, class) = (Version(version), Priority::Normal, KindClass::Content);
        let hint = Hint { task, version, due_at: now, priority, class, bucket };
        self.parts.hints.add_due(&[hint], now).await.unwrap();
    }

    /// Runs new sweepers, which give hints no time, so that no due task waits for a hint.
    async fn run_sweepers(&self) {
        for _ in 0..SWEEPER_ROUNDS {
            Loops::new(&self.parts).sweeper.tick(self.server.now()).await;
        }
    }

    /// Compares SQL with the reference.
    async fn compare_with_sql(&self, model: &Model) -> Result<(), String> {
        if self.server.now().since(self.begin) != model.now || self.tasks.len() != model.tasks.len() {
            return Err(format!("{} tasks at {}: {model:?}", self.tasks.len(), self.server.now()));
        }
        for (id, task) in self.tasks.iter().zip(&model.tasks) {
            let row: SqlTask = self.row(TASK, id.0).await;
            if row != self.expected_row(task) {
                return Err(format!("SQL says {row:?} of {task:?}; {model:?}"));
            }
        }
        for (id, Article { text, public }) in self.articles.iter().zip(&model.articles) {
            let row: (i32, Option<i32>) = self.row(ARTICLE, id.0).await;
            if row != (*text, *public) {
                return Err(format!("SQL says {row:?} of an article; {model:?}"));
            }
        }
        Ok(())
    }

    fn expected_row(&self, task: &Task) -> SqlTask {
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
        let mut lease = self.parts.store.read(PoolRole::Web).await.unwrap();
        match lease.conn() {
            Conn::Sqlite(c) => sqlx::query_as(statement).bind(id).fetch_one(c).await.unwrap(),
            Conn::Postgres(c) => sqlx::query_as(statement).bind(id).fetch_one(c).await.unwrap(),
        }
    }
}
