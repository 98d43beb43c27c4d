//! Publishes hints after a commit: best effort, without waiting. The feeder and the sweeper find
//! lost ones in SQL.

use domain::{Hint, Timestamp};
use engine::Context;
use queue::Hints;
use std::sync::Arc;

/// Notifies the live stream and publishes hints: due ones to the publish list, those due within the
/// window to the future set, later ones nowhere. Call it after the commit. It does not wait.
pub fn publish(parts: &Context, hints: Vec<Hint>) {
    parts.committed.notify_waiters();
    let hints = PendingHints::of(parts, hints);
    if !hints.is_empty() {
        spawn_push(hints);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the only place that publishes hints: it is not awaited, because SQL is authoritative"
)]
fn spawn_push(hints: PendingHints) {
    tokio::spawn(hints.push());
}

/// Hints to be published now.
pub struct PendingHints {
    store: Arc<dyn Hints>,
    due: Vec<Hint>,
    soon: Vec<Hint>,
    now: Timestamp,
}

impl PendingHints {
    /// Keeps those hints that are due within the window.
    #[must_use]
    pub fn of(parts: &Context, hints: Vec<Hint>) -> Self {
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

    /// Publishes the hints. Errors are only logged.
    pub async fn push(self) {
        let Self { store, due, soon, now } = self;
        if !due.is_empty()
            && let Err(error) = store.add_due(&due, now).await
        {
            tracing::debug!(%error, count = due.len(), "hints were not published; the sweeper will find the tasks");
        }
        if !soon.is_empty()
            && let Err(error) = store.add(&soon).await
        {
            tracing::debug!(%error, count = soon.len(), "hints were not published; the feeder will load them");
        }
        // An error here has no effect.
        _ = store::failpoint::hit("hints.given").await;
    }
}
