//! PostgreSQL connections with a client-side timeout on every statement. On timeout the connection
//! is closed, because the outcome is unknown.
//!
//! If the server lost its power, or a firewall dropped the connection, a connection looks like one
//! with a slow statement. The kernel gives up after a quarter of an hour. sqlx has no timeout and
//! does not expose the socket, so every statement goes through a [`PgConn`]. After a timeout the
//! connection is in the middle of the protocol. It is closed at once: the pool would ping it first,
//! and wait for ever.

use crate::{
    commit_log::{AckedEvent, AckedWrites},
    statement_timeout::{StatementTimeout, TimedStream},
};
use futures::{
    FutureExt, StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use sqlx::{
    AssertSqlSafe, Either, Error, Execute, Executor, PgConnection, PgPool, Postgres, SqlStr,
    pool::PoolConnection,
    postgres::{PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};
use std::{
    io, mem,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::runtime::Handle;

/// SQL for the number of the server's timeline, which each promotion increments. The control file
/// has it only after the first checkpoint.
macro_rules! timeline_id {
    () => {
        "('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer"
    };
}
pub(crate) use timeline_id;

/// Minimum time between failed attempts to connect, so that an unavailable server is not flooded.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(500);

/// A pool of connections with a timeout. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PgConnPool {
    pool: PgPool,
    timeout: StatementTimeout,
    acked: AckedWrites,
    /// When a connection attempt last failed.
    failed_at: Arc<Mutex<Option<Instant>>>,
}

/// A connection with a timeout. When it is dropped, it is rolled back and returned to the pool; in
/// the middle of a statement it is closed.
#[derive(Debug)]
pub struct PgConn {
    /// `None`: being dropped.
    connection: Option<PoolConnection<Postgres>>,
    timeout: StatementTimeout,
    /// Events that are not committed yet.
    uncommitted: Vec<AckedEvent>,
    acked: AckedWrites,
    /// Whether a transaction is open.
    in_transaction: bool,
    /// Whether a statement was sent and its response not read to the end.
    is_busy: bool,
}

impl PgConnPool {
    /// Wraps `pool`; committed events are added to `acked`.
    pub(crate) fn new(pool: PgPool, timeout: StatementTimeout, acked: AckedWrites) -> Self {
        Self { pool, timeout, acked, failed_at: Arc::default() }
    }

    /// Returns the pool without a timeout, for statements that may take long.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Returns the timeout.
    pub fn timeout(&self) -> &StatementTimeout {
        &self.timeout
    }

    /// Returns the committed events.
    pub(crate) fn acked(&self) -> &AckedWrites {
        &self.acked
    }

    /// Acquires a connection. While connecting fails, it is attempted twice a second, however many
    /// callers wait.
    pub async fn acquire(&self) -> Result<PgConn, Error> {
        if self.pool.num_idle() == 0 && self.is_backing_off() {
            let why = "the last attempt to connect to the database failed a moment ago";
            return Err(Error::Io(io::Error::new(io::ErrorKind::NotConnected, why)));
        }
        let connection = self.pool.acquire().await.inspect_err(|error| {
            if !matches!(error, Error::PoolTimedOut | Error::PoolClosed) {
                *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            }
        })?;
        let (timeout, acked) = (self.timeout.clone(), self.acked.clone());
        Ok(PgConn {
            connection: Some(connection),
            timeout,
            uncommitted: Vec::new(),
            acked,
            in_transaction: false,
            is_busy: false,
        })
    }

    fn is_backing_off(&self) -> bool {
        let failed_at = *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner);
        failed_at.is_some_and(|at| at.elapsed() < RECONNECT_INTERVAL)
    }

    /// Acquires a connection and begins a transaction with the statement `how`.
    pub async fn begin(&self, how: &'static str) -> Result<PgConn, Error> {
        let mut connection = self.acquire().await?;
        connection.begin(how).await?;
        Ok(connection)
    }
}

impl PgConn {
    /// Begins a transaction with the statements `how` and returns the rows of the last one. The SQL
    /// must be trusted. The transaction is rolled back unless it is ended, even if this fails.
    pub async fn begin(&mut self, how: &str) -> Result<Vec<PgRow>, Error> {
        self.in_transaction = true;
        let mut answers = sqlx::raw_sql(AssertSqlSafe(how)).fetch_many(self);
        let (mut rows, mut is_new) = (Vec::new(), false);
        while let Some(answer) = answers.try_next().await? {
            if mem::replace(&mut is_new, answer.is_left()) {
                rows.clear();
            }
            rows.extend(answer.right());
        }
        Ok(rows)
    }

    /// Remembers written events; they are kept after the commit.
    pub(crate) fn record_events(&mut self, events: impl Iterator<Item = AckedEvent>) {
        self.uncommitted.extend(events.filter(AckedEvent::is_tracked));
    }

    /// Ends the transaction, if one is open, with the statements `how`, the last of which commits.
    /// The SQL must be trusted. An error leaves the outcome unknown.
    pub async fn end_with(mut self, how: &str) -> Result<(), Error> {
        if self.in_transaction {
            sqlx::raw_sql(AssertSqlSafe(how)).execute(&mut self).await?;
            self.in_transaction = false;
        }
        self.acked.append(mem::take(&mut self.uncommitted));
        Ok(())
    }

    /// Rolls back with the statements `how`. After an error the server rolls back itself.
    pub async fn rollback_with(mut self, how: &str) -> Result<(), Error> {
        self.uncommitted.clear();
        self.end_with(how).await
    }

    /// Ends a read-only transaction. The connection can be used again.
    pub async fn end_read(&mut self) -> Result<(), Error> {
        sqlx::raw_sql("rollback").execute(&mut *self).await?;
        self.in_transaction = false;
        Ok(())
    }

    /// Runs a statement with the timeout. An error if the previous response was not read to its
    /// end.
    fn run<'e, T: Send + 'e>(
        &'e mut self,
        how: impl FnOnce(&'e mut PgConnection) -> BoxStream<'e, Result<T, Error>>,
    ) -> BoxStream<'e, Result<T, Error>> {
        match &mut self.connection {
            Some(connection) if !mem::replace(&mut self.is_busy, true) => {
                TimedStream::new(how(connection), &self.timeout, &mut self.is_busy).boxed()
            }
            _ => {
                let why = "the last statement on this connection did not finish";
                let error = Error::Io(io::Error::new(io::ErrorKind::NotConnected, why));
                stream::once(async { Err(error) }).boxed()
            }
        }
    }
}

impl<'c> Executor<'c> for &'c mut PgConn {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        self.run(|c| c.fetch_many(query))
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let mut pieces = self.fetch_many(query);
        Box::pin(async move {
            let mut first = None;
            // Read to the end: an error of a deferred constraint comes last.
            while let Some(piece) = pieces.try_next().await? {
                first = first.or(piece.right());
            }
            Ok(first)
        })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, Error>>
    where
        'c: 'e,
    {
        let prepared = self.run(|c| stream::once(c.prepare_with(sql, parameters)).boxed());
        let only = |mut all: Vec<_>| all.pop().ok_or(Error::RowNotFound);
        prepared.try_collect().map(move |all| all.and_then(only)).boxed()
    }
}

impl Drop for PgConn {
    fn drop(&mut self) {
        let returned = ReturnToPool(self.connection.take());
        if let (Ok(runtime), false) = (Handle::try_current(), self.is_busy) {
            // Runs detached; it ends by itself, within the timeout.
            runtime.spawn(returned.finish(self.in_transaction, self.timeout.clone()));
        }
    }
}

/// A connection that is being returned to the pool. If this is dropped before, it is closed.
struct ReturnToPool(Option<PoolConnection<Postgres>>);

impl ReturnToPool {
    async fn finish(mut self, in_transaction: bool, timeout: StatementTimeout) {
        let Some(connection) = &mut self.0 else { return };
        if in_transaction {
            let rollback = sqlx::raw_sql("rollback").execute(&mut **connection);
            if timeout.within(timeout.limit(), rollback).await.is_err() {
                return;
            }
        }
        // The same as sqlx does on drop: it pings the connection. It owns the connection from here
        // on.
        let returned = connection.return_to_pool();
        self.0 = None;
        // A timeout is recorded, and the connection is closed.
        let _ = timeout.within(timeout.limit(), returned.map(Ok)).await;
    }
}

impl Drop for ReturnToPool {
    fn drop(&mut self) {
        drop(self.0.take().map(PoolConnection::detach));
    }
}
