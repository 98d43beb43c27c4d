//! Validates a backup file before it is restored. The file may be hostile: only rows of tables
//! whose definitions equal those of this program, character by character, are read.

use super::restore_error::RestoreError;
use crate::{
    StoreError, UnknownMigration,
    backup::{Column, ColumnKind, TABLES, columns, quote_identifier},
    migrations,
};
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{collections::HashMap, path::Path};

/// The table of applied migrations.
const STEPS_TABLE: &str = "_sqlx_migrations";
/// Tables that SQLite adds for its query planner.
const STATISTICS: [&str; 2] = ["sqlite_stat1", "sqlite_stat4"];
/// Tables that Litestream adds to a database that it replicates, and their definitions. Their rows are not
/// read.
const LITESTREAM: [(&str, &str); 2] = [
    ("_litestream_seq", "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)"),
    ("_litestream_lock", "CREATE TABLE _litestream_lock (id INTEGER)"),
];
/// Maximum number of schema objects read.
const MAX_OBJECTS: i64 = 1_000;
/// Maximum number of characters read of one definition.
const MAX_DEFINITION_CHARS: i64 = 50_000;
/// Maximum size of one text in a row, bytes: eight times that of the longest article.
const MAX_TEXT_BYTES: i64 = 4_000_000;
/// Size of an id, bytes.
const IDENTITY_BYTES: i64 = 16;

/// A validated backup.
#[derive(Debug)]
pub(crate) struct CheckedBackup {
    /// The open file.
    pub file: SqliteConnection,
    /// Version of its newest migration.
    pub step: i64,
}

/// Opens a backup read-only and validates it: its schema first, then the pages, types and sizes of
/// every row.
pub(crate) async fn open(path: &Path) -> Result<CheckedBackup, RestoreError> {
    let CheckedBackup { mut file, step } = open_unchecked(path).await?;
    let known = migrations::latest_version();
    if step > known {
        return Err(RestoreError::NewerSchema(UnknownMigration { found: step, known }));
    }
    let mut own = empty(step).await?;
    compare(&mut file, &mut own).await?;
    for (table, columns) in tables(&mut own).await? {
        check_rows(&mut file, table, &columns).await?;
    }
    Ok(CheckedBackup { file, step })
}

/// Opens a backup read-only and reads the version of its newest migration. Validates nothing else.
pub(crate) async fn open_unchecked(path: &Path) -> Result<CheckedBackup, RestoreError> {
    let mut file = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .immutable(true)
        // Functions and virtual tables in the file's schema are not run.
        .pragma("trusted_schema", "off")
        .pragma("cell_size_check", "on")
        .pragma("mmap_size", "0")
        .pragma("query_only", "on")
        .connect()
        .await
        .map_err(|_| RestoreError::NotABackup)?;
    let step = last_step(&mut file).await?;
    Ok(CheckedBackup { file, step })
}

/// Returns the backed-up tables that exist in this schema of ours, with their columns.
pub(crate) async fn tables(
    own: &mut SqliteConnection,
) -> Result<Vec<(&'static str, Vec<Column>)>, StoreError> {
    let mut tables = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let columns = columns(own, table).await?;
        if !columns.is_empty() {
            tables.push((table, columns));
        }
    }
    Ok(tables)
}

/// Opens an empty in-memory database with our schema after migration `step`.
pub(crate) async fn empty(step: i64) -> Result<SqliteConnection, StoreError> {
    let mut own = SqliteConnection::connect("sqlite::memory:").await?;
    migrations::SQLITE.run_to(step, &mut own).await?;
    Ok(own)
}

async fn last_step(file: &mut SqliteConnection) -> Result<i64, RestoreError> {
    // The text of its definition depends on the release of sqlx, so only its kind and its column
    // are compared.
    let is_plain: Result<Option<i64>, _> = sqlx::query_scalar(
        "select 1
           from pragma_table_list($1) t join pragma_table_xinfo($1) c
          where t.schema = 'main' and t.type = 'table' and c.name = 'version' and c.hidden = 0",
    )
    .bind(STEPS_TABLE)
    .fetch_optional(&mut *file)
    .await;
    if !matches!(is_plain, Ok(Some(1))) {
        return Err(RestoreError::NotABackup);
    }
    let steps: Result<Vec<i64>, _> =
        sqlx::query_scalar(r#"select version from main."_sqlx_migrations" not indexed limit 10000"#)
            .fetch_all(file)
            .await;
    steps.ok().and_then(|steps| steps.into_iter().max()).ok_or(RestoreError::NotABackup)
}

/// Rejects objects that our schema of that version lacks or defines differently, and missing
/// objects.
async fn compare(file: &mut SqliteConnection, own: &mut SqliteConnection) -> Result<(), RestoreError> {
    let mut expected: HashMap<_, _> = objects(own).await?.into_iter().collect();
    let found = objects(file).await.map_err(|_| RestoreError::NotABackup)?;
    for (name, shape) in found {
        let is_ours = expected.remove(&name).is_some_and(|own| own == shape || name.1 == STEPS_TABLE);
        let is_known = STATISTICS.contains(&name.1.as_str()) || is_of_litestream(&name, &shape.1);
        if !is_ours && !is_known {
            return Err(RestoreError::Foreign(format!("{} {:?}", name.0, name.1)));
        }
    }
    match expected.into_keys().min() {
        Some((kind, name)) => Err(RestoreError::Incomplete(format!("{kind} {name:?}"))),
        None => Ok(()),
    }
}

fn is_of_litestream((kind, name): &(String, String), definition: &str) -> bool {
    kind == "table" && LITESTREAM.contains(&(name.as_str(), definition))
}

/// Returns kind and name of every table, index, trigger and view, with its table and its
/// definition.
async fn objects(
    file: &mut SqliteConnection,
) -> Result<Vec<((String, String), (String, String))>, sqlx::Error> {
    let rows: Vec<(String, String, String, String)> = sqlx::query_as(
        "select cast(coalesce(type, '') as text), substr(cast(coalesce(name, '') as text), 1, 200),
                substr(cast(coalesce(tbl_name, '') as text), 1, 200), substr(cast(coalesce(sql, '') as text), 1, $1)
           from main.sqlite_schema limit $2",
    )
    .bind(MAX_DEFINITION_CHARS)
    .bind(MAX_OBJECTS)
    .fetch_all(file)
    .await?;
    Ok(rows.into_iter().map(|(kind, name, table, sql)| ((kind, name), (table, sql))).collect())
}

/// Rejects a table with a page that is used twice, a value of another type than its column, or an
/// oversized value.
async fn check_rows(
    file: &mut SqliteConnection,
    table: &'static str,
    columns: &[Column],
) -> Result<(), RestoreError> {
    let damaged = |_| RestoreError::Damaged(table);
    let verdict: Option<String> =
        sqlx::query_scalar("select quick_check from pragma_quick_check($1) limit 1")
            .bind(table)
            .fetch_optional(&mut *file)
            .await
            .map_err(damaged)?;
    if verdict.as_deref() != Some("ok") {
        return Err(RestoreError::Damaged(table));
    }
    let wrong = columns.iter().filter_map(|column| {
        let name = quote_identifier(&column.name);
        match column.kind {
            ColumnKind::Identity => Some(format!("octet_length({name}) <> {IDENTITY_BYTES}")),
            ColumnKind::Text => Some(format!("octet_length({name}) > {MAX_TEXT_BYTES}")),
            ColumnKind::Number => None,
        }
    });
    let wrong = wrong.collect::<Vec<_>>().join(" or ");
    if wrong.is_empty() {
        return Ok(());
    }
    let select = format!("select 1 from main.{} where {wrong} limit 1", quote_identifier(table));
    let found: Option<i64> =
        sqlx::query_scalar(sqlx::AssertSqlSafe(select)).fetch_optional(file).await.map_err(damaged)?;
    found.map_or(Ok(()), |_| Err(RestoreError::Damaged(table)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Store, backup, restore};
    use domain::Timestamp;

    #[tokio::test]
    async fn a_backup_of_every_migration_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        for step in migrations::versions() {
            let path = folder.path().join(format!("{step}.backup"));
            let mut file = backup::create_file(&path).await.unwrap();
            migrations::SQLITE.run_to(step, &mut file).await.unwrap();
            sqlx::raw_sql(
                "insert into setting values ('title', 'The old desk');
                 insert into account (id, email, name, role, time_zone, language, created_at)
                 values (x'00112233445566778899aabbccddeeff', 'a@desk.test', 'A', 'admin', 'UTC', 'en', 1)",
            )
            .execute(&mut file)
            .await
            .unwrap();
            file.close().await.unwrap();
            let url = format!("sqlite:{}", folder.path().join(format!("{step}.db")).display());
            let store = Store::open(&Options::new(url)).await.unwrap();
            store.migrate().await.unwrap();
            let contents = restore::restore(&store, &path, Timestamp::from_millis(1)).await.unwrap();
            assert_eq!(contents.people, 1, "step {step}");
            store.close().await;
        }
    }
}
