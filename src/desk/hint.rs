//! Hints after a commit: best effort, never waited for. Whatever is lost here, the feeder and the sweeper find in SQL.

use crate::parts::Parts;
use domain::{Hint, Timestamp};

/// Tells the live stream, and gives hints for what is due soon: now due → publish list; soon → future set; later → nothing.
/// Call it after the commit. Returns at once.
pub fn tell(parts: &Parts, hints: Vec<Hint>) {
    parts.committed.notify_waiters();
    let now = parts.clock.now();
    let (due, soon): (Vec<Hint>, Vec<Hint>) = hints
        .into_iter()
        .filter(|hint| parts.is_within_window(hint.due_at, now))
        .partition(|hint| hint.due_at <= now);
    if !(due.is_empty() && soon.is_empty()) {
        send(parts, due, soon, now);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that gives hints: nobody waits, SQL has the truth"
)]
fn send(parts: &Parts, due: Vec<Hint>, soon: Vec<Hint>, now: Timestamp) {
    let hints = parts.hints.clone();
    tokio::spawn(async move {
        if !due.is_empty()
            && let Err(error) = hints.add_due(&due, now).await
        {
            tracing::debug!(%error, count = due.len(), "hints were not given; the sweeper will find them");
        }
        if !soon.is_empty()
            && let Err(error) = hints.add(&soon).await
        {
            tracing::debug!(%error, count = soon.len(), "hints were not given; the feeder will");
        }
    });
}
