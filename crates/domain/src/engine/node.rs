//! Nodes: the processes that serve one database.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Time without a heartbeat after which a lost node counts as dead and its tasks as crashed,
/// milliseconds. Longer than a pause of a process or a virtual machine.
pub const NODE_DEAD_AFTER_MS: i64 = 10_000;

/// Role of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeRole {
    /// Serves pages and the API.
    Web,
    /// Runs the engine.
    Work,
    /// Both.
    #[default]
    All,
}

impl NodeRole {
    /// The string in SQL, on the command line and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Work => "work",
            Self::All => "all",
        }
    }

    /// Whether it runs the engine.
    #[must_use]
    pub const fn runs_engine(self) -> bool {
        !matches!(self, Self::Web)
    }
}

impl FromStr for NodeRole {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Web, Self::Work, Self::All]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| format!("{text:?} is not one of web, work, all"))
    }
}

/// Liveness of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeState {
    /// Its last heartbeat is less than 3.5 s old.
    Alive,
    /// It announced its shutdown.
    Stopped,
    /// Its heartbeat stopped without a shutdown.
    Lost,
}

impl NodeState {
    /// The string in SQL and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Stopped => "stopped",
            Self::Lost => "lost",
        }
    }
}

/// A node, as shown to admins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeReport {
    /// Name, as in execution records.
    pub name: String,
    /// Role.
    pub role: NodeRole,
    /// Version of the binary.
    pub version: String,
    /// Liveness.
    pub state: NodeState,
    /// Whether it was asked to stop and finishes what is in flight.
    pub is_draining: bool,
    /// When it started, by the database's clock.
    pub started_at: Timestamp,
    /// Time of the last heartbeat.
    pub heartbeat_at: Timestamp,
    /// Whether it is the node that answers the request.
    pub is_self: bool,
}
