//! Connections: pools as bulkheads, one writer on SQLite, one body of SQL for both engines.

use crate::StoreError;
use sqlx::{
    PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction, pool::PoolConnection,
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

/// Who asks: each has connections of its own, so that one cannot starve the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Pages and the API.
    People,
    /// The loops. On SQLite they go first at the one writer.
    Engine,
}

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Store {
    /// One file, one writer, many readers.
    Sqlite {
        /// At most one connection.
        writer: SqlitePool,
        /// Read-only connections.
        readers: SqlitePool,
    },
    /// A server; a pool for each of [`Who`].
    Postgres {
        /// For pages and the API.
        people: PgPool,
        /// For the loops.
        engine: PgPool,
    },
}

/// A connection in use, of either engine.
#[derive(Debug)]
pub enum Conn<'c> {
    /// SQLite.
    Sqlite(&'c mut SqliteConnection),
    /// PostgreSQL.
    Postgres(&'c mut PgConnection),
}

/// A transaction. Dropped without [`Tx::commit`]: nothing happened.
#[derive(Debug)]
pub enum Tx {
    /// SQLite, begun immediate: it has the writer.
    Sqlite(Transaction<'static, Sqlite>),
    /// PostgreSQL, read committed.
    Postgres(Transaction<'static, Postgres>),
}

/// A borrowed connection for reading.
#[derive(Debug)]
pub enum Lease {
    /// SQLite, read-only.
    Sqlite(PoolConnection<Sqlite>),
    /// PostgreSQL.
    Postgres(PoolConnection<Postgres>),
}

impl Store {
    /// Begins a transaction that may write. Never call it in a future that can be cancelled.
    pub async fn begin(&self, who: Who) -> Result<Tx, StoreError> {
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin_with("begin immediate").await?),
            Self::Postgres { people, engine } => {
                Tx::Postgres(if who == Who::People { people } else { engine }.begin().await?)
            }
        })
    }

    /// A connection for reading.
    pub async fn read(&self, who: Who) -> Result<Lease, StoreError> {
        Ok(match self {
            Self::Sqlite { readers, .. } => Lease::Sqlite(readers.acquire().await?),
            Self::Postgres { people, engine } => {
                Lease::Postgres(if who == Who::People { people } else { engine }.acquire().await?)
            }
        })
    }

    /// Waits for running statements and closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres { people, engine } => {
                people.close().await;
                engine.close().await;
            }
        }
    }
}

impl Tx {
    /// The connection, for one statement.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(tx) => Conn::Sqlite(tx),
            Self::Postgres(tx) => Conn::Postgres(tx),
        }
    }

    /// Makes all of it true. An error leaves the outcome unknown: read again by id.
    pub async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }

    /// Undoes all of it.
    pub async fn rollback(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(tx) => tx.rollback().await?,
            Self::Postgres(tx) => tx.rollback().await?,
        }
        Ok(())
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
            Self::Postgres(lease) => Conn::Postgres(lease),
        }
    }
}
