//! The processes that serve one database.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What a node does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeRole {
    /// Pages and the API.
    Web,
    /// The engine.
    Work,
    /// Both.
    #[default]
    All,
}

impl NodeRole {
    /// The word in SQL, on the command line and in the API.
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
    pub const fn works(self) -> bool {
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

/// Whether a node lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeState {
    /// It beat within the last 3.5 s.
    Alive,
    /// It said that it stops.
    Stopped,
    /// It fell silent without a word.
    Lost,
}

impl NodeState {
    /// The word in SQL and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Stopped => "stopped",
            Self::Lost => "lost",
        }
    }
}

/// One process that serves this database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeReport {
    /// Its name, as it stands in execution records.
    pub name: String,
    /// What it does.
    pub role: NodeRole,
    /// Version of its program.
    pub version: String,
    /// Whether it lives.
    pub state: NodeState,
    /// When it started, by the database's clock.
    pub started_at: Timestamp,
    /// When it last beat.
    pub beat_at: Timestamp,
    /// Whether it is the one that answers.
    pub is_self: bool,
}
