//! Backups that the server writes by itself, and what runs where.

use crate::{
    Timestamp,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// State of a backup.
    BackupState {
        /// It is being written.
        Running = "running",
        /// Its file was written.
        Written = "written",
        /// It was not begun: too little space was free.
        Skipped = "skipped",
        /// It could not be written.
        Failed = "failed",
        /// The node that wrote it ended.
        Interrupted = "interrupted",
    }
}

string_enum! {
    /// What is wrong with the backups, most urgent first.
    BackupProblem {
        /// The last one was skipped: too little space is free.
        NoSpace = "no_space",
        /// The last two were not written.
        Missed = "missed",
        /// The last one that was verified cannot be restored.
        NotRestorable = "not_restorable",
    }
}

/// A backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupRun {
    /// Number, from 1.
    pub number: i64,
    /// State.
    pub state: BackupState,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; `None`: it is running.
    pub ended_at: Option<Timestamp>,
    /// Name of the node that writes it.
    pub node: String,
    /// Name of the file; `None`: none was written.
    pub file: Option<String>,
    /// Size of the file, bytes; of a skipped one the free space that it needs.
    pub bytes: Option<u64>,
    /// When the file was deleted, because newer ones are kept.
    pub removed_at: Option<Timestamp>,
    /// Why it failed, as the system says it.
    pub detail: Option<String>,
    /// Result of its verification; `None`: it was not verified.
    pub verification: Option<BackupVerification>,
}

/// Result of restoring a backup into a scratch database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupVerification {
    /// When it was verified.
    pub at: Timestamp,
    /// How long the restore took, milliseconds.
    pub restore_ms: i64,
    /// Why it cannot be restored; `None`: it can.
    pub problem: Option<String>,
}

/// The backups and their settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupsReport {
    /// Whether the server writes backups by itself.
    pub is_enabled: bool,
    /// Interval between two backups, milliseconds.
    pub every_ms: i64,
    /// Number of days of which the newest backup is kept.
    pub keep_daily: u16,
    /// Number of weeks of which the newest backup is kept.
    pub keep_weekly: u16,
    /// Number of months of which the newest backup is kept.
    pub keep_monthly: u16,
    /// Where the backups are stored: a folder on this node, or an S3 bucket.
    pub folder: String,
    /// What is wrong; `None`: nothing is.
    pub problem: Option<BackupProblem>,
    /// Since when something is wrong.
    pub problem_since: Option<Timestamp>,
    /// The last one that was written.
    pub last_written: Option<BackupRun>,
    /// The last one that was verified.
    pub last_verified: Option<BackupRun>,
    /// The newest ones, newest first.
    pub runs: Vec<BackupRun>,
}

/// What runs where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemReport {
    /// Version of the binary.
    pub version: String,
    /// Commit from which it was built; `None`: not known.
    pub commit: Option<String>,
    /// Newest migration of the database.
    pub schema_step: i64,
    /// Newest migration that the binary knows.
    pub known_schema_step: i64,
    /// Release of the built-in IANA time-zone data.
    pub time_zone_data: String,
    /// The last backup that was written.
    pub last_backup: Option<BackupRun>,
    /// The last backup that was verified.
    pub last_verification: Option<BackupRun>,
    /// What is wrong with the backups; `None`: nothing is.
    pub backup_problem: Option<BackupProblem>,
}
