//! Ends the reading and conversion of an export soon after its import was cancelled or has failed.

use crate::text::render::Budget;
use std::{
    io::{self, Read},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Maximum time for the conversion of one post.
const POST_TIMEOUT: Duration = Duration::from_secs(10);
/// Why the reading has ended.
const STOPPED: &str = "it was stopped";

/// Says when to stop. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Stop(CancellationToken);

impl Stop {
    /// Stops with this token.
    #[must_use]
    pub fn new(token: CancellationToken) -> Self {
        Self(token)
    }

    /// Returns the time for one post, which also ends when the import stops.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::new(POST_TIMEOUT, self.0.clone())
    }

    /// Returns an error if the import has stopped.
    pub fn check(&self) -> Result<(), String> {
        if self.0.is_cancelled() { Err(STOPPED.to_owned()) } else { Ok(()) }
    }

    /// Returns a reader that fails when the import has stopped.
    pub fn reader<R: Read>(&self, inner: R) -> StoppedReader<R> {
        StoppedReader { inner, stop: self.clone() }
    }
}

/// A reader that fails when the import has stopped.
pub struct StoppedReader<R> {
    inner: R,
    stop: Stop,
}

impl<R: Read> Read for StoppedReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.stop.check().map_err(io::Error::other)?;
        self.inner.read(out)
    }
}
