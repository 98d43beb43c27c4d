//! Writer with limits on size and time, which is cancelled when the client disconnects.

use domain::error::TextLimit;
use std::{
    fmt,
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

/// Number of bytes between two checks of the time.
const CHECK_INTERVAL_BYTES: usize = 64 * 1024;

/// Time limit of a piece of work.
#[derive(Debug, Clone)]
pub struct Budget {
    ends: Instant,
    seconds: usize,
    gone: CancellationToken,
}

impl Budget {
    /// Returns a time limit from now on; `gone` ends it early.
    #[must_use]
    pub fn new(time: Duration, gone: CancellationToken) -> Self {
        let seconds = usize::try_from(time.as_secs()).unwrap_or(usize::MAX);
        Self { ends: Instant::now() + time, seconds, gone }
    }

    /// Returns an error if the time is over.
    pub fn check(&self) -> Result<(), (TextLimit, usize)> {
        if self.left().is_zero() { Err(self.exceeded()) } else { Ok(()) }
    }

    /// Returns the rest of the time; zero if the client is gone.
    #[must_use]
    pub fn left(&self) -> Duration {
        if self.gone.is_cancelled() {
            return Duration::ZERO;
        }
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Returns the limit that is exceeded once the time is over.
    #[must_use]
    pub const fn exceeded(&self) -> (TextLimit, usize) {
        (TextLimit::Time, self.seconds)
    }
}

/// Collects text until a limit is exceeded; then writing fails.
pub struct LimitedWriter<'b> {
    text: String,
    max_bytes: usize,
    checked: usize,
    budget: &'b Budget,
    exceeded: Option<(TextLimit, usize)>,
}

impl<'b> LimitedWriter<'b> {
    /// Returns an empty writer for at most `max_bytes`.
    pub fn new(max_bytes: usize, budget: &'b Budget) -> Self {
        Self { text: String::new(), max_bytes, checked: 0, budget, exceeded: None }
    }

    /// Returns the text, or the exceeded limit as an error.
    pub fn finish(self) -> Result<String, (TextLimit, usize)> {
        self.exceeded.map_or(Ok(self.text), Err)
    }

    fn check(&mut self, more: usize) -> Result<(), (TextLimit, usize)> {
        if let Some(exceeded) = self.exceeded {
            return Err(exceeded);
        }
        if self.text.len() + more > self.max_bytes {
            return Err((TextLimit::Bytes, self.max_bytes));
        }
        if self.text.len() - self.checked >= CHECK_INTERVAL_BYTES {
            self.checked = self.text.len();
            self.budget.check()?;
        }
        Ok(())
    }
}

impl fmt::Write for LimitedWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if let Err(exceeded) = self.check(text.len()) {
            self.exceeded = Some(exceeded);
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
