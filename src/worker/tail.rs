//! Tail: to be written.

use super::{Loop, Name};
use crate::parts::Parts;
use async_trait::async_trait;
use domain::Timestamp;
use tokio_util::sync::CancellationToken;

/// The tail.
pub struct Tail {
    parts: Parts,
}

impl Tail {
    /// Over `parts`; nothing runs yet.
    #[must_use]
    pub fn new(parts: Parts, _feeder: std::sync::Arc<super::feeder::Feeder>) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Loop for Tail {
    fn name(&self) -> Name {
        Name::Tail
    }

    async fn tick(&self, now: Timestamp) {
        self.parts.pulse.beat(self.name(), now);
    }

    async fn run(&self, stop: CancellationToken) {
        stop.cancelled().await;
    }
}

/// The live stream of what happens: what came since a place in the log, and what comes next.
#[derive(Clone, Default)]
pub struct Live(std::sync::Arc<Shared>);

#[derive(Default)]
struct Shared {}

/// Signals of one round of the tail, in the order of the log.
pub type Batch = std::sync::Arc<[domain::event::Signal]>;

/// What somebody who missed some signals must do.
#[derive(Debug, Clone, PartialEq)]
pub enum Since {
    /// These came since then, in order; empty: nothing was missed.
    Signals(Vec<domain::event::Signal>),
    /// Too long ago: read everything again, then go on from this place in the log.
    Reload(i64),
}

impl Live {
    /// What comes from now on. Lagging behind by more than the buffer is an error of the receiver: `Reload`.
    #[must_use]
    pub fn subscribe(&self) -> tokio::sync::broadcast::Receiver<Batch> {
        let _ = &self.0;
        tokio::sync::broadcast::channel(1).1
    }

    /// What came after that place in the log.
    #[must_use]
    pub fn since(&self, seq: i64) -> Since {
        Since::Reload(seq)
    }

    /// The last place in the log before which nothing is missing: the id of a stream that begins now.
    #[must_use]
    pub fn last_seq(&self) -> i64 {
        0
    }
}
