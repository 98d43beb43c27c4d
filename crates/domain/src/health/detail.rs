//! Causes of health issues, with their values and remedies.

use super::kind::HealthIssueKind;
use crate::{TaskId, Timestamp};
use chrono::SecondsFormat;

/// Clock offset to the database above which no task is executed, milliseconds.
pub const MAX_CLOCK_OFFSET_MS: i64 = 30_000;
/// Clock offset to the database that is reported, milliseconds.
pub(super) const REPORTED_CLOCK_OFFSET_MS: i64 = 2_000;
/// Time before its end from which a certificate is reported, milliseconds: 14 days.
const CERTIFICATE_REPORT_MS: i64 = 14 * 86_400_000;

/// The cause of a health issue. `Display` prints it with its remedy, in English.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IssueDetail {
    /// The database answers with an error.
    #[error("{why}")]
    QueryFailed {
        /// The error and its causes.
        why: String,
    },
    /// The same, for readers who find the error in the log.
    #[error("a query failed; search the log for {reference}")]
    QueryLogged {
        /// Reference to search for in the log.
        reference: String,
    },
    /// The circuit breaker for Redis is open after several failures.
    #[error("Redis did not answer and is not used for 5 s")]
    RedisBreakerOpen,
    /// Redis cannot be reached.
    #[error("Redis cannot be reached ({why}): check that it is running and that the address is correct")]
    RedisUnreachable {
        /// Error message of the system.
        why: String,
    },
    /// Redis is full.
    #[error("Redis is full and refuses writes: increase maxmemory")]
    RedisFull,
    /// Redis is a read-only replica.
    #[error("this Redis is a read-only replica: configure the address of its master")]
    RedisReplica,
    /// The snapshot of Redis failed.
    #[error("Redis could not save its data and refuses writes: check its disk and its log")]
    RedisUnsaved,
    /// Redis cannot write its append-only file.
    #[error("Redis could not write its append-only file and refuses writes: check its disk")]
    RedisUnwritten,
    /// Redis is still loading its data.
    #[error("Redis is still loading its data: wait")]
    RedisLoading,
    /// Redis is too old for a required command.
    #[error("this Redis is too old: version 6.2 or later is required")]
    RedisTooOld,
    /// Redis would evict hints silently.
    #[error(
        "Redis evicts keys when its memory is full (maxmemory-policy is {policy}), so it is not used: \
         set maxmemory-policy to noeviction"
    )]
    RedisEvicts {
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
    #[error("Redis was empty at {}: it was flushed, or restarted without its data. It is refilled from the database", format_utc(*at))]
    RedisDataLoss {
        /// When that was detected.
        at: Timestamp,
    },
    /// A loop ended with an error.
    #[error("the loop ended and was restarted: {why}")]
    LoopEnded {
        /// Error message of the system.
        why: String,
    },
    /// A task panics when it is executed.
    #[error("task {task} crashes (panic) when it is executed")]
    TaskPanics {
        /// The task.
        task: TaskId,
    },
    /// The clocks differ.
    #[error(
        "the database's clock is {offset_ms} ms ahead of this machine's: start a time service (chrony, \
         systemd-timesyncd) on both"
    )]
    ClockOffset {
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
    /// The certificate for HTTPS expires soon.
    #[error("the certificate of this server expires at {}: renew it", format_utc(*at))]
    CertificateExpires {
        /// When it expires.
        at: Timestamp,
    },
    /// The certificate for HTTPS has expired.
    #[error("the certificate of this server expired at {}, so browsers warn of it: renew it", format_utc(*at))]
    CertificateExpired {
        /// When it expired.
        at: Timestamp,
    },
}

impl IssueDetail {
    /// The issue that a certificate is which expires at `at`; `None`: it is valid for long enough.
    #[must_use]
    pub fn of_certificate(at: Timestamp, now: Timestamp) -> Option<Self> {
        match at.since(now) {
            ..0 => Some(Self::CertificateExpired { at }),
            0..CERTIFICATE_REPORT_MS => Some(Self::CertificateExpires { at }),
            _ => None,
        }
    }

    /// Returns the kind of issue that it causes.
    #[must_use]
    pub const fn kind(&self) -> HealthIssueKind {
        match self {
            Self::QueryFailed { .. } | Self::QueryLogged { .. } => HealthIssueKind::QueryFailed,
            Self::RedisBreakerOpen
            | Self::RedisUnreachable { .. }
            | Self::RedisFull
            | Self::RedisReplica
            | Self::RedisUnsaved
            | Self::RedisUnwritten
            | Self::RedisLoading
            | Self::RedisTooOld
            | Self::RedisEvicts { .. } => HealthIssueKind::HintStoreUnavailable,
            Self::RedisMismatch { .. } => HealthIssueKind::RedisMismatch,
            Self::RedisDataLoss { .. } => HealthIssueKind::RedisDataLoss,
            Self::LoopEnded { .. } => HealthIssueKind::LoopFailed,
            Self::TaskPanics { .. } => HealthIssueKind::TaskPanics,
            Self::ClockOffset { offset_ms }
                if offset_ms.unsigned_abs() > MAX_CLOCK_OFFSET_MS.unsigned_abs() =>
            {
                HealthIssueKind::ClockSkew
            }
            Self::ClockOffset { .. } => HealthIssueKind::ClockOffset,
            Self::MessagesStuck { .. } | Self::AttemptsLost { .. } => HealthIssueKind::DeliveriesStuck,
            Self::Audit { .. } => HealthIssueKind::AuditFailed,
            Self::CertificateExpires { .. } | Self::CertificateExpired { .. } => {
                HealthIssueKind::CertificateExpires
            }
        }
    }
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
