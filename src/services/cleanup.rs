//! Removes what is no longer needed, in the background.

use domain::{Clock as _, DomainError, Timestamp, clock::SystemClock};
use std::time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Interval between two runs.
const INTERVAL: Duration = Duration::from_secs(3_600);

/// Starts a background task that removes now and every hour. It runs until `stop` is cancelled or the guard
/// is dropped. `what`: what is removed, for the log. `remove` gets the time by the clock of the system, which
/// the ages of files are by, and returns the number of removed things.
#[must_use]
pub fn remove_hourly<R, F>(what: &'static str, stop: CancellationToken, remove: R) -> DropGuard
where
    R: Fn(Timestamp) -> F + Send + 'static,
    F: Future<Output = Result<usize, DomainError>> + Send + 'static,
{
    #[expect(clippy::disallowed_methods, reason = "a background task: each run may be interrupted")]
    tokio::spawn(repeat(what, stop.clone(), remove));
    stop.drop_guard()
}

async fn repeat<R, F>(what: &'static str, stop: CancellationToken, remove: R)
where
    R: Fn(Timestamp) -> F,
    F: Future<Output = Result<usize, DomainError>>,
{
    while !stop.is_cancelled() {
        match remove(SystemClock.now()).await {
            Ok(count) if count > 0 => tracing::info!(count, "{what} were removed"),
            Ok(_) => {}
            Err(why) => tracing::debug!("removing {what} failed and will be retried: {why}"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}
