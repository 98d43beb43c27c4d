//! Status and reports of the engine.

pub use crate::{
    lateness::Lateness,
    node::{NodeReport, NodeRole, NodeState},
};

use crate::{
    AccountId, LocalizedTime, Timestamp,
    engine::backups::BackupsReport,
    health::{HealthIssueKind, IssueReport},
    kind::KindLimit,
    stage::Stage,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Summary of the engine's status, shown on every page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineStatus {
    /// The server's time of the response.
    pub now: Timestamp,
    /// When the consumer last finished a round (with or without work).
    pub heartbeat_at: Timestamp,
    /// Minutes east of UTC in the viewer's zone at `heartbeat_at`.
    pub heartbeat_offset: i32,
    /// Since when an admin has paused the engine; `None`: it runs.
    pub paused_since: Option<LocalizedTime>,
    /// When it resumes by itself; `None`: it runs, or an admin resumes it.
    #[serde(default)]
    pub paused_until: Option<LocalizedTime>,
    /// The admin who paused it; `None`: it runs.
    #[serde(default)]
    pub paused_by: Option<AccountId>,
    /// Number of channels that do not accept messages, or are switched off: those with a card on
    /// Attention.
    pub failing_channels: u64,
    /// Number of those that do not send all their messages again: they are switched off, or
    /// messages of theirs ended undelivered.
    #[serde(default)]
    pub stopped_channels: u64,
    /// Whether all messages to channels are held until an admin confirms.
    #[serde(default)]
    pub are_deliveries_held: bool,
    /// Whether the last round is less than 5 s old and no task is overdue by more than 5 s.
    pub is_healthy: bool,
    /// Number of items that need a person.
    pub attention: u64,
    /// Number of those on which only others than the viewer can act.
    #[serde(default)]
    pub attention_watched: u64,
    /// Kind of the most severe health issue that is no notice; `None`: there is none. Shown to
    /// every user, so it has no details.
    pub issue: Option<HealthIssueKind>,
}

impl EngineStatus {
    /// Whether an admin has paused the engine.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused_since.is_some()
    }
}

/// A pause in effect, as every node knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivePause {
    /// When it began.
    pub since: Timestamp,
    /// The admin who paused.
    pub by: AccountId,
    /// When publishing resumes; `None`: when an admin resumes it.
    pub until: Option<Timestamp>,
}

/// Data of the engine page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineReport {
    /// Status summary.
    pub status: EngineStatus,
    /// The pause in effect; `None`: publishing runs.
    pub pause: Option<PauseReport>,
    /// What is scheduled next.
    pub upcoming: Upcoming,
    /// All health issues, most severe first.
    pub issues: Vec<IssueReport>,
    /// Version of the binary.
    pub version: String,
    /// Release of the built-in IANA time-zone data.
    pub time_zone_data: String,
    /// When this process started.
    pub started_at: Timestamp,
    /// Lateness of the tasks executed in the last hour.
    pub lateness: Lateness,
    /// Duration of each stage for the newest of them.
    pub stages: Vec<StageReport>,
    /// Executed tasks per minute of the last 60, oldest first; the last minute is incomplete.
    pub throughput: Vec<u32>,
    /// Number of tasks by state.
    pub totals: Totals,
    /// Results of the audit.
    pub audit: AuditReport,
    /// The loops of this process.
    pub loops: Vec<LoopReport>,
    /// The SQL database.
    pub database: ComponentReport,
    /// Redis, or the hint store in memory.
    pub hints: ComponentReport,
    /// Number of stored hints, and of their outcomes.
    pub hint_counts: HintCounts,
    /// Stale hints since the process started, by reason.
    pub stale: Vec<(StaleReason, u64)>,
    /// Number of buckets in which new hints are placed.
    pub buckets: u16,
    /// Number of buckets that are polled; higher for a while after `buckets` was reduced.
    pub polled_buckets: u16,
    /// Database clock minus the clock of this process, milliseconds.
    pub clock_offset_ms: i64,
    /// Until when the feeder has loaded hints.
    pub loaded_until: Option<Timestamp>,
    /// When the canary task, due every second, was last executed.
    pub canary_at: Option<Timestamp>,
    /// Since when deliveries are held until an admin confirms; `None`: they are not held.
    pub hold_since: Option<Timestamp>,
    /// Why they are held, with lost writes, in the viewer's language; empty: they are not held.
    pub hold_reason: String,
    /// Concurrency limit of each kind.
    pub limits: Vec<KindLimit>,
    /// The nodes of this database, live ones first.
    pub nodes: Vec<NodeReport>,
    /// The backups and their settings; `None`: the database does not answer.
    pub backups: Option<BackupsReport>,
}

/// A pause of all publishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseReport {
    /// When it began.
    pub since: LocalizedTime,
    /// Name of the admin who paused.
    pub by: String,
    /// When publishing resumes; `None`: when an admin resumes it.
    pub until: Option<LocalizedTime>,
}

/// What is scheduled next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upcoming {
    /// Due time of the next scheduled task; `None`: nothing is scheduled.
    pub next: Option<LocalizedTime>,
    /// Number of scheduled tasks due within an hour, counted up to [`MAX_COUNTED`].
    pub in_next_hour: u64,
    /// The time in an hour; `None`: not known.
    pub hour_end: Option<LocalizedTime>,
}

/// A hold on all deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryHold {
    /// When it began.
    pub since: Timestamp,
    /// Writes lost in a failover, by node, newest first. Empty: a restored backup or a copy.
    pub lost_writes: Vec<LostWrites>,
}

/// Writes that one node saw committed and that are missing after a database failover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostWrites {
    /// Name of the node.
    pub node: String,
    /// When the node detected the loss.
    pub found_at: Timestamp,
    /// Number of lost log entries.
    pub lost: u64,
    /// Whether more may be lost: every entry that the node remembers is missing.
    pub is_truncated: bool,
    /// When the first of them was committed.
    pub from: LocalizedTime,
    /// When the last of them was committed.
    pub until: LocalizedTime,
    /// The first of them.
    pub events: Vec<LostEvent>,
}

/// A lost log entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostEvent {
    /// When it was committed.
    pub at: LocalizedTime,
    /// Display name of the account that acted, or `engine`.
    pub actor: String,
    /// Type of the entity: `task`, `article`, …
    pub entity: String,
    /// Id of the entity.
    pub id: Uuid,
    /// Verb of the change.
    pub verb: String,
    /// Version or revision after the change.
    pub version: Option<i32>,
}

/// Tasks are counted up to this number; one more means "more than this".
pub const MAX_COUNTED: u64 = 10_000;

/// Number of tasks by state, each counted up to [`MAX_COUNTED`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Scheduled.
    pub scheduled: u64,
    /// Executed.
    pub executed: u64,
    /// Failed.
    pub failed: u64,
    /// Cancelled.
    pub cancelled: u64,
    /// Missed.
    pub missed: u64,
}

/// Duration of a stage, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageReport {
    /// The stage.
    pub stage: Stage,
    /// Number of tasks.
    pub count: u64,
    /// Median.
    pub p50: i64,
    /// 99th percentile.
    pub p99: i64,
}

/// Results of the audits of all nodes, over all restarts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditReport {
    /// Start of the audited period; `None`: there was no audit yet.
    pub since: Option<LocalizedTime>,
    /// Number of audited executions.
    pub audited: u64,
    /// When the last audit ended.
    pub audited_at: Option<Timestamp>,
    /// Executed tasks without an execution record, and records without an executed task.
    pub lost: u64,
    /// Executed before their due time.
    pub early: u64,
    /// Executed more than once in the same version.
    pub duplicates: u64,
    /// Tasks overdue by more than 5 s at this process's last check.
    pub overdue: u64,
    /// When this process last checked for overdue, failed and missed tasks.
    pub overdue_checked_at: Option<Timestamp>,
    /// Number of periods longer than 5 s in which no running node checked.
    pub unmonitored_gaps: u64,
    /// When the last of these periods ended.
    pub last_gap_at: Option<Timestamp>,
    /// Longest of these periods, milliseconds; 0: there was none.
    pub longest_gap_ms: i64,
}

/// Status of one engine loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopReport {
    /// `feeder`, `mover`, `consumer`, `sweeper`, `maintenance`.
    pub name: String,
    /// When it last finished a round.
    pub last_round_at: Option<Timestamp>,
    /// Number of rounds since the start.
    pub rounds: u64,
    /// Last error; cleared by the next successful round.
    pub error: Option<LoopError>,
}

/// An error of an engine loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopError {
    /// When it last occurred.
    pub at: Timestamp,
    /// What failed.
    pub issue: IssueReport,
}

/// Status of a component that the engine depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentReport {
    /// `SQLite 3.50`, `PostgreSQL 15.18`, `Redis 7.0.15`, `in memory`.
    pub name: String,
    /// Whether it responds.
    pub is_up: bool,
    /// Round trip of a ping, microseconds.
    pub ping_us: Option<u64>,
    /// Memory usage; `None`: not known.
    pub memory: Option<Memory>,
}

/// Memory of a server, bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// In use.
    pub used: u64,
    /// Maximum; 0: no limit.
    pub limit: u64,
}

/// Why a popped hint did not lead to an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StaleReason {
    /// The task has another version, or is no longer scheduled.
    Changed,
    /// The task does not exist.
    Gone,
    /// The task is not due yet by the database's clock.
    Early,
    /// The revision to publish is not approved.
    Unapproved,
    /// An earlier task of the same target must be executed first.
    Blocked,
    /// Only a newer release knows its kind.
    UnknownKind,
    /// The concurrency limit of its kind was reached.
    AtLimit,
}

impl StaleReason {
    /// All variants.
    pub const ALL: [Self; 7] = [
        Self::Changed,
        Self::Gone,
        Self::Early,
        Self::Unapproved,
        Self::Blocked,
        Self::UnknownKind,
        Self::AtLimit,
    ];

    /// The string in the metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Early => "early",
            Self::Unapproved => "unapproved",
            Self::Blocked => "waits",
            Self::UnknownKind => "foreign",
            Self::AtLimit => "full",
        }
    }
}

/// Number of hints, and of their outcomes since the process started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HintCounts {
    /// In the future set.
    pub future: u64,
    /// On the publish list.
    pub publish: u64,
    /// Loaded into the future set by the feeder.
    pub loaded: u64,
    /// Promoted to the publish list by the mover.
    pub promoted: u64,
    /// Popped and found to be outdated, missing or not yet due.
    pub stale: u64,
    /// Overdue tasks found by the sweeper, without a hint.
    pub rescued: u64,
}
