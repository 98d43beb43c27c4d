//! Opening a database: settings of the connections, and the schema.

use crate::{
    Store, StoreError,
    acked::Acked,
    db::{IMMEDIATE, on},
    gate::Gate,
    line::Lines,
    patience::Patience,
    step::{self, POSTGRES, SQLITE},
};
use sqlx::{
    Connection as _, SqlitePool,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

/// The longest PostgreSQL works on one statement; then it ends it.
const STATEMENT: &str = "30s";
/// How long PostgreSQL may be silent on a connection before that is given up: longer than it may work on a statement, so that
/// who says nothing is not at work but gone.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// How long an idle connection may take to show people that it lives.
const PING: Duration = Duration::from_secs(2);

/// How long a connection to SQLite waits for the lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Delay before a busy file is opened again.
const BUSY_RETRY: Duration = Duration::from_millis(20);

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
    /// PostgreSQL: how long it may be silent before a connection is given up.
    pub patience: Duration,
}

impl Options {
    /// The database at `url` with as many connections as a node of two cores needs.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), people: 8, engine: 8, schema: None, patience: PATIENCE }
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

    /// Brings the schema up to date. Safe to run in several processes at once: one of them takes the steps, the others wait.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite { writer, .. } => {
                let Steps { found, known } = self.steps().await?;
                if found == known {
                    // Reads only: whether the steps taken are those of this program.
                    SQLITE.run(writer).await?;
                    return Ok(());
                }
                // The driver has no lock for SQLite: without this one, two processes would both find that a step is missing.
                let mut tx = writer.begin_with(IMMEDIATE).await?;
                SQLITE.run(&mut *tx).await?;
                tx.commit().await?;
            }
            Self::Postgres { engine, .. } => {
                // A step takes as long as its table is large, and a second node waits for the first one that long.
                let mut patient = engine.pool().acquire().await?;
                // And it may read whole tables.
                let patience = "set statement_timeout = 0; set lock_timeout = 0; set enable_seqscan = on";
                sqlx::raw_sql(patience).execute(&mut *patient).await?;
                let done = POSTGRES.run(&mut *patient).await;
                // It is no connection for a loop any more.
                patient.close().await?;
                done?;
            }
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
        .busy_timeout(BUSY_TIMEOUT)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .statement_cache_capacity(200)
        // A batch's rows in one go: the thread of the connection need not wait for their reader.
        .row_buffer_size(512)
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory")
        // The keeper moves the log into the file, off everybody's path; this is only the limit should it not come to it: 256 MiB. At a
        // quarter of it 100,000 at one instant met it three times, and all waited for 50 ms each time.
        .pragma("wal_autocheckpoint", "65536");
    let pool = |most| {
        SqlitePoolOptions::new()
            .max_connections(most)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
    };
    let writer = connect(|| pool(1).connect_with(file.clone())).await?;
    let keeper = pool(1).connect_lazy_with(file.clone().create_if_missing(false));
    let readers = pool(options.people).connect_lazy_with(file.read_only(true).create_if_missing(false));
    Ok(Store::Sqlite { writer, gate: Gate::default(), readers, keeper, ahead: Arc::default() })
}

/// Connects, again and again while another process opens the same file: SQLite does not wait for the lock with which a new file
/// gets its write-ahead log.
async fn connect<F>(open: impl Fn() -> F) -> Result<SqlitePool, sqlx::Error>
where
    F: Future<Output = Result<SqlitePool, sqlx::Error>>,
{
    let started = Instant::now();
    loop {
        match open().await {
            Err(error) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(BUSY_RETRY).await;
            }
            opened => return opened,
        }
    }
}

/// Whether another connection holds the lock.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

async fn open_postgres(options: &Options) -> Result<Store, StoreError> {
    let mut server = PgConnectOptions::from_str(&options.url)?
        .application_name("presstime")
        .statement_cache_capacity(200)
        .options([
            ("statement_timeout", STATEMENT),
            ("lock_timeout", "10s"),
            ("idle_in_transaction_session_timeout", "30s"),
            // To compile a statement takes longer than any of ours.
            ("jit", "off"),
            // The server asks whether we are there: it forgets us within a minute, and no firewall on the way does.
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
        ]);
    if let Some(schema) = &options.schema {
        server = server.options([("search_path", schema.as_str())]);
    }
    let patience = Patience::new(options.patience);
    // The loops ask the same few things all day, by a key or an index: a plan made once. For arrays the server would make one anew
    // each time, which took longer than all the rest of executing a task. Such a plan takes a third of a table for due, whatever
    // moment is asked for, and would read all of it, with helpers.
    let loops = server.clone().options([
        ("plan_cache_mode", "force_generic_plan"),
        ("enable_seqscan", "off"),
        ("max_parallel_workers_per_gather", "0"),
    ]);
    // They save a round trip each time: one whose connection is gone tries again with another one.
    let engine = pool(options.engine, &patience, false).connect_with(loops).await?;
    let people = pool(options.people, &patience, true).connect_lazy_with(server);
    let acked = Acked::default();
    let lines = |pool| Lines::new(pool, patience.clone(), acked.clone());
    Ok(Store::Postgres { people: lines(people), engine: lines(engine), ahead: Arc::default() })
}

/// So many connections; one that is doubted is not used again, nor, where they are tried, one that does not answer.
fn pool(most: u32, patience: &Patience, is_tried: bool) -> PgPoolOptions {
    let patience = patience.clone();
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .before_acquire(move |connection, idle| {
            let patience = patience.clone();
            Box::pin(async move {
                Ok(!patience.doubts(idle.idle_for)
                    && (!is_tried || patience.within(PING, connection.ping()).await.is_ok()))
            })
        })
}
