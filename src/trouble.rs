//! Why a verb could not do its work: a sentence that says what to do, and an exit code. Never a backtrace.

use crate::config::Address;
use domain::Refusal;
use std::{path::PathBuf, process::ExitCode};
use store::{Newer, StoreError};

/// Why a verb could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The command was written wrongly. Exit code 2; all others are 1.
    #[error("{0}")]
    Usage(String),
    /// Somebody else listens there.
    #[error("{address} is in use by another program; stop that one, or choose another port with --listen")]
    PortInUse {
        /// What was to be bound.
        address: String,
    },
    /// It cannot be listened on.
    #[error("cannot listen on {address}: {why}; choose another address with --listen")]
    Listen {
        /// What was to be bound.
        address: String,
        /// What the system says.
        why: std::io::Error,
    },
    /// The folder cannot be made, read or written.
    #[error("the data folder {} cannot be used: {why}; give its owner the right to write there, or choose another with --data", path.display())]
    DataFolder {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// A newer binary wrote the database.
    #[error("the database is newer than this program (schema step {}, this program knows {}); nothing was touched: use the newer program", .0.found, .0.known)]
    DatabaseNewer(Newer),
    /// The database does not answer.
    #[error(
        "the database at {place} cannot be reached: {why}; is it running, and are name and password right?"
    )]
    DatabaseAway {
        /// Where.
        place: String,
        /// What the driver says.
        why: String,
    },
    /// The schema could not be brought up to date.
    #[error("the schema of the database could not be brought up to date: {0}")]
    Schema(String),
    /// The address of Redis cannot be read.
    #[error("redis-url: {url} cannot be used: {why}")]
    RedisAddress {
        /// The address, without its password.
        url: Address,
        /// What is wrong with it.
        why: String,
    },
    /// The secrets in the database were sealed with another key.
    #[error(
        "the secrets in this database were sealed with another key; give the one they were sealed with by --secret-key, or put its file secret.key back into the data folder"
    )]
    SecretKey,
    /// The desk said no.
    #[error("{0}")]
    Refused(Refusal),
    /// The work was done in part, and the report says what was refused.
    #[error("{0}")]
    Failed(String),
    /// Something below broke.
    #[error("something broke: {0}")]
    Broken(String),
}

impl Trouble {
    /// 2 for wrong usage, 1 for everything else.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if matches!(self, Self::Usage(_)) { 2 } else { 1 })
    }

    /// A database error in words, for the database at `place`.
    #[must_use]
    pub fn database(place: impl Into<String>, error: &StoreError) -> Self {
        match error {
            StoreError::Address(why) => Self::Usage(why.clone()),
            StoreError::Migrate(why) => Self::Schema(chain(why)),
            other => Self::DatabaseAway { place: place.into(), why: chain(other) },
        }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Invalid { field, problem } => Self::Failed(format!("{field} {problem}")),
            other => Self::Refused(other),
        }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Broken(chain(&error))
    }
}

/// An error and what caused it, on one line.
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        next = cause.source();
    }
    text
}
