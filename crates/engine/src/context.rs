//! State shared by the engine loops.

use crate::{EngineState, EventBus, HighWatermark, InFlight, sender::Sender};
use domain::{Clock, NodeId, Timestamp, engine::NodeRole};
use queue::Hints;
use std::sync::Arc;
use store::{
    Store,
    execute::{Claim, Outcome, TaskHandler},
    group_commit::GroupCommit,
};
use tokio::sync::Notify;

/// State shared by the engine loops and by the code that schedules tasks. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// The database.
    pub store: Store,
    /// Group commit for changes that users make at the same time.
    pub group_commit: Arc<GroupCommit>,
    /// The hint store.
    pub hints: Arc<dyn Hints>,
    /// The only source of "now".
    pub clock: Arc<dyn Clock>,
    /// Notified after every commit that wrote events; the event tailer waits on it.
    pub committed: Arc<Notify>,
    /// Notified when there are deliveries to send; the dispatcher waits on it.
    pub deliveries_added: Arc<Notify>,
    /// Sender for all transports.
    pub sender: Arc<dyn Sender>,
    /// How due tasks are executed.
    pub execution: Execution,
    /// This process among the nodes.
    pub node: NodeIdentity,
    /// Sizes of batches and windows.
    pub limits: Limits,
    /// Status of the engine loops, for the engine page and for each other.
    pub engine: Arc<EngineState>,
    /// The event log as this process reads it.
    pub events: Events,
}

/// How due tasks are executed.
#[derive(Clone)]
pub struct Execution {
    /// Handlers for due tasks, by kind.
    pub handler: Arc<dyn TaskHandler>,
    /// Tasks that this process is executing.
    pub in_flight: Arc<InFlight>,
    /// Notified after this process has executed tasks; the event tailer informs other processes.
    pub done: Arc<Notify>,
    /// Called after each executed batch, in its tracing span; for traces.
    pub on_done: fn(&Outcome, &[Claim]),
}

/// This process among the nodes.
#[derive(Debug, Clone)]
pub struct NodeIdentity {
    /// Name in execution records and the log.
    pub name: Arc<str>,
    /// Id; different after each start.
    pub id: NodeId,
    /// Whether it serves pages, runs the engine, or both.
    pub role: NodeRole,
}

/// Sizes of batches and windows.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How far ahead the feeder loads hints, milliseconds. For a task due within this time plus
    /// [`WINDOW_MARGIN_MS`], scheduling adds the hint itself.
    pub window_ms: i64,
    /// Maximum number of tasks executed in one transaction.
    pub batch_size: usize,
}

/// The event log as this process reads it.
#[derive(Clone, Default)]
pub struct Events {
    /// Live stream of events.
    pub bus: EventBus,
    /// High watermark of the event log, kept between starts.
    pub high_watermark: Arc<HighWatermark>,
}

/// Margin beyond the window within which scheduling still adds the hint itself, so that no task
/// falls between two rounds of the feeder.
pub const WINDOW_MARGIN_MS: i64 = 60_000;

/// How much longer than the window the previous buckets are polled, so that hints added at the last
/// moment keep their margin.
pub const PREVIOUS_BUCKETS_MARGIN_MS: i64 = 2 * WINDOW_MARGIN_MS;

/// Default maximum number of tasks in one transaction.
pub const DEFAULT_BATCH_SIZE: usize = 500;

/// Default window: 5 minutes.
pub const DEFAULT_WINDOW_MS: i64 = 300_000;

impl Context {
    /// Returns a context with new engine status and live stream, and the default window.
    #[must_use]
    pub fn new(
        store: Store,
        hints: Arc<dyn Hints>,
        clock: Arc<dyn Clock>,
        node: &str,
        (handler, sender): (Arc<dyn TaskHandler>, Arc<dyn Sender>),
    ) -> Self {
        Self {
            store,
            group_commit: Arc::default(),
            hints,
            committed: Arc::default(),
            deliveries_added: Arc::default(),
            sender,
            execution: Execution {
                handler,
                in_flight: Arc::default(),
                done: Arc::default(),
                on_done: |_, _| {},
            },
            node: NodeIdentity { name: node.into(), id: NodeId::generate(), role: NodeRole::All },
            limits: Limits { window_ms: DEFAULT_WINDOW_MS, batch_size: DEFAULT_BATCH_SIZE },
            engine: Arc::new(EngineState::new(clock.now())),
            events: Events::default(),
            clock,
        }
    }

    /// The time by which loops decide what is due: the earlier of this process's clock and the
    /// database's.
    #[must_use]
    pub fn loop_now(&self) -> Timestamp {
        self.engine.now(self.clock.as_ref())
    }

    /// Returns a copy with a cautious clock: this process's clock, or the database's while this
    /// process's is far ahead of it. For user requests and deliveries, because what is due *now*
    /// must not wait until this node's clock is corrected.
    #[must_use]
    pub fn by_cautious_clock(&self) -> Self {
        let clock = CautiousClock { own: Arc::clone(&self.clock), engine: Arc::clone(&self.engine) };
        Self { clock: Arc::new(clock), ..self.clone() }
    }

    /// Whether scheduling a task for that time adds the hint itself; the feeder loads later ones.
    /// False if neither this process nor another one runs a mover for it.
    #[must_use]
    pub fn is_within_window(&self, due_at: Timestamp, now: Timestamp) -> bool {
        (self.node.role.runs_engine() || self.hints.is_shared())
            && due_at <= now.plus(self.limits.window_ms + WINDOW_MARGIN_MS)
    }
}

/// See [`Context::by_cautious_clock`].
struct CautiousClock {
    own: Arc<dyn Clock>,
    engine: Arc<EngineState>,
}

impl Clock for CautiousClock {
    fn now(&self) -> Timestamp {
        self.own.now().plus(self.engine.clock_correction_ms())
    }
}
