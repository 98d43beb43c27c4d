//! Restores a backup into an empty database of either engine, and holds all deliveries afterwards.

use crate::{
    Conn, PoolRole, Store, StoreError, Tx,
    backup::{self, BackupContents, Column, ColumnKind},
    backup_check::{self, CheckedBackup},
    db::with_conn,
    delivery_hold::DELIVERY_HOLD,
};
use domain::Timestamp;
use futures::stream::BoxStream;
use sqlx::{Connection, SqliteConnection};
use std::path::Path;

pub use super::restore_error::RestoreError;
pub use crate::delivery_hold::{delivery_hold_since, release_delivery_hold};

/// A node whose heartbeat is not older than this may still run, milliseconds.
const NODE_ALIVE_MS: i64 = 10_000;

/// Restores the backup at `path` into an empty, migrated database: all of it or nothing. From then
/// on all deliveries are held, until [`release_delivery_hold`].
pub async fn restore(store: &Store, path: &Path, now: Timestamp) -> Result<BackupContents, RestoreError> {
    let scratch =
        std::env::temp_dir().join(format!("presstime-restore-{}.db", uuid::Uuid::now_v7().simple()));
    let done = match open(path, &scratch).await {
        Ok(file) => fill(store, file, now).await,
        Err(error) => Err(error),
    };
    // Exists only if the backup had to be migrated.
    let _ = std::fs::remove_file(&scratch);
    done
}

/// Opens the backup for reading; an older one as a migrated copy.
async fn open(path: &Path, scratch: &Path) -> Result<SqliteConnection, RestoreError> {
    let CheckedBackup { mut file, step } = backup_check::open(path).await?;
    if step == crate::migrations::latest_version() {
        return Ok(file);
    }
    // Migrations run on a copy with our own tables, never on the file.
    let mut copy = backup::create_file(scratch).await?;
    crate::migrations::SQLITE.run_to(step, &mut copy).await.map_err(StoreError::from)?;
    for (table, columns) in backup_check::tables(&mut copy).await? {
        let insert = backup::into_sqlite(table, &columns);
        let mut rows = rows(&mut file, table, &columns);
        while let Some(batch) = backup::next_batch(&mut rows).await.map_err(damaged(table))? {
            let insert = sqlx::AssertSqlSafe(insert.as_str());
            sqlx::query(insert).bind(batch.json).execute(&mut copy).await.map_err(damaged(table))?;
        }
    }
    file.close().await?;
    crate::migrations::SQLITE.run(&mut copy).await.map_err(StoreError::from)?;
    Ok(copy)
}

async fn fill(
    store: &Store,
    mut file: SqliteConnection,
    now: Timestamp,
) -> Result<BackupContents, RestoreError> {
    let tables =
        backup_check::tables(&mut backup_check::empty(crate::migrations::latest_version()).await?).await?;
    let mut tx = store.begin(PoolRole::Web).await?;
    is_free(tx.conn(), now).await?;
    match tx.conn() {
        Conn::Sqlite(c) => sqlx::raw_sql("pragma defer_foreign_keys = on").execute(c).await?.rows_affected(),
        Conn::Postgres(c) => {
            let limits = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0";
            sqlx::raw_sql(limits).execute(c).await?.rows_affected()
        }
    };
    // The only task can be the canary; the audit summary has counted nothing yet.
    for table in ["invitation", "audit_summary", "session", "setting", "task"] {
        let delete = sqlx::AssertSqlSafe(format!("delete from {table}"));
        with_conn!(tx.conn(), c => sqlx::query(delete).execute(c).await?.rows_affected());
    }
    for (table, columns) in tables {
        copy(&mut file, &mut tx, table, &columns).await?;
    }
    crate::search::clear(tx.conn()).await?;
    if let Conn::Postgres(c) = tx.conn() {
        sqlx::query(
            "select setval(pg_get_serial_sequence('event', 'seq'), coalesce(max(seq), 1), max(seq) is not null) from event",
        )
        .execute(c)
        .await?;
    }
    crate::setting::put(tx.conn(), DELIVERY_HOLD, &now.millis().to_string()).await?;
    tx.commit()
        .await
        .map_err(|error| if error.is_temporary() { error.into() } else { RestoreError::Dangling })?;
    let contents = backup::contents(&mut file).await?;
    file.close().await?;
    Ok(contents)
}

async fn is_free(mut conn: Conn<'_>, now: Timestamp) -> Result<(), RestoreError> {
    let rows: i64 = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "select (select count(*) from account) + (select count(*) from article) + (select count(*) from task where kind <> 'engine.canary')")
        .fetch_one(c).await?);
    if rows > 0 {
        return Err(RestoreError::HasContent);
    }
    find_alive_node(conn, now).await?.map_or(Ok(()), |name| Err(RestoreError::InUse(name)))
}

/// Returns the name of a node that may be running on the database.
pub async fn find_alive_node(conn: Conn<'_>, now: Timestamp) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select name from node where state = 'alive' and heartbeat_at > $1 limit 1")
        .bind(now.millis() - NODE_ALIVE_MS).fetch_optional(c).await?))
}

async fn copy(
    file: &mut SqliteConnection,
    tx: &mut Tx,
    table: &'static str,
    columns: &[Column],
) -> Result<(), RestoreError> {
    let insert = match tx.conn() {
        Conn::Sqlite(_) => backup::into_sqlite(table, columns),
        Conn::Postgres(_) => into_postgres(table, columns),
    };
    let mut rows = rows(file, table, columns);
    while let Some(batch) = backup::next_batch(&mut rows).await.map_err(damaged(table))? {
        let insert = sqlx::AssertSqlSafe(insert.as_str());
        with_conn!(tx.conn(), c => sqlx::query(insert).bind(batch.json).execute(c).await.map_err(damaged(table))?.rows_affected());
    }
    Ok(())
}

/// Reads the rows of a table of an SQLite file, as one JSON array each.
fn rows<'f>(
    file: &'f mut SqliteConnection,
    table: &str,
    columns: &[Column],
) -> BoxStream<'f, Result<String, sqlx::Error>> {
    let select = format!("select {} from main.{}", as_array(columns), backup::quote_identifier(table));
    sqlx::query_scalar(sqlx::AssertSqlSafe(select)).fetch(file)
}

/// An error of the database is the fault of the row, unless it is temporary.
fn damaged(table: &'static str) -> impl Fn(sqlx::Error) -> RestoreError {
    move |error| {
        let error = StoreError::from(error);
        if error.is_temporary() { error.into() } else { RestoreError::Damaged(table) }
    }
}

/// Returns an SQL expression: a row of an SQLite file as a JSON array.
fn as_array(columns: &[Column]) -> String {
    let cells = columns.iter().map(|Column { name, kind }| {
        let name = backup::quote_identifier(name);
        match kind {
            ColumnKind::Identity => format!("iif({name} is null, null, lower(hex({name})))"),
            ColumnKind::Number | ColumnKind::Text => name,
        }
    });
    format!("json_array({})", cells.collect::<Vec<_>>().join(", "))
}

/// Returns a PostgreSQL statement that inserts rows from a JSON array of arrays.
fn into_postgres(table: &str, columns: &[Column]) -> String {
    let cells = (0..).zip(columns).map(|(place, column): (usize, _)| match column.kind {
        ColumnKind::Identity => format!("(e.value ->> {place})::uuid"),
        ColumnKind::Number => format!("(e.value ->> {place})::bigint"),
        ColumnKind::Text => format!("e.value ->> {place}"),
    });
    let cells = cells.collect::<Vec<_>>().join(", ");
    format!(
        "insert into {} ({}) overriding system value
         select {cells} from json_array_elements($1::json) with ordinality as e (value, place) order by e.place",
        backup::quote_identifier(table),
        backup::column_names(columns)
    )
}
