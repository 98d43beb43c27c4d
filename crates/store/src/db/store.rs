//! Connections to the database: separate pools, one writer on SQLite, the same SQL for both engines
//! where possible.

use crate::{
    StoreError,
    pg::{PgConn, PgConnPool},
    writer_lock::{WriterGuard, WriterLock},
};
use domain::{Clock, Timestamp};
use sqlx::{Sqlite, SqliteConnection, SqlitePool, Transaction, pool::PoolConnection};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

/// Runs the same expression with the connection of either engine.
macro_rules! with_conn {
    ($conn:expr, $c:ident => $body:expr) => {
        match $conn {
            $crate::Conn::Sqlite($c) => $body,
            $crate::Conn::Postgres($c) => $body,
        }
    };
}
pub(crate) use with_conn;

/// Statement with which the SQLite writer begins: it takes the write lock at once.
pub(crate) const BEGIN_IMMEDIATE: &str = "begin immediate";

/// Who uses a connection. Each role has connections of its own, so that one cannot starve the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolRole {
    /// Pages and the API.
    Web,
    /// The engine loops. They have priority at the SQLite writer.
    Engine,
    /// The dispatcher. It shares the connections of the engine, but has no priority at the SQLite
    /// writer.
    Dispatcher,
}

/// A boxed future. Functions that begin or end work on a connection return one, so that the
/// compiler proves once that the drivers' types are `Send`, not again in every caller. That was a
/// third of the server crate's build time.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Store {
    /// One file, one writer, many readers.
    Sqlite {
        /// The write pool: one connection.
        writer: SqlitePool,
        /// Lock of the writer, with priorities.
        writer_lock: WriterLock,
        /// Read-only connections.
        readers: SqlitePool,
        /// One connection for checkpoints, so that they do not block the writer.
        checkpoint_pool: SqlitePool,
        /// Test offset of the database clock, see [`Store::set_clock_offset`].
        clock_offset_ms: Arc<AtomicI64>,
    },
    /// A PostgreSQL server.
    Postgres {
        /// Pool of [`PoolRole::Web`].
        web: PgConnPool,
        /// Pool of [`PoolRole::Engine`] and [`PoolRole::Dispatcher`].
        engine: PgConnPool,
        /// Test offset of the database clock, see [`Store::set_clock_offset`].
        clock_offset_ms: Arc<AtomicI64>,
    },
}

/// A connection of either engine.
#[derive(Debug)]
pub enum Conn<'c> {
    /// SQLite.
    Sqlite(&'c mut SqliteConnection),
    /// PostgreSQL.
    Postgres(&'c mut PgConn),
}

/// A transaction. It is rolled back if it is dropped without [`Tx::commit`].
#[derive(Debug)]
pub enum Tx {
    /// SQLite, begun with `begin immediate`. It holds the writer lock until it ends.
    Sqlite(Transaction<'static, Sqlite>, WriterGuard),
    /// PostgreSQL, read committed. From [`Store::begin_single`]: autocommit, without a transaction.
    Postgres(PgConn),
}

/// A connection for reading.
#[derive(Debug)]
pub enum ReadConn {
    /// SQLite, read-only.
    Sqlite(PoolConnection<Sqlite>),
    /// PostgreSQL.
    Postgres(PgConn),
}

impl Store {
    /// Begins a transaction that may write. Must not be called in a future that can be cancelled.
    pub fn begin(&self, role: PoolRole) -> StoreFuture<'_, Tx> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite { writer, writer_lock, .. } => {
                    let guard = writer_lock.acquire(role == PoolRole::Engine).await;
                    let tx = match writer.begin_with(BEGIN_IMMEDIATE).await {
                        // SQLite has rolled back the previous transaction itself, as it does when
                        // the disk is full. The driver does not notice and would reject this
                        // connection for ever: close it.
                        Err(sqlx::Error::InvalidSavePointStatement) => {
                            writer.acquire().await?.close().await?;
                            writer.begin_with(BEGIN_IMMEDIATE).await?
                        }
                        begun => begun?,
                    };
                    Tx::Sqlite(tx, guard)
                }
                Self::Postgres { web, engine, .. } => {
                    Tx::Postgres(if role == PoolRole::Web { web } else { engine }.begin("begin").await?)
                }
            })
        })
    }

    /// Begins a transaction for a single statement. On PostgreSQL the statement commits by itself,
    /// which saves the round trips of `begin` and `commit`. Must not be called in a future that can
    /// be cancelled.
    pub fn begin_single(&self, role: PoolRole) -> StoreFuture<'_, Tx> {
        match self {
            Self::Sqlite { .. } => self.begin(role),
            Self::Postgres { web, engine, .. } => Box::pin(async move {
                Ok(Tx::Postgres(if role == PoolRole::Web { web } else { engine }.acquire().await?))
            }),
        }
    }

    /// Returns a connection for reading.
    pub fn read(&self, role: PoolRole) -> StoreFuture<'_, ReadConn> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite { readers, .. } => ReadConn::Sqlite(readers.acquire().await?),
                Self::Postgres { web, engine, .. } => {
                    ReadConn::Postgres(if role == PoolRole::Web { web } else { engine }.acquire().await?)
                }
            })
        })
    }

    /// SQLite: copies the write-ahead log into the file, on a connection of its own. PostgreSQL does
    /// this itself.
    pub async fn checkpoint(&self) -> Result<(), StoreError> {
        if let Self::Sqlite { checkpoint_pool, .. } = self {
            sqlx::query("pragma wal_checkpoint(passive)").execute(checkpoint_pool).await?;
        }
        Ok(())
    }

    /// Waits for running statements and closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers, checkpoint_pool, .. } => {
                readers.close().await;
                checkpoint_pool.close().await;
                writer.close().await;
            }
            Self::Postgres { web, engine, .. } => {
                web.pool().close().await;
                engine.pool().close().await;
            }
        }
    }

    /// Adds an offset to the database clock, milliseconds. For tests that control the time.
    pub fn set_clock_offset(&self, offset_ms: i64) {
        self.clock_offset_ms().store(offset_ms, Relaxed);
    }

    /// Returns the current time for SQL as a parameter: on SQLite the time itself, on PostgreSQL
    /// the offset to add to its clock. No other code may pass the time.
    pub(crate) fn sql_now(&self, node_now: Timestamp) -> i64 {
        match self {
            Self::Sqlite { clock_offset_ms, .. } => node_now.millis() + clock_offset_ms.load(Relaxed),
            Self::Postgres { clock_offset_ms, .. } => clock_offset_ms.load(Relaxed),
        }
    }

    /// Reads the database clock and `clock` at the same time.
    pub async fn read_clocks(&self, clock: &dyn Clock) -> Result<Clocks, StoreError> {
        let mut conn = self.read(PoolRole::Engine).await?;
        let before = clock.now();
        let sql_now = self.sql_now(before);
        let database: i64 = match conn.conn() {
            Conn::Sqlite(_) => sql_now,
            Conn::Postgres(c) => {
                sqlx::query_scalar("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $1")
                    .bind(sql_now)
                    .fetch_one(c)
                    .await?
            }
        };
        // The database read its clock between the two readings here: take the middle.
        let node = before.plus(clock.now().since(before) / 2);
        Ok(Clocks { node, database: Timestamp::from_millis(database) })
    }

    fn clock_offset_ms(&self) -> &AtomicI64 {
        match self {
            Self::Sqlite { clock_offset_ms, .. } | Self::Postgres { clock_offset_ms, .. } => clock_offset_ms,
        }
    }
}

/// Two clocks, read at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// Clock of this process.
    pub node: Timestamp,
    /// Clock of the database.
    pub database: Timestamp,
}

impl Tx {
    /// Returns the connection, for one statement.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(tx, _) => Conn::Sqlite(tx),
            Self::Postgres(connection) => Conn::Postgres(connection),
        }
    }

    /// Commits. An error leaves the outcome unknown: read the rows again by id.
    pub fn commit(self) -> StoreFuture<'static, ()> {
        Box::pin(async move {
            match self {
                Self::Sqlite(tx, _guard) => tx.commit().await?,
                Self::Postgres(connection) => connection.end_with("commit").await?,
            }
            Ok(())
        })
    }

    /// Rolls back.
    pub fn rollback(self) -> StoreFuture<'static, ()> {
        Box::pin(async move {
            match self {
                Self::Sqlite(tx, _guard) => tx.rollback().await?,
                Self::Postgres(connection) => connection.rollback_with("rollback").await?,
            }
            Ok(())
        })
    }
}

impl Conn<'_> {
    /// Reborrows the connection, for a function of several statements.
    pub fn reborrow(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(c) => Conn::Sqlite(c),
            Self::Postgres(c) => Conn::Postgres(c),
        }
    }
}

impl ReadConn {
    /// Returns the connection, for one statement.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(conn) => Conn::Sqlite(conn),
            Self::Postgres(connection) => Conn::Postgres(connection),
        }
    }
}
