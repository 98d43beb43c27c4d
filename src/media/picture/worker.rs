//! Threads for pictures, of their own: one fewer than cores, so that pages and the engine never wait
//! for them.

use super::{Processed, convert};
use crate::text::render::Pool;
use domain::{DomainError, media::MediaProblem};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::LazyLock,
    thread,
};

/// Maximum number of pictures being processed or waiting.
const MAX_JOBS: usize = 32;

static WORKERS: LazyLock<Pool> = LazyLock::new(|| {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    Pool::start(cores.saturating_sub(1).max(1), MAX_JOBS)
});

/// Checks an upload and makes the files to store, in one of the threads.
pub async fn process(bytes: Vec<u8>) -> Result<Processed, MediaProblem> {
    let work = move |_: &_| {
        catch_unwind(AssertUnwindSafe(|| convert(bytes))).unwrap_or_else(|_| {
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
