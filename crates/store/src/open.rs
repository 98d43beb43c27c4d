//! Opening a database: settings of the connections, and the schema.

use crate::{
    Store, StoreError,
    db::on,
    gate::Gate,
    step::{self, POSTGRES, SQLITE},
};
use sqlx::{
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{str::FromStr, sync::Arc, time::Duration};

/// How to open a database.
#[derive(Debug, Clone)]
pub struct Options {
    /// `sqlite:PATH` (made if absent) or `postgres://…`.
    pub url: String,
    /// Connections for pages and the API.
    pub people: u32,
    /// Connections for the loops (PostgreSQL only).
    pub engine: u32,
    /// PostgreSQL: the schema to live in, for tests; `None`: the server's default.
    pub schema: Option<String>,
}

impl Options {
    /// The database at `url` with as many connections as a node of two cores needs.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), people: 8, engine: 8, schema: None }
    }
}

/// The database was written by a newer binary: nothing was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newer {
    /// Its last step.
    pub found: i64,
    /// The last step this binary knows.
    pub known: i64,
}

/// Steps of the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// The last step this database has taken; 0: none.
    pub found: i64,
    /// The last step this binary knows.
    pub known: i64,
}

impl Store {
    /// Connects. The schema is not looked at: see [`Store::newer`] and [`Store::migrate`].
    pub async fn open(options: &Options) -> Result<Self, StoreError> {
        if options.url.starts_with("postgres:") || options.url.starts_with("postgresql:") {
            open_postgres(options).await
        } else if options.url.starts_with("sqlite:") {
            open_sqlite(options).await
        } else {
            Err(StoreError::Address("a database address begins with sqlite: or postgres:".to_owned()))
        }
    }

    /// Brings the schema up to date. Safe to run on several nodes at once.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite { writer, .. } => SQLITE.run(writer).await?,
            Self::Postgres { engine, .. } => POSTGRES.run(engine).await?,
        }
        Ok(())
    }

    /// Whether a newer binary wrote this database; `None`: it is ours to use.
    pub async fn newer(&self) -> Result<Option<Newer>, StoreError> {
        let Steps { found, known } = self.steps().await?;
        Ok((found > known).then_some(Newer { found, known }))
    }

    /// How far the schema of this database has come, and how far this binary knows it.
    pub async fn steps(&self) -> Result<Steps, StoreError> {
        let mut lease = self.read(crate::Who::Engine).await?;
        let found: Result<Option<i64>, sqlx::Error> = on!(lease.conn(), c => sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(c).await);
        // Without the table there is no schema yet.
        Ok(Steps { found: found.ok().flatten().unwrap_or(0), known: step::last() })
    }
}

async fn open_sqlite(options: &Options) -> Result<Store, StoreError> {
    let file = SqliteConnectOptions::from_str(&options.url)?
        .create_if_missing(true)
        .busy_timeout(Duration::from_secs(10))
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .statement_cache_capacity(200)
        // A batch's rows in one go: the thread of the connection need not wait for their reader.
        .row_buffer_size(512)
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory")
        // The keeper moves the log into the file, off everybody's path; this is only the limit should it not come to it.
        .pragma("wal_autocheckpoint", "16384");
    let pool = |most| {
        SqlitePoolOptions::new()
            .max_connections(most)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
    };
    let writer = pool(1).connect_with(file.clone()).await?;
    let keeper = pool(1).connect_lazy_with(file.clone().create_if_missing(false));
    let readers = pool(options.people).connect_lazy_with(file.read_only(true).create_if_missing(false));
    Ok(Store::Sqlite { writer, gate: Gate::default(), readers, keeper, ahead: Arc::default() })
}

async fn open_postgres(options: &Options) -> Result<Store, StoreError> {
    let mut server = PgConnectOptions::from_str(&options.url)?
        .application_name("presstime")
        .statement_cache_capacity(200)
        .options([
            ("statement_timeout", "30s"),
            ("lock_timeout", "10s"),
            ("idle_in_transaction_session_timeout", "30s"),
        ]);
    if let Some(schema) = &options.schema {
        server = server.options([("search_path", schema.as_str())]);
    }
    let engine = PgPoolOptions::new()
        .max_connections(options.engine)
        .acquire_timeout(Duration::from_secs(5))
        // A round trip saved each time; a loop whose connection is gone tries again with another one.
        .test_before_acquire(false)
        .connect_with(server.clone())
        .await?;
    let people = PgPoolOptions::new()
        .max_connections(options.people)
        .acquire_timeout(Duration::from_secs(5))
        .connect_lazy_with(server);
    Ok(Store::Postgres { people, engine, ahead: Arc::default() })
}
