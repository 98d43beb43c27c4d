//! Backups of a database of any known migration, checked as soon as they are written: the way back from
//! a migration.

use super::restore_error::RestoreError;
use crate::{
    Conn, Options, PoolRole, Store, StoreError,
    backup::{self, BackupContents, RowCount, quote_identifier},
    backup_check::{self, CheckedBackup},
    db::{is_busy, with_conn},
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Why there is no backup. The database was not changed.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeBackupError {
    /// The database or the file cannot be read or written.
    #[error("{}", .0.reason())]
    Store(#[from] StoreError),
    /// The written file could not be restored.
    #[error("{}", finding(.0))]
    Check(#[from] RestoreError),
    /// The written file has other rows than the database.
    #[error("the table {table} has {found} rows in the file and {expected} in the database")]
    Rows {
        /// The table.
        table: &'static str,
        /// Rows in the database.
        expected: u64,
        /// Rows in the file.
        found: u64,
    },
}

/// Says what the check of a written file found.
fn finding(error: &RestoreError) -> String {
    match error {
        RestoreError::Store(error) => error.reason(),
        RestoreError::Damaged(table) => {
            format!("the table {table} is damaged, or a value in it is too large")
        }
        RestoreError::Foreign(object) => {
            format!("the database has the {object}, which Presstime does not create")
        }
        RestoreError::Incomplete(object) => format!("the {object} is missing in the database"),
        other => other.to_string(),
    }
}

/// Writes a backup of a database after migration `step` to a new file at `path`, and checks it: its
/// schema, every row, and the number of rows of each table.
///
/// The caller holds the [`crate::MigrationGuard`]: on SQLite nothing else writes meanwhile, on PostgreSQL
/// the backup is one snapshot.
pub async fn write(store: &Store, step: i64, path: &Path) -> Result<BackupContents, UpgradeBackupError> {
    let expected = match store {
        Store::Sqlite { checkpoint_pool, .. } => {
            backup::vacuum(checkpoint_pool, path).await?;
            count_rows(store.read(PoolRole::Web).await?.conn(), step).await?
        }
        Store::Postgres { web, .. } => backup::copy_postgres(web, step, path).await?,
    };
    let CheckedBackup { mut file, step: written } = backup_check::open(path).await?;
    if written != step {
        return Err(RestoreError::NotABackup.into());
    }
    let counted = count_rows(Conn::Sqlite(&mut file), step).await?;
    let different = expected.iter().zip(&counted).find(|(expected, counted)| expected != counted);
    if let Some((&(table, expected), &(_, found))) = different {
        return Err(UpgradeBackupError::Rows { table, expected, found });
    }
    let contents = backup::contents(&mut file).await?;
    file.close().await.map_err(StoreError::from)?;
    Ok(contents)
}

/// How long the parts of a rehearsed migration took.
#[derive(Debug, Clone, Copy)]
pub struct Rehearsal {
    /// Copying the database.
    pub copied: Duration,
    /// Migrating the copy.
    pub migrated: Duration,
}

/// Migrates a copy of a database after migration `step`, which it writes to the new SQLite file at
/// `path`. The database is only read, and others may use it meanwhile.
pub async fn rehearse(store: &Store, step: i64, path: &Path) -> Result<Rehearsal, StoreError> {
    let began = Instant::now();
    match store {
        Store::Sqlite { checkpoint_pool, .. } => backup::vacuum(checkpoint_pool, path).await?,
        Store::Postgres { web, .. } => {
            backup::copy_postgres(web, step, path).await?;
        }
    }
    let copied = began.elapsed();
    let copy = Store::open(&Options::new(format!("sqlite:{}", path.display()))).await?;
    let began = Instant::now();
    let done = copy.migrate().await;
    let migrated = began.elapsed();
    copy.close().await;
    done.map(|()| Rehearsal { copied, migrated })
}

/// Counts the rows of all tables of a backup that exist after migration `step`.
pub async fn count_rows(mut conn: Conn<'_>, step: i64) -> Result<Vec<RowCount>, StoreError> {
    let mut counts = Vec::new();
    for (table, _) in backup_check::tables(&mut backup_check::empty(step).await?).await? {
        let select = sqlx::AssertSqlSafe(format!("select count(*) from {}", quote_identifier(table)));
        let count: i64 = with_conn!(conn.reborrow(), c => sqlx::query_scalar(select).fetch_one(c).await?);
        counts.push((table, u64::try_from(count).unwrap_or(0)));
    }
    Ok(counts)
}

/// Returns about how much a backup of the database takes, bytes.
pub async fn size(store: &Store) -> Result<u64, StoreError> {
    let mut conn = store.read(PoolRole::Web).await?;
    let bytes: i64 = match conn.conn() {
        Conn::Sqlite(c) => {
            sqlx::query_scalar("select page_count * page_size from pragma_page_count, pragma_page_size")
                .fetch_one(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select coalesce(sum(pg_table_size(oid)), 0)::bigint
                   from pg_class
                  where relkind = 'r' and relnamespace = current_schema()::text::regnamespace",
            )
            .fetch_one(c)
            .await?
        }
    };
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// Checks a backup as [`crate::restore::restore`] does, and counts its rows.
pub async fn inspect(path: &Path) -> Result<Vec<RowCount>, RestoreError> {
    let CheckedBackup { mut file, step } = backup_check::open(path).await?;
    let counts = count_rows(Conn::Sqlite(&mut file), step).await?;
    file.close().await?;
    Ok(counts)
}

/// Moves the write-ahead log of the SQLite database at `path` into the file, so that the file can be
/// renamed. `false`: another process uses the database, nothing was changed.
pub async fn close_log(path: &Path) -> Result<bool, StoreError> {
    let mut file = SqliteConnectOptions::new().filename(path).connect().await?;
    let mode: Result<String, sqlx::Error> =
        sqlx::query_scalar("pragma journal_mode = delete").fetch_one(&mut file).await;
    file.close().await?;
    match mode {
        Ok(mode) => Ok(mode == "delete"),
        Err(error) if is_busy(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns the migration of a backup; `None`: the file is not a backup. Its rows are not read.
pub async fn step_of(path: &Path) -> Option<i64> {
    let CheckedBackup { file, step } = backup_check::open_unchecked(path).await.ok()?;
    file.close().await.ok()?;
    Some(step)
}
