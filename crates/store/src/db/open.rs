//! Opens a database: connection settings and migrations.

use crate::{
    Store, StoreError,
    commit_log::AckedWrites,
    db::{BEGIN_IMMEDIATE, with_conn},
    migrations::{self, SQLITE, SchemaStep},
    pg::PgConnPool,
    statement_timeout::StatementTimeout,
    writer_lock::WriterLock,
};
use sqlx::{
    Connection as _, PgConnection, Sqlite, SqliteConnection, SqlitePool, Transaction,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    io,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

/// Time after which PostgreSQL cancels a statement.
const STATEMENT_TIMEOUT: &str = "30s";
/// Time without a response after which a PostgreSQL connection is closed. Longer than the statement
/// timeout: a server that exceeds this is gone, not busy.
pub const SILENCE_TIMEOUT: Duration = Duration::from_secs(40);
/// Timeout for the ping of an idle web connection, and for the connection that finds out why the
/// server accepts none.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// How long an SQLite connection waits for the lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Delay before a busy file is opened again.
const BUSY_RETRY: Duration = Duration::from_millis(20);

/// How long a process waits while another one writes a backup and migrates the SQLite file.
const MIGRATION_WAIT: Duration = Duration::from_secs(600);

/// Options of a database connection.
#[derive(Debug, Clone)]
pub struct Options {
    /// `sqlite:PATH` (created if absent) or `postgres://…`.
    pub url: String,
    /// Maximum number of connections for pages and the API.
    pub web_connections: u32,
    /// Maximum number of connections for the engine (PostgreSQL only).
    pub engine_connections: u32,
    /// PostgreSQL: the schema to use, for tests; `None`: the server's default.
    pub schema: Option<String>,
    /// PostgreSQL: time without a response after which a connection is closed.
    pub silence_timeout: Duration,
}

impl Options {
    /// Returns options for the database at `url`, with connections for a node of two cores.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            web_connections: 8,
            engine_connections: 8,
            schema: None,
            silence_timeout: SILENCE_TIMEOUT,
        }
    }
}

/// The database was migrated by a newer binary. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMigration {
    /// Version of its newest migration.
    pub found: i64,
    /// Newest migration that this binary knows.
    pub known: i64,
}

/// Migration versions of the database and of this binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaVersions {
    /// Newest migration applied to this database; 0: none.
    pub found: i64,
    /// Newest migration that this binary knows.
    pub known: i64,
}

impl Store {
    /// Connects. Does not check the schema: see [`Store::unknown_migration`] and
    /// [`Store::migrate`].
    pub async fn open(options: &Options) -> Result<Self, StoreError> {
        if options.url.starts_with("postgres:") || options.url.starts_with("postgresql:") {
            open_postgres(options).await
        } else if options.url.starts_with("sqlite:") {
            open_sqlite(options).await
        } else {
            Err(StoreError::InvalidUrl("a database URL must begin with sqlite: or postgres:".to_owned()))
        }
    }

    /// Applies the missing migrations. Safe to run in several processes at once: one migrates, the
    /// others wait.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        self.begin_migration().await?.run().await
    }

    /// Waits for the right to migrate this database, and reads its version. Changes nothing yet.
    pub async fn begin_migration(&self) -> Result<MigrationGuard, StoreError> {
        let known = Self::known_schema_version();
        match self {
            Self::Sqlite { writer, .. } => {
                let versions = self.schema_versions().await?;
                if versions.found == known {
                    return Ok(MigrationGuard { versions, lock: MigrationLock::UpToDate(writer.clone()) });
                }
                // sqlx has no migration lock for SQLite: without this transaction, two processes
                // could both run the same migration.
                let mut tx = begin_immediate(writer).await?;
                let found = version_of_sqlite(&mut tx).await?;
                let versions = SchemaVersions { found, known };
                Ok(MigrationGuard { versions, lock: MigrationLock::Sqlite(tx) })
            }
            Self::Postgres { engine, .. } => {
                // Not returned to the engine pool: it gets other settings and holds the lock until it
                // is closed.
                let mut connection = engine.pool().acquire().await?.detach();
                // A migration may take long on a large table and may read all of it, and a second
                // node waits for the first one.
                let settings = "set statement_timeout = 0; set lock_timeout = 0; set enable_seqscan = on";
                sqlx::raw_sql(settings).execute(&mut connection).await?;
                migrations::lock_postgres(&mut connection).await?;
                // Others wait behind a migration that waits for a table, such as one that a backup reads: it gives
                // way and tries again.
                sqlx::raw_sql("set lock_timeout = '3s'").execute(&mut connection).await?;
                let found = version_of_postgres(&mut connection).await?;
                let versions = SchemaVersions { found, known };
                Ok(MigrationGuard { versions, lock: MigrationLock::Postgres(connection) })
            }
        }
    }

    /// Returns the migrations that this binary would apply to a database of version `found`.
    #[must_use]
    pub fn missing_steps(found: i64) -> Vec<SchemaStep> {
        migrations::steps_after(found)
    }

    /// Returns the versions if a newer binary migrated this database; `None`: it can be used.
    pub async fn unknown_migration(&self) -> Result<Option<UnknownMigration>, StoreError> {
        let SchemaVersions { found, known } = self.schema_versions().await?;
        Ok((found > known).then_some(UnknownMigration { found, known }))
    }

    /// Version of the newest migration that this binary knows.
    #[must_use]
    pub fn known_schema_version() -> i64 {
        migrations::latest_version()
    }

    /// Returns the newest migration of this database and of this binary.
    pub async fn schema_versions(&self) -> Result<SchemaVersions, StoreError> {
        let mut conn = self.read(crate::PoolRole::Engine).await?;
        let found: Result<Option<i64>, sqlx::Error> = with_conn!(conn.conn(), c => {
            sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(c).await
        });
        // Without the table no migration was applied yet.
        Ok(SchemaVersions { found: found.ok().flatten().unwrap_or(0), known: Self::known_schema_version() })
    }
}

/// The right to migrate a database: one process has it, the others wait. When it is dropped without
/// [`MigrationGuard::run`], nothing was changed.
#[derive(Debug)]
pub struct MigrationGuard {
    /// The versions, read under the lock.
    pub versions: SchemaVersions,
    lock: MigrationLock,
}

/// What excludes other processes that want to migrate.
#[derive(Debug)]
enum MigrationLock {
    /// SQLite without a missing migration: no lock.
    UpToDate(SqlitePool),
    /// The write lock of the SQLite file. Others can read.
    Sqlite(Transaction<'static, Sqlite>),
    /// An advisory lock of this connection. Others can read and write.
    Postgres(PgConnection),
}

impl MigrationGuard {
    /// Whether a database with content is about to change: it has migrations, and some are missing.
    #[must_use]
    pub fn is_upgrade(&self) -> bool {
        (1..self.versions.known).contains(&self.versions.found)
    }

    /// Applies the missing migrations, on SQLite all or none. Checks that the applied ones are those of
    /// this program.
    pub async fn run(self) -> Result<(), StoreError> {
        match self.lock {
            MigrationLock::UpToDate(writer) => SQLITE.run(&writer).await?,
            MigrationLock::Sqlite(mut tx) => {
                SQLITE.run(&mut *tx).await?;
                tx.commit().await?;
            }
            MigrationLock::Postgres(mut connection) => {
                let done = migrations::run_postgres(&mut connection).await;
                let closed = connection.close().await;
                done?;
                closed?;
            }
        }
        Ok(())
    }
}

/// Takes the write lock; waits while another process migrates.
async fn begin_immediate(writer: &SqlitePool) -> Result<Transaction<'static, Sqlite>, StoreError> {
    let started = Instant::now();
    loop {
        match writer.begin_with(BEGIN_IMMEDIATE).await {
            Err(error) if is_busy(&error) && started.elapsed() < MIGRATION_WAIT => {}
            begun => return Ok(begun?),
        }
    }
}

/// Returns the newest applied migration; 0: none. Without the table none was applied.
async fn version_of_sqlite(file: &mut SqliteConnection) -> Result<i64, StoreError> {
    let tables: i64 =
        sqlx::query_scalar("select count(*) from sqlite_schema where name = '_sqlx_migrations'")
            .fetch_one(&mut *file)
            .await?;
    if tables == 0 {
        return Ok(0);
    }
    let newest: Option<i64> =
        sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(file).await?;
    Ok(newest.unwrap_or(0))
}

/// Returns the newest applied migration; 0: none. Without the table none was applied.
async fn version_of_postgres(connection: &mut PgConnection) -> Result<i64, StoreError> {
    let is_there: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
        .fetch_one(&mut *connection)
        .await?;
    if !is_there {
        return Ok(0);
    }
    let newest: Option<i64> =
        sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(connection).await?;
    Ok(newest.unwrap_or(0))
}

async fn open_sqlite(options: &Options) -> Result<Store, StoreError> {
    let file = SqliteConnectOptions::from_str(&options.url)?
        .create_if_missing(true)
        .busy_timeout(BUSY_TIMEOUT)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .statement_cache_capacity(200)
        // Fetch the rows of a batch at once: the connection thread need not wait for the reader.
        .row_buffer_size(512)
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory")
        // Checkpoints run on `checkpoint_pool`, outside all requests. This limit, 256 MiB, applies
        // only if they fall behind. At a quarter of it, 100,000 tasks at one instant reached it
        // three times, and all writers waited 50 ms each time.
        .pragma("wal_autocheckpoint", "65536");
    let pool = |max_connections| {
        SqlitePoolOptions::new()
            .max_connections(max_connections)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
    };
    let writer = connect(|| pool(1).connect_with(file.clone())).await?;
    let checkpoint_pool = pool(1).connect_lazy_with(file.clone().create_if_missing(false));
    let readers =
        pool(options.web_connections).connect_lazy_with(file.read_only(true).create_if_missing(false));
    Ok(Store::Sqlite {
        writer,
        writer_lock: WriterLock::default(),
        readers,
        checkpoint_pool,
        clock_offset_ms: Arc::default(),
    })
}

/// Connects; retries while another process opens the same file. SQLite does not wait for the lock
/// with which a new file gets its write-ahead log.
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
pub(crate) fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

async fn open_postgres(options: &Options) -> Result<Store, StoreError> {
    let mut server = PgConnectOptions::from_str(&options.url)?
        .application_name("presstime")
        .statement_cache_capacity(200)
        .options([
            ("statement_timeout", STATEMENT_TIMEOUT),
            ("lock_timeout", "10s"),
            ("idle_in_transaction_session_timeout", "30s"),
            // JIT compilation takes longer than any statement of this program.
            ("jit", "off"),
            // The server probes idle connections: it drops a lost client within a minute, and
            // firewalls keep the connection open.
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
        ]);
    if let Some(schema) = &options.schema {
        server = server.options([("search_path", schema.as_str())]);
    }
    let timeout = StatementTimeout::new(options.silence_timeout);
    // The engine runs the same few statements, by key or index: plan them once. For array
    // parameters the server would plan each time, which took longer than the rest of an execution.
    // A generic plan assumes that a third of the table is due and would read all of it, in
    // parallel.
    let engine_options = server.clone().options([
        ("plan_cache_mode", "force_generic_plan"),
        ("enable_seqscan", "off"),
        ("max_parallel_workers_per_gather", "0"),
    ]);
    // Engine connections are not pinged, which saves a round trip; a loop retries on another
    // connection.
    let engine =
        match pool(options.engine_connections, &timeout, false).connect_with(engine_options.clone()).await {
            Err(sqlx::Error::PoolTimedOut) => return Err(failure_reason(&engine_options).await.into()),
            connected => connected?,
        };
    let web = pool(options.web_connections, &timeout, true).connect_lazy_with(server);
    let acked = AckedWrites::default();
    let timed = |pool| PgConnPool::new(pool, timeout.clone(), acked.clone());
    Ok(Store::Postgres { web: timed(web), engine: timed(engine), clock_offset_ms: Arc::default() })
}

/// Returns why the server accepts no connection. A pool retries until its timeout, because the server
/// may be starting, and does not return the last error.
async fn failure_reason(server: &PgConnectOptions) -> sqlx::Error {
    match tokio::time::timeout(PING_TIMEOUT, PgConnection::connect_with(server)).await {
        Ok(Err(error)) => error,
        Ok(Ok(connection)) => connection.close().await.err().unwrap_or(sqlx::Error::PoolTimedOut),
        Err(_) => io::Error::new(io::ErrorKind::TimedOut, "the server does not answer").into(),
    }
}

/// Returns the options of a pool. Suspect connections are not reused. With `is_pinged`, a
/// connection is pinged before use.
fn pool(max_connections: u32, timeout: &StatementTimeout, is_pinged: bool) -> PgPoolOptions {
    let timeout = timeout.clone();
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .before_acquire(move |connection, idle| {
            let timeout = timeout.clone();
            Box::pin(async move {
                Ok(!timeout.is_suspect(idle.idle_for)
                    && (!is_pinged || timeout.within(PING_TIMEOUT, connection.ping()).await.is_ok()))
            })
        })
}
