//! Client-side statement timeout for PostgreSQL, and the connections that are suspect after a
//! timeout.

use futures::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};
use tokio::time::{Sleep, sleep, timeout};

/// The timeout. All connections to one server share it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct StatementTimeout {
    limit: Duration,
    /// When a statement last timed out.
    last_timeout: Arc<Mutex<Option<Instant>>>,
}

impl StatementTimeout {
    /// Creates a timeout; no statement has timed out yet.
    pub fn new(limit: Duration) -> Self {
        Self { limit, last_timeout: Arc::default() }
    }

    /// Returns the timeout.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Returns the result of `work`, or an error if it takes longer than `limit`.
    pub async fn within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        timeout(limit, work).await.unwrap_or_else(|_| Err(self.record_timeout(limit)))
    }

    /// Whether a connection that was idle for `idle_for` may be dead too: another one timed out
    /// meanwhile.
    pub fn is_suspect(&self, idle_for: Duration) -> bool {
        self.last_timeout().is_some_and(|last_timeout| last_timeout.elapsed() <= idle_for)
    }

    /// Records a timeout and returns its error.
    fn record_timeout(&self, waited: Duration) -> sqlx::Error {
        *self.last_timeout() = Some(Instant::now());
        tracing::warn!("PostgreSQL did not respond for {waited:?}; the connection is closed");
        sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "PostgreSQL did not respond in time"))
    }

    fn last_timeout(&self) -> MutexGuard<'_, Option<Instant>> {
        self.last_timeout.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The response of a statement as a stream. A part that takes longer than the timeout becomes an
/// error.
pub struct TimedStream<'c, T> {
    pieces: BoxStream<'c, Result<T, sqlx::Error>>,
    timeout: &'c StatementTimeout,
    /// Set to false when the server is ready for the next statement; `None`: that will not be known
    /// any more.
    is_busy: Option<&'c mut bool>,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<'c, T: 'c> TimedStream<'c, T> {
    /// Wraps a response. `is_busy` becomes false once the server is ready for the next statement.
    pub fn new(
        pieces: BoxStream<'c, Result<T, sqlx::Error>>,
        timeout: &'c StatementTimeout,
        is_busy: &'c mut bool,
    ) -> Self {
        Self { pieces, timeout, is_busy: Some(is_busy), deadline: None }
    }
}

impl<'c, T: Send + 'c> Stream for TimedStream<'c, T> {
    type Item = Result<T, sqlx::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Poll::Ready(piece) = this.pieces.poll_next_unpin(cx) {
            this.deadline = None;
            // The server has ended the statement. After any other error the protocol state is
            // unknown.
            if matches!(piece, None | Some(Err(sqlx::Error::Database(_))))
                && let Some(is_busy) = this.is_busy.take()
            {
                *is_busy = false;
            }
            return Poll::Ready(piece);
        }
        let limit = this.timeout.limit;
        ready!(this.deadline.get_or_insert_with(|| Box::pin(sleep(limit))).as_mut().poll(cx));
        (this.pieces, this.is_busy) = (stream::empty().boxed(), None);
        Poll::Ready(Some(Err(this.timeout.record_timeout(limit))))
    }
}
