//! The engine: background loops that load, move, execute and deliver. It knows tasks and targets, but
//! no feature and no page. Each loop implements `tick(now)`; `run(stop)` calls it repeatedly.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test fails by a panic"))]

pub mod context;
pub mod event_bus;
pub mod loops;
pub mod sender;
pub mod state;
pub mod supervisor;

pub use context::{Context, Events, Execution, Limits, NodeIdentity};
pub use domain::{engine::StaleReason as Stale, health::error_chain};
pub use event_bus::EventBus;
pub use loops::*;
pub use state::*;
pub use supervisor::Supervisor;

use async_trait::async_trait;
use consumer::Consumer;
use dispatcher::Dispatcher;
use domain::{Timestamp, rate::Rate};
use event_tailer::EventTailer;
use feeder::Feeder;
use heartbeat::HeartbeatLoop;
use maintenance::Maintenance;
use mover::Mover;
use push::PushLoop;
use std::sync::Arc;
use store::execute::Limit;
use sweeper::Sweeper;
use tokio_util::sync::CancellationToken;

/// A loop of the engine. Creating one has no side effects; it runs after [`Loops::start`].
#[async_trait]
pub trait Loop: Send + Sync + 'static {
    /// Returns the name of the loop.
    fn name(&self) -> LoopName;

    /// Runs one round: does all the work that is due at `now`. Errors are recorded in the engine
    /// state; the next round retries.
    async fn tick(&self, now: Timestamp);

    /// Runs rounds until `stop` is cancelled. It ends a wait, but never a round in progress:
    /// dropping the future would interrupt a transaction. The supervisor calls it again after a
    /// panic.
    async fn run(&self, stop: CancellationToken);
}

/// All loops of one process.
#[derive(Clone)]
pub struct Loops {
    /// Shared state of the process.
    pub context: Context,
    /// Loads hints of the coming window from SQL.
    pub feeder: Arc<Feeder>,
    /// Moves due hints to the publish list.
    pub mover: Arc<Mover>,
    /// Executes due tasks.
    pub consumer: Arc<Consumer>,
    /// Finds overdue tasks that no hint brought.
    pub sweeper: Arc<Sweeper>,
    /// Sends deliveries.
    pub dispatcher: Arc<Dispatcher>,
    /// Sends push messages to browsers.
    pub push: Arc<PushLoop>,
    /// Runs audits and retention, and measures the clock offset.
    pub maintenance: Arc<Maintenance>,
    /// Follows the event log for the live stream.
    pub event_tailer: Arc<EventTailer>,
    /// Writes this node's heartbeat and detects dead nodes.
    pub heartbeat: Arc<HeartbeatLoop>,
}

impl Loops {
    /// Creates all loops. None of them runs yet.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        let feeder = Arc::new(Feeder::new(context.clone()));
        Self {
            context: context.clone(),
            mover: Arc::new(Mover::new(context.clone(), Arc::clone(&feeder))),
            consumer: Arc::new(Consumer::new(context.clone())),
            sweeper: Arc::new(Sweeper::new(context.clone())),
            dispatcher: Arc::new(Dispatcher::new(context.by_cautious_clock())),
            push: Arc::new(PushLoop::new(context.by_cautious_clock())),
            maintenance: Arc::new(Maintenance::new(context.clone())),
            event_tailer: Arc::new(EventTailer::new(context.clone(), Arc::clone(&feeder))),
            heartbeat: Arc::new(HeartbeatLoop::new(context.clone())),
            feeder,
        }
    }

    /// Runs one round of every loop, in the order in which a task passes them. For tests with a
    /// manual clock.
    pub async fn tick(&self, now: Timestamp) {
        for one in self.all() {
            one.tick(now).await;
        }
    }

    /// Starts the loops of this node's role under a supervisor.
    pub fn start(&self) -> Supervisor {
        Supervisor::start(self.all(), &self.context)
    }

    /// Returns the loops of this node's role.
    fn all(&self) -> Vec<Arc<dyn Loop>> {
        [
            Arc::clone(&self.feeder) as Arc<dyn Loop>,
            Arc::clone(&self.mover) as _,
            Arc::clone(&self.consumer) as _,
            Arc::clone(&self.sweeper) as _,
            Arc::clone(&self.dispatcher) as _,
            Arc::clone(&self.push) as _,
            Arc::clone(&self.maintenance) as _,
            Arc::clone(&self.event_tailer) as _,
            Arc::clone(&self.heartbeat) as _,
        ]
        .into_iter()
        .filter(|one: &Arc<dyn Loop>| one.name().runs_on(self.context.node.role))
        .collect()
    }
}

/// Returns the limits of these kinds; other kinds belong to a newer release.
#[must_use]
pub fn limits_of(kinds: &[&'static str], rows: &[store::kind_limit::KindLimitRow]) -> Vec<Limit> {
    let limit = |row: &store::kind_limit::KindLimitRow| {
        let kind = *kinds.iter().find(|known| **known == row.kind)?;
        let rate = row.rate.map(|rate| Rate::stored(rate, &row.rate_per));
        let limit = Limit { kind, max_concurrency: row.values().max_concurrency, rate };
        (limit.max_concurrency.is_some() || rate.is_some()).then_some(limit)
    };
    rows.iter().filter_map(limit).collect()
}
