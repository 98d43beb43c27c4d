//! Errors of the command line: a message with a remedy, and an exit code. Never a backtrace.

use crate::process::redacted::Address;
use domain::DomainError;
use engine::error_chain;
use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    process::ExitCode,
};
use store::{OpenProblem, StoreError, UnknownMigration};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Invalid usage. Exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Another program listens on the address.
    #[error(
        "{address} is in use by another program; stop that program, or choose another port with --listen"
    )]
    PortInUse {
        /// The address.
        address: String,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {why}; choose another address with --listen")]
    Listen {
        /// The address.
        address: String,
        /// Error of the system.
        why: std::io::Error,
    },
    /// The data folder cannot be created, read or written.
    #[error("the data folder {} cannot be used: {}", path.display(), folder_problem(path, why))]
    DataFolder {
        /// The folder.
        path: PathBuf,
        /// Error of the system.
        why: std::io::Error,
    },
    /// A newer release wrote the database.
    #[error("the database is newer than this program (schema step {}, this program knows {}); nothing was changed: use the newer program, or go back to the backup before the upgrade with presstime rollback", .0.found, .0.known)]
    DatabaseNewer(UnknownMigration),
    /// The database does not answer, or cannot be opened.
    #[error("the database at {place} {}", database_problem(*problem, why))]
    DatabaseUnavailable {
        /// Location of the database.
        place: String,
        /// What is wrong: decides the advice.
        problem: OpenProblem,
        /// Message of the database or the system.
        why: String,
    },
    /// The backup before a migration failed. Exit code 3.
    #[error(
        "no backup was written before the upgrade: {0}; nothing was migrated: solve this and start again, or pass --no-upgrade-backup if you have a backup of your own"
    )]
    UpgradeBackup(String),
    /// A migration failed.
    #[error("the database schema could not be migrated: {0}")]
    Schema(String),
    /// The address of Redis is invalid.
    #[error("redis-url: {url} cannot be used: {why}")]
    RedisAddress {
        /// The address, without its password.
        url: Address,
        /// What is wrong.
        why: String,
    },
    /// The secrets in the database were encrypted with another key.
    #[error(
        "the secrets in this database were encrypted with another key; pass that key with --secret-key, or restore the file secret.key in the data folder"
    )]
    SecretKey,
    /// A service refused the request.
    #[error("{0}")]
    Refused(DomainError),
    /// Part of the work failed; the report lists the errors.
    #[error("{0}")]
    Failed(String),
    /// An unexpected error.
    #[error("unexpected error: {0}")]
    Broken(String),
}

impl CliError {
    /// 2 for invalid usage, 3 for an upgrade without a backup, 1 for everything else.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Usage(_) => 2,
            Self::UpgradeBackup(_) => 3,
            _ => 1,
        })
    }

    /// Converts a database error; `place` is the location of the database.
    #[must_use]
    pub fn database(place: impl Into<String>, error: &StoreError) -> Self {
        match error {
            StoreError::InvalidUrl(why) => Self::Usage(why.clone()),
            StoreError::Migrate(why) => Self::Schema(error_chain(why)),
            other => Self::DatabaseUnavailable {
                place: place.into(),
                problem: other.open_problem(),
                why: other.reason(),
            },
        }
    }
}

/// Says what is wrong with the data folder, and what to do.
fn folder_problem(path: &Path, why: &io::Error) -> String {
    let is_file = |path: &&Path| path.exists() && !path.is_dir();
    let file = match why.kind() {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => path.ancestors().find(is_file),
        _ => None,
    };
    match (file, why.kind()) {
        (Some(file), _) => {
            format!("{} is a file, not a folder; choose another folder with --data", file.display())
        }
        (None, ErrorKind::PermissionDenied) => format!(
            "{why}; give the account that runs Presstime the right to write there, or choose another with --data"
        ),
        (None, _) => format!("{why}; choose another with --data"),
    }
}

/// Says what is wrong with the database, and what to do. Completes "the database at …".
fn database_problem(problem: OpenProblem, why: &str) -> String {
    match problem {
        OpenProblem::Unreachable => {
            format!("cannot be reached: {why}; check that it is running, and check its address")
        }
        OpenProblem::Login => format!("cannot be opened: {why}; check user name and password"),
        OpenProblem::NoDatabase => {
            format!("cannot be opened: {why}; create it, or check its name in the address")
        }
        OpenProblem::Tls => {
            format!("cannot be reached: {why}; check its certificate, and sslmode in the address")
        }
        OpenProblem::Other => format!("cannot be used: {why}"),
    }
}

impl From<DomainError> for CliError {
    fn from(refusal: DomainError) -> Self {
        match refusal {
            DomainError::Invalid { field, problem } => Self::Failed(format!("{field} {problem}")),
            other => Self::Refused(other),
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        Self::Broken(error_chain(&error))
    }
}
