//! What the engine says of itself.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Whether the engine lives, as every page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The server's clock when it answered.
    pub now: Timestamp,
    /// When the consumer last finished a round (with or without work).
    pub beat_at: Timestamp,
    /// Whether an admin has paused it.
    pub is_paused: bool,
    /// Whether it publishes: beat younger than 5 s and nothing overdue by more than 5 s.
    pub is_healthy: bool,
    /// How many need a person.
    pub attention: u64,
}

/// The engine page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineReport {
    /// Whether it lives.
    pub heartbeat: Heartbeat,
    /// Version of the binary.
    pub version: String,
    /// When this process started.
    pub started_at: Timestamp,
    /// Lag of what was executed in the last hour.
    pub lag: Lag,
    /// Executed tasks a minute, oldest first, the last 60 minutes.
    pub throughput: Vec<u32>,
    /// Tasks by state: scheduled, executed, failed, cancelled, missed.
    pub totals: Totals,
    /// Each loop of this process.
    pub loops: Vec<LoopReport>,
    /// The SQL database.
    pub sql: PartReport,
    /// Redis, or the in-process hints.
    pub hints: PartReport,
    /// Hints in the future set and on the publish list, and the count of rescues by the sweeper.
    pub hint_counts: HintCounts,
    /// Milliseconds the database's clock is ahead of this process's.
    pub clock_offset_ms: i64,
    /// How far the feeder has loaded.
    pub fed_until: Option<Timestamp>,
    /// A backup was restored then, and messages are held until an admin confirms; `None`: they go out.
    pub held_since: Option<Timestamp>,
    /// The processes that serve this database, those that live first.
    pub nodes: Vec<NodeReport>,
}

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

/// How late tasks were: executed − due, milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Lag {
    /// How many were measured.
    pub count: u64,
    /// Half were at most this late.
    pub p50: i64,
    /// 95 of 100 were at most this late.
    pub p95: i64,
    /// 99 of 100 were at most this late.
    pub p99: i64,
    /// The latest.
    pub max: i64,
    /// Executed before their moment. Always 0.
    pub early: u64,
}

/// Tasks by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Waiting.
    pub scheduled: u64,
    /// Happened.
    pub executed: u64,
    /// Could not happen.
    pub failed: u64,
    /// Called off.
    pub cancelled: u64,
    /// Beyond their late rule.
    pub missed: u64,
}

/// One loop of the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopReport {
    /// `feeder`, `mover`, `consumer`, `sweeper`, `checker`.
    pub name: String,
    /// When it last finished a round.
    pub beat_at: Option<Timestamp>,
    /// Rounds since the start.
    pub rounds: u64,
    /// Last error, in words, with its time, until a round succeeds.
    pub trouble: Option<String>,
}

/// A part the engine stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartReport {
    /// `SQLite 3.50`, `PostgreSQL 15.18`, `Redis 7.0.15`, `in process`.
    pub name: String,
    /// Whether it answers.
    pub is_up: bool,
    /// What is wrong and what to do, in plain words.
    pub trouble: Option<String>,
    /// Round trip of a ping, microseconds.
    pub ping_us: Option<u64>,
}

/// Counts of hints and what became of them since the process started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HintCounts {
    /// Waiting in the future set.
    pub future: u64,
    /// Waiting on the publish list.
    pub publish: u64,
    /// Put into the future set by the feeder.
    pub fed: u64,
    /// Moved to the publish list.
    pub moved: u64,
    /// Taken and found to be old, gone or not yet due.
    pub stale: u64,
    /// Overdue tasks that no hint brought.
    pub rescued: u64,
}
