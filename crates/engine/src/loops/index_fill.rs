//! Fills the search index in the background: first with all existing articles, then with those that
//! an older release writes during an upgrade.

use crate::Context;
use domain::Timestamp;
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use store::{StoreError, search};
use uuid::Uuid;

/// Maximum duration of one run, because the maintenance loop has other work each second.
const MAX_RUN_TIME: Duration = Duration::from_millis(250);
/// Interval at which a filled index is checked again, milliseconds.
const RECHECK_INTERVAL_MS: i64 = 60_000;
/// How far back that check reaches, milliseconds. It exceeds the duration of any transaction.
const RECHECK_SPAN_MS: i64 = 600_000;
/// Interval between log lines about the progress.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Progress of filling the index.
#[derive(Debug, Default)]
pub struct IndexFill(Mutex<Progress>);

#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// Start of the next step: time of the last change, and article id.
    from: (i64, Uuid),
    /// Earliest time of the next step, UTC milliseconds.
    not_before: i64,
    /// Articles indexed since the index was last complete.
    count: u64,
    logged_at: Option<Instant>,
}

impl IndexFill {
    /// Indexes some articles, for at most 250 ms. Does nothing if all are indexed.
    pub async fn run(&self, context: &Context, now: Timestamp) -> Result<(), StoreError> {
        let mut progress = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.millis() < progress.not_before {
            return Ok(());
        }
        let begun = Instant::now();
        while begun.elapsed() < MAX_RUN_TIME {
            let filled = search::fill(&context.store, progress.from).await?;
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
            from: (now.millis() - RECHECK_SPAN_MS, Uuid::nil()),
            not_before: now.millis() + RECHECK_INTERVAL_MS,
            ..Self::default()
        };
    }

    fn log(&mut self) {
        if self.count == 0 || self.logged_at.is_some_and(|at| at.elapsed() < LOG_INTERVAL) {
            return;
        }
        self.logged_at = Some(Instant::now());
        tracing::info!(articles = self.count, changed_until = %Timestamp::from_millis(self.from.0), "filling the search index");
    }
}
