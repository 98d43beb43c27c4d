//! The loops that never end. Each has `tick(now)`; `run(stop)` is a few lines around it.

pub mod checker;
pub mod consumer;
pub mod counts;
pub mod dispatcher;
pub mod executor;
pub mod feeder;
pub mod hands;
pub mod index_fill;
pub mod journal;
pub mod live;
pub mod mover;
pub mod name;
pub mod pulse;
pub mod roster;
pub mod servers;
pub mod sheet;
pub mod stop;
pub mod sweeper;
pub mod tail;
#[cfg(test)]
mod tests;
pub mod timer;
pub mod trash;

pub use domain::engine::StaleReason as Stale;
pub use hands::Hands;
pub use live::Live;
pub use name::Name;
pub use pulse::Pulse;
pub use stop::Workers;

use crate::{parts::Parts, trouble::chain};
use async_trait::async_trait;
use checker::Checker;
use consumer::Consumer;
use dispatcher::Dispatcher;
use domain::{Timestamp, engine::Weather, fault::Fault};
use feeder::Feeder;
use mover::Mover;
use roster::Roster;
use std::sync::Arc;
use sweeper::Sweeper;
use tail::Tail;
use tokio_util::sync::CancellationToken;

/// A loop of the engine. Made without side effects; nothing runs until [`Loops::start`].
#[async_trait]
pub trait Loop: Send + Sync + 'static {
    /// Which one it is.
    fn name(&self) -> Name;

    /// One round: does all there is to do at `now`. Errors become [`Pulse::trouble`]; the next round tries again.
    async fn tick(&self, now: Timestamp);

    /// Rounds until `stop`. Never cancels a round (database work must not be dropped half-way): it only stops waiting.
    /// It may be called again after a panic.
    async fn run(&self, stop: CancellationToken);
}

/// What a loop says of a database that did not do what it was asked.
pub(crate) fn wrong(error: &store::StoreError) -> Fault {
    match error.weather() {
        Some(Weather::DatabaseReadOnly) => Fault::DatabaseReadOnly,
        Some(Weather::DatabaseFull) => Fault::DatabaseFull,
        Some(_) => Fault::DatabaseAway,
        None => Fault::DatabaseFailed { why: chain(error) },
    }
}

/// All loops of one process.
#[derive(Clone)]
pub struct Loops {
    /// What they share with the desk.
    pub parts: Parts,
    /// Loads hints of the coming window from SQL.
    pub feeder: Arc<Feeder>,
    /// Moves due hints to the publish list.
    pub mover: Arc<Mover>,
    /// Executes.
    pub consumer: Arc<Consumer>,
    /// Finds what no hint brought.
    pub sweeper: Arc<Sweeper>,
    /// Sends messages to the outside.
    pub dispatcher: Arc<Dispatcher>,
    /// Compares what must agree; measures the clocks.
    pub checker: Arc<Checker>,
    /// Follows the log for the live stream.
    pub tail: Arc<Tail>,
    /// Shows that this node lives, and finds out which others do.
    pub roster: Arc<Roster>,
}

impl Loops {
    /// The loops over `parts`; none of them runs yet.
    #[must_use]
    pub fn new(parts: &Parts) -> Self {
        let feeder = Arc::new(Feeder::new(parts.clone()));
        Self {
            parts: parts.clone(),
            mover: Arc::new(Mover::new(parts.clone(), Arc::clone(&feeder))),
            consumer: Arc::new(Consumer::new(parts.clone())),
            sweeper: Arc::new(Sweeper::new(parts.clone())),
            dispatcher: Arc::new(Dispatcher::new(parts.by_cautious_clock())),
            checker: Arc::new(Checker::new(parts.clone())),
            tail: Arc::new(Tail::new(parts.clone(), Arc::clone(&feeder))),
            roster: Arc::new(Roster::new(parts.clone())),
            feeder,
        }
    }

    /// One round of every loop in the order of a task's way, for tests that own the time.
    pub async fn tick(&self, now: Timestamp) {
        for one in self.all() {
            one.tick(now).await;
        }
    }

    /// Starts those of this node's role, each under supervision.
    pub fn start(&self) -> Workers {
        Workers::start(self.all(), &self.parts)
    }

    /// Those of this node's role.
    fn all(&self) -> Vec<Arc<dyn Loop>> {
        [
            Arc::clone(&self.feeder) as Arc<dyn Loop>,
            Arc::clone(&self.mover) as _,
            Arc::clone(&self.consumer) as _,
            Arc::clone(&self.sweeper) as _,
            Arc::clone(&self.dispatcher) as _,
            Arc::clone(&self.checker) as _,
            Arc::clone(&self.tail) as _,
            Arc::clone(&self.roster) as _,
        ]
        .into_iter()
        .filter(|one: &Arc<dyn Loop>| one.name().runs_on(self.parts.role))
        .collect()
    }
}
