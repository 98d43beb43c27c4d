//! Mover: to be written.

use super::{Loop, Name};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::Timestamp;
use tokio_util::sync::CancellationToken;

/// The mover.
pub struct Mover {
    parts: Parts,
}

impl Mover {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts, _feeder: std::sync::Arc<super::feeder::Feeder>) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Loop for Mover {
    fn name(&self) -> Name {
        Name::Mover
    }

    async fn tick(&self, now: Timestamp) {
        self.parts.pulse.beat(self.name(), now);
    }

    async fn run(&self, stop: CancellationToken) {
        stop.cancelled().await;
    }
}
