//! Connections to PostgreSQL on which no answer is waited for longer than our patience.
//!
//! A connection whose other side went without a word (a server that lost its power, a firewall that forgot) looks like one
//! whose statement takes long, and the kernel gives it up after a quarter of an hour. sqlx knows no limit and hands out no
//! socket: so every statement goes through a [`Line`], and nobody who asks can forget the limit. What becomes of a statement
//! that is given up is unknown, and its connection is in the middle of a talk: it is closed at once. The pool would first ask
//! on it whether it is well, and wait for ever.

use crate::{
    acked::{Acked, Said},
    patience::{Answer, Patience},
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

/// After one could not be opened, none is tried for so long: nobody storms a server that is away.
const REST: Duration = Duration::from_millis(500);

/// Connections for one of [`crate::Who`]. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lines {
    pool: PgPool,
    patience: Patience,
    acked: Acked,
    /// When one could not be opened last.
    failed_at: Arc<Mutex<Option<Instant>>>,
}

/// A connection in use. Dropped, it goes back to the pool, after a rollback of what was begun; in the middle of a statement, it
/// is closed.
#[derive(Debug)]
pub struct Line {
    /// `None`: being dropped.
    connection: Option<PoolConnection<Postgres>>,
    patience: Patience,
    /// Lines of the log that are not committed yet.
    said: Vec<Said>,
    acked: Acked,
    /// Whether a transaction was begun and has not been ended.
    is_open: bool,
    /// Whether a statement was sent and its answer not heard to its end.
    is_asked: bool,
}

impl Lines {
    /// The connections of `pool`; what is committed over them is kept in `acked`.
    pub(crate) fn new(pool: PgPool, patience: Patience, acked: Acked) -> Self {
        Self { pool, patience, acked, failed_at: Arc::default() }
    }

    /// Where they come from, for what takes as long as it takes.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// How long each is waited for.
    pub fn patience(&self) -> &Patience {
        &self.patience
    }

    /// What was committed over them.
    pub(crate) fn acked(&self) -> &Acked {
        &self.acked
    }

    /// One of them. While none can be opened, it is tried twice a second, however many ask.
    pub async fn line(&self) -> Result<Line, Error> {
        if self.pool.num_idle() == 0 && self.rests() {
            let why = "the database could not be reached a moment ago";
            return Err(Error::Io(io::Error::new(io::ErrorKind::NotConnected, why)));
        }
        let connection = self.pool.acquire().await.inspect_err(|error| {
            if !matches!(error, Error::PoolTimedOut | Error::PoolClosed) {
                *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            }
        })?;
        let (patience, acked) = (self.patience.clone(), self.acked.clone());
        let (is_open, is_asked, said) = (false, false, Vec::new());
        Ok(Line { connection: Some(connection), patience, said, acked, is_open, is_asked })
    }

    fn rests(&self) -> bool {
        let failed_at = *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner);
        failed_at.is_some_and(|at| at.elapsed() < REST)
    }

    /// One of them, on which a transaction was begun with these words.
    pub async fn begin(&self, how: &'static str) -> Result<Line, Error> {
        let mut line = self.line().await?;
        line.begin(how).await?;
        Ok(line)
    }
}

impl Line {
    /// Begins a transaction with these words, of ours alone, and answers the rows of the last of them; whatever becomes of it, it
    /// is rolled back unless it is ended.
    pub async fn begin(&mut self, how: &str) -> Result<Vec<PgRow>, Error> {
        self.is_open = true;
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

    /// Notes what was written into the log: kept once it is committed.
    pub(crate) fn say(&mut self, said: impl Iterator<Item = Said>) {
        self.said.extend(said.filter(Said::counts));
    }

    /// Ends the transaction with these words of ours, the last of which commits it, if one was begun. An error leaves the outcome
    /// unknown.
    pub async fn end(mut self, how: &str) -> Result<(), Error> {
        if self.is_open {
            sqlx::raw_sql(AssertSqlSafe(how)).execute(&mut self).await?;
            self.is_open = false;
        }
        self.acked.keep(mem::take(&mut self.said));
        Ok(())
    }

    /// Undoes the transaction, with these words of ours before it. An error: it is undone by itself.
    pub async fn undo(mut self, how: &str) -> Result<(), Error> {
        self.said.clear();
        self.end(how).await
    }

    /// Ends a transaction that only read. The connection can be used on.
    pub async fn end_reading(&mut self) -> Result<(), Error> {
        sqlx::raw_sql("rollback").execute(&mut *self).await?;
        self.is_open = false;
        Ok(())
    }

    /// Asks and listens with patience. An error if the last answer was not heard to its end.
    fn ask<'e, T: Send + 'e>(
        &'e mut self,
        how: impl FnOnce(&'e mut PgConnection) -> BoxStream<'e, Result<T, Error>>,
    ) -> BoxStream<'e, Result<T, Error>> {
        match &mut self.connection {
            Some(connection) if !mem::replace(&mut self.is_asked, true) => {
                Answer::new(how(connection), &self.patience, &mut self.is_asked).boxed()
            }
            _ => {
                let why = "the last statement on this connection was given up";
                let error = Error::Io(io::Error::new(io::ErrorKind::NotConnected, why));
                stream::once(async { Err(error) }).boxed()
            }
        }
    }
}

impl<'c> Executor<'c> for &'c mut Line {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        self.ask(|c| c.fetch_many(query))
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let mut pieces = self.fetch_many(query);
        Box::pin(async move {
            let mut first = None;
            // To its end: a deferred constraint speaks last.
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
        let prepared = self.ask(|c| stream::once(c.prepare_with(sql, parameters)).boxed());
        let only = |mut all: Vec<_>| all.pop().ok_or(Error::RowNotFound);
        prepared.try_collect().map(move |all| all.and_then(only)).boxed()
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let back = Back(self.connection.take());
        if let (Ok(runtime), false) = (Handle::try_current(), self.is_asked) {
            // Nobody waits for it: it ends by itself, with our patience.
            runtime.spawn(back.give(self.is_open, self.patience.clone()));
        }
    }
}

/// A connection on its way back to the pool. Dropped before it is there, it is closed.
struct Back(Option<PoolConnection<Postgres>>);

impl Back {
    async fn give(mut self, is_open: bool, patience: Patience) {
        let Some(connection) = &mut self.0 else { return };
        if is_open {
            let rollback = sqlx::raw_sql("rollback").execute(&mut **connection);
            if patience.within(patience.limit(), rollback).await.is_err() {
                return;
            }
        }
        // What sqlx does with one that is dropped; it asks on it whether it is well. It holds the connection itself from here on.
        let given = connection.return_to_pool();
        self.0 = None;
        // An error was noted, and the connection is closed.
        let _ = patience.within(patience.limit(), given.map(Ok)).await;
    }
}

impl Drop for Back {
    fn drop(&mut self) {
        drop(self.0.take().map(PoolConnection::detach));
    }
}
