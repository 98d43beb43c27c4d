//! Names of the engine's loops.

use domain::engine::NodeRole;

/// A loop of the engine. The order is that of the engine page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoopName {
    /// Loads hints of the coming window from SQL.
    Feeder,
    /// Moves due hints to the publish list.
    Mover,
    /// Executes due tasks.
    Consumer,
    /// Finds overdue tasks that no hint brought.
    Sweeper,
    /// Sends deliveries.
    Dispatcher,
    /// Runs audits and retention, and measures the clock offset.
    Maintenance,
    /// Follows the event log for the live stream.
    EventTailer,
    /// Writes this node's heartbeat and detects dead nodes.
    Heartbeat,
}

impl LoopName {
    /// All loops.
    pub const ALL: [Self; 8] = [
        Self::Feeder,
        Self::Mover,
        Self::Consumer,
        Self::Sweeper,
        Self::Dispatcher,
        Self::Maintenance,
        Self::EventTailer,
        Self::Heartbeat,
    ];

    /// Whether a node of this role runs the loop.
    #[must_use]
    pub const fn runs_on(self, role: NodeRole) -> bool {
        role.runs_engine() || matches!(self, Self::Maintenance | Self::EventTailer | Self::Heartbeat)
    }

    /// Returns the name used on the engine page and in metric labels.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feeder => "feeder",
            Self::Mover => "mover",
            Self::Consumer => "consumer",
            Self::Sweeper => "sweeper",
            Self::Dispatcher => "dispatcher",
            Self::Maintenance => "maintenance",
            Self::EventTailer => "event_tailer",
            Self::Heartbeat => "heartbeat",
        }
    }
}
