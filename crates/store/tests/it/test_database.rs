//! Test database with a manual clock, articles to publish, and the invariants checked at the end of
//! every test.

use async_trait::async_trait;
use domain::{
    AccountId, ArticleId, Clock, Kind, KindClass, Priority, RevisionId, TaskId, Timestamp, Version,
    clock::{ManualClock, SystemClock},
};
use std::sync::Arc;
use store::{
    Conn, Options, PoolRole, Store, StoreError, Tx, audit,
    audit_summary::AuditSpan,
    event::NewEvent,
    execute::{self, Claim, ClaimedTask, ExecutionContext, Outcome, SideEffects, TaskHandler, Verdict},
    publish,
    task::{self, NewTaskRow},
};
use tempfile::TempDir;
use uuid::Uuid;

/// Runs one statement with bound values on either engine; returns the number of affected rows.
macro_rules! sql {
    ($conn:expr, $query:expr) => {
        match $conn {
            store::Conn::Sqlite(c) => $query.execute(c).await.map(|done| done.rows_affected()),
            store::Conn::Postgres(c) => $query.execute(c).await.map(|done| done.rows_affected()),
        }
    };
}
pub(crate) use sql;

/// Start time of all tests: 2026-06-09T07:00:00Z.
pub const START: Timestamp = Timestamp::from_millis(1_780_988_400_000);

/// A new database and a clock that advances only by hand.
pub struct TestDatabase {
    pub store: Store,
    pub clock: ManualClock,
    url: String,
    _folder: Option<TempDir>,
    _server: Option<Arc<test_support::Postgres>>,
}

/// An article with one revision.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    pub id: ArticleId,
    pub revision: RevisionId,
}

/// Task handler of the product, with configurable faults.
#[derive(Default)]
pub struct TestHandler {
    /// Target whose tasks make the transaction fail.
    pub fails_for: Option<Uuid>,
    /// Target whose tasks are postponed, and until when.
    pub postpone_until: Option<(Uuid, Timestamp)>,
    /// Concurrency limits by kind.
    pub limits: Vec<execute::Limit>,
    /// Events that each batch writes additionally.
    pub events: Vec<NewEvent>,
}

#[async_trait]
impl TaskHandler for TestHandler {
    fn kinds(&self) -> &'static [&'static str] {
        Kind::NAMES
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        after.log.extend(self.events.clone());
        let put = match kind.parse().unwrap() {
            Kind::ArticlePublish => {
                let pinned: Vec<_> =
                    tasks.iter().filter_map(|t| Some((ArticleId(t.target_id), t.revision_id?))).collect();
                publish::publish(tx.conn(), &pinned, at, false).await?
            }
            _ => {
                let articles: Vec<_> = tasks.iter().map(|t| ArticleId(t.target_id)).collect();
                publish::unpublish(tx.conn(), &articles, at).await?
            }
        };
        if tasks.iter().any(|task| Some(task.target_id) == self.fails_for) {
            return Err(StoreError::Corrupt("as ordered".to_owned()));
        }
        let verdict = |task: &ClaimedTask| match self.postpone_until {
            Some((target, at)) if target == task.target_id => Verdict::RetryAt(at),
            _ if put.iter().any(|put| put.id == task.target_id) => Verdict::Done,
            _ => Verdict::Dead("target_gone"),
        };
        Ok(tasks.iter().map(verdict).collect())
    }
}

/// Migrates an empty database.
async fn migrate(url: String) {
    let store = Store::open(&Options::new(&url)).await.unwrap();
    store.migrate().await.unwrap();
    store.close().await;
}

impl TestDatabase {
    pub async fn sqlite() -> Self {
        let folder = test_support::fast_folder();
        let file = folder.path().join("presstime.db");
        test_support::create_filled_sqlite(&file, migrate).await;
        Self::open(format!("sqlite:{}", file.display()), Some(folder), None).await
    }

    pub async fn postgres() -> Self {
        let server = test_support::postgres().await;
        let url = server.create_filled(migrate).await;
        Self::open(url, None, Some(server)).await
    }

    /// Opens a PostgreSQL database with a session setting.
    pub async fn postgres_with(name: &str, value: &str) -> Self {
        let server = test_support::postgres().await;
        let url = format!("{}?options[{name}]={value}", server.create_filled(migrate).await);
        Self::open(url, None, Some(server)).await
    }

    async fn open(url: String, folder: Option<TempDir>, server: Option<Arc<test_support::Postgres>>) -> Self {
        let store = Store::open(&Options::new(&url)).await.unwrap();
        let db = Self { store, clock: ManualClock::at(START), url, _folder: folder, _server: server };
        db.set_sql_clock(START);
        db
    }

    /// Reopens the same database with new connections.
    pub async fn reopen(self) -> Self {
        self.store.close().await;
        let store = Store::open(&Options::new(&self.url)).await.unwrap();
        let db = Self { store, ..self };
        db.set_sql_clock(db.clock.now());
        db
    }

    /// Returns how many rows PostgreSQL has read in this database. Closes the connections, because
    /// the statistics are reported then.
    pub async fn total_rows_read(&self) -> i64 {
        self.store.close().await;
        let begun = SystemClock.now().millis();
        let own = Store::open(&Options::new(&self.url)).await.unwrap();
        let mut lease = own.read(PoolRole::Web).await.unwrap();
        let Conn::Postgres(c) = lease.conn() else { unreachable!() };
        let others = "select count(*) from pg_stat_activity
                       where datname = current_database() and backend_start < to_timestamp($1::bigint / 1000.0)";
        while sqlx::query_scalar::<_, i64>(others).bind(begun).fetch_one(&mut *c).await.unwrap() > 0 {}
        let read = "select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint from pg_stat_user_tables";
        sqlx::query_scalar(read).fetch_one(c).await.unwrap()
    }

    /// Sets the database clock; PostgreSQL's continues from there.
    pub fn set_sql_clock(&self, at: Timestamp) {
        let base = match self.store {
            Store::Sqlite { .. } => self.clock.now(),
            Store::Postgres { .. } => SystemClock.now(),
        };
        self.store.set_clock_offset(at.since(base));
    }

    /// Advances both clocks.
    pub fn advance(&self, millis: i64) -> Timestamp {
        let now = self.clock.advance(millis);
        self.set_sql_clock(now);
        now
    }

    pub async fn tx(&self) -> Tx {
        self.store.begin(PoolRole::Web).await.unwrap()
    }

    /// Inserts articles with one revision each.
    pub async fn texts(&self, count: usize) -> Vec<Text> {
        let texts: Vec<Text> = (0..count)
            .map(|_| Text { id: ArticleId::generate(), revision: RevisionId::generate() })
            .collect();
        let mut tx = self.tx().await;
        for text in &texts {
            self.insert_text(&mut tx, text).await;
        }
        tx.commit().await.unwrap();
        texts
    }

    async fn insert_text(&self, tx: &mut Tx, text: &Text) {
        let now = self.clock.now().millis();
        sql!(
            tx.conn(),
            sqlx::query(
                "insert into article (id, slug, owner_id, state, revision_id, revision, title, created_at, changed_at)
                 values ($1, $2, $1, 'draft', $3, 1, 'A title', $4, $4)"
            )
            .bind(text.id.0)
            .bind(text.id.to_string())
            .bind(text.revision.0)
            .bind(now)
        )
        .unwrap();
        sql!(
            tx.conn(),
            sqlx::query(
                "insert into revision (id, article_id, number, title, body, words, author_id, saved_at)
                 values ($1, $2, 1, 'A title', 'A body', 2, $2, $3)"
            )
            .bind(text.revision.0)
            .bind(text.id.0)
            .bind(now)
        )
        .unwrap();
    }

    pub async fn text(&self) -> Text {
        self.texts(1).await[0]
    }

    /// Inserts scheduled, approved tasks, one per text.
    pub async fn plan(&self, kind: Kind, texts: &[Text], due_at: Timestamp) -> Vec<Claim> {
        let fresh: Vec<NewTaskRow> = texts.iter().map(|text| fresh(kind, text, due_at)).collect();
        let mut tx = self.tx().await;
        task::insert(tx.conn(), &fresh, self.clock.now(), &[]).await.unwrap();
        tx.commit().await.unwrap();
        fresh.iter().map(|task| claim(task.id, 1)).collect()
    }

    pub async fn publish(&self, text: &Text, due_at: Timestamp) -> Claim {
        self.plan(Kind::ArticlePublish, &[*text], due_at).await[0]
    }

    pub async fn unpublish(&self, text: &Text, due_at: Timestamp) -> Claim {
        self.plan(Kind::ArticleUnpublish, &[*text], due_at).await[0]
    }

    /// Executes with the product's handler.
    pub async fn run(&self, claims: &[Claim]) -> Outcome {
        self.run_with(claims, &TestHandler::default()).await.unwrap()
    }

    pub async fn run_with(&self, claims: &[Claim], handler: &TestHandler) -> Result<Outcome, StoreError> {
        let terms = ExecutionContext { node: "here", clock: &self.clock, handler, limits: &handler.limits };
        execute::run(&self.store, claims, terms, None).await
    }

    /// Returns state, version and reason of a task.
    pub async fn task(&self, id: TaskId) -> (String, i32, Option<String>) {
        self.one("select state, version, reason from task where id = $1", id.0).await.unwrap()
    }

    /// Returns published revision and publication time of an article; `None`: it is not public.
    pub async fn public(&self, text: &Text) -> Option<(Uuid, i64)> {
        let query = "select published_revision_id, published_at from article where id = $1 and published_at is not null";
        self.one(query, text.id.0).await
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        let (count,): (i64,) = self.one(query, Uuid::nil()).await.unwrap();
        count
    }

    /// Returns the verbs of the events of one entity, oldest first.
    pub async fn verbs(&self, id: Uuid) -> Vec<String> {
        let mut lease = self.store.read(PoolRole::Web).await.unwrap();
        let events = store::event::history(lease.conn(), id, 100).await.unwrap();
        events.into_iter().map(|event| event.verb).collect()
    }

    /// Returns the row that a query finds for an id.
    pub async fn one<R>(&self, query: &'static str, id: Uuid) -> Option<R>
    where
        R: for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow>
            + for<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow>
            + Send
            + Unpin,
    {
        let mut lease = self.store.read(PoolRole::Web).await.unwrap();
        let takes_id = query.contains("$1");
        match lease.conn() {
            Conn::Sqlite(c) if takes_id => sqlx::query_as(query).bind(id).fetch_optional(c).await,
            Conn::Sqlite(c) => sqlx::query_as(query).fetch_optional(c).await,
            Conn::Postgres(c) if takes_id => sqlx::query_as(query).bind(id).fetch_optional(c).await,
            Conn::Postgres(c) => sqlx::query_as(query).fetch_optional(c).await,
        }
        .unwrap()
    }

    /// Invariants: executed ⇔ execution row, one event for each end, nothing executed early.
    pub async fn audit(&self) {
        let mut lease = self.store.read(PoolRole::Engine).await.unwrap();
        let always = AuditSpan { until: Timestamp::LATEST, ..AuditSpan::default() };
        let audit = audit::audit_executions(lease.conn(), &always).await.unwrap();
        assert!(audit.is_clean(), "{audit:?}");
        drop(lease);
        assert_eq!(self.count("select count(*) from execution where executed_at < due_at").await, 0);
        let odd = "select count(*)
                     from task t
                    where t.state in ('executed', 'failed', 'missed')
                      and 1 <> (select count(*)
                                  from event e
                                 where e.entity = 'task'
                                   and e.entity_id = t.id
                                   and e.to_state = t.state
                                   and e.from_state = 'scheduled'
                                   and e.version = t.version)";
        assert_eq!(self.count(odd).await, 0, "each end has exactly one line in the log");
        let ends = "select count(*) from event where entity = 'task' and to_state in ('executed', 'failed', 'missed')";
        let ended = "select count(*) from task where state in ('executed', 'failed', 'missed')";
        assert_eq!(self.count(ends).await, self.count(ended).await);
        self.store.close().await;
    }
}

/// Returns a task that is not stored yet.
pub fn fresh(kind: Kind, text: &Text, due_at: Timestamp) -> NewTaskRow {
    NewTaskRow {
        id: TaskId::generate(),
        kind: kind.as_str(),
        grace_ms: domain::kind::DEFAULT_GRACE_MS,
        unique_key: Some(format!("{kind}:{}", text.id.0)),
        priority: Priority::Normal,
        bucket: 0,
        target_id: text.id.0,
        revision_id: (kind == Kind::ArticlePublish).then_some(text.revision.0),
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: AccountId(text.id.0),
    }
}

/// Returns a claim as the sweeper creates it.
pub fn claim(task: TaskId, version: i32) -> Claim {
    Claim {
        task,
        version: Version(version),
        priority: Priority::Normal,
        class: KindClass::Content,
        bucket: 0,
        hinted_at: None,
        moved_at: None,
        popped_at: None,
    }
}
