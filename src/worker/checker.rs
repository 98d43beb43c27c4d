//! Checker: to be written.

use super::{Loop, Name};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::Timestamp;
use tokio_util::sync::CancellationToken;

/// The checker.
pub struct Checker {
    parts: Parts,
}

impl Checker {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Loop for Checker {
    fn name(&self) -> Name {
        Name::Checker
    }

    async fn tick(&self, now: Timestamp) {
        self.parts.pulse.beat(self.name(), now);
    }

    async fn run(&self, stop: CancellationToken) {
        stop.cancelled().await;
    }
}
