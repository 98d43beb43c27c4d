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
    /// Kinds of health issues.
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
    }
}

impl HealthIssueKind {
    /// The severity of an issue of this kind, unless the issue says otherwise.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::DatabaseUnavailable
            | Self::DatabaseReadOnly
            | Self::DatabaseFull
            | Self::ClockSkew
            | Self::Stuck
            | Self::NewerRelease => Severity::Blocking,
            Self::HintStoreUnavailable
            | Self::DatabaseSlow
            | Self::HintStoreSlow
            | Self::RedisMismatch
            | Self::RedisDataLoss
            | Self::DeliveriesHeld => Severity::Degraded,
            Self::QueryFailed
            | Self::ClockOffset
            | Self::LoopFailed
            | Self::TaskPanics
            | Self::DeliveriesStuck
            | Self::AuditFailed => Severity::Notice,
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

    /// Describes the issue and its consequence in English.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::DatabaseUnavailable => {
                "The database does not respond. Saving and publishing are paused; due tasks run when it is back."
            }
            Self::DatabaseReadOnly => {
                "The database is read-only. Saving and publishing are paused; nothing is lost."
            }
            Self::DatabaseFull => {
                "The database disk is full. Saving and publishing are paused until space is freed; nothing is lost."
            }
            Self::ClockSkew => {
                "The clocks of the database and this machine differ by more than 30 s. Publishing is paused until \
                 they agree, so that nothing is published early."
            }
            Self::Stuck => {
                "Nothing is published: the engine's test task does not complete. The loops on the engine page show \
                 where it stops."
            }
            Self::NewerRelease => {
                "Overdue tasks need a newer release and are not listed here. They wait for a node that runs it; \
                 nothing is lost."
            }
            Self::HintStoreUnavailable => {
                "Redis is unavailable, full or unsafe, and is not used. Publishing continues from the database, up \
                 to a second late. Check Redis."
            }
            Self::DatabaseSlow => {
                "The database is slow: publishing is late and saving takes long. Nothing is lost."
            }
            Self::HintStoreSlow => "Redis is slow: publishing is up to two seconds late.",
            Self::RedisMismatch => {
                "A node does not use this Redis, or another desk uses it: see the engine page. Some tasks are up to \
                 two seconds late."
            }
            Self::RedisDataLoss => {
                "Redis was wiped, or restarted without its data. Its hints are being reloaded; nothing is lost."
            }
            Self::DeliveriesHeld => "Messages are held until an admin confirms on the engine page.",
            Self::QueryFailed => "A query failed. It is retried; the log has the error.",
            Self::ClockOffset => "The clocks of the database and this machine differ by more than 2 s.",
            Self::LoopFailed => "The loop crashed (panic) and was restarted.",
            Self::TaskPanics => "A task crashes (panic) when it is executed.",
            Self::DeliveriesStuck => "Messages are due, but none is sent.",
            Self::AuditFailed => "Audits found executions that do not match their execution record.",
        }
    }
}
