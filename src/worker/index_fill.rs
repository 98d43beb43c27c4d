//! Fills the search index in the background: first with all that was there before it, then with what an older program writes.

use crate::parts::Parts;
use domain::Timestamp;
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use store::{StoreError, search};
use uuid::Uuid;

/// How long one turn may take: the checker has other work each second.
const TURN: Duration = Duration::from_millis(250);
/// How often a filled index is looked at again, milliseconds.
const AGAIN_MS: i64 = 60_000;
/// How far back it is looked at then: longer than any transaction takes, milliseconds.
const BACK_MS: i64 = 600_000;
/// How often the progress is logged.
const LOGGED: Duration = Duration::from_secs(10);

/// How far the filling has come.
#[derive(Debug, Default)]
pub struct IndexFill(Mutex<Progress>);

#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// Where the next step begins: a last change, and an article.
    from: (i64, Uuid),
    /// Not before then.
    not_before: i64,
    /// Articles indexed since the last time that everything was.
    count: u64,
    logged_at: Option<Instant>,
}

impl IndexFill {
    /// One turn; nothing where everything is indexed.
    pub async fn go_on(&self, parts: &Parts, now: Timestamp) -> Result<(), StoreError> {
        let mut progress = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.millis() < progress.not_before {
            return Ok(());
        }
        let begun = Instant::now();
        while begun.elapsed() < TURN {
            let filled = search::fill(&parts.store, progress.from).await?;
            progress.count += filled.count;
            let Some(next) = filled.next else {
                progress.finish(now);
                break;
            };
            progress.from = next;
        }
        progress.log();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = progress;
        Ok(())
    }
}

impl Progress {
    fn finish(&mut self, now: Timestamp) {
        if self.count > 0 {
            tracing::info!(articles = self.count, "the search index is filled");
        }
        *self = Self {
            from: (now.millis() - BACK_MS, Uuid::nil()),
            not_before: now.millis() + AGAIN_MS,
            ..Self::default()
        };
    }

    fn log(&mut self) {
        if self.count == 0 || self.logged_at.is_some_and(|at| at.elapsed() < LOGGED) {
            return;
        }
        self.logged_at = Some(Instant::now());
        tracing::info!(articles = self.count, changed_until = %Timestamp::from_millis(self.from.0), "filling the search index");
    }
}
