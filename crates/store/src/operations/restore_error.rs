//! Why a backup was not restored.

use crate::{StoreError, UnknownMigration};

/// Why nothing was restored. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A database operation failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database has accounts, articles or tasks.
    #[error("the database is not empty; restore the backup into an empty database")]
    HasContent,
    /// A node runs on the database.
    #[error("node {0} is running on this database; stop it first")]
    InUse(String),
    /// The file is not a backup.
    #[error("this file is not a backup of Presstime")]
    NotABackup,
    /// It holds a schema object that this program does not create.
    #[error(
        "this file is not a backup of Presstime: it holds the {0}, which Presstime does not create; nothing was restored"
    )]
    Foreign(String),
    /// A schema object of every backup is missing.
    #[error("this file is not a complete backup of Presstime: the {0} is missing; nothing was restored")]
    Incomplete(String),
    /// Pages, types or sizes of its rows are invalid.
    #[error("the table {0} of this backup is damaged; nothing was restored: use another backup")]
    Damaged(&'static str),
    /// Rows reference rows that are missing.
    #[error("rows of this backup reference rows that are missing; nothing was restored: use another backup")]
    Dangling,
    /// A newer binary wrote it.
    #[error("the backup is newer than this program (migration {}, this program knows {}); use the newer program", .0.found, .0.known)]
    NewerSchema(UnknownMigration),
}

impl From<sqlx::Error> for RestoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}
