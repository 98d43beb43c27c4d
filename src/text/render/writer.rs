//! A text that stops growing: at a number of bytes, at a moment, or when the reader has left.

use domain::refusal::TextLimit;
use std::{
    fmt,
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

/// Bytes between two looks at the clock.
const STEP: usize = 64 * 1024;

/// How long a piece of work may take.
#[derive(Debug, Clone)]
pub struct Budget {
    ends: Instant,
    seconds: usize,
    gone: CancellationToken,
}

impl Budget {
    /// From now on; `gone` ends it early.
    #[must_use]
    pub fn new(time: Duration, gone: CancellationToken) -> Self {
        let seconds = usize::try_from(time.as_secs()).unwrap_or(usize::MAX);
        Self { ends: Instant::now() + time, seconds, gone }
    }

    /// An error once the time is over.
    pub fn check(&self) -> Result<(), (TextLimit, usize)> {
        if self.gone.is_cancelled() || Instant::now() > self.ends {
            return Err((TextLimit::Time, self.seconds));
        }
        Ok(())
    }
}

/// Collects what is written until a limit is reached; then writing fails.
pub struct Writer<'b> {
    text: String,
    most: usize,
    checked: usize,
    budget: &'b Budget,
    exceeded: Option<(TextLimit, usize)>,
}

impl<'b> Writer<'b> {
    /// An empty one for `most` bytes.
    pub fn new(most: usize, budget: &'b Budget) -> Self {
        Self { text: String::new(), most, checked: 0, budget, exceeded: None }
    }

    /// The text, or the limit it exceeds.
    pub fn finish(self) -> Result<String, (TextLimit, usize)> {
        self.exceeded.map_or(Ok(self.text), Err)
    }

    fn look(&mut self, more: usize) -> Result<(), (TextLimit, usize)> {
        if let Some(exceeded) = self.exceeded {
            return Err(exceeded);
        }
        if self.text.len() + more > self.most {
            return Err((TextLimit::Bytes, self.most));
        }
        if self.text.len() - self.checked >= STEP {
            self.checked = self.text.len();
            self.budget.check()?;
        }
        Ok(())
    }
}

impl fmt::Write for Writer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if let Err(exceeded) = self.look(text.len()) {
            self.exceeded = Some(exceeded);
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
