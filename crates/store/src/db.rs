//! Connections: pools as bulkheads, one writer on SQLite, one body of SQL for both engines.

use crate::{
    StoreError,
    gate::{Gate, Permit},
    line::{Line, Lines},
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

/// Runs the same expression with the connection of whichever engine it is.
macro_rules! on {
    ($conn:expr, $c:ident => $body:expr) => {
        match $conn {
            $crate::Conn::Sqlite($c) => $body,
            $crate::Conn::Postgres($c) => $body,
        }
    };
}
pub(crate) use on;

/// How SQLite's writer begins: nobody can come in between afterwards.
pub(crate) const IMMEDIATE: &str = "begin immediate";

/// Who asks: each has connections of its own, so that one cannot starve the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Pages and the API.
    People,
    /// The loops. On SQLite they go first at the one writer.
    Engine,
    /// The dispatcher: the loops' connections, but never before the loops at SQLite's writer.
    Dispatch,
}

/// A future behind a pointer. What begins or ends work on a connection is one, so that the compiler asks the drivers' types
/// once whether they may cross threads, and not again in each function above: that was a third of the server crate's build.
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Store {
    /// One file, one writer, many readers.
    Sqlite {
        /// At most one connection.
        writer: SqlitePool,
        /// Who writes next.
        gate: Gate,
        /// Read-only connections.
        readers: SqlitePool,
        /// One connection that moves the log into the file, beside the writer.
        keeper: SqlitePool,
        /// See [`Store::shift_clock`].
        ahead: Arc<AtomicI64>,
    },
    /// A server; a pool for each of [`Who`].
    Postgres {
        /// For pages and the API.
        people: Lines,
        /// For the loops.
        engine: Lines,
        /// See [`Store::shift_clock`].
        ahead: Arc<AtomicI64>,
    },
}

/// A connection in use, of either engine.
#[derive(Debug)]
pub enum Conn<'c> {
    /// SQLite.
    Sqlite(&'c mut SqliteConnection),
    /// PostgreSQL.
    Postgres(&'c mut Line),
}

/// A transaction. Dropped without [`Tx::commit`]: nothing happened.
#[derive(Debug)]
pub enum Tx {
    /// SQLite, begun immediate: it has the writer, and the right to it until it ends.
    Sqlite(Transaction<'static, Sqlite>, Permit),
    /// PostgreSQL, read committed; of [`Store::single`], each statement by itself.
    Postgres(Line),
}

/// A borrowed connection for reading.
#[derive(Debug)]
pub enum Lease {
    /// SQLite, read-only.
    Sqlite(PoolConnection<Sqlite>),
    /// PostgreSQL.
    Postgres(Line),
}

impl Store {
    /// Begins a transaction that may write. Never call it in a future that can be cancelled.
    pub fn begin(&self, who: Who) -> Soon<'_, Tx> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite { writer, gate, .. } => {
                    let permit = gate.enter(who == Who::Engine).await;
                    let tx = match writer.begin_with(IMMEDIATE).await {
                        // SQLite has ended the last transaction by itself, as it does when the disk is full; the driver does
                        // not know it and would refuse this connection for ever.
                        Err(sqlx::Error::InvalidSavePointStatement) => {
                            writer.acquire().await?.close().await?;
                            writer.begin_with(IMMEDIATE).await?
                        }
                        begun => begun?,
                    };
                    Tx::Sqlite(tx, permit)
                }
                Self::Postgres { people, engine, .. } => {
                    Tx::Postgres(if who == Who::People { people } else { engine }.begin("begin").await?)
                }
            })
        })
    }

    /// A transaction for what is one statement on PostgreSQL: there it is one by itself, without words for its begin and its
    /// end. Never call it in a future that can be cancelled.
    pub fn single(&self, who: Who) -> Soon<'_, Tx> {
        match self {
            Self::Sqlite { .. } => self.begin(who),
            Self::Postgres { people, engine, .. } => Box::pin(async move {
                Ok(Tx::Postgres(if who == Who::People { people } else { engine }.line().await?))
            }),
        }
    }

    /// A connection for reading.
    pub fn read(&self, who: Who) -> Soon<'_, Lease> {
        Box::pin(async move {
            Ok(match self {
                Self::Sqlite { readers, .. } => Lease::Sqlite(readers.acquire().await?),
                Self::Postgres { people, engine, .. } => {
                    Lease::Postgres(if who == Who::People { people } else { engine }.line().await?)
                }
            })
        })
    }

    /// Waits for running statements and closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers, keeper, .. } => {
                readers.close().await;
                keeper.close().await;
                writer.close().await;
            }
            Self::Postgres { people, engine, .. } => {
                people.pool().close().await;
                engine.pool().close().await;
            }
        }
    }

    /// Sets the database's clock so many milliseconds ahead of what it would say. For tests that own the time; on SQLite the
    /// database's clock is the process's own.
    pub fn shift_clock(&self, ahead_ms: i64) {
        self.ahead().store(ahead_ms, Relaxed);
    }

    /// The only source of SQL's "now", as a number to bind: on SQLite the moment itself, on PostgreSQL what is to be added
    /// to its clock.
    pub(crate) fn sql_now(&self, node_now: Timestamp) -> i64 {
        match self {
            Self::Sqlite { ahead, .. } => node_now.millis() + ahead.load(Relaxed),
            Self::Postgres { ahead, .. } => ahead.load(Relaxed),
        }
    }

    /// What the database's clock says, beside what `clock` says at the same time.
    pub async fn clocks(&self, clock: &dyn Clock) -> Result<Clocks, StoreError> {
        let mut lease = self.read(Who::Engine).await?;
        let before = clock.now();
        let sql_now = self.sql_now(before);
        let database: i64 = match lease.conn() {
            Conn::Sqlite(_) => sql_now,
            Conn::Postgres(c) => {
                sqlx::query_scalar("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $1")
                    .bind(sql_now)
                    .fetch_one(c)
                    .await?
            }
        };
        // Half-way through the question: the answer was made somewhere in between.
        let node = before.plus(clock.now().since(before) / 2);
        Ok(Clocks { node, database: Timestamp::from_millis(database) })
    }

    fn ahead(&self) -> &AtomicI64 {
        match self {
            Self::Sqlite { ahead, .. } | Self::Postgres { ahead, .. } => ahead,
        }
    }
}

/// Two clocks, read at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// This process's.
    pub node: Timestamp,
    /// The database's.
    pub database: Timestamp,
}

impl Tx {
    /// The connection, for one statement.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(tx, _) => Conn::Sqlite(tx),
            Self::Postgres(line) => Conn::Postgres(line),
        }
    }

    /// Makes all of it true. An error leaves the outcome unknown: read again by id.
    pub fn commit(self) -> Soon<'static, ()> {
        Box::pin(async move {
            match self {
                Self::Sqlite(tx, _permit) => tx.commit().await?,
                Self::Postgres(line) => line.end("commit").await?,
            }
            Ok(())
        })
    }

    /// Undoes all of it.
    pub fn rollback(self) -> Soon<'static, ()> {
        Box::pin(async move {
            match self {
                Self::Sqlite(tx, _permit) => tx.rollback().await?,
                Self::Postgres(line) => line.undo("rollback").await?,
            }
            Ok(())
        })
    }
}

impl Conn<'_> {
    /// The same connection once more, for a function of several statements.
    pub fn again(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(c) => Conn::Sqlite(c),
            Self::Postgres(c) => Conn::Postgres(c),
        }
    }
}

impl Lease {
    /// The connection, for one statement.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(lease) => Conn::Sqlite(lease),
            Self::Postgres(line) => Conn::Postgres(line),
        }
    }
}
