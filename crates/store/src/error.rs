//! What can go wrong below SQL.

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
}

impl StoreError {
    /// Whether the database cannot be reached or does not answer: trying again later may help.
    #[must_use]
    pub fn is_away(&self) -> bool {
        matches!(
            self,
            Self::Sql(
                sqlx::Error::Io(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
                    | sqlx::Error::Tls(_)
            )
        )
    }

    /// Whether a unique index said no: somebody else was first.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Sql(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
}
