//! What can go wrong below SQL.

use domain::engine::Weather;
use std::sync::Arc;

/// Why the memory could not answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused, is away, or holds something this binary does not understand.
    #[error("the database did not do it")]
    Sql(#[from] sqlx::Error),
    /// A step of the schema failed, or the database is newer than this binary.
    #[error("the schema of the database could not be brought up to date")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A row holds what the schema forbids.
    #[error("the database holds something that cannot be: {0}")]
    Corrupt(String),
    /// The address of the database is not one.
    #[error("{0}")]
    Address(String),
    /// What befell several who shared a transaction.
    #[error(transparent)]
    Shared(Arc<Self>),
}

impl StoreError {
    /// Whether the database cannot be reached or does not answer: trying again later may help.
    #[must_use]
    pub fn is_away(&self) -> bool {
        match self.sql() {
            Some(sqlx::Error::Database(error)) => {
                // PostgreSQL: 08 connection lost, 57P shutting down or starting.
                error.code().is_some_and(|code| code.starts_with("08") || code.starts_with("57P"))
            }
            Some(error) => is_io(error),
            None => false,
        }
    }

    /// What sqlx says.
    fn sql(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Sql(error) => Some(error),
            Self::Shared(error) => error.sql(),
            Self::Migrate(_) | Self::Corrupt(_) | Self::Address(_) => None,
        }
    }

    /// What it says of the state the database is in; `None`: nothing.
    #[must_use]
    pub fn weather(&self) -> Option<Weather> {
        let code = match self.sql() {
            Some(sqlx::Error::Database(error)) => error.code().unwrap_or_default().into_owned(),
            _ => String::new(),
        };
        // SQLite's codes are numbers with more in their upper byte, PostgreSQL's have five characters.
        let of_sqlite = code.parse::<i32>().ok().filter(|_| code.len() < 5).map(|number| number & 0xff);
        match (of_sqlite, code.as_str()) {
            (Some(8), _) | (_, "25006") => Some(Weather::DatabaseReadOnly),
            (Some(13), _) | (_, "53100") => Some(Weather::DatabaseFull),
            _ => self.is_away().then_some(Weather::DatabaseAway),
        }
    }

    /// Whether PostgreSQL cannot store a text: it holds NUL.
    #[must_use]
    pub fn is_bad_text(&self) -> bool {
        let Some(sqlx::Error::Database(error)) = self.sql() else { return false };
        error.code().is_some_and(|code| matches!(code.as_ref(), "22021" | "22P05"))
    }

    /// Whether it is nobody's fault and the same may work a moment later: away, busy, full, a deadlock.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        let Some(sqlx::Error::Database(error)) = self.sql() else { return self.is_away() };
        let code = error.code().unwrap_or_default();
        match code.parse::<i32>() {
            // SQLite's codes are numbers of at most four digits and carry more in their upper byte: busy, locked, read-only,
            // I/O, full, cannot open.
            Ok(number) if code.len() < 5 => matches!(number & 0xff, 5 | 6 | 8 | 10 | 13 | 14),
            // PostgreSQL's have five characters: connection, deadlock or serialization, resources, lock not available, cancelled or shutting down, system.
            _ => ["08", "40", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class)),
        }
    }

    /// Whether a unique index said no: somebody else was first.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        matches!(self.sql(), Some(sqlx::Error::Database(error)) if error.is_unique_violation())
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
