//! The nodes that use one hint store.

use std::{fmt, str::FromStr, time::Duration};
use uuid::Uuid;

/// A node in the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Id of the installation (its database).
    pub installation: Uuid,
    /// Id of the node.
    pub node: Uuid,
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.installation.simple(), self.node.simple())
    }
}

impl FromStr for Member {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        let (installation, node) = text.split_once('/').unwrap_or((text, ""));
        Ok(Self { installation: installation.parse()?, node: node.parse()? })
    }
}

/// Result of an announcement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Random id stored when Redis is found empty. A different value than before means that all
    /// keys were lost. `None`: in memory, or another client wrote an invalid value.
    pub data_id: Option<Uuid>,
    /// Nodes that announced themselves in the last 10 s, of all installations, including this one.
    pub members: Vec<Member>,
    /// Response time of the server.
    pub round_trip: Duration,
}
