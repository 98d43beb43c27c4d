//! Hints after a commit: best effort, never waited for. Whatever is lost here, the feeder and the sweeper find in SQL.

use crate::parts::Parts;
use domain::{Hint, Timestamp};
use queue::Hints;
use std::sync::Arc;

/// Tells the live stream, and gives hints for what is due soon: now due → publish list; soon → future set; later → nothing.
/// Call it after the commit. Returns at once.
pub fn tell(parts: &Parts, hints: Vec<Hint>) {
    parts.committed.notify_waiters();
    let news = News::of(parts, hints);
    if !news.is_empty() {
        send(news);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that gives hints: nobody waits, SQL has the truth"
)]
fn send(news: News) {
    tokio::spawn(news.give());
}

/// Hints that are to be given now.
pub struct News {
    store: Arc<dyn Hints>,
    due: Vec<Hint>,
    soon: Vec<Hint>,
    now: Timestamp,
}

impl News {
    /// Those of the hints that are due within the window.
    #[must_use]
    pub fn of(parts: &Parts, hints: Vec<Hint>) -> Self {
        let now = parts.clock.now();
        let (due, soon) = hints
            .into_iter()
            .filter(|hint| parts.is_within_window(hint.due_at, now))
            .partition(|hint| hint.due_at <= now);
        Self { store: Arc::clone(&parts.hints), due, soon, now }
    }

    fn is_empty(&self) -> bool {
        self.due.is_empty() && self.soon.is_empty()
    }

    /// Gives them. What fails is only noted.
    pub async fn give(self) {
        let Self { store, due, soon, now } = self;
        if !due.is_empty()
            && let Err(error) = store.add_due(&due, now).await
        {
            tracing::debug!(%error, count = due.len(), "hints were not given; the sweeper will find them");
        }
        if !soon.is_empty()
            && let Err(error) = store.add(&soon).await
        {
            tracing::debug!(%error, count = soon.len(), "hints were not given; the feeder will");
        }
        // Nobody hears of it.
        _ = store::point::pass("hints.given").await;
    }
}
