//! The fault matrix: scenarios with one named fault each on processes of the built program, checked
//! by observers outside the program. Each scenario first shows that it detects violations.
//!
//! `FAULTS_LONG=1` runs each with the counts that `docs/FAULTS.md` has in brackets instead of those of CI.

#![expect(clippy::unwrap_used, reason = "a scenario that cannot run fails by a panic")]

mod burst;
mod client_abort;
mod clock;
mod cluster;
mod database_copy;
mod failpoints;
mod full_disk;
mod idempotency;
mod lost_responses;
mod observer;
mod outage;
mod overdue_pairs;
mod postgres_failover;
mod race;
mod redis_cluster;
mod redis_failover;
mod redis_faults;

use crate::number;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// Timeout of a request, and of a node's start.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout for everything that must happen.
const WAIT_TIMEOUT: Duration = Duration::from_secs(40);

/// Lock for scenarios that each use all processors.
static ALL_PROCESSORS: Mutex<()> = Mutex::const_new(());

/// Runs such scenarios one after the other.
async fn lock_processors() -> MutexGuard<'static, ()> {
    ALL_PROCESSORS.lock().await
}

/// Returns the number of items for CI, or for a long run if `FAULTS_LONG` is set.
fn items(ci: usize, long: usize) -> usize {
    if number("FAULTS_LONG").is_some() { long } else { ci }
}
