//! Errors of the database.

use domain::health::{HealthIssue, HealthIssueKind, IssueDetail, error_chain};
use sqlx::migrate::MigrateError;
use std::sync::Arc;

/// Why a database cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenProblem {
    /// No connection: refused, timed out, or the host is unknown.
    Unreachable,
    /// The server rejected the user name or the password.
    Login,
    /// The server has no database of this name.
    NoDatabase,
    /// No encrypted connection.
    Tls,
    /// Another error.
    Other,
}

/// Why a database operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database rejected the statement, is unavailable, or returned a value that this binary
    /// does not understand.
    #[error("the database operation failed")]
    Sql(#[from] sqlx::Error),
    /// A migration failed, or the database is newer than this binary.
    #[error("the database could not be migrated")]
    Migrate(#[from] MigrateError),
    /// A row holds a value that the schema forbids.
    #[error("the database holds an invalid value: {0}")]
    Corrupt(String),
    /// The URL of the database is invalid.
    #[error("{0}")]
    InvalidUrl(String),
    /// An error shared by all callers of one group commit.
    #[error(transparent)]
    Shared(Arc<Self>),
}

impl StoreError {
    /// Whether the database is unreachable or does not answer: a retry may succeed.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        match self.sql() {
            Some(sqlx::Error::Database(error)) => {
                // PostgreSQL: 08 connection lost, 57P shutting down or starting.
                error.code().is_some_and(|code| code.starts_with("08") || code.starts_with("57P"))
            }
            Some(error) => is_io(error),
            None => false,
        }
    }

    /// Returns why the database cannot be opened.
    #[must_use]
    pub fn open_problem(&self) -> OpenProblem {
        match self.sql() {
            Some(sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut) => OpenProblem::Unreachable,
            Some(sqlx::Error::Tls(_)) => OpenProblem::Tls,
            Some(sqlx::Error::Database(error)) => match error.code().unwrap_or_default().as_ref() {
                "28P01" | "28000" => OpenProblem::Login,
                "3D000" => OpenProblem::NoDatabase,
                _ => OpenProblem::Other,
            },
            _ => OpenProblem::Other,
        }
    }

    /// Returns the message of the database or the system, without the words that sqlx adds, such as
    /// the line of PostgreSQL's source code.
    #[must_use]
    pub fn reason(&self) -> String {
        match self.sql() {
            Some(sqlx::Error::Database(error)) => error.message().to_owned(),
            Some(sqlx::Error::Io(error)) => error.to_string(),
            Some(error) => error_chain(error),
            None => error_chain(self),
        }
    }

    /// Returns the sqlx error, if there is one.
    fn sql(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Sql(error) => Some(error),
            Self::Shared(error) => error.sql(),
            Self::Migrate(_) | Self::Corrupt(_) | Self::InvalidUrl(_) => None,
        }
    }

    /// Whether PostgreSQL rejected a text because it holds a NUL character.
    #[must_use]
    pub fn is_invalid_text(&self) -> bool {
        let Some(sqlx::Error::Database(error)) = self.sql() else { return false };
        error.code().is_some_and(|code| matches!(code.as_ref(), "22021" | "22P05"))
    }

    /// Whether the same operation may succeed a moment later: database unavailable, busy or full,
    /// or a deadlock.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        let Some(sqlx::Error::Database(error)) = self.sql() else { return self.is_unavailable() };
        let code = error.code().unwrap_or_default();
        match code.parse::<i32>() {
            // SQLite's codes are numbers of at most four digits, with details in the upper byte:
            // busy, locked, read-only, I/O, full, cannot open.
            Ok(number) if code.len() < 5 => matches!(number & 0xff, 5 | 6 | 8 | 10 | 13 | 14),
            // PostgreSQL's have five characters: connection, deadlock or serialization, resources,
            // lock not available, cancelled or shutting down, system.
            _ => ["08", "40", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class)),
        }
    }

    /// Whether a migration could not lock a table in time. It changed nothing.
    pub(crate) fn is_lock_timeout(&self) -> bool {
        let Self::Migrate(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = self
        else {
            return false;
        };
        matches!(error, sqlx::Error::Database(error) if error.code().is_some_and(|code| code == "55P03"))
    }

    /// Whether the database rejected a booking because another one holds the room at that time.
    #[must_use]
    pub fn is_overlap(&self) -> bool {
        let Some(sqlx::Error::Database(error)) = self.sql() else { return false };
        // PostgreSQL: an exclusion constraint. SQLite: a trigger, named in the message.
        error.code().is_some_and(|code| code == "23P01") || error.message() == "meeting_no_overlap"
    }

    /// Whether a unique index rejected the row: another client was first.
    #[must_use]
    pub fn is_unique_violation(&self) -> bool {
        matches!(self.sql(), Some(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
}

impl From<&StoreError> for HealthIssue {
    fn from(error: &StoreError) -> Self {
        let code = match error.sql() {
            Some(sqlx::Error::Database(error)) => error.code().unwrap_or_default().into_owned(),
            _ => String::new(),
        };
        // SQLite's codes are numbers with details in the upper byte, PostgreSQL's have five
        // characters.
        let of_sqlite = code.parse::<i32>().ok().filter(|_| code.len() < 5).map(|number| number & 0xff);
        match (of_sqlite, code.as_str()) {
            (Some(8), _) | (_, "25006") => HealthIssueKind::DatabaseReadOnly.into(),
            (Some(13), _) | (_, "53100") => HealthIssueKind::DatabaseFull.into(),
            _ if error.is_unavailable() => HealthIssueKind::DatabaseUnavailable.into(),
            _ => IssueDetail::QueryFailed { why: error_chain(error) }.into(),
        }
    }
}

fn is_io(error: &sqlx::Error) -> bool {
    matches!(
        error,
        sqlx::Error::Io(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Protocol(_)
            | sqlx::Error::Tls(_)
    )
}
