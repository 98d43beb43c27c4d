//! Kinds of health issues and their severity.

use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What an issue means for publishing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Tasks are not executed because of it: all, or those it is about.
    Blocking,
    /// Tasks are executed, but late, or messages wait. Banners show it to admins.
    Degraded,
    /// Only the engine page and the log show it.
    Notice,
}

string_enum! {
    /// Kinds of health issues: first those that block, then those that degrade, then notices.
    HealthIssueKind {
        /// The database does not answer.
        DatabaseUnavailable = "database_unavailable",
        /// The database is read-only.
        DatabaseReadOnly = "database_read_only",
        /// The disk of the database is full.
        DatabaseFull = "database_full",
        /// The clocks of the database and of this machine differ too much.
        ClockSkew = "clock_skew",
        /// The canary task, due every second, is not executed.
        Stuck = "stuck",
        /// An overdue task has a kind that only a newer release knows.
        NewerRelease = "newer_release",
        /// Redis is not used: unavailable, full, or not safe to use. All tasks are executed from
        /// SQL.
        HintStoreUnavailable = "hint_store_unavailable",
        /// The database responds slowly.
        DatabaseSlow = "database_slow",
        /// Redis responds slowly.
        HintStoreSlow = "hint_store_slow",
        /// Nodes of this installation use different Redis servers, or another installation uses
        /// the same one. Missing hints are replaced by the sweeper.
        RedisMismatch = "redis_mismatch",
        /// Redis lost all its data recently. The feeder reloads it from SQL.
        RedisDataLoss = "redis_data_loss",
        /// Deliveries are held until an admin confirms that this installation should send them.
        DeliveriesHeld = "deliveries_held",
        /// The database answers, but a query failed.
        QueryFailed = "query_failed",
        /// The clocks differ, but not too much.
        ClockOffset = "clock_offset",
        /// A loop ended or panicked, and was restarted.
        LoopFailed = "loop_failed",
        /// A task panics when it is executed.
        TaskPanics = "task_panics",
        /// Messages are due and none is sent, or were claimed and have no result.
        DeliveriesStuck = "deliveries_stuck",
        /// Tasks and execution records disagree.
        AuditFailed = "audit_failed",
        /// The certificate for HTTPS of the node that answers expires soon, or has expired.
        CertificateExpires = "certificate_expires",
    }
}

impl HealthIssueKind {
    /// The severity of an issue of this kind, unless the issue says otherwise.
    #[must_use]
    pub fn severity(self) -> Severity {
        // The kinds are declared in this order.
        if self <= Self::NewerRelease {
            Severity::Blocking
        } else if self <= Self::DeliveriesHeld {
            Severity::Degraded
        } else {
            Severity::Notice
        }
    }

    /// Whether it is about the hint store. Tasks without hints are executed from SQL.
    #[must_use]
    pub const fn is_hint_store_issue(self) -> bool {
        matches!(
            self,
            Self::HintStoreUnavailable | Self::HintStoreSlow | Self::RedisMismatch | Self::RedisDataLoss
        )
    }

    /// Whether it is about the database.
    #[must_use]
    pub const fn is_database_issue(self) -> bool {
        matches!(
            self,
            Self::DatabaseUnavailable
                | Self::DatabaseReadOnly
                | Self::DatabaseFull
                | Self::DatabaseSlow
                | Self::QueryFailed
        )
    }
}
