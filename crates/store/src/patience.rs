//! How long PostgreSQL may be silent, and which connections are doubted once it was for longer.

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

/// How long an answer is waited for. All connections to one server share it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Patience {
    limit: Duration,
    /// When somebody last waited in vain.
    lost: Arc<Mutex<Option<Instant>>>,
}

impl Patience {
    /// Of that length; nobody has waited in vain yet.
    pub fn new(limit: Duration) -> Self {
        Self { limit, lost: Arc::default() }
    }

    /// Its length.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// What the work gives, or an error if it takes longer than `limit`.
    pub async fn within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        timeout(limit, work).await.unwrap_or_else(|_| Err(self.lose(limit)))
    }

    /// Whether a connection on which nothing has been heard for so long may be as silent as one that was given up since.
    pub fn doubts(&self, idle_for: Duration) -> bool {
        self.lost().is_some_and(|lost| lost.elapsed() <= idle_for)
    }

    /// Notes that somebody waited in vain for so long; the error that says so.
    fn lose(&self, waited: Duration) -> sqlx::Error {
        *self.lost() = Some(Instant::now());
        tracing::warn!("PostgreSQL was silent for {waited:?}: the connection is given up");
        sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "PostgreSQL was silent for too long"))
    }

    fn lost(&self) -> MutexGuard<'_, Option<Instant>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a statement answers, piece by piece; an error instead of a piece that takes longer than our patience.
pub struct Answer<'c, T> {
    pieces: BoxStream<'c, Result<T, sqlx::Error>>,
    patience: &'c Patience,
    /// Made false when the server is ready for the next statement; `None`: that will not be known any more.
    is_asked: Option<&'c mut bool>,
    waits: Option<Pin<Box<Sleep>>>,
}

impl<'c, T: 'c> Answer<'c, T> {
    /// The same pieces, waited for with patience; `is_asked` becomes false once the server is ready for the next statement.
    pub fn new(
        pieces: BoxStream<'c, Result<T, sqlx::Error>>,
        patience: &'c Patience,
        is_asked: &'c mut bool,
    ) -> Self {
        Self { pieces, patience, is_asked: Some(is_asked), waits: None }
    }
}

impl<'c, T: Send + 'c> Stream for Answer<'c, T> {
    type Item = Result<T, sqlx::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Poll::Ready(piece) = this.pieces.poll_next_unpin(cx) {
            this.waits = None;
            // The server has ended the statement; after any other error nobody knows what it will say next.
            if matches!(piece, None | Some(Err(sqlx::Error::Database(_))))
                && let Some(is_asked) = this.is_asked.take()
            {
                *is_asked = false;
            }
            return Poll::Ready(piece);
        }
        let limit = this.patience.limit;
        ready!(this.waits.get_or_insert_with(|| Box::pin(sleep(limit))).as_mut().poll(cx));
        (this.pieces, this.is_asked) = (stream::empty().boxed(), None);
        Poll::Ready(Some(Err(this.patience.lose(limit))))
    }
}
