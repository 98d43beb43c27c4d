//! What the use cases and the loops are built from.

use crate::{
    channels::Ways,
    kinds::Kinds,
    memory::Memory,
    worker::{Hands, Live, Pulse},
};
use domain::{Clock, NodeId, Timestamp, engine::NodeRole};
use queue::Hints;
use std::sync::Arc;
use store::{Store, execute::Effects, together::Together};
use tokio::sync::Notify;

/// What the use cases and the loops share. Cheap to clone.
#[derive(Clone)]
pub struct Parts {
    /// The truth.
    pub store: Store,
    /// What people change at the same time.
    pub together: Arc<Together>,
    /// The hints.
    pub hints: Arc<dyn Hints>,
    /// What happens when tasks are due.
    pub effects: Arc<dyn Effects>,
    /// The only source of "now".
    pub clock: Arc<dyn Clock>,
    /// Rung after every commit that wrote events; the live stream's tail waits on it.
    pub committed: Arc<Notify>,
    /// Rung when this process has executed something; the tail tells other processes.
    pub executed: Arc<Notify>,
    /// Rung when there is something to be delivered; the dispatcher waits on it.
    pub posted: Arc<Notify>,
    /// How messages reach the outside.
    pub ways: Arc<Ways>,
    /// Name of this process in execution rows and the log.
    pub node: Arc<str>,
    /// Identity of this process among the nodes; another one with each start.
    pub node_id: NodeId,
    /// Whether this process serves pages, runs the engine, or both.
    pub role: NodeRole,
    /// How far ahead the feeder loads, milliseconds. A task due within this and [`MARGIN_MS`] adds its own hint when it is scheduled.
    pub window_ms: i64,
    /// Most tasks executed in one transaction.
    pub at_once: usize,
    /// What the loops do, for the engine page and for each other.
    pub pulse: Arc<Pulse>,
    /// What this node remembers from one start to the next.
    pub memory: Arc<Memory>,
    /// What this process has in its hands.
    pub hands: Arc<Hands>,
    /// The live stream of what happens.
    pub live: Live,
}

/// Beyond the window, within which schedules still add their own hint: nothing falls between two rounds of the feeder.
pub const MARGIN_MS: i64 = 60_000;

/// How much longer than the window former buckets are served: what was scheduled at the last moment has its margin, too.
pub const SETTLE_MARGIN_MS: i64 = 2 * MARGIN_MS;

/// Most tasks in one transaction unless somebody says otherwise.
pub const AT_ONCE: usize = 500;

/// The window unless the operator says otherwise: 5 minutes.
pub const WINDOW_MS: i64 = 300_000;

impl Parts {
    /// Parts with a fresh pulse and live stream, the default window, and ways out that know no secret.
    #[must_use]
    pub fn new(store: Store, hints: Arc<dyn Hints>, clock: Arc<dyn Clock>, node: &str) -> Self {
        Self {
            store,
            together: Arc::default(),
            hints,
            effects: Arc::new(Kinds),
            committed: Arc::new(Notify::new()),
            executed: Arc::new(Notify::new()),
            posted: Arc::new(Notify::new()),
            ways: Arc::default(),
            memory: Arc::default(),
            node: node.into(),
            node_id: NodeId::fresh(),
            role: NodeRole::All,
            window_ms: WINDOW_MS,
            at_once: AT_ONCE,
            pulse: Arc::new(Pulse::new(clock.now())),
            hands: Arc::default(),
            live: Live::default(),
            clock,
        }
    }

    /// The moment by which loops decide what is due: the earlier of this process's clock and the database's.
    #[must_use]
    pub fn loop_now(&self) -> Timestamp {
        self.pulse.now(self.clock.as_ref())
    }

    /// The same by a cautious clock: this process's, or the database's while that one is far behind it. For what people do and
    /// for messages: other nodes go on with both, and what is due *now* must not wait until this node's clock is right.
    #[must_use]
    pub fn by_cautious_clock(&self) -> Self {
        let clock = CautiousClock { own: Arc::clone(&self.clock), pulse: Arc::clone(&self.pulse) };
        Self { clock: Arc::new(clock), ..self.clone() }
    }

    /// Whether a task due then adds its own hint when it is scheduled; later ones are loaded by the feeder. Never where no
    /// mover of this process, or of another, would come for it.
    #[must_use]
    pub fn is_within_window(&self, due_at: Timestamp, now: Timestamp) -> bool {
        (self.role.works() || self.hints.is_shared()) && due_at <= now.plus(self.window_ms + MARGIN_MS)
    }
}

/// See [`Parts::by_cautious_clock`].
struct CautiousClock {
    own: Arc<dyn Clock>,
    pulse: Arc<Pulse>,
}

impl Clock for CautiousClock {
    fn now(&self) -> Timestamp {
        self.own.now().plus(self.pulse.correction_ms())
    }
}
