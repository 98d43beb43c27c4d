//! The loops of the engine by name.

use domain::engine::NodeRole;

/// The loops of the engine, in the order of the engine page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Name {
    /// Loads hints of the coming window from SQL.
    Feeder,
    /// Moves due hints to the publish list.
    Mover,
    /// Executes.
    Consumer,
    /// Finds what no hint brought.
    Sweeper,
    /// Sends messages to the outside.
    Dispatcher,
    /// Compares what must agree; measures the clocks.
    Checker,
    /// Follows the log for the live stream.
    Tail,
    /// Shows that this node lives, and finds out which others do.
    Roster,
}

impl Name {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Feeder,
        Self::Mover,
        Self::Consumer,
        Self::Sweeper,
        Self::Dispatcher,
        Self::Checker,
        Self::Tail,
        Self::Roster,
    ];

    /// Whether a node of that role runs it.
    #[must_use]
    pub const fn runs_on(self, role: NodeRole) -> bool {
        role.works() || matches!(self, Self::Checker | Self::Tail | Self::Roster)
    }

    /// The word on the engine page and in the metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feeder => "feeder",
            Self::Mover => "mover",
            Self::Consumer => "consumer",
            Self::Sweeper => "sweeper",
            Self::Dispatcher => "dispatcher",
            Self::Checker => "checker",
            Self::Tail => "tail",
            Self::Roster => "roster",
        }
    }
}
