//! What the engine says of itself.

pub use crate::{
    lag::Lag,
    node::{NodeReport, NodeRole, NodeState},
};

use crate::{Moment, Timestamp, fault::Fault, kind::KindLimit, late::Stage};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
    /// What keeps it from working as it should.
    pub weather: Option<Weather>,
}

/// What keeps the engine from working as it should, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weather {
    /// The database does not answer.
    DatabaseAway,
    /// The database lets itself be read only.
    DatabaseReadOnly,
    /// The disk of the database is full.
    DatabaseFull,
    /// The clocks of the database and of this machine are too far apart.
    ClockOff,
    /// The engine's own task, due each second, does not come through.
    Stuck,
    /// Something overdue is of a kind that only a newer release knows.
    NewerRelease,
    /// Redis is not used: away, full, or not to be trusted. Everything goes out from SQL.
    HintsAway,
    /// The database takes long for its answers.
    DatabaseSlow,
    /// Redis does.
    HintsSlow,
    /// Nodes of this desk do not use the same Redis, or another desk uses it, too. What hints miss goes out from SQL.
    HintsApart,
    /// Redis had forgotten everything a moment ago. It is loaded again from SQL.
    HintsWiped,
    /// Messages to the outside are held until an admin confirms that this desk sends them.
    MessagesHeld,
}

impl Weather {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::DatabaseAway,
        Self::DatabaseReadOnly,
        Self::DatabaseFull,
        Self::ClockOff,
        Self::Stuck,
        Self::NewerRelease,
        Self::HintsAway,
        Self::DatabaseSlow,
        Self::HintsSlow,
        Self::HintsApart,
        Self::HintsWiped,
        Self::MessagesHeld,
    ];

    /// The word in answers to programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DatabaseAway => "database_away",
            Self::DatabaseReadOnly => "database_read_only",
            Self::DatabaseFull => "database_full",
            Self::ClockOff => "clock_off",
            Self::Stuck => "stuck",
            Self::NewerRelease => "newer_release",
            Self::MessagesHeld => "messages_held",
            Self::HintsAway => "hints_away",
            Self::DatabaseSlow => "database_slow",
            Self::HintsSlow => "hints_slow",
            Self::HintsApart => "hints_apart",
            Self::HintsWiped => "hints_wiped",
        }
    }

    /// Whether tasks do not go out under it: all, or those it is about.
    #[must_use]
    pub const fn stops(self) -> bool {
        !self.is_of_hints() && !matches!(self, Self::MessagesHeld | Self::DatabaseSlow)
    }

    /// Whether it is about the hints: SQL carries what they do not bring.
    #[must_use]
    pub const fn is_of_hints(self) -> bool {
        matches!(self, Self::HintsAway | Self::HintsSlow | Self::HintsApart | Self::HintsWiped)
    }

    /// Whether it is about the database itself.
    #[must_use]
    pub const fn is_of_database(self) -> bool {
        matches!(self, Self::DatabaseAway | Self::DatabaseReadOnly | Self::DatabaseFull | Self::DatabaseSlow)
    }
}

/// The engine page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineReport {
    /// Whether it lives.
    pub heartbeat: Heartbeat,
    /// Version of the binary.
    pub version: String,
    /// Release of the IANA time-zone data in it.
    pub time_zone_data: String,
    /// When this process started.
    pub started_at: Timestamp,
    /// Lag of what was executed in the last hour.
    pub lag: Lag,
    /// How long each stage of the newest of them took.
    pub stages: Vec<StageReport>,
    /// Executed tasks a minute, oldest first, the last 60 minutes of the clock; the last one is still running.
    pub throughput: Vec<u32>,
    /// Tasks by state.
    pub totals: Totals,
    /// The promise sheet.
    pub promises: Promises,
    /// Each loop of this process.
    pub loops: Vec<LoopReport>,
    /// The SQL database.
    pub sql: PartReport,
    /// Redis, or the in-process hints.
    pub hints: PartReport,
    /// Hints in the future set and on the publish list, and the count of rescues by the sweeper.
    pub hint_counts: HintCounts,
    /// Hints that came to nothing since the process started, by reason.
    pub stale: Vec<(StaleReason, u64)>,
    /// Buckets in which new hints are placed.
    pub buckets: u16,
    /// Buckets that are looked at: more for a while after there were more.
    pub served: u16,
    /// Milliseconds the database's clock is ahead of this process's.
    pub clock_offset_ms: i64,
    /// How far the feeder has loaded.
    pub fed_until: Option<Timestamp>,
    /// When the engine's own task, due each second, last came through.
    pub canary_at: Option<Timestamp>,
    /// Since when messages are held until an admin confirms; `None`: they go out.
    pub held_since: Option<Timestamp>,
    /// Why, and what a database server that took over lacks, a line each, in the viewer's words; empty: they go out.
    pub why_held: String,
    /// How many tasks of each kind may be executed at once.
    pub limits: Vec<KindLimit>,
    /// The processes that serve this database, those that live first.
    pub nodes: Vec<NodeReport>,
}

/// Why messages are held since a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// Since when.
    pub since: Timestamp,
    /// What a database server that took over lacks, for each node that was told it is saved, the newest first; none: a backup was
    /// restored, or this is a copy.
    pub gaps: Vec<Gap>,
}

/// What a database server that took over lacks of what one node was told is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The node's name.
    pub node: String,
    /// When the node found it out.
    pub found_at: Timestamp,
    /// How many lines of the log.
    pub lost: u64,
    /// Whether there may be more: all that the node remembers is missing.
    pub is_more: bool,
    /// When the first of them was saved.
    pub from: Moment,
    /// When the last of them was saved.
    pub until: Moment,
    /// The first of them.
    pub lines: Vec<GapLine>,
}

/// A line of the log that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapLine {
    /// When it was saved.
    pub at: Moment,
    /// Who did it; `engine`: nobody.
    pub actor: String,
    /// `task`, `article`, …
    pub entity: String,
    /// Which one.
    pub id: Uuid,
    /// What was done.
    pub verb: String,
    /// Version or revision after it.
    pub version: Option<i32>,
}

/// Counts of tasks end here: one more means that there are more.
pub const COUNTED_TO: u64 = 10_000;

/// Tasks by state, each counted up to [`COUNTED_TO`].
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

/// How long a stage of the way took, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageReport {
    /// Which.
    pub stage: Stage,
    /// How many tasks went through it.
    pub count: u64,
    /// Half took at most so long.
    pub p50: i64,
    /// 99 of 100 took at most so long.
    pub p99: i64,
}

/// The promise sheet: what was looked at to keep the promises, by all nodes, whenever they started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promises {
    /// What was executed from then on is audited; `None`: there was no audit yet.
    pub since: Option<Moment>,
    /// Executions that were audited.
    pub audited: u64,
    /// When the last audit ended.
    pub audited_at: Option<Timestamp>,
    /// Executed tasks without a record in the ledger, and records without an executed task.
    pub lost: u64,
    /// Executed before their moment.
    pub early: u64,
    /// Executed more than once in the same version.
    pub twice: u64,
    /// Overdue by more than 5 s at this process's last look.
    pub overdue: u64,
    /// When this process last looked for what is overdue, failed or missed.
    pub looked_at: Option<Timestamp>,
    /// How often more than 5 s passed in which none of the nodes that ran looked.
    pub blind: u64,
    /// When that last ended.
    pub blind_at: Option<Timestamp>,
    /// The longest of these times, milliseconds; 0: there was none.
    pub longest_ms: i64,
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
    /// Last error, until a round succeeds.
    pub trouble: Option<Trouble>,
}

/// Why a round of a loop failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// When it last did.
    pub at: Timestamp,
    /// Why.
    pub told: FaultReport,
}

/// A fault as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultReport {
    /// Which; not known to browsers, which are told the words.
    #[serde(skip)]
    pub fault: Option<Fault>,
    /// A sentence, in English until somebody is told it in their language.
    pub words: String,
}

impl From<Fault> for FaultReport {
    fn from(fault: Fault) -> Self {
        Self { words: fault.to_string(), fault: Some(fault) }
    }
}

/// A part the engine stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartReport {
    /// `SQLite 3.50`, `PostgreSQL 15.18`, `Redis 7.0.15`, `in process`.
    pub name: String,
    /// Whether it answers.
    pub is_up: bool,
    /// What is wrong and what to do.
    pub trouble: Option<FaultReport>,
    /// Round trip of a ping, microseconds.
    pub ping_us: Option<u64>,
    /// What it holds in memory.
    pub memory: Option<Memory>,
}

/// What a server holds in memory, bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// In use.
    pub used: u64,
    /// The most it may use; 0: no limit.
    pub limit: u64,
}

/// Why a taken hint did not lead to an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StaleReason {
    /// The task has another version, or is not waiting any more.
    Changed,
    /// There is no such task.
    Gone,
    /// Its moment has not come by the database's clock.
    Early,
    /// What it would publish is not approved.
    Unapproved,
    /// An earlier task of the same target goes first.
    Waits,
    /// A newer release knows what to do with it.
    Foreign,
    /// As many of its kind as may be were being executed.
    Full,
}

impl StaleReason {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Changed, Self::Gone, Self::Early, Self::Unapproved, Self::Waits, Self::Foreign, Self::Full];

    /// The word in the metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Early => "early",
            Self::Unapproved => "unapproved",
            Self::Waits => "waits",
            Self::Foreign => "foreign",
            Self::Full => "full",
        }
    }
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
