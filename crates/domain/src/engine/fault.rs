//! Faults of the engine and its components, with advice. `Display` prints English; pages translate
//! them.

use crate::{TaskId, Timestamp};
use chrono::SecondsFormat;

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The database does not answer.
    #[error("the database does not answer")]
    DatabaseUnavailable,
    /// The database is read-only.
    #[error("the database is read-only")]
    DatabaseReadOnly,
    /// The disk of the database is full.
    #[error("the disk of the database is full")]
    DatabaseFull,
    /// The database answers with an error.
    #[error("{why}")]
    DatabaseFailed {
        /// Description, as a sentence.
        why: String,
    },
    /// The database answers, but one query failed.
    #[error("a query failed; search the log for {reference}")]
    QueryFailed {
        /// Reference to search for in the log.
        reference: String,
    },
    /// The circuit breaker for Redis is open after several failures.
    #[error("Redis did not answer and is not used for 5 s; tasks are executed from SQL")]
    HintsBreakerOpen,
    /// Redis cannot be reached.
    #[error(
        "Redis cannot be reached ({why}); tasks are executed from SQL. Check that it is running and that \
         the address is correct"
    )]
    HintStoreUnavailable {
        /// Error message of the system.
        why: String,
    },
    /// Redis is full.
    #[error("Redis is full and refuses writes: increase maxmemory; tasks are executed from SQL")]
    HintsFull,
    /// Redis is a read-only replica.
    #[error(
        "this Redis is a read-only replica: configure the address of its master; tasks are executed from SQL"
    )]
    HintsReplica,
    /// The snapshot of Redis failed.
    #[error(
        "Redis could not save its data and refuses writes: check its disk and its log; tasks are executed from SQL"
    )]
    HintsUnsaved,
    /// Redis cannot write its append-only file.
    #[error("Redis could not write its append-only file and refuses writes: check its disk")]
    HintsUnwritten,
    /// Redis is still loading its data.
    #[error("Redis is still loading its data: wait; tasks are executed from SQL")]
    HintsLoading,
    /// Redis is too old for a required command.
    #[error("this Redis is too old: version 6.2 or later is required")]
    HintsTooOld,
    /// Redis would evict hints silently.
    #[error(
        "Redis evicts keys when its memory is full (maxmemory-policy is {policy}), so it is not used: \
         set maxmemory-policy to noeviction; tasks are executed from SQL"
    )]
    HintsEvicted {
        /// Its `maxmemory-policy`.
        policy: String,
    },
    /// Nodes of this installation use different Redis servers, or another installation uses the
    /// same one.
    #[error("{}", membership(missing_nodes, *foreign_nodes))]
    RedisMismatch {
        /// Live nodes of this installation that are not in this Redis, separated by commas; empty:
        /// there are none.
        missing_nodes: String,
        /// Number of nodes of other installations.
        foreign_nodes: usize,
    },
    /// Redis lost all its data.
    #[error("Redis was empty at {}: it was flushed, or restarted without its data. The hints are loaded again", format_utc(*at))]
    RedisDataLoss {
        /// When that was detected.
        at: Timestamp,
    },
    /// A loop panicked and was restarted.
    #[error("it crashed (panic) and was restarted")]
    LoopPanicked,
    /// A task panics when it is executed.
    #[error("task {task} crashes (panic) when it is executed")]
    TaskPanics {
        /// The task.
        task: TaskId,
    },
    /// The clocks differ so much that no task is executed.
    #[error("the clocks differ by {offset_ms} ms: no task is executed until they agree")]
    ClocksDiffer {
        /// Database clock minus system clock, milliseconds.
        offset_ms: i64,
    },
    /// The clocks differ.
    #[error("the database's clock is {offset_ms} ms ahead of this machine's")]
    ClockAhead {
        /// Database clock minus system clock, milliseconds; negative: the database is behind.
        offset_ms: i64,
    },
    /// Messages are due, but none is sent.
    #[error("messages are due at {channels}, but none is sent")]
    MessagesStuck {
        /// Names of the channels, separated by commas.
        channels: String,
    },
    /// Attempts were started and never finished.
    #[error("{count} messages were claimed for sending, but no result was recorded")]
    AttemptsLost {
        /// Number of messages.
        count: i64,
    },
    /// Tasks and execution records disagree.
    #[error(
        "of {audited} executions audited since {}, {lost} do not match their execution record, {early} were early, \
         {duplicates} were executed twice",
        format_utc(*since)
    )]
    Audit {
        /// Start of the audited period.
        since: Timestamp,
        /// Number of audited executions.
        audited: i64,
        /// Executions without a record, or records without an execution.
        lost: i64,
        /// Executed before their due time.
        early: i64,
        /// Executed more than once.
        duplicates: i64,
    },
    /// An error without a variant, in English.
    #[error("{0}")]
    Other(String),
}

fn membership(missing_nodes: &str, foreign_nodes: usize) -> String {
    let missing = (!missing_nodes.is_empty()).then(|| {
        format!(
            "Alive, but not in this Redis: {missing_nodes}. Start all nodes with the same --redis-url, and check that they \
             reach it"
        )
    });
    let foreign = (foreign_nodes > 0).then(|| {
        format!(
            "This Redis is also used by {foreign_nodes} nodes of another installation, which pop the hints of this one. \
             Give each installation its own Redis or its own database number (redis://HOST:PORT/1)"
        )
    });
    missing.into_iter().chain(foreign).collect::<Vec<_>>().join(". ")
}

/// Formats a timestamp to the second, in UTC.
#[must_use]
pub fn format_utc(at: Timestamp) -> String {
    at.utc().to_rfc3339_opts(SecondsFormat::Secs, true).replace('T', " ").replace('Z', " UTC")
}
