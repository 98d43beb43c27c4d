//! Threads for pictures, of their own: one fewer than cores, so that pages and the engine never wait
//! for them. Accounts share them.

use super::{Processed, convert, shares::Shares};
use crate::text::render::{Budget, Pool};
use domain::{AccountId, DomainError, media::MediaProblem};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::LazyLock,
    thread,
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Maximum time for one picture. The largest takes a third of it on a slow machine.
const PICTURE_TIMEOUT: Duration = Duration::from_secs(30);

static THREADS: LazyLock<usize> = LazyLock::new(|| {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    cores.saturating_sub(1).max(1)
});
static SHARES: LazyLock<Shares> = LazyLock::new(|| Shares::new(*THREADS));
/// Who has a turn has a thread.
static WORKERS: LazyLock<Pool> = LazyLock::new(|| Pool::start(*THREADS, *THREADS));

/// Checks an upload of an account and makes the files to store, in one of the threads. The work ends soon
/// after the caller has left.
pub async fn process(account: AccountId, bytes: Vec<u8>) -> Result<Processed, MediaProblem> {
    let turn = SHARES.turn(account).await?;
    let left = CancellationToken::new();
    let _guard = left.clone().drop_guard();
    let work = move |_: &_| {
        let _turn = turn;
        let budget = Budget::new(PICTURE_TIMEOUT, left);
        catch_unwind(AssertUnwindSafe(|| convert(bytes, &budget))).unwrap_or_else(|_| {
            tracing::error!("processing a picture panicked");
            Err(MediaProblem::Damaged)
        })
    };
    match WORKERS.run(work).await {
        Ok(processed) => processed,
        Err(DomainError::Busy) => Err(MediaProblem::Busy),
        Err(_) => Err(MediaProblem::Damaged),
    }
}
